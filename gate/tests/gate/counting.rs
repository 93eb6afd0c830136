//! What is counted, and that the shop gets it once.
use crate::harness::*;
use crate::origin;
use crate::shop::{Mood, Shop, USER_ID};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Longer than it takes to report.
const A_WHILE: Duration = Duration::from_millis(2_500);

#[tokio::test]
async fn a_tunnel_is_reported_while_it_is_open_to_the_byte() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    let mut tunnel = gate.tunnel("user-ann", "right", origin).await;
    let mut back = vec![0; 100_000];
    for parts in 1..=2_u64 {
        tunnel.write_all(&vec![7; 100_000]).await.expect("written");
        tunnel.read_exact(&mut back).await.expect("read");
        let expected = (parts * 100_000, parts * 100_000);
        assert_eq!(shop.wait_for_bytes("127.0.0.1", parts * 200_000).await, expected);
    }
    let record = shop.state().reports[0][0].clone();
    assert_eq!((record.proxy_user_id, record.country.as_str(), record.ip.as_str()), (Some(USER_ID), "US", ""));
    let (mut socks, _) =
        socks5(gate.dial().await, Some(("user-ann", "right")), 1, &socks_ipv4(origin)).await.expect("a reply");
    assert!(echo_works(&mut socks).await);
    drop((tunnel, socks));
    assert_eq!(shop.wait_for_bytes("127.0.0.1", 400_008).await, (200_004, 200_004));
    tokio::time::sleep(A_WHILE).await;
    assert_eq!(shop.counted()["127.0.0.1"], (200_004, 200_004));
}

#[tokio::test]
async fn of_forwarded_requests_all_bytes_on_the_clients_side_count() {
    let (shop, origin) = (Shop::start("residential").await, origin::http().await);
    let gate = start(&shop, &[origin], &[]).await;
    let (mut up, mut down) = (0, 0);
    let mut stream = gate.dial().await;
    let url = format!("http://{origin}/");
    for password in ["right", "wrong", "right"] {
        let request = format!(
            "POST {url} HTTP/1.1\r\nHost: a\r\n{}Content-Length: 0\r\n\r\n",
            authorization("user-ann", password)
        );
        stream.write_all(request.as_bytes()).await.expect("written");
        let head = read_head(&mut stream).await;
        let body = read_body(&mut stream, &head).await;
        // Others' attempts are not the customer's.
        if password == "right" {
            up += request.len() as u64;
            down += (head.len() + body.len()) as u64;
        }
        assert_eq!(shop.wait_for_bytes("127.0.0.1", up + down).await, (up, down));
    }
    assert!(gate.send(&get("user-ann", "right", "http://10.0.0.1/")).await.starts_with("HTTP/1.1 403"));
    tokio::time::sleep(A_WHILE).await;
    assert_eq!(shop.counted().into_iter().collect::<Vec<_>>(), [("127.0.0.1".to_owned(), (up, down))]);
}

#[tokio::test]
async fn an_upload_counts_to_its_end_although_the_origin_has_responded_before() {
    let (shop, origin) = (Shop::start("residential").await, origin::hasty().await);
    let gate = start(&shop, &[origin], &[]).await;
    let mut stream = gate.dial().await;
    let (mut up, mut down) = (0, 0);
    // The next request on the connection counts as well.
    for _ in 0..2 {
        let head = format!(
            "POST http://{origin}/ HTTP/1.1\r\nHost: a\r\n{}Content-Length: 1000000\r\n\r\n",
            authorization("user-ann", "right")
        );
        stream.write_all(head.as_bytes()).await.expect("written");
        let answer = read_head(&mut stream).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        stream.write_all(&[7; 1_000_000]).await.expect("written");
        (up, down) = (up + head.len() as u64 + 1_000_000, down + answer.len() as u64);
        assert_eq!(shop.wait_for_bytes("127.0.0.1", up + down).await, (up, down));
    }
}

#[tokio::test]
async fn reports_wait_for_a_shop_that_is_away_and_are_counted_once() {
    let (shop, origin) = (Shop::start("static").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    let mut tunnel = gate.tunnel("ann", "right", origin).await;
    for report_status in [Some(503), Some(401), Some(500), None] {
        shop.state().report_status = report_status;
        assert!(echo_works(&mut tunnel).await);
        tokio::time::sleep(Duration::from_millis(1_200)).await;
    }
    shop.state().mood = Mood::Away;
    assert!(echo_works(&mut tunnel).await);
    tokio::time::sleep(A_WHILE).await;
    shop.state().mood = Mood::Answers;
    assert_eq!(shop.wait_for_bytes("127.0.0.1", 40).await, (20, 20));
    let reports = shop.state().reports.clone();
    assert!(reports.iter().flatten().all(|record| record.ip == "127.0.0.1" && record.proxy_user_id.is_none()));
    let mut waiting = std::fs::read_dir(gate.folder.path().join("spool/batches")).expect("a folder");
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(waiting.next().is_none(), "what is reported is removed");
}

#[tokio::test]
async fn a_report_that_the_shop_does_not_accept_is_set_aside_and_holds_nothing_up() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    shop.state().report_status = Some(400);
    let mut tunnel = gate.tunnel("user-ann", "right", origin).await;
    assert!(echo_works(&mut tunnel).await);
    tokio::time::sleep(A_WHILE).await;
    let files =
        |folder: &str| std::fs::read_dir(gate.folder.path().join("spool").join(folder)).expect("a folder").count();
    // Bytes at the turn of a second are in two reports.
    assert!(matches!((files("rejected"), files("batches")), (1..=2, 0)));
    shop.state().report_status = None;
    assert!(echo_works(&mut tunnel).await);
    assert_eq!(shop.wait_for_bytes("127.0.0.1", 8).await, (4, 4));
}

#[tokio::test]
async fn a_stopped_gate_has_reported_everything() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    let mut tunnel = gate.tunnel("user-ann", "right", origin).await;
    let port = gate.port();
    let stopping = tokio::spawn(gate.running.stop(Duration::from_secs(2)));
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err(), "nobody new is accepted");
    assert!(echo_works(&mut tunnel).await, "open tunnels go on");
    assert!(time_until_end(&mut tunnel).await < Duration::from_secs(3));
    stopping.await.expect("stopped");
    assert_eq!(shop.counted()["127.0.0.1"], (4, 4));
}

#[tokio::test]
async fn a_gate_that_is_stopped_at_once_has_reported_the_last_moment() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    let mut tunnel = gate.tunnel("user-ann", "right", origin).await;
    for _ in 0..3 {
        assert!(echo_works(&mut tunnel).await);
    }
    gate.running.stop(Duration::ZERO).await;
    assert_eq!(shop.counted()["127.0.0.1"], (12, 12));
}
