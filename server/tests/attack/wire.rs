//! Raw HTTP: without a client that would normalise paths and bodies.
use serde_json::Value;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Maximum time of a response to any request. A test of a proxy takes up to 10 seconds.
pub const LONGEST: Duration = Duration::from_secs(15);

/// Maximum bytes kept of a response.
const KEPT: usize = 1 << 20;

/// A body larger than the connection's buffers.
const LONG_BODY: usize = 16_384;

/// A request.
#[derive(Clone)]
pub struct Request<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub token: &'a str,
    /// The forwarded client address, as sent by a trusted proxy.
    pub from: u32,
    pub headers: &'a [(&'a str, &'a str)],
    pub body: &'a [u8],
}

/// A response.
#[derive(Clone, Debug)]
pub struct Answer {
    /// 0 if there was no response.
    pub status: u16,
    /// The code of the envelope, if there is one.
    pub code: Option<u64>,
    pub text: String,
    pub took: Duration,
    /// Why there is no response.
    pub failed: Option<String>,
}

impl Answer {
    pub fn data(&self) -> Value {
        serde_json::from_str::<Value>(&self.text).map(|envelope| envelope["Data"].clone()).unwrap_or_default()
    }

    /// The start of the response, for display.
    pub fn short(&self) -> String {
        let text: String = self.text.chars().take(160).collect();
        let failed = self.failed.as_deref().unwrap_or_default();
        format!("HTTP {} in {} ms {failed}{text}", self.status, self.took.as_millis())
    }
}

/// The bytes of a request up to its body.
pub fn head(request: &Request) -> Vec<u8> {
    let [_, b, c, d] = request.from.to_be_bytes();
    let mut head =
        format!("{} {} HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n", request.method, request.path);
    head += &format!("X-Forwarded-For: 198.{}.{c}.{d}\r\n", 20 + b % 80);
    if !request.token.is_empty() {
        head += &format!("Token: {}\r\n", request.token);
    }
    for (name, value) in request.headers {
        head += &format!("{name}: {value}\r\n");
    }
    if request.method != "GET" {
        if !request.headers.iter().any(|(name, _)| *name == "Content-Type") {
            head += "Content-Type: application/json\r\n";
        }
        head += &format!("Content-Length: {}\r\n", request.body.len());
    }
    (head + "\r\n").into_bytes()
}

/// Sends a request and waits for its answer.
pub fn send(server: SocketAddr, request: &Request) -> Answer {
    let begin = Instant::now();
    let mut received = Vec::new();
    let error = exchange(server, request, &mut received, begin).err();
    let (mut status, text) = read(&received);
    // Closing the connection during a long body is a refusal, even if the response is lost.
    let is_closed = |error: &std::io::Error| {
        matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe | ErrorKind::ConnectionAborted)
    };
    if status == 0 && request.body.len() > LONG_BODY && error.as_ref().is_some_and(is_closed) {
        status = 413;
    }
    let failed = error.map(|error| error.to_string());
    let code = serde_json::from_str::<Value>(&text).ok().and_then(|envelope| envelope["Code"].as_u64());
    let failed = failed.filter(|_| status == 0);
    Answer { status, code, text, took: begin.elapsed(), failed }
}

fn exchange(server: SocketAddr, request: &Request, received: &mut Vec<u8>, begin: Instant) -> std::io::Result<()> {
    let mut stream = TcpStream::connect_timeout(&server, LONGEST)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(LONGEST))?;
    let mut bytes = head(request);
    if request.method != "GET" {
        bytes.extend_from_slice(request.body);
    }
    let sent = stream.write_all(&bytes);
    let mut part = [0; 16_384];
    loop {
        let left = LONGEST.checked_sub(begin.elapsed()).filter(|left| !left.is_zero());
        stream.set_read_timeout(Some(left.ok_or(ErrorKind::TimedOut)?))?;
        match stream.read(&mut part) {
            Ok(0) => {
                return if received.is_empty() { sent.and(Err(ErrorKind::UnexpectedEof.into())) } else { Ok(()) };
            }
            Ok(count) if received.len() < KEPT => {
                received.extend_from_slice(&part[..count]);
                // A server that has not read the whole body waits before it closes.
                if is_whole(received) {
                    return Ok(());
                }
            }
            Ok(_) => {}
            Err(error) if received.is_empty() => return Err(error),
            Err(_) => return Ok(()),
        }
    }
}

/// Whether the announced body has arrived completely.
pub fn is_whole(received: &[u8]) -> bool {
    let Some(end) = received.windows(4).position(|four| four == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&received[..end]).to_ascii_lowercase();
    // A stream never ends: its first line is the response.
    if head.contains("content-type: application/x-ndjson") && received[end + 4..].contains(&b'\n') {
        return received.ends_with(b"\n\r\n");
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    length.is_some_and(|length| received.len() >= end + 4 + length) || received.ends_with(b"\r\n0\r\n\r\n")
}

/// The status and body; chunks are joined.
fn read(received: &[u8]) -> (u16, String) {
    let end = received.windows(4).position(|four| four == b"\r\n\r\n");
    let Some(end) = end else { return (0, String::new()) };
    let head = String::from_utf8_lossy(&received[..end]);
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let body = &received[end + 4..];
    let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    let body = if is_chunked { joined(body) } else { body.to_vec() };
    (status, String::from_utf8_lossy(&body).into_owned())
}

fn joined(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(line) = chunks.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&chunks[..line]).ok().and_then(|size| usize::from_str_radix(size, 16).ok());
        let Some(size) = size.filter(|size| *size > 0 && line + 2 + size <= chunks.len()) else { break };
        body.extend_from_slice(&chunks[line + 2..line + 2 + size]);
        chunks = chunks.get(line + 4 + size..).unwrap_or_default();
    }
    body
}
