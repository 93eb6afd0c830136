//! Managing owned nodes: groups, notes, credentials, access, exports, tests.
use crate::shop::ports::reserved;
use crate::shop::{Customer, REGULAR, Shop, order_for};
use chrono::TimeDelta;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

fn ids(nodes: &[Value]) -> Vec<i64> {
    nodes.iter().filter_map(|node| node["NodeId"].as_i64()).collect()
}

async fn group(shop: &Shop, customer: &Customer, name: &str) -> i64 {
    let answer =
        shop.call(customer, "Ips/AddUserPlanGroup", json!({"Name": name, "Colour": "#3366ff", "Note": ""})).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data["GroupId"].as_i64().unwrap_or_default()
}

#[actix_web::test]
async fn bulk_failures_disclose_addresses_only_to_owners() {
    let shop = Shop::open();
    let (customer, other) = (shop.owner_of(3, 0).await, shop.customer(0));
    let owned = shop.nodes_of(&customer).await;
    let nodes = ids(&owned);
    shop.stock("US", "new-york", 1);
    let switched = shop.call(&customer, "Ips/SwitchNode", json!({"NodeIds": [nodes[1]], "Reason": ""})).await;
    assert_eq!(switched.code, 1000, "{switched:?}");
    shop.take_away(nodes[0]);
    let note = json!({"NodeIds": [nodes[0], nodes[1], nodes[2]], "Note": "n"});
    let answer = shop.call(&customer, "Ips/EditNodeNote", note.clone()).await;
    let gone = |index: usize| json!({"NodeId": nodes[index], "Ip": owned[index]["Ip"], "Code": 3004});
    assert_eq!(answer.data, json!({"Changed": 1, "Failed": [gone(0), gone(1)]}));
    let answer = shop.call(&other, "Ips/EditNodeNote", note).await;
    let failed = answer.data["Failed"].as_array().cloned().unwrap_or_default();
    assert!(failed.len() == 3 && failed.iter().all(|row| row["Ip"].is_null()), "{failed:?}");
}

#[actix_web::test]
async fn a_node_is_in_at_most_one_group_and_survives_its_deletion() {
    let shop = Shop::open();
    let customer = shop.owner_of(4, 0).await;
    let nodes = ids(&shop.nodes_of(&customer).await);
    let (shops, ads) = (group(&shop, &customer, "Shops").await, group(&shop, &customer, "Ads").await);
    let answer = shop
        .call(&customer, "Ips/AddToGroup", json!({"GroupId": shops, "NodeIds": [nodes[0], nodes[1], 999_999]}))
        .await;
    assert_eq!(answer.data, json!({"Changed": 2, "Failed": [{"NodeId": 999_999, "Ip": null, "Code": 3004}]}));
    shop.call(&customer, "Ips/AddToGroup", json!({"GroupId": ads, "NodeIds": [nodes[1]]})).await;
    let all_left = json!({"GroupId": ads, "All": true, "Filter": {"GroupId": 0}});
    assert_eq!(shop.call(&customer, "Ips/AddToGroup", all_left).await.data["Changed"], 2);
    let counts = |list: Value| {
        let count = |group: &Value| (group["Name"].as_str().map(str::to_owned), group["NodeCount"].as_i64());
        list.as_array().map(|groups| groups.iter().map(count).collect::<Vec<_>>()).unwrap_or_default()
    };
    let list = shop.call(&customer, "Ips/GetUserPlanGroupList", json!({})).await;
    assert_eq!(counts(list.data), [(Some("Ads".to_owned()), Some(3)), (Some("Shops".to_owned()), Some(1))]);

    shop.call(&customer, "Ips/ClearUserPlanGroup", json!({"NodeIds": [nodes[3]]})).await;
    assert_eq!(shop.call(&customer, "Ips/ClearUserPlanGroupAllNode", json!({"GroupId": ads})).await.data["Changed"], 2);
    assert_eq!(shop.call(&customer, "Ips/DeleteUserPlanGroup", json!({"GroupId": shops})).await.data["Changed"], 1);
    assert_eq!(shop.call(&customer, "Ips/DeleteUserPlanGroup", json!({"GroupId": shops})).await.code, 3004);
    assert_eq!(shop.nodes_of(&customer).await.len(), 4, "groups go, nodes stay");
}

