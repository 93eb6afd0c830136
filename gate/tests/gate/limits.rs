//! What one proxy user or static IP may have at once, and what the gate says about itself.
use crate::harness::*;
use crate::origin;
use crate::shop::{Shop, by_password};
use postern_core::proxy_protocol::Authorization;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

fn limit(shop: &Shop, max_connections: Option<u32>, max_bytes_per_second: Option<u64>) {
    shop.state().answer =
        Box::new(move |connection| Authorization { max_connections, max_bytes_per_second, ..by_password(connection) });
}

#[tokio::test]
async fn a_proxy_user_gets_no_more_connections_than_it_may_have() {
    let (shop, origin, http) = (Shop::start("residential").await, origin::echo().await, origin::http().await);
    let gate = start(&shop, &[origin, http], &[]).await;
    limit(&shop, Some(2), None);
    let first = gate.tunnel("user-ann", "right", origin).await;
    // Also with other parameters in its name.
    let second = gate.tunnel("user-ann-session-a1", "right", origin).await;
    let url = format!("http://{http}/");
    let refused = gate.send(&get("user-ann", "right", &url)).await;
    assert!(
        refused.starts_with("HTTP/1.1 429 ") && refused.contains("x-proxy-error: too_many_connections"),
        "{refused}"
    );
    let socks = socks5(gate.dial().await, Some(("user-ann", "right")), 1, &socks_ipv4(origin)).await;
    assert_eq!(socks.map(|(_, reply)| reply), Ok(2));
    drop(first);
    let mut answer = String::new();
    for _ in 0..50 {
        answer = gate.send(&get("user-ann", "right", &url)).await;
        if answer.starts_with("HTTP/1.1 200") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    drop(second);
}

#[tokio::test]
async fn all_clients_of_a_static_ip_share_its_connections_and_other_ips_have_their_own() {
    let (shop, origin) = (Shop::start("static").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    shop.state().answer = Box::new(|connection| Authorization {
        node_id: connection.ip.ends_with(".4").then_some(4).or(Some(5)),
        max_connections: Some(2),
        ..by_password(connection)
    });
    let tunnel = async |node: [u8; 4], user: &str| {
        let mut stream = gate.dial_node(node).await;
        stream.write_all(connect(user, "right", &origin.to_string()).as_bytes()).await.expect("written");
        let head = read_head(&mut stream).await;
        (head[9..12].to_owned(), stream)
    };
    let (ours, theirs) = ([127, 16, 3, 4], [127, 16, 3, 5]);
    let first = tunnel(ours, "ann").await;
    let second = tunnel(ours, "bob").await;
    assert_eq!((first.0.as_str(), second.0.as_str()), ("200", "200"));
    assert_eq!(tunnel(ours, "ann").await.0, "429");
    let other = tunnel(theirs, "ann").await;
    assert_eq!(other.0, "200");
}

#[tokio::test]
async fn requests_one_after_the_other_are_one_connection() {
    let (shop, http) = (Shop::start("residential").await, origin::http().await);
    let gate = start(&shop, &[http], &[]).await;
    limit(&shop, Some(1), None);
    let mut stream = gate.dial().await;
    for _ in 0..5 {
        let request = format!("GET http://{http}/ HTTP/1.1\r\nHost: a\r\n{}\r\n", authorization("user-ann", "right"));
        stream.write_all(request.as_bytes()).await.expect("written");
        let head = read_head(&mut stream).await;
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        read_body(&mut stream, &head).await;
    }
}

/// How long this many bytes take through a tunnel and back.
async fn echo_time(tunnel: &mut tokio::net::TcpStream, bytes: usize) -> Duration {
    let begin = Instant::now();
    let sent = vec![7; bytes];
    let mut back = vec![0; bytes];
    let (mut reader, mut writer) = tunnel.split();
    let (written, read) = tokio::join!(writer.write_all(&sent), reader.read_exact(&mut back));
    written.expect("written");
    read.expect("read");
    begin.elapsed()
}

#[tokio::test]
async fn all_connections_of_a_proxy_user_share_its_bandwidth_until_the_limit_is_lifted() {
    const BYTES: usize = 500_000;
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    limit(&shop, None, Some(2_000_000));
    let mut one = gate.tunnel("user-ann", "right", origin).await;
    let mut two = gate.tunnel("user-ann-session-a1", "right", origin).await;
    let took = tokio::join!(echo_time(&mut one, BYTES), echo_time(&mut two, BYTES));
    // 2 MB at 2 MB per second, less the burst and what waits in the sockets at the end.
    let longest = took.0.max(took.1);
    assert!(longest > Duration::from_millis(600), "{longest:?}");
    limit(&shop, None, None);
    tokio::time::sleep(Duration::from_secs(3)).await;
    let free = echo_time(&mut one, 8 * BYTES).await;
    assert!(free < Duration::from_secs(3), "8 MB would have taken 4 s: {free:?}");
}

#[tokio::test]
async fn short_connections_one_after_the_other_share_the_bandwidth_too() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    limit(&shop, None, Some(1_000_000));
    let begin = Instant::now();
    for _ in 0..20 {
        let mut tunnel = gate.tunnel("user-ann", "right", origin).await;
        echo_time(&mut tunnel, 40_000).await;
    }
    // 1.6 MB at 1 MB per second, but for what the last ones owe.
    let took = begin.elapsed();
    assert!(took > Duration::from_millis(1_200), "{took:?}");
}

#[tokio::test]
async fn a_download_by_plain_http_is_slowed_down_too() {
    let (shop, http) = (Shop::start("residential").await, origin::http().await);
    let gate = start(&shop, &[http], &[]).await;
    limit(&shop, None, Some(500_000));
    let body = "x".repeat(400_000);
    let request = format!(
        "POST http://{http}/ HTTP/1.1\r\nHost: a\r\n{}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        authorization("user-ann", "right"),
        body.len()
    );
    let begin = Instant::now();
    // The origin sends the body back.
    let answer = gate.send(&request).await;
    let took = begin.elapsed();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(&body), "{}", answer.len());
    assert!(took > Duration::from_millis(900), "{took:?}");
}

#[tokio::test]
async fn a_gate_says_how_it_is_when_it_starts_and_again_and_again() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &["--allow", "192.0.2.1:9"]).await;
    let _tunnel = gate.tunnel("user-ann", "right", origin).await;
    for _ in 0..300 {
        if shop.state().heartbeats.len() >= 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let beats = shop.state().heartbeats.clone();
    assert!(beats.len() >= 2 && beats[0].version.starts_with("postern-gate "), "{beats:?}");
    assert_eq!(beats.iter().map(|beat| beat.attempts).sum::<u32>(), 1, "{beats:?}");
    let last = beats.last().expect("a heartbeat");
    assert_eq!((last.open_connections, last.failures, last.can_carry), (1, 0, true));
}
