//! What the gate does not do: reach private networks, forward requests that can be read in two ways, wait for slow clients.
use crate::harness::*;
use crate::origin;
use crate::shop::Shop;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

#[tokio::test]
async fn private_destinations_are_refused_in_every_spelling_and_protocol() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[], &[]).await;
    let port = origin.port();
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "017700000001",
        "localhost",
        "LOCALHOST.",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "10.0.0.1",
        "169.254.169.254",
        "0.0.0.0",
        "[::]",
    ] {
        let answer = gate.send(&get("user-ann", "right", &format!("http://{host}:{port}/"))).await;
        assert!(answer.starts_with("HTTP/1.1 403"), "{host}: {answer}");
        assert!(answer.to_ascii_lowercase().contains("x-proxy-error: private_destination"), "{host}: {answer}");
        let mut tunnel = gate.dial().await;
        tunnel.write_all(connect("user-ann", "right", &format!("{host}:{port}")).as_bytes()).await.expect("written");
        assert!(read_head(&mut tunnel).await.starts_with("HTTP/1.1 403"), "{host}");
        let name = socks_name(host.trim_matches(['[', ']']), port);
        let (_, reply) = socks5(gate.dial().await, Some(("user-ann", "right")), 1, &name).await.expect("a reply");
        assert_eq!(reply, 2, "{host}");
    }
    let ipv6 = [
        &[4],
        &"::ffff:127.0.0.1".parse::<std::net::Ipv6Addr>().expect("an address").octets()[..],
        &port.to_be_bytes(),
    ];
    let (_, reply) = socks5(gate.dial().await, Some(("user-ann", "right")), 1, &ipv6.concat()).await.expect("a reply");
    assert_eq!(reply, 2);
}

#[tokio::test]
async fn mail_ports_and_refused_domains_are_closed() {
    let shop = Shop::start("residential").await;
    let gate = start(&shop, &[], &["--refuse-domain", "blocked.example"]).await;
    for (url, reason) in [
        ("http://8.8.8.8:25/", "port_not_allowed"),
        ("http://a.blocked.example/", "domain_not_allowed"),
        ("http://BLOCKED.example./", "domain_not_allowed"),
    ] {
        let answer = gate.send(&get("user-ann", "right", url)).await.to_ascii_lowercase();
        assert!(answer.starts_with("http/1.1 403") && answer.contains(&format!("x-proxy-error: {reason}")), "{answer}");
    }
}

