//! Refunds of traffic: unused bytes for their share, and amounts, to the cent; never more than was paid, and never used or expired bytes.
use crate::invoices::{documents, read_pdf};
use crate::shop::{Customer, Shop};
use crate::traffic::{GB, buys, traffic_of, uses};
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::sync::Arc;

fn asked(order: &Value, more: Value) -> Value {
    let mut body = json!({"OrderNumber": order["OrderNumber"], "Reason": "It was slow"});
    for (name, value) in more.as_object().expect("fields") {
        body[name] = value.clone();
    }
    body
}

async fn refunded(shop: &Shop, operator: &Customer, order: &Value, more: Value) -> Value {
    let answer = shop.call(operator, "Operator/RefundOrder", asked(order, more)).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data
}

async fn refusal(shop: &Shop, operator: &Customer, order: &Value, more: Value) -> (u64, Value) {
    let answer = shop.call(operator, "Operator/RefundOrder", asked(order, more)).await;
    let fields = answer.data["Fields"].as_object().and_then(|fields| fields.values().next().cloned());
    (answer.code, fields.map_or(answer.data["State"].clone(), |broken| broken[0]["Rule"].clone()))
}

#[actix_web::test]
async fn unused_traffic_is_refunded_for_its_share_as_previewed() {
    let shop = Shop::open_with_traffic();
    let (customer, operator) = (shop.customer(10_000), shop.operator());
    let order = buys(&shop, &customer, 10, 30, "35.00").await;
    uses(&shop, &customer, 3 * GB + 333_333_333);
    let preview = shop.call(&operator, "Operator/PreviewRefund", asked(&order, json!({}))).await.data;
    assert_eq!(
        (&preview["Amount"], &preview["LeftAfter"], &preview["IsWhole"]),
        (&json!("23.33"), &json!("11.67"), &json!(false))
    );
    let traffic = &preview["Traffic"];
    assert_eq!((&traffic["BoughtBytes"], &traffic["UsedBytes"]), (&json!(10 * GB), &json!(3_333_333_333_u64)));
    assert_eq!((&traffic["ReturnedBytes"], &traffic["ReturnedBeforeBytes"]), (&json!(6_666_666_667_u64), &json!(0)));
    assert_eq!((&preview["Nodes"], &preview["CreditNote"]), (&json!([]), &Value::Null));
    assert_eq!(traffic_of(&shop, &customer).await["LeftBytes"], 6_666_666_667_u64, "a preview takes nothing");

    let done = refunded(&shop, &operator, &order, json!({})).await;
    assert_eq!((&done["Amount"], &done["Traffic"]), (&preview["Amount"], &preview["Traffic"]));
    let left = traffic_of(&shop, &customer).await;
    assert_eq!((&left["LeftBytes"], &left["Batches"][0]["BoughtBytes"]), (&json!(0), &json!(3_333_333_333_u64)));
    assert_eq!(shop.balance(&customer).await, "88.33");
    let found = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order["OrderId"]})).await.data;
    assert_eq!((&found["State"], &found["Refunded"]), (&json!("fulfilled"), &json!("23.33")));
    assert_eq!(refusal(&shop, &operator, &order, json!({})).await, (2001, json!("nothingToRefund")));

    let note = documents(&shop, &customer).await[0].clone();
    for (language, words) in [("en", "Residentialtraffic:6.666GBunused"), ("zh", "住宅流量：未使用6.666GB")] {
        let asked = json!({"InvoiceNumber": note["InvoiceNumber"], "Language": language});
        let (answer, _) = read_pdf(&shop.download_bytes(&customer, "Billing/GetInvoicePdf", asked).await);
        assert!(answer.contains(words) && answer.contains("$23.33"), "{answer}");
    }
    shop.run_jobs().await;
    let mail = shop.last_mail_to(&customer.email).unwrap_or_default();
    assert!(
        mail.contains("The 6.666 GB of it that you had not used have been taken back.") && !mail.contains("{{"),
        "{mail}"
    );
    // Late usage exceeds what is left.
    uses(&shop, &customer, GB);
    assert_eq!(traffic_of(&shop, &customer).await["OverdraftBytes"], GB);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn amount_refunds_keep_the_traffic_until_everything_is_refunded() {
    let shop = Shop::open_with_traffic();
    let (customer, operator) = (shop.customer(10_000), shop.operator());
    let order = buys(&shop, &customer, 10, 0, "44.00").await;
    for (amount, rule) in [("44.01", "amountMax"), ("0", "amountMin"), ("ten", "amount")] {
        assert_eq!(refusal(&shop, &operator, &order, json!({"Amount": amount})).await, (2001, json!(rule)));
    }
    let done = refunded(&shop, &operator, &order, json!({"Amount": "40.00"})).await;
    assert_eq!((&done["LeftAfter"], &done["Traffic"]["ReturnedBytes"]), (&json!("4.00"), &json!(0)));
    assert_eq!(traffic_of(&shop, &customer).await["LeftBytes"], 10 * GB);
    uses(&shop, &customer, GB);
    // The share of the unused bytes is 39.60, but only 4.00 are left.
    let preview = shop.call(&operator, "Operator/PreviewRefund", asked(&order, json!({}))).await.data;
    assert_eq!((&preview["Amount"], &preview["IsWhole"]), (&json!("4.00"), &json!(true)));
    let done = refunded(&shop, &operator, &order, json!({"Amount": "4.00"})).await;
    assert_eq!((&done["IsWhole"], &done["Traffic"]["ReturnedBytes"]), (&json!(true), &json!(9 * GB)));
    assert_eq!(traffic_of(&shop, &customer).await["LeftBytes"], 0);
    assert_eq!(refusal(&shop, &operator, &order, json!({})).await, (4005, json!("refunded")));
    let found = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order["OrderId"]})).await.data;
    assert_eq!((&found["State"], shop.balance(&customer).await.as_str()), (&json!("refunded"), "100.00"));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn used_or_expired_traffic_only_allows_amount_refunds() {
    let shop = Shop::open_with_traffic();
    let (customer, operator) = (shop.customer(10_000), shop.operator());
    let over = buys(&shop, &customer, 1, 30, "4.00").await;
    let used = buys(&shop, &customer, 1, 30, "4.00").await;
    let whole = buys(&shop, &customer, 1, 0, "5.00").await;
    uses(&shop, &customer, GB);
    assert_eq!(refusal(&shop, &operator, &over, json!({})).await, (2001, json!("nothingToRefund")), "used first");
    shop.app.clock.advance(TimeDelta::days(30));
    let (customer, operator) = (shop.signs_in(&customer), shop.signs_in(&operator));
    assert_eq!(refusal(&shop, &operator, &used, json!({})).await, (2001, json!("nothingToRefund")), "over");
    assert_eq!(refunded(&shop, &operator, &used, json!({"Amount": "1.50"})).await["Amount"], "1.50");
    let done = refunded(&shop, &operator, &whole, json!({})).await;
    assert_eq!((&done["Amount"], &done["IsWhole"]), (&json!("5.00"), &json!(true)));
    assert_eq!(shop.balance(&customer).await, "93.50");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn concurrent_traffic_refunds_never_exceed_the_payment() {
    let shop = Arc::new(Shop::open_with_traffic());
    let (customer, operator) = (shop.customer(10_000), shop.operator());
    let order = buys(&shop, &customer, 10, 30, "35.00").await;
    let refunds: Vec<_> = (0..6)
        .map(|number| {
            let (shop, operator, order) = (shop.clone(), operator.clone(), order.clone());
            let more = if number % 2 == 0 { json!({}) } else { json!({"Amount": "30.00"}) };
            actix_web::rt::spawn(
                async move { shop.call(&operator, "Operator/RefundOrder", asked(&order, more)).await.code },
            )
        })
        .collect();
    let mut done = 0;
    for refund in refunds {
        let code = refund.await.expect("an answer");
        assert!([1000, 2001, 4005].contains(&code), "{code}");
        done += u32::from(code == 1000);
    }
    assert!((1..=2).contains(&done), "{done}");
    assert_eq!(
        (shop.balance(&customer).await.as_str(), &traffic_of(&shop, &customer).await["LeftBytes"]),
        ("100.00", &json!(0))
    );
    shop.ledger_adds_up();
}
