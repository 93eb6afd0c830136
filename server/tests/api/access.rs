//! Access control: every route of the server, called by every kind of user, against the table in `access.txt`.
use crate::shop::{Customer, REGULAR, Shop, clients, order_for};
use postern_core::account::AccountState;
use postern_core::calls::{self, Access, Call, KeyUse, Method, Scope};
use postern_core::permission::Level;
use postern_server::app::openapi;
use postern_server::db::prelude::*;
use postern_server::schema::accounts;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;
use std::time::Duration;

const TABLE: &str = include_str!("access.txt");

/// A marker in all free text of the owner.
const MARK: &str = "annsown";

/// A response: whether the call was admitted, its code, and the text.
struct Response {
    admission: &'static str,
    code: u64,
    text: String,
}

async fn send(client: &reqwest::Client, shop: &Shop, call: &Call, token: &str, body: &Value) -> Response {
    let url = format!("{}/api/{}", shop.url, call.name);
    let request = match call.method {
        Method::Get => client.get(url),
        Method::Post => client.post(url).json(body),
    };
    let request = if token.is_empty() { request } else { request.header("Token", token) };
    let response = request.send().await.expect("an answer");
    if response.status() == 401 {
        return Response { admission: "401", code: 3001, text: String::new() };
    }
    let is_json = response.headers()["Content-Type"].as_bytes().starts_with(b"application/json");
    // A stream never ends.
    let is_stream = response.headers()["Content-Type"].as_bytes().starts_with(b"application/x-ndjson");
    let text = if is_stream { String::new() } else { response.text().await.unwrap_or_default() };
    let answer: Value = if is_json { serde_json::from_str(&text).expect("JSON") } else { json!({"Code": 1000}) };
    let code = answer["Code"].as_u64().unwrap_or_default();
    assert_ne!(code, 5000, "{}: {text}", call.name);
    Response { admission: if code == 3003 { "no" } else { "yes" }, code, text }
}

/// All callers, with accounts whose centres show everything.
struct Callers {
    customer: Customer,
    reseller: Customer,
    operator: Customer,
    suspended: Customer,
    suspended_operator: Customer,
    /// Tokens of keys with only this scope, and of keys with all other scopes.
    keys: HashMap<Scope, (String, String)>,
}

fn user_with(shop: &Shop, level: Level, state: AccountState) -> Customer {
    let customer = shop.customer(10_000);
    let set = shop.app.db.write_blocking(|conn| {
        let account = accounts::table.find(customer.account_id);
        let change = (accounts::level.eq(level), accounts::state.eq(state), accounts::show_access_token.eq(true));
        Ok(diesel::update(account).set(change).execute(conn)?)
    });
    assert_eq!(set.expect("an update"), 1);
    customer
}

async fn key_with(shop: &Shop, customer: &Customer, scopes: &[Scope]) -> String {
    let form = json!({"Name": "key", "Scopes": scopes});
    let answer = shop.call(customer, "ApiKeys/AddApiKey", form).await;
    answer.data["Secret"].as_str().unwrap_or_else(|| panic!("a key: {answer:?}")).to_owned()
}

async fn callers(shop: &Shop) -> Callers {
    let customer = user_with(shop, Level::Customer, AccountState::Active);
    let operator = user_with(shop, Level::Operator, AccountState::Active);
    let mut keys = HashMap::new();
    for scope in Scope::ALL {
        let is_operators = *scope == Scope::Operate;
        let owner = if is_operators { &operator } else { &customer };
        let others: Vec<Scope> = Scope::ALL
            .iter()
            .copied()
            .filter(|other| other != scope && (is_operators || *other != Scope::Operate))
            .collect();
        keys.insert(*scope, (key_with(shop, owner, &[*scope]).await, key_with(shop, owner, &others).await));
    }
    Callers {
        customer,
        reseller: user_with(shop, Level::Reseller, AccountState::Active),
        operator,
        suspended: user_with(shop, Level::Customer, AccountState::Suspended),
        suspended_operator: user_with(shop, Level::Operator, AccountState::Suspended),
        keys,
    }
}

