//! What the gate is doing, for those who watch it: `/health` and `/metrics` on a port of their own.
use crate::gate::Gate;
use crate::metrics::Protocol;
use crate::route::Route;
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// Answers on the port for metrics, for ever.
pub async fn serve(gate: Arc<Gate>, listener: TcpListener) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let gate = gate.clone();
        tokio::spawn(async move {
            let service = service_fn(|request| std::future::ready(Ok::<_, Infallible>(answer(&gate, &request))));
            let mut server = http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
            // Who asks may go at any time.
            let _ = server.serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

fn answer(gate: &Gate, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let (status, body) = match request.uri().path() {
        "/health" if gate.health.is_reachable() => (StatusCode::OK, "ok\n".to_owned()),
        "/health" => (StatusCode::SERVICE_UNAVAILABLE, "the shop does not answer\n".to_owned()),
        "/metrics" => (StatusCode::OK, page(gate)),
        _ => (StatusCode::NOT_FOUND, "there are /health and /metrics\n".to_owned()),
    };
    let mut response = Response::new(Full::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8"));
    response
}

/// All metrics, in Prometheus's text format.
fn page(gate: &Gate) -> String {
    let mut page = String::new();
    let (uploaded, downloaded) = gate.meter.totals();
    let waiting = gate.reporter.waiting() as u64;
    let silence = gate.health.silence().as_secs();
    add(&mut page, "open_connections", "gauge", "Open connections of clients.", &[("", gate.limit.total() as u64)]);
    let by_protocol = Protocol::ALL
        .map(|protocol| (format!("protocol=\"{}\"", protocol.as_str()), gate.metrics.connections(protocol)));
    add(&mut page, "connections_total", "counter", "Admitted requests and tunnels.", &by_protocol);
    let by_reason: Vec<(String, u64)> =
        gate.metrics.refusals().into_iter().map(|(reason, number)| (format!("reason=\"{reason}\""), number)).collect();
    add(&mut page, "refusals_total", "counter", "Refused connections.", &by_reason);
    let by_direction = [("direction=\"upload\"", uploaded), ("direction=\"download\"", downloaded)];
    add(&mut page, "bytes_total", "counter", "Counted bytes from and to clients.", &by_direction);
    add(&mut page, "unreported_batches", "gauge", "Reports that the shop does not have yet.", &[("", waiting)]);
    add(
        &mut page,
        "known_identities",
        "gauge",
        "Answers of the shop in memory.",
        &[("", gate.access.known_identities() as u64)],
    );
    add(
        &mut page,
        "shop_reachable",
        "gauge",
        "Whether the shop answers.",
        &[("", u64::from(gate.health.is_reachable()))],
    );
    add(&mut page, "shop_silence_seconds", "gauge", "Time since the shop's last answer.", &[("", silence)]);
    if let Route::Upstreams(upstreams) = &gate.route {
        let label = |(name, is_usable)| (format!("upstream=\"{name}\""), u64::from(is_usable));
        let states: Vec<(String, u64)> = upstreams.states().into_iter().map(label).collect();
        add(&mut page, "upstream_usable", "gauge", "Whether the upstream is used at present.", &states);
    }
    page
}

fn add(page: &mut String, name: &str, kind: &str, help: &str, values: &[(impl AsRef<str>, u64)]) {
    let name = format!("postern_gate_{name}");
    // Writing to a string does not fail.
    let _ = writeln!(page, "# HELP {name} {help}\n# TYPE {name} {kind}");
    for (labels, value) in values {
        let _ = match labels.as_ref() {
            "" => writeln!(page, "{name} {value}"),
            labels => writeln!(page, "{name}{{{labels}}} {value}"),
        };
    }
}
