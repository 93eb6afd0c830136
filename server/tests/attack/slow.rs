//! Slow senders and readers.
use crate::target::Target;
use crate::wire::{Request, head};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Kinds of slow clients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Slowness {
    /// Never completes the request headers.
    Head,
    /// Announces a body and sends one byte per second.
    Body,
    /// Requests a long response repeatedly, and reads none of it.
    Reader,
}

pub struct Slow {
    pub how: Slowness,
    stream: TcpStream,
}

/// Opens this many connections, each from its own address.
pub fn connect(target: &Target, how: Slowness, count: usize, token: &str) -> Vec<Slow> {
    let open = |_| {
        let mut stream = TcpStream::connect_timeout(&target.server, Duration::from_secs(5)).ok()?;
        let is_reader = how == Slowness::Reader;
        let request = Request {
            method: if is_reader { "GET" } else { "POST" },
            path: if is_reader { "/api/openapi.json" } else { "/api/User/Login" },
            token,
            from: target.another_sender(),
            headers: &[],
            body: &[b' '; 1_000],
        };
        let whole = head(&request);
        let begin = match how {
            Slowness::Head => whole[..whole.len() - 20].to_vec(),
            Slowness::Body => whole,
            Slowness::Reader => {
                let whole = String::from_utf8_lossy(&whole).replace("Connection: close", "Connection: keep-alive");
                whole.repeat(40).into_bytes()
            }
        };
        stream.set_write_timeout(Some(Duration::from_millis(200))).ok()?;
        let _ = stream.write_all(&begin);
        stream.set_nonblocking(true).ok()?;
        Some(Slow { how, stream })
    };
    (0..count).filter_map(open).collect()
}

/// Sends a byte per second on each until all are closed or answered, or the time is over; returns how many are still open.
pub fn hold(slow: &mut Vec<Slow>, at_most: Duration) -> usize {
    let begin = Instant::now();
    while begin.elapsed() < at_most && slow.iter().any(|one| one.how != Slowness::Reader) {
        slow.retain_mut(|one| one.is_held());
        std::thread::park_timeout(Duration::from_secs(1));
    }
    slow.iter().filter(|one| one.how != Slowness::Reader).count()
}

impl Slow {
    /// Sends one more byte; false once the server has answered or closed.
    fn is_held(&mut self) -> bool {
        if self.how == Slowness::Reader {
            return true;
        }
        let waits = |error: &std::io::Error| error.kind() == std::io::ErrorKind::WouldBlock;
        let is_silent = self.stream.read(&mut [0; 64]).is_err_and(|error| waits(&error));
        is_silent && self.stream.write(b" ").is_ok_and(|count| count > 0)
    }
}
