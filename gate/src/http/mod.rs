//! HTTP proxying: requests for whole addresses are forwarded, CONNECT opens a tunnel.
mod forward;
pub mod headers;
pub mod socket;

use crate::access::Grant;
use crate::gate::{Gate, Visit};
use crate::http::forward::Payload;
use crate::http::socket::{ClientStream, Link};
use crate::meter::Flow;
use crate::metrics::Protocol;
use crate::refusal::Refusal;
use crate::tunnel::{self, Ends};
use crate::upstream::{Purpose, Reached};
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue, PROXY_AUTHENTICATE};
use hyper::http::request::Parts;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;

/// For a request's head, and between two requests.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

const MAX_HEADERS: usize = 100;
const MAX_HEAD_BYTES: usize = 32 * 1024;
const BUFFER_BYTES: usize = 64 * 1024;

const PROXY_ERROR: HeaderName = HeaderName::from_static("x-proxy-error");

/// Serves the requests of one connection.
pub async fn serve(gate: Arc<Gate>, visit: Visit, stream: TcpStream) {
    let link = Link::new();
    let client = TokioIo::new(ClientStream::new(stream, link.clone()));
    let service = service_fn(|request| {
        let (gate, visit, link) = (gate.clone(), visit.clone(), link.clone());
        async move { Ok::<_, Infallible>(answer(gate, visit, link, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_headers(MAX_HEADERS)
        .max_header_size(MAX_HEAD_BYTES)
        .max_buf_size(BUFFER_BYTES)
        .preserve_header_case(true)
        .auto_date_header(false)
        .serve_connection(client, service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let mut is_draining = false;
    loop {
        tokio::select! {
            // Errors are the client's: it has gone, or sent what is not HTTP.
            _ = connection.as_mut() => return,
            () = link.ended() => return,
            () = tunnel::idle(|| link.activity()) => return,
            () = gate.closing.cancelled() => return,
            () = gate.draining.cancelled(), if !is_draining => {
                is_draining = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

async fn answer(gate: Arc<Gate>, visit: Visit, link: Arc<Link>, request: Request<Incoming>) -> Response<Payload> {
    link.begin();
    let has_body = !request.body().is_end_stream();
    let (parts, body) = request.into_parts();
    let answered = if parts.method == Method::CONNECT {
        connect(&gate, &visit, parts).await
    } else {
        forward::forward(&gate, &visit, &link, parts, body).await
    };
    answered.unwrap_or_else(|refusal| {
        gate.metrics.note_refusal(refusal);
        link.refuse();
        refused(refusal, has_body)
    })
}

async fn connect(gate: &Arc<Gate>, visit: &Visit, mut parts: Parts) -> Result<Response<Payload>, Refusal> {
    headers::check_unambiguous(&parts)?;
    let destination = headers::tunnel_destination(&parts.uri)?;
    let (user_name, password) = headers::credentials(&parts.headers)?;
    let grant = gate.admit(visit, user_name, password).await?;
    let way = gate.connect(&grant, visit, &destination, Purpose::Tunnel).await?;
    gate.metrics.note_connection(Protocol::Connect);
    let upgrade = parts.extensions.remove::<OnUpgrade>().ok_or(Refusal::Unsupported)?;
    let flow = gate.flow(&grant, visit, &destination, way.country.as_deref());
    let (gate, place) = (gate.clone(), visit.place.clone());
    gate.clone().connections.spawn(async move {
        if let Ok(upgraded) = upgrade.await {
            carry(&gate, upgraded, way.reached, &grant, &flow).await;
        }
        drop(place);
    });
    Ok(Response::new(empty()))
}

async fn carry(gate: &Gate, upgraded: Upgraded, reached: Reached, grant: &Grant, flow: &Flow) {
    let Ok(parts) = upgraded.downcast::<TokioIo<ClientStream>>() else { return };
    let client = parts.io.into_inner().into_stream();
    let Reached { stream: origin, early: from_origin } = reached;
    let ends = Ends { client, from_client: parts.read_buf, origin, from_origin };
    gate.carry(&ends, grant, flow).await;
}

/// A refusal with its reason as a word and as a sentence. After a request whose body is still to come, the connection is closed.
fn refused(refusal: Refusal, has_body: bool) -> Response<Payload> {
    let mut response = Response::new(text(format!("{}\n", refusal.text())));
    *response.status_mut() = refusal.status();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(PROXY_ERROR, HeaderValue::from_static(refusal.as_str()));
    if refusal.status() == StatusCode::PROXY_AUTHENTICATION_REQUIRED {
        headers.insert(PROXY_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"proxy\""));
    }
    if has_body {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

fn empty() -> Payload {
    text(String::new())
}

fn text(text: String) -> Payload {
    Full::from(text).map_err(|never| match never {}).boxed_unsync()
}
