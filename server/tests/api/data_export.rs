//! The export of an account's data: what it exchanged with support, webhooks and referrals is in it.
use crate::receiver::{Manner, Receiver};
use crate::shop::{Customer, Shop, order_for};
use serde_json::{Value, json};

async fn export(shop: &Shop, customer: &Customer) -> (Value, String) {
    let text = shop.download(customer, "User/ExportData", json!({})).await;
    (serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")), text)
}

#[actix_web::test]
async fn messages_files_webhooks_referrals_and_settings_are_exported() {
    let shop = Shop::open_with(&[("POSTERN_WEBHOOK_TEST_HOSTS", "127.0.0.1")]);
    let (ann, operator) = (shop.customer(0), shop.operator());
    let friend = shop.customer_invited_by(&shop.invite_code_of(&ann), "203.0.113.2", 10_000);
    let make = async |who: &Customer, call: &str, body: Value| {
        let answer = shop.call(who, call, body).await;
        assert_eq!(answer.code, 1000, "{call}: {answer:?}");
        answer.data
    };
    let mut files = Vec::new();
    for content in ["first file", "second file", "later file", "an unsent file"] {
        let sent = shop.upload(&ann, "Support/UploadAttachment", "notes.txt", content.as_bytes()).await;
        files.push(sent.data["AttachmentId"].clone());
    }
    make(&ann, "Support/SendMessage", json!({"Text": "Where is my IP?", "AttachmentIds": files[..2]})).await;
    make(&operator, "Operator/SendReply", json!({"AccountId": ann.account_id, "Text": "On its way"})).await;
    make(&ann, "Support/SendMessage", json!({"Text": "Thanks", "AttachmentIds": files[2..3]})).await;
    let receiver = Receiver::open(Manner::Answers(204));
    let webhook = make(&ann, "Webhooks/AddWebhook", json!({"Url": receiver.url, "Description": "to my bot"})).await;
    let settings = json!({"Settings": [{"Kind": "order.paid", "OnScreen": false, "ByMail": false}]});
    make(&ann, "Notifications/SetSettings", settings).await;
    shop.stock("US", "new-york", 3);
    shop.buys(&friend, order_for(&[("US", "new-york", 3)], "15.00")).await;
    shop.run_jobs().await;

    let (all, text) = export(&shop, &ann).await;
    let rows = |name: &str| all[name].as_array().unwrap_or_else(|| panic!("{name}: {text}")).clone();
    let texts: Vec<Value> = rows("Messages").iter().map(|row| row["Text"].clone()).collect();
    assert_eq!(texts, ["Where is my IP?", "On its way", "Thanks"]);
    let contents = |name: &str| rows(name).iter().map(|row| row["Content"].clone()).collect::<Vec<Value>>();
    assert_eq!(contents("Attachments"), ["Zmlyc3QgZmlsZQ==", "c2Vjb25kIGZpbGU=", "bGF0ZXIgZmlsZQ=="]);
    assert_eq!(contents("UnsentAttachments"), ["YW4gdW5zZW50IGZpbGU="]);
    assert_eq!((rows("Conversation").len(), &rows("Webhooks")[0]["Description"]), (1, &json!("to my bot")));
    let delivery = &rows("WebhookDeliveries")[0];
    assert_eq!(delivery["Attempts"][0]["Status"], 204, "{delivery}");
    assert_eq!((rows("ReferredAccounts").len(), &rows("Commissions")[0]["Amount"]), (1, &json!("1.50")));
    assert_eq!(rows("NotificationSettings")[0]["Kind"], "order.paid");
    let secret = webhook["Secret"].as_str().expect("a secret");
    for others in [operator.email.as_str(), friend.email.as_str(), secret] {
        assert!(!text.contains(others), "{others}");
    }
    let (theirs, text) = export(&shop, &friend).await;
    assert_eq!(theirs["Referral"].as_array().map(Vec::len), Some(1));
    assert!(!text.contains("Where is my IP?") && theirs["Commissions"] == json!([]), "{text}");
}
