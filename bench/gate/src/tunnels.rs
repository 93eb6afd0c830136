//! New tunnels per second, against Squid; and how often the gate asks the shop.
use crate::origin::ECHO;
use crate::report::{Bound, Report, median, median_ratio};
use crate::servers::{Folder, Server};
use crate::shop::Shop;
use anyhow::{Context, Result, ensure};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use socket2::SockRef;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

const CLIENTS: usize = 64;
const USERS: usize = 100;
const ROUNDS: usize = 7;
const ROUND: Duration = Duration::from_secs(2);

pub async fn measure(
    gate: &Server,
    squid: &Path,
    folder: &Folder,
    shop: &Shop,
    origin: &Server,
    report: &mut Report,
) -> Result<()> {
    let (squid, configured) = Server::squid(squid, folder, shop, origin, &gate.binary).await?;
    println!("\nTunnels: {CLIENTS} clients of {USERS} users, medians of {ROUNDS} rounds; Squid {configured}");
    let (mut ours, mut squids, mut asked, mut carried) = (Vec::new(), Vec::new(), 0, 0);
    let mut costs = [Vec::new(), Vec::new()];
    for round in 0..=ROUNDS {
        let before = shop.asked();
        let (own, cost) = opened(gate, origin).await.context("the gate")?;
        let questions = shop.asked() - before;
        let (other, squid_cost) = opened(&squid, origin).await.context("Squid")?;
        // The first one is for warming up.
        if round > 0 {
            (asked, carried) = (asked + questions, carried + own);
            ours.push(per_second(own));
            squids.push(per_second(other));
            costs[0].push(cost);
            costs[1].push(squid_cost);
        }
    }
    let ratio = median_ratio(&ours, &squids);
    let numbers = format!("{:.0} per second, Squid {:.0}: {ratio:.2}", median(ours), median(squids));
    report.line("new tunnels", &numbers, ratio, &Bound::AtLeast(2.0));
    let [cost, squid_cost] = costs.map(median);
    let numbers = format!("{cost:.0} µs each, Squid {squid_cost:.0}: {:.2}", squid_cost / cost);
    report.note("processor time of new tunnels", &numbers);
    let share = asked as f64 / carried as f64;
    let numbers = format!("{asked} for {carried} tunnels: {share:.4} each");
    report.line("requests to authorize", &numbers, share, &Bound::AtMost(0.05));
    Ok(())
}

fn per_second(opened: u64) -> f64 {
    opened as f64 / ROUND.as_secs_f64()
}

/// How many tunnels the clients opened, used and closed in one round, and the proxy's processor time for each in microseconds.
async fn opened(server: &Server, origin: &Server) -> Result<(u64, f64)> {
    let (proxy, origin, before) = (server.address, origin.address, server.processor_time()?);
    let end = Instant::now() + ROUND;
    let clients = (0..CLIENTS).map(|client| {
        tokio::spawn(async move {
            let mut opened = 0;
            while Instant::now() < end {
                let mut stream = open(proxy, None, client + opened, origin).await?;
                echo(&mut stream).await?;
                // Without waiting for the other side, which keeps no ports busy.
                SockRef::from(&stream).set_linger(Some(Duration::ZERO))?;
                opened += 1;
            }
            anyhow::Ok(opened as u64)
        })
    });
    let mut sum = 0;
    for client in clients.collect::<Vec<_>>() {
        sum += client.await??;
    }
    let used = server.processor_time()? - before;
    Ok((sum, used.as_secs_f64() * 1e6 / sum as f64))
}

/// Opens a tunnel with CONNECT, from an address of this machine.
pub async fn open(proxy: SocketAddr, from: Option<IpAddr>, user: usize, origin: SocketAddr) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    if let Some(from) = from {
        socket.bind(SocketAddr::new(from, 0))?;
    }
    let mut stream = socket.connect(proxy).await?;
    stream.set_nodelay(true)?;
    let credentials = BASE64_STANDARD.encode(format!("user-{}:right", user % USERS));
    let head =
        format!("CONNECT {origin} HTTP/1.1\r\nHost: {origin}\r\nProxy-Authorization: Basic {credentials}\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    let mut answer = Vec::with_capacity(256);
    while !answer.ends_with(b"\r\n\r\n") {
        ensure!(stream.read_buf(&mut answer).await? > 0, "closed instead of an answer");
    }
    ensure!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    Ok(stream)
}

/// Sends a byte through a tunnel and back.
pub async fn echo(stream: &mut TcpStream) -> Result<()> {
    stream.write_u8(ECHO).await?;
    ensure!(stream.read_u8().await? == ECHO, "another byte came back");
    Ok(())
}
