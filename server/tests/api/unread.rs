//! Long responses: they are sent in pieces, limited per account, and cut if their receiver does not read.
use crate::endpoint_lists::{adds_proxy_user, adds_server, creates_url, settings};
use crate::shop::{Customer, Shop, clients};
use flate2::read::GzDecoder;
use postern_core::account::LIST_FETCHES_AT_ONCE;
use postern_server::http::connection::TIMES;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// The longest lines that a template may give.
fn long_lines(server_id: i64, count: u32) -> Value {
    let mut settings = settings(server_id);
    settings["Count"] = json!(count);
    settings["Template"] = json!(format!("{{user}} {}", "x".repeat(800)));
    settings
}

async fn list_of(shop: &Shop, customer: &Customer, server_id: i64, name: &str, count: u32) -> String {
    let user = adds_proxy_user(shop, customer, name);
    creates_url(shop, customer, user, &long_lines(server_id, count)).await.1
}

#[actix_web::test]
async fn a_list_in_pieces_is_whole_also_when_compressed() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let server = adds_server(&shop, "eu");
    let path = list_of(&shop, &customer, server, "scraper_1", 5_000).await;
    let plain = shop.open_page(&path).await;
    assert!(!plain.headers().contains_key("Content-Length"), "its length is not known before");
    let plain = plain.text().await.expect("a list");
    assert_eq!(
        plain.lines().filter(|line| line.ends_with("xxx") && line.starts_with("user-scraper_1-")).count(),
        5_000
    );
    for (accepted, encoding) in [("br, gzip", Some("gzip")), ("br", None)] {
        let asked = clients::new().get(format!("{}{path}", shop.url)).header("Accept-Encoding", accepted);
        let answer = asked.send().await.expect("a response");
        let told = answer.headers().get("Content-Encoding").map(|value| value.to_str().expect("a word").to_owned());
        assert_eq!(told.as_deref(), encoding);
        let body = answer.bytes().await.expect("a list");
        let mut text = String::new();
        match encoding {
            Some(_) => GzDecoder::new(&body[..]).read_to_string(&mut text).expect("gzip"),
            None => (&body[..]).read_to_string(&mut text).expect("text"),
        };
        assert!(text == plain, "{accepted}");
    }
}

/// Asks for a page and reads only its status.
fn asks(shop: &Shop, path: &str) -> (u16, TcpStream) {
    let server: SocketAddr = shop.url.trim_start_matches("http://").parse().expect("an address");
    let mut stream = TcpStream::connect(server).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: shop\r\n\r\n").as_bytes()).expect("a request");
    let mut begin = [0; 12];
    stream.read_exact(&mut begin).expect("a status");
    (String::from_utf8_lossy(&begin[9..]).parse().expect("a number"), stream)
}

#[actix_web::test]
async fn unread_lists_are_limited_per_account_and_cut() {
    let shop = Shop::open();
    let (customer, other) = (shop.customer(0), shop.customer(0));
    let server = adds_server(&shop, "eu");
    let path = list_of(&shop, &customer, server, "scraper_1", 100_000).await;
    let others = list_of(&shop, &other, server, "scraper_2", 100_000).await;
    let begin = Instant::now();
    let held: Vec<(u16, TcpStream)> = (0..LIST_FETCHES_AT_ONCE).map(|_| asks(&shop, &path)).collect();
    assert!(held.iter().all(|(status, _)| *status == 200));
    assert_eq!((asks(&shop, &path).0, asks(&shop, &others).0), (429, 200));
    let is_free = || shop.app.list_fetches.begin(customer.account_id).is_some();
    while !is_free() {
        assert!(begin.elapsed() < TIMES.stalled + Duration::from_secs(30), "an unread list is not cut");
        std::thread::park_timeout(Duration::from_millis(100));
    }
    assert!(begin.elapsed() >= TIMES.stalled, "{:?}", begin.elapsed());
    let mut received = Vec::new();
    let (_, mut first) = held.into_iter().next().expect("a connection");
    let _ = first.read_to_end(&mut received);
    assert!(received.len() < 32 << 20, "{} bytes of 85 MB", received.len());
}

#[actix_web::test]
async fn a_large_attachment_is_sent_in_pieces_and_whole() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let file: Vec<u8> = (0..3_000_000_u32).map(|number| b'a' + (number % 23) as u8).collect();
    let sent = shop.upload(&customer, "Support/UploadAttachment", "long.txt", &file).await;
    assert_eq!(sent.code, 1000, "{sent:?}");
    let read =
        shop.download_bytes(&customer, "Support/GetAttachment", json!({"AttachmentId": sent.data["AttachmentId"]}));
    assert!(read.await == file);
}
