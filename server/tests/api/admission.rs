//! Admission: every call as anonymous, customer, reseller, operator and suspended, with its path spelled exactly and in other ways.
use crate::shop::{Customer, Shop};
use postern_core::account::AccountState;
use postern_core::calls::{Access, Call, Method, calls};
use postern_core::permission::Level;
use postern_server::db::prelude::*;
use postern_server::schema::accounts;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;

/// A response: HTTP status, code of the envelope if there is one, and headers.
#[derive(Debug)]
struct Raw {
    status: u16,
    code: Option<u64>,
    head: String,
}

/// Sends a request exactly as given: an HTTP client would normalise its path.
fn send(shop: &Shop, method: &str, path: &str, token: Option<&str>, extra: &str, body: &[u8]) -> Raw {
    let address = shop.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).expect("a connection");
    let token = token.map(|token| format!("Token: {token}\r\n")).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{token}{extra}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(&[head.as_bytes(), body].concat()).expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let code = serde_json::from_str::<Value>(body).ok().and_then(|answer| answer["Code"].as_u64());
    Raw { status, code, head: head.to_owned() }
}

/// A caller.
struct Caller {
    name: &'static str,
    token: Option<String>,
    may: fn(&Call) -> bool,
}

fn set(shop: &Shop, customer: &Customer, level: u8, state: &str) {
    let (level, state) = (Level::from_number(level), AccountState::from_wire(state));
    let change = (accounts::level.eq(level.expect("a level")), accounts::state.eq(state.expect("a state")));
    let account = accounts::table.find(customer.account_id);
    let set = shop.app.db.write_blocking(|conn| Ok(diesel::update(account).set(change).execute(conn)?));
    assert_eq!(set.expect("an update"), 1);
}

fn callers(shop: &Shop) -> Vec<Caller> {
    let with = |level: u8, state: &str| {
        let customer = shop.customer(0);
        set(shop, &customer, level, state);
        Some(customer.token)
    };
    let is_open = |call: &Call| call.access == Access::Public;
    vec![
        Caller { name: "nobody", token: None, may: is_open },
        Caller { name: "unknown token", token: Some("no-such-token".to_owned()), may: is_open },
        Caller { name: "customer", token: with(0, "active"), may: |call| call.access != Access::Operator },
        Caller { name: "reseller", token: with(1, "active"), may: |call| call.access != Access::Operator },
        Caller { name: "operator", token: with(2, "active"), may: |_| true },
        Caller {
            name: "suspended customer",
            token: with(0, "suspended"),
            may: |call| call.while_suspended && call.access != Access::Operator,
        },
        Caller { name: "suspended operator", token: with(2, "suspended"), may: |call| call.while_suspended },
    ]
}

/// Other spellings of a call's path.
fn spellings(call: &Call) -> Vec<String> {
    let plain = format!("/api/{}", call.name);
    let encoded = |text: &str, pick: fn(usize) -> bool| {
        let letters = text.char_indices().map(|(index, letter)| match pick(index) && letter.is_ascii_alphabetic() {
            true => format!("%{:02X}", u32::from(letter)),
            false => letter.to_string(),
        });
        letters.collect::<String>()
    };
    let (group, name) = call.name.split_once('/').expect("a group and a name");
    vec![
        format!("/api/{}/{name}", encoded(group, |index| index == 0)),
        format!("/api/{group}/{}", encoded(name, |index| index == 0)),
        format!("/api/{group}/{}", encoded(name, |_| true)),
        format!("/{}/{}", encoded("api", |index| index == 0), call.name),
        encoded(&plain, |_| true),
        encoded(&plain, |_| true).to_lowercase(),
        encoded(&plain, |_| true).replace('%', "%25"),
        plain.replace("/api/", "/api%2F"),
        format!("/api/{group}%2F{name}"),
        format!("//api/{}", call.name),
        format!("/api//{}", call.name),
        format!("/api/{group}//{name}"),
        format!("/api/./{}", call.name),
        format!("/api/x/../{}", call.name),
        format!("/api/%2e%2e/api/{}", call.name),
        format!("/api/User/../{}", call.name),
        format!("/API/{}", call.name),
        format!("/api/{}", call.name.to_lowercase()),
        format!("/api/{}", call.name.to_uppercase()),
        format!("{plain}/"),
        format!("{plain};"),
        format!("{plain};x=1"),
        format!("{plain}%00"),
        format!("{plain}%20"),
        format!("{plain}."),
        format!("{plain}%3Fx"),
        format!("{plain}\\"),
    ]
}

