//! Thousands of connections that do nothing. `GATE_LONG` opens as many as `make attack` does.
use crate::harness::*;
use crate::origin;
use crate::process::Process;
use crate::shop::Shop;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};

/// Below the number that one address may have open.
const PER_CLIENT: usize = 400;

/// What those may cost who do nothing: in all, and for each.
const COST_KB: (usize, usize) = (6_000, 12);

/// The most that the gate may have a while after they have gone, as the shop may after an attack. The allocator keeps a part for the next ones.
const MOST_AFTER_KB: usize = 96_000;

/// For memory to come back.
const WHILE: Duration = Duration::from_secs(20);

#[tokio::test]
async fn idle_connections_leave_room_for_honest_clients_and_their_memory_comes_back() {
    let number = if is_long() { 10_000 } else { 1_500 };
    raise_file_limit();
    let (shop, origin, folder) = (Shop::start("residential").await, origin::echo().await, Folder::new());
    let gate = Process::start_with(&folder, &shop, "127.0.0.1:0".parse().expect("an address"), origin, "info").await;
    for _ in 0..50 {
        assert!(echo_works(&mut gate.tunnel(origin).await).await);
    }
    let before = gate.resident_kb();
    let mut idle = Vec::with_capacity(number);
    for index in 0..number {
        let mut stream = dial_from(index / PER_CLIENT, gate.port).await;
        let begun: &[u8] = [&b""[..], b"GET http://a.example/ HTTP/1.1\r\n", b"\x05\x02", b"CON"][index % 4];
        stream.write_all(begun).await.expect("written");
        idle.push(stream);
        if index % 250 == 0 {
            assert!(echo_works(&mut gate.tunnel(origin).await).await, "an honest client among {index}");
        }
    }
    let during = gate.resident_kb();
    let began = Instant::now();
    for stream in &mut idle {
        read_all(stream).await;
    }
    println!("{number} idle connections: all ended {:?} after the last was opened", began.elapsed());
    assert!(began.elapsed() < Duration::from_secs(13), "{:?}", began.elapsed());
    drop(idle);
    assert!(echo_works(&mut gate.tunnel(origin).await).await);
    println!("resident memory: {before} KB before, {during} KB with them");
    assert!(
        during < before + COST_KB.0 + number * COST_KB.1,
        "{before} KB before, {during} KB with {number} connections"
    );
    let closed = Instant::now();
    while gate.resident_kb() > MOST_AFTER_KB {
        assert!(closed.elapsed() < WHILE, "{before} KB before, {} KB after", gate.resident_kb());
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert!(echo_works(&mut gate.tunnel(origin).await).await);
    }
    println!("{} KB {:?} after the last has gone", gate.resident_kb(), closed.elapsed());
}

#[tokio::test]
async fn one_client_has_no_more_connections_than_it_may_and_others_have_theirs() {
    let (shop, origin) = (Shop::start("residential").await, origin::echo().await);
    let gate = start(&shop, &[origin], &["--connections-per-client", "20"]).await;
    let mut held = Vec::new();
    for _ in 0..20 {
        held.push(dial_from(0, gate.port()).await);
    }
    let mut beyond = dial_from(0, gate.port()).await;
    assert!(time_until_end(&mut beyond).await < Duration::from_secs(1));
    assert!(echo_works(&mut gate.tunnel("user-ann", "right", origin).await).await);
    drop(held.pop());
    crate::attacks::until(|| gate.running.gate.limit.total() < 20).await;
    let mut again = dial_from(0, gate.port()).await;
    again.write_all(b"GET / HTTP/1.1\r\n\r\n").await.expect("written");
    assert!(read_head(&mut again).await.starts_with("HTTP/1.1 400"));
}

/// Connects from one of many addresses of this machine.
async fn dial_from(client: usize, port: u16) -> TcpStream {
    let address = IpAddr::from([127, 20, 0, u8::try_from(client + 1).expect("fewer clients")]);
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(SocketAddr::new(address, 0)).expect("an address");
    socket.connect(SocketAddr::from(([127, 0, 0, 1], port))).await.expect("a connection")
}

fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).expect("more open files");
}
