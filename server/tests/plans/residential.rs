//! Proxy users, proxy servers and endpoint lists.
use crate::carriers;
use crate::lists::lists;
use crate::shop::{Customer, Shop};
use chrono::TimeDelta;
use postern_core::time::to_wire;
use serde_json::{Value, json};

/// Proxy users and proxy servers, with all of their queries.
pub async fn residential(
    shop: &Shop,
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    owner: &Customer,
    operator: &Customer,
) {
    let form = json!({"Name": "scraper_1", "Countries": ["US"], "LimitGigabytes": "1", "LimitCycle": "day"});
    let added = call(owner, "ProxyUsers/AddProxyUser", form.clone()).await;
    let (id, password) = (added["ProxyUser"]["ProxyUserId"].clone(), added["Password"].clone());
    let mut edit = form;
    edit["ProxyUserId"] = id.clone();
    call(owner, "ProxyUsers/EditProxyUser", edit).await;
    let ids = json!({ "ProxyUserIds": [id] });
    for name in ["Pause", "Resume", "Reset"] {
        call(owner, &format!("ProxyUsers/{name}ProxyUsers"), ids.clone()).await;
    }
    for (name, body) in
        lists("ProxyUsers/GetProxyUserList", &[("State", json!("active"))], &["Name", "UsedBytes", "CreatedAt"])
    {
        call(owner, name, body).await;
    }
    for is_dry in [true, false] {
        call(owner, "ProxyUsers/ImportProxyUsers", json!({"Csv": "name\nscraper_2\n", "DryRun": is_dry})).await;
    }
    let entry = json!({"ProxyUserId": id, "Address": "8.8.8.0/24", "Label": ""});
    let address = call(owner, "ProxyUsers/AddProxyUserAddress", entry).await;
    call(owner, "ProxyUsers/GetProxyUserAddressList", json!({})).await;
    for kind in ["residential", "static"] {
        let form = json!({"Name": kind, "Kind": kind, "Host": "gate.example", "HttpPort": "8000"});
        let server = call(operator, "Operator/AddProxyServer", form).await["Server"]["ServerId"].clone();
        let rotated = call(operator, "Operator/RotateProxyServer", json!({ "ServerId": server })).await;
        let secret = rotated["Secret"].as_str().unwrap_or_default().to_owned();
        let carrier = carriers::Carrier { url: shop.url.clone(), secret, client: reqwest::Client::new() };
        let node = shop.nodes_of(owner).await.first().expect("a node").clone();
        let connection =
            json!({"UserName": "user-scraper_1", "Password": password, "ClientAddress": "8.8.8.8", "Ip": node["Ip"]});
        carrier.refuses(connection).await;
        carrier.refuses(json!({"ClientAddress": "8.8.8.8", "Ip": node["Ip"]})).await;
        let now = shop.app.clock.now();
        let mut record = carriers::record("1", "scraper_1", now, 1_000);
        record["Ip"] = node["Ip"].clone();
        let (_, taken) = carrier.post("usage", json!({ "Records": [record, 7] }).to_string()).await;
        assert_eq!(taken["Counted"], 1, "{record}: {taken}");
        shop.run_jobs().await;
        let rejected = [("ServerId", server.clone()), ("Reason", json!("malformed"))];
        for (name, body) in lists("Operator/GetRejectedUsageList", &rejected, &["ReceivedAt"]) {
            call(operator, name, body).await;
        }
        call(operator, "Operator/GetProxyServerList", json!({})).await;
        if kind == "static" {
            carrier.post("nodes", "{}".to_owned()).await;
            let addresses = format!("{} 198.51.100.0/24", node["Ip"].as_str().unwrap_or_default());
            call(operator, "Operator/AssignNodes", json!({ "ServerId": server, "Addresses": addresses })).await;
        }
        for dimension in ["all", "user", "node", "country", "target"] {
            for (step, days) in [("day", 1), ("day", 300), ("month", 360)] {
                let (start, end) = (to_wire(now - TimeDelta::days(days)), to_wire(now + TimeDelta::hours(2)));
                let mut range = json!({"Kind": kind, "Dimension": dimension, "Step": step, "StartTime": start, "EndTime": end, "TimeZone": "UTC"});
                call(owner, "Usage/GetUsage", range.clone()).await;
                if ["all", "user"].contains(&dimension) {
                    range["ProxyUserId"] = id.clone();
                    call(owner, "Usage/GetUsage", range).await;
                }
            }
        }
        if kind == "residential" {
            endpoint_lists(shop, call, owner, &server, &id).await;
        }
        call(operator, "Operator/RemoveProxyServer", json!({ "ServerId": server })).await;
    }
    let change = json!({"ProxyUserId": id, "OldValidMinutes": 10});
    call(owner, "ProxyUsers/ChangeProxyUserPassword", change).await;
    call(owner, "ProxyUsers/RevealProxyUserPassword", json!({ "ProxyUserId": id })).await;
    call(owner, "ProxyUsers/DelProxyUserAddress", json!({ "AddressId": address["AddressId"] })).await;
    call(owner, "ProxyUsers/DeleteProxyUsers", ids).await;
}

/// Presets, list URLs, and a list fetched by a script.
async fn endpoint_lists(
    shop: &Shop,
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    owner: &Customer,
    server: &Value,
    proxy_user: &Value,
) {
    let settings = json!({"ServerId": server, "Scheme": "http", "Count": 1, "Format": "url"});
    call(owner, "Endpoints/GetServerList", json!({})).await;
    call(owner, "Endpoints/GetServerStatusList", json!({})).await;
    call(owner, "Endpoints/TestEndpoint", json!({ "ProxyUserId": proxy_user, "Settings": settings })).await;
    for _ in 0..2 {
        call(owner, "Endpoints/SavePreset", json!({"Name": "mine", "Settings": settings})).await;
    }
    let presets = call(owner, "Endpoints/GetPresetList", json!({})).await;
    call(owner, "Endpoints/DeletePreset", json!({ "PresetId": presets[0]["PresetId"] })).await;
    let url = json!({"Name": "mine", "ProxyUserId": proxy_user, "Settings": settings});
    let created = call(owner, "Endpoints/CreateUrl", url).await;
    let path = created["Url"].as_str().and_then(|url| url.split_once("/lists/")).expect("a URL").1.to_owned();
    for path in [path.as_str(), "unknown"] {
        shop.open_page(&format!("/lists/{path}")).await;
    }
    call(owner, "Endpoints/GetUrlList", json!({})).await;
    call(owner, "Endpoints/RevokeUrl", json!({ "UrlId": created["UrlId"] })).await;
}
