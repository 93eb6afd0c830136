//! A BTCPay Server by its documentation (Greenfield API, version 1): invoices with two ways to pay, and signed webhooks that say no amounts. It is strict:
//! unknown fields and wrong keys are refused. In a browser its checkout page has buttons for what customers and miners do.
#[path = "btcpay_pulls.rs"]
mod pulls;

use actix_web::http::header::LOCATION;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use hmac::{Hmac, KeyInit as _, Mac};
use postern_core::exchange::worth;
use postern_core::money::Money;
use serde_json::{Value, json};
use sha2::Sha256;
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

pub const STORE: &str = "9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776";
pub const API_KEY: &str = "btcpay-key-hunter2";
pub const WEBHOOK_SECRET: &str = "btcpay-secret-hunter2";

/// None: a browser would ask for one.
const ICON: &str = "<link rel=icon href='data:,'>";

/// What one unit of each currency is worth in the invoice's.
const RATES: [(&str, &str, &str); 2] = [("BTC-CHAIN", "BTC", "50000.00"), ("USDT-TRON", "USDT", "1.00")];

struct Invoice {
    asked: Value,
    created: i64,
    /// Way to pay, value, and whether it is confirmed; `None` for one that never will be.
    payments: Vec<(usize, String, Option<bool>)>,
    is_expired: bool,
    marked: Option<&'static str>,
}

impl Invoice {
    fn amount(&self) -> Money {
        Money::parse(self.asked["amount"].as_str().unwrap_or_default()).unwrap_or_default()
    }

    fn paid(&self, is_counted: impl Fn(Option<bool>) -> bool) -> Money {
        let counted = self.payments.iter().filter(|payment| is_counted(payment.2));
        let worth = counted.map(|(way, value, _)| worth(value, RATES[*way].2).expect("a value"));
        Money::sum(worth).expect("a sum")
    }

    /// The status and what is added to it.
    fn status(&self) -> (&'static str, &'static str) {
        let (seen, settled) = (self.paid(|is| is.is_some()), self.paid(|is| is == Some(true)));
        if let Some(marked) = self.marked {
            return (marked, "Marked");
        }
        let over = if seen > self.amount() { "PaidOver" } else { "None" };
        match () {
            () if self.is_expired && seen >= self.amount() => ("Expired", "PaidLate"),
            () if self.is_expired && !seen.is_zero() => ("Expired", "PaidPartial"),
            () if self.is_expired => ("Expired", "None"),
            () if settled >= self.amount() => ("Settled", over),
            () if seen >= self.amount() => ("Processing", over),
            () if !seen.is_zero() => ("New", "PaidPartial"),
            () => ("New", "None"),
        }
    }
}

#[derive(Clone)]
pub struct Btcpay {
    pub url: String,
    invoices: Arc<Mutex<BTreeMap<String, Invoice>>>,
    pulls: Arc<Mutex<Vec<pulls::Pull>>>,
    /// Where webhooks are sent, for journeys.
    webhooks: Option<String>,
    /// Answers of the next requests, instead of what they ask for.
    failures: Arc<Mutex<Vec<u16>>>,
    now: Arc<Mutex<i64>>,
}

impl Btcpay {
    pub fn open(port: u16, webhooks: Option<String>) -> Btcpay {
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let double = Btcpay {
            url,
            invoices: Arc::default(),
            pulls: Arc::default(),
            webhooks,
            failures: Arc::default(),
            now: Arc::default(),
        };
        let served = double.clone();
        std::thread::spawn(move || {
            let server = HttpServer::new(move || {
                App::new()
                    .app_data(web::Data::new(served.clone()))
                    .route("/api/v1/stores/{store}/invoices", web::post().to(create))
                    .route("/api/v1/stores/{store}/invoices", web::get().to(list))
                    .route("/api/v1/stores/{store}/invoices/{id}", web::get().to(retrieve))
                    .route("/api/v1/stores/{store}/invoices/{id}/payment-methods", web::get().to(methods))
                    .configure(pulls::configure)
                    .route("/i/{id}", web::get().to(checkout))
                    .route("/i/{id}/{action}", web::post().to(act))
            });
            let server = server.workers(1).disable_signals().listen(listener).expect("a listener").run();
            actix_web::rt::System::new().block_on(server)
        });
        double
    }

