//! API keys: what a program may and may not do with one.
use crate::shop::{CallAnswer, Customer, Shop, answer_of, clients, order_for};
use crate::two_factor::turn_on;
use chrono::TimeDelta;
use postern_core::account::AccountState;
use postern_core::api_key::{CALLS_PER_WINDOW, MAX_API_KEYS};
use postern_core::permission::Level;
use postern_core::time::to_wire;
use postern_core::two_factor::CONFIRMED_MINUTES;
use postern_server::api_keys::queries::revoke_all;
use postern_server::db::prelude::*;
use postern_server::schema::{accounts, api_keys, users};
use postern_server::webhooks::dispatch;
use serde_json::{Value, json};

/// A program with a new key of a customer.
async fn key_of(shop: &Shop, customer: &Customer, form: Value) -> (Value, Customer) {
    let answer = shop.call(customer, "ApiKeys/AddApiKey", form).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    let token = answer.data["Secret"].as_str().expect("a secret").to_owned();
    (answer.data["ApiKey"]["ApiKeyId"].clone(), Customer { token, ..customer.clone() })
}

fn scoped(scopes: &[&str]) -> Value {
    json!({"Name": "program", "Scopes": scopes})
}

fn set_account(shop: &Shop, customer: &Customer, state: AccountState, level: Level) {
    let set = shop.app.db.write_blocking(|conn| {
        let change = (accounts::state.eq(state), accounts::level.eq(level));
        Ok(diesel::update(accounts::table.find(customer.account_id)).set(change).execute(conn)?)
    });
    assert_eq!(set.expect("an update"), 1);
}

#[actix_web::test]
async fn invalid_and_ended_keys_get_401() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let unknown = format!("ptn_{}", "x".repeat(43));
    for token in [unknown.as_str(), "ptn_", "ptn_short"] {
        let answer = shop.send("User/GetWallet", json!({}), &[("Token", token)]).await;
        assert_eq!((answer.status, answer.code), (401, 3001), "{token}");
    }
    let (id, key) = key_of(&shop, &ann, scoped(&["billing:read"])).await;
    assert_eq!(shop.call(&key, "User/GetWallet", json!({})).await.code, 1000);
    assert_eq!(shop.call(&ann, "ApiKeys/RevokeApiKey", json!({ "ApiKeyId": id })).await.code, 1000);
    assert_eq!(shop.call(&key, "User/GetWallet", json!({})).await.status, 401);
    assert_eq!(shop.call(&ann, "ApiKeys/RevokeApiKey", json!({ "ApiKeyId": id })).await.code, 3004, "once only");
    let soon = to_wire(shop.app.clock.now() + TimeDelta::hours(1));
    let form = json!({"Name": "for an hour", "Scopes": ["billing:read"], "ExpiresAt": soon});
    let (_, key) = key_of(&shop, &ann, form).await;
    assert_eq!(shop.call(&key, "User/GetWallet", json!({})).await.code, 1000);
    shop.app.clock.advance(TimeDelta::hours(1));
    assert_eq!(shop.call(&key, "User/GetWallet", json!({})).await.status, 401);
    let listed = shop.call(&ann, "ApiKeys/GetApiKeyList", json!({})).await.data;
    assert_eq!((listed.as_array().map(Vec::len), &listed[0]["IsExpired"]), (Some(1), &json!(true)));
}

