//! Sessions and passwords: listing sessions and ending them at once.
use crate::shop::{Customer, PASSWORD, Shop};
use chrono::TimeDelta;
use serde_json::{Value, json};

const CHROME: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

async fn sign_in(shop: &Shop, email: &str, password: &str, from: &str, device: &str) -> Value {
    let login = json!({"Email": email, "Password": password, "DeviceId": device});
    let answer = shop.send("User/Login", login, &[("X-Forwarded-For", from), ("User-Agent", CHROME)]).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data
}

async fn sessions(shop: &Shop, customer: &Customer) -> Vec<Value> {
    let answer = shop.call(customer, "User/GetSessionList", json!({})).await;
    answer.data["Sessions"].as_array().cloned().unwrap_or_else(|| panic!("{answer:?}"))
}

fn with_token(customer: &Customer, started: &Value) -> Customer {
    Customer { token: started["Token"].as_str().expect("a token").to_owned(), ..customer.clone() }
}

#[actix_web::test]
async fn the_session_list_shows_device_address_and_last_use() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    shop.app.clock.advance(TimeDelta::minutes(5));
    let browser = with_token(&customer, &sign_in(&shop, &customer.email, PASSWORD, "198.51.100.7", "").await);
    let listed = sessions(&shop, &browser).await;
    assert_eq!(listed.len(), 2);
    let first = &listed[0];
    assert_eq!((&first["Device"], &first["Address"]), (&json!("Chrome on Windows"), &json!("198.51.100.7")));
    assert_eq!((&first["IsCurrent"], &listed[1]["IsCurrent"]), (&json!(true), &json!(false)));
    assert_eq!(first["LastUsedAt"], first["CreatedAt"]);
    shop.app.clock.advance(TimeDelta::minutes(10));
    // The use is recorded in the background.
    let is_later = async || sessions(&shop, &browser).await[0]["LastUsedAt"] != first["LastUsedAt"];
    let mut looks = 0;
    while !is_later().await {
        looks += 1;
        assert!(looks < 1_000, "the use of a session is noted");
    }
    let stranger = shop.customer(0);
    assert_eq!(sessions(&shop, &stranger).await.len(), 1, "everybody sees their own");
}

#[actix_web::test]
async fn a_revoked_session_ends_at_once_and_only_its_owner_revokes_it() {
    let shop = Shop::open();
    let (customer, stranger) = (shop.customer(0), shop.customer(0));
    let other = shop.signs_in(&customer);
    let id = sessions(&shop, &other).await[0]["SessionId"].clone();
    let revoke = json!({"SessionId": id});
    assert_eq!(shop.call(&stranger, "User/RevokeSession", revoke.clone()).await.code, 3004);
    assert_eq!(shop.call(&other, "User/GetWallet", json!({})).await.code, 1000);
    assert_eq!(shop.call(&customer, "User/RevokeSession", revoke.clone()).await.code, 1000);
    assert_eq!(shop.call(&other, "User/GetWallet", json!({})).await.code, 3001);
    assert_eq!(shop.call(&customer, "User/RevokeSession", revoke).await.code, 3004, "it has ended");

    let others = [shop.signs_in(&customer), shop.signs_in(&customer)];
    let revoked = shop.call(&customer, "User/RevokeOtherSessions", json!({})).await;
    assert_eq!(revoked.data, json!({"Revoked": 2}));
    for other in others {
        assert_eq!(shop.call(&other, "User/GetWallet", json!({})).await.code, 3001);
    }
    assert_eq!(shop.call(&customer, "User/GetWallet", json!({})).await.code, 1000);
    assert_eq!(shop.call(&stranger, "User/GetWallet", json!({})).await.code, 1000);
}

#[actix_web::test]
async fn a_new_password_ends_other_sessions_devices_and_links() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let other = shop.signs_in(&customer);
    let device = sign_in(&shop, &customer.email, PASSWORD, "198.51.100.7", "").await["DeviceId"].clone();
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    let link = shop.mailed_token(&customer.email, "reset");
    let change = async |current: &str, new: &str| {
        let body = json!({"CurrentPassword": current, "NewPassword": new, "DeviceId": device});
        shop.call(&customer, "User/ChangePassword", body).await
    };
    assert_eq!(change("not the password", "another fine password").await.data["Key"], "wrongPassword");
    assert_eq!(change(PASSWORD, PASSWORD).await.data["Fields"]["NewPassword"][0]["Rule"], "passwordSame");
    assert_eq!(change(PASSWORD, "short").await.data["Fields"]["NewPassword"][0]["Rule"], "minLength");
    for common in ["password123", "qwertyuiop1", "iloveyou12345"] {
        assert_eq!(change(PASSWORD, common).await.data["Fields"]["NewPassword"][0]["Rule"], "passwordTooSimple");
    }
    assert_eq!(change(PASSWORD, "another fine password").await.code, 1000);
    assert_eq!(shop.call(&customer, "User/GetWallet", json!({})).await.code, 1000, "the own session stays");
    assert_eq!(shop.call(&other, "User/GetWallet", json!({})).await.code, 3001);
    let reset = json!({"ResetToken": link, "Password": "a third fine password"});
    assert_eq!(shop.send("User/ResetPassword", reset, &[]).await.data["Key"], "linkExpired");
    let old = json!({"Email": customer.email, "Password": PASSWORD});
    assert_eq!(shop.send("User/Login", old, &[]).await.data["Key"], "signInFailed");
    sign_in(&shop, &customer.email, "another fine password", "198.51.100.7", "").await;
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, "Password changed"), 1);
}

