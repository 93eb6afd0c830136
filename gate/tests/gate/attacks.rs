//! Attacks on the gate: ways into private networks, rubbish, and clients that never come to an end.
use crate::harness::*;
use crate::origin;
use crate::shop::Shop;
use std::net::Ipv6Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const USER: Option<(&str, &str)> = Some(("user-ann", "right"));

/// What a client sends without an end is cut before the gate has read this much.
const ENOUGH_BYTES: usize = 1_000_000;

#[tokio::test]
async fn a_redirect_is_not_followed_and_leads_nowhere_through_the_gate() {
    let (shop, (inner, mut reached)) = (Shop::start("residential").await, origin::recorder("").await);
    let redirect = format!("HTTP/1.1 302 Found\r\nLocation: http://{inner}/\r\nContent-Length: 0\r\n\r\n");
    let (outer, mut received) = origin::recorder(redirect.leak()).await;
    let gate = start(&shop, &[outer], &[]).await;
    let answer = gate.send(&get("user-ann", "right", &format!("http://{outer}/"))).await;
    assert!(answer.starts_with("HTTP/1.1 302 Found"), "{answer}");
    assert!(answer.to_ascii_lowercase().contains(&format!("location: http://{inner}/")), "{answer}");
    assert!(received.recv().await.is_some());
    let followed = gate.send(&get("user-ann", "right", &format!("http://{inner}/"))).await;
    assert!(followed.starts_with("HTTP/1.1 403"), "{followed}");
    assert!(reached.try_recv().is_err(), "the gate followed a redirect");
}

#[tokio::test]
async fn a_name_that_changes_its_answer_leads_nowhere_else() {
    let (shop, origin) = (Shop::start("residential").await, origin::http().await);
    let trap = TcpListener::bind(("127.0.0.2", origin.port())).await.expect("the same port of another address");
    let trapped = tokio::spawn(async move { trap.accept().await.is_ok() });
    let lookups = Arc::new(AtomicUsize::new(0));
    let counted = lookups.clone();
    let lookup = Arc::new(move |_: &str| {
        let address = if counted.fetch_add(1, Ordering::Relaxed) == 0 { "127.0.0.1" } else { "127.0.0.2" };
        Ok(vec![address.parse().expect("an address")])
    });
    let gate = start_with(&shop, &[origin], &[], lookup).await;
    let request = get("user-ann", "right", &format!("http://rebinding.example:{}/", origin.port()));
    let first = gate.send(&request).await;
    assert!(first.starts_with("HTTP/1.1 200"), "{first}");
    assert_eq!(lookups.load(Ordering::Relaxed), 1, "the address that was checked is the one that is dialled");
    let second = gate.send(&request).await;
    assert!(second.to_ascii_lowercase().contains("x-proxy-error: private_destination"), "{second}");
    assert!(!trapped.is_finished());
}

#[tokio::test]
async fn ipv4_within_ipv6_is_refused_in_every_form_and_protocol() {
    let shop = Shop::start("residential").await;
    let gate = start(&shop, &[], &[]).await;
    for address in [
        "::ffff:7f00:1",
        "::ffff:10.0.0.1",
        "::ffff:a9fe:a9fe",
        "::ffff:0:127.0.0.1",
        "::127.0.0.1",
        "::7f00:1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::7f00:1",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::1",
        "2001::80ff:fffe",
        "fe80::5efe:7f00:1",
        "fec0::1",
        "fd00:ec2::254",
        "100::1",
        "ff02::1",
        "::1",
        "::",
    ] {
        let ip: Ipv6Addr = address.parse().expect("an address");
        for request in [
            get("user-ann", "right", &format!("http://[{address}]:8080/")),
            connect("user-ann", "right", &format!("[{address}]:8080")),
        ] {
            let mut stream = gate.dial().await;
            stream.write_all(request.as_bytes()).await.expect("written");
            let head = read_head(&mut stream).await.to_ascii_lowercase();
            assert!(head.contains("x-proxy-error: private_destination"), "{address}: {head}");
        }
        let raw = [&[4], &ip.octets()[..], &[31, 144]].concat();
        for destination in [raw, socks_name(address, 8080)] {
            let (_, reply) = socks5(gate.dial().await, USER, 1, &destination).await.expect("a reply");
            assert_eq!(reply, 2, "{address}");
        }
    }
}

