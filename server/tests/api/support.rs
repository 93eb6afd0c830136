//! The support chat: a conversation with its attachments, from both sides, mails about it, and canned answers.
use crate::shop::{CallAnswer, Customer, Shop, clients};
use chrono::TimeDelta;
use postern_core::account::AccountState;
use postern_core::event::EventKind;
use postern_server::db::prelude::*;
use postern_server::schema::{accounts, events, support_conversations, support_messages};
use serde_json::{Value, json};

const BOUNDARY: &str = "a-boundary-that-no-file-has";

/// A PNG header: the only part that is checked.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    let (start, rest) = (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(), b"\x08\x02\0\0\0".as_slice());
    [start, &width.to_be_bytes(), &height.to_be_bytes(), rest].concat()
}

/// A form with this file in the field.
fn form(field: &str, name: &str, content: &[u8]) -> Vec<u8> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\nContent-Type: text/html\r\n\r\n"
    );
    [head.as_bytes(), content, format!("\r\n--{BOUNDARY}--\r\n").as_bytes()].concat()
}

async fn posts(shop: &Shop, customer: &Customer, key: Option<&str>, kind: &str, body: Vec<u8>) -> CallAnswer {
    let mut request = clients::new().post(format!("{}/api/Support/UploadAttachment", shop.url));
    request = request.header("Token", &customer.token).header("Content-Type", kind).body(body);
    if let Some(key) = key {
        request = request.header("Idempotency-Key", key);
    }
    let response = request.send().await.expect("an answer");
    let status = response.status().as_u16();
    let answer: Value = response.json().await.expect("an answer in JSON");
    CallAnswer {
        status,
        code: answer["Code"].as_u64().unwrap_or_default(),
        message: answer["Message"].as_str().unwrap_or_default().to_owned(),
        data: answer["Data"].clone(),
    }
}

async fn uploads(shop: &Shop, customer: &Customer, name: &str, content: &[u8]) -> CallAnswer {
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    posts(shop, customer, None, &kind, form("file", name, content)).await
}

pub async fn uploaded(shop: &Shop, customer: &Customer, name: &str, content: &[u8]) -> i64 {
    let answer = uploads(shop, customer, name, content).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data["AttachmentId"].as_i64().expect("an id")
}

async fn says(shop: &Shop, customer: &Customer, text: &str) -> i64 {
    let answer = shop.call(customer, "Support/SendMessage", json!({ "Text": text })).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data["MessageId"].as_i64().expect("an id")
}

async fn replies(shop: &Shop, operator: &Customer, to: &Customer, text: &str) -> i64 {
    let answer = shop.call(operator, "Operator/SendReply", json!({ "AccountId": to.account_id, "Text": text })).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data["MessageId"].as_i64().expect("an id")
}

fn texts(messages: &Value) -> Vec<&str> {
    messages.as_array().into_iter().flatten().filter_map(|message| message["Text"].as_str()).collect()
}

pub fn suspend(shop: &Shop, customer: &Customer) {
    let suspended = shop.app.db.write_blocking(|conn| {
        let row = accounts::table.find(customer.account_id);
        Ok(diesel::update(row).set(accounts::state.eq(AccountState::Suspended)).execute(conn)?)
    });
    assert_eq!(suspended.expect("an update"), 1);
}

