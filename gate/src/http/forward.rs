//! Forwards a request to its origin over a connection of its own, and streams both bodies.
use crate::gate::{Gate, Visit};
use crate::http::headers;
use crate::http::socket::{Finish, Link};
use crate::metrics::Protocol;
use crate::refusal::Refusal;
use crate::tunnel::IDLE;
use crate::upstream::{Forwarder, Purpose};
use bytes::Bytes;
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::client::conn::http1;
use hyper::header::PROXY_AUTHORIZATION;
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
    link.accept(grant, flow);
    let finish = Finish(link.clone());
    address(&mut parts, way.forwarder.as_ref())?;
    let response = ask(way.reached.stream, Request::from_parts(parts, body)).await?;
    if let (Some(forwarder), StatusCode::PROXY_AUTHENTICATION_REQUIRED) = (&way.forwarder, response.status()) {
        gate.route.note_refused(forwarder);
        return Err(Refusal::NoUpstream);
    }
    Ok(response.map(|body| Passing { body, _finish: finish }.boxed_unsync()))
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

/// Sends the request, and waits for the response's head.
async fn ask(origin: TcpStream, request: Request<Incoming>) -> Result<Response<Incoming>, Refusal> {
    let handshake = http1::Builder::new().preserve_header_case(true).handshake(TokioIo::new(origin));
    let (mut sender, connection) = handshake.await.map_err(|_| Refusal::BrokenAnswer)?;
    // It ends with the response, or when the client has gone.
    tokio::spawn(connection);
    let response = tokio::time::timeout(IDLE, sender.send_request(request)).await.map_err(|_| Refusal::Timeout)?;
    let mut response = response.map_err(|_| Refusal::BrokenAnswer)?;
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        return Err(Refusal::BrokenAnswer);
    }
    headers::drop_hop_by_hop(response.headers_mut());
    *response.version_mut() = Version::HTTP_11;
    Ok(response)
}

/// The origin's body, and the end of the request when it is dropped.
struct Passing {
    body: Incoming,
    _finish: Finish,
}

impl Body for Passing {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
