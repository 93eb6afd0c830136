//! Switching nodes: free, paid and picked; effects and refusals.
use crate::shop::{Customer, REGULAR, Shop, order_for};
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::sync::Arc;

async fn first_node(shop: &Shop, customer: &Customer) -> Value {
    shop.nodes_of(customer).await.remove(0)
}

#[actix_web::test]
async fn a_free_switch_keeps_everything_but_the_address_and_counts_against_the_quota() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    shop.stock("US", "new-york", 2);
    let old = first_node(&shop, &customer).await;
    shop.call(&customer, "Ips/EditNodeNote", json!({"NodeIds": [old["NodeId"]], "Note": "mine"})).await;
    let body = |dry_run: bool| json!({"NodeIds": [old["NodeId"]], "Reason": "blocked", "DryRun": dry_run});
    let dry = shop.call(&customer, "Ips/SwitchNode", body(true)).await;
    assert_eq!((dry.code, &dry.data["Quota"]["Left"], &dry.data["Total"]), (1000, &json!(0), &json!("0.00")));
    let masked = dry.data["Items"][0]["NewIp"].as_str().unwrap_or_default().to_owned();
    assert!(masked.ends_with(".x"), "{masked}");
    assert_eq!(first_node(&shop, &customer).await["Ip"], old["Ip"], "a dry run changes nothing");

    let done = shop.call(&customer, "Ips/SwitchNode", body(false)).await;
    assert_eq!(done.code, 1000, "{done:?}");
    let new = first_node(&shop, &customer).await;
    assert_ne!(new["Ip"], old["Ip"]);
    assert_eq!(new["Note"], "mine");
    for field in ["ExpiresAt", "UserName", "Password", "AutoRenew", "PeriodDays"] {
        assert_eq!(new[field], old[field], "{field}");
    }
    assert_eq!((shop.nodes_in_state("quarantined"), shop.nodes_in_state("assigned")), (1, 1));

    shop.app.clock.advance(TimeDelta::minutes(11));
    let used = shop.call(&customer, "Ips/SwitchNode", json!({"NodeIds": [new["NodeId"]]})).await;
    assert_eq!((used.code, &used.data["Limit"], &used.data["Used"]), (4003, &json!(1), &json!(1)));
    shop.app.clock.advance(TimeDelta::days(25));
    assert_eq!(shop.call(&customer, "Ips/SwitchNode", json!({"NodeIds": [new["NodeId"]]})).await.code, 4003);

    let records = shop.call(&customer, "Ips/UserGetSwitchRecording", json!({"Search": "blocked"})).await;
    let record = &records.data["Rows"][0];
    assert_eq!((&records.data["Total"], &record["OldIp"], &record["NewIp"]), (&json!(1), &old["Ip"], &new["Ip"]));
    assert_eq!(
        (&record["Mode"], &record["Price"], &record["Email"]),
        (&json!("quota"), &json!("0.00"), &json!(customer.email))
    );
    let file = shop.download(&customer, "Ips/ExportSwitchRecording", json!({"Format": "csv"})).await;
    assert_eq!(file.lines().count(), 2, "{file}");
}

#[actix_web::test]
async fn a_paid_switch_costs_the_tiers_price_and_too_little_money_switches_nothing() {
    let shop = Shop::open();
    let customer = shop.owner_of(2, 700).await;
    shop.stock("US", "new-york", 3);
    let nodes = shop.nodes_of(&customer).await;
    let both = json!({"NodeIds": [nodes[0]["NodeId"], nodes[1]["NodeId"]]});
    let answer = shop.call(&customer, "Ips/SwitchNodeByUnitPrice", both).await;
    assert_eq!((answer.code, answer.data), (4001, json!({"Balance": "7.00", "Needed": "10.00", "Currency": "USD"})));
    assert_eq!(shop.nodes_of(&customer).await, nodes);
    let one = json!({"NodeIds": [nodes[0]["NodeId"]]});
    let answer = shop.call_once(&customer, "k1", "Ips/SwitchNodeByUnitPrice", one.clone()).await;
    assert_eq!(
        (answer.code, &answer.data["Total"], &answer.data["BalanceAfter"]),
        (1000, &json!("5.00"), &json!("2.00"))
    );
    let repeat = shop.call_once(&customer, "k1", "Ips/SwitchNodeByUnitPrice", one).await;
    assert_eq!(repeat.data, answer.data, "a repeat gets the stored answer");
    assert_eq!(shop.balance(&customer).await, "2.00");
    let orders = shop.call(&customer, "Order/GetOrderList", json!({"Filter": {"Kind": "switch"}})).await;
    assert_eq!((&orders.data["Total"], &orders.data["Rows"][0]["State"]), (&json!(1), &json!("fulfilled")));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_picked_node_is_taken_if_it_is_of_the_tier_and_still_there() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    shop.stock("DE", "frankfurt", 2);
    let list = shop
        .call(&customer, "Ips/GetMyPurchasableNodeList", json!({"Filter": {"VerStr": REGULAR, "Country": "DE"}}))
        .await;
    let (offered, second) = (&list.data["Rows"][0], &list.data["Rows"][1]);
    assert!(offered["Ip"].as_str().is_some_and(|ip| ip.ends_with(".x")), "{offered}");
    let old = first_node(&shop, &customer).await;
    let pick = json!({"NodeId": old["NodeId"], "NewNodeId": offered["NodeId"], "Reason": ""});
    assert_eq!(shop.call(&customer, "Ips/MySpecifySwitchNode", pick).await.code, 1000);
    let new = first_node(&shop, &customer).await;
    assert_eq!((&new["NodeId"], &new["City"]), (&offered["NodeId"], &json!("frankfurt")));
    let early = json!({"NodeId": new["NodeId"], "NewNodeId": second["NodeId"]});
    assert_eq!(
        shop.call(&customer, "Ips/MySpecifySwitchNode", early.clone()).await.code,
        4290,
        "it has just been switched"
    );
    shop.app.clock.advance(TimeDelta::minutes(11));
    assert_eq!(
        shop.call(&customer, "Ips/MySpecifySwitchNode", early).await.code,
        4001,
        "the quota is used and the wallet is empty"
    );
    let gone = json!({"NodeId": new["NodeId"], "NewNodeId": old["NodeId"]});
    assert_eq!(shop.call(&customer, "Ips/MySpecifySwitchNode", gone).await.code, 4002, "it rests");
}

