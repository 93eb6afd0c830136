//! Refunds to where the money came from: sent to the gateway once, seen to arrive or to fail, and never more than is there.
use crate::btcpay;
use crate::pdf_text::PdfText;
use crate::shop::{Customer, Shop, order_for};
use chrono::TimeDelta;
use postern_core::event::EventKind;
use serde_json::{Value, json};

async fn press(shop: &Shop, payment_id: &str, button: &'static str) {
    assert_eq!(shop.post_form(&format!("/sandbox/pay/{payment_id}"), button).await.status(), 303, "{button}");
}

/// The order of a payment that has begun, and its id.
fn begun(started: &Value) -> (String, String) {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let order = if started["Order"].is_null() { started } else { &started["Order"] };
    (text(&order["OrderNumber"]), text(&started["Payment"]["PaymentId"]))
}

/// A customer who bought nodes for 10.00 and paid at the sandbox; their order's number and the payment's id.
async fn bought(shop: &Shop) -> (Customer, String, String) {
    shop.stock("US", "new-york", 2);
    let customer = shop.customer(0);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 2)], "10.00")).await.data;
    let pay = json!({"OrderId": order["OrderId"], "PaymentMethod": "sandbox"});
    let started = shop.call(&customer, "Order/PayOrder", pay).await.data;
    let payment_id = started["Payment"]["PaymentId"].as_str().expect("an id").to_owned();
    press(shop, &payment_id, "action=approve").await;
    (customer, order["OrderNumber"].as_str().expect("a number").to_owned(), payment_id)
}

/// A customer who topped up at the sandbox; the order's number and the payment's id.
async fn topped_up(shop: &Shop, amount: &str) -> (Customer, String, String) {
    let customer = shop.customer(0);
    let body = json!({"Amount": amount, "PaymentMethod": "sandbox"});
    let (number, payment_id) = begun(&shop.call(&customer, "Wallet/CreateTopUp", body).await.data);
    press(shop, &payment_id, "action=approve").await;
    (customer, number, payment_id)
}

pub fn to_source(number: &str, amount: &str) -> Value {
    json!({"OrderNumber": number, "Amount": amount, "ToSource": true, "Reason": "It was slow"})
}

pub async fn refunds(shop: &Shop, number: &str, amount: &str) -> Value {
    let done = shop.call(&shop.operator(), "Operator/RefundOrder", to_source(number, amount)).await;
    assert_eq!(done.code, 1000, "{done:?}");
    done.data
}

/// The refunds of the order, as its customer sees them.
pub async fn seen(shop: &Shop, customer: &Customer) -> Vec<Value> {
    let orders = shop.call(customer, "Order/GetOrderList", json!({})).await.data;
    let rows = orders["Rows"].as_array().expect("rows").iter();
    rows.flat_map(|row| row["Refunds"].as_array().expect("refunds").clone()).collect()
}

pub async fn progress(shop: &Shop, customer: &Customer) -> Vec<String> {
    let text = |refund: &Value| refund["Source"]["Progress"].as_str().unwrap_or("wallet").to_owned();
    seen(shop, customer).await.iter().map(text).collect()
}

pub async fn listed(shop: &Shop) -> Vec<Value> {
    let rows = shop.call(&shop.operator(), "Operator/GetPaymentReturnList", json!({})).await.data["Rows"].clone();
    rows.as_array().expect("rows").clone()
}

pub async fn cases(shop: &Shop) -> Vec<String> {
    btcpay::cases_of(shop, "Kind", "Credited").await.into_iter().map(|case| case.0).collect()
}

/// The next attempts, after a while.
pub async fn later(shop: &Shop, seconds: i64) {
    shop.app.clock.advance(TimeDelta::seconds(seconds));
    shop.run_jobs().await;
}

