//! Accounts that an operator suspends and resumes.
use crate::shop::{PASSWORD, Shop};
use serde_json::json;

#[actix_web::test]
async fn only_operators_suspend_and_must_give_a_reason() {
    let shop = Shop::open();
    let (ann, operator, other) = (shop.customer(0), shop.operator(), shop.operator());
    let state =
        |account_id: i64, state: &str, reason: &str| json!({"AccountId": account_id, "State": state, "Reason": reason});
    let suspend = |account_id| state(account_id, "suspended", "chargebacks");
    assert_eq!(shop.call(&ann, "Operator/SetAccountState", suspend(operator.account_id)).await.code, 3003);
    let unexplained = shop.call(&operator, "Operator/SetAccountState", state(ann.account_id, "suspended", " ")).await;
    assert_eq!(unexplained.data["Fields"]["Reason"][0]["Rule"], "required");
    assert_eq!(shop.call(&operator, "Operator/SetAccountState", suspend(1_000_000)).await.code, 3004);
    let answer = shop.call(&operator, "Operator/SetAccountState", suspend(other.account_id)).await;
    assert_eq!(answer.code, 3003, "operators are suspended on the server alone");
    let unknown = shop.call(&operator, "Operator/SetAccountState", state(ann.account_id, "closed", "")).await;
    assert_eq!(unknown.code, 2001);
}

#[actix_web::test]
async fn a_suspended_account_sees_its_billing_and_nothing_else_until_it_is_resumed() {
    let shop = Shop::open();
    let (ann, operator) = (shop.customer(1_000), shop.operator());
    let suspend = json!({"AccountId": ann.account_id, "State": "suspended", "Reason": "chargebacks"});
    let answer = shop.call_once(&operator, "k1", "Operator/SetAccountState", suspend.clone()).await;
    assert_eq!((answer.code, &answer.data["Account"]["State"]), (1000, &json!("suspended")));
    let again = shop.call(&operator, "Operator/SetAccountState", suspend).await;
    let history = again.data["History"].as_array().expect("a history");
    assert_eq!(history.len(), 1, "what stays as it is is no change: {history:?}");
    assert_eq!((&history[0]["Reason"], &history[0]["Operator"]), (&json!("chargebacks"), &json!(operator.email)));
    for (call, code) in [
        ("User/GetWallet", 1000),
        ("Order/GetOrderList", 1000),
        ("Billing/GetInvoiceList", 1000),
        ("Ips/GetUserNodeList", 3003),
        ("Order/CreateOrder", 3003),
        ("ApiKeys/AddApiKey", 3003),
        ("User/UpdatePreferences", 3003),
    ] {
        assert_eq!(shop.call(&ann, call, json!({})).await.code, code, "{call}");
    }
    let login = json!({"Email": ann.email, "Password": PASSWORD});
    let signed_in = shop.send("User/Login", login, &[]).await;
    assert_eq!((signed_in.code, &signed_in.data["User"]["State"]), (1000, &json!("suspended")));
    let resume = json!({"AccountId": ann.account_id, "State": "active"});
    let resumed = shop.call(&operator, "Operator/SetAccountState", resume).await;
    assert_eq!(resumed.data["History"][0]["Action"], "account_resumed");
    assert_eq!(shop.call(&ann, "Ips/GetUserNodeList", json!({})).await.code, 1000);
}
