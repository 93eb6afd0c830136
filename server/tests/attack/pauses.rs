//! Clients that are silent for a while between two requests on one connection: no request may be lost, directly or behind nginx.
use crate::findings::Findings;
use crate::shop::Customer;
use crate::shop::ports::reserved;
use crate::target::Target;
use crate::wire::is_whole;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Milliseconds: around the time after which many servers close, the time that nginx keeps connections, and longer.
const PAUSES: &[u64] = &[4_900, 5_000, 5_100, 60_000, 70_000];
const SHORT: usize = 3;
const CONNECTIONS: usize = 200;

pub fn make_pauses(target: &Target, who: &Customer, is_long: bool, findings: &Findings) {
    // With POST, which nobody sends again by himself. Without a body: a refusal that does not wait for it ends the connection.
    let request = format!(
        "POST /api/User/GetWallet HTTP/1.1\r\nHost: shop.example\r\nToken: {}\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n",
        who.token
    );
    let pauses_on = |server, way| pause_on(server, way, request.as_bytes(), pauses_of(is_long), findings);
    let proxy = match std::env::var("ATTACK_NGINX").ok().filter(|program| !program.is_empty()) {
        Some(program) => Some(Nginx::start(&program, target)),
        None => {
            println!("  left out: ATTACK_NGINX does not say where nginx is");
            None
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| pauses_on(target.server, "directly"));
        if let Some(proxy) = &proxy {
            scope.spawn(|| pauses_on(proxy.address, "through nginx"));
        }
    });
}

fn pauses_of(is_long: bool) -> &'static [u64] {
    if is_long { PAUSES } else { &PAUSES[..SHORT] }
}

/// Asks on all connections at once, before and after each pause.
fn pause_on(server: SocketAddr, way: &str, request: &[u8], pauses: &[u64], findings: &Findings) {
    let mut streams: Vec<TcpStream> = (0..CONNECTIONS).filter_map(|_| connect(server).ok()).collect();
    // Of connections that were opened ahead, the server knows nothing when the first pause ends.
    let mut ahead: Vec<TcpStream> = streams.split_off(CONNECTIONS / 2);
    ask_all(server, &mut streams, request, way, "at first", findings);
    for pause in pauses {
        std::thread::park_timeout(Duration::from_millis(*pause));
        streams.append(&mut ahead);
        ask_all(server, &mut streams, request, way, &format!("after {pause} ms"), findings);
    }
}

fn connect(server: SocketAddr) -> std::io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&server, Duration::from_secs(5))?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    Ok(stream)
}

/// A response that says that it is the last one of its connection loses nothing; but most must not say so.
fn ask_all(server: SocketAddr, streams: &mut [TcpStream], request: &[u8], way: &str, when: &str, findings: &Findings) {
    let begin = Instant::now();
    let sent: Vec<_> = streams.iter_mut().map(|stream| stream.write_all(request)).collect();
    let (mut last, mut lost) = (0, Vec::new());
    for (stream, sent) in streams.iter_mut().zip(sent) {
        let is_kept = match sent.and_then(|()| response(stream)) {
            Ok((200, is_last)) => {
                last += usize::from(is_last);
                !is_last
            }
            Ok((other, _)) => {
                lost.push(format!("HTTP {other}"));
                false
            }
            Err(error) => {
                lost.push(error.to_string());
                false
            }
        };
        if !is_kept && let Ok(another) = connect(server) {
            *stream = another;
        }
    }
    let (count, took) = (streams.len(), begin.elapsed().as_millis());
    println!(
        "  {way}, {when}: {count} requests, {} lost, {last} connections ended by their response, in {took} ms",
        lost.len()
    );
    lost.iter().for_each(|lost| findings.add("a request was lost", &format!("{way}, {when}"), lost));
    if last > count / 4 {
        findings.add("connections are not kept", &format!("{way}, {when}"), &format!("{last} of {count} ended"));
    }
}

/// The status, and whether the response is the last one of its connection.
fn response(stream: &mut TcpStream) -> std::io::Result<(u16, bool)> {
    let (mut received, mut part) = (Vec::new(), [0; 4_096]);
    while !is_whole(&received) {
        match stream.read(&mut part)? {
            0 => return Err(ErrorKind::UnexpectedEof.into()),
            count => received.extend_from_slice(&part[..count]),
        }
    }
    let text = String::from_utf8_lossy(&received).to_ascii_lowercase();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or(ErrorKind::InvalidData)?;
    Ok((status, text.contains("\r\nconnection: close\r\n")))
}

/// nginx before the target, as a reverse proxy that keeps connections.
struct Nginx {
    process: Child,
    address: SocketAddr,
}

impl Nginx {
    fn start(program: &str, target: &Target) -> Nginx {
        let folder = target.shop.app.config.var_dir.join("nginx");
        std::fs::create_dir_all(&folder).expect("a folder");
        let address = reserved();
        let file = folder.join("nginx.conf");
        std::fs::write(&file, configuration(&folder, address, target.server)).expect("a configuration");
        let process = Command::new(program)
            .arg("-e")
            .arg(folder.join("error.log"))
            .arg("-c")
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("nginx");
        let begin = Instant::now();
        while TcpStream::connect(address).is_err() {
            assert!(begin.elapsed() < Duration::from_secs(20), "nginx does not start");
            std::thread::park_timeout(Duration::from_millis(20));
        }
        Nginx { process, address }
    }
}

/// As in nginx's documentation of `keepalive`; its times are nginx's defaults, but clients may be silent for longer than our pauses.
fn configuration(folder: &Path, address: SocketAddr, server: SocketAddr) -> String {
    let folder = folder.display();
    let kept = 2 * CONNECTIONS;
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .iter()
        .map(|kind| format!("  {kind}_temp_path {folder}/{kind};\n"))
        .collect();
    format!(
        "daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nevents {{ worker_connections 2048; }}\nhttp {{\n{temporary}  access_log off;\n  \
        keepalive_timeout 200s;\n  upstream shop {{ server {server}; keepalive {kept}; }}\n  server {{\n    listen {address} backlog=1024;\n    \
        location / {{\n      proxy_pass http://shop;\n      proxy_http_version 1.1;\n      proxy_set_header Connection \"\";\n      \
        proxy_set_header Host $host;\n      proxy_set_header X-Forwarded-For $remote_addr;\n    }}\n  }}\n}}\n"
    )
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