#[actix_web::test]
async fn a_part_of_an_order_goes_back_and_arrives() {
    let shop = Shop::open();
    let (customer, number, payment_id) = bought(&shop).await;
    let operator = shop.operator();
    let preview = shop.call(&operator, "Operator/PreviewRefund", to_source(&number, "4.00")).await.data;
    let source = json!({
        "Gateway": "sandbox", "IsByHand": false, "MustBeClaimed": false, "Left": "10.00", "Charged": "4.00", "ChargedCurrency": "USD",
    });
    assert_eq!(preview["Source"], source);
    let mut done = Vec::new();
    for _ in 0..2 {
        done.push(shop.call_once(&operator, "once", "Operator/RefundOrder", to_source(&number, "4.00")).await.data);
    }
    assert_eq!(done[0], done[1]);
    let credit_note = done[0]["CreditNote"].as_str().expect("a credit note").to_owned();
    assert_eq!(
        (shop.balance(&customer).await, progress(&shop, &customer).await),
        ("0.00".into(), vec!["requested".into()])
    );
    shop.run_jobs().await;
    assert_eq!(progress(&shop, &customer).await, ["on_its_way"]);
    let transactions = shop.call(&customer, "Wallet/GetTransactionList", json!({})).await.data["Rows"].clone();
    let shown =
        |row: &Value| format!("{} {}", row["Kind"].as_str().unwrap_or(""), row["Amount"].as_str().unwrap_or(""));
    assert_eq!((shown(&transactions[0]), shown(&transactions[1])), ("sent_back -4.00".into(), "refund 4.00".into()));
    let event = shop.events_of(&customer, EventKind::OrderRefunded).remove(0);
    assert_eq!((&event["RefundedTo"], &event["CreditNote"]), (&json!("sandbox"), &json!(credit_note)));
    let mail = shop.last_mail_to(&customer.email).expect("a mail");
    assert!(mail.contains("to where you paid from") && mail.contains(&credit_note), "{mail}");
    let file = shop.download_bytes(&customer, "Billing/GetInvoicePdf", json!({"InvoiceNumber": credit_note})).await;
    let text = PdfText::read(&file);
    assert!(text.has("Sandbox") && text.has("RF"), "the credit note says where the money went");
    // A report of the gateway's about it does not take it twice.
    press(&shop, &payment_id, "action=arrive").await;
    later(&shop, 60).await;
    let customer = shop.signs_in(&customer);
    assert_eq!(
        (shop.balance(&customer).await, progress(&shop, &customer).await),
        ("0.00".into(), vec!["arrived".into()])
    );
    let row = listed(&shop).await.remove(0);
    assert_eq!(
        (&row["Kind"], &row["State"], &row["Progress"], &row["Taken"]),
        (&json!("by_shop"), &json!("final"), &json!("arrived"), &json!("4.00"),)
    );
    assert_eq!((row["Trouble"].as_str(), row["Reason"].as_str()), (Some(""), Some("It was slow")));
    assert_eq!(cases(&shop).await, Vec::<String>::new());
    // The rest, and no more.
    let refused = shop.call(&shop.operator(), "Operator/RefundOrder", to_source(&number, "6.01")).await;
    assert_eq!(refused.data["Fields"]["Amount"][0], json!({"Rule": "amountMax", "Params": {"Max": "6.00"}}));
    refunds(&shop, &number, "6.00").await;
    assert_eq!(shop.nodes_of(&customer).await.len(), 0);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_refund_that_fails_is_in_the_wallet() {
    let shop = Shop::open();
    let (customer, number, payment_id) = bought(&shop).await;
    refunds(&shop, &number, "10.00").await;
    shop.run_jobs().await;
    press(&shop, &payment_id, "action=fail").await;
    later(&shop, 60).await;
    let customer = shop.signs_in(&customer);
    assert_eq!(
        (shop.balance(&customer).await, progress(&shop, &customer).await),
        ("10.00".into(), vec!["failed".into()])
    );
    assert_eq!(cases(&shop).await, ["refund_failed"]);
    assert!(shop.last_mail_about(&customer.email, "back in your wallet").is_some());
    assert_eq!(shop.events_of(&customer, EventKind::PaymentGivenBack)[0]["Amount"], "10.00");
    // What was taken back, bank or gateway may say again: nothing is moved twice.
    press(&shop, &payment_id, "action=fail").await;
    assert_eq!(shop.balance(&customer).await, "10.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_top_up_goes_back_in_parts_by_what_is_in_the_wallet() {
    let shop = Shop::open();
    let (customer, number, payment_id) = topped_up(&shop, "25").await;
    shop.stock("US", "new-york", 1);
    shop.buys(&customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    let operator = shop.operator();
    let ask = |amount: Option<&str>, to_source: bool| json!({"OrderNumber": number, "Amount": amount, "ToSource": to_source, "Reason": "They leave"});
    let preview = shop.call(&operator, "Operator/PreviewRefund", ask(None, true)).await.data;
    assert_eq!((&preview["Amount"], &preview["Source"]["Left"]), (&json!("20.00"), &json!("20.00")), "{preview}");
    for (amount, is_to_source, field, rule) in [
        (Some("20.01"), true, "Amount", "amountMax"),
        (Some("0"), true, "Amount", "amountMin"),
        (Some("1"), false, "ToSource", "nothingToRefund"),
    ] {
        let refused = shop.call(&operator, "Operator/RefundOrder", ask(amount, is_to_source)).await;
        assert_eq!(refused.data["Fields"][field][0]["Rule"], rule, "{refused:?}");
    }
    let done = shop.call(&operator, "Operator/RefundOrder", ask(Some("7.50"), true)).await.data;
    assert_eq!((&done["CreditNote"], &done["LeftAfter"]), (&Value::Null, &json!("12.50")), "{done}");
    shop.run_jobs().await;
    press(&shop, &payment_id, "action=arrive").await;
    assert!(shop.last_mail_about(&customer.email, "refunded").expect("a mail").contains("your top-up"));
    let done = shop.call(&operator, "Operator/RefundOrder", ask(None, true)).await.data;
    assert_eq!((&done["Amount"], &done["Refunded"]), (&json!("12.50"), &json!("7.50")));
    later(&shop, 10).await;
    assert_eq!(progress(&shop, &customer).await, ["arrived", "on_its_way"]);
    let preview = shop.call(&operator, "Operator/PreviewRefund", ask(None, true)).await.data;
    assert_eq!((&preview["Source"], &preview["Amount"]), (&Value::Null, &json!("0.00")));
    // It fails, and can be tried again.
    press(&shop, &payment_id, "action=fail").await;
    assert_eq!(shop.balance(&customer).await, "12.50");
    let preview = shop.call(&operator, "Operator/PreviewRefund", ask(None, true)).await.data;
    assert_eq!(preview["Source"]["Left"], "12.50");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn what_is_disputed_owed_or_paid_from_the_wallet_does_not_go_back() {
    let shop = Shop::open();
    let (customer, number, payment_id) = topped_up(&shop, "25").await;
    shop.stock("US", "new-york", 2);
    let order_id = shop.buys(&customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    let operator = shop.operator();
    let order = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order_id})).await.data;
    let bought = order["OrderNumber"].as_str().expect("a number");
    let preview = shop.call(&operator, "Operator/PreviewRefund", json!({"OrderNumber": bought})).await.data;
    assert_eq!(preview["Source"], Value::Null);
    press(&shop, &payment_id, "action=dispute").await;
    for number in [bought, number.as_str()] {
        let refused = shop.call(&operator, "Operator/RefundOrder", to_source(number, "1.00")).await;
        assert_eq!(refused.data["Fields"]["ToSource"][0]["Rule"], "nothingToRefund", "{refused:?}");
    }
    press(&shop, &payment_id, "action=win").await;
    refunds(&shop, &number, "20.00").await;
    // Support may refund to there what it may refund at all.
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn two_refunds_at_once_do_not_exceed_the_wallet() {
    let shop = Shop::open();
    let (customer, number, _) = topped_up(&shop, "25").await;
    let operator = shop.operator();
    let asked: Vec<_> =
        (0..4).map(|_| shop.call(&operator, "Operator/RefundOrder", to_source(&number, "10.00"))).collect();
    let codes: Vec<u64> = futures_util::future::join_all(asked).await.iter().map(|answer| answer.code).collect();
    assert_eq!(codes.iter().filter(|code| **code == 1000).count(), 2, "{codes:?}");
    assert_eq!(shop.balance(&customer).await, "5.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_transfer_is_refunded_by_hand() {
    let shop = Shop::open_with(&[("POSTERN_TRANSFER_DETAILS", "Example Bank")]);
    let (customer, operator) = (shop.customer(0), shop.operator());
    let body = json!({"Amount": "50", "PaymentMethod": "transfer"});
    let (number, payment_id) = begun(&shop.call(&customer, "Wallet/CreateTopUp", body).await.data);
    let settle = json!({"PaymentId": payment_id, "Amount": "50.00"});
    assert_eq!(shop.call(&operator, "Order/SettlePayment", settle).await.code, 1000);
    let done = refunds(&shop, &number, "20.00").await;
    assert_eq!(
        (&done["Source"]["IsByHand"], progress(&shop, &customer).await),
        (&json!(true), vec!["by_hand".to_owned()])
    );
    assert_eq!(
        (cases(&shop).await, shop.balance(&customer).await),
        (vec!["refund_by_hand".to_owned()], "30.00".to_owned())
    );
    let row = listed(&shop).await.remove(0);
    let ask = |has_arrived: bool, reference: &str| json!({"ReturnId": row["ReturnId"], "HasArrived": has_arrived, "Reference": reference, "Note": "By our bank"});
    let long = shop.call(&operator, "Operator/SettleRefund", ask(true, &"7".repeat(101))).await;
    assert_eq!(long.data["Fields"]["Reference"][0]["Rule"], "maxLength");
    let unknown = json!({"ReturnId": 999, "HasArrived": true, "Reference": "", "Note": ""});
    assert_eq!(shop.call(&operator, "Operator/SettleRefund", unknown).await.code, 3004);
    assert_eq!(shop.call(&customer, "Operator/SettleRefund", ask(true, "")).await.code, 3003);
    // At once, and in contradiction: the first counts.
    let both = futures_util::future::join_all([
        shop.call(&operator, "Operator/SettleRefund", ask(true, "SEPA 7F3K20")),
        shop.call(&operator, "Operator/SettleRefund", ask(false, "")),
    ]);
    let mut codes: Vec<u64> = both.await.iter().map(|answer| answer.code).collect();
    codes.sort_unstable();
    assert_eq!(codes, [1000, 4005]);
    assert_eq!(cases(&shop).await, Vec::<String>::new(), "closed by its outcome");
    // The next one is another, also of the same amount.
    refunds(&shop, &number, "20.00").await;
    assert_eq!(cases(&shop).await, ["refund_by_hand"]);
    let log = shop.call(&operator, "Operator/GetAuditLog", json!({})).await.data["Rows"][1].clone();
    assert_eq!((&log["Action"], &log["Reason"]), (&json!("refund_settled"), &json!("By our bank")));
    shop.ledger_adds_up();
}
