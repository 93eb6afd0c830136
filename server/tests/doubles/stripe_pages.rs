//! Pages of the fake Stripe, for journeys: the checkout, where customers pay or enter a card, and the seller's dashboard, where a payment is refunded,
//! disputed and decided. The shop is told by signed events.
use super::Stripe;
use super::cards::CardKind;
use actix_web::http::header::LOCATION;
use actix_web::{HttpResponse, web};
use serde_json::{Value, json};

/// What is refunded in the dashboard, in minor units.
const REFUNDED: i64 = 500;

fn page(heading: &str, path: &str, buttons: &[&str], links: &[(String, String)]) -> HttpResponse {
    let buttons: String = buttons
        .iter()
        .map(|label| format!("<form method=post action=\"{path}/{label}\"><button>{label}</button></form>"))
        .collect();
    let links: String = links.iter().map(|(href, label)| format!("<p><a href=\"{href}\">{label}</a></p>")).collect();
    // Without an icon, a browser would ask for one.
    let icon = "<link rel=icon href='data:,'>";
    HttpResponse::Ok().content_type("text/html").body(format!("{icon}<h1>{heading}</h1>{buttons}{links}"))
}

fn lead_to(address: &str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header((LOCATION, address)).finish()
}

impl Stripe {
    /// Sends an event to the shop.
    async fn tell(&self, kind: &str, object: Value) {
        let Some(url) = &self.webhooks else { return };
        let (body, signature) = self.event_of(kind, object);
        let sent = reqwest::Client::new().post(url).header("Stripe-Signature", signature).body(body).send().await;
        assert!(sent.expect("a shop").status().is_success(), "{kind}");
    }

    fn session(&self, id: &str) -> Value {
        self.books.lock().expect("books").sessions[id].clone()
    }

    /// Changes an intent that charges a saved card; returns it.
    fn intent_becomes(&self, id: &str, status: &str) -> Value {
        let mut books = self.books.lock().expect("books");
        let intent = books.intents.get_mut(id).expect("an intent");
        intent["status"] = status.into();
        intent.clone()
    }

    /// The newest refund or dispute of an intent becomes something else; returns it.
    fn newest_becomes(&self, kind: &str, intent: &str, status: &str) -> Value {
        let newest = {
            let books = self.books.lock().expect("books");
            let all = if kind == "refund" { &books.refunds } else { &books.disputes };
            let newest = all.iter().rev().find(|object| object["payment_intent"] == intent);
            newest.expect("a refund or a dispute")["id"].as_str().unwrap_or_default().to_owned()
        };
        self.decides(&newest, status)
    }
}

async fn checkout(stripe: web::Data<Stripe>, id: web::Path<String>) -> HttpResponse {
    let session = stripe.session(&id);
    let back = [(session["cancel_url"].as_str().unwrap_or_default().to_owned(), "back".to_owned())];
    let buttons: &[&str] = match (session["status"].as_str(), session["mode"].as_str()) {
        (Some("open"), Some("setup")) => &["good", "slow", "declined"],
        (Some("open"), _) => &["pay", "later", "expire"],
        _ => &[],
    };
    let status = session["status"].as_str().unwrap_or_default();
    page(&format!("{} {status}", session["amount_total"]), &format!("/pay/{id}"), buttons, &back)
}

async fn pay(stripe: web::Data<Stripe>, path: web::Path<(String, String)>) -> HttpResponse {
    let (id, action) = path.into_inner();
    match action.as_str() {
        "pay" => stripe.is_paid(&id),
        // As with some methods, the money comes later, or never.
        "later" => stripe.change(&id, json!({"status": "complete", "url": null})),
        "expire" => stripe.change(&id, json!({"status": "expired", "url": null})),
        "good" => stripe.enters_card(&id, CardKind::Good),
        "slow" => stripe.enters_card(&id, CardKind::Slow),
        _ => stripe.enters_card(&id, CardKind::Refused("card_declined", "insufficient_funds")),
    }
    let session = stripe.session(&id);
    let kind = if action == "expire" { "expired" } else { "completed" };
    stripe.tell(&format!("checkout.session.{kind}"), session.clone()).await;
    let back = if action == "expire" { "cancel_url" } else { "success_url" };
    lead_to(session[back].as_str().unwrap_or_default())
}

/// All intents, newest first.
async fn dashboard(stripe: web::Data<Stripe>) -> HttpResponse {
    let books = stripe.books.lock().expect("books");
    let sessions = books.sessions.keys().rev().map(|id| format!("pi_of_{id}"));
    let links = books.intents.keys().rev().cloned().chain(sessions);
    let links: Vec<_> = links.map(|id| (format!("/dashboard/{id}"), id)).collect();
    page("Payments", "/dashboard", &[], &links)
}

async fn payment(intent: web::Path<String>) -> HttpResponse {
    let of_session = ["refund", "arrive", "fail", "dispute", "win", "lose", "comes", "never comes"];
    let of_card = ["succeed", "cancel"];
    let buttons = if intent.starts_with("pi_of_") { &of_session[..] } else { &of_card[..] };
    page(&intent, &format!("/dashboard/{intent}"), buttons, &[])
}

async fn act(stripe: web::Data<Stripe>, path: web::Path<(String, String)>) -> HttpResponse {
    let (intent, action) = path.into_inner();
    let session_id = intent.strip_prefix("pi_of_").unwrap_or_default().to_owned();
    let (kind, object) = match action.as_str() {
        "refund" => {
            stripe.refunds(&intent, REFUNDED, "succeeded");
            ("charge.refunded", json!({"id": "ch_1", "object": "charge", "payment_intent": intent}))
        }
        "arrive" => ("refund.updated", stripe.newest_becomes("refund", &intent, "succeeded")),
        "fail" => ("refund.failed", stripe.newest_becomes("refund", &intent, "failed")),
        "dispute" => {
            let minor = stripe.session(&session_id)["amount_total"].as_i64().unwrap_or_default();
            ("charge.dispute.created", stripe.disputes(&intent, minor, "needs_response"))
        }
        "win" => ("charge.dispute.closed", stripe.newest_becomes("dispute", &intent, "won")),
        "lose" => ("charge.dispute.closed", stripe.newest_becomes("dispute", &intent, "lost")),
        "comes" => {
            stripe.is_paid(&session_id);
            ("checkout.session.async_payment_succeeded", stripe.session(&session_id))
        }
        "never comes" => ("checkout.session.async_payment_failed", stripe.session(&session_id)),
        "succeed" => ("payment_intent.succeeded", stripe.intent_becomes(&intent, "succeeded")),
        _ => ("payment_intent.canceled", stripe.intent_becomes(&intent, "canceled")),
    };
    stripe.tell(kind, object).await;
    lead_to(&format!("/dashboard/{intent}"))
}

pub fn configure(config: &mut web::ServiceConfig) {
    config
        .route("/pay/{id}", web::get().to(checkout))
        .route("/pay/{id}/{action}", web::post().to(pay))
        .route("/dashboard", web::get().to(dashboard))
        .route("/dashboard/{intent}", web::get().to(payment))
        .route("/dashboard/{intent}/{action}", web::post().to(act));
}