#[actix_web::test]
async fn admission_matches_the_table() {
    let shop = Shop::open();
    // No call accepts this body: an admitted request is refused later and changes nothing.
    let no_body = b"[]";
    for caller in callers(&shop) {
        for call in calls() {
            let method = call.method.as_str();
            if caller.token.is_some() && call.name == "User/Logout" {
                continue;
            }
            let answer = send(&shop, method, &format!("/api/{}", call.name), caller.token.as_deref(), "", no_body);
            let is_in = !matches!((answer.status, answer.code), (401, _) | (_, Some(3003)));
            assert_eq!(is_in, (caller.may)(call), "{} as {}: {answer:?}", call.name, caller.name);
            let is_known = !matches!(caller.name, "nobody" | "unknown token");
            if !is_in {
                let expected = if is_known { (200, Some(3003)) } else { (401, Some(3001)) };
                assert_eq!((answer.status, answer.code), expected, "{} as {}", call.name, caller.name);
            }
        }
    }
}

#[actix_web::test]
async fn no_other_spelling_of_a_path_is_a_call() {
    let shop = Shop::open();
    let callers = callers(&shop);
    for (number, call) in calls().iter().filter(|call| call.name != "User/Logout").enumerate() {
        // Each call by nobody, and by the other callers in turn.
        let (nobody, others) = callers.split_first().expect("callers");
        for caller in [nobody, &others[number % others.len()]] {
            for path in spellings(call).iter().filter(|path| **path != format!("/api/{}", call.name)) {
                let answer = send(&shop, call.method.as_str(), path, caller.token.as_deref(), "", b"{}");
                let told = (answer.status, answer.code);
                let is_refused = matches!(told, (401, _) | (200, Some(3004)))
                    // Outside of the API there are only pages.
                    || matches!(told, (400 | 404 | 405, None) | (200, None))
                    || (told == (405, Some(4050)) && path.contains('?'));
                assert!(is_refused, "{path} as {}: {answer:?}", caller.name);
                assert_ne!(answer.code, Some(1000), "{path} as {}", caller.name);
            }
        }
    }
}

#[actix_web::test]
async fn an_unknown_call_gets_401_without_a_token_and_3004_with_one() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    for path in ["/api/Operator/NoSuchCall", "/api/Nothing", "/api/User/", "/api/"] {
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
            let answer = send(&shop, method, path, None, "", b"{}");
            assert_eq!((answer.status, answer.code), (401, Some(3001)), "{method} {path}");
            let answer = send(&shop, method, path, Some(&customer.token), "", b"{}");
            assert_eq!((answer.status, answer.code), (200, Some(3004)), "{method} {path}");
        }
    }
}

#[actix_web::test]
async fn a_wrong_method_gets_the_allowed_one() {
    let shop = Shop::open();
    for call in calls() {
        let right = call.method.as_str();
        for wrong in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"].iter().filter(|method| **method != right) {
            let answer = send(&shop, wrong, &format!("/api/{}", call.name), None, "", b"");
            assert_eq!((answer.status, answer.code), (405, Some(4050)), "{wrong} {}", call.name);
            assert!(
                answer.head.to_lowercase().contains(&format!("\r\nallow: {}", right.to_lowercase())),
                "{}",
                answer.head
            );
        }
    }
    assert!(calls().iter().any(|call| call.method == Method::Get));
}