    /// The time of the shop, in seconds since 1970; otherwise that of the machine.
    pub fn is_at(&self, now: i64) {
        *self.now.lock().expect("a time") = now;
    }

    fn now(&self) -> i64 {
        match *self.now.lock().expect("a time") {
            0 => chrono::Utc::now().timestamp(),
            now => now,
        }
    }

    pub fn fails_with(&self, statuses: &[u16]) {
        *self.failures.lock().expect("failures") = statuses.iter().rev().copied().collect();
    }

    pub fn ids(&self) -> Vec<String> {
        self.invoices.lock().expect("invoices").keys().cloned().collect()
    }

    /// What an invoice was asked for with.
    pub fn asked(&self, id: &str) -> Value {
        self.invoices.lock().expect("invoices")[id].asked.clone()
    }

    /// The invoice for a payment.
    pub fn invoice_of(&self, payment_id: &str) -> Option<String> {
        let invoices = self.invoices.lock().expect("invoices");
        let mut found = invoices.iter().filter(|(_, invoice)| invoice.asked["metadata"]["orderId"] == payment_id);
        found.next().map(|(id, _)| id.clone())
    }

    /// What the store has of an invoice.
    pub fn holds(&self, id: &str) -> Money {
        let invoice = &self.invoices.lock().expect("invoices")[id];
        let settled = invoice.paid(|is| is == Some(true));
        match invoice.marked {
            Some("Invalid") => Money::ZERO,
            Some(_) => settled.max(invoice.amount()),
            None => settled,
        }
    }

    /// Forgets an invoice.
    pub fn forgets(&self, id: &str) {
        self.invoices.lock().expect("invoices").remove(id);
    }

    /// The same invoice for a payment that the shop does not have; returns its id.
    pub fn copies(&self, id: &str, payment_id: &str) -> String {
        let mut invoices = self.invoices.lock().expect("invoices");
        let mut asked = invoices[id].asked.clone();
        asked["metadata"]["orderId"] = payment_id.into();
        let copy = Invoice {
            asked,
            created: invoices[id].created,
            payments: invoices[id].payments.clone(),
            is_expired: false,
            marked: None,
        };
        let id = format!("{id}copy");
        invoices.insert(id.clone(), copy);
        id
    }

    fn change(&self, id: &str, change: impl FnOnce(&mut Invoice)) {
        change(self.invoices.lock().expect("invoices").get_mut(id).expect("an invoice"));
    }

    /// The customer sends this much in the first currency (`BTC`) or the second (`USDT`), which is not confirmed yet.
    pub fn receives(&self, id: &str, way: usize, value: &str) {
        self.change(id, |invoice| invoice.payments.push((way, value.to_owned(), Some(false))));
    }

    /// All payments of an invoice are confirmed.
    pub fn confirms(&self, id: &str) {
        self.change(id, |invoice| {
            invoice.payments.iter_mut().filter(|one| one.2.is_some()).for_each(|one| one.2 = Some(true))
        });
    }

    /// The unconfirmed payments are spent twice, and never arrive.
    pub fn loses(&self, id: &str) {
        self.change(id, |invoice| {
            invoice.payments.iter_mut().filter(|one| one.2 == Some(false)).for_each(|one| one.2 = None)
        });
    }

    pub fn expires(&self, id: &str) {
        self.change(id, |invoice| invoice.is_expired = true);
    }

    pub fn marks(&self, id: &str, status: &'static str) {
        self.change(id, |invoice| invoice.marked = Some(status));
    }

    /// A signed webhook about an invoice: the body and its signature.
    pub fn event(&self, kind: &str, id: &str) -> (String, String) {
        let metadata = self.asked(id)["metadata"].clone();
        self.event_of(kind, id, STORE, metadata)
    }

    pub fn event_of(&self, kind: &str, id: &str, store: &str, metadata: Value) -> (String, String) {
        let body = json!({
            "deliveryId": "TjBWmVsyoxVmRz5zbG6Dpd", "webhookId": "LRhqyoBtWRhcAQGrAYTBsj", "isRedelivery": false,
            "originalDeliveryId": "TjBWmVsyoxVmRz5zbG6Dpd", "type": kind, "timestamp": self.now(), "storeId": store,
            "invoiceId": id, "metadata": metadata,
        })
        .to_string();
        let signature = sign(WEBHOOK_SECRET, &body);
        (body, signature)
    }