#[actix_web::test]
async fn a_key_buys_an_ip_and_is_refused_outside_its_scope_and_its_addresses() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3);
    let ann = shop.customer(10_000);
    let form = json!({"Name": "buyer", "Scopes": ["billing:write", "proxies:read"], "Addresses": ["203.0.113.0/24"]});
    let (_, key) = key_of(&shop, &ann, form).await;
    let from = async |address: &str, call: &str, body: Value| -> CallAnswer {
        shop.send(call, body, &[("Token", &key.token), ("X-Forwarded-For", address)]).await
    };
    let mut order = order_for(&[("US", "new-york", 1)], "5.00");
    order["PayFromWallet"] = json!(true);
    let refused = from("198.51.100.9", "Order/CreateOrder", order.clone()).await;
    assert_eq!((refused.status, refused.code), (200, 3003));
    assert_eq!(refused.data, json!({"Address": "198.51.100.9"}));
    let bought = from("203.0.113.9", "Order/CreateOrder", order).await;
    assert_eq!((bought.code, &bought.data["State"]), (1000, &json!("fulfilled")), "{bought:?}");
    let nodes = from("203.0.113.9", "Ips/GetUserNodeList", json!({})).await;
    assert_eq!(nodes.data["Rows"].as_array().map(Vec::len), Some(1));
    for (call, needed) in [
        ("Ips/EditNodeNote", "proxies:write"),
        ("Order/GetOrderList", "billing:read"),
        ("User/GetAccountDetails", "account:read"),
        ("User/Logout", "person"),
        ("ApiKeys/AddApiKey", "person"),
        ("ApiKeys/EditApiKey", "person"),
        ("ApiKeys/RevokeApiKey", "person"),
        ("User/RevealAccessToken", "person"),
        ("User/RevokeAccessToken", "person"),
        ("User/RotateAccessToken", "person"),
    ] {
        let answer = from("203.0.113.9", call, json!({})).await;
        assert_eq!((answer.code, &answer.data["Needed"]), (3003, &json!(needed)), "{call}");
    }
    let answer = from("203.0.113.9", "Operator/GetAccountList", json!({})).await;
    assert_eq!((answer.code, answer.data), (3003, Value::Null));
    assert_eq!(from("203.0.113.9", "Nothing/Such", json!({})).await.code, 3004);
    assert_eq!(shop.call(&ann, "User/GetWallet", json!({})).await.data["WalletBalance"], "95.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_key_never_exceeds_its_account() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let refused = shop.call(&ann, "ApiKeys/AddApiKey", scoped(&["operator"])).await;
    assert_eq!((refused.code, &refused.data["Fields"]["Scopes"][0]["Rule"]), (2001, &json!("scopeOfOperators")));
    let operator = shop.operator();
    let (_, key) = key_of(&shop, &operator, scoped(&["operator", "proxies:read", "billing:read"])).await;
    assert_eq!(shop.call(&key, "Operator/GetAccountList", json!({})).await.code, 1000);
    set_account(&shop, &operator, AccountState::Active, Level::Customer);
    assert_eq!(shop.call(&key, "Operator/GetAccountList", json!({})).await.code, 3003);
    assert_eq!(shop.call(&key, "Ips/GetUserNodeList", json!({})).await.code, 1000);
    set_account(&shop, &operator, AccountState::Suspended, Level::Customer);
    assert_eq!(shop.call(&key, "Ips/GetUserNodeList", json!({})).await.code, 3003);
    assert_eq!(shop.call(&key, "User/GetWallet", json!({})).await.code, 1000, "it sees its billing");
}

#[actix_web::test]
async fn an_operators_key_opens_rows_of_other_accounts_only_with_the_operators_scope() {
    let shop = Shop::open();
    let (owner, operator) = (shop.owner_of(1, 0).await, shop.operator());
    let list = shop.call(&owner, "Billing/GetInvoiceList", json!({})).await.data;
    let invoice = json!({"InvoiceNumber": list["Rows"][0]["InvoiceNumber"]});
    let file = shop.upload(&owner, "Support/UploadAttachment", "a.txt", b"secret").await.data["AttachmentId"].clone();
    shop.call(&owner, "Support/SendMessage", json!({"Text": "", "AttachmentIds": [file]})).await;
    let file = json!({ "AttachmentId": file });
    let (_, reader) = key_of(&shop, &operator, scoped(&["billing:read", "account:read"])).await;
    let (_, program) = key_of(&shop, &operator, scoped(&["billing:read", "account:read", "operator"])).await;
    let sees = async |who: &Customer| {
        let read = shop.call(who, "Billing/GetInvoice", invoice.clone()).await.code;
        let printed = shop.download_bytes(who, "Billing/GetInvoicePdf", invoice.clone()).await.starts_with(b"%PDF");
        let downloaded = shop.download(who, "Support/GetAttachment", file.clone()).await == "secret";
        (read, printed, downloaded)
    };
    assert_eq!(sees(&reader).await, (3004, false, false));
    assert_eq!(sees(&program).await, (1000, true, true));
    assert_eq!(sees(&operator).await, (1000, true, true));
    set_account(&shop, &operator, AccountState::Suspended, Level::Operator);
    for who in [&reader, &program, &operator] {
        assert_eq!(sees(who).await, (3004, false, false), "suspended, nobody sees them");
    }
}

