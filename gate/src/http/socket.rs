//! A client's connection that speaks HTTP: counts what is read and written for the request that is being carried out, and ends when its
//! permission ends.
//!
//! Of an accepted request, all bytes on the client's side count: heads, bodies and framing. What is refused does not count.
use crate::access::Grant;
use crate::meter::Flow;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::Sleep;
use tokio_util::sync::CancellationToken;

/// What is shared by the connection and the requests on it, which come one after the other.
pub struct Link {
    account: Mutex<Account>,
    activity: AtomicU64,
    ended: watch::Sender<Option<CancellationToken>>,
}

/// For whom bytes count.
#[derive(Default)]
struct Account {
    reads: Option<Arc<Flow>>,
    writes: Option<Arc<Flow>>,
    /// Bytes of a request that is not yet accepted.
    unclaimed: usize,
    /// The connection is open for this identity until another one asks.
    grant: Option<Grant>,
    /// The number of the request.
    request: u64,
}

impl Account {
    fn delay(&self, bytes: usize) -> Duration {
        self.grant.as_ref().map_or(Duration::ZERO, |grant| grant.delay(bytes))
    }
}

impl Link {
    pub fn new() -> Arc<Link> {
        let (ended, _) = watch::channel(None);
        Arc::new(Link { account: Mutex::default(), activity: AtomicU64::new(0), ended })
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request has come: nothing counts until it is accepted.
    pub fn begin(&self) {
        let mut account = self.account();
        (account.reads, account.writes) = (None, None);
        account.request += 1;
        if let Some(grant) = &mut account.grant {
            // The new request takes its own.
            grant.seat = None;
        }
    }

    /// The request is carried out: all its bytes count, those read already included, until its end is dropped.
    pub fn accept(self: &Arc<Link>, grant: Grant, flow: Arc<Flow>) -> RequestEnd {
        let mut account = self.account();
        flow.add_upload(std::mem::take(&mut account.unclaimed));
        (account.reads, account.writes) = (Some(flow.clone()), Some(flow));
        self.ended.send_replace(Some(grant.ended.clone()));
        account.grant = Some(grant);
        RequestEnd { link: self.clone(), request: account.request }
    }

    /// The request is refused: its bytes do not count.
    pub fn refuse(&self) {
        self.account().unclaimed = 0;
    }

    /// Counts bytes, and says how long to wait after them.
    fn note_read(&self, bytes: usize) -> Duration {
        self.activity.fetch_add(bytes as u64, Ordering::Relaxed);
        let mut account = self.account();
        match &account.reads {
            Some(flow) => {
                flow.add_upload(bytes);
                account.delay(bytes)
            }
            None => {
                account.unclaimed += bytes;
                Duration::ZERO
            }
        }
    }

    /// As `note_read`.
    fn note_written(&self, bytes: usize) -> Duration {
        self.activity.fetch_add(bytes as u64, Ordering::Relaxed);
        let account = self.account();
        let Some(flow) = &account.writes else { return Duration::ZERO };
        flow.add_download(bytes);
        account.delay(bytes)
    }

    /// A number that changes with every byte.
    pub fn activity(&self) -> u64 {
        self.activity.load(Ordering::Relaxed)
    }

    /// Waits until the permission of the last accepted request ends.
    pub async fn ended(&self) {
        let mut tokens = self.ended.subscribe();
        loop {
            let token = tokens.borrow_and_update().clone();
            let ended = async {
                match token {
                    Some(token) => token.cancelled().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = ended => return,
                // The sender is part of `self`.
                _ = tokens.changed() => {}
            }
        }
    }
}

/// When it is dropped, both bodies of a request have passed: what is read then belongs to the next request.
pub struct RequestEnd {
    link: Arc<Link>,
    request: u64,
}

impl Drop for RequestEnd {
    fn drop(&mut self) {
        let mut account = self.link.account();
        if account.request == self.request {
            account.reads = None;
        }
    }
}

/// The client's stream: counted, and slowed down to its user's bandwidth.
pub struct ClientStream {
    stream: TcpStream,
    link: Arc<Link>,
    pause: Option<Pin<Box<Sleep>>>,
}

impl ClientStream {
    pub fn new(stream: TcpStream, link: Arc<Link>) -> ClientStream {
        ClientStream { stream, link, pause: None }
    }

    /// Waits until what was carried is paid for by the bandwidth.
    fn poll_paused(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if let Some(pause) = &mut self.pause {
            ready!(pause.as_mut().poll(cx));
            self.pause = None;
        }
        Poll::Ready(())
    }

    fn pause(&mut self, delay: Duration) {
        if !delay.is_zero() {
            self.pause = Some(Box::pin(tokio::time::sleep(delay)));
        }
    }

    pub fn into_stream(self) -> TcpStream {
        self.stream
    }

    fn counted(&mut self, written: io::Result<usize>) -> Poll<io::Result<usize>> {
        if let Ok(bytes) = written {
            let delay = self.link.note_written(bytes);
            self.pause(delay);
        }
        Poll::Ready(written)
    }
}

impl AsyncRead for ClientStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_paused(cx));
        let before = buf.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buf))?;
        let delay = self.link.note_read(buf.filled().len() - before);
        self.pause(delay);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for ClientStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_paused(cx));
        let written = ready!(Pin::new(&mut self.stream).poll_write(cx, buf));
        self.counted(written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_paused(cx));
        let written = ready!(Pin::new(&mut self.stream).poll_write_vectored(cx, bufs));
        self.counted(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
