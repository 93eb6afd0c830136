//! The security log, and the mail about a sign-in from a new device.
use crate::shop::{Customer, PASSWORD, Shop};
use chrono::TimeDelta;
use postern_core::event::EventKind;
use postern_core::security_log::KEEP_DAYS;
use postern_server::db::prelude::*;
use postern_server::schema::{events, failed_sign_ins};
use serde_json::{Value, json};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

async fn log(shop: &Shop, customer: &Customer, asked: Value) -> Vec<Value> {
    let answer = shop.call(customer, "User/GetSecurityLog", asked).await;
    answer.data["Rows"].as_array().cloned().unwrap_or_else(|| panic!("{answer:?}"))
}

fn kinds(rows: &[Value]) -> Vec<&str> {
    rows.iter().filter_map(|row| row["Kind"].as_str()).collect()
}

async fn sign_in(shop: &Shop, email: &str, password: &str, headers: &[(&str, &str)], device: &str) -> Value {
    shop.send("User/Login", json!({"Email": email, "Password": password, "DeviceId": device}), headers).await.data
}

#[actix_web::test]
async fn sign_ins_are_logged_for_their_user_only() {
    let shop = Shop::open();
    let (customer, stranger) = (shop.customer(0), shop.customer(0));
    let there = [("X-Forwarded-For", "203.0.113.9"), ("User-Agent", FIREFOX)];
    sign_in(&shop, &customer.email, "not the password", &there, "").await;
    sign_in(&shop, "nobody@example.com", "not the password", &there, "").await;
    shop.run_jobs().await;
    sign_in(&shop, &customer.email, PASSWORD, &there, "").await;
    let rows = log(&shop, &customer, json!({})).await;
    assert_eq!(kinds(&rows), ["signed_in", "sign_in_failed"], "newest first");
    for row in &rows {
        assert_eq!((&row["Address"], &row["Device"]), (&json!("203.0.113.9"), &json!("Firefox on Linux")));
    }
    assert_eq!(kinds(&log(&shop, &stranger, json!({})).await), Vec::<&str>::new());
    let waiting: i64 =
        shop.app.db.read_blocking(|conn| Ok(failed_sign_ins::table.count().get_result(conn)?)).expect("a number");
    assert_eq!(waiting, 0, "nothing is kept about addresses without an account");

    let failed = log(&shop, &customer, json!({"Filter": {"Kind": "sign_in_failed"}})).await;
    assert_eq!(kinds(&failed), ["sign_in_failed"]);
    let unknown = shop.call(&customer, "User/GetSecurityLog", json!({"Filter": {"Kind": "nonsense"}})).await;
    assert_eq!(unknown.code, 2002);
    let page = shop.call(&customer, "User/GetSecurityLog", json!({"PageSize": 1})).await.data;
    assert_eq!((&page["Total"], kinds(page["Rows"].as_array().expect("rows"))), (&json!(2), vec!["signed_in"]));
    let next = log(&shop, &customer, json!({"PageSize": 1, "After": page["Next"]})).await;
    assert_eq!(kinds(&next), ["sign_in_failed"]);

    shop.app.clock.advance(TimeDelta::days(KEEP_DAYS + 1));
    shop.run_jobs().await;
    let customer = shop.signs_in(&customer);
    assert_eq!(log(&shop, &customer, json!({})).await.len(), 0);
}

#[actix_web::test]
async fn security_changes_are_reported_by_mail_and_event() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let change = json!({"CurrentPassword": PASSWORD, "NewPassword": "another fine password"});
    assert_eq!(shop.call(&customer, "User/ChangePassword", change).await.code, 1000);
    shop.signs_in(&customer);
    shop.call(&customer, "User/RevokeOtherSessions", json!({})).await;
    shop.call(&customer, "User/Logout", json!({})).await;
    let customer = shop.signs_in(&customer);
    let rows = log(&shop, &customer, json!({})).await;
    assert_eq!(kinds(&rows), ["signed_out", "session_revoked", "password_changed"]);
    let changes: Vec<(EventKind, String)> = shop
        .app
        .db
        .read_blocking(|conn| {
            let own = events::table.filter(events::account_id.eq(customer.account_id));
            Ok(own.select((events::kind, events::data)).load(conn)?)
        })
        .expect("events");
    assert_eq!(changes, [(EventKind::SecurityChanged, json!({"Change": "password_changed"}).to_string())]);
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, "Password changed"), 1);
    assert_eq!(shop.mails_about(&customer.email, ""), 1, "and of nothing else");
}

#[actix_web::test]
async fn changes_of_keys_are_logged_with_their_names() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let mut form = json!({"Name": "nightly", "Scopes": ["account:read"], "Addresses": []});
    let added = shop.call(&customer, "ApiKeys/AddApiKey", form.clone()).await.data;
    form["ApiKeyId"] = added["ApiKey"]["ApiKeyId"].clone();
    assert_eq!(shop.call(&customer, "ApiKeys/EditApiKey", form.clone()).await.code, 1000, "{added}");
    let revoke = json!({"ApiKeyId": form["ApiKeyId"]});
    assert_eq!(shop.call(&customer, "ApiKeys/RevokeApiKey", revoke).await.code, 1000);
    let rows = log(&shop, &customer, json!({})).await;
    assert_eq!(kinds(&rows), ["api_key_revoked", "api_key_changed", "api_key_created"]);
    assert!(rows.iter().all(|row| row["Detail"] == "nightly"), "{rows:?}");
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, "API key created"), 1);
}

#[actix_web::test]
async fn a_new_device_is_reported_once() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let told = async |expected: usize| {
        shop.run_jobs().await;
        assert_eq!(shop.mails_about(&customer.email, "sign-in from a new device"), expected);
    };
    let home = [("X-Forwarded-For", "198.51.100.7"), ("User-Agent", FIREFOX)];
    let device = sign_in(&shop, &customer.email, PASSWORD, &home, "").await["DeviceId"].clone();
    told(1).await;
    let mail = shop.last_mail_to(&customer.email).expect("a mail");
    assert!(mail.contains("Firefox on Linux") && mail.contains("198.51.100.7"), "{mail}");
    let cafe = [("X-Forwarded-For", "203.0.113.9"), ("User-Agent", FIREFOX)];
    sign_in(&shop, &customer.email, PASSWORD, &cafe, device.as_str().expect("a device")).await;
    told(1).await;
    let script = [("X-Forwarded-For", "192.0.2.1"), ("User-Agent", "curl/8.15.0")];
    for _ in 0..3 {
        sign_in(&shop, &customer.email, PASSWORD, &script, "").await;
    }
    told(2).await;
}

#[actix_web::test]
async fn the_device_of_a_sign_up_is_not_reported() {
    let shop = Shop::open();
    let email = "newcomer@example.org";
    shop.send("User/SignUp", json!({"Email": email, "Password": PASSWORD}), &[]).await;
    shop.run_jobs().await;
    let verify = json!({"VerifyToken": shop.mailed_token(email, "verify"), "Password": PASSWORD});
    assert_eq!(shop.send("User/VerifyEmail", verify, &[]).await.code, 1000);
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(email, "new device"), 0);
}
