//! Callbacks that an operator has processed again.
use crate::shop::{CallAnswer, Customer, Shop, clients};
use diesel::connection::SimpleConnection;
use postern_server::gateways::merchant;
use serde_json::{Value, json};

async fn top_up(shop: &Shop, customer: &Customer) -> String {
    let answer = shop.call(customer, "Wallet/CreateTopUp", json!({"Amount": "25", "PaymentMethod": "sandbox"})).await;
    answer.data["Payment"]["PaymentId"].as_str().expect("a payment").to_owned()
}

/// Sends the gateway's signed report of an approved payment; returns the verdict.
async fn reports(shop: &Shop, payment_id: &str, amount: &str) -> Value {
    let body = json!({
        "Merchant": merchant(&shop.app.key), "PaymentId": payment_id, "Outcome": "approved", "Amount": amount, "Currency": "USD",
    });
    let body = body.to_string();
    let signature = shop.app.key.sign("sandbox callbacks", body.as_bytes());
    let request = clients::new().post(format!("{}/gateway/callback/sandbox", shop.url)).body(body);
    let response = request.header("Sandbox-Signature", signature).send().await.expect("a response");
    response.json::<Value>().await.expect("JSON")["Verdict"].clone()
}

async fn last_callback(shop: &Shop, operator: &Customer) -> Value {
    shop.call(operator, "Order/GetCallbackList", json!({})).await.data["Rows"][0].clone()
}

async fn replay(shop: &Shop, operator: &Customer, callback: &Value) -> CallAnswer {
    shop.call(operator, "Operator/ReplayCallback", json!({"CallbackId": callback["CallbackId"]})).await
}

fn runs(shop: &Shop, sql: &str) {
    shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(sql)?)).expect("SQL");
}

#[actix_web::test]
async fn a_callback_of_a_payment_that_was_not_there_is_settled_later_and_once() {
    let shop = Shop::open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    let payment_id = top_up(&shop, &customer).await;
    runs(&shop, &format!("UPDATE payments SET public_id = 'pay_elsewhere' WHERE public_id = '{payment_id}'"));
    assert_eq!(reports(&shop, &payment_id, "25.00").await, "unknown_payment");
    let callback = last_callback(&shop, &operator).await;
    assert_eq!((&callback["CanReplay"], &callback["PaymentId"]), (&json!(true), &Value::Null), "{callback}");
    let refused = replay(&shop, &operator, &callback).await;
    assert_eq!((&refused.data["Verdict"], &refused.data["IsRefused"]), (&json!("unknown_payment"), &json!(true)));
    runs(&shop, &format!("UPDATE payments SET public_id = '{payment_id}' WHERE public_id = 'pay_elsewhere'"));
    let (one, other) = tokio::join!(replay(&shop, &operator, &callback), replay(&shop, &operator, &callback));
    let mut codes = [one.code, other.code];
    codes.sort_unstable();
    assert_eq!(codes, [1000, 3333], "{one:?} {other:?}");
    let done = if one.code == 1000 { one } else { other };
    assert_eq!((&done.data["Verdict"], &done.data["IsRefused"]), (&json!("settle"), &json!(false)), "{done:?}");
    assert_eq!(shop.balance(&customer).await, "25.00");
    let callback = last_callback(&shop, &operator).await;
    assert_eq!((&callback["CanReplay"], &callback["PaymentId"]), (&json!(false), &json!(payment_id)), "{callback}");
    let again = replay(&shop, &operator, &callback).await;
    assert_eq!((again.code, &again.data["Key"]), (3333, &json!("callbackNotReplayable")));
    shop.ledger_adds_up();
    let log = shop.call(&operator, "Operator/GetAuditLog", json!({})).await.data;
    assert_eq!((&log["Total"], &log["Rows"][0]["Subject"]), (&json!(2), &json!(payment_id)), "{log}");
    let change = json!([{"Field": "verdict", "Before": "unknown_payment", "After": "settle"}]);
    assert_eq!((&log["Rows"][0]["Action"], &log["Rows"][0]["Changes"]), (&json!("callback_replayed"), &change));
}

#[actix_web::test]
async fn no_amount_stays_wrong_and_an_unsigned_callback_cannot_be_replayed() {
    let shop = Shop::open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    let payment_id = top_up(&shop, &customer).await;
    assert_eq!(reports(&shop, &payment_id, "0.00").await, "wrong_amount");
    let replayed = replay(&shop, &operator, &last_callback(&shop, &operator).await).await;
    assert_eq!(replayed.data["Verdict"], "wrong_amount", "{replayed:?}");
    assert_eq!(shop.balance(&customer).await, "0.00");
    let client = clients::new().post(format!("{}/gateway/callback/sandbox", shop.url)).body("{}");
    client.header("Sandbox-Signature", "00").send().await.expect("a response");
    let forged = last_callback(&shop, &operator).await;
    assert_eq!((&forged["Verdict"], &forged["CanReplay"]), (&json!("bad_signature"), &json!(false)));
    let refused = replay(&shop, &operator, &forged).await;
    assert_eq!((refused.code, &refused.data["Key"]), (3333, &json!("callbackNotReplayable")));
    let unknown = replay(&shop, &operator, &json!({"CallbackId": 999_999})).await;
    assert_eq!(unknown.code, 3004);
    assert_eq!(replay(&shop, &customer, &forged).await.code, 3003);
}