#[actix_web::test]
async fn a_key_without_the_scope_for_billing_learns_no_amounts() {
    let shop = Shop::open_with(&[("POSTERN_WEBHOOK_TEST_HOSTS", "127.0.0.1")]);
    let ann = shop.owner_of(2, 10_000).await;
    shop.stock("US", "new-york", 3);
    let node = shop.nodes_of(&ann).await[0]["NodeId"].clone();
    let (_, plain) = key_of(&shop, &ann, scoped(&["account:read", "account:write", "proxies:write"])).await;
    let billing = ["account:read", "account:write", "proxies:write", "billing:read"];
    let (_, billing) = key_of(&shop, &ann, scoped(&billing)).await;
    let url = "http://127.0.0.1:9/";
    let hook = shop.call(&ann, "Webhooks/AddWebhook", json!({ "Url": url })).await.data["WebhookId"].clone();
    shop.buys(&ann, order_for(&[("US", "new-york", 1)], "5.00")).await;
    dispatch::dispatch(&shop.app).await.expect("dispatched");
    let kinds = async |who: &Customer| {
        let list = shop.call(who, "Notifications/GetNotificationList", json!({})).await.data;
        let rows = list["Rows"].as_array().cloned().unwrap_or_default();
        let kinds: Vec<String> = rows.iter().map(|row| row["Kind"].as_str().unwrap_or_default().to_owned()).collect();
        (kinds, shop.call(who, "Notifications/GetUnread", json!({})).await.data["Unread"].clone())
    };
    let seen = kinds(&ann).await;
    assert!(seen.0.contains(&"order.paid".to_owned()), "{seen:?}");
    assert_eq!(kinds(&billing).await, seen);
    let (seen, unread) = kinds(&plain).await;
    // The owner has just made the keys and bought, in person: nothing of it is unread.
    assert!(!seen.iter().any(|kind| kind == "order.paid") && unread == json!(0), "{seen:?} {unread}");

    let deliveries = shop.call(&plain, "Webhooks/GetDeliveryList", json!({})).await.data["Rows"].clone();
    let delivery = deliveries.as_array().expect("rows").iter().find(|row| row["Kind"] == "order.paid");
    let delivery = json!({"DeliveryId": delivery.expect("a delivery")["DeliveryId"]});
    let some = json!(["support.answered"]);
    for (call, body, expected) in [
        ("Webhooks/GetDelivery", delivery.clone(), 3003),
        ("Webhooks/ResendDelivery", delivery, 3003),
        ("Webhooks/AddWebhook", json!({ "Url": url }), 3003),
        ("Webhooks/AddWebhook", json!({"Url": url, "Events": ["wallet.low"]}), 3003),
        ("Webhooks/AddWebhook", json!({"Url": url, "Events": some}), 1000),
        ("Webhooks/EditWebhook", json!({"WebhookId": hook, "Url": url, "Events": some}), 3003),
    ] {
        let answer = shop.call(&plain, call, body.clone()).await;
        assert_eq!(answer.code, expected, "{call} {body}: {answer:?}");
        assert!(expected == 1000 || answer.data["Needed"] == "billing:read", "{call}: {answer:?}");
        assert_ne!(shop.call(&billing, call, body.clone()).await.code, 3003, "{call} {body}");
    }
    let preview = json!({"NodeIds": [node], "DryRun": true});
    let balances = async |who: &Customer| {
        let told = shop.call(who, "Ips/SwitchNode", preview.clone()).await;
        assert_eq!(told.code, 1000, "{told:?}");
        (told.data["Balance"].clone(), told.data["BalanceAfter"].clone())
    };
    assert_eq!(balances(&plain).await, (Value::Null, Value::Null));
    let balance = json!(shop.balance(&ann).await);
    assert_eq!(balances(&billing).await, (balance.clone(), balance));
}

