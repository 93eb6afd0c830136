//! The cards that the fake Stripe saves: a customer for each, sessions that enter one, and intents that charge it.
use super::{Books, Form, Make, Stripe, error, misnamed, missing, once, refuse, respond};
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};

/// Accepted parameters of a setup session.
const KNOWN_OF_SETUP: &[&str] = &[
    "cancel_url",
    "client_reference_id",
    "customer",
    "expires_at",
    "locale",
    "metadata[shop]",
    "mode",
    "payment_method_types[0]",
    "success_url",
];

/// Accepted parameters of an off-session charge.
const KNOWN_OF_INTENT: &[&str] = &[
    "amount",
    "confirm",
    "currency",
    "customer",
    "metadata[payment]",
    "metadata[shop]",
    "off_session",
    "payment_method",
    "payment_method_types[0]",
];

/// How a card behaves when charged off-session.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CardKind {
    Good,
    /// Succeeds later.
    Slow,
    /// Refused with this code and the bank's code.
    Refused(&'static str, &'static str),
}

impl Stripe {
    /// The customer enters a card at a session that saves one.
    pub fn enters_card(&self, id: &str, kind: CardKind) {
        let mut books = self.books.lock().expect("books");
        let customer = books.sessions[id]["customer"].as_str().expect("a customer").to_owned();
        let card = format!("pm_{}", books.cards.len() + 1);
        books.cards.insert(card.clone(), (customer, kind));
        let session = books.sessions.get_mut(id).expect("a session");
        session["setup_intent"] = json!({
            "id": format!("seti_{card}"), "object": "setup_intent", "status": "succeeded", "usage": "off_session",
            "payment_method": {
                "id": card, "object": "payment_method", "type": "card",
                "card": {"brand": "visa", "last4": "4242", "exp_month": 4, "exp_year": 2030, "country": "US"},
            },
        });
        session["status"] = "complete".into();
        session["url"] = Value::Null;
    }

    /// Customers that are not deleted.
    pub fn customers(&self) -> Vec<String> {
        let books = self.books.lock().expect("books");
        books.customers.iter().filter(|(_, is_kept)| **is_kept).map(|(id, _)| id.clone()).collect()
    }

    /// The seller deletes every customer in Stripe's dashboard.
    pub fn deletes_customers(&self) {
        self.books.lock().expect("books").customers.values_mut().for_each(|is_kept| *is_kept = false);
    }

    pub fn intents(&self) -> Vec<Value> {
        self.books.lock().expect("books").intents.values().cloned().collect()
    }

    /// Completes a pending payment intent.
    pub fn intent_succeeds(&self, id: &str) {
        let mut books = self.books.lock().expect("books");
        books.intents.get_mut(id).expect("an intent")["status"] = "succeeded".into();
    }
}

async fn create_customer(stripe: web::Data<Stripe>, request: HttpRequest, body: String) -> HttpResponse {
    let make: Make = |books, _, form, _| {
        if form.keys().any(|name| name != "metadata[shop]") {
            return error(400, "invalid_request_error", "Received unknown parameter.");
        }
        let id = format!("cus_{}", books.customers.len() + 1);
        books.customers.insert(id.clone(), true);
        (200, json!({"id": id, "object": "customer"}))
    };
    once(&stripe, &request, &body, make).await
}

async fn create_intent(stripe: web::Data<Stripe>, request: HttpRequest, body: String) -> HttpResponse {
    once(&stripe, &request, &body, make_intent).await
}

