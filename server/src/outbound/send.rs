//! Sends one delivery: a signed request to an endpoint. The response is not trusted, and only its start is read.
use crate::error::AppError;
use crate::outbound::guard::{Blocked, Guard};
use crate::outbound::signature::sign;
use crate::tls;
use chrono::NaiveDateTime;
use postern_core::webhook_delivery::{
    ANSWER_MAX_BYTES, ANSWER_MAX_HEADERS, DeliveryProblem, HEADER_MAX_LENGTH, TIMEOUT_SECONDS, problem_of_status,
};
use reqwest::header::HeaderMap;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// A header of a request or response.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Header {
    pub name: String,
    /// Its value, truncated if long.
    pub value: String,
}

const USER_AGENT: &str = concat!("Postern-Webhooks/", env!("CARGO_PKG_VERSION"));

/// One message to one endpoint.
pub struct Message<'a> {
    pub url: &'a str,
    /// The valid secrets, newest first.
    pub secrets: &'a [String],
    pub message_id: &'a str,
    pub body: String,
}

/// The result of a request.
#[derive(Debug, Default)]
pub struct Sent {
    pub status: Option<u16>,
    /// `None` for success.
    pub problem: Option<DeliveryProblem>,
    pub duration_ms: i32,
    pub request_headers: Vec<Header>,
    pub answer_headers: Vec<Header>,
    pub answer: String,
}

#[derive(Clone)]
pub struct Sender {
    pub guard: Guard,
    client: reqwest::Client,
}

impl Sender {
    /// A client without redirects, proxies, cookies or decompression, which connects only to addresses checked by the guard.
    pub fn new(guard: Guard) -> anyhow::Result<Sender> {
        let client = tls::client(Duration::from_secs(TIMEOUT_SECONDS))
            .map_err(|error| anyhow::anyhow!("preparing TLS: {error}"))?
            .user_agent(USER_AGENT)
            .referer(false)
            .dns_resolver(guard.clone())
            .build()?;
        Ok(Sender { guard, client })
    }

    /// Sends the message, signed with this timestamp.
    pub async fn send(&self, message: Message<'_>, now: NaiveDateTime) -> Result<Sent, AppError> {
        let timestamp = now.and_utc().timestamp();
        let signature =
            sign(message.secrets, message.message_id, timestamp, &message.body).map_err(AppError::Internal)?;
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("content-type", "application/json".to_owned()),
            ("user-agent", USER_AGENT.to_owned()),
            ("webhook-id", message.message_id.to_owned()),
            ("webhook-timestamp", timestamp.to_string()),
            ("webhook-signature", signature),
        ] {
            headers.insert(name, value.try_into().map_err(|_| AppError::internal("an invalid header value"))?);
        }
        let request_headers = shown(&headers);
        let began = Instant::now();
        let answered = match self.guard.admit(message.url) {
            Err(blocked) => Err(blocked.0),
            Ok(url) => {
                let request = self.client.post(url).headers(headers).body(message.body);
                request.send().await.map_err(|error| problem_of(&error))
            }
        };
        let mut sent = match answered {
            Err(problem) => Sent { problem: Some(problem), ..Sent::default() },
            Ok(response) => {
                let status = response.status().as_u16();
                let answer_headers = shown(response.headers());
                let answer = read_beginning(response).await;
                Sent {
                    status: Some(status),
                    problem: problem_of_status(status),
                    answer_headers,
                    answer,
                    ..Sent::default()
                }
            }
        };
        sent.request_headers = request_headers;
        sent.duration_ms = i32::try_from(began.elapsed().as_millis()).unwrap_or(i32::MAX);
        Ok(sent)
    }
}