#[tokio::test]
async fn clients_that_never_end_what_they_began_are_cut_before_they_cost_memory() {
    let (shop, (origin, _)) = (Shop::start("residential").await, origin::recorder("").await);
    let gate = start(&shop, &[origin], &[]).await;
    let head = get("user-ann", "right", &format!("http://{origin}/"));
    let open = head.strip_suffix("\r\n").expect("the end of a head");
    let chunked = format!("{open}Transfer-Encoding: chunked\r\n\r\n").replace("GET", "POST");
    let endless: [(&str, &str, &str); 8] = [
        ("a method", "", "A"),
        ("an address", "GET http://a.example/", "a"),
        ("empty lines", "", "\r\n"),
        ("headers", open, "X: a\r\n"),
        ("a header", &format!("{open}X: "), "a"),
        ("a chunk's size", &chunked, "0"),
        ("a chunk's extension", &format!("{chunked}5;a="), "a"),
        ("trailers", &format!("{chunked}0\r\n"), "X: a\r\n"),
    ];
    for (what, begin, more) in endless {
        let mut stream = gate.dial().await;
        let mut sent = begin.len();
        stream.write_all(begin.as_bytes()).await.expect("written");
        let more = more.repeat(4_096);
        let sending = async {
            while stream.write_all(more.as_bytes()).await.is_ok() {
                sent += more.len();
                assert!(sent < 20 * ENOUGH_BYTES, "{what} without an end");
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(13), sending).await.unwrap_or_else(|_| panic!("{what}: not cut"));
        // What the system's own buffers hold is not the gate's.
        assert!(sent < 8 * ENOUGH_BYTES, "{what}: cut after {sent} bytes");
    }
    is_empty(&gate).await;
}

#[tokio::test]
async fn socks5_rubbish_ends_the_connection_and_nothing_else() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    let ipv4 = socks_ipv4(origin);
    let authenticated = |address: &[u8]| [b"\x05\x01\x02\x01\x08user-ann\x05right\x05\x01\x00", address].concat();
    let whole = authenticated(&ipv4);
    for length in 1..whole.len() {
        let mut stream = gate.dial().await;
        stream.write_all(&whole[..length]).await.expect("written");
        stream.shutdown().await.expect("ended");
        let replied = replies(&mut stream).await;
        assert!(replied.get(5).is_none_or(|reply| *reply != 0), "after {length} bytes: {replied:?}");
    }
    let methods: Vec<u8> = (0..=254).filter(|method| ![0, 2].contains(method)).collect();
    let many = |methods: &[u8]| [&[5, u8::try_from(methods.len()).expect("a byte")], methods].concat();
    for (what, rubbish) in [
        ("no methods", vec![5, 0]),
        ("253 unknown methods", many(&methods)),
        ("another version of the credentials", b"\x05\x01\x02\x05\x08user-ann\x05right".to_vec()),
        ("no name and no password", b"\x05\x01\x02\x01\x00\x00\x05\x01\x00".to_vec()),
        ("another version of the command", b"\x05\x01\x02\x01\x08user-ann\x05right\x04\x01\x00".to_vec()),
        ("an unknown command", b"\x05\x01\x02\x01\x08user-ann\x05right\x05\xff\x00".to_vec()),
        ("an unknown kind of address", authenticated(b"\x02\x00\x00")),
        ("an empty name", authenticated(b"\x03\x00\x00\x50")),
        ("a name that is not text", authenticated(b"\x03\x02\xff\xfe\x00\x50")),
        ("a name with a line break", authenticated(&socks_name("a\r\nb", 80))),
        ("a name with a zero", authenticated(&socks_name("127.0.0.1\0.example.com", 80))),
        ("the port 0", authenticated(&socks_name("example.com", 0))),
        ("a name of 255 bytes", authenticated(&socks_name(&"a".repeat(255), 80))),
    ] {
        let mut stream = gate.dial().await;
        stream.write_all(&rubbish).await.expect("written");
        let replied = replies(&mut stream).await;
        assert!(replied.get(5).is_none_or(|reply| *reply != 0), "{what}: {replied:?}");
    }
    let mut stream = gate.dial().await;
    stream.write_all(&many(&(0..=254).collect::<Vec<u8>>())).await.expect("written");
    let mut chosen = [0; 2];
    stream.read_exact(&mut chosen).await.expect("a method");
    assert_eq!(chosen, [5, 2], "a password is asked for among 255 methods");
    drop(stream);
    assert!(echo_works(&mut gate.tunnel("user-ann", "right", origin).await).await);
    is_empty(&gate).await;
}

#[tokio::test]
async fn random_bytes_end_the_connection_and_nothing_else() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &[]).await;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    for number in 0..300 {
        let begin: &[u8] =
            [&b""[..], b"\x05", b"\x05\x01\x02\x01", b"CONNECT ", b"GET http://a.example/ HTTP/1.1\r\n"][number % 5];
        let rest: Vec<u8> = (0..usize::from(random()) * 4).map(|_| random()).collect();
        let mut stream = gate.dial().await;
        // The gate may end it meanwhile.
        let _ = stream.write_all(&[begin, &rest].concat()).await;
        let _ = stream.shutdown().await;
        let answer = replies(&mut stream).await;
        assert!(!answer.starts_with(b"HTTP/1.1 2"), "{begin:?} {rest:?}: {answer:?}");
    }
    assert!(echo_works(&mut gate.tunnel("user-ann", "right", origin).await).await);
    is_empty(&gate).await;
}

async fn replies(stream: &mut TcpStream) -> Vec<u8> {
    let mut all = Vec::new();
    let reading = stream.read_to_end(&mut all);
    // A reset is an end, too.
    let _ = tokio::time::timeout(Duration::from_secs(12), reading).await.expect("an end of the connection");
    all
}

/// Waits until the gate has no connection, which it must not keep for those who have gone.
async fn is_empty(gate: &TestGate) {
    until(|| gate.running.gate.limit.total() == 0).await;
}

pub async fn until(is_true: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_true() {
        assert!(began.elapsed() < Duration::from_secs(12), "connections are kept");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
