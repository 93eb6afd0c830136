//! A client of one proxy user, who opens tunnels at either gate, with the right password or an outdated one.
use crate::rights::{OPEN, Outcome, World};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const PATIENCE: Duration = Duration::from_secs(8);

/// What the clients know about their bytes, up and down together.
#[derive(Default)]
pub struct Carried {
    /// Bytes that came back whole, at each gate and tenth of a second.
    pub whole: BTreeMap<(usize, u128), u64>,
    /// The most that can have been carried of what was interrupted.
    pub interrupted: u64,
}

pub struct Client {
    pub user: usize,
    pub name: String,
    pub world: Arc<World>,
    pub gates: [SocketAddr; 2],
    pub origin: SocketAddr,
    pub carried: Arc<Mutex<Carried>>,
    pub began: Instant,
    pub random: u64,
}

impl Client {
    fn below(&mut self, limit: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % limit
    }

    pub async fn live(mut self) {
        while Instant::now() < self.world.end {
            self.visit().await;
            tokio::time::sleep(Duration::from_millis(50 + self.below(600))).await;
        }
    }

    async fn visit(&mut self) {
        let gate = usize::from(self.below(2) == 1);
        let before = self.world.moment(self.user, gate);
        let outdated = before.right.old_password.clone().filter(|_| self.random.is_multiple_of(5));
        let password = outdated.unwrap_or_else(|| before.right.password.clone());
        let (is_http, pings) = (self.below(2) == 1, 1 + self.below(40));
        let opening = tokio::time::timeout(PATIENCE, self.open(gate, &password, is_http)).await;
        let Ok(Ok(mut stream)) = opening else {
            let what = format!("opening: {:?}", opening.map(|opened| opened.err()));
            return self.world.judge(self.user, gate, &password, &before, Outcome::NotServed, &what);
        };
        for _ in 0..pings {
            let before = self.world.moment(self.user, gate);
            let size = usize::try_from(1 + self.below(32 * 1024)).expect("a size");
            let outcome = tokio::time::timeout(PATIENCE, ping(&mut stream, size)).await;
            let is_whole = matches!(outcome, Ok(Ok(())));
            self.note(gate, size as u64 * 2, is_whole);
            let (judged, what) = if is_whole {
                (Outcome::Served, OPEN.to_owned())
            } else {
                (Outcome::NotServed, format!("{OPEN}: {outcome:?}"))
            };
            self.world.judge(self.user, gate, &password, &before, judged, &what);
            if !is_whole {
                return;
            }
            tokio::time::sleep(Duration::from_millis(self.below(500))).await;
        }
    }

    fn note(&self, gate: usize, bytes: u64, is_whole: bool) {
        let mut carried = self.carried.lock().expect("no thread has panicked");
        if is_whole {
            *carried.whole.entry((gate, self.began.elapsed().as_millis() / 100)).or_default() += bytes;
        } else {
            carried.interrupted += bytes;
        }
    }

    async fn open(&self, gate: usize, password: &str, is_http: bool) -> io::Result<TcpStream> {
        let mut stream = TcpStream::connect(self.gates[gate]).await?;
        stream.set_nodelay(true)?;
        if is_http {
            self.connect(&mut stream, password).await?
        } else {
            self.socks5(&mut stream, password).await?
        }
        Ok(stream)
    }

    async fn connect(&self, stream: &mut TcpStream, password: &str) -> io::Result<()> {
        let (origin, credentials) = (self.origin, BASE64_STANDARD.encode(format!("user-{}:{password}", self.name)));
        let head =
            format!("CONNECT {origin} HTTP/1.1\r\nHost: {origin}\r\nProxy-Authorization: Basic {credentials}\r\n\r\n");
        stream.write_all(head.as_bytes()).await?;
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            answer.push(stream.read_u8().await?);
        }
        let line = String::from_utf8_lossy(&answer).into_owned();
        if line.starts_with("HTTP/1.1 200") { Ok(()) } else { Err(io::Error::other(line)) }
    }

    async fn socks5(&self, stream: &mut TcpStream, password: &str) -> io::Result<()> {
        let SocketAddr::V4(origin) = self.origin else { panic!("IPv4 expected") };
        let name = format!("user-{}", self.name);
        let text = |text: &str| [&[u8::try_from(text.len()).expect("short")], text.as_bytes()].concat();
        stream.write_all(&[&[5, 1, 2, 1], &text(&name)[..], &text(password)].concat()).await?;
        let mut status = [0; 4];
        stream.read_exact(&mut status).await?;
        if status != [5, 2, 1, 0] {
            return Err(io::Error::other(format!("{status:?}")));
        }
        let address = [&[5, 1, 0, 1], &origin.ip().octets()[..], &origin.port().to_be_bytes()].concat();
        stream.write_all(&address).await?;
        let mut reply = [0; 10];
        stream.read_exact(&mut reply).await?;
        if reply[1] == 0 { Ok(()) } else { Err(io::Error::other(format!("{reply:?}"))) }
    }
}

async fn ping(stream: &mut TcpStream, size: usize) -> io::Result<()> {
    let (sent, mut back) = (vec![7; size], vec![0; size]);
    let (mut reader, mut writer) = stream.split();
    tokio::try_join!(writer.write_all(&sent), reader.read_exact(&mut back))?;
    Ok(())
}