#[actix_web::test]
async fn another_account_neither_sees_nor_changes_a_key() {
    let shop = Shop::open();
    let (ann, bob) = (shop.customer(0), shop.customer(0));
    let (id, key) = key_of(&shop, &ann, scoped(&["account:read"])).await;
    assert_eq!(shop.call(&bob, "ApiKeys/GetApiKeyList", json!({})).await.data, json!([]));
    let edit = json!({"ApiKeyId": id, "Name": "mine", "Scopes": ["billing:write"]});
    assert_eq!(shop.call(&bob, "ApiKeys/EditApiKey", edit.clone()).await.code, 3004);
    assert_eq!(shop.call(&bob, "ApiKeys/RevokeApiKey", json!({ "ApiKeyId": id })).await.code, 3004);
    let listed = shop.call(&key, "ApiKeys/GetApiKeyList", json!({})).await.data;
    assert_eq!((&listed[0]["Name"], &listed[0]["Scopes"]), (&json!("program"), &json!(["account:read"])));
    let edited = shop.call(&ann, "ApiKeys/EditApiKey", edit).await;
    assert_eq!((edited.code, &edited.data["Scopes"]), (1000, &json!(["billing:write"])));
    assert_eq!(shop.call(&key, "ApiKeys/GetApiKeyList", json!({})).await.code, 3003, "from its next call on");
}

#[actix_web::test]
async fn a_secret_is_shown_once_and_only_its_hash_is_kept() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let form = json!({"Name": " Deploy ", "Scopes": ["account:read"], "Addresses": ["127.0.0.1", "2001:db8::/32"]});
    let first = shop.call_once(&ann, "k1", "ApiKeys/AddApiKey", form.clone()).await;
    let again = shop.call_once(&ann, "k1", "ApiKeys/AddApiKey", form).await;
    assert_eq!((first.code, &first.data), (1000, &again.data), "a repeated request gets the same key");
    let secret = first.data["Secret"].as_str().expect("a secret");
    assert!(secret.len() == 47 && secret.starts_with("ptn_"), "{secret}");
    let key = Customer { token: secret.to_owned(), ..ann.clone() };
    shop.call(&key, "User/GetUserInfo", json!({})).await;
    let listed = shop.call(&ann, "ApiKeys/GetApiKeyList", json!({})).await.data;
    assert!(!listed.to_string().contains(secret) && listed.as_array().map(Vec::len) == Some(1), "{listed}");
    let row = &listed[0];
    assert_eq!((&row["Name"], &row["Prefix"]), (&json!("Deploy"), &json!(&secret[..8])));
    assert_eq!(row["Addresses"], json!(["127.0.0.1", "2001:db8::/32"]));
    assert_eq!((&row["LastUsedAddress"], row["LastUsedAt"].is_string()), (&json!("127.0.0.1"), true));
    type Kept = (String, Option<String>);
    let kept: Vec<Kept> = shop
        .app
        .db
        .read_blocking(|conn| Ok(api_keys::table.select((api_keys::key_sha256, api_keys::sealed_key)).load(conn)?))
        .expect("rows");
    assert_eq!(kept, [(postern_server::security::sha256(secret), None)]);
}

#[actix_web::test]
async fn keys_are_limited_per_account_even_concurrently() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let form = scoped(&["account:read"]);
    for _ in 0..MAX_API_KEYS - 1 {
        assert_eq!(shop.call(&ann, "ApiKeys/AddApiKey", form.clone()).await.code, 1000);
    }
    let both = (shop.call(&ann, "ApiKeys/AddApiKey", form.clone()), shop.call(&ann, "ApiKeys/AddApiKey", form.clone()));
    let both = futures_util::future::join(both.0, both.1).await;
    let mut codes = [both.0.code, both.1.code];
    codes.sort_unstable();
    assert_eq!(codes, [1000, 2001]);
    let refused = shop.call(&ann, "ApiKeys/AddApiKey", form).await;
    assert_eq!(refused.data["Fields"]["Name"][0]["Rule"], "tooManyApiKeys");
    let now = shop.app.clock.now();
    shop.app.db.write_blocking(|conn| revoke_all(conn, ann.account_id, now)).expect("none is left");
    assert_eq!(shop.call(&ann, "ApiKeys/GetApiKeyList", json!({})).await.data, json!([]));
}

