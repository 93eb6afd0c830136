//! The operator's calls about the inventory: lists, uploads, edits, and a faulty node replaced for its owner.
use crate::shop::{CallAnswer, Customer, REGULAR, Shop, order_for};
use chrono::TimeDelta;
use postern_core::event::EventKind;
use serde_json::{Value, json};
use std::sync::Arc;

const HEADER: &str = "ip,http_port,socks5_port,country,city,isp,asn,ver_str,supplier,cost";

fn line(ip: &str, city: &str) -> String {
    format!("{ip},8000,1080,US,{city},Northlight Fiber,64500,{REGULAR},Acme,1.20")
}

fn file(lines: &[String]) -> Vec<u8> {
    format!("{HEADER}\n{}\n", lines.join("\n")).into_bytes()
}

async fn listed(shop: &Shop, operator: &Customer, body: Value) -> Vec<Value> {
    let answer = shop.call(operator, "Operator/GetInventory", body.clone()).await;
    assert_eq!(answer.code, 1000, "{body}: {answer:?}");
    answer.data["Rows"].as_array().expect("rows").clone()
}

fn ids(rows: &[Value]) -> Vec<i64> {
    rows.iter().filter_map(|row| row["NodeId"].as_i64()).collect()
}

async fn done(shop: &Shop, operator: &Customer, call: &str, body: Value) -> Value {
    let answer = shop.call(operator, call, body).await;
    assert_eq!(answer.code, 1000, "{call}: {answer:?}");
    answer.data
}

#[actix_web::test]
async fn an_upload_is_previewed_imported_as_a_whole_and_exported_again() {
    let shop = Shop::open();
    let operator = shop.operator();
    let wrong = file(&[line("198.18.200.1", "new-york"), line("198.18.200.1", "dallas"), line("10.0.0.1", "atlantis")]);
    for call in ["Operator/PreviewImport", "Operator/ImportNodes"] {
        let told = shop.upload(&operator, call, "nodes.csv", &wrong).await.data;
        assert_eq!((&told["Nodes"], &told["IsImported"], &told["WrongCells"]), (&json!(1), &json!(false), &json!(3)));
        let cell = json!({"Line": 3, "Column": "ip", "Rule": "ipRepeated", "Params": {}});
        assert_eq!(told["Wrong"][0], cell);
        assert_eq!(shop.nodes_in_state("available"), 0, "not even the right line");
    }
    let right =
        file(&[line("198.18.200.1", "new-york"), line("198.18.200.2", "Dallas"), line("198.18.200.3", "dallas")]);
    let told = shop.upload(&operator, "Operator/PreviewImport", "nodes.csv", &right).await.data;
    assert_eq!((&told["Nodes"], &told["IsImported"], &told["Wrong"]), (&json!(3), &json!(false), &json!([])));
    assert_eq!((&told["Shelves"][0]["City"], &told["Shelves"][0]["Nodes"]), (&json!("dallas"), &json!(2)));
    assert_eq!(shop.nodes_in_state("available"), 0, "a preview writes nothing");
    let told = shop.upload(&operator, "Operator/ImportNodes", "nodes.csv", &right).await.data;
    assert_eq!((&told["Nodes"], &told["IsImported"]), (&json!(3), &json!(true)));
    let again = shop.upload(&operator, "Operator/ImportNodes", "nodes.csv", &right).await.data;
    assert_eq!((&again["IsImported"], &again["Wrong"][0]["Rule"]), (&json!(false), &json!("ipPresent")));
    assert_eq!(shop.nodes_in_state("available"), 3);
    let entries = done(&shop, &operator, "Operator/GetAuditLog", json!({})).await;
    assert_eq!(
        (&entries["Rows"][0]["Action"], &entries["Rows"][0]["Subject"]),
        (&json!("nodes_imported"), &json!("nodes.csv"))
    );
    assert_eq!(entries["Total"], 1, "what imported nothing leaves no entry");
    let text = shop.download(&operator, "Operator/ExportInventory", json!({"Filter": {"City": "dallas"}})).await;
    assert_eq!(text.lines().count(), 3, "{text}");
    let other = Shop::open();
    let boss = other.operator();
    let told = other.upload(&boss, "Operator/ImportNodes", "inventory.csv", text.as_bytes()).await.data;
    assert_eq!((&told["Nodes"], &told["IsImported"]), (&json!(2), &json!(true)), "what is exported can be imported");
    let all_wrong: Vec<String> = (0..300).map(|_| line("nowhere", "new-york")).collect();
    let told = shop.upload(&operator, "Operator/PreviewImport", "nodes.csv", &file(&all_wrong)).await.data;
    assert_eq!((&told["WrongCells"], told["Wrong"].as_array().map(Vec::len)), (&json!(300), Some(200)));
    for (content, code) in [(b"\x89PNG\r\n\x1a\n\0\0".to_vec(), 1000), (vec![b'a'; (8 << 20) + 1], 4130)] {
        let answer = shop.upload(&operator, "Operator/ImportNodes", "a.png", &content).await;
        assert_eq!(answer.code, code, "{answer:?}");
        assert_ne!(answer.data["IsImported"], true);
    }
    assert_eq!(shop.upload(&shop.customer(0), "Operator/ImportNodes", "nodes.csv", &right).await.code, 3003);
}

