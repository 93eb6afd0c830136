//! One connection: how long it may be silent, and how it ends. A client may send a request at the moment at which an idle connection is closed,
//! and has lost it then; so connections are kept for longer than proxies and clients keep theirs, and what has arrived is always answered.
use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::ConnectionType;
use actix_web::middleware::Next;
use actix_web::rt::net::TcpStream;
use actix_web::web::Bytes;
use futures_util::task::AtomicWaker;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// How long a connection may be silent.
#[derive(Clone, Copy)]
pub struct Times {
    /// Between requests, and before the first one. nginx keeps connections for 60 seconds, clients in Rust and Go for 90.
    pub idle: Duration,
    /// From the first byte of a request to the end of its headers.
    pub head: Duration,
    /// While the client takes nothing of a response.
    pub stalled: Duration,
}

pub const TIMES: Times =
    Times { idle: Duration::from_secs(120), head: Duration::from_secs(5), stalled: Duration::from_secs(30) };

const TOO_SLOW: &[u8] = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/// The state of a connection, shared by its stream, its requests and the table of connections.
pub struct Connection {
    phase: Mutex<Phase>,
    /// Its next response says that it is the last one.
    is_ending: AtomicBool,
    is_leaving: AtomicBool,
    /// The task that serves it.
    task: AtomicWaker,
}

#[derive(Clone, Copy)]
enum Phase {
    /// Everything that has arrived is answered.
    Idle(Instant),
    /// A request has begun to arrive.
    Head(Instant),
    Answering,
}

impl Connection {
    fn new() -> Arc<Connection> {
        Arc::new(Connection {
            phase: Mutex::new(Phase::Idle(Instant::now())),
            is_ending: AtomicBool::new(false),
            is_leaving: AtomicBool::new(false),
            task: AtomicWaker::new(),
        })
    }

    /// Makes its next response the last one.
    pub fn end(&self) {
        self.is_ending.store(true, Ordering::SeqCst);
    }

    /// Closes it as soon as everything that has arrived is answered: at once, if it is idle.
    pub fn leave(&self) {
        self.end();
        self.is_leaving.store(true, Ordering::SeqCst);
        self.task.wake();
    }

    pub fn is_leaving(&self) -> bool {
        self.is_leaving.load(Ordering::SeqCst)
    }

    pub fn idle_since(&self) -> Option<Instant> {
        match self.phase() {
            Phase::Idle(since) => Some(since),
            Phase::Head(_) | Phase::Answering => None,
        }
    }

    fn phase(&self) -> Phase {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, phase: Phase) {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = phase;
    }
}

/// The stream of a connection, with something that is dropped when it is closed.
pub struct Stream<Held> {
    stream: TcpStream,
    connection: Arc<Connection>,
    times: Times,
    /// When to look again whether a time is over: at the end of the current one or earlier.
    alarm: Pin<Box<Sleep>>,
    /// Since when the client has taken nothing of a response.
    stalled_since: Option<Instant>,
    _held: Held,
}

impl<Held> Stream<Held> {
    pub fn new(stream: TcpStream, times: Times, hold: impl FnOnce(&Arc<Connection>) -> Held) -> Stream<Held> {
        let connection = Connection::new();
        let held = hold(&connection);
        Stream { stream, connection, times, alarm: Box::pin(sleep(times.idle)), stalled_since: None, _held: held }
    }

    pub fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }

    /// Whether it has been silent for too long; otherwise its task is woken when it may have been.
    fn is_silent_for_too_long(&mut self, context: &mut Context<'_>) -> bool {
        match self.connection.phase() {
            Phase::Idle(_) if self.connection.is_leaving() => true,
            Phase::Idle(since) => self.is_over(since + self.times.idle, context),
            Phase::Head(since) => self.is_over(since + self.times.head, context),
            Phase::Answering => false,
        }
    }

    fn is_over(&mut self, end: Instant, context: &mut Context<'_>) -> bool {
        if end <= Instant::now() {
            return true;
        }
        if self.alarm.is_elapsed() || end < self.alarm.deadline() {
            self.alarm.as_mut().reset(end);
        }
        // An alarm for an earlier end is set anew only when it rings, so that most requests set none.
        if self.alarm.as_mut().poll(context).is_pending() {
            return false;
        }
        self.alarm.as_mut().reset(end);
        self.alarm.as_mut().poll(context).is_ready()
    }
}

impl<Held: Unpin> AsyncRead for Stream<Held> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let (this, before) = (self.get_mut(), buffer.filled().len());
        let read = Pin::new(&mut this.stream).poll_read(context, buffer);
        if read.is_ready() {
            if buffer.filled().len() > before && this.connection.idle_since().is_some() {
                this.connection.enter(Phase::Head(Instant::now()));
            }
            return read;
        }
        // Nothing more has arrived, so an end that is reported now loses no request that is here.
        this.connection.task.register(context.waker());
        if !this.is_silent_for_too_long(context) {
            return Poll::Pending;
        }
        if this.connection.idle_since().is_none() && this.stalled_since.is_none() {
            let _ = this.stream.try_write(TOO_SLOW);
        }
        Poll::Ready(Ok(()))
    }
}

