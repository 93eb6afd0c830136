//! Two-factor authentication: turning on and off, codes that work once, and password resets.
use crate::shop::{Customer, PASSWORD, Shop};
use chrono::TimeDelta;
use postern_core::security_log::SecurityKind;
use postern_core::two_factor::{CODES_PER_DAY, CODES_PER_SOURCE, CONFIRMED_MINUTES, PENDING_MINUTES};
use postern_server::audit::Actor;
use postern_server::db::prelude::*;
use postern_server::schema::{recovery_codes, security_log, two_factors};
use serde_json::{Value, json};

/// Turns two-factor authentication on; returns the secret and the recovery codes. The next valid code is that of the next step.
pub async fn turn_on(shop: &Shop, customer: &Customer) -> (String, Vec<String>) {
    let begun = shop.call(customer, "User/BeginTwoFactor", json!({"Password": PASSWORD})).await;
    assert_eq!(begun.code, 1000, "{begun:?}");
    let secret = begun.data["Secret"].as_str().expect("a secret").to_owned();
    let on = shop.call(customer, "User/TurnOnTwoFactor", json!({"Code": shop.code_of(&secret, 0)})).await;
    assert_eq!(on.code, 1000, "{on:?}");
    let codes = on.data["RecoveryCodes"].as_array().expect("codes").iter();
    let codes = codes.map(|code| code.as_str().expect("a code").to_owned()).collect();
    shop.app.clock.advance(TimeDelta::seconds(60));
    (secret, codes)
}

async fn sign_in(shop: &Shop, customer: &Customer, password: &str, code: &str) -> (u64, String) {
    let login = json!({"Email": customer.email, "Password": password, "Code": code});
    let answer = shop.send("User/Login", login, &[]).await;
    (answer.code, answer.data["Key"].as_str().unwrap_or_default().to_owned())
}

fn refused(key: &str) -> (u64, String) {
    (3333, key.to_owned())
}

fn started() -> (u64, String) {
    (1000, String::new())
}

fn logged(shop: &Shop, kind: SecurityKind) -> i64 {
    let of_kind = security_log::table.filter(security_log::kind.eq(kind)).count();
    shop.app.db.read_blocking(|conn| Ok(of_kind.get_result(conn)?)).expect("a number")
}

#[actix_web::test]
async fn two_factor_is_begun_with_the_password_and_turned_on_with_a_code() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let begin = json!({"Password": "not the password"});
    assert_eq!(shop.call(&customer, "User/BeginTwoFactor", begin).await.data["Key"], "wrongPassword");
    let early = shop.call(&customer, "User/TurnOnTwoFactor", json!({"Code": "123456"})).await;
    assert_eq!(early.data["Key"], "twoFactorNotBegun");

    let begun = shop.call(&customer, "User/BeginTwoFactor", json!({"Password": PASSWORD})).await;
    let secret = begun.data["Secret"].as_str().expect("a secret");
    let uri = begun.data["Uri"].as_str().expect("an address");
    assert!(secret.len() == 32 && uri.starts_with("otpauth://totp/") && uri.contains(secret), "{uri}");
    let status = shop.call(&customer, "User/GetTwoFactor", json!({})).await.data;
    assert_eq!((&status["IsOn"], &status["RecoveryCodesLeft"]), (&json!(false), &json!(0)));
    assert_eq!(sign_in(&shop, &customer, PASSWORD, "").await, started(), "it is not on yet");
    let wrong = shop.call(&customer, "User/TurnOnTwoFactor", json!({"Code": shop.code_of(secret, 5)})).await;
    assert_eq!(wrong.data["Key"], "twoFactorWrong");

    shop.app.clock.advance(TimeDelta::minutes(PENDING_MINUTES));
    let late = shop.call(&customer, "User/TurnOnTwoFactor", json!({"Code": shop.code_of(secret, 0)})).await;
    assert_eq!(late.data["Key"], "twoFactorNotBegun");

    let other = shop.signs_in(&customer);
    let (_, codes) = turn_on(&shop, &customer).await;
    assert!(codes.len() == 10 && codes.iter().all(|code| code.len() == 11), "{codes:?}");
    let status = shop.call(&customer, "User/GetTwoFactor", json!({})).await.data;
    assert_eq!((&status["IsOn"], &status["RecoveryCodesLeft"]), (&json!(true), &json!(10)));
    assert_eq!(shop.call(&other, "User/GetWallet", json!({})).await.code, 3001, "other sessions end");
    let again = shop.call(&customer, "User/BeginTwoFactor", json!({"Password": PASSWORD})).await;
    assert_eq!(again.code, 4005, "a secret that is in force is not replaced");
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, "Two-factor authentication turned on"), 1);
}

