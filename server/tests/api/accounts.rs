//! Signing up, in and out.
use crate::shop::{PASSWORD, Shop, clients};
use chrono::TimeDelta;
use postern_core::account::{AccountState, PASSWORDS_PER_SIGN_UP};
use serde_json::json;

#[actix_web::test]
async fn a_call_without_a_known_token_is_answered_401_in_the_language_asked_for() {
    let shop = Shop::open();
    for headers in [vec![], vec![("Token", "")], vec![("Token", "unknown"), ("Accept-Language", "zh-CN")]] {
        let answer = shop.send("User/GetWallet", json!({}), &headers).await;
        assert_eq!((answer.status, answer.code), (401, 3001));
    }
    let answer = shop.send("User/GetWallet", json!({}), &[("Accept-Language", "zh-CN")]).await;
    assert_eq!(answer.message, "登录已失效，请重新登录");
}

#[actix_web::test]
async fn an_ended_session_gets_200_with_code_3001() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    assert_eq!(shop.call(&customer, "User/Logout", json!({})).await.code, 1000);
    let answer = shop.call(&customer, "User/GetWallet", json!({})).await;
    assert_eq!((answer.status, answer.code), (200, 3001));

    let customer = shop.customer(0);
    shop.app.clock.advance(TimeDelta::days(31));
    let answer = shop.call(&customer, "User/GetWallet", json!({})).await;
    assert_eq!((answer.status, answer.code), (200, 3001));
}

#[actix_web::test]
async fn invalid_fields_are_named_with_their_rules() {
    let shop = Shop::open();
    let answer = shop.send("User/SignUp", json!({"Email": "nobody", "Password": "short"}), &[]).await;
    assert_eq!(answer.code, 2001);
    assert_eq!(answer.data["Fields"]["Email"][0]["Rule"], "email");
    assert_eq!(answer.data["Fields"]["Password"][0], json!({"Rule": "minLength", "Params": {"Min": "10"}}));
    let answer = shop.send("User/Login", json!({"Email": 7}), &[]).await;
    assert_eq!((answer.code, &answer.data["Fields"]["Email"][0]["Rule"]), (2001, &json!("wrongValue")));
}

#[actix_web::test]
async fn opening_the_link_of_a_sign_up_creates_the_account_once() {
    let shop = Shop::open();
    let form = json!({"Email": "Ann@Example.com", "Password": PASSWORD, "Language": "zh", "TimeZone": "Asia/Shanghai"});
    assert_eq!(shop.send("User/SignUp", form, &[]).await.data, json!({"Sent": true}));
    let login = json!({"Email": "ann@example.com", "Password": PASSWORD});
    assert_eq!(shop.send("User/Login", login.clone(), &[]).await.code, 3333, "not before the link is opened");

    shop.run_jobs().await;
    assert!(shop.last_mail_to("ann@example.com").expect("a mail").contains("Subject: 请确认您的 Postern 邮箱"));
    let token = shop.mailed_token("ann@example.com", "verify");
    let answer = shop.send("User/VerifyEmail", json!({"VerifyToken": token, "Password": PASSWORD}), &[]).await;
    assert_eq!((answer.code, &answer.data["User"]["Email"]), (1000, &json!("ann@example.com")));
    assert_eq!(answer.data["User"]["Language"], "zh");
    assert_eq!(
        shop.send("User/VerifyEmail", json!({"VerifyToken": token, "Password": PASSWORD}), &[]).await.code,
        3333,
        "a link works once"
    );
    assert_eq!(shop.send("User/Login", login, &[]).await.code, 1000);
}

/// Signs up and returns the token of the mailed link.
async fn sign_up(shop: &Shop, email: &str, password: &str, invite_code: &str) -> String {
    let form = json!({"Email": email, "Password": password, "InviteCode": invite_code});
    assert_eq!(shop.send("User/SignUp", form, &[]).await.code, 1000);
    shop.run_jobs().await;
    shop.mailed_token(email, "verify")
}

/// Opens the link of a sign-up with a password; returns the code and the key of a refusal.
async fn verify(shop: &Shop, token: &str, password: &str) -> (u64, String) {
    let answer = shop.send("User/VerifyEmail", json!({"VerifyToken": token, "Password": password}), &[]).await;
    (answer.code, answer.data["Key"].as_str().unwrap_or_default().to_owned())
}