/// An account with one of everything, each with id 1, as in the examples of the document.
async fn owner(shop: &Shop) -> Customer {
    let ann = shop.owner_of(3, 100_000).await;
    let make = async |call: &str, body: Value| {
        let answer = shop.call(&ann, call, body).await;
        assert_eq!(answer.code, 1000, "{call}: {answer:?}");
        answer.data
    };
    make("User/UpdateAccountDetails", json!({"CompanyName": MARK})).await;
    make("Ips/AddUserPlanGroup", json!({"Name": MARK, "Colour": "", "Note": MARK})).await;
    make("Ips/EditNodeNote", json!({"All": true, "Note": MARK})).await;
    make("Ips/AddWhiteList", json!({"VerStr": REGULAR, "Address": "8.8.8.8", "Label": MARK})).await;
    make("ProxyUsers/AddProxyUser", json!({"Name": MARK, "Note": MARK})).await;
    let server = json!({"Name": "gate", "Kind": "residential", "Host": "gate.example", "HttpPort": "8000"});
    let server =
        shop.call(&shop.operator(), "Operator/AddProxyServer", server).await.data["Server"]["ServerId"].clone();
    let settings = json!({"ServerId": server, "Scheme": "http", "Count": 1, "Format": "url"});
    make("Endpoints/SavePreset", json!({"Name": MARK, "Settings": settings})).await;
    make("Endpoints/CreateUrl", json!({"Name": MARK, "ProxyUserId": 1, "Settings": settings})).await;
    make("Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    make("ApiKeys/AddApiKey", json!({"Name": MARK, "Scopes": ["account:read"]})).await;
    let hook = json!({"Url": format!("https://hooks.example.com/{MARK}"), "Description": MARK});
    make("Webhooks/AddWebhook", hook).await;
    make("Webhooks/SendTestEvent", json!({"WebhookId": 1})).await;
    let file = shop.upload(&ann, "Support/UploadAttachment", "a.txt", MARK.as_bytes()).await.data;
    make("Support/SendMessage", json!({"Text": MARK, "AttachmentIds": [file["AttachmentId"]]})).await;
    shop.gives_traffic(&ann, 1_000, shop.app.clock.now(), None);
    make("ProxyUsers/AddProxyUserAddress", json!({"ProxyUserId": 1, "Address": "8.8.8.8", "Label": MARK})).await;
    ann
}

/// Everything the owner's account has, from its own lists.
async fn belongings(shop: &Shop, ann: &Customer) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for call in calls::calls() {
        let is_list = call.name.ends_with("List")
            || ["GetTraffic", "GetCenter", "GetWallet"].iter().any(|end| call.name.ends_with(end));
        if call.access == Access::SignedIn && call.method == Method::Post && is_list {
            let answer = shop.call(ann, call.name, json!({})).await;
            let mut text = answer.data.to_string();
            // The remaining hold time changes.
            if call.name == "Order/GetUnpaidOrderList" || call.name == "Order/GetOrderList" {
                text = answer.data["Rows"]
                    .as_array()
                    .unwrap_or(&Vec::new())
                    .iter()
                    .map(|row| row["State"].to_string())
                    .collect();
            }
            // Each request updates the last use of its session.
            if call.name == "User/GetSessionList" {
                text = answer.data["Sessions"].as_array().map_or(0, Vec::len).to_string();
            }
            all.push((call.name, text));
        }
    }
    all
}

/// A line of the table.
async fn line(
    client: &reqwest::Client,
    shop: &Shop,
    callers: &Callers,
    ann: &Customer,
    call: &Call,
    document: &Value,
) -> String {
    let is_operators = call.access == Access::Operator;
    let nothing = json!({});
    let mut line = format!("{:<38}", call.name);
    let suspended = if is_operators { &callers.suspended_operator } else { &callers.suspended };
    for who in [None, Some(&callers.customer), Some(&callers.reseller), Some(&callers.operator), Some(suspended)] {
        // A separate session for each, because one of the calls ends it.
        let token = who.map(|who| shop.signs_in(who).token).unwrap_or_default();
        let _ = write!(line, "{:<10}", send(client, shop, call, &token, &nothing).await.admission);
    }
    let scope = match call.key_use {
        KeyUse::With(scope) => scope,
        KeyUse::SignedInOnly => Scope::WriteAccount,
    };
    let (with, without) = &callers.keys[&scope];
    for token in [without, with] {
        let _ = write!(line, "{:<10}", send(client, shop, call, token, &nothing).await.admission);
    }
    // A stranger, new for each call, uses the ids of the owner.
    let bob = shop.customer(0);
    let body = example(document, call).unwrap_or(nothing);
    let response = send(client, shop, call, &bob.token, &body).await;
    assert!(!response.text.contains(MARK), "{} tells a stranger: {}", call.name, response.text);
    assert!(!response.text.contains(&ann.email), "{} tells a stranger: {}", call.name, response.text);
    let _ = write!(line, "{}", response.code);
    line
}

fn example(document: &Value, call: &Call) -> Option<Value> {
    let body = &document["paths"][format!("/api/{}", call.name)]["post"]["requestBody"];
    body["content"]["application/json"].get("example").cloned()
}

#[actix_web::test]
async fn access_to_every_call_matches_the_table() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 10);
    let ann = owner(&shop).await;
    assert_eq!(ann.account_id, 1);
    let callers = callers(&shop).await;
    let client = clients::builder().timeout(Duration::from_secs(30)).build().expect("a client");
    let before = belongings(&shop, &ann).await;
    let (head, _) = TABLE.split_once("\n\n").expect("a head");
    let mut written = format!("{head}\n\n");
    let document = openapi::document();
    for call in calls::calls() {
        written += &line(&client, &shop, &callers, &ann, call, &document).await;
        written.push('\n');
    }
    assert_eq!(belongings(&shop, &ann).await, before, "strangers changed what is not theirs");
    if std::env::var_os("WRITE_ACCESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/api/access.txt"), &written).expect("written");
    }
    let differences: Vec<_> = written
        .lines()
        .filter(|line| !TABLE.lines().any(|kept| kept == *line))
        .chain(TABLE.lines().filter(|kept| !written.lines().any(|line| line == *kept)))
        .collect();
    assert!(differences.is_empty(), "access.txt has other lines:\n{}", differences.join("\n"));
}