#[actix_web::test]
async fn group_names_are_unique_per_account() {
    let shop = Shop::open();
    let (customer, other) = (shop.customer(0), shop.customer(0));
    let first = group(&shop, &customer, "Shops").await;
    group(&shop, &other, "Shops").await;
    for (name, rule) in [("  shops ", "groupNameTaken"), ("", "required")] {
        let answer =
            shop.call(&customer, "Ips/AddUserPlanGroup", json!({"Name": name, "Colour": "", "Note": ""})).await;
        assert_eq!((answer.code, &answer.data["Fields"]["Name"][0]["Rule"]), (2001, &json!(rule)), "{name}");
    }
    let edit = json!({"GroupId": first, "Name": "SHOPS", "Colour": "#112233", "Note": "mine"});
    let answer = shop.call(&customer, "Ips/EditUserPlanGroup", edit).await;
    assert_eq!((answer.code, &answer.data["Name"], &answer.data["Note"]), (1000, &json!("SHOPS"), &json!("mine")));
}

#[actix_web::test]
async fn credentials_change_and_the_old_ones_work_for_as_long_as_asked() {
    let shop = Shop::open();
    let customer = shop.owner_of(2, 0).await;
    let before = shop.nodes_of(&customer).await;
    let edit =
        json!({"NodeIds": [before[0]["NodeId"]], "UserName": "ann_1", "Password": "secret99word", "KeepOldHours": 24});
    assert_eq!(shop.call(&customer, "Ips/UserEditNodeAccount", edit).await.data["Changed"], 1);
    let after = shop.nodes_of(&customer).await;
    assert_eq!((&after[0]["UserName"], &after[0]["Password"]), (&json!("ann_1"), &json!("secret99word")));
    assert_eq!(after[0]["OldUserName"], before[0]["UserName"]);
    assert_eq!(after[1]["UserName"], before[1]["UserName"], "the other node keeps its own");
    shop.app.clock.advance(TimeDelta::hours(25));
    shop.run_jobs().await;
    assert_eq!(shop.nodes_of(&customer).await[0]["OldUserName"], Value::Null);

    for (edit, field) in [
        (json!({"NodeIds": [1], "UserName": "Ann", "Password": ""}), "UserName"),
        (json!({"NodeIds": [1], "UserName": "ann_1", "Password": "short"}), "Password"),
        (json!({"NodeIds": [1], "UserName": "ann_1", "Password": "secret99word", "KeepOldHours": 73}), "KeepOldHours"),
        (json!({"UserName": "ann_1", "Password": "secret99word"}), "NodeIds"),
    ] {
        let answer = shop.call(&customer, "Ips/UserEditNodeAccount", edit).await;
        assert!(answer.data["Fields"][field].is_array(), "{field}: {answer:?}");
    }
    let made = json!({"All": true, "Generate": true});
    assert_eq!(shop.call(&customer, "Ips/UserEditNodeAccount", made).await.data["Changed"], 2);
    let made = shop.nodes_of(&customer).await;
    assert_ne!(made[0]["Password"], made[1]["Password"]);
}

