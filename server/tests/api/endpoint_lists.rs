//! The endpoint generator's presets, and the list URLs that scripts fetch.
use crate::shop::{Customer, Shop, clients};
use chrono::TimeDelta;
use postern_core::account::AccountState;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::proxy_user::{LimitCycle, ProxyUserState};
use postern_core::time::to_wire;
use postern_server::db::prelude::*;
use postern_server::schema::{accounts, proxy_servers, proxy_users};
use postern_server::security::sha256;
use serde_json::{Value, json};

pub fn adds_server(shop: &Shop, name: &str) -> i64 {
    let secret = sha256(name);
    let row = (
        proxy_servers::name.eq(name),
        proxy_servers::kind.eq(ProxyServerKind::Residential),
        proxy_servers::host.eq("gate.example"),
        proxy_servers::http_port.eq(8_000),
        proxy_servers::secret_sha256.eq(secret.as_str()),
        proxy_servers::created_at.eq(shop.app.clock.now()),
    );
    let insert = || diesel::insert_into(proxy_servers::table).values(row).returning(proxy_servers::id);
    shop.app.db.write_blocking(|conn| Ok(insert().get_result(conn)?)).expect("a proxy server")
}

pub fn adds_proxy_user(shop: &Shop, customer: &Customer, name: &str) -> i64 {
    let now = shop.app.clock.now();
    let sealed = shop.app.key.seal("k3yring99").expect("a sealed password");
    let row = (
        proxy_users::account_id.eq(customer.account_id),
        proxy_users::name.eq(name),
        proxy_users::password_sealed.eq(sealed.as_str()),
        proxy_users::state.eq(ProxyUserState::Active),
        proxy_users::limit_cycle.eq(LimitCycle::None),
        proxy_users::cycle_starts_at.eq(now),
        proxy_users::created_at.eq(now),
        proxy_users::changed_at.eq(now),
    );
    let insert = || diesel::insert_into(proxy_users::table).values(row).returning(proxy_users::id);
    shop.app.db.write_blocking(|conn| Ok(insert().get_result(conn)?)).expect("a proxy user")
}

pub fn settings(server_id: i64) -> Value {
    json!({
        "ServerId": server_id, "Scheme": "http", "UseWhitelist": false, "Country": "us", "Sticky": true, "TtlMinutes": 10,
        "Count": 3, "Format": "host_port_user_pass",
    })
}

pub async fn creates_url(shop: &Shop, customer: &Customer, proxy_user_id: i64, settings: &Value) -> (i64, String) {
    let body = json!({"Name": "nightly", "ProxyUserId": proxy_user_id, "Settings": settings});
    let created = shop.call(customer, "Endpoints/CreateUrl", body).await;
    assert_eq!(created.code, 1000, "{created:?}");
    let url = created.data["Url"].as_str().expect("a URL");
    let path = url.find("/lists/").map(|at| url[at..].to_owned()).expect("a path");
    (created.data["UrlId"].as_i64().expect("an id"), path)
}

#[actix_web::test]
async fn invalid_list_settings_are_refused_and_not_stored() {
    let shop = Shop::open();
    let (customer, other) = (shop.customer(0), shop.customer(0));
    let server = adds_server(&shop, "eu");
    let user = adds_proxy_user(&shop, &customer, "scraper_1");
    let strangers = adds_proxy_user(&shop, &other, "scraper_2");
    let changed = |field: &str, value: Value| {
        let mut settings = settings(server);
        settings[field] = value;
        settings
    };
    for (proxy_user_id, name, settings, field, rule) in [
        (user, "", settings(server), "Name", "required"),
        (user, &*"x".repeat(41), settings(server), "Name", "maxLength"),
        (strangers, "a", settings(server), "ProxyUserId", "unknownProxyUser"),
        (user + 1_000, "a", settings(server), "ProxyUserId", "unknownProxyUser"),
        (user, "a", settings(server + 1_000), "ServerId", "unknownServer"),
        (user, "a", changed("Scheme", json!("socks5")), "Scheme", "endpointScheme"),
        (user, "a", changed("Count", json!(100_001)), "Count", "endpointCount"),
        (user, "a", changed("Country", json!("zz")), "Country", "endpointCountry"),
        (user, "a", changed("Template", json!("{what}")), "Template", "endpointPlaceholder"),
        (user, "a", changed("Template", json!("{user}".repeat(166))), "Template", "endpointLine"),
    ] {
        let body = json!({"Name": name, "ProxyUserId": proxy_user_id, "Settings": settings});
        let refused = shop.call(&customer, "Endpoints/CreateUrl", body.clone()).await;
        assert_eq!((refused.code, &refused.data["Fields"][field][0]["Rule"]), (2001, &json!(rule)), "{refused:?}");
        if field != "ProxyUserId" {
            let refused = shop.call(&customer, "Endpoints/SavePreset", body).await;
            assert_eq!((refused.code, &refused.data["Fields"][field][0]["Rule"]), (2001, &json!(rule)), "{refused:?}");
        }
    }
    assert_eq!(shop.call(&customer, "Endpoints/GetUrlList", json!({})).await.data, json!([]));
    assert_eq!(shop.call(&customer, "Endpoints/GetPresetList", json!({})).await.data, json!([]));
}