#[actix_web::test]
async fn invalid_attachments_are_refused_and_not_stored() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let html = b"<script>alert(1)</script>".as_slice();
    for (name, content, rule) in [
        ("picture.png", html, "attachmentContent"),
        ("page.html", html, "attachmentKind"),
        ("picture.svg", html, "attachmentKind"),
        ("empty.txt", b"", "attachmentEmpty"),
        ("program.txt", b"MZ\0\0", "attachmentKind"),
        ("wide.png", &png(20_000, 1), "attachmentPixels"),
    ] {
        let answer = uploads(&shop, &customer, name, content).await;
        assert_eq!(
            (answer.code, &answer.data["Fields"]["File"][0]["Rule"]),
            (2001, &json!(rule)),
            "{name}: {answer:?}"
        );
    }
    let too_large = uploads(&shop, &customer, "a.txt", &vec![b'a'; (5 << 20) + 1]).await;
    assert_eq!((too_large.status, too_large.code, &too_large.data["MaxBytes"]), (413, 4130, &json!(5 << 20)));
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let two = [form("file", "a.txt", b"a"), form("file", "b.txt", b"b")].concat();
    let two = String::from_utf8_lossy(&two).replacen(&format!("--{BOUNDARY}--\r\n"), "", 1).into_bytes();
    for (kind, body) in [
        ("application/json", b"{}".to_vec()),
        ("multipart/form-data", form("file", "a.txt", b"a")),
        (kind.as_str(), form("other", "a.txt", b"a")),
        (kind.as_str(), form("file", "a\u{0}b.txt", b"a")),
        (kind.as_str(), b"no form at all".to_vec()),
        (kind.as_str(), b"".to_vec()),
        (kind.as_str(), form("file", "a.txt", b"a")[..60].to_vec()),
        (kind.as_str(), two),
    ] {
        let answer = posts(&shop, &customer, None, kind, body.clone()).await;
        let rule = &answer.data["Fields"]["Body"][0]["Rule"];
        assert_eq!((answer.code, rule), (2001, &json!("malformed")), "{}: {answer:?}", String::from_utf8_lossy(&body));
    }
    let kept: i64 = shop.app.db.read_blocking(count_attachments).expect("a number");
    assert_eq!(kept, 0);
}

fn count_attachments(conn: &mut postern_server::db::Conn) -> Result<i64, postern_server::error::AppError> {
    use postern_server::schema::support_attachments::dsl;
    Ok(dsl::support_attachments.count().get_result(conn)?)
}

#[actix_web::test]
async fn attachment_names_are_sanitised_and_files_never_served_as_pages() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    for (name, content, expected, kind, plain, encoded) in [
        ("../../ab.log", b"log".to_vec(), "ab.log", "text/plain", "attachment.txt", "ab.log"),
        ("photo.jpg", png(3, 2), "photo.png", "image/png", "attachment.png", "photo.png"),
        ("错误 1.txt", b"x".to_vec(), "错误 1.txt", "text/plain", "attachment.txt", "%E9%94%99%E8%AF%AF%201.txt"),
        ("<b>.csv", b"<html><script>".to_vec(), "b.csv", "text/plain", "attachment.txt", "b.csv"),
        ("", b"%PDF-1.7".to_vec(), "file.pdf", "application/pdf", "attachment.pdf", "file.pdf"),
    ] {
        let answer = uploads(&shop, &customer, name, &content).await;
        assert_eq!((answer.code, &answer.data["Name"]), (1000, &json!(expected)), "{name}: {answer:?}");
        let request = clients::new().post(format!("{}/api/Support/GetAttachment", shop.url));
        let asked = json!({ "AttachmentId": answer.data["AttachmentId"] });
        let response = request.header("Token", &customer.token).json(&asked).send().await.expect("an answer");
        let header = |name: &str| response.headers()[name].to_str().unwrap_or_default().to_owned();
        let how = if kind == "image/png" { "inline" } else { "attachment" };
        let disposition = format!("{how}; filename=\"{plain}\"; filename*=UTF-8''{encoded}");
        assert_eq!((header("content-type"), header("content-disposition")), (kind.to_owned(), disposition));
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("content-security-policy"), "default-src 'none'; sandbox");
        assert!(header("cache-control").contains("no-store"));
        assert_eq!(response.bytes().await.expect("a file"), content);
    }
}

