//! Accounts: API keys, sign-up and sign-in, two-factor authentication, closing.
use crate::lists::lists;
use crate::recording::Made;
use crate::shop::{Customer, PASSWORD, Shop};
use chrono::TimeDelta;
use serde_json::{Value, json};

/// API keys, the access token, and operators' changes to an account.
pub async fn api_keys(
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    owner: &Customer,
    operator: &Customer,
) {
    let mut form = json!({"Name": "mine", "Scopes": ["account:read", "account:write"]});
    let added = call(owner, "ApiKeys/AddApiKey", form.clone()).await;
    let key = Customer { token: added["Secret"].as_str().expect("a secret").to_owned(), ..owner.clone() };
    call(&key, "ApiKeys/GetApiKeyList", json!({})).await;
    form["ApiKeyId"] = added["ApiKey"]["ApiKeyId"].clone();
    call(owner, "ApiKeys/EditApiKey", form.clone()).await;
    call(owner, "ApiKeys/RevokeApiKey", form).await;
    let flags = json!({"AccountId": owner.account_id, "ShowInvitationCode": false, "ShowAccessToken": true});
    call(operator, "Operator/SetAccountFlags", flags).await;
    call(owner, "User/RotateAccessToken", json!({})).await;
    call(owner, "User/GetCenter", json!({})).await;
    call(owner, "User/RevealAccessToken", json!({})).await;
    call(owner, "User/RevokeAccessToken", json!({})).await;
    call(owner, "User/UpdatePreferences", json!({"Language": "zh", "TimeZone": "Asia/Shanghai"})).await;
    for state in ["suspended", "active"] {
        let state = json!({"AccountId": owner.account_id, "State": state, "Reason": "r"});
        call(operator, "Operator/SetAccountState", state).await;
    }
    call(operator, "Operator/GetAccount", json!({ "AccountId": owner.account_id })).await;
}

/// What operators do about a customer.
pub async fn customers(
    shop: &Shop,
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    customer: &Customer,
    operator: &Customer,
) {
    let about = json!({ "AccountId": customer.account_id });
    let with = |fields: Value| {
        let mut body = about.clone();
        body.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        body
    };
    for adjustment in ["received", "goodwill", "returned", "correction"] {
        let adjusted = json!({"Adjustment": adjustment, "Amount": "1", "Reason": "r"});
        call(operator, "Operator/AdjustWallet", with(adjusted)).await;
    }
    call(operator, "Operator/GetTransactionList", with(json!({"Filter": {"Kind": "credit"}}))).await;
    call(customer, "Wallet/GetTransactionList", json!({})).await;
    call(operator, "Operator/SaveAccountNote", with(json!({"Note": "n"}))).await;
    let begun = call(customer, "User/BeginTwoFactor", json!({"Password": PASSWORD})).await;
    let code = shop.code_of(begun["Secret"].as_str().expect("a secret"), 0);
    call(customer, "User/TurnOnTwoFactor", json!({ "Code": code })).await;
    let view = call(operator, "Operator/ViewAsCustomer", about.clone()).await;
    let viewer = Customer { token: view["Token"].as_str().expect("a token").to_owned(), ..customer.clone() };
    call(&viewer, "User/GetUserInfo", json!({})).await;
    call(&viewer, "User/Logout", json!({})).await;
    call(operator, "Operator/TurnOffTwoFactor", with(json!({"Reason": "r"}))).await;
}