#[actix_web::test]
async fn an_unknown_invitation_code_is_an_error_of_its_field() {
    let shop = Shop::open();
    let friend = shop.customer(0);
    let own = |code: &str| json!({"Email": "ann@example.com", "Password": PASSWORD, "InviteCode": code});
    let refused = shop.send("User/SignUp", own("NOBODY42"), &[]).await;
    assert_eq!((refused.code, &refused.data["Fields"]["InviteCode"][0]["Rule"]), (2001, &json!("unknownInviteCode")));
    let code = shop.invite_code_of(&friend).to_lowercase();
    assert_eq!(shop.send("User/SignUp", own(&code), &[]).await.code, 1000, "in any case");
    assert_eq!(shop.send("User/SignUp", own(""), &[]).await.code, 1000, "and without one, again");
}

#[actix_web::test]
async fn of_two_sign_ups_with_one_address_only_the_newest_link_works_and_only_with_its_password() {
    use postern_server::db::prelude::*;
    use postern_server::schema::{accounts, users};
    let shop = Shop::open();
    let (stranger, friend) = (shop.customer(0), shop.customer(0));
    let code_of = |account_id: i64| -> String {
        let code = accounts::table.find(account_id).select(accounts::invite_code);
        shop.app.db.read_blocking(|conn| Ok(code.first(conn)?)).expect("a code")
    };
    let expired = (3333, "linkExpired".to_owned());
    let wrong = (3333, "signUpPasswordWrong".to_owned());
    let (email, theirs) = ("ann@example.com", "a stranger's password");
    let older = sign_up(&shop, email, theirs, &code_of(stranger.account_id)).await;
    let newer = sign_up(&shop, email, PASSWORD, &code_of(friend.account_id)).await;
    assert_eq!(verify(&shop, &older, theirs).await, expired, "the later sign-up ended it");
    assert_eq!(verify(&shop, &older, PASSWORD).await, expired);
    assert_eq!(verify(&shop, &newer, theirs).await, wrong);
    assert_eq!(verify(&shop, &newer, "").await.0, 2001);
    assert_eq!(verify(&shop, &newer, &"x".repeat(129)).await.0, 2001);
    assert_eq!(verify(&shop, &newer, PASSWORD).await, (1000, String::new()));
    assert_eq!(verify(&shop, &newer, PASSWORD).await, expired);
    let login = |password: &str| json!({"Email": email, "Password": password});
    assert_eq!(shop.send("User/Login", login(theirs), &[]).await.code, 3333);
    assert_eq!(shop.send("User/Login", login(PASSWORD), &[]).await.code, 1000);
    let invited_by: Option<i64> = shop
        .app
        .db
        .read_blocking(|conn| {
            let own = users::table.inner_join(accounts::table.on(accounts::id.eq(users::account_id)));
            Ok(own.filter(users::email.eq(email)).select(accounts::invited_by).first(conn)?)
        })
        .expect("an account");
    assert_eq!(invited_by, Some(friend.account_id), "the invitation code of the link that was used");

    // A stranger signs up after the owner of the address.
    let (email, first) = ("bob@example.com", sign_up(&shop, "bob@example.com", PASSWORD, "").await);
    let second = sign_up(&shop, email, theirs, "").await;
    assert_eq!(verify(&shop, &first, PASSWORD).await, expired);
    assert_eq!(verify(&shop, &second, PASSWORD).await, wrong);
    assert_eq!(shop.send("User/Login", json!({"Email": email, "Password": theirs}), &[]).await.code, 3333);
}

#[actix_web::test]
async fn guessing_the_password_of_a_sign_up_is_throttled_by_its_link() {
    let shop = Shop::open();
    let token = sign_up(&shop, "ann@example.com", PASSWORD, "").await;
    let other = sign_up(&shop, "bob@example.com", PASSWORD, "").await;
    for _ in 0..PASSWORDS_PER_SIGN_UP.hits {
        assert_eq!(verify(&shop, &token, "not the password").await.0, 3333);
    }
    assert_eq!(verify(&shop, &token, PASSWORD).await.0, 4290);
    assert_eq!(verify(&shop, &other, PASSWORD).await.0, 1000);
    shop.app.clock.advance(TimeDelta::minutes(PASSWORDS_PER_SIGN_UP.window_minutes + 1));
    assert_eq!(verify(&shop, &token, PASSWORD).await.0, 1000);
}

