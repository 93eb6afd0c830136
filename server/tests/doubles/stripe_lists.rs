//! The lists of the fake Stripe, and what it took back.
use super::{Books, Form, Stripe, error, misnamed, missing, once, refuse, respond};
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};

/// One object in each page, newest first, so that every list has several.
fn list(stripe: &Stripe, request: &HttpRequest, objects: impl Fn(&Books) -> Vec<Value>) -> HttpResponse {
    if let Some(refused) = refuse(stripe, request) {
        return refused;
    }
    let url = reqwest::Url::parse(&format!("http://form/?{}", request.query_string())).expect("a query");
    let asked: Form = url.query_pairs().into_owned().collect();
    let number = |name: &str, other: i64| asked.get(name).map_or(other, |text| text.parse().expect("a number"));
    let created = number("created[gte]", 0)..number("created[lt]", i64::MAX);
    let books = stripe.books.lock().expect("books");
    let mut found = objects(&books);
    found.retain(|object| {
        let of_intent = asked.get("payment_intent").is_none_or(|intent| object["payment_intent"] == intent.as_str());
        of_intent && created.contains(&object["created"].as_i64().unwrap_or(0))
    });
    found.reverse();
    let after = |object: &Value| asked.get("starting_after").is_some_and(|after| object["id"] != after.as_str());
    let skipped = found.iter().take_while(|object| after(object)).count();
    let skipped = if asked.contains_key("starting_after") { skipped + 1 } else { 0 };
    let mut left = found.into_iter().skip(skipped);
    let page: Vec<Value> = left.next().into_iter().collect();
    respond((200, json!({"object": "list", "data": page, "has_more": left.next().is_some()})))
}

pub async fn sessions(stripe: web::Data<Stripe>, request: HttpRequest) -> HttpResponse {
    list(&stripe, &request, |books| books.sessions.values().cloned().collect())
}

/// A restricted key without the permission.
fn forbidden(stripe: &Stripe) -> Option<HttpResponse> {
    let is_restricted = stripe.books.lock().expect("books").is_restricted;
    let message = "The provided key does not have the required permissions for this endpoint";
    is_restricted.then(|| respond(error(403, "invalid_request_error", message)))
}

pub async fn refunds(stripe: web::Data<Stripe>, request: HttpRequest) -> HttpResponse {
    if let Some(refused) = forbidden(&stripe) {
        return refused;
    }
    list(&stripe, &request, |books| books.refunds.clone())
}

/// Makes a refund of what is left of an intent.
fn make_refund(books: &mut Books, _: &str, form: &Form, now: i64) -> (u16, Value) {
    let known = ["payment_intent", "amount", "metadata[shop]", "metadata[refund]", "metadata[order]"];
    if let Some(refused) = misnamed(form, &known) {
        return refused;
    }
    let intent = &form["payment_intent"];
    let session = intent.strip_prefix("pi_of_").and_then(|id| books.sessions.get(id)).map(|one| &one["amount_total"]);
    let charged = session.or_else(|| books.intents.get(intent).map(|one| &one["amount"]));
    let Some(charged) = charged.and_then(Value::as_i64) else { return missing("payment_intent", intent) };
    let is_back = |refund: &&Value| refund["payment_intent"] == intent.as_str() && refund["status"] != "failed";
    let back: i64 = books.refunds.iter().filter(is_back).filter_map(|refund| refund["amount"].as_i64()).sum();
    let minor: i64 = form["amount"].parse().expect("an amount");
    if minor > charged - back {
        let message = format!("Refund amount is greater than unrefunded amount on charge (${})", charged - back);
        return error(400, "invalid_request_error", &message);
    }
    let refund = json!({
        "id": format!("re_{}", books.refunds.len() + 1), "object": "refund", "amount": minor, "currency": "usd",
        "payment_intent": intent, "status": books.refund_status.unwrap_or("succeeded"), "reason": null, "created": now,
        "metadata": {"shop": form["metadata[shop]"], "refund": form["metadata[refund]"], "order": form["metadata[order]"]},
    });
    books.refunds.push(refund.clone());
    (200, refund)
}

async fn create_refund(stripe: web::Data<Stripe>, request: HttpRequest, body: String) -> HttpResponse {
    once(&stripe, &request, &body, make_refund).await
}

async fn retrieve_refund(stripe: web::Data<Stripe>, request: HttpRequest, id: web::Path<String>) -> HttpResponse {
    if let Some(refused) = refuse(&stripe, &request) {
        return refused;
    }
    let books = stripe.books.lock().expect("books");
    let found = books.refunds.iter().find(|refund| refund["id"] == id.as_str());
    respond(found.map_or_else(|| missing("refund", &id), |refund| (200, refund.clone())))
}

pub fn configure(config: &mut web::ServiceConfig) {
    config
        .route("/v1/refunds", web::get().to(refunds))
        .route("/v1/refunds", web::post().to(create_refund))
        .route("/v1/refunds/{id}", web::get().to(retrieve_refund))
        .route("/v1/disputes", web::get().to(disputes));
}

pub async fn disputes(stripe: web::Data<Stripe>, request: HttpRequest) -> HttpResponse {
    if let Some(refused) = forbidden(&stripe) {
        return refused;
    }
    list(&stripe, &request, |books| books.disputes.clone())
}

impl Stripe {
    /// What refunds of the shop are at first, such as `pending`.
    pub fn refunds_are(&self, status: &'static str) {
        self.books.lock().expect("books").refund_status = Some(status);
    }

    /// All refunds.
    pub fn made_refunds(&self) -> Vec<Value> {
        self.books.lock().expect("books").refunds.clone()
    }

    pub fn restricts_the_key(&self) {
        self.books.lock().expect("books").is_restricted = true;
    }

    /// Money of an intent is refunded in the dashboard; returns the refund.
    pub fn refunds(&self, intent: &str, minor: i64, status: &str) -> Value {
        let created = self.now();
        let mut books = self.books.lock().expect("books");
        let id = format!("re_{}", books.refunds.len() + 1);
        let refund = json!({
            "id": id, "object": "refund", "amount": minor, "currency": "usd", "payment_intent": intent, "charge": "ch_1",
            "status": status, "reason": "requested_by_customer", "created": created,
        });
        books.refunds.push(refund.clone());
        refund
    }

    /// The customer disputes a payment with the bank; returns the dispute.
    pub fn disputes(&self, intent: &str, minor: i64, status: &str) -> Value {
        let created = self.now();
        let mut books = self.books.lock().expect("books");
        let id = format!("dp_{}", books.disputes.len() + 1);
        let dispute = json!({
            "id": id, "object": "dispute", "amount": minor, "currency": "usd", "payment_intent": intent, "charge": "ch_1",
            "status": status, "reason": "fraudulent", "created": created, "is_charge_refundable": false,
            "evidence_details": {"due_by": created + 864_000, "has_evidence": false, "past_due": false},
        });
        books.disputes.push(dispute.clone());
        dispute
    }

    /// A refund or a dispute becomes something else; returns it.
    pub fn decides(&self, id: &str, status: &str) -> Value {
        let books = &mut *self.books.lock().expect("books");
        let mut all = books.refunds.iter_mut().chain(&mut books.disputes);
        let object = all.find(|object| object["id"] == id).expect("a refund or a dispute");
        object["status"] = status.into();
        object.clone()
    }
}
