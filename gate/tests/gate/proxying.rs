//! HTTP, CONNECT and SOCKS5, and the address by which traffic leaves.
use crate::harness::*;
use crate::{origin, shop::Shop};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn a_request_is_forwarded_without_anything_that_tells_of_the_proxy() {
    let (shop, origin) = (Shop::start("residential").await, origin::http().await);
    let gate = start(&shop, &[origin], &[]).await;
    for method in ["POST", "GET"] {
        let text = format!(
            "{method} http://{origin}/a?b=c HTTP/1.1\r\nHost: other.example\r\n{}Proxy-Connection: keep-alive\r\nX-Mine: 1\r\n\
         Connection: close, x-mine\r\nX-Kept: Yes\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
            authorization("user-ann", "right")
        );
        let answer = gate.send(&text).await;
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
        let mut lines: Vec<&str> = body.lines().filter(|line| !line.starts_with("header transfer-encoding")).collect();
        lines.sort_unstable();
        let line = format!("line {method} /a?b=c");
        let host = format!("header host: {origin}");
        assert_eq!(lines, ["body hello", &host, "header x-kept: Yes", &line, "peer 127.0.0.1"]);
        let head = head.to_ascii_lowercase();
        assert!(head.contains("x-end: 1"), "{head}");
        for hidden in ["x-hop", "proxy-authenticate", "via"] {
            assert!(!head.contains(hidden), "{hidden} in {head}");
        }
    }
}

#[tokio::test]
async fn several_requests_share_a_connection_and_each_has_its_own_credentials() {
    let (shop, origin) = (Shop::start("residential").await, origin::http().await);
    let gate = start(&shop, &[origin], &[]).await;
    let kept =
        |password: &str| get("user-ann", password, &format!("http://{origin}/")).replace("Connection: close\r\n", "");
    let mut stream = gate.dial().await;
    for (password, status) in [("right", "200"), ("wrong", "407"), ("right", "200")] {
        stream.write_all(kept(password).as_bytes()).await.expect("written");
        let head = read_head(&mut stream).await;
        assert_eq!(&head[9..12], status);
        read_body(&mut stream, &head).await;
    }
}

#[tokio::test]
async fn a_tunnel_carries_both_directions_and_a_half_that_has_ended() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    let mut stream = gate.tunnel("user-ann", "right", origin).await;
    let sent: Vec<u8> = (0..3_000_000_u32).map(|number| number.to_le_bytes()[1]).collect();
    let (mut reader, mut writer) = stream.split();
    let writing = async {
        writer.write_all(&sent).await.expect("written");
        writer.shutdown().await.expect("half ended");
    };
    let reading = async {
        let mut back = Vec::new();
        reader.read_to_end(&mut back).await.expect("read");
        back
    };
    let ((), back) = tokio::join!(writing, reading);
    assert!(back == sent, "{} of {} bytes came back", back.len(), sent.len());
}

#[tokio::test]
async fn what_a_client_sends_with_its_connect_request_is_not_lost() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    let mut stream = gate.dial().await;
    let early = format!("{}early", connect("user-ann", "right", &origin.to_string()));
    stream.write_all(early.as_bytes()).await.expect("written");
    read_head(&mut stream).await;
    let mut back = [0; 5];
    stream.read_exact(&mut back).await.expect("an echo");
    assert_eq!(&back, b"early");
}

#[tokio::test]
async fn socks5_takes_addresses_and_names_with_and_without_a_password() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let allowed = format!("localhost:{}", origin.port());
    let gate = start(&shop, &[origin], &["--allow", &allowed]).await;
    let user = Some(("user-ann", "right"));
    for address in [socks_ipv4(origin), socks_name("localhost", origin.port()), socks_name("127.0.0.1", origin.port())]
    {
        let (mut stream, reply) = socks5(gate.dial().await, user, 1, &address).await.expect("a reply");
        assert_eq!(reply, 0);
        assert!(echo_works(&mut stream).await);
    }
    let (_, reply) = socks5(gate.dial().await, None, 1, &socks_ipv4(origin)).await.expect("a reply");
    assert_eq!(reply, 2, "a client without a password whose address is not whitelisted");
    shop.state().answer = Box::new(|_| {
        crate::shop::by_password(&postern_core::proxy_protocol::Connection {
            password: "right".into(),
            ..Default::default()
        })
    });
    tokio::time::sleep(std::time::Duration::from_millis(2_100)).await;
    let (mut stream, reply) = socks5(gate.dial().await, None, 1, &socks_ipv4(origin)).await.expect("a reply");
    assert_eq!(reply, 0, "a client without a password whose address is whitelisted");
    assert!(echo_works(&mut stream).await);
}