#[actix_web::test]
async fn a_sign_in_needs_the_password_first_and_then_a_code() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (secret, _) = turn_on(&shop, &customer).await;
    assert_eq!(sign_in(&shop, &customer, "not the password", "").await, refused("signInFailed"));
    let right = shop.code_of(&secret, 0);
    assert_eq!(sign_in(&shop, &customer, "not the password", &right).await, refused("signInFailed"));
    assert_eq!(sign_in(&shop, &customer, PASSWORD, "").await, refused("twoFactorNeeded"));
    for wrong in [shop.code_of(&secret, 3), shop.code_of(&secret, -3), "abc".to_owned(), "ABCDE-FGHJK".to_owned()] {
        assert_eq!(sign_in(&shop, &customer, PASSWORD, &wrong).await, refused("twoFactorWrong"), "{wrong}");
    }
    assert_eq!(logged(&shop, SecurityKind::CodeRefused), 4);
    assert_eq!(sign_in(&shop, &customer, PASSWORD, &right).await, started());
    assert_eq!(sign_in(&shop, &customer, PASSWORD, &right).await, refused("twoFactorWrong"), "it was used");
}

#[actix_web::test]
async fn codes_of_adjacent_steps_are_accepted_once() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (secret, _) = turn_on(&shop, &customer).await;
    let (before, now, next) = (shop.code_of(&secret, -1), shop.code_of(&secret, 0), shop.code_of(&secret, 1));
    assert_eq!(sign_in(&shop, &customer, PASSWORD, &before).await, started());
    assert_eq!(sign_in(&shop, &customer, PASSWORD, &next).await, started());
    for used in [before, now, next] {
        assert_eq!(
            sign_in(&shop, &customer, PASSWORD, &used).await,
            refused("twoFactorWrong"),
            "not even an older one"
        );
    }
    shop.app.clock.advance(TimeDelta::seconds(60));
    assert_eq!(sign_in(&shop, &customer, PASSWORD, &shop.code_of(&secret, 0)).await, started());
}

#[actix_web::test]
async fn concurrent_requests_with_one_code_succeed_once() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (secret, codes) = turn_on(&shop, &customer).await;
    for code in [shop.code_of(&secret, 0), codes[0].clone()] {
        let answers = futures_util::future::join_all((0..6).map(|_| sign_in(&shop, &customer, PASSWORD, &code))).await;
        assert_eq!(answers.iter().filter(|answer| **answer == started()).count(), 1, "{answers:?}");
        // Or they are throttled.
        let is_refused = |answer: &&(u64, String)| **answer == refused("twoFactorWrong") || answer.0 == 4290;
        assert_eq!(answers.iter().filter(is_refused).count(), 5, "{answers:?}");
    }
}

#[actix_web::test]
async fn a_recovery_code_works_once_and_is_reported() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (secret, codes) = turn_on(&shop, &customer).await;
    let typed = codes[3].to_lowercase().replace('-', " ");
    assert_eq!(sign_in(&shop, &customer, PASSWORD, &typed).await, started());
    assert_eq!(sign_in(&shop, &customer, PASSWORD, &codes[3]).await, refused("twoFactorWrong"));
    let status = shop.call(&customer, "User/GetTwoFactor", json!({})).await.data;
    assert_eq!(status["RecoveryCodesLeft"], 9);
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, "Recovery code used"), 1);

    let replaced = shop.call(&customer, "User/ReplaceRecoveryCodes", json!({"Code": shop.code_of(&secret, 0)})).await;
    assert_eq!(replaced.code, 1000, "{replaced:?}");
    assert_eq!(
        sign_in(&shop, &customer, PASSWORD, &codes[4]).await,
        refused("twoFactorWrong"),
        "the old ones are gone"
    );
    let new = replaced.data["RecoveryCodes"][0].as_str().expect("a code");
    assert_eq!(sign_in(&shop, &customer, PASSWORD, new).await, started());
}