impl Sender {
    /// Reads a document of at most this many bytes, from an address that a person entered.
    pub async fn fetch(&self, url: &str, max_bytes: usize) -> Result<Vec<u8>, DeliveryProblem> {
        let url = self.guard.admit(url).map_err(|blocked| blocked.0)?;
        let mut response = self.client.get(url).send().await.map_err(|error| problem_of(&error))?;
        if let Some(problem) = problem_of_status(response.status().as_u16()) {
            return Err(problem);
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| problem_of(&error))? {
            if bytes.len() + chunk.len() > max_bytes {
                return Err(DeliveryProblem::BrokenAnswer);
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    }
}

/// Why there was no response. The error text is neither stored nor logged: it may reveal what is behind the endpoint.
fn problem_of(error: &reqwest::Error) -> DeliveryProblem {
    let mut causes: Vec<&(dyn Error + 'static)> = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause);
        next = cause.source();
    }
    let blocked = causes.iter().find_map(|cause| cause.downcast_ref::<Blocked>());
    // A rustls error inside an io::Error is behind `get_ref`, not among the sources.
    let is_tls = causes.iter().any(|cause| {
        let inner = cause.downcast_ref::<std::io::Error>().and_then(|error| error.get_ref());
        cause.is::<rustls::Error>() || inner.is_some_and(|inner| inner.is::<rustls::Error>())
    });
    match blocked {
        Some(blocked) => blocked.0,
        None if error.is_timeout() => DeliveryProblem::Timeout,
        None if is_tls => DeliveryProblem::Certificate,
        None if error.is_connect() => DeliveryProblem::NoConnection,
        None => DeliveryProblem::BrokenAnswer,
    }
}

/// Headers for storage: limited in number and length, and without characters that a database cannot store.
fn shown(headers: &HeaderMap) -> Vec<Header> {
    let text = |value: &[u8]| readable(&value[..value.len().min(HEADER_MAX_LENGTH)]);
    let header = |(name, value): (&reqwest::header::HeaderName, &reqwest::header::HeaderValue)| Header {
        name: text(name.as_str().as_bytes()),
        value: text(value.as_bytes()),
    };
    headers.iter().take(ANSWER_MAX_HEADERS).map(header).collect()
}

fn readable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}")
}

