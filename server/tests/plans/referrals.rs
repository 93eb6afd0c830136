//! Referrals and their commissions.
use crate::lists::lists;
use crate::recording::Made;
use crate::shop::{Customer, Shop, order_for};
use serde_json::{Value, json};

/// An account that refers a friend and, apparently, itself. Returns the referrer and the friend's order.
pub async fn referrals(
    shop: &Shop,
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    operator: &Customer,
) -> (Customer, Value) {
    let referrer = shop.customer_invited_by("", "203.0.113.1", 0);
    let code = call(&referrer, "User/GetCenter", json!({})).await["InvitationCode"].clone();
    let code = code.as_str().unwrap_or_default().to_owned();
    let [friend, twin] = ["203.0.113.2", "203.0.113.1"].map(|address| shop.customer_invited_by(&code, address, 10_000));
    let order_id = shop.buys(&friend, order_for(&[("US", "new-york", 2)], "10.00")).await;
    shop.buys(&twin, order_for(&[("US", "new-york", 1)], "5.00")).await;
    let order = call(&friend, "Order/GetOrder", json!({ "OrderId": order_id })).await;
    call(&referrer, "Referrals/GetReferrals", json!({})).await;
    for (name, body) in lists("Referrals/GetReferredList", &[], &["SignedUpAt"]).into_iter().chain(lists(
        "Referrals/GetCommissionList",
        &[("State", json!("pending"))],
        &["EarnedAt"],
    )) {
        call(&referrer, name, body).await;
    }
    for (name, body) in lists("Operator/GetReferralReviewList", &[], &["SignedUpAt"]) {
        call(operator, name, body).await;
    }
    let review = json!({"AccountId": twin.account_id, "Decision": "refuse", "Note": ""});
    call(operator, "Operator/ReviewReferral", review).await;
    call(operator, "Operator/AddReferralRule", json!({"RatePercent": "12"})).await;
    call(operator, "Operator/GetReferralRuleList", json!({})).await;
    (referrer, order["OrderNumber"].clone())
}

/// Moves available commissions, and refunds the order that earned them.
pub async fn moved(shop: &Shop, made: &mut Made, referrer: &Customer, order_number: &Value) {
    let (call, referrer) = ("Referrals/MoveToWallet", shop.signs_in(referrer));
    let moved = made.note(shop, call, shop.call(&referrer, call, json!({}))).await;
    assert_eq!(moved.code, 1000, "{moved:?}");
    let refund = json!({"OrderNumber": order_number, "Amount": "10.00", "Reason": "r"});
    assert_eq!(shop.call(&shop.operator(), "Operator/RefundOrder", refund).await.code, 1000);
}