#[actix_web::test]
async fn secret_and_codes_are_stored_encrypted_or_hashed() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (secret, codes) = turn_on(&shop, &customer).await;
    let kept: (Vec<String>, Vec<String>) = shop
        .app
        .db
        .read_blocking(|conn| {
            let sealed = two_factors::table.select(two_factors::secret_sealed).load(conn)?;
            Ok((sealed, recovery_codes::table.select(recovery_codes::code_hash).load(conn)?))
        })
        .expect("rows");
    let plain = |code: &String| code.replace('-', "");
    assert!(kept.0.iter().all(|sealed| !sealed.contains(&secret) && shop.app.key.open(sealed).is_ok()));
    assert!(kept.1.len() == 10 && kept.1.iter().all(|hash| codes.iter().all(|code| !hash.contains(&plain(code)))));
}

#[actix_web::test]
async fn guessing_codes_locks_out_strangers_but_not_known_devices() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let first = shop.send("User/Login", json!({"Email": customer.email, "Password": PASSWORD}), &[]).await;
    let device = first.data["DeviceId"].as_str().expect("a device").to_owned();
    let signed_in = Customer { token: first.data["Token"].as_str().expect("a token").to_owned(), ..customer.clone() };
    let (secret, codes) = turn_on(&shop, &signed_in).await;
    let login = async |code: &str, from: &str, device: &str| {
        let login = json!({"Email": customer.email, "Password": PASSWORD, "Code": code, "DeviceId": device});
        shop.send("User/Login", login, &[("X-Forwarded-For", from)]).await.code
    };
    for _ in 0..CODES_PER_SOURCE.hits {
        assert_eq!(login("000000", "203.0.113.9", "").await, 3333);
    }
    assert_eq!(login(&codes[0], "203.0.113.9", "").await, 4290, "even a right one");
    let mut from = 0;
    loop {
        from += 1;
        let code = login("000000", &format!("198.51.100.{from}"), "").await;
        if code == 4290 {
            break;
        }
        assert!(code == 3333 && from < 60, "{code} {from}");
    }
    assert_eq!(login(&codes[0], "192.0.2.7", "").await, 4290, "from anywhere");
    assert_eq!(login(&shop.code_of(&secret, 0), "192.0.2.7", &device).await, 1000, "the owner's device");
}

/// Wrong codes from many strangers who know the password, until they are throttled wherever they come from.
async fn strangers_guess(shop: &Shop, customer: &Customer) {
    for from in 1..60 {
        let login = json!({"Email": customer.email, "Password": PASSWORD, "Code": "000000"});
        let from = format!("198.51.100.{from}");
        if shop.send("User/Login", login, &[("X-Forwarded-For", from.as_str())]).await.code == 4290 {
            return;
        }
    }
    panic!("strangers are throttled");
}

