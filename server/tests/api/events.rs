//! Events: recorded once, with the fields documented for their kind.
use crate::shop::{Shop, order_for};
use chrono::TimeDelta;
use postern_core::event::EventKind;
use serde_json::{Value, json};

#[actix_web::test]
async fn order_events_are_recorded_for_their_account_only() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3);
    let (customer, stranger, operator) = (shop.customer(2_000), shop.customer(0), shop.operator());
    let order_id = shop.buys(&customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    let paid = shop.events_of(&customer, EventKind::OrderPaid);
    let number = paid[0]["OrderNumber"].clone();
    assert_eq!(
        paid,
        [json!({"OrderId": order_id, "OrderNumber": number, "Kind": "purchase", "Total": "5.00", "Currency": "USD"})]
    );

    let refund = json!({"OrderNumber": number, "Reason": "It was slow"});
    assert_eq!(shop.call(&operator, "Operator/RefundOrder", refund).await.code, 1000);
    let refunded = shop.events_of(&customer, EventKind::OrderRefunded);
    assert!(refunded[0]["CreditNote"].as_str().is_some_and(|number| !number.is_empty()), "{refunded:?}");
    assert_eq!(
        refunded,
        [json!({
            "OrderId": order_id, "OrderNumber": number, "Amount": "5.00", "Currency": "USD",
            "CreditNote": refunded[0]["CreditNote"], "Count": 1, "RefundedTo": "wallet",
        })]
    );

    let canceled = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    shop.call(&customer, "Order/CancelOrder", json!({"OrderId": canceled.data["OrderId"]})).await;
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 2)], "10.00")).await.data;
    let pay = json!({"OrderId": order["OrderId"], "PaymentMethod": "sandbox"});
    let payment = shop.call(&customer, "Order/PayOrder", pay).await.data["Payment"].clone();
    shop.app.clock.advance(TimeDelta::minutes(16));
    shop.run_jobs().await;
    shop.run_jobs().await;
    let expired = json!({
        "OrderId": order["OrderId"], "OrderNumber": order["OrderNumber"], "Total": "10.00", "Currency": "USD",
    });
    assert_eq!(shop.events_of(&customer, EventKind::OrderExpired), [expired], "one that was canceled did not expire");
    shop.post_form(payment["PayUrl"].as_str().unwrap_or_default(), "action=approve").await;
    shop.run_jobs().await;
    let late = json!({
        "OrderId": order["OrderId"], "OrderNumber": order["OrderNumber"], "Amount": "10.00", "Currency": "USD",
    });
    assert_eq!(shop.events_of(&customer, EventKind::PaymentLate), [late]);
    for kind in EventKind::ALL {
        assert_eq!(shop.events_of(&stranger, *kind), Vec::<Value>::new());
    }
}

#[actix_web::test]
async fn proxy_events_are_recorded_from_switch_to_expiry() {
    let shop = Shop::open();
    let customer = shop.owner_of(2, 600).await;
    shop.stock("US", "new-york", 2);
    let old = shop.nodes_of(&customer).await.remove(0);
    let switch = |dry_run: bool| json!({"NodeIds": [old["NodeId"]], "DryRun": dry_run});
    shop.call(&customer, "Ips/SwitchNode", switch(true)).await;
    assert_eq!(shop.events_of(&customer, EventKind::ProxiesSwitched), Vec::<Value>::new(), "a preview is no event");
    let done = shop.call(&customer, "Ips/SwitchNode", switch(false)).await;
    let switched = json!({"OldIp": old["Ip"], "NewIp": done.data["Items"][0]["NewIp"]});
    assert_eq!(shop.events_of(&customer, EventKind::ProxiesSwitched), [switched]);

    let nodes = shop.nodes_of(&customer).await;
    let on = json!({"NodeIds": [nodes[0]["NodeId"]], "AutoRenew": true});
    assert_eq!(shop.call(&customer, "Ips/SetAutoRenew", on).await.data["Changed"], 1);
    shop.app.clock.advance(TimeDelta::days(28));
    let customer = shop.signs_in(&customer);
    shop.run_jobs().await;
    let renewed = json!({"Count": 1, "Total": "5.00", "Currency": "USD"});
    assert_eq!(shop.events_of(&customer, EventKind::ProxiesRenewed), [renewed]);
    let ending = json!({"Count": 1, "EndsAt": nodes[1]["ExpiresAt"]});
    assert_eq!(shop.events_of(&customer, EventKind::ProxiesEnding).first(), Some(&ending));

    shop.app.clock.advance(TimeDelta::days(30));
    let ends_at = shop.nodes_of(&shop.signs_in(&customer)).await[0]["ExpiresAt"].clone();
    shop.run_jobs().await;
    let failed = json!({"Count": 1, "Balance": "1.00", "Currency": "USD", "EndsAt": ends_at});
    assert_eq!(shop.events_of(&customer, EventKind::ProxiesRenewalFailed).first(), Some(&failed));
    assert_eq!(shop.events_of(&customer, EventKind::ProxiesEnded), [json!({"Count": 1})]);
    shop.app.clock.advance(TimeDelta::days(9));
    shop.run_jobs().await;
    shop.run_jobs().await;
    assert_eq!(shop.events_of(&customer, EventKind::ProxiesEnded).len(), 2);
}