#[tokio::test]
async fn socks5_refuses_with_its_own_codes() {
    let (shop, closed) = (Shop::start("residential").await, origin::echo().await);
    // It belongs to a socket that does not listen, so that nobody else gets it.
    let reserved = tokio::net::TcpSocket::new_v4().expect("a socket");
    reserved.bind("127.0.0.1:0".parse().expect("an address")).expect("a port");
    let unused = reserved.local_addr().expect("an address");
    let gate = start(&shop, &[closed, unused], &[]).await;
    let user = Some(("user-ann", "right"));
    assert_eq!(socks5(gate.dial().await, Some(("user-ann", "no")), 1, &socks_ipv4(closed)).await.err(), Some(0xff));
    for (command, address, code) in [
        (1, socks_ipv4(unused), 5),
        (1, socks_ipv4("127.0.0.1:1".parse().expect("an address")), 2),
        (1, socks_name("no-such-name.invalid", 80), 4),
        (2, socks_ipv4(closed), 7),
        (3, socks_ipv4(closed), 7),
    ] {
        let (_, reply) = socks5(gate.dial().await, user, command, &address).await.expect("a reply");
        assert_eq!(reply, code, "command {command} to {address:?}");
    }
}

#[tokio::test]
async fn the_dialled_address_is_the_node_and_the_exit() {
    let (shop, origin) = (Shop::start("static").await, origin::http().await);
    let gate = start(&shop, &[origin], &[]).await;
    let request = get("ann", "right", &format!("http://{origin}/"));
    for node in [[127, 16, 3, 4], [127, 16, 3, 5]] {
        let answer = exchange(gate.dial_node(node).await, &request).await;
        let address = std::net::IpAddr::from(node).to_string();
        assert!(answer.contains(&format!("peer {address}\n")), "{answer}");
        assert!(shop.state().questions.iter().flatten().any(|connection| connection.ip == address));
    }
}

#[tokio::test]
async fn behind_nat_the_shop_is_asked_about_the_public_address() {
    let (shop, origin) = (Shop::start("static").await, origin::http().await);
    let map = std::env::temp_dir().join(format!("postern-gate-map-{}", std::process::id()));
    std::fs::write(&map, "# a node\n9.9.9.9 = 127.16.0.9\n").expect("a map");
    let gate = start(&shop, &[origin], &["--addresses", &map.display().to_string()]).await;
    let request = get("ann", "right", &format!("http://{origin}/"));
    let answer = exchange(gate.dial_node([127, 16, 0, 9]).await, &request).await;
    assert!(answer.contains("peer 127.16.0.9\n"), "{answer}");
    assert_eq!(shop.state().questions[0][0].ip, "9.9.9.9");
    shop.wait_for_bytes("127.0.0.1", 1).await;
    assert_eq!(shop.state().reports[0][0].ip, "9.9.9.9");
    std::fs::remove_file(map).expect("removed");
}

#[tokio::test]
async fn residential_sessions_keep_their_exit_and_others_take_turns() {
    let (shop, origin) = (Shop::start("residential").await, origin::http().await);
    let exits = "127.17.0.1,127.17.0.2,127.17.0.3";
    let gate = start(&shop, &[origin], &["--exit", exits]).await;
    let mut seen = Vec::new();
    for user in ["user-a", "user-a", "user-a", "user-a-session-s1", "user-a-session-s1"] {
        let answer = gate.send(&get(user, "right", &format!("http://{origin}/"))).await;
        let peer = answer.lines().find_map(|line| line.strip_prefix("peer ")).expect("an exit");
        seen.push(peer.to_owned());
    }
    let mut turns = seen[..3].to_vec();
    turns.sort_unstable();
    assert_eq!(turns, exits.split(',').collect::<Vec<_>>());
    assert_eq!(seen[3], seen[4]);
    assert!(shop.state().questions.iter().flatten().all(|connection| connection.ip.is_empty()));
}