#[actix_web::test]
async fn strangers_who_know_the_password_do_not_block_codes_in_the_users_sessions() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (secret, codes) = turn_on(&shop, &customer).await;
    strangers_guess(&shop, &customer).await;
    let confirm = async |session: &Customer, code: &str| {
        let answer = shop.call(session, "User/ConfirmTwoFactor", json!({"Code": code})).await;
        (answer.code, answer.data["Key"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(confirm(&customer, &shop.code_of(&secret, 0)).await, started());
    // Sessions do not block each other either, and each has its limits.
    let stolen = shop.signs_in(&customer);
    let throttled = async || confirm(&stolen, "000000").await.0 == 4290;
    for _ in 0..CODES_PER_SOURCE.hits {
        assert!(!throttled().await);
    }
    assert!(throttled().await);
    assert_eq!(confirm(&customer, &codes[0]).await, started());
    for _ in CODES_PER_SOURCE.hits..CODES_PER_DAY.hits {
        shop.app.clock.advance(TimeDelta::minutes(CODES_PER_SOURCE.window_minutes));
        assert!(!throttled().await);
    }
    shop.app.clock.advance(TimeDelta::minutes(CODES_PER_SOURCE.window_minutes));
    assert!(throttled().await, "50 a day");
}

#[actix_web::test]
async fn changing_the_password_asks_for_a_code() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (_, codes) = turn_on(&shop, &customer).await;
    let thief = shop.signs_in(&customer);
    let change = json!({"CurrentPassword": PASSWORD, "NewPassword": "another fine password"});
    let refused = shop.call(&thief, "User/ChangePassword", change.clone()).await;
    assert_eq!((refused.code, &refused.data["Key"]), (3333, &json!("twoFactorConfirm")));
    assert_eq!(shop.call(&thief, "User/ConfirmTwoFactor", json!({"Code": codes[0]})).await.code, 1000);
    assert_eq!(shop.call(&thief, "User/ChangePassword", change).await.code, 1000);
}

#[actix_web::test]
async fn a_suspended_account_confirms_with_a_code_and_exports_its_data() {
    let shop = Shop::open();
    let (customer, operator) = (shop.customer(0), shop.operator());
    let (secret, _) = turn_on(&shop, &customer).await;
    let suspend = json!({"AccountId": customer.account_id, "State": "suspended", "Reason": "chargebacks"});
    assert_eq!(shop.call(&operator, "Operator/SetAccountState", suspend).await.code, 1000);
    shop.app.clock.advance(TimeDelta::minutes(CONFIRMED_MINUTES));
    let refused = shop.call(&customer, "User/ExportData", json!({})).await;
    assert_eq!((refused.code, &refused.data["Key"]), (3333, &json!("twoFactorConfirm")));
    let code = json!({"Code": shop.code_of(&secret, 0)});
    assert_eq!(shop.call(&customer, "User/ConfirmTwoFactor", code).await.code, 1000);
    let text = shop.download(&customer, "User/ExportData", json!({})).await;
    assert!(text.contains(&customer.email), "{text}");
}

#[actix_web::test]
async fn calls_that_move_money_require_a_recent_confirmation() {
    let shop = Shop::open();
    let customer = shop.customer(10_000);
    let top_up = json!({"Amount": "20", "PaymentMethod": "sandbox"});
    assert_eq!(shop.call(&customer, "Wallet/CreateTopUp", top_up.clone()).await.code, 1000, "it is off");
    let (secret, codes) = turn_on(&shop, &customer).await;
    assert_eq!(shop.call(&customer, "Wallet/CreateTopUp", top_up.clone()).await.code, 1000, "a code was just entered");
    shop.app.clock.advance(TimeDelta::minutes(CONFIRMED_MINUTES));
    let asked = shop.call(&customer, "Wallet/CreateTopUp", top_up.clone()).await;
    assert_eq!((asked.code, &asked.data["Key"]), (3333, &json!("twoFactorConfirm")));
    assert_eq!(shop.call(&customer, "Wallet/GetTransactionList", json!({})).await.code, 1000, "reading does not ask");

    let wrong = shop.call(&customer, "User/ConfirmTwoFactor", json!({"Code": "000000"})).await;
    assert_eq!(wrong.data["Key"], "twoFactorWrong");
    assert_eq!(logged(&shop, SecurityKind::CodeRefused), 1);
    let code = shop.code_of(&secret, 0);
    let confirmed = shop.call(&customer, "User/ConfirmTwoFactor", json!({"Code": code})).await;
    assert_eq!(confirmed.code, 1000, "{confirmed:?}");
    assert!(confirmed.data["ConfirmedUntil"].is_string());
    assert_eq!(shop.call(&customer, "Wallet/CreateTopUp", top_up.clone()).await.code, 1000);
    let other = shop.signs_in(&customer);
    assert_eq!(shop.call(&other, "Wallet/CreateTopUp", top_up.clone()).await.code, 3333, "another session asks itself");
    let repeated = shop.call(&other, "User/ConfirmTwoFactor", json!({"Code": code})).await;
    assert_eq!(repeated.data["Key"], "twoFactorWrong", "a code confirms once");
    assert_eq!(shop.call(&other, "User/ConfirmTwoFactor", json!({"Code": codes[0]})).await.code, 1000);
    assert_eq!(shop.call(&other, "Wallet/CreateTopUp", top_up).await.code, 1000);
}

#[actix_web::test]
async fn turning_two_factor_off_requires_password_and_code() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let off = shop.call(&customer, "User/TurnOffTwoFactor", json!({"Password": PASSWORD, "Code": "123456"})).await;
    assert_eq!(off.data["Key"], "twoFactorOff");
    let (secret, codes) = turn_on(&shop, &customer).await;
    let turn_off = async |password: &str, code: &str| {
        let answer = shop.call(&customer, "User/TurnOffTwoFactor", json!({"Password": password, "Code": code})).await;
        (answer.code, answer.data["Key"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(turn_off("not the password", &shop.code_of(&secret, 0)).await, refused("wrongPassword"));
    assert_eq!(turn_off(PASSWORD, "000000").await, refused("twoFactorWrong"));
    assert_eq!(turn_off(PASSWORD, &codes[0]).await, started(), "a lost phone");
    assert_eq!(sign_in(&shop, &customer, PASSWORD, "").await, started());
    let left: i64 =
        shop.app.db.read_blocking(|conn| Ok(recovery_codes::table.count().get_result(conn)?)).expect("rows");
    assert_eq!(left, 0);
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, "Two-factor authentication turned off"), 1);
}

#[actix_web::test]
async fn a_password_reset_keeps_two_factor_on_and_starts_no_session() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (secret, _) = turn_on(&shop, &customer).await;
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    let token = shop.mailed_token(&customer.email, "reset");
    let reset = json!({"ResetToken": token, "Password": "another fine password"});
    let answer = shop.send("User/ResetPassword", reset.clone(), &[]).await;
    assert_eq!(
        (answer.code, &answer.data["Key"], &answer.data["Token"]),
        (3333, &json!("signInWithCode"), &Value::Null)
    );
    assert_eq!(shop.send("User/ResetPassword", reset, &[]).await.data["Key"], "linkExpired");
    assert_eq!(sign_in(&shop, &customer, PASSWORD, "").await, refused("signInFailed"), "the password is changed");
    assert_eq!(sign_in(&shop, &customer, "another fine password", "").await, refused("twoFactorNeeded"));
    let code = shop.code_of(&secret, 0);
    assert_eq!(sign_in(&shop, &customer, "another fine password", &code).await, started());
}