impl<Held: Unpin> AsyncWrite for Stream<Held> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if let Poll::Ready(written) = Pin::new(&mut this.stream).poll_write(context, bytes) {
            this.stalled_since = None;
            return Poll::Ready(written);
        }
        let since = *this.stalled_since.get_or_insert_with(Instant::now);
        if this.is_over(since + this.times.stalled, context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        Poll::Pending
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        // A response may have ended since the last read: from now on it is idle.
        this.is_silent_for_too_long(context);
        Pin::new(&mut this.stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

/// A request being answered: until the last byte of its response has been taken from it, its connection is not idle.
struct InUse(Arc<Connection>);

impl InUse {
    fn begin(connection: &Arc<Connection>) -> InUse {
        connection.enter(Phase::Answering);
        InUse(connection.clone())
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        self.0.enter(Phase::Idle(Instant::now()));
        if self.0.is_leaving() {
            self.0.task.wake();
        }
    }
}

/// The body of a response, with the use of its connection.
pub struct Answer<B> {
    body: Pin<Box<B>>,
    _in_use: Option<InUse>,
}

impl<B: MessageBody> MessageBody for Answer<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, B::Error>>> {
        self.body.as_mut().poll_next(context)
    }
}

/// Middleware, around all others: marks the connection as in use, and says in the response whether it is the last one.
pub async fn use_connection<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<Answer<B>>, actix_web::Error> {
    let connection = request.conn_data::<Arc<Connection>>().cloned();
    let in_use = connection.as_ref().map(InUse::begin);
    let mut response = next.call(request).await?;
    if connection.is_some_and(|connection| connection.is_ending.load(Ordering::SeqCst)) {
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    Ok(response.map_body(|_, body| Answer { body: Box::pin(body), _in_use: in_use }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream as Client};

    const LONG: Duration = Duration::from_secs(3_600);
    const SHORT: Duration = Duration::from_millis(50);

    fn connected(times: Times) -> (Stream<()>, Client) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let client = Client::connect(listener.local_addr().expect("an address")).expect("a connection");
        let (accepted, _) = listener.accept().expect("a connection");
        accepted.set_nonblocking(true).expect("a setting");
        (Stream::new(TcpStream::from_std(accepted).expect("a stream"), times, |_| ()), client)
    }

    async fn read(stream: &mut Stream<()>) -> Vec<u8> {
        let mut bytes = [0; 64];
        let mut buffer = ReadBuf::new(&mut bytes);
        poll_fn(|context| Pin::new(&mut *stream).poll_read(context, &mut buffer)).await.expect("no error");
        buffer.filled().to_vec()
    }

    fn received(stream: Stream<()>, mut client: Client) -> String {
        drop(stream);
        let mut text = String::new();
        client.read_to_string(&mut text).expect("text");
        text
    }

    #[actix_web::test]
    async fn an_idle_connection_is_closed_without_a_word() {
        let (mut stream, client) = connected(Times { idle: SHORT, head: LONG, stalled: LONG });
        let begin = Instant::now();
        assert_eq!(read(&mut stream).await, b"");
        assert!(begin.elapsed() >= SHORT);
        assert_eq!(received(stream, client), "");
    }

    #[actix_web::test]
    async fn a_request_that_has_arrived_is_read_before_its_connection_is_closed() {
        let (mut stream, mut client) = connected(Times { idle: LONG, head: LONG, stalled: LONG });
        let connection = stream.connection().clone();
        client.write_all(b"GET").expect("a request");
        stream.stream.readable().await.expect("a request");
        connection.leave();
        assert_eq!(read(&mut stream).await, b"GET");
        drop(InUse::begin(&connection));
        assert_eq!(read(&mut stream).await, b"", "answered");
        assert_eq!(received(stream, client), "");
    }

    #[actix_web::test]
    async fn an_idle_connection_that_is_waited_for_is_closed_from_elsewhere() {
        let (mut stream, client) = connected(Times { idle: LONG, head: LONG, stalled: LONG });
        let connection = stream.connection().clone();
        let leave = std::thread::spawn(move || connection.leave());
        assert_eq!(read(&mut stream).await, b"");
        leave.join().expect("an end");
        assert_eq!(received(stream, client), "");
    }

    #[actix_web::test]
    async fn slow_headers_are_told_so() {
        let (mut stream, mut client) = connected(Times { idle: LONG, head: SHORT, stalled: LONG });
        client.write_all(b"GET").expect("a beginning");
        assert_eq!(read(&mut stream).await, b"GET");
        assert_eq!(read(&mut stream).await, b"");
        assert!(received(stream, client).starts_with("HTTP/1.1 408 "));
    }

    #[actix_web::test]
    async fn a_receiver_that_takes_nothing_is_cut() {
        let (mut stream, _client) = connected(Times { idle: LONG, head: LONG, stalled: SHORT });
        let error = loop {
            let written = poll_fn(|context| Pin::new(&mut stream).poll_write(context, &[0; 65_536])).await;
            if let Err(error) = written {
                break error;
            }
        };
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