#[actix_web::test]
async fn shared_credentials_apply_to_all_nodes_of_a_plan() {
    let shop = Shop::open();
    let customer = shop.owner_of(2, 500).await;
    let update = json!({"VerStr": REGULAR, "UserName": "team_a", "Password": "secret99word", "KeepOldHours": 0});
    let auth = shop.call(&customer, "Ips/UpdateVerUserPass", update).await;
    assert_eq!((auth.code, &auth.data["NodeCount"], &auth.data["UserName"]), (1000, &json!(2), &json!("team_a")));
    shop.stock("US", "new-york", 1);
    shop.buys(&customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    let names: Vec<_> = shop.nodes_of(&customer).await.iter().map(|node| node["UserName"].clone()).collect();
    assert_eq!(names, vec![json!("team_a"); 3]);
    let auth = shop.call(&customer, "Ips/UserGetVerAuth", json!({"VerStr": REGULAR})).await;
    assert_eq!((&auth.data["Password"], &auth.data["AccessMode"]), (&json!("secret99word"), &json!("password")));
    assert_eq!(
        shop.call(&customer, "Ips/UserGetVerAuth", json!({"VerStr": "premium ISP proxies plan"})).await.code,
        3004
    );
}

#[actix_web::test]
async fn a_whitelist_takes_public_addresses_and_is_never_empty_in_whitelist_mode() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    let mode = |mode: &str| json!({"VerStr": REGULAR, "AccessMode": mode});
    let answer = shop.call(&customer, "Ips/UpdateVerAuth", mode("whitelist")).await;
    assert_eq!(answer.data["Fields"]["AccessMode"][0]["Rule"], "whitelistEmpty");
    let add = |address: &str| json!({"VerStr": REGULAR, "Address": address, "Label": "office"});
    for (address, rule) in [("10.0.0.1", 2001), ("0.0.0.0/0", 2001), ("nonsense", 2001), ("", 2001)] {
        assert_eq!(shop.call(&customer, "Ips/AddWhiteList", add(address)).await.code, rule, "{address}");
    }
    let added = shop.call(&customer, "Ips/AddWhiteList", add("8.8.8.9/24")).await;
    assert_eq!((added.code, &added.data["Address"]), (1000, &json!("8.8.8.0/24")));
    let again = shop.call(&customer, "Ips/AddWhiteList", add("8.8.8.0/24")).await;
    assert_eq!(again.data["Fields"]["Address"][0]["Rule"], "whitelistRepeated");
    assert_eq!(shop.call(&customer, "Ips/UpdateVerAuth", mode("whitelist")).await.data["AccessMode"], "whitelist");
    let only = json!({"WhiteIds": [added.data["WhiteId"]]});
    assert_eq!(shop.call(&customer, "Ips/DelWhite", only.clone()).await.code, 2001);
    let list = shop.call(&customer, "Ips/GetMyWhiteList", json!({"Filter": {"VerStr": REGULAR}})).await;
    assert_eq!((&list.data["Total"], &list.data["Rows"][0]["Label"]), (&json!(1), &json!("office")));
    shop.call(&customer, "Ips/UpdateVerAuth", mode("both")).await;
    assert_eq!(shop.call(&customer, "Ips/DelWhite", only).await.data["Changed"], 1);
}

#[actix_web::test]
async fn the_list_applies_filters_and_search() {
    let shop = Shop::open();
    let customer = shop.owner_of(3, 500).await;
    shop.stock("DE", "frankfurt", 1);
    shop.buys(&customer, order_for(&[("DE", "frankfurt", 1)], "5.00")).await;
    let nodes = ids(&shop.nodes_of(&customer).await);
    shop.call(&customer, "Ips/EditNodeNote", json!({"NodeIds": [nodes[0]], "Note": "100% mine_too"})).await;
    let total = async |list: Value| shop.call(&customer, "Ips/GetUserNodeList", list).await.data["Total"].as_i64();
    assert_eq!(total(json!({"Filter": {"City": "frankfurt"}})).await, Some(1));
    assert_eq!(total(json!({"Search": "100% mine_"})).await, Some(1));
    assert_eq!(total(json!({"Search": "100_"})).await, Some(0), "wildcards are letters like any other");
    assert_eq!(total(json!({"Filter": {"EndsWithinDays": 29}})).await, Some(0));
    assert_eq!(total(json!({"Filter": {"EndsWithinDays": 31}})).await, Some(4));
    assert_eq!(shop.call(&customer, "Ips/GetUserNodeList", json!({"Filter": {"Colour": "x"}})).await.code, 2002);
    shop.app.clock.advance(TimeDelta::days(31));
    let customer = shop.signs_in(&customer);
    let ending = shop.call(&customer, "Ips/GetUserNodeList", json!({"Filter": {"EndsWithinDays": 31}})).await;
    assert_eq!(ending.data["Total"], 0, "what has ended does not end any more");
    assert_eq!(shop.nodes_of(&customer).await.len(), 4, "it can be renewed yet");
}