#[actix_web::test]
async fn files_of_other_accounts_cannot_be_sent_or_read() {
    let shop = Shop::open();
    let (customer, other, operator) = (shop.customer(0), shop.customer(0), shop.operator());
    let own = uploaded(&shop, &customer, "a.txt", b"secret").await;
    let sends = |who: &Customer, ids: Value| {
        let (shop, who) = (&shop, who.clone());
        async move { shop.call(&who, "Support/SendMessage", json!({ "Text": "", "AttachmentIds": ids })).await }
    };
    for (who, ids) in [(&other, json!([own])), (&customer, json!([own, own + 100])), (&customer, json!([own, own]))] {
        let answer = sends(who, ids).await;
        let rule = &answer.data["Fields"]["AttachmentIds"][0]["Rule"];
        assert_eq!((answer.code, rule), (2001, &json!("unknownAttachment")), "{answer:?}");
    }
    let reads =
        async |who: &Customer| shop.download(who, "Support/GetAttachment", json!({ "AttachmentId": own })).await;
    assert!(reads(&other).await.contains("3004") && reads(&operator).await.contains("3004"), "it is not sent yet");
    assert_eq!(reads(&customer).await, "secret");
    let sent = sends(&customer, json!([own])).await;
    assert_eq!((sent.code, &sent.data["Attachments"][0]["Name"]), (1000, &json!("a.txt")), "{sent:?}");
    assert_eq!(sends(&customer, json!([own])).await.code, 2001, "it was sent before");
    assert!(reads(&other).await.contains("3004"));
    assert_eq!((reads(&customer).await, reads(&operator).await), ("secret".into(), "secret".into()));
    let too_many: Vec<i64> = (1..=6).collect();
    let answer = sends(&customer, json!(too_many)).await;
    assert_eq!(answer.data["Fields"]["AttachmentIds"][0]["Rule"], "tooManyItems");
    assert_eq!(shop.call(&other, "Support/GetConversation", json!({})).await.data["Messages"], json!([]));
}

#[actix_web::test]
async fn files_that_are_never_sent_are_bounded_and_deleted() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let first = posts(&shop, &customer, Some("k"), &kind, form("file", "a.txt", b"a")).await;
    let again = posts(&shop, &customer, Some("k"), &kind, form("file", "a.txt", b"a")).await;
    assert_eq!((first.code, &first.data), (1000, &again.data), "sent again, kept once");
    assert_eq!(posts(&shop, &customer, Some("k"), &kind, form("file", "a.txt", b"b")).await.code, 2009);
    for number in 1..10 {
        uploaded(&shop, &customer, &format!("{number}.txt"), b"a").await;
    }
    let full = uploads(&shop, &customer, "11.txt", b"a").await;
    assert_eq!(full.data["Fields"]["File"][0], json!({"Rule": "tooManyItems", "Params": {"Max": "10"}}));
    shop.app.clock.advance(TimeDelta::hours(25));
    shop.run_jobs().await;
    assert_eq!(shop.app.db.read_blocking(count_attachments).expect("a number"), 0);
    uploaded(&shop, &customer, "12.txt", b"a").await;
}