pub fn make_setup(books: &mut Books, url: &str, form: &Form, now: i64) -> (u16, Value) {
    if let Some(wrong) = misnamed(form, KNOWN_OF_SETUP) {
        return wrong;
    }
    let expires_at: i64 = form["expires_at"].parse().unwrap_or_default();
    if !(now + 30 * 60..=now + 24 * 3_600).contains(&expires_at) {
        return error(400, "invalid_request_error", "The `expires_at` timestamp is out of range.");
    }
    if books.customers.get(&form["customer"]) != Some(&true) {
        return missing("customer", &form["customer"]);
    }
    let id = format!("cs_test_{}", books.sessions.len() + 1);
    let empty_intent = json!({
        "id": format!("seti_{id}"), "object": "setup_intent", "payment_method": null, "status": "requires_payment_method",
    });
    let session = json!({
        "id": id, "object": "checkout.session", "amount_subtotal": null, "amount_total": null, "currency": null,
        "client_reference_id": form["client_reference_id"], "created": now, "customer": form["customer"],
        "expires_at": expires_at, "livemode": false, "metadata": {"shop": form["metadata[shop]"]}, "mode": "setup",
        "payment_intent": null, "payment_status": "no_payment_required", "setup_intent": empty_intent,
        "status": "open", "success_url": form["success_url"], "cancel_url": form["cancel_url"],
        "url": format!("{url}/pay/{id}"),
    });
    books.sessions.insert(id, session.clone());
    books.forms.push(form.clone());
    (200, session)
}

fn make_intent(books: &mut Books, _: &str, form: &Form, now: i64) -> (u16, Value) {
    if let Some(wrong) = misnamed(form, KNOWN_OF_INTENT) {
        return wrong;
    }
    if form["confirm"] != "true" || form["off_session"] != "true" || form["currency"] != "usd" {
        return error(400, "invalid_request_error", "This would wait for a customer who is not there.");
    }
    if books.customers.get(&form["customer"]) != Some(&true) {
        return missing("customer", &form["customer"]);
    }
    let Some((customer, kind)) = books.cards.get(&form["payment_method"]).cloned() else {
        return missing("PaymentMethod", &form["payment_method"]);
    };
    if customer != form["customer"] {
        return error(400, "invalid_request_error", "The PaymentMethod does not belong to the Customer.");
    }
    let amount: i64 = form["amount"].parse().unwrap_or_default();
    let mut intent = json!({
        "id": format!("pi_{}", books.intents.len() + 1), "object": "payment_intent", "amount": amount,
        "amount_received": 0, "capture_method": "automatic", "created": now, "currency": "usd",
        "customer": customer, "last_payment_error": null, "livemode": false, "payment_method": form["payment_method"],
        "metadata": {"shop": form["metadata[shop]"], "payment": form["metadata[payment]"]}, "status": "succeeded",
    });
    let answered = match kind {
        CardKind::Good => {
            intent["amount_received"] = amount.into();
            (200, intent.clone())
        }
        CardKind::Slow => {
            intent["status"] = "processing".into();
            (200, intent.clone())
        }
        CardKind::Refused(code, decline_code) => {
            intent["status"] = "requires_payment_method".into();
            let mut wrong = json!({
                "type": "card_error", "code": code, "decline_code": decline_code, "message": "Your card was declined.",
            });
            intent["last_payment_error"] = wrong.clone();
            wrong["payment_intent"] = intent.clone();
            (402, json!({"error": wrong}))
        }
    };
    books.intents.insert(intent["id"].as_str().unwrap_or_default().to_owned(), intent);
    books.forms.push(form.clone());
    answered
}

async fn delete_customer(stripe: web::Data<Stripe>, request: HttpRequest, id: web::Path<String>) -> HttpResponse {
    if let Some(refused) = refuse(&stripe, &request) {
        return refused;
    }
    let mut books = stripe.books.lock().expect("books");
    respond(match books.customers.get_mut(id.as_str()) {
        Some(is_kept) if *is_kept => {
            *is_kept = false;
            (200, json!({"id": *id, "object": "customer", "deleted": true}))
        }
        _ => error(404, "invalid_request_error", &format!("No such customer: '{id}'")),
    })
}

async fn retrieve_intent(stripe: web::Data<Stripe>, request: HttpRequest, id: web::Path<String>) -> HttpResponse {
    if let Some(refused) = refuse(&stripe, &request) {
        return refused;
    }
    let intent = stripe.books.lock().expect("books").intents.get(id.as_str()).cloned();
    respond(intent.map_or_else(|| missing("payment_intent", &id), |intent| (200, intent)))
}

pub fn configure(config: &mut web::ServiceConfig) {
    config
        .route("/v1/customers", web::post().to(create_customer))
        .route("/v1/customers/{id}", web::delete().to(delete_customer))
        .route("/v1/payment_intents", web::post().to(create_intent))
        .route("/v1/payment_intents/{id}", web::get().to(retrieve_intent));
}