    /// Sends the webhooks that follow from what an invoice has become, as BTCPay Server does.
    async fn tell(&self, id: &str) {
        let Some(url) = &self.webhooks else { return };
        let status = self.invoices.lock().expect("invoices")[id].status().0;
        let kinds = ["InvoiceReceivedPayment", "InvoicePaymentSettled"].into_iter().chain(match status {
            "Settled" => Some("InvoiceSettled"),
            "Expired" => Some("InvoiceExpired"),
            "Invalid" => Some("InvoiceInvalid"),
            "Processing" => Some("InvoiceProcessing"),
            _ => None,
        });
        for kind in kinds {
            let (body, signature) = self.event(kind, id);
            let sent = reqwest::Client::new().post(url).header("BTCPay-Sig", signature).body(body).send().await;
            assert!(sent.expect("a shop").status().is_success(), "{kind}");
        }
    }
}

pub fn sign(secret: &str, body: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key");
    mac.update(body.as_bytes());
    format!("sha256={}", hex::encode(mac.finalize().into_bytes()))
}

/// Refuses wrong keys, and what the test wants to fail.
fn refuse(double: &Btcpay, request: &HttpRequest, store: &str) -> Option<HttpResponse> {
    let key = request.headers().get("Authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if key != format!("token {API_KEY}") {
        return Some(HttpResponse::Unauthorized().json(json!({"code": "unauthenticated", "message": key})));
    }
    if store != STORE {
        return Some(
            HttpResponse::NotFound().json(json!({"code": "store-not-found", "message": "The store was not found"})),
        );
    }
    // 504: what was asked for is done, and the answer is lost.
    let status = double.failures.lock().expect("failures").pop_if(|status| *status != 504)?;
    let status = actix_web::http::StatusCode::from_u16(status).expect("a status");
    Some(HttpResponse::build(status).body("<html>Bad gateway</html>"))
}

fn view(double: &Btcpay, id: &str, invoice: &Invoice) -> Value {
    let (status, additional) = invoice.status();
    let minutes = invoice.asked["checkout"]["expirationMinutes"].as_i64().unwrap_or(15);
    json!({
        "id": id, "storeId": STORE, "amount": invoice.asked["amount"], "currency": invoice.asked["currency"],
        "type": "Standard", "checkoutLink": format!("{}/i/{id}", double.url), "status": status,
        "additionalStatus": additional, "createdTime": invoice.created, "monitoringExpiration": invoice.created + 86_400,
        "expirationTime": invoice.created + minutes * 60, "archived": false, "metadata": invoice.asked["metadata"],
        "checkout": invoice.asked["checkout"], "availableStatusesForManualMarking": ["Settled", "Invalid"],
    })
}

async fn create(
    double: web::Data<Btcpay>,
    request: HttpRequest,
    store: web::Path<String>,
    asked: web::Json<Value>,
) -> HttpResponse {
    if let Some(refused) = refuse(&double, &request, &store) {
        return refused;
    }
    let known = ["amount", "currency", "metadata", "checkout", "additionalSearchTerms"];
    let of_checkout = ["expirationMinutes", "redirectURL", "redirectAutomatically", "defaultLanguage"];
    let is_known = |value: &Value, names: &[&str]| {
        value.as_object().is_some_and(|fields| fields.keys().all(|name| names.contains(&name.as_str())))
    };
    if !is_known(&asked, &known) || !is_known(&asked["checkout"], &of_checkout) || !asked["amount"].is_string() {
        return HttpResponse::UnprocessableEntity().json(json!([{"path": "amount", "message": "Invalid"}]));
    }
    let mut invoices = double.invoices.lock().expect("invoices");
    let id = format!("SkdsDghkdP3D3qkj7bLq3{}", invoices.len());
    let invoice =
        Invoice { asked: asked.0, created: double.now(), payments: Vec::new(), is_expired: false, marked: None };
    let answer = view(&double, &id, &invoice);
    invoices.insert(id, invoice);
    HttpResponse::Ok().json(answer)
}

