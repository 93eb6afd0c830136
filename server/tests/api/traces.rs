//! Traces, as a collector gets them from a server: a request, its work in the database, and what a gateway was asked, under the request's id.
use crate::shop::{Shop, clients};
use crate::start_up::Serving;
use crate::stripe::{open, top_up};
use actix_web::{App, HttpResponse, HttpServer, web};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const ID: &str = "0123456789abcdef0123456789abcdef";
const PARENT: &str = "00f067aa0ba902b7";

#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<ExportTraceServiceRequest>>>);

impl Collector {
    /// One on a free port, and its address.
    fn open() -> (Collector, String) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let collector = Collector::default();
        let served = collector.clone();
        std::thread::spawn(move || {
            let take = async |collector: web::Data<Collector>, body: web::Bytes| {
                collector.0.lock().expect("spans").push(ExportTraceServiceRequest::decode(body).expect("spans"));
                HttpResponse::Ok().finish()
            };
            let site =
                move || App::new().app_data(web::Data::new(served.clone())).route("/v1/traces", web::post().to(take));
            let server = HttpServer::new(site).workers(1).disable_signals().listen(listener).expect("a listener").run();
            actix_web::rt::System::new().block_on(server)
        });
        (collector, url)
    }

    fn spans(&self) -> Vec<Span> {
        let got = self.0.lock().expect("spans");
        let scopes = got.iter().flat_map(|one| &one.resource_spans).flat_map(|resource| &resource.scope_spans);
        scopes.flat_map(|scope| scope.spans.clone()).collect()
    }

    /// The spans of a trace, once its request has ended.
    async fn trace(&self, id: &str) -> Vec<Span> {
        for _ in 0..100 {
            let spans: Vec<Span> = self.spans().into_iter().filter(|span| hex::encode(&span.trace_id) == id).collect();
            if spans.iter().any(is_request) {
                return spans;
            }
            actix_web::rt::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("no trace {id} in {:?}", self.spans());
    }
}

fn is_request(span: &Span) -> bool {
    // That of a server.
    span.kind == 2
}

fn attribute(span: &Span, key: &str) -> String {
    let found = span.attributes.iter().find(|attribute| attribute.key == key);
    match found.and_then(|attribute| attribute.value.clone()?.value) {
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        other => format!("{other:?}"),
    }
}

fn traced(shop: &Shop, url: &str, more: &[(&str, &str)]) -> Serving {
    let settings = [("OTEL_EXPORTER_OTLP_ENDPOINT", url), ("OTEL_BSP_SCHEDULE_DELAY", "100")];
    Serving::start(shop, &[&settings, more].concat()).expect("a server")
}

#[actix_web::test]
async fn a_trace_has_the_id_of_its_request_and_its_work_in_the_database() {
    let (collector, url) = Collector::open();
    let shop = Shop::open();
    let serving = traced(&shop, &url, &[]);
    let token = shop.customer(0).token;
    let asked = clients::new().post(format!("http://127.0.0.1:{}/api/Ips/GetServerVer", serving.port));
    let asked = asked.header("X-Request-Id", ID).header("Token", &token).body("{}");
    assert!(asked.send().await.expect("an answer").status().is_success());
    let spans = collector.trace(ID).await;
    let (requests, work): (Vec<Span>, Vec<Span>) = spans.into_iter().partition(is_request);
    let [request] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!(request.name, "POST /api/Ips/GetServerVer");
    assert_eq!(attribute(request, "http.route"), "/api/Ips/GetServerVer");
    assert_eq!(attribute(request, "http.response.status_code"), "200");
    assert!(request.parent_span_id.is_empty());
    assert!(work.iter().any(|span| span.name == "read" && span.parent_span_id == request.span_id), "{work:?}");
    let everything = format!("{:?}", collector.0.lock().expect("spans"));
    assert!(everything.contains("StringValue(\"postern\")") && !everything.contains(&token), "{everything}");
    // Jobs look into the database each second, which nobody wants to read.
    assert!(collector.spans().iter().all(|span| is_request(span) || !span.parent_span_id.is_empty()));
}

