//! Upkeep: the secret key check, exact limits, and deletion of expired data.
use crate::shop::Shop;
use chrono::TimeDelta;
use postern_core::account::SIGN_IN_PER_ACCOUNT_AND_SENDER;
use postern_core::code::Code;
use postern_server::config::Config;
use postern_server::db::prelude::*;
use postern_server::schema::{idempotency_keys, mails, sessions, throttles};
use postern_server::security::SecretKey;
use serde_json::json;
use std::sync::Arc;

#[actix_web::test]
async fn a_server_with_another_key_refuses_to_start() {
    let shop = Shop::open();
    let with_key = |secret_key| postern_server::app::open(Config { secret_key, ..(*shop.app.config).clone() });
    assert!(with_key(None).is_ok(), "the key in the folder is the right one");
    let error = with_key(SecretKey::parse(&"0f".repeat(32))).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("secret key"), "{error}");
}

#[actix_web::test]
async fn concurrent_attempts_are_limited_exactly() {
    let shop = Arc::new(Shop::open());
    let customer = shop.customer(0);
    let attempts: Vec<_> = (0..30)
        .map(|_| {
            let (shop, email) = (shop.clone(), customer.email.clone());
            actix_web::rt::spawn(async move {
                shop.send("User/Login", json!({"Email": email, "Password": "not the password"}), &[]).await.code
            })
        })
        .collect();
    let mut codes = Vec::new();
    for attempt in attempts {
        codes.push(attempt.await.expect("a code"));
    }
    let count = |code: Code| codes.iter().filter(|found| **found == u64::from(code.number())).count();
    let allowed = SIGN_IN_PER_ACCOUNT_AND_SENDER.hits as usize;
    assert_eq!((count(Code::ShownInPlace), count(Code::TooManyRequests)), (allowed, 30 - allowed));
}

#[actix_web::test]
async fn upkeep_deletes_expired_data_only() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let top_up = json!({"Amount": "30", "PaymentMethod": "sandbox"});
    shop.call_once(&customer, "first", "Wallet/CreateTopUp", top_up.clone()).await;
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    let counts = || {
        let read = |conn: &mut postern_server::db::Conn| {
            Ok([
                sessions::table.count().get_result::<i64>(conn)?,
                idempotency_keys::table.count().get_result(conn)?,
                mails::table.count().get_result(conn)?,
                throttles::table.count().get_result(conn)?,
            ])
        };
        shop.app.db.read_blocking(read).expect("numbers")
    };
    let fresh = counts();
    assert!(fresh.iter().all(|count| *count > 0), "{fresh:?}");
    shop.app.clock.advance(TimeDelta::hours(47));
    shop.run_jobs().await;
    assert_eq!(counts()[..3], fresh[..3]);
    assert_eq!(counts()[3], 0, "windows that are over");
    shop.app.clock.advance(TimeDelta::days(61));
    shop.run_jobs().await;
    assert_eq!(counts(), [0; 4]);
}