async fn list(double: web::Data<Btcpay>, request: HttpRequest, store: web::Path<String>) -> HttpResponse {
    if let Some(refused) = refuse(&double, &request, &store) {
        return refused;
    }
    let url = reqwest::Url::parse(&format!("http://query/?{}", request.query_string())).expect("a query");
    let asked: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
    let number = |name: &str, other: i64| asked.get(name).map_or(other, |text| text.parse().expect("a number"));
    let invoices = double.invoices.lock().expect("invoices");
    let created = number("startDate", 0)..number("endDate", i64::MAX);
    let found = invoices.iter().filter(|(_, invoice)| {
        let order = &invoice.asked["metadata"]["orderId"];
        asked.get("orderId").is_none_or(|asked| order == asked) && created.contains(&invoice.created)
    });
    let found = found.skip(number("skip", 0) as usize).take(number("take", 50) as usize);
    HttpResponse::Ok().json(found.map(|(id, invoice)| view(&double, id, invoice)).collect::<Vec<_>>())
}

async fn retrieve(double: web::Data<Btcpay>, request: HttpRequest, path: web::Path<(String, String)>) -> HttpResponse {
    if let Some(refused) = refuse(&double, &request, &path.0) {
        return refused;
    }
    match double.invoices.lock().expect("invoices").get(&path.1) {
        Some(invoice) => HttpResponse::Ok().json(view(&double, &path.1, invoice)),
        None => {
            HttpResponse::NotFound().json(json!({"code": "invoice-not-found", "message": "The invoice was not found"}))
        }
    }
}

async fn methods(double: web::Data<Btcpay>, request: HttpRequest, path: web::Path<(String, String)>) -> HttpResponse {
    if let Some(refused) = refuse(&double, &request, &path.0) {
        return refused;
    }
    let invoices = double.invoices.lock().expect("invoices");
    let invoice = &invoices[&path.1];
    let method = |(index, (method, currency, rate)): (usize, &(&str, &str, &str))| {
        let payments = invoice.payments.iter().enumerate().filter(|(_, payment)| payment.0 == index);
        let payments = payments.map(|(number, (_, value, is_settled))| {
            let status = match is_settled {
                Some(true) => "Settled",
                Some(false) => "Processing",
                None => "Invalid",
            };
            json!({"id": format!("tx-{number}"), "receivedDate": invoice.created, "value": value, "fee": "0.0",
                "status": status, "destination": format!("address-of-{currency}")})
        });
        let left = invoice.amount().checked_sub(invoice.paid(|is| is.is_some())).expect("an amount").max(Money::ZERO);
        let due = left.minor() as f64 / 100.0 / rate.parse::<f64>().expect("a rate");
        json!({
            "paymentMethodId": method, "currency": currency, "activated": true, "rate": rate, "due": format!("{due:.8}"),
            "destination": format!("address-of-{currency}"), "paymentMethodFee": "0.0", "totalPaid": "0.0",
            "paymentLink": format!("{}:address-of-{currency}?amount={due:.8}", currency.to_lowercase()),
            "paymentMethodPaid": "0.0", "amount": "0.0", "payments": payments.collect::<Vec<_>>(), "additionalData": {},
        })
    };
    HttpResponse::Ok().json(RATES.iter().enumerate().map(method).collect::<Vec<_>>())
}

/// The checkout page, for journeys.
async fn checkout(double: web::Data<Btcpay>, id: web::Path<String>) -> HttpResponse {
    let invoices = double.invoices.lock().expect("invoices");
    let buttons = ["exact", "half", "over", "confirm", "expire", "invalid"]
        .map(|action| format!("<form method=post action=\"/i/{id}/{action}\"><button>{action}</button></form>"));
    let status = invoices[id.as_str()].status();
    HttpResponse::Ok().content_type("text/html").body(format!("{ICON}<h1>{status:?}</h1>{}", buttons.concat()))
}

async fn act(double: web::Data<Btcpay>, path: web::Path<(String, String)>) -> HttpResponse {
    let (id, action) = path.into_inner();
    let amount = double.invoices.lock().expect("invoices")[&id].amount();
    let share = |percent: i64| amount.proportion(percent, 100).expect("a share").to_string();
    match action.as_str() {
        "exact" => double.receives(&id, 1, &share(100)),
        "half" => double.receives(&id, 1, &share(50)),
        "over" => double.receives(&id, 1, &share(150)),
        "confirm" => double.confirms(&id),
        "expire" => double.expires(&id),
        _ => double.marks(&id, "Invalid"),
    }
    double.tell(&id).await;
    HttpResponse::SeeOther().insert_header((LOCATION, format!("/i/{id}"))).finish()
}
