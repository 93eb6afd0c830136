//! Slow clients: their resources are bounded, and other clients are served meanwhile.
use crate::shop::Shop;
use serde_json::json;
use socket2::{Domain, Socket, Type};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

const HEAD: &str =
    "POST /api/User/Login HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\nContent-Length: 100\r\n";

/// A connection from an address of this machine.
fn connect_from(shop: &Shop, address: [u8; 4]) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    socket.bind(&SocketAddr::from((Ipv4Addr::from(address), 0)).into()).expect("an address of loopback");
    let server: SocketAddr = shop.url.trim_start_matches("http://").parse().expect("an address");
    socket.connect(&server.into()).expect("a connection");
    socket.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
    socket.into()
}

/// The status of the response, or `None` if the server closes the connection.
fn status(stream: &mut TcpStream) -> Option<u16> {
    let mut answer = [0; 4_096];
    let length = stream.read(&mut answer).unwrap_or(0);
    String::from_utf8_lossy(&answer[..length]).split(' ').nth(1)?.parse().ok()
}

#[actix_web::test]
async fn a_slow_body_is_answered_and_its_connection_closed() {
    let shop = Shop::open();
    let mut silent = connect_from(&shop, [127, 0, 0, 1]);
    silent.write_all(format!("{HEAD}\r\n{{\"Email\"").as_bytes()).expect("half a request");
    let mut dripping = connect_from(&shop, [127, 0, 0, 1]);
    dripping.write_all(format!("{HEAD}\r\n{{").as_bytes()).expect("the beginning of a request");
    let mut callback = connect_from(&shop, [127, 0, 0, 1]);
    let head = HEAD.replace("/api/User/Login", "/gateway/callback/sandbox");
    callback.write_all(format!("{head}\r\n{{").as_bytes()).expect("the beginning of a callback");
    let begin = Instant::now();
    // A client that drips bytes gets no extra time.
    let mut drips = dripping.try_clone().expect("the same connection");
    let drip = std::thread::spawn(move || {
        while begin.elapsed() < Duration::from_secs(22) && drips.write_all(b" ").is_ok() {
            std::thread::sleep(Duration::from_millis(500));
        }
    });
    assert_eq!(status(&mut silent), Some(408));
    assert_eq!(status(&mut dripping), Some(408));
    assert!(status(&mut callback).is_none_or(|status| status >= 400), "a callback that is not whole");
    let waited = begin.elapsed();
    assert!((Duration::from_secs(15)..Duration::from_secs(30)).contains(&waited), "{waited:?}");
    assert_eq!(status(&mut silent), None, "nothing more comes: the connection is closed");
    drip.join().expect("the dripping ends");
}

#[actix_web::test]
async fn connections_are_limited_per_sender() {
    let shop = Shop::open_with(&[("POSTERN_TRUSTED_PROXIES", "10.0.0.1"), ("POSTERN_CONNECTIONS_PER_SENDER", "8")]);
    let mut held: Vec<TcpStream> = (0..8).map(|_| connect_from(&shop, [127, 0, 0, 2])).collect();
    for stream in &mut held {
        stream.write_all(format!("{HEAD}Expect: 100-continue\r\n\r\n").as_bytes()).expect("a head");
        assert_eq!(status(stream), Some(100), "it is being served");
    }
    let live = b"GET /health/live HTTP/1.1\r\nHost: shop\r\n\r\n";
    let asks = |address: [u8; 4]| {
        let mut stream = connect_from(&shop, address);
        let _ = stream.write_all(live);
        status(&mut stream)
    };
    assert_eq!(asks([127, 0, 0, 2]), None, "one too many");
    assert_eq!(asks([127, 0, 0, 3]), Some(200), "another sender");
    drop(held);
    let begin = Instant::now();
    while asks([127, 0, 0, 2]) != Some(200) {
        assert!(begin.elapsed() < Duration::from_secs(5), "places are given back");
    }
}

#[actix_web::test]
async fn behind_a_trusted_proxy_forwarded_addresses_are_counted() {
    let shop = Shop::open_with(&[("POSTERN_CONNECTIONS_PER_SENDER", "3")]);
    let forwarded = |address: &str| [("X-Forwarded-For".to_owned(), address.to_owned())];
    let hold = || {
        let mut stream = connect_from(&shop, [127, 0, 0, 1]);
        stream.write_all(format!("{HEAD}X-Forwarded-For: 2001:db8::1\r\n\r\n").as_bytes()).expect("a head");
        stream
    };
    let mut held: Vec<TcpStream> = (0..3).map(|_| hold()).collect();
    let asks = async |address: &str| {
        let headers = forwarded(address);
        let headers: Vec<_> = headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        shop.send("User/Login", json!({}), &headers).await.code
    };
    let begin = Instant::now();
    while asks("2001:db8::2").await != 4290 {
        // A request may have taken the slot of a connection to be held.
        held.push(hold());
        assert!(begin.elapsed() < Duration::from_secs(5), "the same line has as many as it may");
    }
    assert_eq!(asks("2001:db8:0:1::1").await, 2001, "another line");
    assert_eq!(asks("203.0.113.7").await, 2001, "another address");
}
