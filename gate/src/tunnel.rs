//! Carries bytes between two connections, in both directions, and counts them as they go.
use crate::meter::Flow;
use bytes::Bytes;
use socket2::SockRef;
use std::io::{self, ErrorKind};
use std::net::Shutdown;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::task::coop::consume_budget;

/// A buffer is held only while there is something to carry, so that idle tunnels take no memory.
const BUFFER_BYTES: usize = 64 * 1024;

/// A connection that carries nothing for this long is closed.
pub const IDLE: Duration = Duration::from_secs(300);

/// How often the idle time is looked at.
const IDLE_CHECKS: u32 = 5;

/// The two ends of a tunnel, with what each has sent already.
pub struct Ends {
    pub client: TcpStream,
    pub from_client: Bytes,
    pub origin: TcpStream,
    pub from_origin: Bytes,
}

impl Ends {
    /// Carries until both directions have ended, or one breaks. `delay` says how long to wait after bytes that were carried.
    pub async fn carry(&self, flow: &Flow, delay: impl Fn(usize) -> Duration) {
        let activity = AtomicU64::new(0);
        let count = |bytes: usize| activity.fetch_add(bytes as u64, Ordering::Relaxed);
        let upload = async {
            let counted = |bytes| {
                count(bytes);
                flow.add_upload(bytes);
            };
            write_all(&self.origin, &self.from_client, &counted).await?;
            copy(&self.client, &self.origin, &counted, &delay).await
        };
        let download = async {
            let counted = |bytes| {
                count(bytes);
                flow.add_download(bytes);
            };
            write_all(&self.client, &self.from_origin, &counted).await?;
            copy(&self.origin, &self.client, &counted, &delay).await
        };
        tokio::select! {
            // A tunnel ends when one side breaks; what the error was, nobody needs to know.
            _ = async { tokio::try_join!(upload, download) } => {}
            () = idle(|| activity.load(Ordering::Relaxed)) => {}
        }
    }

    /// Ends both connections at once, with what is under way.
    pub fn cut(&self) {
        for stream in [&self.client, &self.origin] {
            cut(stream);
        }
    }
}

/// Lets a connection end with a reset when it is closed.
pub fn cut(stream: &TcpStream) {
    // Fails only on a connection that has ended.
    let _ = SockRef::from(stream).set_linger(Some(Duration::ZERO));
}

/// Ends when the number has not changed for as long as a connection may be idle.
pub async fn idle(activity: impl Fn() -> u64) {
    let mut quiet = 0;
    let mut last = activity();
    while quiet < IDLE_CHECKS {
        tokio::time::sleep(IDLE / IDLE_CHECKS).await;
        let now = activity();
        quiet = if now == last { quiet + 1 } else { 0 };
        last = now;
    }
}

async fn copy(
    from: &TcpStream,
    to: &TcpStream,
    count: &impl Fn(usize),
    delay: &impl Fn(usize) -> Duration,
) -> io::Result<()> {
    loop {
        from.readable().await?;
        let mut buffer = Vec::with_capacity(BUFFER_BYTES);
        loop {
            buffer.clear();
            match from.try_read_buf(&mut buffer) {
                Ok(0) => return SockRef::from(to).shutdown(Shutdown::Write),
                Ok(read) => {
                    write_all(to, &buffer, count).await?;
                    let delay = delay(read);
                    if !delay.is_zero() {
                        tokio::time::sleep(delay).await;
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
            // Fast tunnels let others take their turn.
            consume_budget().await;
        }
    }
}

async fn write_all(to: &TcpStream, mut bytes: &[u8], count: &impl Fn(usize)) -> io::Result<()> {
    while !bytes.is_empty() {
        match to.try_write(bytes) {
            Ok(written) => {
                count(written);
                bytes = &bytes[written..];
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => to.writable().await?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