#[actix_web::test]
async fn compressed_bodies_are_refused_everywhere() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let paths = calls().iter().map(|call| (call.method.as_str(), format!("/api/{}", call.name)));
    let others =
        ["/gateway/callback/sandbox", "/gateway/callback/stripe", "/sandbox/pay/x", "/api/nothing", "/login", "/"];
    let others = others.map(|path| ("POST", path.to_owned()));
    for (method, path) in paths.chain(others) {
        for encoding in ["br", "gzip", "deflate", "zstd", "gzip, br", "identity, gzip", "nonsense"] {
            let header = format!("Content-Encoding: {encoding}\r\n");
            let answer = send(&shop, method, &path, Some(&customer.token), &header, b"{}");
            assert_eq!((answer.status, answer.code), (415, Some(4150)), "{path} {encoding}");
        }
    }
    let answer =
        send(&shop, "POST", "/api/User/GetWallet", Some(&customer.token), "Content-Encoding: identity\r\n", b"{}");
    assert_eq!(answer.code, Some(1000));
}

#[actix_web::test]
async fn bodies_are_limited_in_size() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let body = |bytes: usize| format!("{{\"X\":1{}}}", " ".repeat(bytes - 7)).into_bytes();
    for (path, token, most) in
        [("/api/User/Login", None, 16 << 10), ("/api/Ips/GetUserNodeList", Some(customer.token.as_str()), 512 << 10)]
    {
        let answer = send(&shop, "POST", path, token, "", &body(most + 1));
        assert_eq!((answer.status, answer.code), (413, Some(4130)), "{path}");
        let answer = send(&shop, "POST", path, token, "", &body(most));
        assert_ne!(answer.status, 413, "{path}");
    }
}

#[actix_web::test]
async fn absurd_values_are_field_errors_never_internal_ones() {
    let shop = Shop::open();
    let owner = shop.owner_of(1, 10_000).await;
    let long = "x".repeat(50_000);
    let sort = |count: usize| json!({"Sort": vec![json!({"Field": "Ip", "Direction": "asc"}); count]});
    for (call, body, field, rule) in [
        ("Ips/GetUserNodeList", sort(5), "Sort", "tooManyItems"),
        ("Ips/GetUserNodeList", sort(40), "Sort", "tooManyItems"),
        ("Ips/GetUserNodeList", json!({"Search": long}), "Search", "maxLength"),
        ("Ips/GetUserNodeList", json!({"Search": "a\u{0}b"}), "Search", "invisibleCharacters"),
        ("Ips/GetUserNodeList", json!({"Filter": {"Country": "a\u{0}"}}), "Country", "invisibleCharacters"),
        (
            "Ips/SetAutoRenew",
            json!({"NodeIds": (0..32_767).collect::<Vec<_>>(), "AutoRenew": true}),
            "NodeIds",
            "tooManyItems",
        ),
        ("Ips/DelWhite", json!({"WhiteIds": vec![1; 101]}), "WhiteIds", "tooManyItems"),
        ("Wallet/GetTransactionList", json!({"StartTime": "-262143-01-01 00:00:00"}), "StartTime", "time"),
        ("Wallet/GetTransactionList", json!({"EndTime": "99999-01-01 00:00:00"}), "EndTime", "time"),
        ("Wallet/GetTransactionList", json!({"EndTime": "0000-01-01 00:00:00"}), "EndTime", "time"),
    ] {
        let answer = shop.call(&owner, call, body).await;
        let broken = &answer.data["Fields"][field][0]["Rule"];
        assert_eq!((answer.code, broken.as_str()), (2001, Some(rule)), "{call} {field}: {answer:?}");
        assert!(!answer.message.is_empty());
    }
    let many: Vec<i64> = (0..10_000).collect();
    let answer = shop.call(&owner, "Ips/SetAutoRenew", json!({"NodeIds": many, "AutoRenew": true})).await;
    assert!(matches!(answer.code, 1000 | 2001), "as many as are allowed are no error of ours: {answer:?}");
}
