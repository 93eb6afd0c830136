//! Changing the e-mail address: the new address confirms, the old one can stop it, and no link works twice.
use crate::shop::{Customer, PASSWORD, Shop};
use chrono::TimeDelta;
use postern_core::account::{EMAIL_CHANGE_HOURS, EMAIL_CHANGE_STOP_HOURS};
use serde_json::json;

async fn request(shop: &Shop, customer: &Customer, email: &str) -> u64 {
    let body = json!({"Email": email, "Password": PASSWORD});
    let answer = shop.call(customer, "User/RequestEmailChange", body).await;
    shop.run_jobs().await;
    answer.code
}

/// Opens a link; returns the code, and the key or address in the response.
async fn follow(shop: &Shop, call: &str, token: &str) -> (u64, String) {
    let answer = shop.send(&format!("User/{call}EmailChange"), json!({"Token": token}), &[]).await;
    let told = if answer.code == 1000 { &answer.data["Email"] } else { &answer.data["Key"] };
    (answer.code, told.as_str().unwrap_or_default().to_owned())
}

async fn sign_in(shop: &Shop, email: &str, password: &str) -> u64 {
    shop.send("User/Login", json!({"Email": email, "Password": password}), &[]).await.code
}

fn refused(key: &str) -> (u64, String) {
    (3333, key.to_owned())
}

fn done(email: &str) -> (u64, String) {
    (1000, email.to_owned())
}

#[actix_web::test]
async fn an_email_change_needs_the_password_and_another_address() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let ask = async |email: &str, password: &str| {
        let body = json!({"Email": email, "Password": password});
        shop.call(&customer, "User/RequestEmailChange", body).await.data
    };
    assert_eq!(ask("new@example.com", "not the password").await["Key"], "wrongPassword");
    assert_eq!(ask(&customer.email.to_uppercase(), PASSWORD).await["Fields"]["Email"][0]["Rule"], "emailSame");
    assert_eq!(ask("nobody", PASSWORD).await["Fields"]["Email"][0]["Rule"], "email");
}

#[actix_web::test]
async fn the_new_address_confirms_once_and_both_are_notified() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    let reset = shop.mailed_token(&customer.email, "reset");
    assert_eq!(request(&shop, &customer, "New@Example.com").await, 1000);
    let notice = shop.last_mail_to(&customer.email).expect("a mail");
    assert!(notice.contains("new@example.com") && notice.contains("stop="), "{notice}");
    assert_eq!(sign_in(&shop, "new@example.com", PASSWORD).await, 3333, "nothing has changed yet");
    let confirm = shop.mailed_token("new@example.com", "confirm");
    assert_eq!(follow(&shop, "Confirm", "no such token").await, refused("linkExpired"));
    assert_eq!(follow(&shop, "Confirm", &confirm).await, done("new@example.com"));
    assert_eq!(follow(&shop, "Confirm", &confirm).await, refused("linkExpired"), "a link works once");
    assert_eq!(sign_in(&shop, "new@example.com", PASSWORD).await, 1000);
    assert_eq!(sign_in(&shop, &customer.email, PASSWORD).await, 3333);
    assert_eq!(shop.call(&customer, "User/GetUserInfo", json!({})).await.data["Email"], "new@example.com");
    let old_link = json!({"ResetToken": reset, "Password": "another fine password"});
    assert_eq!(shop.send("User/ResetPassword", old_link, &[]).await.data["Key"], "linkExpired");
    shop.run_jobs().await;
    for email in ["new@example.com", &customer.email] {
        assert_eq!(shop.mails_about(email, "Email address changed"), 1, "{email}");
    }
}

#[actix_web::test]
async fn links_expire() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    request(&shop, &customer, "new@example.com").await;
    shop.app.clock.advance(TimeDelta::hours(EMAIL_CHANGE_HOURS));
    assert_eq!(
        follow(&shop, "Confirm", &shop.mailed_token("new@example.com", "confirm")).await,
        refused("linkExpired")
    );
    shop.app.clock.advance(TimeDelta::hours(EMAIL_CHANGE_STOP_HOURS - EMAIL_CHANGE_HOURS));
    assert_eq!(follow(&shop, "Stop", &shop.mailed_token(&customer.email, "stop")).await, refused("linkExpired"));
    assert_eq!(sign_in(&shop, &customer.email, PASSWORD).await, 1000);
}

#[actix_web::test]
async fn a_taken_address_is_revealed_by_mail_only() {
    let shop = Shop::open();
    let (customer, other) = (shop.customer(0), shop.customer(0));
    assert_eq!(request(&shop, &customer, &other.email).await, 1000);
    let mail = shop.last_mail_to(&other.email).expect("a mail");
    assert!(mail.contains("already has an account") && !mail.contains("confirm="), "{mail}");

    // The address is taken between request and confirmation.
    assert_eq!(request(&shop, &customer, "new@example.com").await, 1000);
    let confirm = shop.mailed_token("new@example.com", "confirm");
    assert_eq!(request(&shop, &other, "new@example.com").await, 1000);
    let others = shop.mailed_token("new@example.com", "confirm");
    assert_eq!(follow(&shop, "Confirm", &others).await, done("new@example.com"));
    assert_eq!(follow(&shop, "Confirm", &confirm).await, refused("emailTaken"));
    assert_eq!(sign_in(&shop, &customer.email, PASSWORD).await, 1000);
}