#[actix_web::test]
async fn exports_have_every_row_in_the_format_asked_for() {
    let shop = Shop::open();
    let customer = shop.owner_of(3, 0).await;
    let nodes = shop.nodes_of(&customer).await;
    shop.call(&customer, "Ips/EditNodeNote", json!({"All": true, "Note": "=HYPERLINK(1)"})).await;
    let lines = shop
        .download(
            &customer,
            "Ips/ExportNodes",
            json!({"All": true, "Format": "txt", "EndpointFormat": "url", "Protocol": "socks5"}),
        )
        .await;
    let expected: Vec<String> = nodes
        .iter()
        .map(|node| {
            let text = |field: &str| node[field].as_str().unwrap_or_default().to_owned();
            format!("socks5://{}:{}@{}:{}", text("UserName"), text("Password"), text("Ip"), node["Socks5Port"])
        })
        .collect();
    assert_eq!(lines.lines().collect::<Vec<_>>(), expected);
    let csv =
        shop.download(&customer, "Ips/ExportNodes", json!({"NodeIds": [nodes[0]["NodeId"]], "Format": "csv"})).await;
    assert!(csv.starts_with("Ip,HttpPort,") && csv.contains("'=HYPERLINK(1)") && csv.lines().count() == 2, "{csv}");
    let rows: Value = serde_json::from_str(
        &shop.download(&customer, "Ips/ExportNodes", json!({"All": true, "Format": "json"})).await,
    )
    .expect("JSON");
    assert_eq!(rows.as_array().map(Vec::len), Some(3));
    let none = shop
        .download(&customer, "Ips/ExportNodes", json!({"All": true, "Filter": {"City": "paris"}, "Format": "json"}))
        .await;
    assert_eq!(none, "[]\n");
}

/// A proxy that serves one request, and responds as the shop would.
async fn proxy(expected: &'static str) -> u16 {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    actix_web::rt::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a request");
        let mut request = vec![0; 4_096];
        let length = stream.read(&mut request).await.expect("a request");
        let request = String::from_utf8_lossy(&request[..length]).to_lowercase();
        let body = r#"{"Code":1000,"Data":{"Ip":"203.0.113.7"}}"#;
        let answer = if request.contains(expected) {
            format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
        } else {
            "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned()
        };
        stream.write_all(answer.as_bytes()).await.expect("an answer is sent");
    });
    port
}

#[actix_web::test]
async fn a_test_sends_a_request_through_the_proxy_with_its_credentials() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    let node_id = ids(&shop.nodes_of(&customer).await)[0];
    let edit = json!({"NodeIds": [node_id], "UserName": "ann_1", "Password": "secret99word"});
    shop.call(&customer, "Ips/UserEditNodeAccount", edit).await;
    let test = async |port: u16| {
        shop.move_node_to(node_id, port);
        shop.call(&customer, "Ips/TestNode", json!({"NodeId": node_id, "Protocol": "http"})).await.data
    };
    // base64 of ann_1:secret99word, in lower case like the whole request.
    let works = test(proxy("get http://shop.example/api/systemsettings/getclientip").await).await;
    assert_eq!((&works["Works"], &works["ExitIp"]), (&json!(true), &json!("203.0.113.7")));
    let authorized = test(proxy("proxy-authorization: basic yw5uxze6c2vjcmv0otl3b3jk").await).await;
    assert_eq!(authorized["Works"], true);
    let refused = test(proxy("nobody sends this").await).await;
    assert_eq!((&refused["Works"], &refused["Problem"]), (&json!(false), &json!("authFailed")));
    assert_eq!(test(reserved().port()).await["Problem"], "refused");
    let other = shop.customer(0);
    assert_eq!(shop.call(&other, "Ips/TestNode", json!({"NodeId": node_id})).await.code, 3004);
}