/// A request with a key to one of the servers: status, rate limit headers and response.
async fn request_with(client: &reqwest::Client, url: &str, token: &str) -> (u16, Vec<String>, CallAnswer) {
    let request = client.post(format!("{url}/api/User/GetUserInfo")).header("Token", token).body("{}");
    let response = request.send().await.expect("an answer");
    let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let headers = ["RateLimit-Policy", "RateLimit", "Retry-After"].iter().filter_map(|name| header(name)).collect();
    (response.status().as_u16(), headers, answer_of(response).await)
}

#[actix_web::test]
async fn two_servers_share_the_rate_limit_of_a_key() {
    let shop = Shop::open();
    let servers = [shop.url.clone(), shop.another_server()];
    let ann = shop.customer(0);
    let (_, key) = key_of(&shop, &ann, scoped(&["account:read"])).await;
    let (_, other) = key_of(&shop, &ann, scoped(&["account:read"])).await;
    // Start at the beginning of a window, so that none ends during the test.
    let second = shop.app.clock.now().and_utc().timestamp().rem_euclid(60);
    shop.app.clock.advance(TimeDelta::seconds(60 - second));
    let client = clients::new();
    let mut admitted = 0;
    let mut last = None;
    for number in 0..CALLS_PER_WINDOW as usize + 40 {
        let (status, headers, answer) = request_with(&client, &servers[number % 2], &key.token).await;
        match status {
            200 => {
                assert_eq!((answer.code, headers.len()), (1000, 2), "{answer:?} {headers:?}");
                assert_eq!(headers[0], "\"key\";q=600;w=60");
                admitted += 1;
            }
            _ => last = Some((status, headers, answer)),
        }
    }
    assert_eq!(admitted, CALLS_PER_WINDOW);
    let (status, headers, answer) = last.expect("a refusal");
    assert_eq!((status, answer.code), (429, 4290));
    assert!(headers[1].starts_with("\"key\";r=0;t="), "{headers:?}");
    let seconds: i64 = headers[2].parse().expect("seconds");
    assert!((1..=60).contains(&seconds) && answer.data["RetryAfterMs"] == seconds * 1_000, "{headers:?} {answer:?}");
    assert_eq!(request_with(&client, &servers[0], &other.token).await.0, 200, "another key has a limit of its own");
    assert_eq!(shop.call(&ann, "User/GetUserInfo", json!({})).await.code, 1000, "and a person has none of these");
    shop.app.clock.advance(TimeDelta::seconds(60));
    let (status, headers, _) = request_with(&client, &servers[1], &key.token).await;
    assert_eq!((status, headers[1].starts_with("\"key\";r=599;t=")), (200, true), "{headers:?}");
}

#[actix_web::test]
async fn calls_of_a_key_rarely_write() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let (id, key) = key_of(&shop, &ann, scoped(&["account:read"])).await;
    let counted = || {
        let kept = api_keys::table.find(id.as_i64().expect("an id")).select(api_keys::limited_calls);
        shop.app.db.read_blocking(|conn| Ok(kept.first::<i32>(conn)?)).expect("a row")
    };
    let second = shop.app.clock.now().and_utc().timestamp().rem_euclid(60);
    shop.app.clock.advance(TimeDelta::seconds(60 - second));
    for expected in [30; 30].into_iter().chain([60]) {
        assert_eq!(shop.call(&key, "User/GetUserInfo", json!({})).await.code, 1000);
        assert_eq!(counted(), expected);
    }
}

