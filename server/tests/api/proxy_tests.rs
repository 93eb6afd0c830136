//! The proxy test: it succeeds only if a response with the exit address comes through the proxy.
use crate::shop::Shop;
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