#[actix_web::test]
async fn presets_are_kept_by_name_up_to_thirty_and_belong_to_their_account() {
    let shop = Shop::open();
    let (customer, other) = (shop.customer(0), shop.customer(0));
    let server = adds_server(&shop, "eu");
    let preset = |name: &str, count: u32| {
        let mut settings = settings(server);
        settings["Count"] = json!(count);
        json!({"Name": name, "Settings": settings})
    };
    for number in 0..30 {
        let saved = shop.call(&customer, "Endpoints/SavePreset", preset(&format!("preset {number:02}"), 1)).await;
        assert_eq!(saved.code, 1000, "{saved:?}");
    }
    let full = shop.call(&customer, "Endpoints/SavePreset", preset("one more", 1)).await;
    assert_eq!(full.data["Fields"]["Name"][0], json!({"Rule": "tooManyItems", "Params": {"Max": "30"}}));
    let replaced = shop.call(&customer, "Endpoints/SavePreset", preset(" preset 07 ", 9)).await;
    let rows = replaced.data.as_array().expect("presets");
    assert_eq!((rows.len(), &rows[7]["Name"], &rows[7]["Settings"]["Count"]), (30, &json!("preset 07"), &json!(9)));
    let reference = json!({"PresetId": rows[7]["PresetId"]});
    assert_eq!(shop.call(&other, "Endpoints/DeletePreset", reference.clone()).await.code, 3004);
    let left = shop.call(&customer, "Endpoints/DeletePreset", reference.clone()).await;
    assert_eq!(left.data.as_array().map(Vec::len), Some(29));
    assert_eq!(shop.call(&customer, "Endpoints/DeletePreset", reference).await.code, 3004);
    assert_eq!(shop.call(&other, "Endpoints/GetPresetList", json!({})).await.data, json!([]));
}

#[actix_web::test]
async fn a_script_fetches_its_list_until_the_url_is_revoked() {
    let shop = Shop::open();
    let (customer, other) = (shop.customer(0), shop.customer(0));
    let server = adds_server(&shop, "eu");
    let user = adds_proxy_user(&shop, &customer, "scraper_1");
    let (url_id, path) = creates_url(&shop, &customer, user, &settings(server)).await;
    let fetched = shop.open_page(&path).await;
    assert_eq!(fetched.status(), 200);
    let tag = fetched.headers()["ETag"].to_str().expect("a tag").to_owned();
    assert_eq!(fetched.headers()["Content-Type"], "text/plain; charset=utf-8");
    let text = fetched.text().await.expect("a list");
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    for line in &lines {
        assert!(line.starts_with("gate.example:8000:user-scraper_1-country-us-session-"), "{line}");
        assert!(line.ends_with("-ttl-10:k3yring99"), "{line}");
    }
    // Sticky sessions are the same on every fetch.
    assert_eq!(shop.open_page(&path).await.text().await.expect("a list"), text);
    let known = clients::new().get(format!("{}{path}", shop.url)).header("If-None-Match", tag).send();
    assert_eq!(known.await.expect("a response").status(), 304);
    let urls = shop.call(&customer, "Endpoints/GetUrlList", json!({})).await.data;
    assert_eq!((&urls[0]["Uses"], &urls[0]["LastAddress"]), (&json!(3), &json!("127.0.0.1")));
    assert!(urls[0].get("Url").is_none() && !urls.to_string().contains(&path[7..]), "{urls}");
    assert_eq!(shop.call(&other, "Endpoints/RevokeUrl", json!({"UrlId": url_id})).await.code, 3004);
    assert_eq!(shop.call(&customer, "Endpoints/RevokeUrl", json!({"UrlId": url_id})).await.data, json!([]));
    assert_eq!(shop.open_page(&path).await.status(), 404);
    let asked = clients::new().head(format!("{}{path}", shop.url)).send().await.expect("a response");
    assert_eq!(asked.status(), 404);
}

