//! Announcements: who sees them, and when.
use crate::shop::{Customer, Shop};
use serde_json::{Value, json};

fn announcement(text: &str) -> Value {
    json!({"Tone": "info", "TextEn": text, "TextZh": "", "Link": "/status"})
}

async fn shown(shop: &Shop, customer: &Customer) -> Vec<String> {
    let list = shop.call(customer, "SystemSettings/GetAnnouncementList", json!({})).await.data;
    let text = |one: &Value| one["TextEn"].as_str().expect("a text").to_owned();
    list.as_array().expect("a list").iter().map(text).collect()
}

#[actix_web::test]
async fn customers_see_the_newest_three_between_their_start_and_their_end() {
    let shop = Shop::open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    let save = async |body: Value| shop.call(&operator, "Operator/SaveAnnouncement", body).await;
    for text in ["one", "two", "three", "four"] {
        assert_eq!(save(announcement(text)).await.code, 1000);
    }
    let mut coming = announcement("coming");
    coming["ValidFrom"] = json!("2999-01-01 00:00:00");
    let list = save(coming).await.data;
    assert_eq!((list[0]["State"].as_str(), list[1]["State"].as_str()), (Some("coming"), Some("shown")));
    assert_eq!(list[0]["Operator"], json!(operator.email));
    assert_eq!(shown(&shop, &customer).await, ["four", "three", "two"]);

    // Changed: it ends in the past of a later clock, and says something else.
    let four = list.as_array().expect("a list").iter().find(|one| one["TextEn"] == "four").expect("four");
    let mut change = announcement("four, corrected");
    change["AnnouncementId"] = four["AnnouncementId"].clone();
    change["ValidFrom"] = four["ValidFrom"].clone();
    assert_eq!(save(change).await.code, 1000);
    assert_eq!(shown(&shop, &customer).await[0], "four, corrected");
    let delete = json!({"AnnouncementId": four["AnnouncementId"]});
    assert_eq!(shop.call(&operator, "Operator/DeleteAnnouncement", delete.clone()).await.code, 1000);
    assert_eq!(shown(&shop, &customer).await, ["three", "two", "one"]);
    assert_eq!(shop.call(&operator, "Operator/DeleteAnnouncement", delete).await.code, 3004);
}

#[actix_web::test]
async fn errors_are_at_their_fields_and_a_repeat_adds_nothing() {
    let shop = Shop::open();
    let operator = shop.operator();
    let wrong =
        json!({"Tone": "info", "TextEn": " ", "Link": "javascript:alert(1)", "ValidUntil": "2020-01-01 00:00:00"});
    let refused = shop.call(&operator, "Operator/SaveAnnouncement", wrong).await;
    let fields = refused.data["Fields"].as_object().expect("fields");
    assert_eq!(
        (refused.code, fields.keys().map(String::as_str).collect()),
        (2001, vec!["Link", "TextEn", "ValidUntil"])
    );
    let gone = json!({"AnnouncementId": 999, "Tone": "info", "TextEn": "Sale"});
    assert_eq!(shop.call(&operator, "Operator/SaveAnnouncement", gone).await.code, 3004);
    for _ in 0..2 {
        let saved = shop.call_once(&operator, "k1", "Operator/SaveAnnouncement", announcement("once")).await;
        assert_eq!(saved.data.as_array().map(Vec::len), Some(1), "{:?}", saved.data);
    }
}
