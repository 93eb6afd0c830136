//! Sign-in during password guessing: nobody can lock an account's owner out.
use crate::shop::{Customer, PASSWORD, Shop};
use chrono::TimeDelta;
use postern_core::account::{
    KNOWN_DEVICE_DAYS, KNOWN_DEVICES_PER_USER, SIGN_IN_PER_ACCOUNT, SIGN_IN_PER_ACCOUNT_AND_SENDER,
    SIGN_IN_PER_KNOWN_DEVICE,
};
use postern_server::db::prelude::*;
use postern_server::schema::known_devices;
use serde_json::json;

const OWNER: &str = "198.51.100.7";
const WRONG: &str = "not the password";

/// Signs in; returns the code and the device's id.
async fn sign_in(shop: &Shop, customer: &Customer, password: &str, from: &str, device: &str) -> (u64, String) {
    let login = json!({"Email": customer.email, "Password": password, "DeviceId": device});
    let answer = shop.send("User/Login", login, &[("X-Forwarded-For", from)]).await;
    (answer.code, answer.data["DeviceId"].as_str().unwrap_or_default().to_owned())
}

/// Guesses from many senders, until strangers are locked out.
async fn guess_from_everywhere(shop: &Shop, customer: &Customer) {
    for number in 0..SIGN_IN_PER_ACCOUNT.hits {
        let from = format!("203.0.113.{number}");
        assert_eq!(sign_in(shop, customer, WRONG, &from, "").await.0, 3333, "{number}");
    }
}

fn devices(shop: &Shop) -> Vec<String> {
    let all = known_devices::table.select(known_devices::device_sha256).order(known_devices::device_sha256);
    shop.app.db.read_blocking(|conn| Ok(all.load(conn)?)).expect("devices")
}

#[actix_web::test]
async fn wrong_passwords_of_others_do_not_lock_the_owner_out() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    for _ in 0..SIGN_IN_PER_ACCOUNT_AND_SENDER.hits {
        assert_eq!(sign_in(&shop, &customer, WRONG, "203.0.113.9", "").await.0, 3333);
    }
    assert_eq!(sign_in(&shop, &customer, PASSWORD, "203.0.113.9", "").await.0, 4290);
    assert_eq!(sign_in(&shop, &customer, PASSWORD, OWNER, "").await.0, 1000);
}

#[actix_web::test]
async fn distributed_guessing_locks_out_strangers_but_not_known_devices() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (code, device) = sign_in(&shop, &customer, PASSWORD, OWNER, "").await;
    assert_eq!((code, device.len()), (1000, 43));
    guess_from_everywhere(&shop, &customer).await;
    assert_eq!(sign_in(&shop, &customer, PASSWORD, "192.0.2.1", "").await.0, 4290, "an unknown device");
    assert_eq!(sign_in(&shop, &customer, PASSWORD, "192.0.2.1", &"x".repeat(43)).await.0, 4290, "a made up device");
    let (code, same) = sign_in(&shop, &customer, PASSWORD, "192.0.2.1", &device).await;
    assert_eq!((code, same), (1000, device.clone()), "the owner's");

    let other = shop.customer(0);
    guess_from_everywhere(&shop, &other).await;
    assert_eq!(
        sign_in(&shop, &other, PASSWORD, OWNER, &device).await.0,
        4290,
        "a device is known for its own user only"
    );
}

#[actix_web::test]
async fn a_known_device_has_its_own_rate_limit() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (_, device) = sign_in(&shop, &customer, PASSWORD, OWNER, "").await;
    for _ in 0..SIGN_IN_PER_KNOWN_DEVICE.hits {
        assert_eq!(sign_in(&shop, &customer, WRONG, OWNER, &device).await.0, 3333);
    }
    assert_eq!(sign_in(&shop, &customer, PASSWORD, OWNER, &device).await.0, 4290);
    assert_eq!(sign_in(&shop, &customer, PASSWORD, OWNER, "").await.0, 1000, "which counts for nobody else");
    shop.app.clock.advance(TimeDelta::minutes(16));
    assert_eq!(sign_in(&shop, &customer, PASSWORD, OWNER, &device).await.0, 1000);
}

#[actix_web::test]
async fn successful_sign_ins_are_unlimited_and_reset_no_guesses() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    for _ in 0..SIGN_IN_PER_ACCOUNT.hits / 2 {
        assert_eq!(sign_in(&shop, &customer, PASSWORD, "192.0.2.1", "").await.0, 1000);
        shop.app.clock.advance(TimeDelta::seconds(20));
    }
    guess_from_everywhere(&shop, &customer).await;
    assert_eq!(sign_in(&shop, &customer, WRONG, "192.0.2.2", "").await.0, 4290);
}

#[actix_web::test]
async fn only_hashes_of_a_few_devices_are_kept_and_none_after_a_reset() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (_, device) = sign_in(&shop, &customer, PASSWORD, OWNER, "").await;
    shop.app.clock.advance(TimeDelta::hours(1));
    sign_in(&shop, &customer, PASSWORD, OWNER, &device).await;
    let own = devices(&shop);
    assert_eq!(own, [postern_server::security::sha256(&device)], "the same device is one row, and its id is nowhere");

    // Programs without a device id are new each time, and do not evict a known device.
    for _ in 0..=KNOWN_DEVICES_PER_USER {
        shop.app.clock.advance(TimeDelta::hours(1));
        assert_eq!(sign_in(&shop, &customer, PASSWORD, OWNER, "not an id").await.0, 1000);
    }
    let kept = devices(&shop);
    assert!(kept.len() == KNOWN_DEVICES_PER_USER as usize && kept.contains(&own[0]), "{kept:?}");

    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    let token = shop.mailed_token(&customer.email, "reset");
    let reset = json!({"ResetToken": token, "Password": "another fine password", "DeviceId": device});
    let answer = shop.send("User/ResetPassword", reset, &[]).await;
    assert_eq!((answer.code, &answer.data["DeviceId"]), (1000, &json!(device)));
    assert_eq!(devices(&shop), own, "only the device that has reset it is known");
    shop.app.clock.advance(TimeDelta::days(KNOWN_DEVICE_DAYS + 1));
    shop.run_jobs().await;
    assert_eq!(devices(&shop), Vec::<String>::new());
}
