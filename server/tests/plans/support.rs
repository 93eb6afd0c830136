//! The support chat with all of its queries: messages with files from both sides, updates, mails, canned answers.
use crate::shop::{Customer, Shop};
use chrono::TimeDelta;
use serde_json::{Value, json};

/// Rows for its tables.
pub const ROWS: [(u32, &str); 5] = [
    (
        2_000,
        "support_conversations (account_id, last_message_at, changed_at, created_at, last_id) SELECT i, THEN, THEN, THEN, i",
    ),
    (
        10_000,
        "support_messages (conversation_id, kind, side, user_id, text, created_at) SELECT 1 + i % 2000, 'text', 'customer', 1 + i % 2000, '', THEN",
    ),
    (
        5_000,
        "support_attachments (user_id, message_id, name, kind, size_bytes, content, created_at) SELECT 1 + i % 2000, i, '', 'text', 1, 'a', THEN",
    ),
    (
        5_000,
        "support_attachments (user_id, message_id, name, kind, size_bytes, content, created_at) SELECT 1 + i % 2000, NULL, '', 'text', 1, 'a', THEN",
    ),
    (50, "support_canned_answers (title, text, changed_at) SELECT 't' || i, '', THEN"),
];

async fn uploads(shop: &Shop, customer: &Customer) -> Value {
    let body = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nsome text\r\n--x--\r\n";
    let headers = [("Token", customer.token.as_str()), ("Content-Type", "multipart/form-data; boundary=x")];
    let answer = shop.post_raw("/api/Support/UploadAttachment", body.to_owned(), &headers).await;
    let answer: Value = answer.json().await.expect("an answer in JSON");
    answer["Data"]["AttachmentId"].clone()
}

pub async fn support(
    shop: &Shop,
    call: &mut impl AsyncFnMut(&Customer, &str, Value) -> Value,
    owner: &Customer,
    operator: &Customer,
) {
    let open = |path: &'static str, who: &Customer| {
        let token = who.token.clone();
        async move { shop.post_raw(path, "{}".to_owned(), &[("Token", token.as_str())]).await }
    };
    let streams =
        (open("/api/Support/WaitForMessages", owner).await, open("/api/Operator/WaitForConversations", operator).await);
    call(owner, "Support/GetUnread", json!({})).await;
    let file = uploads(shop, owner).await;
    let sent = call(owner, "Support/SendMessage", json!({"Text": "Hello", "AttachmentIds": [file]})).await;
    for who in [owner, operator] {
        let read = shop.download(who, "Support/GetAttachment", json!({ "AttachmentId": file })).await;
        assert_eq!(read, "some text");
    }
    shop.run_jobs().await;
    shop.app.clock.advance(TimeDelta::minutes(4));
    shop.run_jobs().await;
    let account = json!({ "AccountId": owner.account_id });
    call(operator, "Operator/GetConversation", account.clone()).await;
    let read = json!({"AccountId": owner.account_id, "MessageId": sent["MessageId"]});
    call(operator, "Operator/MarkConversationRead", read).await;
    let reply = call(operator, "Operator/SendReply", json!({"AccountId": owner.account_id, "Text": "Hi"})).await;
    shop.app.clock.advance(TimeDelta::minutes(6));
    shop.run_jobs().await;
    for window in [json!({}), json!({"Before": reply["MessageId"]}), json!({"After": sent["MessageId"]})] {
        call(owner, "Support/GetConversation", window).await;
    }
    call(owner, "Support/MarkRead", json!({ "MessageId": reply["MessageId"] })).await;
    call(operator, "Operator/CloseConversation", account).await;
    let canned = call(operator, "Operator/SaveCannedAnswer", json!({"Title": "a", "Text": "b"})).await;
    let id = canned[0]["CannedAnswerId"].clone();
    call(operator, "Operator/SaveCannedAnswer", json!({"CannedAnswerId": id, "Title": "b", "Text": "b"})).await;
    call(operator, "Operator/GetCannedAnswerList", json!({})).await;
    call(operator, "Operator/DeleteCannedAnswer", json!({ "CannedAnswerId": id })).await;
    drop(streams);
}
