//! Repeated requests: the stored answer of an idempotency key comes before every other check than that of the sender, in every call that takes one.
use crate::shop::{CallAnswer, Customer, Shop, answer_of};
use crate::two_factor::turn_on;
use chrono::TimeDelta;
use postern_core::api_key::{CALLS_PER_WINDOW, window_of};
use postern_core::calls::{Call, KeyUse, Scope, calls};
use postern_core::two_factor::CONFIRMED_MINUTES;
use postern_server::db::prelude::*;
use postern_server::schema::{api_keys, idempotency_keys};
use postern_server::security::sha256;
use serde_json::{Value, json};

/// A body that no call takes: nothing but the stored answer can be the answer to it.
fn nonsense() -> Value {
    json!({ "Nonsense": "of no call" })
}

/// The name and content of an uploaded file that is none of the allowed kinds.
const FILE: (&str, &str) = ("nonsense.exe", "MZ");

/// The key of a call in these tests.
fn key_of(call: &Call) -> String {
    call.name.replace('/', "-")
}

/// What the stored answer of a call is in these tests.
fn stored(call: &Call) -> Value {
    json!({ "StoredAnswerOf": call.name })
}

/// Stores an answer for a key that is named like the call; encrypted, if asked.
fn store(shop: &Shop, customer: &Customer, call: &Call, is_sealed: bool) {
    use idempotency_keys::dsl;
    let text = stored(call).to_string();
    let answer = if is_sealed { shop.app.key.seal(&text).expect("a sealed text") } else { text };
    let body = if call.is_upload { format!("{}\n{}", FILE.0, FILE.1) } else { nonsense().to_string() };
    let row = (
        dsl::account_id.eq(customer.account_id),
        dsl::idempotency_key.eq(key_of(call)),
        dsl::body_sha256.eq(sha256(format!("/api/{}\n{body}", call.name))),
        dsl::answer.eq(answer),
        dsl::created_at.eq(shop.app.clock.now()),
    );
    let kept = shop.app.db.write_blocking(|conn| {
        diesel::delete(dsl::idempotency_keys).execute(conn)?;
        Ok(diesel::insert_into(dsl::idempotency_keys).values(row.clone()).execute(conn)?)
    });
    assert_eq!(kept.expect("a row"), 1);
}

/// Makes the call with the key; another body if asked.
async fn ask(shop: &Shop, token: &str, call: &Call, is_other: bool) -> CallAnswer {
    let other = if is_other { "2" } else { "" };
    let (kind, body) = if call.is_upload {
        let head = format!("Content-Disposition: form-data; name=\"file\"; filename=\"{}\"", FILE.0);
        let form = format!("--edge\r\n{head}\r\nContent-Type: image/png\r\n\r\n{}{other}\r\n--edge--\r\n", FILE.1);
        ("multipart/form-data; boundary=edge", form)
    } else {
        ("application/json", nonsense().to_string() + other)
    };
    let key = key_of(call);
    let headers = [("Token", token), ("Idempotency-Key", key.as_str()), ("Content-Type", kind)];
    answer_of(shop.post_raw(&format!("/api/{}", call.name), body, &headers).await).await
}

/// Uses up the rate limit of all keys.
fn use_up_keys(shop: &Shop) {
    let (window, _) = window_of(shop.app.clock.now());
    let full = (
        api_keys::limited_window.eq(window),
        api_keys::limited_calls.eq(i32::try_from(CALLS_PER_WINDOW).expect("a small number")),
    );
    let set = shop.app.db.write_blocking(|conn| Ok(diesel::update(api_keys::table).set(full).execute(conn)?));
    assert!(set.expect("keys") > 0);
}

async fn key_with(shop: &Shop, customer: &Customer, scopes: &[Scope]) -> String {
    let scopes: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
    let form = json!({ "Name": "program", "Scopes": scopes });
    let added = shop.call(customer, "ApiKeys/AddApiKey", form).await;
    added.data["Secret"].as_str().unwrap_or_else(|| panic!("{added:?}")).to_owned()
}