#[actix_web::test]
async fn the_access_token_is_a_key_shown_by_the_operator() {
    let shop = Shop::open();
    let (ann, operator) = (shop.customer(0), shop.operator());
    let center = async |who: &Customer| shop.call(who, "User/GetCenter", json!({})).await.data;
    assert_eq!(center(&ann).await["AccessToken"], Value::Null);
    assert_eq!(shop.call(&ann, "User/RotateAccessToken", json!({})).await.code, 3003);
    let flags =
        |shown: bool| json!({"AccountId": ann.account_id, "ShowInvitationCode": true, "ShowAccessToken": shown});
    assert_eq!(shop.call(&ann, "Operator/SetAccountFlags", flags(true)).await.code, 3003);
    let set = shop.call(&operator, "Operator/SetAccountFlags", flags(true)).await;
    assert_eq!((set.code, &set.data["ShowAccessToken"]), (1000, &json!(true)));
    assert_eq!(set.data["History"][0]["Changes"][0]["Field"], "access_token");
    assert!(!set.data.to_string().contains("ptn_"), "the operator does not see it");
    let token = center(&ann).await["AccessToken"].as_str().expect("a token").to_owned();
    let program = Customer { token: token.clone(), ..ann.clone() };
    assert_eq!(shop.call(&program, "User/GetWallet", json!({})).await.code, 1000);
    assert_eq!(shop.call(&program, "User/RotateAccessToken", json!({})).await.data, json!({"Needed": "person"}));
    let shown_to_key = center(&program).await;
    assert_eq!((&shown_to_key["ShowAccessToken"], &shown_to_key["AccessToken"]), (&json!(true), &Value::Null));
    let listed = shop.call(&ann, "ApiKeys/GetApiKeyList", json!({})).await.data;
    assert_eq!(listed, json!([]), "it is no key of the list");
    let found = shop.call(&operator, "Operator/GetAccount", json!({"AccountId": ann.account_id})).await.data;
    assert_eq!(found["Facts"]["ApiKeys"], 0, "nor one of those that operators see counted");
    let rotated = shop.call_once(&ann, "k1", "User/RotateAccessToken", json!({})).await.data["AccessToken"].clone();
    let again = shop.call_once(&ann, "k1", "User/RotateAccessToken", json!({})).await.data["AccessToken"].clone();
    assert!(rotated.is_string() && rotated == again && rotated != json!(token));
    assert_eq!(shop.call(&program, "User/GetWallet", json!({})).await.status, 401, "the old one ended");
    assert_eq!(center(&ann).await["AccessToken"], rotated);
    let program = Customer { token: rotated.as_str().expect("a token").to_owned(), ..ann.clone() };
    assert_eq!(shop.call(&program, "User/GetWallet", json!({})).await.code, 1000);
    assert_eq!(shop.call(&operator, "Operator/SetAccountFlags", flags(false)).await.code, 1000);
    assert_eq!(shop.call(&program, "User/GetWallet", json!({})).await.status, 401, "hiding ends it");
    assert_eq!(center(&ann).await["AccessToken"], Value::Null);
    assert_eq!(shop.call(&ann, "User/RevealAccessToken", json!({})).await.data, json!({"AccessToken": null}));
    assert_eq!(shop.call(&ann, "User/RevokeAccessToken", json!({})).await.data, json!({"Revoked": false}));
    assert_eq!(shop.call(&ann, "User/RotateAccessToken", json!({})).await.code, 3003);
    assert_eq!(shop.call(&operator, "Operator/SetAccountFlags", flags(true)).await.code, 1000);
    let shown = center(&ann).await;
    assert!(shown["AccessToken"].is_string() && shown["AccessToken"] != rotated, "shown again, it is a new one");
}

#[actix_web::test]
async fn the_access_token_is_shown_rotated_and_revoked_in_confirmed_sessions_only() {
    let shop = Shop::open();
    let (ann, operator) = (shop.customer(0), shop.operator());
    let flags =
        |invite: bool| json!({"AccountId": ann.account_id, "ShowInvitationCode": invite, "ShowAccessToken": true});
    assert_eq!(shop.call(&operator, "Operator/SetAccountFlags", flags(true)).await.code, 1000);
    let (secret, _) = turn_on(&shop, &ann).await;
    let call = async |call: &str| shop.call(&ann, call, json!({})).await;
    let center = async || {
        let center = call("User/GetCenter").await.data;
        (center["HasAccessToken"].clone(), center["AccessToken"].clone())
    };
    shop.app.clock.advance(TimeDelta::minutes(CONFIRMED_MINUTES));
    assert_eq!(center().await, (json!(true), Value::Null), "a code is no longer recent");
    for refused in ["User/RevealAccessToken", "User/RotateAccessToken", "User/RevokeAccessToken"] {
        assert_eq!(call(refused).await.data["Key"], "twoFactorConfirm", "{refused}");
    }
    let code = json!({"Code": shop.code_of(&secret, 0)});
    assert_eq!(shop.call(&ann, "User/ConfirmTwoFactor", code).await.code, 1000);
    let revealed = call("User/RevealAccessToken").await.data["AccessToken"].clone();
    assert_eq!(center().await, (json!(true), revealed.clone()));
    let program = Customer { token: revealed.as_str().expect("a token").to_owned(), ..ann.clone() };
    for call in ["User/RevealAccessToken", "User/RevokeAccessToken"] {
        assert_eq!(shop.call(&program, call, json!({})).await.data, json!({"Needed": "person"}));
    }
    assert_eq!(call("User/RevokeAccessToken").await.data, json!({"Revoked": true}));
    assert_eq!(shop.call(&program, "User/GetWallet", json!({})).await.status, 401);
    assert_eq!(center().await, (json!(false), Value::Null));
    assert_eq!(shop.call(&operator, "Operator/SetAccountFlags", flags(false)).await.code, 1000);
    assert_eq!(center().await, (json!(false), Value::Null), "what its owner revoked stays revoked");
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&ann.email, "Access token revoked"), 1);
    assert!(call("User/RotateAccessToken").await.data["AccessToken"].is_string(), "a new one");
    assert_eq!(center().await.0, json!(true));
}

