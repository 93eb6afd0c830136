//! The proxy test: it succeeds only if a response with the exit address comes through the proxy.
use crate::shop::Shop;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A proxy that serves one request with this response.
async fn proxy(status: &'static str, header: &'static str, body: &'static str) -> u16 {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    actix_web::rt::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a request");
        let _ = stream.read(&mut [0; 4_096]).await.expect("a request");
        let length = body.len();
        let answer =
            format!("HTTP/1.1 {status}\r\n{header}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}");
        stream.write_all(answer.as_bytes()).await.expect("an answer is sent");
    });
    port
}

#[actix_web::test]
async fn only_a_response_with_an_exit_address_proves_a_working_proxy() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    let node_id = shop.nodes_of(&customer).await[0]["NodeId"].as_i64().expect("a node");
    const PAGE: &str = r#"{"Code":1000,"Data":{"Ip":"203.0.113.7"}}"#;
    for (status, header, body, exit_ip, problem) in [
        ("200 OK", "", PAGE, Some("203.0.113.7"), None),
        ("200 OK", "", "2001:db8::7\n", Some("2001:db8::7"), None),
        ("302 Found", "Location: http://login.example/\r\n", PAGE, None, Some("redirected")),
        ("301 Moved Permanently", "Location: http://shop.example/\r\n", "", None, Some("redirected")),
        ("200 OK", "", "", None, Some("noExitAddress")),
        ("200 OK", "", "<html><title>Sign in to this network</title></html>", None, Some("noExitAddress")),
        ("200 OK", "", r#"{"Code":5000,"Data":null}"#, None, Some("noExitAddress")),
        ("201 Created", "", PAGE, None, Some("badStatus")),
        ("204 No Content", "", "", None, Some("badStatus")),
        ("403 Forbidden", "", PAGE, None, Some("badStatus")),
        ("404 Not Found", "", PAGE, None, Some("badStatus")),
        ("407 Proxy Authentication Required", "", PAGE, None, Some("authFailed")),
        ("502 Bad Gateway", "", PAGE, None, Some("badStatus")),
    ] {
        shop.move_node_to(node_id, proxy(status, header, body).await);
        let test = shop.call(&customer, "Ips/TestNode", json!({"NodeId": node_id, "Protocol": "http"})).await.data;
        let expected = (&json!(problem.is_none()), &json!(exit_ip), &json!(problem));
        assert_eq!((&test["Works"], &test["ExitIp"], &test["Problem"]), expected, "{status} {body}");
        let code: Option<u64> = status[..3].parse().ok().filter(|status| *status != 200);
        assert_eq!(test["Status"], code.map_or(Value::Null, Value::from), "{status}");
    }
}

#[actix_web::test]
async fn an_endpoint_is_tested_with_its_server_user_and_session() {
    let shop = Shop::open();
    let (ann, bob) = (shop.customer(0), shop.customer(0));
    let (id, password) = shop.adds_proxy_user(&ann, json!({"Name": "scraper_1"})).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port().to_string();
    let form =
        json!({"Name": "gate-1", "Kind": "residential", "Host": "127.0.0.1", "HttpPort": port, "Socks5Port": ""});
    let server_id =
        shop.call(&shop.operator(), "Operator/AddProxyServer", form).await.data["Server"]["ServerId"].clone();
    let asked = actix_web::rt::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a request");
        let mut head = vec![0; 4_096];
        let read = stream.read(&mut head).await.expect("a request");
        let body = r#"{"Data":{"Ip":"203.0.113.7"}}"#;
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
        stream.write_all(answer.as_bytes()).await.expect("an answer is sent");
        String::from_utf8_lossy(&head[..read]).into_owned()
    });
    let settings = json!({
        "ServerId": server_id, "Scheme": "http", "UseWhitelist": true, "Country": "us", "Sticky": true, "TtlMinutes": 10,
        "Count": 100_000, "Format": "json", "Template": "{",
    });
    let body = json!({ "ProxyUserId": id, "Settings": settings });
    let test = shop.call(&ann, "Endpoints/TestEndpoint", body.clone()).await;
    assert_eq!((test.code, &test.data["ExitIp"]), (1000, &json!("203.0.113.7")), "{test:?}");
    let head = asked.await.expect("a head");
    let encoded = head.lines().find_map(|line| line.strip_prefix("proxy-authorization: Basic ")).unwrap_or_default();
    let credentials = String::from_utf8(BASE64_STANDARD.decode(encoded).expect("base64")).expect("text");
    let (user_name, sent) = credentials.split_once(':').expect("credentials");
    assert!(
        user_name.starts_with("user-scraper_1-country-us-session-") && user_name.ends_with("-ttl-10"),
        "{user_name}"
    );
    assert_eq!(sent, password);
    for (who, change, field) in [
        (&bob, json!({}), "ProxyUserId"),
        (&ann, json!({"ServerId": 999}), "ServerId"),
        (&ann, json!({"Scheme": "socks5"}), "Scheme"),
        (&ann, json!({"Country": "xx"}), "Country"),
        (&ann, json!({"TtlMinutes": 9_999}), "TtlMinutes"),
    ] {
        let mut wrong = body.clone();
        for (name, value) in change.as_object().into_iter().flatten() {
            wrong["Settings"][name] = value.clone();
        }
        let answer = shop.call(who, "Endpoints/TestEndpoint", wrong).await;
        assert_eq!(
            (answer.code, answer.data["Fields"].as_object().map(|all| all.contains_key(field))),
            (2001, Some(true)),
            "{answer:?}"
        );
    }
}