#[tokio::test]
async fn requests_that_can_be_read_in_two_ways_are_refused() {
    let (shop, (origin, mut received)) = (Shop::start("residential").await, origin::recorder("").await);
    let gate = start(&shop, &[origin], &[]).await;
    let credentials = authorization("user-ann", "right");
    let to = |target: &str, headers: &str, body: &str| {
        format!("POST {target} HTTP/1.1\r\n{credentials}Connection: close\r\n{headers}\r\n{body}")
    };
    let whole = format!("http://{origin}/");
    let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
    for request in [
        to("/path", "Host: a\r\n", ""),
        to("*", "Host: a\r\n", ""),
        to(&format!("http://evil@{origin}/"), "Host: a\r\n", ""),
        to(&format!("http://{origin}@127.0.0.1/"), "Host: a\r\n", ""),
        to(&format!("http://{origin}\\@a/"), "Host: a\r\n", ""),
        to(&whole, "Host: a\r\nHost: b\r\n", ""),
        to(&whole, "Host: a\r\nContent-Length: 5\r\nContent-Length: 40\r\n", smuggled),
        to(&whole, "Host: a\r\nContent-Length: +5\r\n", smuggled),
        to(&whole, "Host: a\r\nContent-Length: 5, 5\r\n", smuggled),
        to(&whole, "Host: a\r\nTransfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"),
        to(&whole, "Host: a\r\nTransfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"),
        to(&whole, "Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
        to(&whole, "Host: a\r\nTransfer-Encoding : chunked\r\n", "0\r\n\r\n"),
        to(&whole, "Host: a\r\nX: a\r\n folded\r\n", ""),
        to(&whole, "Host: a\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n").replace("HTTP/1.1", "HTTP/1.0"),
        to(&whole, "Host: a\r\nX\0: a\r\n", ""),
        to(&whole, &"X: a\r\n".repeat(200), ""),
        to(&whole, &format!("X: {}\r\n", "a".repeat(100_000)), ""),
    ] {
        let answer = gate.send(&request).await;
        let status = answer.get(9..12).unwrap_or("none");
        assert!(["400", "431"].contains(&status), "{request:.200}\nanswer: {answer:.200}");
    }
    assert!(received.try_recv().is_err(), "nothing reached the origin");
}

#[tokio::test]
async fn a_request_with_two_lengths_is_forwarded_as_one_request_with_one_length() {
    for headers in
        ["Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n"]
    {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        let (shop, (origin, mut received)) = (Shop::start("residential").await, origin::recorder(answer).await);
        let gate = start(&shop, &[origin], &[]).await;
        let request = format!(
            "POST http://{origin}/ HTTP/1.1\r\nHost: a\r\n{}{headers}\r\n5\r\nhello\r\n0\r\n\r\n\
             GET http://{origin}/smuggled HTTP/1.1\r\nHost: a\r\n\r\n",
            authorization("user-ann", "right")
        );
        let answer = gate.send(&request).await;
        assert_eq!(answer.matches("HTTP/1.1").count(), 1, "the connection is closed after it: {answer}");
        let text = received.recv().await.expect("a request").to_ascii_lowercase();
        assert!(text.contains("transfer-encoding: chunked") && !text.contains("content-length"), "{text}");
        assert!(text.ends_with("5\r\nhello\r\n0\r\n\r\n"), "{text}");
        assert!(received.try_recv().is_err());
    }
}

#[tokio::test]
async fn slow_and_silent_clients_are_cut() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    let mut silent = gate.dial().await;
    let mut socks = gate.dial().await;
    socks.write_all(&[5, 1]).await.expect("written");
    let mut slow = gate.dial().await;
    let dripping = async {
        for byte in get("user-ann", "right", "http://example.com/").bytes() {
            if slow.write_all(&[byte]).await.is_err() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        time_until_end(&mut slow).await
    };
    let began = std::time::Instant::now();
    tokio::join!(dripping, time_until_end(&mut silent), time_until_end(&mut socks));
    assert!(began.elapsed() < Duration::from_secs(13), "{:?}", began.elapsed());
}

#[tokio::test]
async fn rubbish_ends_the_connection_and_nothing_else() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    for rubbish in [
        &b"\x05\x00"[..],
        b"\x05\x01\x09",
        b"\x05\x02\x00\x02\x01\x00\x00",
        b"\x05\x01\x02\x01\x01\xff\x01\xff",
        b"\x05\x01\x00\x04\x01\x00\x01\x7f\x00\x00\x01\x00\x50",
        b"\x05\x01\x00\x05\x09\x00\x01\x7f\x00\x00\x01\x00\x50",
        b"\x05\x01\x00\x05\x01\x00\x09",
        b"\x05\x01\x00\x05\x01\x00\x03\x02\xff\xfe\x00\x50",
        b"\x04\x01\x00\x50\x7f\x00\x00\x01\x00",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\0\0\0\0",
    ] {
        let mut stream = gate.dial().await;
        stream.write_all(rubbish).await.expect("written");
        let answer = read_all(&mut stream).await;
        assert!(!answer.contains("200"), "{rubbish:?}: {answer}");
    }
    assert!(echo_works(&mut gate.tunnel("user-ann", "right", origin).await).await);
}

#[tokio::test]
async fn a_demo_gate_serves_this_machine_only() {
    let Some(own) = own_address() else { return eprintln!("this machine has no other address than loopback") };
    let (shop, origin) = (Shop::start("static").await, origin::http().await);
    let request = get("ann", "right", &format!("http://{origin}/"));
    for (arguments, is_served) in [(&["--only-loopback"][..], false), (&[], true)] {
        let gate = start(&shop, &[origin], arguments).await;
        let stream = TcpStream::connect((own, gate.port())).await.expect("a connection");
        let answer = exchange_or_end(stream, &request).await;
        assert_eq!(answer.starts_with("HTTP/1.1 "), is_served, "{answer}");
        assert!(exchange(gate.dial_node([127, 16, 0, 1]).await, &request).await.contains("peer 127.16.0.1"));
    }
}

/// As `exchange`, but the gate may close the connection before anything is sent.
async fn exchange_or_end(mut stream: TcpStream, text: &str) -> String {
    let _ = stream.write_all(text.as_bytes()).await;
    read_all(&mut stream).await
}

/// An address of this machine that is not loopback.
fn own_address() -> Option<std::net::IpAddr> {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").ok()?;
    socket.connect("192.0.2.1:9").ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|address| !address.is_loopback())
}
