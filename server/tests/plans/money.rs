//! Refunds, bank transfers and automatic top-ups.
use crate::shop::{Customer, Shop};
use diesel::connection::SimpleConnection;
use diesel::dsl::max;
use postern_server::db::prelude::*;
use postern_server::schema::source_refunds;
use serde_json::{Value, json};

/// Shows an order to its owner and an operator, and refunds it in both ways; makes its owner a reseller temporarily.
pub async fn refund(
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    operator: &Customer,
    owner: &Customer,
    order_number: &Value,
) {
    let number = json!({"OrderNumber": order_number});
    let found = call(operator, "Operator/GetOrder", number.clone()).await;
    let invoice = json!({"InvoiceNumber": found["Order"]["Invoices"][0]["InvoiceNumber"]});
    call(owner, "Billing/GetInvoice", invoice).await;
    call(operator, "Operator/PreviewRefund", number).await;
    let some = json!({"OrderNumber": order_number, "Amount": "1.00", "Reason": "r"});
    call(operator, "Operator/RefundOrder", some).await;
    call(operator, "Operator/RefundOrder", json!({"OrderNumber": order_number, "Reason": "r"})).await;
    call(operator, "Operator/GetAlarmList", json!({})).await;
    let account = json!({"AccountId": owner.account_id, "Level": 1, "Discount": "15"});
    call(operator, "Operator/SetAccountTerms", account.clone()).await;
    let account = json!({"AccountId": owner.account_id, "Level": 0, "Discount": ""});
    call(operator, "Operator/SetAccountTerms", account.clone()).await;
    call(operator, "Operator/GetAccount", account).await;
}

/// Refunds a part of an order to where the money came from.
pub async fn back(
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    operator: &Customer,
    order_number: &Value,
    amount: &str,
) {
    let back = json!({"OrderNumber": order_number, "Amount": amount, "ToSource": true, "Reason": "r"});
    call(operator, "Operator/PreviewRefund", back.clone()).await;
    call(operator, "Operator/RefundOrder", back).await;
}

/// The first refund is to be claimed.
pub fn made_to_claim(shop: &Shop) {
    let claim = "UPDATE source_refunds SET claim_url = 'https://pay.example.com/1' WHERE return_id = 1";
    shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(claim)?)).expect("a refund");
}

pub async fn transfer(
    shop: &Shop,
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    operator: &Customer,
    owner: &Customer,
) {
    let top_up = json!({"Amount": "50", "PaymentMethod": "transfer"});
    let started = call(owner, "Wallet/CreateTopUp", top_up).await;
    let settle = json!({"PaymentId": started["Payment"]["PaymentId"], "Amount": "50.00"});
    call(operator, "Order/SettlePayment", settle).await;
    let by_order = json!({"PaymentId": started["Order"]["OrderNumber"], "Amount": "50.00"});
    call(operator, "Order/SettlePayment", by_order).await;
    back(call, operator, &started["Order"]["OrderNumber"], "10.00").await;
    let newest = source_refunds::table.select(max(source_refunds::return_id));
    let return_id: Option<i64> = shop.app.db.read_blocking(|conn| Ok(newest.first(conn)?)).expect("a refund by hand");
    let settle = json!({"ReturnId": return_id, "HasArrived": false, "Reference": "", "Note": ""});
    call(operator, "Operator/SettleRefund", settle).await;
    let started = call(owner, "Wallet/CreateTopUp", json!({"Amount": "50", "PaymentMethod": "transfer"})).await;
    let short = json!({"PaymentId": started["Payment"]["PaymentId"], "Amount": "49.98", "AcceptDifference": true});
    call(operator, "Order/SettlePayment", short).await;
}

/// A card that is saved, charged, declined, replaced and deleted.
pub async fn automatic(shop: &Shop, call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value, owner: &Customer) {
    let settings = json!({"IsOn": true, "Threshold": "10", "Amount": "20", "MonthlyLimit": "40"});
    for card in ["action=good", "action=declining"] {
        let begun = call(owner, "Wallet/RememberCard", json!({"PaymentMethod": "sandbox"})).await;
        let url = begun["CardUrl"].as_str().unwrap_or_default();
        assert_eq!(shop.post_form(url, card).await.status(), 303);
        call(owner, "Wallet/GetCardRequest", json!({"CardRequestId": begun["CardRequestId"]})).await;
        for _ in 0..6 {
            call(owner, "Wallet/SetAutoTopUp", settings.clone()).await;
            shop.run_jobs().await;
        }
    }
    call(owner, "Wallet/GetAutoTopUp", json!({})).await;
    call(owner, "Wallet/ForgetCard", json!({})).await;
    call(owner, "Wallet/SetAutoTopUp", json!({"IsOn": false})).await;
    shop.run_jobs().await;
}
