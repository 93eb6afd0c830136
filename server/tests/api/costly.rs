//! Work that takes long: each kind has a budget of its own, and nothing is estimated or hashed for requests that will be refused anyway.
use crate::shop::{PASSWORD, Shop};
use postern_core::account::NEW_PASSWORDS_PER_USER;
use postern_core::avatar::AVATARS_PER_ACCOUNT;
use postern_server::state::costly::{Budget, Costly};
use serde_json::json;
use std::sync::{Arc, mpsc};

/// Takes all turns of a budget, by many owners, until what it returns is dropped.
async fn occupy(costly: &Arc<Costly>, budget: fn(&Costly) -> &Budget) -> Vec<mpsc::Sender<()>> {
    let work = |owner: i64| {
        let (end, ended) = mpsc::channel();
        let costly = costly.clone();
        actix_web::rt::spawn(async move {
            let _ = budget(&costly).of_account(-owner).run(move || ended.recv()).await;
        });
        end
    };
    let ends = (1..=64).map(work).collect();
    // They have begun now, in their order.
    tokio::task::yield_now().await;
    ends
}

#[actix_web::test]
async fn an_invented_reset_link_is_refused_before_its_password_is_estimated() {
    let shop = Shop::open();
    let reset = json!({"ResetToken": "x".repeat(43), "Password": "password123"});
    let answer = shop.send("User/ResetPassword", reset, &[]).await;
    assert_eq!((answer.code, &answer.data["Key"]), (3333, &json!("linkExpired")), "{answer:?}");
}

#[actix_web::test]
async fn signing_in_waits_for_no_other_costly_work() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let costly = &shop.app.costly;
    let busy = [
        occupy(costly, |costly| &costly.passwords).await,
        occupy(costly, |costly| &costly.files).await,
        occupy(costly, |costly| &costly.documents).await,
    ];
    let login = json!({"Email": customer.email, "Password": PASSWORD});
    assert_eq!(shop.send("User/Login", login, &[]).await.code, 1000);
    // A wrong code is not worth the hashes of new recovery codes.
    for (call, key) in [("User/TurnOnTwoFactor", "twoFactorNotBegun"), ("User/ReplaceRecoveryCodes", "twoFactorOff")] {
        let refused = shop.call(&customer, call, json!({"Code": "123456"})).await;
        assert_eq!(refused.data["Key"], key, "{refused:?}");
    }
    let sign_up = json!({"Email": "newcomer@example.org", "Password": PASSWORD});
    assert_eq!(shop.send("User/SignUp", sign_up.clone(), &[]).await.code, 4290, "no turn comes in time");
    drop(busy);
    assert_eq!(shop.send("User/SignUp", sign_up, &[]).await.code, 1000);
}

#[actix_web::test]
async fn new_passwords_and_pictures_are_limited_per_account() {
    let shop = Shop::open();
    let (ann, bob) = (shop.customer(0), shop.customer(0));
    let weak = json!({"CurrentPassword": PASSWORD, "NewPassword": "password123"});
    for _ in 0..NEW_PASSWORDS_PER_USER.hits {
        assert_eq!(shop.call(&ann, "User/ChangePassword", weak.clone()).await.code, 2001);
    }
    assert_eq!(shop.call(&ann, "User/ChangePassword", weak.clone()).await.code, 4290);
    assert_eq!(shop.call(&bob, "User/ChangePassword", weak).await.code, 2001);
    // Of a picture, as far as its first bytes tell.
    let picture = b"\x89PNG\r\n\x1a\n and nothing more";
    for _ in 0..AVATARS_PER_ACCOUNT.hits {
        assert_eq!(shop.upload(&ann, "User/UploadAvatar", "a.png", picture).await.code, 2001);
    }
    assert_eq!(shop.upload(&ann, "User/UploadAvatar", "a.png", picture).await.code, 4290);
    assert_eq!(shop.upload(&bob, "User/UploadAvatar", "a.png", picture).await.code, 2001);
}
