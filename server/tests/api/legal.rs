//! Terms and privacy policy: published in versions, accepted at sign-up and again when they change.
use crate::shop::{Customer, PASSWORD, Shop};
use postern_server::db::prelude::*;
use postern_server::schema::legal_acceptances;
use serde_json::{Value, json};

async fn publishes(shop: &Shop, operator: &Customer, kind: &str, text: &str) -> Value {
    let body = json!({"Kind": kind, "BodyEn": text, "BodyZh": ""});
    let answer = shop.call(operator, "Operator/PublishLegalText", body).await;
    assert_eq!(answer.code, 1000, "{:?}", answer.data);
    answer.data
}

/// The settings that visitors read.
pub async fn public_config(shop: &Shop) -> Value {
    let answer = shop.open_page("/api/SystemSettings/GetPublicConfig").await;
    answer.json::<Value>().await.expect("JSON")["Data"].clone()
}

async fn current_ids(shop: &Shop) -> Vec<i64> {
    let texts = public_config(shop).await["LegalTexts"].clone();
    texts.as_array().expect("texts").iter().map(|text| text["LegalTextId"].as_i64().expect("an id")).collect()
}

async fn asked(shop: &Shop, customer: &Customer) -> Vec<Value> {
    let info = shop.call(customer, "User/GetUserInfo", json!({})).await.data;
    info["TextsToAccept"].as_array().expect("texts").clone()
}

#[actix_web::test]
async fn a_sign_up_accepts_the_current_texts_and_a_customer_each_new_version() {
    let shop = Shop::open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    let not_there = shop.send("SystemSettings/GetLegalText", json!({"Kind": "terms"}), &[]).await;
    assert_eq!((not_there.code, current_ids(&shop).await, asked(&shop, &customer).await.len()), (3004, vec![], 0));

    publishes(&shop, &operator, "terms", "# Terms\n\nPay first.").await;
    publishes(&shop, &operator, "privacy", "We keep little.").await;
    let ids = current_ids(&shop).await;
    assert_eq!(ids.len(), 2);
    let text = shop.send("SystemSettings/GetLegalText", json!({"Kind": "terms"}), &[]).await.data;
    assert_eq!((&text["Version"], &text["BodyZh"]), (&json!(1), &json!("# Terms\n\nPay first.")), "for every reader");

    // Sign-up.
    let sign_up =
        |accepted: &[i64]| json!({"Email": "new@example.com", "Password": PASSWORD, "AcceptedTexts": accepted});
    for missing in [&[][..], &ids[..1], &[999]] {
        let refused = shop.send("User/SignUp", sign_up(missing), &[]).await;
        assert_eq!((refused.code, &refused.data["Fields"]["AcceptedTexts"][0]["Rule"]), (2001, &json!("acceptTexts")));
    }
    assert_eq!(shop.send("User/SignUp", sign_up(&ids), &[]).await.code, 1000);
    shop.run_jobs().await;
    let verify = json!({"VerifyToken": shop.mailed_token("new@example.com", "verify"), "Password": PASSWORD});
    let started = shop.send("User/VerifyEmail", verify, &[]).await;
    let token = started.data["Token"].as_str().expect("a session").to_owned();
    let newcomer = Customer { email: "new@example.com".to_owned(), account_id: 0, token };
    assert_eq!(asked(&shop, &newcomer).await.len(), 0);

    // Who was there before is asked, and operators are not.
    assert_eq!((asked(&shop, &customer).await.len(), asked(&shop, &operator).await.len()), (2, 0));
    let accept = async |ids: &[i64]| {
        let answer = shop.call(&customer, "User/AcceptTexts", json!({"AcceptedTexts": ids})).await;
        assert_eq!(answer.code, 1000);
        answer.data.as_array().expect("texts").len()
    };
    assert_eq!(accept(&[ids[0], 999]).await, 1);
    assert_eq!(accept(&ids).await, 0);
    assert_eq!(accept(&ids).await, 0, "again");

    // A new version of one.
    let list = publishes(&shop, &operator, "terms", "# Terms\n\nPay later.").await;
    let row = |index: usize| {
        let row = &list[index];
        (row["Kind"].as_str(), row["Version"].as_i64(), row["IsCurrent"].as_bool(), row["Acceptances"].as_i64())
    };
    assert_eq!(row(0), (Some("terms"), Some(2), Some(true), Some(0)));
    assert_eq!(row(1), (Some("privacy"), Some(1), Some(true), Some(2)));
    assert_eq!(row(2), (Some("terms"), Some(1), Some(false), Some(2)));
    let again = asked(&shop, &customer).await;
    assert_eq!((again.len(), &again[0]["Kind"], &again[0]["Version"]), (1, &json!("terms"), &json!(2)));
    let detail = shop.call(&operator, "Operator/GetAccount", json!({"AccountId": customer.account_id})).await.data;
    let accepted = detail["AcceptedTexts"].as_array().expect("texts");
    assert_eq!((accepted.len(), &accepted[0]["Version"]), (2, &json!(1)));

    let same = json!({"Kind": "terms", "BodyEn": "# Terms\r\n\r\nPay later. ", "BodyZh": ""});
    let refused = shop.call(&operator, "Operator/PublishLegalText", same).await;
    assert_eq!(refused.data["Fields"]["BodyEn"][0]["Rule"], "textUnchanged");
}

#[actix_web::test]
async fn the_longest_texts_are_published_and_two_at_once_get_two_numbers() {
    let shop = Shop::open();
    let operator = shop.operator();
    let long = json!({"Kind": "privacy", "BodyEn": "x".repeat(40_000), "BodyZh": "长".repeat(40_000)});
    assert_eq!(shop.call(&operator, "Operator/PublishLegalText", long).await.code, 1000);
    let longer = json!({"Kind": "privacy", "BodyEn": "x".repeat(40_001)});
    let refused = shop.call(&operator, "Operator/PublishLegalText", longer).await;
    assert_eq!(refused.data["Fields"]["BodyEn"][0]["Rule"], "maxLength");
    let publish = |text: &str| {
        let body = json!({"Kind": "terms", "BodyEn": text});
        shop.call(&operator, "Operator/PublishLegalText", body)
    };
    let (one, two) = tokio::join!(publish("one"), publish("two"));
    assert_eq!((one.code, two.code), (1000, 1000));
    let list = shop.call(&operator, "Operator/GetLegalTextList", json!({})).await.data;
    let terms = list.as_array().expect("a list").iter().filter(|row| row["Kind"] == "terms");
    assert_eq!(terms.map(|row| row["Version"].as_i64().expect("a number")).collect::<Vec<_>>(), [2, 1]);
}

#[actix_web::test]
async fn a_closed_account_keeps_what_it_accepted_without_the_address() {
    let shop = Shop::open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    publishes(&shop, &operator, "terms", "Terms").await;
    let ids = current_ids(&shop).await;
    shop.call(&customer, "User/AcceptTexts", json!({"AcceptedTexts": ids})).await;
    let addresses = || {
        let read = |conn: &mut postern_server::db::Conn| {
            Ok(legal_acceptances::table.select(legal_acceptances::address).load::<String>(conn)?)
        };
        shop.app.db.read_blocking(read).expect("addresses")
    };
    assert_eq!(addresses(), ["127.0.0.1"]);
    let closed = shop.call(&customer, "User/CloseAccount", json!({"Password": PASSWORD, "Confirmed": true})).await;
    assert_eq!(closed.code, 1000, "{:?}", closed.data);
    assert_eq!(addresses(), [""]);
}
