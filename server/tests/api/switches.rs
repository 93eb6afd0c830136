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