#[actix_web::test]
async fn the_inventory_is_listed_by_state_place_owner_and_part_of_an_address() {
    let shop = Shop::open();
    let (owner, operator) = (shop.owner_of(2, 0).await, shop.operator());
    shop.stock("US", "chicago", 3);
    let all = listed(&shop, &operator, json!({})).await;
    assert_eq!(all.len(), 5);
    let owned = listed(&shop, &operator, json!({"Filter": {"AccountId": owner.account_id}})).await;
    assert_eq!((owned.len(), &owned[0]["Email"], &owned[0]["State"]), (2, &json!(owner.email), &json!("assigned")));
    assert!(owned[0].get("Password").is_none() && !all.iter().any(|row| row.to_string().contains("Sealed")));
    let ip = all[0]["Ip"].as_str().expect("an address");
    for (body, count) in [
        (json!({"Filter": {"State": "available"}}), 3),
        (json!({"Filter": {"City": "chicago", "VerStr": REGULAR, "Country": "US"}}), 3),
        (json!({"Filter": {"Supplier": "nobody"}}), 0),
        (json!({"Filter": {"ServerId": 1}}), 0),
        (json!({"Search": ip}), 1),
        (json!({"Search": "%"}), 0),
    ] {
        assert_eq!(listed(&shop, &operator, body.clone()).await.len(), count, "{body}");
    }
    for field in ["NodeId", "Ip", "Country", "City", "Isp", "State", "Supplier"] {
        let mut found = Vec::new();
        let mut body = json!({"PageSize": 2, "Sort": [{"Field": field, "Direction": "asc"}]});
        loop {
            let page = done(&shop, &operator, "Operator/GetInventory", body.clone()).await;
            found.extend(ids(page["Rows"].as_array().expect("rows")));
            match page["Next"].as_str() {
                Some(next) => body["After"] = json!(next),
                None => break,
            }
        }
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), 5, "{field}");
    }
    let six = file(&["2001:db8::7,8000,,US,dallas,Northlight,64500,shared ISP proxies plan,,".to_owned()]);
    assert_eq!(shop.upload(&operator, "Operator/ImportNodes", "six.csv", &six).await.data["IsImported"], true);
    assert_eq!(listed(&shop, &operator, json!({"Search": "2001:DB8"})).await.len(), 1);
    let unknown = shop.call(&operator, "Operator/GetInventory", json!({"Filter": {"Password": "x"}})).await;
    assert_eq!(unknown.code, 2002);
}