#[actix_web::test]
async fn a_conversation_is_closed_and_reopened() {
    let shop = Shop::open();
    let (customer, operator) = (shop.customer(0), shop.operator());
    let nothing = shop.call(&customer, "Support/GetConversation", json!({})).await;
    assert_eq!((&nothing.data["Messages"], &nothing.data["Unread"]), (&json!([]), &json!(0)));
    let picture = uploaded(&shop, &customer, "screen.png", &png(64, 32)).await;
    let body = json!({"Text": " It says\r\n407 ", "AttachmentIds": [picture]});
    let first = shop.call(&customer, "Support/SendMessage", body).await;
    assert_eq!(
        (first.code, &first.data["Text"], &first.data["Side"]),
        (1000, &json!("It says\n407"), &json!("customer"))
    );
    let shown =
        json!([{"AttachmentId": picture, "Name": "screen.png", "Kind": "png", "Bytes": 29, "Width": 64, "Height": 32}]);
    assert_eq!(first.data["Attachments"], shown);

    let waiting = json!({"Filter": {"IsWaiting": true}, "Sort": [{"Field": "WaitingSince"}]});
    let list = shop.call(&operator, "Operator/GetConversationList", waiting.clone()).await;
    let row = &list.data["Rows"][0];
    assert_eq!((&list.data["Total"], &row["Email"], &row["Unread"]), (&json!(1), &json!(customer.email), &json!(1)));
    assert_eq!((&row["LastText"], row["WaitingSince"].is_string()), (&json!("It says\n407"), true));
    let of_account = json!({ "AccountId": customer.account_id });
    let found = shop.call(&operator, "Operator/GetConversation", of_account.clone()).await;
    assert_eq!(found.data["Conversation"]["Messages"][0]["Attachments"], shown);
    let facts = &found.data["Customer"];
    assert_eq!(
        (&facts["Account"]["Email"], &facts["Proxies"], &facts["TimeZone"]),
        (&json!(customer.email), &json!(0), &json!("UTC"))
    );
    assert_eq!(found.data["OperatorName"], "Postern", "the shop's, without one of their own");

    let reply = replies(&shop, &operator, &customer, "Add its address.").await;
    let list = shop.call(&operator, "Operator/GetConversationList", waiting).await;
    assert_eq!(list.data["Total"], 0, "who was answered waits no more");
    assert_eq!(shop.call(&customer, "Support/GetUnread", json!({})).await.data["Unread"], 1);
    let seen = shop.call(&customer, "Support/GetConversation", json!({"After": first.data["MessageId"]})).await;
    assert_eq!(
        (texts(&seen.data["Messages"]), &seen.data["Messages"][0]["Author"]),
        (vec!["Add its address."], &json!("Postern"))
    );
    assert!(seen.data["ReadByOther"].as_i64() >= first.data["MessageId"].as_i64(), "who answers has read");
    assert_eq!(shop.call(&customer, "Support/MarkRead", json!({"MessageId": reply + 1_000})).await.data["Unread"], 0);

    let closed = shop.call(&operator, "Operator/CloseConversation", of_account.clone()).await;
    assert_eq!((closed.code, &closed.data["State"]), (1000, &json!("closed")));
    shop.call(&operator, "Operator/CloseConversation", of_account.clone()).await;
    let kinds = shop.call(&customer, "Support/GetConversation", json!({})).await;
    let kinds: Vec<&str> =
        kinds.data["Messages"].as_array().expect("messages").iter().filter_map(|one| one["Kind"].as_str()).collect();
    assert_eq!(kinds, ["text", "text", "closed"], "closing twice is closing once");
    says(&shop, &customer, "It works, thanks").await;
    let open = shop.call(&operator, "Operator/GetConversation", of_account).await;
    assert_eq!(
        (&open.data["Conversation"]["State"], &open.data["Conversation"]["Unread"]),
        (&json!("open"), &json!(1))
    );
}

#[actix_web::test]
async fn operators_can_write_to_any_customer() {
    let shop = Shop::open();
    let (customer, other, operator) = (shop.customer(0), shop.customer(0), shop.operator());
    shop.call(&operator, "User/UpdateAccountDetails", json!({"FirstName": "Robin"})).await;
    replies(&shop, &operator, &customer, "Your server is misconfigured.").await;
    let read = shop.call(&customer, "Support/GetConversation", json!({})).await;
    assert_eq!((&read.data["Messages"][0]["Author"], &read.data["Unread"]), (&json!("Robin"), &json!(1)));
    assert_eq!(shop.call(&other, "Support/GetConversation", json!({})).await.data["Messages"], json!([]));
    let nobody = json!({"AccountId": 999_999, "Text": "a", "MessageId": 1});
    for call in ["SendReply", "GetConversation", "MarkConversationRead", "CloseConversation"] {
        assert_eq!(shop.call(&operator, &format!("Operator/{call}"), nobody.clone()).await.code, 3004, "{call}");
        assert_eq!(shop.call(&other, &format!("Operator/{call}"), nobody.clone()).await.code, 3003, "{call}");
    }
    for call in ["GetConversationList", "GetCannedAnswerList", "SaveCannedAnswer", "WaitForConversations"] {
        assert_eq!(shop.call(&customer, &format!("Operator/{call}"), json!({})).await.code, 3003, "{call}");
    }
    let answered = events::table.filter(events::account_id.eq(customer.account_id));
    let told: Vec<EventKind> =
        shop.app.db.read_blocking(|conn| Ok(answered.select(events::kind).load(conn)?)).expect("events");
    assert_eq!(told, [EventKind::SupportAnswered]);
}