/// The start of the response body; the rest is not read. The status counts even if the body breaks off.
async fn read_beginning(mut response: reqwest::Response) -> String {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        bytes.extend_from_slice(&chunk[..chunk.len().min(ANSWER_MAX_BYTES - bytes.len())]);
        if bytes.len() >= ANSWER_MAX_BYTES {
            break;
        }
    }
    readable(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outbound::guard::tests::answering;
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A loopback endpoint that responds to each request with these bytes; returns its port and request counter.
    fn endpoint(answer: String) -> (u16, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let requests = Arc::new(AtomicUsize::new(0));
        let counter = requests.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                counter.fetch_add(1, Ordering::SeqCst);
                let _ = stream.read(&mut [0; 4_096]);
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        (port, requests)
    }

    async fn send(guard: Guard, url: &str) -> Sent {
        tls::prepare();
        let sender = Sender::new(guard).expect("a sender");
        let secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned()];
        let message = Message { url, secrets: &secrets, message_id: "msg_1", body: "{}".to_owned() };
        sender.send(message, NaiveDateTime::default()).await.expect("an attempt")
    }

    fn ok(body: &str) -> String {
        format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nx-long: {}\r\n\r\n{body}", body.len(), "v".repeat(900))
    }

    #[actix_web::test]
    async fn dns_rebinding_reaches_no_private_address() {
        let (port, requests) = endpoint(ok("reached"));
        let guard = answering(&[], &[&["8.8.8.8"], &["127.0.0.1"]]);
        let url = format!("https://hooks.example.com:{port}/");
        assert!(!guard.is_private(&url).await, "at the check it is public");
        let sent = send(guard, &url).await;
        assert_eq!((sent.problem, sent.status), (Some(DeliveryProblem::PrivateAddress), None));
        assert_eq!(requests.load(Ordering::SeqCst), 0);
    }

    #[actix_web::test]
    async fn the_connection_goes_to_the_address_that_was_checked() {
        let (port, requests) = endpoint(ok("here"));
        // The system cannot resolve this name: only the guard's answer leads there.
        let sent = send(answering(&["hooks.test"], &[&["127.0.0.1"]]), &format!("http://hooks.test:{port}/in")).await;
        assert_eq!((sent.status, sent.problem, sent.answer.as_str()), (Some(200), None, "here"));
        assert_eq!(requests.load(Ordering::SeqCst), 1);
        assert!(sent.answer_headers.iter().all(|header| header.value.len() <= HEADER_MAX_LENGTH), "{sent:?}");
        let names: Vec<_> = sent.request_headers.iter().map(|header| header.name.as_str()).collect();
        assert_eq!(names, ["content-type", "user-agent", "webhook-id", "webhook-timestamp", "webhook-signature"]);
    }

    #[actix_web::test]
    async fn a_redirect_to_loopback_is_not_followed() {
        let (inner, reached) = endpoint(ok("secret"));
        let redirect =
            format!("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:{inner}/\r\ncontent-length: 0\r\n\r\n");
        let (port, _) = endpoint(redirect);
        let sent = send(answering(&["hooks.test"], &[&["127.0.0.1"]]), &format!("http://hooks.test:{port}/")).await;
        assert_eq!((sent.status, sent.problem), (Some(302), Some(DeliveryProblem::Redirected)));
        assert_eq!(reached.load(Ordering::SeqCst), 0);
    }

    #[actix_web::test]
    async fn ip_addresses_in_urls_are_checked() {
        let (port, requests) = endpoint(ok("reached"));
        for host in ["127.0.0.1", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "localhost"] {
            for scheme in ["http", "https"] {
                let sent = send(answering(&[], &[&["127.0.0.1"]]), &format!("{scheme}://{host}:{port}/")).await;
                assert_eq!(sent.problem, Some(DeliveryProblem::PrivateAddress), "{scheme}://{host}");
            }
        }
        assert_eq!(requests.load(Ordering::SeqCst), 0);
    }

    #[actix_web::test]
    async fn responses_are_truncated_and_invalid_ones_reported() {
        let guard = || answering(&["hooks.test"], &[&["127.0.0.1"]]);
        let sent = async |answer: String| send(guard(), &format!("http://hooks.test:{}/", endpoint(answer).0)).await;
        let long = sent(ok(&"a".repeat(1_000_000))).await;
        assert_eq!((long.status, long.problem, long.answer.len()), (Some(200), None, ANSWER_MAX_BYTES));
        let zeros = sent(ok("a\0b")).await;
        assert_eq!(zeros.answer, "a\u{fffd}b");
        let packed =
            sent("HTTP/1.1 500 Oops\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc".to_owned()).await;
        assert_eq!((packed.problem, packed.answer.as_str()), (Some(DeliveryProblem::BadStatus), "abc"));
        assert_eq!(sent("nonsense\r\n\r\n".to_owned()).await.problem, Some(DeliveryProblem::BrokenAnswer));
        // Bound, so that nobody else is given the port, and not listening.
        let closed = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).expect("a socket");
        closed.bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into()).expect("a port");
        let port = closed.local_addr().ok().and_then(|address| address.as_socket()).expect("an address").port();
        let nobody = send(guard(), &format!("http://hooks.test:{port}/")).await;
        assert_eq!(nobody.problem, Some(DeliveryProblem::NoConnection));
        let (port, _) = endpoint(ok("no TLS"));
        let plain = send(guard(), &format!("https://hooks.test:{port}/")).await;
        // A connection closed before the client has read it counts as no connection.
        let problems = [DeliveryProblem::Certificate, DeliveryProblem::NoConnection];
        assert!(plain.problem.is_some_and(|problem| problems.contains(&problem)), "{:?}", plain.problem);
        let unknown = send(answering(&[], &[&[]]), "https://hooks.example.com/").await;
        assert_eq!(unknown.problem, Some(DeliveryProblem::NotFound));
    }
}