#[actix_web::test]
async fn lists_are_refused_after_too_many_fetches_and_for_suspended_accounts() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let server = adds_server(&shop, "eu");
    let user = adds_proxy_user(&shop, &customer, "scraper_1");
    let (_, path) = creates_url(&shop, &customer, user, &settings(server)).await;
    for _ in 0..30 {
        assert_eq!(shop.open_page(&path).await.status(), 200);
    }
    let refused = shop.open_page(&path).await;
    assert_eq!(refused.status(), 429);
    assert!(refused.headers().contains_key("Retry-After"));
    shop.app.clock.advance(TimeDelta::minutes(1));
    assert_eq!(shop.open_page(&path).await.status(), 200);
    let removed_at = proxy_servers::removed_at.eq(shop.app.clock.now());
    let remove = || diesel::update(proxy_servers::table.find(server)).set(removed_at);
    shop.app.db.write_blocking(|conn| Ok(remove().execute(conn)?)).expect("an update");
    assert_eq!(shop.open_page(&path).await.status(), 409);
    let suspended = accounts::state.eq(AccountState::Suspended);
    let suspend = || diesel::update(accounts::table.find(customer.account_id)).set(suspended);
    shop.app.db.write_blocking(|conn| Ok(suspend().execute(conn)?)).expect("an update");
    assert_eq!(shop.open_page(&path).await.status(), 403);
    for _ in 0..60 {
        assert_eq!(shop.open_page("/lists/unknown").await.status(), 404);
    }
    assert_eq!(shop.open_page("/lists/unknown").await.status(), 429);
}

#[actix_web::test]
async fn the_same_request_twice_creates_one_url() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let server = adds_server(&shop, "eu");
    let user = adds_proxy_user(&shop, &customer, "scraper_1");
    let body = json!({"Name": "nightly", "ProxyUserId": user, "Settings": settings(server)});
    let first = shop.call_once(&customer, "k1", "Endpoints/CreateUrl", body.clone()).await;
    let second = shop.call_once(&customer, "k1", "Endpoints/CreateUrl", body).await;
    assert_eq!((first.code, &first.data), (second.code, &second.data));
    let urls = shop.call(&customer, "Endpoints/GetUrlList", json!({})).await.data;
    assert_eq!(urls.as_array().map(Vec::len), Some(1));
}

#[actix_web::test]
async fn a_url_made_with_a_key_ends_with_the_key() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let (server, user) = (adds_server(&shop, "gate-1"), adds_proxy_user(&shop, &ann, "scraper_1"));
    let soon = to_wire(shop.app.clock.now() + TimeDelta::hours(1));
    let mut made = Vec::new();
    for expires_at in ["", &soon] {
        let form = json!({"Name": "program", "Scopes": ["traffic:write"], "ExpiresAt": expires_at});
        let added = shop.call(&ann, "ApiKeys/AddApiKey", form).await.data;
        let token = added["Secret"].as_str().expect("a secret").to_owned();
        let program = Customer { token, ..ann.clone() };
        made.push((added["ApiKey"]["ApiKeyId"].clone(), creates_url(&shop, &program, user, &settings(server)).await.1));
    }
    let (_, own) = creates_url(&shop, &ann, user, &settings(server)).await;
    let fetched = async || {
        let mut statuses = Vec::new();
        for path in [&made[0].1, &made[1].1, &own] {
            statuses.push(shop.open_page(path).await.status().as_u16());
        }
        let listed = shop.call(&ann, "Endpoints/GetUrlList", json!({})).await.data.as_array().map_or(0, Vec::len);
        (statuses, listed)
    };
    assert_eq!(fetched().await, (vec![200, 200, 200], 3));
    shop.call(&ann, "ApiKeys/RevokeApiKey", json!({ "ApiKeyId": made[0].0 })).await;
    assert_eq!(fetched().await, (vec![404, 200, 200], 2), "revoked");
    shop.app.clock.advance(TimeDelta::hours(1));
    assert_eq!(fetched().await, (vec![404, 404, 200], 1), "expired");
    shop.app.clock.advance(TimeDelta::days(400));
    shop.run_jobs().await;
    assert_eq!(shop.open_page(&own).await.status(), 200, "the keys are deleted, and only their URLs with them");
}
