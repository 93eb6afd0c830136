//! Forwards a request to its origin over a connection of its own, and streams both bodies.
use crate::gate::{Gate, Visit};
use crate::http::headers;
use crate::http::socket::{Link, RequestEnd};
use crate::metrics::Protocol;
use crate::refusal::Refusal;
use crate::tunnel::idle;
use crate::upstream::{Forwarder, Purpose};
use bytes::Bytes;
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::client::conn::http1;
use hyper::header::{CONTENT_LENGTH, HeaderValue, PROXY_AUTHORIZATION, TRANSFER_ENCODING};
use hyper::http::request::Parts;
use hyper::{Request, Response, StatusCode, Version};
use hyper_util::rt::TokioIo;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::net::TcpStream;

pub type Payload = UnsyncBoxBody<Bytes, hyper::Error>;

pub async fn forward(
    gate: &Gate,
    visit: &Visit,
    link: &Arc<Link>,
    mut parts: Parts,
    body: Incoming,
) -> Result<Response<Payload>, Refusal> {
    headers::check_unambiguous(&parts)?;
    let destination = headers::origin(&parts.uri)?;
    let (user_name, password) = headers::credentials(&parts.headers)?;
    let grant = gate.admit(visit, user_name, password).await?;
    let way = gate.connect(&grant, visit, &destination, Purpose::Request).await?;
    gate.metrics.note_connection(Protocol::Http);
    let flow = gate.flow(&grant, visit, &destination, way.country.as_deref());
    let end = Arc::new(link.accept(grant, flow));
    address(&mut parts, way.forwarder.as_ref())?;
    if !body.is_end_stream() && !parts.headers.contains_key(CONTENT_LENGTH) {
        // The client's own was of its connection; without one, GET would be sent without its body.
        parts.headers.insert(TRANSFER_ENCODING, HeaderValue::from_static("chunked"));
    }
    let request = Request::from_parts(parts, Passing::new(body, &end));
    let response = ask(way.reached.stream, request, link).await?;
    if let Some(forwarder) = &way.forwarder {
        let is_accepted = response.status() != StatusCode::PROXY_AUTHENTICATION_REQUIRED;
        gate.route.note_response(forwarder, is_accepted);
        if !is_accepted {
            return Err(Refusal::NoUpstream);
        }
    }
    Ok(response.map(|body| Passing::new(body, &end).boxed_unsync()))
}

/// Makes the client's request one for the origin, or for the upstream that forwards it.
fn address(parts: &mut Parts, forwarder: Option<&Forwarder>) -> Result<(), Refusal> {
    parts.version = Version::HTTP_11;
    let Some(forwarder) = forwarder else { return headers::address_origin(parts) };
    headers::name_host(parts)?;
    if let Some(credentials) = &forwarder.credentials {
        parts.headers.insert(PROXY_AUTHORIZATION, credentials.clone());
    }
    Ok(())
}

/// Sends the request, and waits for the response's head for as long as the body is on its way.
async fn ask(origin: TcpStream, request: Request<Passing>, link: &Link) -> Result<Response<Incoming>, Refusal> {
    let handshake = http1::Builder::new().preserve_header_case(true).handshake(TokioIo::new(origin));
    let (mut sender, connection) = handshake.await.map_err(|_| Refusal::BrokenAnswer)?;
    // It ends with the response, or when the client has gone.
    tokio::spawn(connection);
    let mut response = tokio::select! {
        response = sender.send_request(request) => response.map_err(|_| Refusal::BrokenAnswer)?,
        () = idle(|| link.activity()) => return Err(Refusal::Timeout),
    };
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        return Err(Refusal::BrokenAnswer);
    }
    headers::drop_hop_by_hop(response.headers_mut());
    *response.version_mut() = Version::HTTP_11;
    Ok(response)
}

/// A body of the request or of the response, which holds the end of the request until it has passed. An origin may respond before it has read all.
struct Passing {
    body: Incoming,
    end: Option<Arc<RequestEnd>>,
}

impl Passing {
    fn new(body: Incoming, end: &Arc<RequestEnd>) -> Passing {
        let end = (!body.is_end_stream()).then(|| end.clone());
        Passing { body, end }
    }
}

impl Body for Passing {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if matches!(polled, Poll::Ready(None)) || self.body.is_end_stream() {
            self.end = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