#[actix_web::test]
async fn after_switches_every_place_lists_the_same_ips_of_an_order() {
    let shop = Shop::open();
    let operator = shop.operator();
    let customer = shop.owner_of(2, 1_000).await;
    shop.stock("US", "new-york", 3);
    let order = shop.call(&customer, "Order/GetOrderList", json!({})).await.data["Rows"][0].clone();
    let [first, kept]: [Value; 2] = shop.nodes_of(&customer).await.try_into().expect("two nodes");
    let switch = async |call: &str, node: &Value| {
        shop.app.clock.advance(TimeDelta::minutes(11));
        let done = shop.call(&customer, call, json!({"NodeIds": [node["NodeId"]]})).await;
        assert_eq!(done.code, 1000, "{done:?}");
        let new = done.data["Items"][0]["NewIp"].clone();
        shop.nodes_of(&customer).await.into_iter().find(|one| one["Ip"] == new).expect("the new node")
    };
    let second = switch("Ips/SwitchNode", &first).await;
    let third = switch("Ips/SwitchNodeByUnitPrice", &second).await;

    let ips = |rows: &Value, what: &str| {
        let mut ips: Vec<String> =
            rows.as_array().expect(what).iter().map(|row| row["Ip"].as_str().expect(what).to_owned()).collect();
        ips.sort();
        ips
    };
    let mut expected = vec![third["Ip"].as_str().expect("an IP"), kept["Ip"].as_str().expect("an IP")];
    expected.sort_unstable();
    let seen = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order["OrderId"]})).await.data;
    assert_eq!(ips(&seen["Nodes"], "the order"), expected);
    assert!(seen["Nodes"].as_array().is_some_and(|nodes| nodes.iter().all(|node| node["IsOwned"] == true)), "{seen}");
    let steps: Vec<_> = seen["Replacements"].as_array().expect("replacements").iter().collect();
    assert_eq!(steps.len(), 2, "{seen}");
    assert_eq!((&steps[0]["OldIp"], &steps[0]["NewIp"]), (&first["Ip"], &second["Ip"]));
    assert_eq!((&steps[1]["OldIp"], &steps[1]["NewIp"]), (&second["Ip"], &third["Ip"]));
    assert!(steps[0]["At"].as_str() < steps[1]["At"].as_str(), "{seen}");

    let filter = json!({"OrderNumber": order["OrderNumber"]});
    let list = shop.call(&customer, "Ips/GetUserNodeList", json!({"Filter": filter})).await.data;
    assert_eq!(
        (&list["Total"], ips(&list["Rows"], "the list")),
        (&json!(2), expected.iter().map(|ip| (*ip).to_owned()).collect())
    );
    let both = json!({"Filter": {"OrderNumber": order["OrderNumber"], "Ips": [kept["Ip"], first["Ip"]]}});
    assert_eq!(shop.call(&customer, "Ips/GetUserNodeList", both).await.data["Total"], 1);
    let file = json!({"All": true, "Filter": filter, "Format": "csv"});
    let file = shop.download(&customer, "Ips/ExportNodes", file).await;
    assert!(expected.iter().all(|ip| file.contains(ip)) && file.trim().lines().count() == 3, "{file}");
    let marked = json!({"All": true, "Filter": filter, "Note": "of the order"});
    assert_eq!(shop.call(&customer, "Ips/EditNodeNote", marked).await.data["Changed"], 2);
    let refund = json!({"OrderNumber": order["OrderNumber"], "Reason": "preview"});
    let preview = shop.call(&operator, "Operator/PreviewRefund", refund).await.data;
    assert_eq!(ips(&preview["Nodes"], "the refund"), expected);

    // The order of the paid switch names what it replaced.
    let paid =
        shop.call(&customer, "Order/GetOrderList", json!({"Filter": {"Kind": "switch"}})).await.data["Rows"][0].clone();
    let seen = shop.call(&customer, "Order/GetOrder", json!({"OrderId": paid["OrderId"]})).await.data;
    let step = &seen["Replacements"][0];
    assert_eq!((&step["OldIp"], &step["NewIp"]), (&second["Ip"], &third["Ip"]), "{seen}");
    let filter = json!({"Filter": {"OrderNumber": paid["OrderNumber"]}});
    let list = shop.call(&customer, "Ips/GetUserNodeList", filter.clone()).await.data;
    assert_eq!(ips(&list["Rows"], "the list"), [third["Ip"].as_str().unwrap_or_default()]);

    // To a stranger, the number is of no order.
    let stranger = shop.owner_of(1, 0).await;
    assert_eq!(shop.call(&stranger, "Ips/GetUserNodeList", filter).await.data["Total"], 0);
}

