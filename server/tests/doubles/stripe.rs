//! A fake Stripe by its documentation: forms in, JSON out, idempotency keys, errors with type and message, signed events. It is strict: unknown or
//! invalid parameters are refused. In a browser its pages have buttons for what customers, banks and sellers do there.
#[path = "stripe_cards.rs"]
mod cards;
#[path = "stripe_lists.rs"]
mod lists;
#[path = "stripe_pages.rs"]
mod pages;

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
pub use cards::CardKind;
use hmac::{Hmac, KeyInit as _, Mac};
use postern_server::clock::Clock;
use serde_json::{Value, json};
use sha2::Sha256;
use std::collections::{BTreeMap, HashMap};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub const SECRET_KEY: &str = "sk_test_hunter2";
pub const WEBHOOK_SECRET: &str = "whsec_hunter2";

/// Accepted parameters of a payment session.
const KNOWN: &[&str] = &[
    "cancel_url",
    "client_reference_id",
    "expires_at",
    "line_items[0][price_data][currency]",
    "line_items[0][price_data][product_data][name]",
    "line_items[0][price_data][unit_amount]",
    "line_items[0][quantity]",
    "locale",
    "metadata[shop]",
    "mode",
    "payment_method_options[wechat_pay][client]",
    "payment_method_types[0]",
    "payment_method_types[1]",
    "payment_method_types[2]",
    "success_url",
];

type Form = BTreeMap<String, String>;

#[derive(Default)]
struct Books {
    sessions: BTreeMap<String, Value>,
    /// By id; `false` if deleted.
    customers: BTreeMap<String, bool>,
    /// By the payment method's id, with its customer.
    cards: BTreeMap<String, (String, CardKind)>,
    intents: BTreeMap<String, Value>,
    /// The key may not read refunds and disputes.
    is_restricted: bool,
    refunds: Vec<Value>,
    /// What new refunds of the shop are, other than `succeeded`.
    refund_status: Option<&'static str>,
    disputes: Vec<Value>,
    /// The request, response and time of each idempotency key.
    keys: HashMap<String, (Form, u16, Value, i64)>,
    forms: Vec<Form>,
    /// How the next requests fail.
    failures: Vec<Failure>,
    requests: usize,
}

#[derive(Clone, Copy)]
pub enum Failure {
    /// This status, with `Retry-After` if there is one.
    Status(u16, Option<u32>),
    /// The session is created, but the response is lost.
    AnswerLost,
}

#[derive(Clone)]
pub struct Stripe {
    pub url: String,
    clock: Arc<Mutex<Clock>>,
    books: Arc<Mutex<Books>>,
    /// Where events are sent, for journeys.
    webhooks: Option<String>,
}

impl Stripe {
    pub fn open(port: u16, webhooks: Option<String>) -> Stripe {
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let stripe = Stripe { url, clock: Arc::default(), books: Arc::default(), webhooks };
        let served = stripe.clone();
        std::thread::spawn(move || {
            let server = HttpServer::new(move || {
                App::new()
                    .app_data(web::Data::new(served.clone()))
                    .route("/v1/checkout/sessions", web::post().to(create))
                    .route("/v1/checkout/sessions", web::get().to(lists::sessions))
                    .route("/v1/checkout/sessions/{id}", web::get().to(retrieve))
                    .configure(cards::configure)
                    .configure(lists::configure)
                    .configure(pages::configure)
            });
            let server = server.workers(1).disable_signals().listen(listener).expect("a listener").run();
            actix_web::rt::System::new().block_on(server)
        });
        stripe
    }