#[actix_web::test]
async fn the_stock_tells_how_long_it_lasts() {
    let shop = Shop::open();
    let operator = shop.operator();
    let _owner = shop.owner_of(6, 0).await;
    shop.stock("US", "new-york", 2);
    shop.stock("DE", "frankfurt", 5);
    let stock = done(&shop, &operator, "Operator/GetStock", json!({})).await;
    let [first, second] = [&stock[0], &stock[1]];
    assert_eq!((&first["City"], &first["Nodes"], &first["Available"]), (&json!("new-york"), &json!(8), &json!(2)));
    assert_eq!((&first["Sold"], &first["DaysLeft"]), (&json!(6), &json!(10)));
    assert_eq!((&second["City"], &second["DaysLeft"]), (&json!("frankfurt"), &Value::Null), "nothing was sold");
    shop.app.clock.advance(TimeDelta::days(31));
    let operator = shop.signs_in(&operator);
    let stock = done(&shop, &operator, "Operator/GetStock", json!({})).await;
    assert!(stock.as_array().expect("shelves").iter().all(|shelf| shelf["Sold"] == 0), "{stock}");
}

#[actix_web::test]
async fn nodes_are_taken_off_sale_and_sold_again() {
    let shop = Shop::open();
    let (owner, operator) = (shop.owner_of(1, 0).await, shop.operator());
    shop.stock("US", "chicago", 2);
    let all = ids(&listed(&shop, &operator, json!({})).await);
    let mut asked = all.clone();
    asked.extend([999_999, all[0]]);
    let told = done(&shop, &operator, "Operator/RetireNodes", json!({ "NodeIds": asked })).await;
    assert_eq!(told["Changed"], 2);
    let owned = &shop.nodes_of(&owner).await[0];
    let left = json!([
        {"NodeId": owned["NodeId"], "Ip": owned["Ip"], "State": "assigned"},
        {"NodeId": 999_999, "Ip": null, "State": null},
    ]);
    assert_eq!(told["Failed"], left);
    assert_eq!((shop.nodes_in_state("retired"), shop.nodes_in_state("available")), (2, 0));
    let told = done(&shop, &operator, "Operator/RestoreNodes", json!({ "NodeIds": all })).await;
    assert_eq!((&told["Changed"], told["Failed"].as_array().map(Vec::len)), (&json!(2), Some(1)));
    assert_eq!((shop.nodes_in_state("retired"), shop.nodes_in_state("available")), (0, 2));
    let stock = shop.call(&owner, "Ips/GetServerNodeInventory", json!({})).await.data;
    assert_eq!(stock[0]["Available"], 2, "customers can buy them");
    let nothing = done(&shop, &operator, "Operator/RetireNodes", json!({"NodeIds": []})).await;
    assert_eq!(nothing, json!({"Changed": 0, "Failed": [], "Next": null}));
    let many: Vec<i64> = (0..1_001).collect();
    let refused = shop.call(&operator, "Operator/RetireNodes", json!({ "NodeIds": many })).await;
    assert_eq!(refused.data["Fields"]["NodeIds"][0]["Rule"], "tooManyNodes", "{refused:?}");
}

#[actix_web::test]
async fn an_edit_moves_stock_to_its_new_city_and_is_recorded_with_what_was_before() {
    let shop = Shop::open();
    let operator = shop.operator();
    shop.stock("US", "chicago", 3);
    let rows = listed(&shop, &operator, json!({})).await;
    let some = &ids(&rows)[..2];
    let edit = json!({
        "NodeIds": some, "Country": "Germany", "City": "Frankfurt am Main", "Isp": "Rhein Net", "Socks5Port": "0", "Cost": "$2",
    });
    assert_eq!(done(&shop, &operator, "Operator/EditNodes", edit.clone()).await["Changed"], 2);
    assert_eq!(done(&shop, &operator, "Operator/EditNodes", edit).await["Changed"], 0, "they are so already");
    let moved = listed(&shop, &operator, json!({"Filter": {"City": "frankfurt"}})).await;
    assert_eq!(moved.len(), 2);
    assert_eq!(
        (&moved[0]["Isp"], &moved[0]["Socks5Port"], &moved[0]["Cost"]),
        (&json!("Rhein Net"), &Value::Null, &json!("2.00"))
    );
    assert_eq!(moved[0]["HttpPort"], 8000, "what is empty stays");
    let stock = done(&shop, &operator, "Operator/GetStock", json!({})).await;
    let of = |city: &str| {
        let shelves = stock.as_array().expect("shelves");
        shelves.iter().find(|shelf| shelf["City"] == city).map(|shelf| shelf["Available"].clone())
    };
    assert_eq!((of("frankfurt"), of("chicago")), (Some(json!(2)), Some(json!(1))));
    let log = done(&shop, &operator, "Operator/GetAuditLog", json!({})).await;
    assert_eq!((&log["Total"], &log["Rows"][0]["Action"]), (&json!(1), &json!("nodes_edited")));
    let changes = log["Rows"][0]["Changes"].to_string();
    for part in ["US chicago", "DE frankfurt", "Northlight Fiber", "Rhein Net", "1080"] {
        assert!(changes.contains(part), "{part}: {changes}");
    }
    let wrong = json!({"NodeIds": some, "HttpPort": "0", "Country": "US", "City": "Atlantis", "Asn": "x"});
    let refused = shop.call(&operator, "Operator/EditNodes", wrong).await;
    assert_eq!(refused.code, 2001);
    for field in ["HttpPort", "City", "Asn"] {
        assert!(refused.data["Fields"][field].is_array(), "{field}: {refused:?}");
    }
}

