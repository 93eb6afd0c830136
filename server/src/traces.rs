//! OpenTelemetry traces of requests, for those who name a collector in the environment: what a request has waited for. A trace has the id of its request.
use crate::request_id::RequestId;
use crate::tls;
use actix_web::dev::ServiceResponse;
use actix_web::http::header::HeaderMap;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{SpanId, Status, TraceContextExt, TraceId, TracerProvider};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{IdGenerator, RandomIdGenerator, SdkTracerProvider};
use std::time::Duration;
use tracing::{Metadata, Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;

/// That of spans for traces: the log has none of them.
const TARGET: &str = "trace";

/// The standard's names for the address of a collector: one to which `/v1/traces` is added, and one of traces only.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];

const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";

/// For one batch of spans.
const LONGEST: Duration = Duration::from_secs(10);

/// Sends spans to a collector; those that wait are sent when it is dropped.
pub struct Traces {
    provider: SdkTracerProvider,
}

impl Traces {
    /// `None` if the environment names no collector. Its other variables are those of the standard, such as `OTEL_TRACES_SAMPLER`. Not for asynchronous
    /// code: spans are sent by a thread of their own.
    pub fn open() -> anyhow::Result<Option<Traces>> {
        if !ENDPOINTS.iter().any(|name| std::env::var(name).is_ok_and(|url| !url.is_empty())) {
            return Ok(None);
        }
        let client = tls::client(LONGEST).map_err(|error| anyhow::anyhow!("{error}"))?;
        let client = reqwest::blocking::ClientBuilder::from(client).build()?;
        let exporter = SpanExporter::builder().with_http().with_http_client(client).build()?;
        let mut resource =
            Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
        if std::env::var_os(SERVICE_NAME).is_none() {
            resource = resource.with_service_name("postern");
        }
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_id_generator(RequestIds::default())
            .with_resource(resource.build());
        Ok(Some(Traces { provider: provider.build() }))
    }

    /// Hands the spans for traces to the collector, and nothing that is written for the log.
    pub fn layer<S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync>(&self) -> impl Layer<S> + use<S> {
        let is_told = |metadata: &Metadata<'_>| metadata.is_span() && metadata.target() == TARGET;
        tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer("postern"))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(filter_fn(is_told))
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        if let Err(error) = self.provider.shutdown() {
            tracing::warn!(%error, "the last traces could not be sent");
        }
    }
}

/// Who knows the id of a request finds its trace.
#[derive(Debug, Default)]
struct RequestIds(RandomIdGenerator);

impl IdGenerator for RequestIds {
    fn new_trace_id(&self) -> TraceId {
        RequestId::current().map_or_else(|| self.0.new_trace_id(), |id| TraceId::from(id.number()))
    }

    fn new_span_id(&self) -> SpanId {
        self.0.new_span_id()
    }
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(|name| name.as_str()).collect()
    }
}

/// A trace that a reverse proxy has begun, by the header `traceparent`.
pub struct Begun(Context);

impl Begun {
    pub fn read(headers: &HeaderMap) -> Option<Begun> {
        headers.get("traceparent")?;
        let context = TraceContextPropagator::new().extract_with_context(&Context::new(), &Headers(headers));
        context.span().span_context().is_valid().then_some(Begun(context))
    }

    pub fn request_id(&self) -> RequestId {
        RequestId::of_number(u128::from_be_bytes(self.0.span().span_context().trace_id().to_bytes()))
    }
}

/// The span of a request, within the trace that it belongs to.
pub fn request(begun: Option<Begun>) -> Span {
    let span = tracing::debug_span!(target: TARGET, "request", otel.kind = "server");
    if let Some(Begun(context)) = begun.filter(|_| !span.is_disabled()) {
        // Fails if nobody collects traces.
        let _ = span.set_parent(context);
    }
    span
}

/// Says what was answered. By the pattern of the route: a path may have tokens in it.
pub fn answered<B>(span: &Span, response: &ServiceResponse<B>) {
    if span.is_disabled() {
        return;
    }
    let (method, status) = (response.request().method().to_string(), response.status());
    let context = span.context();
    let told = context.span();
    if let Some(route) = response.request().match_pattern() {
        told.update_name(format!("{method} {route}"));
        told.set_attribute(KeyValue::new("http.route", route));
    } else {
        told.update_name(method.clone());
    }
    told.set_attribute(KeyValue::new("http.request.method", method));
    told.set_attribute(KeyValue::new("http.response.status_code", i64::from(status.as_u16())));
    if status.is_server_error() {
        told.set_status(Status::error(""));
    }
}

/// The span of a request's work in the database, from its waiting for a connection until it is dropped. Jobs have none: they look for work each second.
pub fn database(work: &'static str) -> Span {
    match RequestId::current() {
        Some(_) => tracing::debug_span!(target: TARGET, "database", otel.name = work, otel.kind = "client"),
        None => Span::none(),
    }
}

/// The span of a request to a gateway, until it is dropped.
pub fn gateway(name: &'static str) -> Span {
    tracing::debug_span!(target: TARGET, "gateway", otel.name = name, otel.kind = "client")
}

/// Says with which status a gateway answered, if it did.
pub fn gateway_answered(span: &Span, status: Option<u16>) {
    match status {
        Some(status) => span.set_attribute("http.response.status_code", i64::from(status)),
        None => span.set_status(Status::error("unreachable")),
    }
}