#[actix_web::test]
async fn concurrent_confirmations_succeed_once() {
    let shop = Shop::open();
    let (one, other) = (shop.customer(0), shop.customer(0));
    request(&shop, &one, "new@example.com").await;
    let first = shop.mailed_token("new@example.com", "confirm");
    request(&shop, &other, "new@example.com").await;
    let second = shop.mailed_token("new@example.com", "confirm");
    let (a, b, c) = futures_util::future::join3(
        follow(&shop, "Confirm", &first),
        follow(&shop, "Confirm", &second),
        follow(&shop, "Confirm", &first),
    )
    .await;
    let answers = [a, b, c];
    assert_eq!(answers.iter().filter(|answer| **answer == done("new@example.com")).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|answer| answer.0 == 1000 || answer.0 == 3333), "{answers:?}");
}

#[actix_web::test]
async fn a_later_request_replaces_the_pending_one() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    request(&shop, &customer, "first@example.com").await;
    request(&shop, &customer, "second@example.com").await;
    let (first, second) =
        (shop.mailed_token("first@example.com", "confirm"), shop.mailed_token("second@example.com", "confirm"));
    assert_eq!(follow(&shop, "Confirm", &first).await, refused("linkExpired"));
    assert_eq!(follow(&shop, "Confirm", &second).await, done("second@example.com"));
}

#[actix_web::test]
async fn the_old_address_stops_a_change_before_and_after_it_is_confirmed() {
    for is_confirmed in [false, true] {
        let shop = Shop::open();
        let customer = shop.customer(0);
        request(&shop, &customer, "thief@example.com").await;
        let stop = shop.mailed_token(&customer.email, "stop");
        let confirm = shop.mailed_token("thief@example.com", "confirm");
        if is_confirmed {
            assert_eq!(follow(&shop, "Confirm", &confirm).await, done("thief@example.com"));
            shop.app.clock.advance(TimeDelta::hours(EMAIL_CHANGE_STOP_HOURS - 1));
        }
        assert_eq!(follow(&shop, "Stop", &stop).await, done(&customer.email));
        assert_eq!(follow(&shop, "Stop", &stop).await, refused("linkExpired"));
        assert_eq!(follow(&shop, "Confirm", &confirm).await, refused("linkExpired"));
        assert_eq!(shop.call(&customer, "User/GetWallet", json!({})).await.code, 3001, "all sessions have ended");
        for email in ["thief@example.com", &customer.email] {
            assert_eq!(sign_in(&shop, email, PASSWORD).await, 3333, "whoever asked knows the password");
        }
        shop.run_jobs().await;
        let reset =
            json!({"ResetToken": shop.mailed_token(&customer.email, "reset"), "Password": "a new fine password"});
        assert_eq!(shop.send("User/ResetPassword", reset, &[]).await.code, 1000);
        assert_eq!(sign_in(&shop, &customer.email, "a new fine password").await, 1000);
    }
}

#[actix_web::test]
async fn the_first_address_undoes_a_chain_of_changes() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    request(&shop, &customer, "thief@example.com").await;
    let stop = shop.mailed_token(&customer.email, "stop");
    follow(&shop, "Confirm", &shop.mailed_token("thief@example.com", "confirm")).await;
    request(&shop, &customer, "fence@example.com").await;
    follow(&shop, "Confirm", &shop.mailed_token("fence@example.com", "confirm")).await;
    let thiefs = shop.mailed_token("thief@example.com", "stop");
    assert_eq!(follow(&shop, "Stop", &stop).await, done(&customer.email));
    assert_eq!(follow(&shop, "Stop", &thiefs).await, refused("linkExpired"), "what came later is stopped, too");
    // A replaced request can also be stopped, and stops its replacement.
    let customer = shop.customer(0);
    request(&shop, &customer, "one@example.com").await;
    let stop = shop.mailed_token(&customer.email, "stop");
    request(&shop, &customer, "two@example.com").await;
    assert_eq!(follow(&shop, "Stop", &stop).await, done(&customer.email));
    assert_eq!(
        follow(&shop, "Confirm", &shop.mailed_token("two@example.com", "confirm")).await,
        refused("linkExpired")
    );
}

#[actix_web::test]
async fn a_freed_address_taken_by_another_user_is_not_restored() {
    let shop = Shop::open();
    let (customer, other) = (shop.customer(0), shop.customer(0));
    request(&shop, &customer, "new@example.com").await;
    let stop = shop.mailed_token(&customer.email, "stop");
    follow(&shop, "Confirm", &shop.mailed_token("new@example.com", "confirm")).await;
    request(&shop, &other, &customer.email).await;
    follow(&shop, "Confirm", &shop.mailed_token(&customer.email, "confirm")).await;
    assert_eq!(follow(&shop, "Stop", &stop).await, refused("emailTaken"));
    assert_eq!(sign_in(&shop, "new@example.com", PASSWORD).await, 1000, "nothing of it was done");
}