#[actix_web::test]
async fn preferences_are_kept_for_the_user() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let wrong = json!({"Language": "zh", "TimeZone": "Mars/Olympus"});
    let refused = shop.call(&ann, "User/UpdatePreferences", wrong).await;
    assert_eq!(refused.data["Fields"]["TimeZone"][0]["Rule"], "timeZone");
    let unknown = json!({"Language": "fr", "TimeZone": "UTC"});
    assert_eq!(shop.call(&ann, "User/UpdatePreferences", unknown).await.code, 2001);
    let right = json!({"Language": "zh", "TimeZone": "Asia/Shanghai"});
    let kept = shop.call(&ann, "User/UpdatePreferences", right).await.data;
    assert_eq!((&kept["Language"], &kept["TimeZone"]), (&json!("zh"), &json!("Asia/Shanghai")));
    let zone: String = shop
        .app
        .db
        .read_blocking(|conn| {
            Ok(users::table.filter(users::account_id.eq(ann.account_id)).select(users::time_zone).first(conn)?)
        })
        .expect("a user");
    assert_eq!(zone, "Asia/Shanghai");
}

#[actix_web::test]
async fn changes_and_refusals_of_keys_are_logged() {
    let shop = Shop::open();
    let ann = shop.customer(0);
    let form = json!({"Name": "program", "Scopes": ["account:read", "account:write"], "Addresses": ["127.0.0.1"]});
    let (id, key) = key_of(&shop, &ann, form).await;
    let log = async || {
        let answer = shop.call(&ann, "User/GetSecurityLog", json!({"PageSize": 50})).await;
        let rows = answer.data["Rows"].as_array().cloned().unwrap_or_default();
        rows.iter().map(|row| format!("{} {}", row["Kind"], row["Detail"]).replace('"', "")).collect::<Vec<_>>()
    };
    shop.call(&key, "User/GetAccountDetails", json!({})).await;
    assert_eq!(shop.call(&key, "User/UpdateAccountDetails", json!({"Country": "nowhere"})).await.code, 2001);
    assert_eq!(shop.call(&key, "User/UpdateAccountDetails", json!({"FirstName": "Ann"})).await.code, 1000);
    let elsewhere = [("Token", key.token.as_str()), ("X-Forwarded-For", "198.51.100.9")];
    for _ in 0..30 {
        assert_eq!(shop.send("User/GetCenter", json!({}), &elsewhere).await.code, 3003);
    }
    assert_eq!(shop.call(&ann, "ApiKeys/RevokeApiKey", json!({ "ApiKeyId": id })).await.code, 1000);
    let mut expected = vec!["api_key_revoked program".to_owned()];
    expected.extend(vec!["api_key_refused program".to_owned(); 10]);
    expected.push("api_key_used program: User/UpdateAccountDetails".to_owned());
    expected.push("api_key_created program".to_owned());
    assert_eq!(
        log().await,
        expected,
        "reading and what was refused as a form are no changes, and ten refusals tell enough"
    );
}