#[actix_web::test]
async fn ips_that_are_gone_are_marked_in_their_order() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    let order = shop.call(&customer, "Order/GetOrderList", json!({})).await.data["Rows"][0].clone();
    shop.app.clock.advance(TimeDelta::days(34));
    shop.run_jobs().await;
    let customer = shop.signs_in(&customer);
    assert!(shop.nodes_of(&customer).await.is_empty());
    let seen = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order["OrderId"]})).await.data;
    assert_eq!((&seen["Nodes"][0]["IsOwned"], &seen["Replacements"]), (&json!(false), &json!([])), "{seen}");
    let filter = json!({"Filter": {"OrderNumber": order["OrderNumber"]}});
    assert_eq!(shop.call(&customer, "Ips/GetUserNodeList", filter).await.data["Total"], 0);
}

#[actix_web::test]
async fn a_city_without_another_node_says_so() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    let node = first_node(&shop, &customer).await;
    let answer = shop.call(&customer, "Ips/SwitchNode", json!({"NodeIds": [node["NodeId"]]})).await;
    assert_eq!((answer.code, &answer.data["City"]), (4002, &json!("new-york")));
}

#[actix_web::test]
async fn one_of_many_switches_gets_the_last_node() {
    let shop = Arc::new(Shop::open());
    let mut customers = Vec::new();
    for _ in 0..12 {
        customers.push(shop.owner_of(1, 500).await);
    }
    shop.stock("US", "new-york", 1);
    let tasks: Vec<_> = customers
        .into_iter()
        .map(|customer| {
            let shop = shop.clone();
            actix_web::rt::spawn(async move {
                let node = first_node(&shop, &customer).await;
                shop.call(&customer, "Ips/SwitchNodeByUnitPrice", json!({"NodeIds": [node["NodeId"]]})).await.code
            })
        })
        .collect();
    let mut codes = Vec::new();
    for task in tasks {
        codes.push(task.await.expect("a code"));
    }
    codes.sort_unstable();
    assert_eq!(codes, [vec![1000], vec![4002; 11]].concat());
    assert_eq!(shop.nodes_in_state("assigned"), 12);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn picked_ips_are_bought_once() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 2);
    shop.stock("DE", "frankfurt", 2);
    let (customer, other) = (shop.customer(2_000), shop.customer(2_000));
    let list = shop.call(&customer, "Ips/GetMyPurchasableNodeList", json!({"Filter": {"VerStr": REGULAR}})).await;
    let mut picked = [1, 3].map(|row: usize| list.data["Rows"][row]["NodeId"].as_i64());
    picked.sort_unstable();
    let order = json!({"VerStr": REGULAR, "PeriodDays": 30, "Lines": [], "NodeIds": picked, "ExpectedTotal": "10.00"});
    shop.buys(&customer, order.clone()).await;
    let owned: Vec<_> = shop.nodes_of(&customer).await.iter().map(|node| node["NodeId"].as_i64()).collect();
    assert_eq!(owned, picked);
    let late = shop.call(&other, "Order/CreateOrder", order).await;
    assert_eq!((late.code, &late.data["Available"]), (4002, &json!(0)));
    shop.buys(&other, order_for(&[("US", "new-york", 1)], "5.00")).await;
}