#[actix_web::test]
async fn a_trace_that_a_proxy_has_begun_goes_on_and_one_it_does_not_keep_is_not_sent() {
    let (collector, url) = Collector::open();
    let shop = Shop::open();
    let serving = traced(&shop, &url, &[("POSTERN_TRUSTED_PROXIES", "127.0.0.1")]);
    let call = async |parent: &str| {
        let asked = clients::new().get(format!("http://127.0.0.1:{}/nowhere/s3cret", serving.port));
        let answer = asked.header("traceparent", parent).send().await.expect("an answer");
        answer.headers()["x-request-id"].to_str().expect("an id").to_owned()
    };
    let unkept = ID.replace('0', "1");
    assert_eq!(call(&format!("00-{unkept}-{PARENT}-00")).await, unkept);
    assert_eq!(call(&format!("00-{ID}-{PARENT}-01")).await, ID);
    let spans = collector.trace(ID).await;
    let request = spans.iter().find(|span| is_request(span)).expect("a request");
    assert_eq!((hex::encode(&request.parent_span_id).as_str(), request.name.as_str()), (PARENT, "GET"));
    assert!(!format!("{spans:?}").contains("s3cret"), "{spans:?}");
    assert!(collector.spans().iter().all(|span| hex::encode(&span.trace_id) != unkept));
    for wrong in ["", "00", &format!("00-{}-{PARENT}-01", "0".repeat(32)), &format!("00-{ID}-{PARENT}"), "\u{7f}"] {
        if let Ok(header) = reqwest::header::HeaderValue::from_str(wrong) {
            let asked = clients::new().get(format!("http://127.0.0.1:{}/health/ready", serving.port));
            let answer = asked.header("traceparent", header).send().await.expect("an answer");
            assert!(answer.status().is_success() && answer.headers()["x-request-id"] != ID, "{wrong}");
        }
    }
}

/// Who is no proxy of the seller decides neither which requests are traced nor under which id.
#[actix_web::test]
async fn a_trace_of_a_stranger_does_not_go_on() {
    let (collector, url) = Collector::open();
    let shop = Shop::open();
    let serving = traced(&shop, &url, &[("OTEL_TRACES_SAMPLER", "parentbased_always_off")]);
    let asked = clients::new().get(format!("http://127.0.0.1:{}/nowhere", serving.port));
    let answer = asked.header("traceparent", format!("00-{ID}-{PARENT}-01")).send().await.expect("an answer");
    assert_ne!(answer.headers()["x-request-id"], ID);
    actix_web::rt::time::sleep(Duration::from_secs(1)).await;
    assert!(collector.spans().is_empty(), "{:?}", collector.spans());
}

#[actix_web::test]
async fn what_a_gateway_was_asked_is_in_the_trace() {
    let (collector, url) = Collector::open();
    let (shop, stripe) = open();
    let settings = stripe.settings();
    let serving = traced(&shop, &url, &settings.each_ref().map(|(name, value)| (*name, value.as_str())));
    let (_, path) = top_up(&shop, &shop.customer(0), "25").await;
    let asked = clients::unredirected();
    let asked = asked.get(format!("http://127.0.0.1:{}{path}", serving.port)).header("X-Request-Id", ID);
    assert_eq!(asked.send().await.expect("an answer").status(), 303);
    let spans = collector.trace(ID).await;
    let gateway = spans.iter().find(|span| span.name == "stripe").expect("a request to Stripe");
    assert_eq!(attribute(gateway, "http.response.status_code"), "200");
}

#[actix_web::test]
async fn a_server_whose_collector_is_gone_serves_on() {
    let shop = Shop::open();
    let serving = traced(&shop, "http://127.0.0.1:1", &[]);
    for _ in 0..3 {
        let asked = clients::get(format!("http://127.0.0.1:{}/health/ready", serving.port)).await.expect("an answer");
        assert!(asked.status().is_success());
        // It is tried four times.
        actix_web::rt::time::sleep(Duration::from_secs(2)).await;
    }
    let log = serving.end();
    assert!(log.contains("BatchSpanProcessor.ExportError"), "who runs it is told: {log}");
}
