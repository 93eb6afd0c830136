//! Cases of payments: opened when another amount arrives, listed for operators, closed once.
use crate::shop::Shop;
use postern_server::db::prelude::*;
use postern_server::schema::payment_cases;
use serde_json::{Value, json};

/// The sandbox reports this amount for a payment of 25.00.
async fn reports(shop: &Shop, payment_id: &str, amount: &str) {
    let merchant = postern_server::gateways::merchant(&shop.app.key);
    let body = json!({"Merchant": merchant, "PaymentId": payment_id, "Outcome": "approved", "Amount": amount, "Currency": "USD"});
    let signature = shop.app.key.sign("sandbox callbacks", body.to_string().as_bytes());
    let sent = shop.post_raw("/gateway/callback/sandbox", body.to_string(), &[("Sandbox-Signature", &signature)]).await;
    assert_eq!(sent.status(), 200);
}

#[actix_web::test]
async fn a_case_is_opened_listed_closed_and_opened_again() {
    let shop = Shop::open();
    let (customer, operator) = (shop.customer(0), shop.operator());
    let started =
        shop.call(&customer, "Wallet/CreateTopUp", json!({"Amount": "25", "PaymentMethod": "sandbox"})).await.data;
    let payment_id = started["Payment"]["PaymentId"].as_str().expect("an id").to_owned();
    reports(&shop, &payment_id, "24.99").await;
    assert_eq!(shop.balance(&customer).await, "24.99");
    let order = shop.call(&customer, "Order/GetOrder", json!({"OrderId": started["Order"]["OrderId"]})).await.data;
    assert_eq!(
        (&order["Total"], &order["State"]),
        (&json!("24.99"), &json!("fulfilled")),
        "the top-up is what arrived"
    );
    let payment = shop.call(&customer, "Order/GetPayment", json!({"PaymentId": payment_id})).await.data;
    assert_eq!((&payment["Amount"], &payment["Credited"]), (&json!("25.00"), &json!("24.99")));
    let listed = shop.call(&operator, "Operator/GetPaymentList", json!({"Search": payment_id})).await.data;
    assert_eq!((&listed["Rows"][0]["Amount"], &listed["Rows"][0]["Credited"]), (&json!("25.00"), &json!("24.99")));
    let tasks = shop.call(&operator, "Operator/GetTaskList", json!({})).await.data;
    assert!(tasks.to_string().contains("payment_cases"), "{tasks}");
    let list = async |filter: Value| {
        shop.call(&operator, "Operator/GetPaymentCaseList", json!({"Filter": filter})).await.data["Rows"].clone()
    };
    let rows = list(json!({"IsOpen": true, "Gateway": "sandbox"})).await;
    let case = &rows[0];
    for (name, value) in [
        ("Kind", json!("other_amount")),
        ("PaymentId", json!(payment_id)),
        ("Email", json!(customer.email)),
        ("Due", json!("25.00")),
        ("Credited", json!("24.99")),
        ("Reported", json!("24.99")),
        ("ReportedCurrency", json!("USD")),
    ] {
        assert_eq!(case[name], value, "{name}: {case}");
    }
    assert_eq!(list(json!({"IsOpen": false})).await, json!([]));
    let close = json!({"CaseId": case["CaseId"], "Note": " Asked for a cent less "});
    for _ in 0..2 {
        let closed = shop.call(&operator, "Operator/ClosePaymentCase", close.clone()).await;
        assert_eq!(
            (&closed.data["ClosedBy"], &closed.data["Note"]),
            (&json!(operator.email), &json!("Asked for a cent less"))
        );
    }
    let log =
        shop.call(&operator, "Operator/GetAuditLog", json!({"Filter": {"Action": "payment_case_closed"}})).await.data;
    assert_eq!((&log["Total"], &log["Rows"][0]["Reason"]), (&json!(1), &json!("Asked for a cent less")));
    assert_eq!(list(json!({"IsOpen": true})).await, json!([]));
    reports(&shop, &payment_id, "25.00").await;
    assert_eq!(shop.balance(&customer).await, "25.00");
    assert_eq!(list(json!({"IsOpen": true})).await, json!([]), "all of it has come now");
    let payment = shop.call(&customer, "Order/GetPayment", json!({"PaymentId": payment_id})).await.data;
    assert_eq!(payment["Credited"], Value::Null);
    reports(&shop, &payment_id, "30.00").await;
    let rows = list(json!({"IsOpen": true})).await;
    assert_eq!(
        (&rows[0]["Credited"], &rows[0]["Note"], rows.as_array().map(Vec::len)),
        (&json!("30.00"), &json!(""), Some(1))
    );
    let count = shop.app.db.read_blocking(|conn| Ok(payment_cases::table.count().get_result::<i64>(conn)?));
    assert_eq!(count.expect("a number"), 1);
    let long = json!({"CaseId": rows[0]["CaseId"], "Note": "x".repeat(501)});
    assert!(shop.call(&operator, "Operator/ClosePaymentCase", long).await.data["Fields"]["Note"].is_array());
    assert_eq!(shop.call(&operator, "Operator/ClosePaymentCase", json!({"CaseId": 999})).await.code, 3004);
    shop.ledger_adds_up();
}