async fn replaces(shop: &Shop, operator: &Customer, node: &Value, more: Value) -> CallAnswer {
    let mut body = json!({"NodeId": node["NodeId"], "Reason": "It no longer answers", "Retire": true});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    shop.call(operator, "Operator/ReplaceNode", body).await
}

#[actix_web::test]
async fn a_faulty_node_is_replaced_at_no_cost_and_keeps_what_its_owner_set() {
    let shop = Shop::open();
    let (owner, operator) = (shop.owner_of(1, 700).await, shop.operator());
    let node = shop.nodes_of(&owner).await.remove(0);
    let note = json!({"NodeIds": [node["NodeId"]], "Note": "crawler"});
    assert_eq!(shop.call(&owner, "Ips/EditNodeNote", note).await.code, 1000);
    let nothing = replaces(&shop, &operator, &node, json!({})).await;
    assert_eq!((nothing.code, &nothing.data["City"]), (4002, &json!("new-york")), "the city has no other");
    shop.stock("US", "new-york", 1);
    assert_eq!(replaces(&shop, &operator, &node, json!({"Reason": " "})).await.code, 2001);
    let told = replaces(&shop, &operator, &node, json!({})).await;
    assert_eq!((told.code, &told.data["OldIp"]), (1000, &node["Ip"]), "{told:?}");
    let now = shop.nodes_of(&owner).await.remove(0);
    assert_eq!(now["Ip"], told.data["NewIp"]);
    for kept in ["UserName", "Password", "ExpiresAt", "AutoRenew"] {
        assert_eq!(now[kept], node[kept], "{kept}");
    }
    assert_eq!(now["Note"], "crawler");
    assert_eq!((shop.balance(&owner).await, shop.nodes_in_state("retired")), ("7.00".to_owned(), 1));
    let records = done(&shop, &owner, "Ips/UserGetSwitchRecording", json!({})).await;
    let record = &records["Rows"][0];
    assert_eq!((&record["Mode"], &record["Price"], &record["Email"]), (&json!("replaced"), &json!("0.00"), &json!("")));
    assert_eq!(record["Reason"], "It no longer answers");
    let plan = done(&shop, &owner, "Ips/GetUserVerPlan", json!({"VerStr": REGULAR})).await;
    assert!(plan.to_string().contains("\"Used\":0"), "it takes nothing of the customer's quota: {plan}");
    assert_eq!(shop.events_of(&owner, EventKind::ProxiesSwitched).len(), 1);
    let again = replaces(&shop, &operator, &node, json!({})).await;
    assert_eq!(again.code, 4005, "nobody has it any more: {again:?}");
    let log = done(&shop, &operator, "Operator/GetAuditLog", json!({"Filter": {"Action": "node_replaced"}})).await;
    assert_eq!((&log["Total"], &log["Rows"][0]["Email"]), (&json!(1), &json!(owner.email)));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_replacement_may_be_chosen_if_it_is_in_stock_and_of_the_same_tier() {
    let shop = Arc::new(Shop::open());
    let (owner, operator) = (shop.owner_of(2, 0).await, shop.operator());
    shop.stock("US", "chicago", 1);
    let free = listed(&shop, &operator, json!({"Filter": {"State": "available"}})).await.remove(0);
    let [one, other] = <[Value; 2]>::try_from(shop.nodes_of(&owner).await).expect("two nodes");
    let refused = replaces(&shop, &operator, &one, json!({"NewNodeId": other["NodeId"]})).await;
    assert_eq!(refused.data["Fields"]["NewNodeId"][0]["Rule"], "notInStock", "{refused:?}");
    let chosen = json!({"NewNodeId": free["NodeId"], "Retire": false});
    let both = futures_util::future::join(
        replaces(&shop, &operator, &one, chosen.clone()),
        replaces(&shop, &operator, &other, chosen),
    );
    let (first, second) = both.await;
    let codes = [first.code, second.code];
    assert!(codes.contains(&1000) && codes.contains(&2001), "one of two gets it: {first:?} {second:?}");
    assert_eq!((shop.nodes_in_state("assigned"), shop.nodes_in_state("quarantined")), (2, 1));
    let bought = shop.call(&owner, "Order/CreateOrder", order_for(&[("US", "chicago", 1)], "5.00")).await;
    assert_eq!(bought.code, 4002, "it is no longer for sale");
}

#[actix_web::test]
async fn all_matching_nodes_are_changed_a_thousand_at_a_time() {
    let shop = Shop::open();
    let operator = shop.operator();
    shop.stock("US", "new-york", 2_100);
    shop.stock("DE", "frankfurt", 3);
    shop.owner_of(2, 0).await;
    let total = async |filter: Value| {
        let list = shop.call(&operator, "Operator/GetInventory", json!({ "Filter": filter })).await.data;
        list["Total"].as_i64().expect("a number")
    };
    let of_us = total(json!({"Country": "US"})).await;
    let bought = total(json!({"Country": "US", "State": "assigned"})).await;
    let (mut after, mut changed, mut failed, mut calls) = (json!(0), 0, 0, 0);
    while !after.is_null() {
        let body = json!({"All": true, "Filter": {"Country": "US"}, "After": after});
        let told = shop.call(&operator, "Operator/RetireNodes", body).await;
        assert_eq!(told.code, 1000, "{told:?}");
        changed += told.data["Changed"].as_i64().expect("a number");
        failed += told.data["Failed"].as_array().expect("a list").len() as i64;
        after = told.data["Next"].clone();
        calls += 1;
    }
    assert_eq!((changed + failed, failed, calls), (of_us, bought, of_us / 1_000 + 1));
    assert_eq!(total(json!({"State": "retired"})).await, of_us - bought, "and none of another country");
    let none = shop.call(&operator, "Operator/RestoreNodes", json!({"All": true, "Search": "no such"})).await.data;
    assert_eq!(none, json!({"Changed": 0, "Failed": [], "Next": null}));
    let found = shop.call(&operator, "Operator/GetInventory", json!({"Filter": {"State": "retired"}})).await.data;
    let ip = found["Rows"][0]["Ip"].clone();
    let one = shop.call(&operator, "Operator/RestoreNodes", json!({"All": true, "Search": ip})).await.data;
    assert!(one["Changed"].as_i64() >= Some(1), "{one}");
    let edit = json!({"All": true, "Filter": {"Country": "DE"}, "Supplier": "Acme"});
    assert_eq!(
        shop.call(&operator, "Operator/EditNodes", edit).await.data["Changed"],
        total(json!({"Country": "DE"})).await
    );
    assert_eq!(total(json!({"Supplier": "Acme"})).await, total(json!({"Country": "DE"})).await);
    for call in ["RetireNodes", "RestoreNodes", "EditNodes"] {
        let call = format!("Operator/{call}");
        for (body, code) in [
            (json!({"Isp": "x"}), 2001),
            (json!({"All": true, "Filter": {"Colour": "red"}, "Isp": "x"}), 2001),
            (json!({"All": true, "After": "x", "Isp": "x"}), 2001),
        ] {
            assert_eq!(shop.call(&operator, &call, body.clone()).await.code, code, "{call} {body}");
        }
    }
}