#[actix_web::test]
async fn concurrent_and_repeated_messages_are_stored_once() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let send = |key: String, text: String| {
        let (shop, customer) = (&shop, &customer);
        async move { shop.call_once(customer, &key, "Support/SendMessage", json!({ "Text": text })).await }
    };
    let all = (0..12).map(|number| send(format!("k{}", number / 2), format!("m{}", number / 2)));
    for answer in futures_util::future::join_all(all).await {
        assert_eq!(answer.code, 1000, "{answer:?}");
    }
    let read = shop.call(&customer, "Support/GetConversation", json!({})).await;
    let mut found = texts(&read.data["Messages"]);
    found.sort_unstable();
    assert_eq!(found, ["m0", "m1", "m2", "m3", "m4", "m5"]);
    let rows: i64 =
        shop.app.db.read_blocking(|conn| Ok(support_conversations::table.count().get_result(conn)?)).expect("rows");
    assert_eq!(rows, 1, "one conversation, however many began it");
    assert_eq!(send("k0".into(), "other".into()).await.code, 2009);
}

#[actix_web::test]
async fn a_long_conversation_is_read_in_pages_in_both_directions() {
    let shop = Shop::open();
    let (customer, operator) = (shop.customer(0), shop.operator());
    let mut ids = Vec::new();
    for number in 0..120 {
        if number % 25 == 0 {
            shop.app.clock.advance(TimeDelta::minutes(2));
        }
        ids.push(says(&shop, &customer, &number.to_string()).await);
    }
    let page = async |body: Value| shop.call(&customer, "Support/GetConversation", body).await.data;
    let newest = page(json!({})).await;
    let numbers = |page: &Value| texts(&page["Messages"]).iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let range = |from: usize, to: usize| (from..to).map(|number| number.to_string()).collect::<Vec<_>>();
    assert_eq!((numbers(&newest), newest["HasEarlier"].as_bool()), (range(70, 120), Some(true)));
    let before = page(json!({"Before": ids[70]})).await;
    assert_eq!((numbers(&before), before["HasEarlier"].as_bool()), (range(20, 70), Some(true)));
    let first = page(json!({"Before": ids[20]})).await;
    assert_eq!((numbers(&first), first["HasEarlier"].as_bool()), (range(0, 20), Some(false)));
    let after = page(json!({"After": ids[9]})).await;
    assert_eq!((numbers(&after), after["HasLater"].as_bool()), (range(10, 60), Some(true)));
    let after = page(json!({"After": ids[99]})).await;
    assert_eq!((numbers(&after), after["HasLater"].as_bool()), (range(100, 120), Some(false)));
    let seen = shop.call(&operator, "Operator/GetConversation", json!({"AccountId": customer.account_id})).await;
    assert_eq!(seen.data["Conversation"]["Unread"], 120);
}

#[actix_web::test]
async fn floods_of_messages_are_refused_and_suspended_customers_can_write() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    suspend(&shop, &customer);
    for number in 0..30 {
        says(&shop, &customer, &number.to_string()).await;
    }
    let refused = shop.call(&customer, "Support/SendMessage", json!({"Text": "one more"})).await;
    assert!(refused.code == 4290 && refused.data["RetryAfterMs"].as_i64() > Some(0), "{refused:?}");
    shop.app.clock.advance(TimeDelta::minutes(1));
    says(&shop, &customer, "later").await;
    uploaded(&shop, &customer, "a.txt", b"a").await;
    let wrong = shop.call(&customer, "Support/SendMessage", json!({"Text": " "})).await;
    assert_eq!(wrong.data["Fields"]["Text"][0]["Rule"], "required");
    let kept: i64 =
        shop.app.db.read_blocking(|conn| Ok(support_messages::table.count().get_result(conn)?)).expect("rows");
    assert_eq!(kept, 31);
}