#[actix_web::test]
async fn in_every_call_that_takes_a_key_the_stored_answer_comes_before_every_other_check() {
    let shop = Shop::open();
    let operator = shop.operator();
    turn_on(&shop, &operator).await;
    let of_all = key_with(&shop, &operator, Scope::ALL).await;
    let of_reading = key_with(&shop, &operator, &[Scope::ReadAccount]).await;
    shop.app.clock.advance(TimeDelta::minutes(CONFIRMED_MINUTES + 1));
    let operator = shop.signs_in(&operator);
    let keyed: Vec<&Call> = calls().iter().filter(|call| call.takes_key).collect();
    assert!(keyed.len() >= 50, "{}", keyed.len());
    for (number, call) in keyed.into_iter().enumerate() {
        let unstored = ask(&shop, &operator.token, call, false).await;
        assert_ne!(unstored.data, stored(call), "{}", call.name);
        if call.requires_confirmation {
            assert_eq!(unstored.data["Key"], "twoFactorConfirm", "{}", call.name);
        }
        store(&shop, &operator, call, number % 2 == 1);
        let repeated = ask(&shop, &operator.token, call, false).await;
        assert_eq!((repeated.code, &repeated.data), (1000, &stored(call)), "{}: {repeated:?}", call.name);
        let other = ask(&shop, &operator.token, call, true).await;
        assert_eq!((other.status, other.code), (200, 2009), "{}: {other:?}", call.name);

        use_up_keys(&shop);
        let by_key = ask(&shop, &of_all, call, false).await;
        match call.key_use {
            KeyUse::With(_) => {
                assert_eq!((by_key.status, by_key.code, &by_key.data), (200, 1000, &stored(call)), "{}", call.name);
                let other = ask(&shop, &of_all, call, true).await;
                assert_eq!((other.status, other.code), (200, 2009), "{}: {other:?}", call.name);
            }
            KeyUse::SignedInOnly => assert_eq!(by_key.code, 3003, "{}: {by_key:?}", call.name),
        }
        let by_reader = ask(&shop, &of_reading, call, false).await;
        assert_eq!(by_reader.code, 3003, "{}: the key lacks the scope: {by_reader:?}", call.name);
        let stranger = ask(&shop, &shop.customer(0).token, call, false).await;
        assert_ne!(stranger.data, stored(call), "{}: an answer of another account", call.name);
        let nobody = ask(&shop, "no-token", call, false).await;
        assert_eq!(nobody.status, 401, "{}", call.name);
    }
}

#[actix_web::test]
async fn a_call_without_keys_ignores_one() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let group = json!({ "Name": "Crawlers", "Colour": "", "Note": "" });
    let added = shop.call_once(&ann, "one-key", "Ips/AddUserPlanGroup", group).await;
    assert_eq!(added.code, 1000, "{added:?}");
    let listed = shop.call_once(&ann, "one-key", "Ips/GetUserPlanGroupList", json!({})).await;
    assert_eq!((listed.code, listed.data.as_array().map(Vec::len)), (1000, Some(1)), "{:?}", listed.data);
}

#[actix_web::test]
async fn a_repeated_upload_needs_the_same_name_and_content() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let send = async |name: &str, content: &str, edge: &str| {
        let head = format!("Content-Disposition: form-data; name=\"file\"; filename=\"{name}\"");
        let body = format!("--{edge}\r\n{head}\r\nContent-Type: text/plain\r\n\r\n{content}\r\n--{edge}--\r\n");
        let kind = format!("multipart/form-data; boundary={edge}");
        let headers = [("Token", ann.token.as_str()), ("Idempotency-Key", "file-1"), ("Content-Type", kind.as_str())];
        answer_of(shop.post_raw("/api/Support/UploadAttachment", body, &headers).await).await
    };
    let first = send("log.txt", "one line", "first").await;
    assert_eq!(first.code, 1000, "{first:?}");
    let again = send("log.txt", "one line", "another").await;
    assert_eq!((again.code, &again.data), (1000, &first.data), "the boundary is not the file");
    assert_eq!(send("log.txt", "another line", "first").await.code, 2009);
    assert_eq!(send("log2.txt", "one line", "first").await.code, 2009);
}