    /// The settings of a shop that uses it.
    pub fn settings(&self) -> [(&'static str, String); 3] {
        [
            ("POSTERN_STRIPE_SECRET_KEY", SECRET_KEY.to_owned()),
            ("POSTERN_STRIPE_WEBHOOK_SECRET", WEBHOOK_SECRET.to_owned()),
            ("POSTERN_STRIPE_API_URL", self.url.clone()),
        ]
    }

    /// Uses the shop's clock.
    pub fn keeps_time_with(&self, clock: &Clock) {
        *self.clock.lock().expect("a clock") = clock.clone();
    }

    fn now(&self) -> i64 {
        self.clock.lock().expect("a clock").now().and_utc().timestamp()
    }

    pub fn fails_with(&self, failures: &[Failure]) {
        self.books.lock().expect("books").failures = failures.iter().rev().copied().collect();
    }

    pub fn requests(&self) -> usize {
        self.books.lock().expect("books").requests
    }

    /// The received forms, without repeats.
    pub fn forms(&self) -> Vec<BTreeMap<String, String>> {
        self.books.lock().expect("books").forms.clone()
    }

    pub fn sessions(&self) -> Vec<String> {
        self.books.lock().expect("books").sessions.keys().cloned().collect()
    }

    /// Changes a session, as its customer or the passage of time would.
    pub fn change(&self, id: &str, changes: Value) {
        let mut books = self.books.lock().expect("books");
        let session = books.sessions.get_mut(id).expect("a session");
        for (name, value) in changes.as_object().expect("fields") {
            session[name] = value.clone();
        }
    }

    pub fn is_paid(&self, id: &str) {
        let intent = format!("pi_of_{id}");
        self.change(id, json!({"status": "complete", "payment_status": "paid", "url": null, "payment_intent": intent}));
    }

    /// A signed event about a session in its current state.
    pub fn event(&self, kind: &str, id: &str) -> (String, String) {
        let session = self.books.lock().expect("books").sessions[id].clone();
        self.event_of(kind, session)
    }

    pub fn event_of(&self, kind: &str, object: Value) -> (String, String) {
        let body = json!({
            "id": "evt_1", "object": "event", "api_version": "2024-06-20", "created": self.now(), "livemode": false,
            "pending_webhooks": 1, "type": kind, "data": {"object": object},
        });
        let body = body.to_string();
        let signature = sign(WEBHOOK_SECRET, self.now(), &body);
        (body, signature)
    }
}

/// The signature header of an event: with a wrong signature first, as during a rotation.
pub fn sign(secret: &str, time: i64, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key");
    mac.update(format!("{time}.{body}").as_bytes());
    format!("t={time},v1={},v1={}", "0f".repeat(32), hex::encode(mac.finalize().into_bytes()))
}

fn error(status: u16, kind: &str, message: &str) -> (u16, Value) {
    (status, json!({"error": {"type": kind, "message": message}}))
}

fn respond((status, body): (u16, Value)) -> HttpResponse {
    let status = actix_web::http::StatusCode::from_u16(status).expect("a status");
    HttpResponse::build(status).json(body)
}

/// Checks that come before any processing.
fn refuse(stripe: &Stripe, request: &HttpRequest) -> Option<HttpResponse> {
    let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut books = stripe.books.lock().expect("books");
    books.requests += 1;
    if header("Authorization") != format!("Bearer {SECRET_KEY}") {
        let message = format!("Invalid API Key provided: {}", header("Authorization"));
        return Some(respond(error(401, "invalid_request_error", &message)));
    }
    match books.failures.last().copied() {
        Some(Failure::Status(status, retry_after)) => {
            books.failures.pop();
            let kind = if status == 402 { "card_error" } else { "api_error" };
            let mut response = respond(error(status, kind, "something is wrong"));
            if let Some(seconds) = retry_after {
                let value = seconds.to_string().parse().expect("a header");
                response.headers_mut().insert(actix_web::http::header::RETRY_AFTER, value);
            }
            Some(response)
        }
        _ => None,
    }
}

type Make = fn(&mut Books, &str, &Form, i64) -> (u16, Value);

async fn create(stripe: web::Data<Stripe>, request: HttpRequest, body: String) -> HttpResponse {
    let make: Make = |books, url, form, now| {
        if form.get("mode").is_some_and(|mode| mode == "setup") {
            cards::make_setup(books, url, form, now)
        } else {
            make(books, url, form, now)
        }
    };
    once(&stripe, &request, &body, make).await
}

/// Executes a request once per idempotency key; a repeat gets the stored response, including errors.
async fn once(stripe: &Stripe, request: &HttpRequest, body: &str, make: Make) -> HttpResponse {
    if let Some(refused) = refuse(stripe, request) {
        return refused;
    }
    let key = request.headers().get("Idempotency-Key").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let url = reqwest::Url::parse(&format!("http://form/?{body}")).expect("a form");
    let form: Form = url.query_pairs().into_owned().collect();
    let now = stripe.now();
    let (answered, is_lost) = {
        let mut books = stripe.books.lock().expect("books");
        books.keys.retain(|_, (_, _, _, made_at)| now - *made_at < 24 * 3_600);
        let answered = match books.keys.get(key) {
            Some((asked, ..)) if *asked != form => error(
                400,
                "idempotency_error",
                "Keys for idempotent requests can only be used with the same parameters.",
            ),
            Some((_, status, body, _)) => (*status, body.clone()),
            None => {
                let made = make(&mut books, &stripe.url, &form, now);
                if !key.is_empty() {
                    books.keys.insert(key.to_owned(), (form, made.0, made.1.clone(), now));
                }
                made
            }
        };
        let is_lost = matches!(books.failures.last(), Some(Failure::AnswerLost));
        if is_lost {
            books.failures.pop();
        }
        (answered, is_lost)
    };
    if is_lost {
        // Longer than any client waits.
        actix_web::rt::time::sleep(Duration::from_secs(60)).await;
    }
    respond(answered)
}

/// The error for unknown parameter names.
fn misnamed(form: &Form, known: &[&str]) -> Option<(u16, Value)> {
    if let Some(unknown) = form.keys().find(|name| !known.contains(&name.as_str())) {
        return Some(error(400, "invalid_request_error", &format!("Received unknown parameter: {unknown}")));
    }
    let missing = known.iter().find(|name| form.get(**name).is_none_or(String::is_empty))?;
    Some(error(400, "invalid_request_error", &format!("Missing required param: {missing}.")))
}

fn missing(what: &str, id: &str) -> (u16, Value) {
    let message = format!("No such {what}: '{id}'");
    (400, json!({"error": {"type": "invalid_request_error", "code": "resource_missing", "message": message}}))
}

fn make(books: &mut Books, url: &str, form: &Form, now: i64) -> (u16, Value) {
    let text = |name: &str| form.get(name).cloned().unwrap_or_default();
    if let Some(wrong) = misnamed(form, KNOWN) {
        return wrong;
    }
    let expires_at: i64 = text("expires_at").parse().unwrap_or_default();
    if !(now + 30 * 60..=now + 24 * 3_600).contains(&expires_at) {
        return error(
            400,
            "invalid_request_error",
            "The `expires_at` timestamp must be 30 minutes to 24 hours from now.",
        );
    }
    if text("line_items[0][price_data][currency]") != "usd" || text("mode") != "payment" {
        return error(400, "invalid_request_error", "Invalid currency or mode.");
    }
    let id = format!("cs_test_{}", books.sessions.len() + 1);
    let amount: i64 = text("line_items[0][price_data][unit_amount]").parse().unwrap_or_default();
    let session = json!({
        "id": id, "object": "checkout.session", "amount_subtotal": amount, "amount_total": amount, "currency": "usd",
        "client_reference_id": text("client_reference_id"), "created": now, "expires_at": expires_at, "livemode": false,
        "metadata": {"shop": text("metadata[shop]")}, "mode": "payment", "payment_intent": null,
        "payment_status": "unpaid", "status": "open", "success_url": text("success_url"),
        "cancel_url": text("cancel_url"), "url": format!("{url}/pay/{id}"),
    });
    books.sessions.insert(id, session.clone());
    books.forms.push(form.clone());
    (200, session)
}

async fn retrieve(stripe: web::Data<Stripe>, request: HttpRequest, id: web::Path<String>) -> HttpResponse {
    if let Some(refused) = refuse(&stripe, &request) {
        return refused;
    }
    let session = stripe.books.lock().expect("books").sessions.get(id.as_str()).cloned();
    let is_expanded = request.query_string().contains("expand%5B%5D=setup_intent.payment_method");
    respond(match session {
        Some(mut session) => {
            // Without `expand`, Stripe returns only the id.
            if !is_expanded && session["setup_intent"].is_object() {
                session["setup_intent"] = session["setup_intent"]["id"].clone();
            }
            (200, session)
        }
        None => error(404, "invalid_request_error", &format!("No such checkout.session: {id}")),
    })
}
