//! Residential traffic through pools that are resold.
use crate::harness::*;
use crate::origin;
use crate::shop::{Shop, by_password};
use crate::upstream::Upstream;
use postern_core::proxy_protocol::Authorization;
use std::net::{Ipv4Addr, SocketAddr};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

const TEMPLATE: &str = "customer-x-country-{country}-session-{session}";

async fn start_with(shop: &Shop, entries: &[String]) -> TestGate {
    let file = Folder::new();
    let path = file.path().join("upstreams.toml");
    std::fs::write(&path, entries.concat()).expect("a file");
    start(shop, &[], &["--upstreams", &path.display().to_string(), "--metrics", "127.0.0.1:0"]).await
}

/// A tunnel to a host that no resolver here knows, or the status that the gate answers.
async fn tunnel(gate: &TestGate, user: &str) -> Result<TcpStream, String> {
    let mut stream = gate.dial().await;
    stream.write_all(connect(user, "right", "shop.example.com:443").as_bytes()).await.expect("written");
    let head = read_head(&mut stream).await;
    if head.starts_with("HTTP/1.1 200") { Ok(stream) } else { Err(head[9..12].to_owned()) }
}

async fn metrics(gate: &TestGate) -> String {
    let stream = TcpStream::connect(gate.running.metrics.expect("metrics")).await.expect("a connection");
    exchange(stream, "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await
}

/// An upstream at whose address nobody listens. The socket stays bound, so that nobody else is given the port.
fn nobody() -> String {
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a port");
    let address = socket.local_addr().expect("an address");
    std::mem::forget(socket);
    format!("[[upstream]]\nurl = \"http://{address}\"\nweight = 5\n")
}

#[tokio::test]
async fn a_session_has_one_name_of_its_own_at_the_upstream_and_others_have_none() {
    let (shop, upstream) = (Shop::start("residential").await, Upstream::http(origin::echo().await).await);
    let gate = start_with(&shop, &[upstream.entry(TEMPLATE, 1)]).await;
    for user in ["user-a-session-s1", "user-a-session-s1", "user-a-session-s2", "user-a"] {
        assert!(echo_works(&mut tunnel(&gate, user).await.expect("a tunnel")).await);
    }
    let names = upstream.user_names();
    assert!(names[0].starts_with("customer-x-country-us-session-") && !names[0].contains("s1"), "{names:?}");
    assert_eq!(names[0], names[1]);
    assert_ne!(names[0], names[2]);
    assert_eq!(names[3], "customer-x-country-us");
    assert!(upstream.asked()[0].request.starts_with("CONNECT shop.example.com:443 "), "{:?}", upstream.asked());
    assert_eq!(shop.wait_for_bytes("shop.example.com", 32).await, (16, 16));
}

#[tokio::test]
async fn an_http_upstream_forwards_requests_and_never_sees_the_customers_credentials() {
    let (shop, upstream) = (Shop::start("residential").await, Upstream::http(origin::echo().await).await);
    let gate = start_with(&shop, &[upstream.entry(TEMPLATE, 1)]).await;
    let answer = gate.send(&get("user-a", "right", "http://shop.example.com/a?b=c")).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("forwarded"), "{answer}");
    let asked = upstream.asked();
    assert_eq!(asked[0].request, "GET http://shop.example.com/a?b=c HTTP/1.1");
    assert_eq!(asked[0].head.to_lowercase().matches("proxy-authorization").count(), 1, "{}", asked[0].head);
    assert!(asked[0].head.to_lowercase().contains("host: shop.example.com\r\n"), "{}", asked[0].head);
    upstream.answer(Some(407));
    let answer = gate.send(&get("user-a", "right", "http://shop.example.com/")).await;
    assert!(answer.starts_with("HTTP/1.1 502") && !answer.contains("Authenticate"), "{answer}");
}

#[tokio::test]
async fn a_socks5_upstream_carries_tunnels_and_requests() {
    let shop = Shop::start("residential").await;
    let upstream = Upstream::socks5(origin::http().await).await;
    let gate = start_with(&shop, &[upstream.entry(TEMPLATE, 1)]).await;
    let answer = gate.send(&get("user-a", "right", "http://shop.example.com:8080/a")).await;
    assert!(answer.contains("line GET /a\n") && answer.contains("header host: shop.example.com:8080\n"), "{answer}");
    let address = socks_name("shop.example.com", 443);
    let (stream, reply) = socks5(gate.dial().await, Some(("user-a", "right")), 1, &address).await.expect("a reply");
    assert_eq!(reply, 0);
    let answer = exchange(stream, "GET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").await;
    assert!(answer.contains("line GET /b\n"), "{answer}");
    let requests: Vec<String> = upstream.asked().into_iter().map(|asked| asked.request).collect();
    assert_eq!(requests, ["socks5 shop.example.com:8080", "socks5 shop.example.com:443"]);
    assert_eq!(upstream.user_names(), ["customer-x-country-us"; 2]);
}

#[tokio::test]
async fn another_upstream_takes_over_and_one_that_fails_is_set_aside() {
    let (shop, echo) = (Shop::start("residential").await, origin::echo().await);
    let (refusing, working) = (Upstream::http(echo).await, Upstream::http(echo).await);
    refusing.answer(Some(407));
    let entries = [nobody(), refusing.entry("r", 5), working.entry("w", 1)];
    let gate = start_with(&shop, &entries).await;
    for _ in 0..12 {
        assert!(echo_works(&mut tunnel(&gate, "user-a").await.expect("a tunnel")).await);
    }
    assert_eq!((refusing.asked().len(), working.asked().len()), (3, 12));
    let page = metrics(&gate).await;
    for (upstream, is_usable) in [(&refusing, 0), (&working, 1)] {
        assert!(
            page.contains(&format!("upstream_usable{{upstream=\"{}\"}} {is_usable}\n", upstream.address)),
            "{page}"
        );
    }
    assert!(page.contains("postern_gate_connections_total{protocol=\"connect\"} 12\n"), "{page}");
}