#[actix_web::test]
async fn guessing_the_current_password_in_a_stolen_session_ends_soon() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let guess = async |password: &str| {
        let body = json!({"CurrentPassword": password, "NewPassword": "another fine password"});
        shop.call(&customer, "User/ChangePassword", body).await.code
    };
    for _ in 0..10 {
        assert_eq!(guess("not the password").await, 3333);
    }
    assert_eq!(guess(PASSWORD).await, 4290);
    assert_eq!(shop.call(&customer, "User/BeginTwoFactor", json!({"Password": PASSWORD})).await.code, 4290);
    shop.app.clock.advance(TimeDelta::minutes(15));
    assert_eq!(guess(PASSWORD).await, 1000);
}

#[actix_web::test]
async fn a_sign_in_that_overlaps_a_change_of_the_password_leaves_no_session_of_the_old_one() {
    let shop = Shop::open();
    for _ in 0..5 {
        let customer = shop.customer(0);
        let body = json!({"CurrentPassword": PASSWORD, "NewPassword": "another fine password"});
        let login = json!({"Email": customer.email, "Password": PASSWORD});
        let (changed, started) = futures_util::future::join(
            shop.call(&customer, "User/ChangePassword", body),
            shop.send("User/Login", login, &[]),
        )
        .await;
        assert_eq!(changed.code, 1000);
        if started.code == 1000 {
            let guest = with_token(&customer, &started.data);
            assert_eq!(shop.call(&guest, "User/GetWallet", json!({})).await.code, 3001);
        }
    }
}

#[actix_web::test]
async fn a_common_password_is_refused_wherever_a_new_one_is_set() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let sign_up = json!({"Email": "newcomer@example.org", "Password": "password123"});
    let answer = shop.send("User/SignUp", sign_up, &[]).await;
    assert_eq!(answer.data["Fields"]["Password"][0]["Rule"], "passwordTooSimple");
    let own = json!({"Email": "newcomer@example.org", "Password": "newcomer2026"});
    let answer = shop.send("User/SignUp", own, &[]).await;
    assert_eq!(answer.data["Fields"]["Password"][0]["Rule"], "passwordTooSimple", "made of the address");
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    let token = shop.mailed_token(&customer.email, "reset");
    let reset = json!({"ResetToken": token, "Password": "qwertyuiop1"});
    let answer = shop.send("User/ResetPassword", reset, &[]).await;
    assert_eq!(answer.data["Fields"]["Password"][0]["Rule"], "passwordTooSimple");
    let reset = json!({"ResetToken": token, "Password": "another fine password"});
    assert_eq!(shop.send("User/ResetPassword", reset, &[]).await.code, 1000, "the link was not used up");
}

#[actix_web::test]
async fn session_locations_come_from_the_geoip_file() {
    let content = crate::geoip::file([203, 0, 113, 0], 24, ["Berlin", "柏林"], ["Germany", "德国"]);
    let file = std::env::temp_dir().join(format!("postern-geoip-{}.mmdb", std::process::id()));
    std::fs::write(&file, content).expect("a file");
    let shop = Shop::open_with(&[("POSTERN_GEOIP_FILE", file.to_str().expect("a path"))]);
    let customer = shop.customer(0);
    let known = with_token(&customer, &sign_in(&shop, &customer.email, PASSWORD, "203.0.113.200", "").await);
    sign_in(&shop, &customer.email, PASSWORD, "203.0.114.1", "").await;
    sign_in(&shop, &customer.email, PASSWORD, "2001:db8::1", "").await;
    let listed = sessions(&shop, &known).await;
    let place_of = |address: &str| listed.iter().find(|one| one["Address"] == address).map(|one| one["Place"].clone());
    assert_eq!(place_of("203.0.113.200"), Some(json!("Berlin, Germany")));
    assert_eq!(place_of("203.0.114.1"), Some(json!("")));
    assert_eq!(place_of("2001:db8::1"), Some(json!("")), "of IPv6 the file knows nothing");
    let in_chinese = [("Token", known.token.as_str()), ("Accept-Language", "zh")];
    assert_eq!(shop.send("User/GetUserInfo", json!({}), &in_chinese).await.code, 1000);
    let log = shop.call(&known, "User/GetSecurityLog", json!({})).await.data;
    let places: Vec<&str> =
        log["Rows"].as_array().expect("rows").iter().filter_map(|row| row["Place"].as_str()).collect();
    assert_eq!(places.iter().filter(|place| **place == "德国 柏林").count(), 1, "{log}");
    std::fs::write(&file, "no such file").expect("a file");
    assert!(postern_server::locations::Locations::open(Some(&file)).is_err());
    std::fs::remove_file(&file).expect("removed");
}