#[actix_web::test]
async fn a_repeated_request_gets_its_recovery_codes_again() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let begun = shop.call_once(&customer, "b1", "User/BeginTwoFactor", json!({"Password": PASSWORD})).await.data;
    let repeated = shop.call_once(&customer, "b1", "User/BeginTwoFactor", json!({"Password": PASSWORD})).await.data;
    assert_eq!(begun, repeated);
    let code = json!({"Code": shop.code_of(begun["Secret"].as_str().expect("a secret"), 0)});
    let first = shop.call_once(&customer, "t1", "User/TurnOnTwoFactor", code.clone()).await;
    let again = shop.call_once(&customer, "t1", "User/TurnOnTwoFactor", code).await;
    assert!(first.code == 1000 && first.data == again.data, "{first:?} {again:?}");
}

#[actix_web::test]
async fn a_command_turns_two_factor_off_for_locked_out_users() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    turn_on(&shop, &customer).await;
    let now = shop.app.clock.now();
    let off = |email: &str| {
        shop.app
            .db
            .write_blocking(|conn| postern_server::users::two_factor::turn_off_of(conn, email, &Actor::command(), now))
    };
    assert!(off("nobody@example.com").is_err());
    off(&customer.email).expect("it is off");
    assert!(off(&customer.email).is_err(), "once");
    assert_eq!(shop.call(&customer, "User/GetWallet", json!({})).await.code, 3001, "sessions end");
    assert_eq!(sign_in(&shop, &customer, PASSWORD, "").await, started());
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, "Two-factor authentication turned off"), 1);
}
