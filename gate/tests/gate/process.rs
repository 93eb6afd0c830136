//! The command itself: killed, stopped, replaced.
use crate::harness::*;
use crate::origin;
use crate::shop::{SECRET, Shop};
use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

pub struct Process {
    child: Child,
    pub port: u16,
    log: tokio::task::JoinHandle<String>,
}

impl Process {
    /// A gate that logs all that it can.
    async fn start(folder: &Folder, shop: &Shop, listen: SocketAddr, origin: SocketAddr) -> Process {
        Process::start_with(folder, shop, listen, origin, "trace").await
    }

    pub async fn start_with(
        folder: &Folder,
        shop: &Shop,
        listen: SocketAddr,
        origin: SocketAddr,
        log: &str,
    ) -> Process {
        let more =
            ["--listen", &listen.to_string(), "--allow", &origin.to_string(), "--drain-seconds", "3"].map(String::from);
        let mut child = Command::new(env!("CARGO_BIN_EXE_postern-gate"))
            .args(folder.arguments(shop, &more))
            .env("RUST_LOG", log)
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("a process");
        let mut lines = BufReader::new(child.stderr.take().expect("a log")).lines();
        let (ready, is_ready) = tokio::sync::oneshot::channel();
        let log = tokio::spawn(async move {
            let (mut log, mut ready) = (String::new(), Some(ready));
            while let Ok(Some(line)) = lines.next_line().await {
                if line.contains("\"message\":\"ready\"")
                    && let Some(ready) = ready.take()
                {
                    let _ = ready.send(line.clone());
                }
                log += &line;
                log.push('\n');
            }
            log
        });
        let line = tokio::time::timeout(Duration::from_secs(10), is_ready).await.expect("in time").expect("ready");
        let port = line
            .split_once("127.0.0.1:")
            .map(|(_, rest)| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
        Process { child, port: port.expect("a port").parse().expect("a number"), log }
    }

    pub async fn tunnel(&self, origin: SocketAddr) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.expect("a connection");
        stream.write_all(connect("user-ann", "right", &origin.to_string()).as_bytes()).await.expect("written");
        assert!(read_head(&mut stream).await.starts_with("HTTP/1.1 200"));
        stream
    }

    pub fn resident_kb(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id().expect("an id")));
        let status = status.expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    fn terminate(&self) {
        let id = i32::try_from(self.child.id().expect("an id")).expect("an id");
        let id = rustix::process::Pid::from_raw(id).expect("an id");
        rustix::process::kill_process(id, rustix::process::Signal::TERM).expect("terminated");
    }
}

fn any_port() -> SocketAddr {
    "127.0.0.1:0".parse().expect("an address")
}

#[tokio::test]
async fn what_a_killed_gate_had_kept_is_reported_once_by_the_next() {
    let (shop, origin, folder) = (Shop::start("residential").await, origin::echo().await, Folder::new());
    shop.state().report_status = Some(503);
    let mut gate = Process::start(&folder, &shop, any_port(), origin).await;
    let mut tunnel = gate.tunnel(origin).await;
    let mut back = vec![0; 50_000];
    tunnel.write_all(&back.clone()).await.expect("written");
    tunnel.read_exact(&mut back).await.expect("read");
    // More than the second that may be lost.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    gate.child.kill().await.expect("killed");
    std::fs::write(folder.path().join("spool/new/half.json"), "{\"Rec").expect("a file that was not finished");
    shop.state().report_status = None;
    let next = Process::start(&folder, &shop, any_port(), origin).await;
    assert_eq!(shop.wait_for_bytes("127.0.0.1", 100_000).await, (50_000, 50_000));
    let mut tunnel = next.tunnel(origin).await;
    assert!(echo_works(&mut tunnel).await);
    assert_eq!(shop.wait_for_bytes("127.0.0.1", 100_008).await, (50_004, 50_004));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(shop.counted()["127.0.0.1"], (50_004, 50_004));
}

#[tokio::test]
async fn a_terminated_gate_lets_tunnels_end_reports_and_logs_no_secret() {
    let (shop, origin, folder) = (Shop::start("residential").await, origin::echo().await, Folder::new());
    let mut gate = Process::start(&folder, &shop, any_port(), origin).await;
    let mut tunnel = gate.tunnel(origin).await;
    let stream = TcpStream::connect(("127.0.0.1", gate.port)).await.expect("a connection");
    socks5(stream, Some(("user-ann", "right")), 1, &socks_ipv4(origin)).await.expect("a reply");
    gate.terminate();
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(echo_works(&mut tunnel).await);
    assert!(TcpStream::connect(("127.0.0.1", gate.port)).await.is_err());
    drop(tunnel);
    let status =
        tokio::time::timeout(Duration::from_secs(6), gate.child.wait()).await.expect("in time").expect("a status");
    assert!(status.success(), "{status}");
    assert_eq!(shop.counted()["127.0.0.1"], (4, 4));
    let log = gate.log.await.expect("a log");
    assert!(log.contains("stopped"), "{log}");
    let password_bytes = format!("{:?}", "right".as_bytes());
    for secret in [SECRET, "\"right\"", &password_bytes, "dXNlci1hbm46cmlnaHQ="] {
        assert!(!log.contains(secret), "{secret} in the log");
    }
}

#[tokio::test]
async fn a_gate_is_replaced_without_refusing_anyone() {
    let (shop, origin, folder) = (Shop::start("residential").await, origin::echo().await, Folder::new());
    let mut old = Process::start(&folder, &shop, any_port(), origin).await;
    let mut tunnel = old.tunnel(origin).await;
    let new =
        Process::start(&folder, &shop, format!("127.0.0.1:{}", old.port).parse().expect("an address"), origin).await;
    old.terminate();
    tokio::time::sleep(Duration::from_millis(300)).await;
    for _ in 0..20 {
        assert!(echo_works(&mut new.tunnel(origin).await).await);
    }
    assert!(echo_works(&mut tunnel).await, "the old one's tunnels go on");
    drop(tunnel);
    old.child.wait().await.expect("a status");
    assert_eq!(shop.wait_for_bytes("127.0.0.1", 21 * 8).await, (84, 84));
}

#[tokio::test]
async fn a_gate_that_the_shop_does_not_know_does_not_start() {
    let (shop, folder) = (Shop::start("residential").await, Folder::new());
    std::fs::write(folder.path().join("secret"), "another").expect("a secret");
    let output = Command::new(env!("CARGO_BIN_EXE_postern-gate")).args(folder.arguments(&shop, &[])).output();
    let output = tokio::time::timeout(Duration::from_secs(5), output).await.expect("in time").expect("a process");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && text.contains("does not know this server's secret"), "{text}");
    assert_eq!(shop.state().wrong_secrets, 1);
}
