//! Previews: they wait for no writer, and change nothing.
use crate::shop::databases::lock_tables;
use crate::shop::{Shop, order_for};
use diesel::connection::SimpleConnection;
use serde_json::{Value, json};
use std::time::Duration;

#[actix_web::test]
async fn previews_do_not_wait_for_writers() {
    let shop = Shop::open();
    let (customer, operator) = (shop.customer(10_000), shop.operator());
    shop.stock("US", "new-york", 3);
    let order_id = shop.buys(&customer, order_for(&[("US", "new-york", 2)], "10.00")).await;
    let order = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order_id})).await.data;
    let nodes = shop.nodes_of(&customer).await;
    let free = json!({"VerStr": nodes[0]["VerStr"], "Country": "US"});
    let free = shop.call(&customer, "Ips/GetMyPurchasableNodeList", free).await.data["Rows"][0]["NodeId"].clone();
    let node_id = &nodes[0]["NodeId"];
    let previews = [
        (&customer, "Ips/IpsNoneRenewByPrice", json!({"NodeIds": [node_id], "PeriodDays": 30})),
        (&customer, "Ips/SwitchNode", json!({"NodeIds": [node_id], "DryRun": true})),
        (&customer, "Ips/SwitchNodeByUnitPrice", json!({"NodeIds": [node_id], "DryRun": true})),
        (&customer, "Ips/MySpecifySwitchNode", json!({"NodeId": node_id, "NewNodeId": free, "DryRun": true})),
        (&operator, "Operator/PreviewRefund", json!({"OrderNumber": order["OrderNumber"]})),
    ];
    let mut lock = lock_tables(&shop, "nodes, orders, wallets, idempotency_keys");
    for (who, call, body) in &previews {
        let answer = tokio::time::timeout(Duration::from_secs(10), shop.call(who, call, body.clone())).await;
        let answer = answer.unwrap_or_else(|_| panic!("{call} waits for a writer"));
        assert_eq!(answer.code, 1000, "{call} {answer:?}");
    }
    lock.batch_execute("ROLLBACK").expect("unlocked");
    assert_eq!((shop.nodes_of(&customer).await, shop.balance(&customer).await), (nodes.clone(), "90.00".to_owned()));
}

#[actix_web::test]
async fn a_dry_run_does_not_use_up_its_idempotency_key() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    shop.stock("US", "new-york", 1);
    let node_id = &shop.nodes_of(&customer).await[0]["NodeId"];
    let switch = |dry_run: bool| json!({"NodeIds": [node_id], "DryRun": dry_run});
    let new_ip = |data: &Value| data["Items"][0]["NewIp"].as_str().unwrap_or_default().to_owned();
    let dry = shop.call_once(&customer, "one-key", "Ips/SwitchNode", switch(true)).await;
    assert!(new_ip(&dry.data).ends_with(".x"), "{dry:?}");
    let done = shop.call_once(&customer, "one-key", "Ips/SwitchNode", switch(false)).await;
    assert_eq!((done.code, new_ip(&done.data).ends_with(".x")), (1000, false), "{done:?}");
    let again = shop.call_once(&customer, "one-key", "Ips/SwitchNode", switch(false)).await;
    assert_eq!(again.data, done.data);
}
