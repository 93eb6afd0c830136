//! A gate in this process, and clients that speak to it over real sockets.
use crate::shop::{SECRET, Shop};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clap::Parser;
use postern_gate::destination::{Lookup, system_lookup};
use postern_gate::running::{self, Running};
use postern_gate::settings::Settings;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Whether pauses take minutes and floods have all their connections, as in `make torture` and `make attack`.
pub fn is_long() -> bool {
    std::env::var_os("GATE_LONG").is_some()
}

/// A folder that is removed when it is dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("postern-gate-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        std::fs::write(path.join("secret"), format!("{SECRET}\n")).expect("a secret");
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The arguments of a gate that keeps its files here.
    pub fn arguments(&self, shop: &Shop, more: &[String]) -> Vec<String> {
        let path = |name: &str| self.0.join(name).display().to_string();
        let (secret_file, spool) = (path("secret"), path("spool"));
        let url = format!("http://{}", shop.address);
        let mut arguments: Vec<String> =
            ["--url", &url, "--secret-file", &secret_file, "--spool", &spool].map(String::from).to_vec();
        if !more.iter().any(|argument| argument == "--listen") {
            arguments.extend(["--listen", "0.0.0.0:0"].map(String::from));
        }
        arguments.extend_from_slice(more);
        arguments
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub struct TestGate {
    pub running: Running,
    pub folder: Folder,
}

/// Starts a gate whose clients may connect to these addresses of this machine.
pub async fn start(shop: &Shop, allowed: &[SocketAddr], more: &[&str]) -> TestGate {
    start_with(shop, allowed, more, system_lookup()).await
}

/// Starts a gate that resolves names like this.
pub async fn start_with(shop: &Shop, allowed: &[SocketAddr], more: &[&str], lookup: Lookup) -> TestGate {
    let folder = Folder::new();
    let mut arguments: Vec<String> = more.iter().map(|argument| (*argument).to_owned()).collect();
    for address in allowed {
        arguments.extend(["--allow".into(), address.to_string()]);
    }
    let arguments = folder.arguments(shop, &arguments);
    let settings = Settings::try_parse_from(["gate".to_owned()].iter().chain(&arguments)).expect("settings");
    TestGate { running: running::start(&settings, lookup).await.expect("a gate"), folder }
}

impl TestGate {
    pub fn port(&self) -> u16 {
        self.running.addresses[0].port()
    }

    /// Connects to the gate at 127.0.0.1.
    pub async fn dial(&self) -> TcpStream {
        self.dial_node([127, 0, 0, 1]).await
    }

    /// Connects to the gate at an address of this machine.
    pub async fn dial_node(&self, node: [u8; 4]) -> TcpStream {
        TcpStream::connect((IpAddr::from(node), self.port())).await.expect("a connection")
    }

    /// Sends a text, and returns all that comes back until the gate closes the connection.
    pub async fn send(&self, text: &str) -> String {
        exchange(self.dial().await, text).await
    }

    /// Opens a tunnel with CONNECT.
    pub async fn tunnel(&self, user: &str, password: &str, to: SocketAddr) -> TcpStream {
        let mut stream = self.dial().await;
        let head = connect(user, password, &to.to_string());
        stream.write_all(head.as_bytes()).await.expect("written");
        let answer = read_head(&mut stream).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        stream
    }
}

pub async fn exchange(mut stream: TcpStream, text: &str) -> String {
    stream.write_all(text.as_bytes()).await.expect("written");
    read_all(&mut stream).await
}

/// Reads until the end, or a reset.
pub async fn read_all(stream: &mut TcpStream) -> String {
    let mut all = Vec::new();
    let reading = async {
        let mut chunk = [0; 4096];
        while let Ok(read @ 1..) = stream.read(&mut chunk).await {
            all.extend_from_slice(&chunk[..read]);
        }
    };
    tokio::time::timeout(Duration::from_secs(15), reading).await.expect("an end of the connection");
    String::from_utf8_lossy(&all).into_owned()
}

pub async fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let byte = tokio::time::timeout(Duration::from_secs(15), stream.read_u8()).await.expect("an answer in time");
        head.push(byte.expect("a head"));
    }
    String::from_utf8(head).expect("text")
}

/// Reads the body of a response with a length.
pub async fn read_body(stream: &mut TcpStream, head: &str) -> String {
    let head = head.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
    let mut body = vec![0; length.parse().expect("a number")];
    stream.read_exact(&mut body).await.expect("a body");
    String::from_utf8(body).expect("text")
}

pub fn authorization(user: &str, password: &str) -> String {
    format!("Proxy-Authorization: Basic {}\r\n", BASE64_STANDARD.encode(format!("{user}:{password}")))
}

pub fn connect(user: &str, password: &str, to: &str) -> String {
    format!("CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n{}\r\n", authorization(user, password))
}

/// A request for a whole address, after which the connection is closed.
pub fn get(user: &str, password: &str, url: &str) -> String {
    format!("GET {url} HTTP/1.1\r\nHost: ignored\r\n{}Connection: close\r\n\r\n", authorization(user, password))
}

/// Sends a few bytes through a tunnel to an echo, and reads them back.
pub async fn echo_works(stream: &mut TcpStream) -> bool {
    let mut back = [0; 4];
    stream.write_all(b"ping").await.is_ok()
        && matches!(tokio::time::timeout(Duration::from_secs(2), stream.read_exact(&mut back)).await, Ok(Ok(_)))
        && back == *b"ping"
}

/// How long it takes until the other side ends the connection.
pub async fn time_until_end(stream: &mut TcpStream) -> Duration {
    let began = Instant::now();
    read_all(stream).await;
    began.elapsed()
}

/// A SOCKS5 client as RFC 1928 describes it; returns the stream and the reply's code, or the status of the refused password.
pub async fn socks5(
    mut stream: TcpStream,
    credentials: Option<(&str, &str)>,
    command: u8,
    address: &[u8],
) -> Result<(TcpStream, u8), u8> {
    let methods: &[u8] = if credentials.is_some() { &[5, 2, 0, 2] } else { &[5, 1, 0] };
    stream.write_all(methods).await.expect("written");
    let mut two = [0; 2];
    stream.read_exact(&mut two).await.expect("a method");
    assert_eq!(two, [5, if credentials.is_some() { 2 } else { 0 }]);
    if let Some((user, password)) = credentials {
        let length = |text: &str| u8::try_from(text.len()).expect("short");
        let sent = [&[1, length(user)], user.as_bytes(), &[length(password)], password.as_bytes()].concat();
        stream.write_all(&sent).await.expect("written");
        stream.read_exact(&mut two).await.expect("a status");
        if two[1] != 0 {
            return Err(two[1]);
        }
    }
    stream.write_all(&[&[5, command, 0], address].concat()).await.expect("written");
    let mut reply = [0; 10];
    stream.read_exact(&mut reply).await.expect("a reply");
    Ok((stream, reply[1]))
}

/// An IPv4 address and port, as SOCKS5 writes it.
pub fn socks_ipv4(address: SocketAddr) -> Vec<u8> {
    let IpAddr::V4(ip) = address.ip() else { panic!("IPv4 expected") };
    [&[1], &ip.octets()[..], &address.port().to_be_bytes()].concat()
}

/// A name and port, as SOCKS5 writes it.
pub fn socks_name(name: &str, port: u16) -> Vec<u8> {
    [&[3, u8::try_from(name.len()).expect("short")], name.as_bytes(), &port.to_be_bytes()].concat()
}