#[tokio::test]
async fn an_upstream_is_not_set_aside_for_destinations_that_nobody_reaches() {
    let (shop, echo) = (Shop::start("residential").await, origin::echo().await);
    let upstream = Upstream::http(echo).await;
    let gate = start_with(&shop, &[upstream.entry("a", 1)]).await;
    for status in [502, 0] {
        upstream.answer(Some(status));
        for _ in 0..5 {
            assert_eq!(tunnel(&gate, "user-a-session-s1").await.err().as_deref(), Some("502"));
        }
    }
    assert!(metrics(&gate).await.contains(&format!("upstream=\"{}\"}} 1\n", upstream.address)));
    upstream.answer(None);
    assert!(echo_works(&mut tunnel(&gate, "user-a").await.expect("a tunnel")).await);
    assert_eq!(upstream.asked().len(), 11);
}

#[tokio::test]
async fn an_upstream_that_refuses_requests_is_set_aside_as_one_that_refuses_tunnels() {
    let (shop, echo) = (Shop::start("residential").await, origin::echo().await);
    let (refusing, working) = (Upstream::http(echo).await, Upstream::http(echo).await);
    refusing.answer(Some(407));
    let gate = start_with(&shop, &[refusing.entry("r", 1), working.entry("w", 1)]).await;
    let mut statuses = Vec::new();
    for _ in 0..12 {
        let answer = gate.send(&get("user-a", "right", "http://shop.example.com/")).await;
        statuses.push(answer[9..12].to_owned());
    }
    assert_eq!(statuses.iter().filter(|status| *status == "502").count(), 3, "{statuses:?}");
    assert_eq!((refusing.asked().len(), working.asked().len()), (3, 9));
    assert!(metrics(&gate).await.contains(&format!("upstream=\"{}\"}} 0\n", refusing.address)));
}

#[tokio::test]
async fn connections_of_a_new_session_that_come_at_once_leave_by_one_upstream() {
    let (shop, echo) = (Shop::start("residential").await, origin::echo().await);
    let (first, second) = (Upstream::http(echo).await, Upstream::http(echo).await);
    let gate = start_with(&shop, &[first.entry(TEMPLATE, 1), second.entry(TEMPLATE, 1)]).await;
    for session in 0..5 {
        let user = format!("user-a-session-s{session}");
        let tunnels: [_; 4] = std::array::from_fn(|_| tunnel(&gate, &user));
        let [a, b, c, d] = tunnels;
        let opened = tokio::join!(a, b, c, d);
        assert!(opened.0.is_ok() && opened.1.is_ok() && opened.2.is_ok() && opened.3.is_ok());
    }
    for upstream in [&first, &second] {
        let names = upstream.user_names();
        let different: std::collections::HashSet<&String> = names.iter().collect();
        assert_eq!(names.len(), 4 * different.len(), "{names:?}");
    }
}

#[tokio::test]
async fn a_session_in_use_stays_until_its_upstream_is_set_aside() {
    let (shop, echo) = (Shop::start("residential").await, origin::echo().await);
    let (first, second) = (Upstream::http(echo).await, Upstream::http(echo).await);
    let gate = start_with(&shop, &[first.entry(TEMPLATE, 9), second.entry(TEMPLATE, 1)]).await;
    assert!(tunnel(&gate, "user-a-session-s1").await.is_ok());
    assert_eq!((first.asked().len(), second.asked().len()), (1, 0));
    first.answer(Some(407));
    for _ in 0..3 {
        assert_eq!(tunnel(&gate, "user-a-session-s1").await.err().as_deref(), Some("502"));
    }
    assert_eq!(second.asked().len(), 0);
    assert!(tunnel(&gate, "user-a-session-s1").await.is_ok());
    assert_eq!(second.asked().len(), 1);
    assert_ne!(first.user_names()[0], second.user_names()[0]);
}

#[tokio::test]
async fn private_destinations_are_refused_without_asking_an_upstream() {
    let (shop, upstream) = (Shop::start("residential").await, Upstream::http(origin::echo().await).await);
    let gate = start_with(&shop, &[upstream.entry("a", 1)]).await;
    for host in ["10.0.0.1", "[::1]", "localhost", "2130706433", "0x7f.1", "db.internal", "shop.example.com:25"] {
        let answer = gate.send(&get("user-a", "right", &format!("http://{host}/"))).await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{host}: {answer}");
    }
    assert_eq!(upstream.asked(), []);
}

#[tokio::test]
async fn who_asks_for_no_country_leaves_by_one_that_is_allowed() {
    let (shop, upstream) = (Shop::start("residential").await, Upstream::http(origin::echo().await).await);
    let gate = start_with(&shop, &[upstream.entry(TEMPLATE, 1)]).await;
    shop.state().answer = Box::new(|connection| Authorization {
        country: None,
        countries: vec!["DE".into(), "FR".into()],
        ..by_password(connection)
    });
    for _ in 0..2 {
        assert!(echo_works(&mut tunnel(&gate, "user-a").await.expect("a tunnel")).await);
    }
    assert_eq!(upstream.user_names(), ["customer-x-country-de", "customer-x-country-fr"]);
    shop.wait_for_bytes("shop.example.com", 16).await;
    let mut countries: Vec<String> =
        shop.state().reports.iter().flatten().map(|record| record.country.clone()).collect();
    countries.sort_unstable();
    countries.dedup();
    assert_eq!(countries, ["DE", "FR"]);
}