#[actix_web::test]
async fn unread_messages_are_mailed_once_after_some_minutes() {
    let shop = Shop::open();
    let (customer, operator) = (shop.customer(0), shop.operator());
    let mails = |who: &Customer| shop.mails_about(&who.email, "support");
    let pass = async |minutes: i64| {
        shop.app.clock.advance(TimeDelta::minutes(minutes));
        shop.run_jobs().await;
    };
    says(&shop, &customer, "Anybody there?").await;
    pass(2).await;
    assert_eq!(mails(&operator), 0);
    says(&shop, &customer, "Hello?").await;
    pass(2).await;
    pass(60).await;
    let newest = says(&shop, &customer, "Still nobody").await;
    pass(60).await;
    assert_eq!(mails(&operator), 1, "one for all, until somebody reads");
    let mail = shop.last_mail_to(&operator.email).expect("a mail");
    let link = format!("/operator/support/{}", customer.account_id);
    assert!(mail.contains("Anybody there?") && mail.contains(": 2") && mail.contains(&link), "{mail}");
    let read = json!({"AccountId": customer.account_id, "MessageId": newest});
    assert_eq!(shop.call(&operator, "Operator/MarkConversationRead", read).await.data["Unread"], 0);
    says(&shop, &customer, "And now?").await;
    pass(4).await;
    assert_eq!(mails(&operator), 2);

    let answer = replies(&shop, &operator, &customer, "Sorry for the wait.").await;
    shop.call(&customer, "Support/MarkRead", json!({"MessageId": answer})).await;
    pass(10).await;
    assert_eq!(mails(&customer), 0, "read in time");
    replies(&shop, &operator, &customer, "It was your firewall.").await;
    replies(&shop, &operator, &customer, "Restart it.").await;
    pass(6).await;
    pass(60).await;
    assert_eq!(mails(&customer), 1);
    let mail = shop.last_mail_to(&customer.email).expect("a mail");
    assert!(mail.contains("It was your firewall.") && mail.contains("/contact-support"), "{mail}");
}

#[actix_web::test]
async fn canned_answers_are_shared_and_sorted_by_title() {
    let shop = Shop::open();
    let (operator, other) = (shop.operator(), shop.operator());
    let save = async |who: &Customer, body: Value| shop.call(who, "Operator/SaveCannedAnswer", body).await;
    let unknown = save(&operator, json!({"Title": "", "Text": "{surname}"})).await;
    assert_eq!(unknown.data["Fields"]["Title"][0]["Rule"], "required");
    assert_eq!(
        unknown.data["Fields"]["Text"][0],
        json!({"Rule": "unknownPlaceholder", "Params": {"Value": "{surname}"}})
    );
    save(&operator, json!({"Title": "b", "Text": "Hi {name}"})).await;
    let both = save(&operator, json!({"Title": "a", "Text": "x"})).await;
    let id = |index: usize| both.data[index]["CannedAnswerId"].clone();
    assert_eq!((&both.data[0]["Title"], &both.data[1]["Text"]), (&json!("a"), &json!("Hi {name}")));
    let taken = save(&other, json!({"Title": "b", "Text": "y"})).await;
    assert_eq!(taken.data["Fields"]["Title"][0]["Rule"], "nameTaken");
    assert_eq!(save(&other, json!({"CannedAnswerId": id(0), "Title": "b", "Text": "y"})).await.code, 2001);
    let changed = save(&other, json!({"CannedAnswerId": id(0), "Title": "c", "Text": "y"})).await;
    assert_eq!((&changed.data[1]["Title"], changed.data.as_array().map(Vec::len)), (&json!("c"), Some(2)));
    let delete =
        async |id: Value| shop.call(&other, "Operator/DeleteCannedAnswer", json!({ "CannedAnswerId": id })).await;
    assert_eq!(delete(id(0)).await.data.as_array().map(Vec::len), Some(1));
    assert_eq!(
        (
            delete(id(0)).await.code,
            save(&other, json!({"CannedAnswerId": id(0), "Title": "d", "Text": "y"})).await.code
        ),
        (3004, 3004)
    );
    for number in 1..100 {
        assert_eq!(save(&operator, json!({"Title": number.to_string(), "Text": "x"})).await.code, 1000);
    }
    assert_eq!(
        save(&operator, json!({"Title": "full", "Text": "x"})).await.data["Fields"]["Title"][0]["Rule"],
        "tooManyItems"
    );
    let list = shop.call(&other, "Operator/GetCannedAnswerList", json!({})).await;
    assert_eq!(list.data.as_array().map(Vec::len), Some(100));
}