#[actix_web::test]
async fn responses_do_not_reveal_whether_an_address_has_an_account() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let sign_up = |email: &str| json!({"Email": email, "Password": PASSWORD});
    let taken = shop.send("User/SignUp", sign_up(&customer.email), &[]).await;
    let free = shop.send("User/SignUp", sign_up("free@example.com"), &[]).await;
    assert_eq!((taken.code, &taken.data, &taken.message), (free.code, &free.data, &free.message));

    let reset = |email: &str| json!({"Email": email});
    let known = shop.send("User/RequestPasswordReset", reset(&customer.email), &[]).await;
    let unknown = shop.send("User/RequestPasswordReset", reset("unknown@example.com"), &[]).await;
    assert_eq!((known.code, &known.data), (unknown.code, &unknown.data));

    let login = |email: &str| json!({"Email": email, "Password": "wrong password"});
    let known = shop.send("User/Login", login(&customer.email), &[]).await;
    let unknown = shop.send("User/Login", login("unknown@example.com"), &[]).await;
    assert_eq!((known.code, &known.data, &known.message), (unknown.code, &unknown.data, &unknown.message));
    shop.run_jobs().await;
    assert!(shop.last_mail_to("unknown@example.com").is_none());
}

#[actix_web::test]
async fn a_reset_ends_every_session_and_its_link_works_once() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    let token = shop.mailed_token(&customer.email, "reset");
    let reset = json!({"ResetToken": token, "Password": "another fine password"});
    assert_eq!(shop.send("User/ResetPassword", reset.clone(), &[]).await.code, 1000);
    assert_eq!(shop.send("User/ResetPassword", reset, &[]).await.code, 3333);
    assert_eq!(shop.call(&customer, "User/GetWallet", json!({})).await.code, 3001);
    let login = |password: &str| json!({"Email": customer.email, "Password": password});
    assert_eq!(shop.send("User/Login", login(PASSWORD), &[]).await.code, 3333);
    assert_eq!(shop.send("User/Login", login("another fine password"), &[]).await.code, 1000);
}

#[actix_web::test]
async fn a_reset_link_is_refused_after_its_hour() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    let token = shop.mailed_token(&customer.email, "reset");
    shop.app.clock.advance(TimeDelta::minutes(61));
    let reset = json!({"ResetToken": token, "Password": "another fine password"});
    assert_eq!(shop.send("User/ResetPassword", reset, &[]).await.data["Key"], "linkExpired");
}

#[actix_web::test]
async fn guessing_passwords_is_throttled_and_opens_again_later() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let login = |password: &str| json!({"Email": customer.email, "Password": password});
    for _ in 0..10 {
        assert_eq!(shop.send("User/Login", login("wrong password"), &[]).await.code, 3333);
    }
    let answer = shop.send("User/Login", login(PASSWORD), &[]).await;
    assert_eq!(answer.code, 4290, "even the right password waits");
    assert!(answer.data["RetryAfterMs"].as_i64().is_some_and(|wait| (1..=900_000).contains(&wait)));
    shop.app.clock.advance(TimeDelta::minutes(16));
    assert_eq!(shop.send("User/Login", login(PASSWORD), &[]).await.code, 1000);
}

#[actix_web::test]
async fn a_suspended_account_sees_its_billing_and_nothing_else() {
    use postern_server::db::prelude::*;
    use postern_server::schema::accounts;
    let shop = Shop::open();
    let customer = shop.customer(0);
    let suspend = diesel::update(accounts::table.find(customer.account_id));
    shop.app
        .db
        .write_blocking(|conn| Ok(suspend.clone().set(accounts::state.eq(AccountState::Suspended)).execute(conn)?))
        .expect("suspended");
    for (call, code) in [
        ("User/GetWallet", 1000),
        ("Wallet/GetTransactionList", 1000),
        ("Order/GetOrderList", 1000),
        ("Ips/GetUserNodeList", 3003),
        ("Order/QuoteOrder", 3003),
    ] {
        assert_eq!(shop.call(&customer, call, json!({})).await.code, code, "{call}");
    }
}

#[actix_web::test]
async fn only_trusted_proxies_may_forward_addresses() {
    let shop = Shop::open();
    let client = clients::new();
    let request = client.get(format!("{}/api/SystemSettings/GetClientIp", shop.url));
    let answer: serde_json::Value = request
        .header("X-Forwarded-For", "192.0.2.7, 203.0.113.9")
        .send()
        .await
        .expect("an answer")
        .json()
        .await
        .expect("JSON");
    assert_eq!(answer["Data"]["Ip"], "203.0.113.9");
}

#[actix_web::test]
async fn the_account_centre_shows_a_name_in_the_order_of_its_script() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    for (details, name) in [
        (json!({}), ""),
        (json!({"FirstName": "Ann", "LastName": "Lee"}), "Ann Lee"),
        (json!({"FirstName": "伟", "LastName": "王"}), "王伟"),
        (json!({"FirstName": "伟", "LastName": "王", "CompanyName": "上海王氏"}), "上海王氏"),
    ] {
        shop.call(&customer, "User/UpdateAccountDetails", details).await;
        let center = shop.call(&customer, "User/GetCenter", json!({})).await;
        assert_eq!(center.data["DisplayName"], name);
    }
}