pub async fn sign_up_and_out(shop: &Shop, made: &mut Made) {
    let email = "new@example.com";
    let mut call = async |call: &str, body: Value, token: &str| {
        let answer = made.note(shop, call, shop.send(call, body, &[("Token", token)])).await;
        assert_eq!(answer.code, 1000, "{call}: {answer:?}");
        answer.data
    };
    let code = shop.invite_code_of(&shop.customer(0));
    call(
        "User/SignUp",
        json!({"Email": email, "Password": PASSWORD, "InviteCode": code, "AcceptedTexts": [1, 2, 3]}),
        "",
    )
    .await;
    shop.run_jobs().await;
    let token = shop.mailed_token(email, "verify");
    call("User/VerifyEmail", json!({"VerifyToken": token, "Password": PASSWORD}), "").await;
    call("User/RequestPasswordReset", json!({"Email": email}), "").await;
    shop.run_jobs().await;
    let token = shop.mailed_token(email, "reset");
    call("User/ResetPassword", json!({"ResetToken": token, "Password": PASSWORD}), "").await;
    let new = "another fine password";
    let session = call("User/Login", json!({"Email": email, "Password": PASSWORD}), "").await;
    let token = session["Token"].as_str().unwrap_or_default();
    let change = json!({"CurrentPassword": PASSWORD, "NewPassword": new, "DeviceId": session["DeviceId"]});
    call("User/ChangePassword", change, token).await;
    let begun = call("User/BeginTwoFactor", json!({"Password": new}), token).await;
    let secret = begun["Secret"].as_str().expect("a secret");
    let codes =
        call("User/TurnOnTwoFactor", json!({"Code": shop.code_of(secret, 0)}), token).await["RecoveryCodes"].clone();
    shop.app.clock.advance(TimeDelta::seconds(90));
    call("User/ConfirmTwoFactor", json!({"Code": codes[0]}), token).await;
    call("User/GetTwoFactor", json!({}), token).await;
    let replaced = call("User/ReplaceRecoveryCodes", json!({"Code": codes[1]}), token).await["RecoveryCodes"].clone();
    for code in [json!(shop.code_of(secret, 0)), replaced[0].clone()] {
        call("User/Login", json!({"Email": email, "Password": new, "Code": code, "DeviceId": "x".repeat(43)}), "")
            .await;
    }
    let found = shop.send("User/Login", json!({"Email": email, "Password": "not the password"}), &[]).await;
    assert_eq!(found.code, 3333);
    shop.run_jobs().await;
    let sessions = call("User/GetSessionList", json!({}), token).await["Sessions"].clone();
    call("User/RevokeSession", json!({"SessionId": sessions[1]["SessionId"]}), token).await;
    call("User/RevokeOtherSessions", json!({}), token).await;
    for (name, body) in lists("User/GetSecurityLog", &[("Kind", json!("signed_in"))], &["At"]) {
        call(name, body, token).await;
    }
    call("User/TurnOffTwoFactor", json!({"Password": new, "Code": replaced[1]}), token).await;
    let (other, request) = ("other@example.com", "User/RequestEmailChange");
    call(request, json!({"Email": "nobody@example.com", "Password": new}), token).await;
    call(request, json!({"Email": other, "Password": new}), token).await;
    shop.run_jobs().await;
    let (confirm, stop) = (shop.mailed_token(other, "confirm"), shop.mailed_token(email, "stop"));
    call("User/ConfirmEmailChange", json!({"Token": confirm}), "").await;
    call("User/StopEmailChange", json!({"Token": stop}), "").await;
    shop.run_jobs().await;
    let reset = json!({"ResetToken": shop.mailed_token(email, "reset"), "Password": PASSWORD});
    let session = call("User/ResetPassword", reset, "").await;
    let token = session["Token"].as_str().unwrap_or_default();
    let owner = Customer { email: email.to_owned(), account_id: 0, token: token.to_owned() };
    made.calls.insert("User/ExportData".to_owned());
    assert!(shop.download(&owner, "User/ExportData", json!({})).await.contains(email));
    let mut call = async |call: &str, body: Value, token: &str| {
        made.note(shop, call, shop.send(call, body, &[("Token", token)])).await.data
    };
    call("User/Logout", json!({}), token).await;
    let session = call("User/Login", json!({"Email": email, "Password": PASSWORD}), "").await;
    let closing = json!({"Password": PASSWORD, "GiveUpBalance": true});
    let closed = call("User/CloseAccount", closing, session["Token"].as_str().unwrap_or_default()).await;
    assert_eq!(closed, json!({"Closed": true}));
    for read in ["SystemSettings/GetClientIp", "SystemSettings/GetPublicConfig"] {
        made.calls.insert(read.to_owned());
        assert!(reqwest::get(format!("{}/api/{read}", shop.url)).await.expect("an answer").status().is_success());
    }
}
