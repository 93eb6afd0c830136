//! Stripe Checkout: card, Alipay and WeChat Pay on Stripe's page. Its interface is plain HTTP: forms in, JSON out.
//!
//! The customer comes to our own address first. It makes the Checkout Session there, outside of any transaction and under the
//! payment's id as the idempotency key, so that however often it is opened there is one session for a payment.
//!
//! A card is remembered by a session that takes no money, for a Stripe customer of its own, which is deleted when the card is forgotten. It
//! is charged by a payment intent off session, under the payment's id as the idempotency key.
use super::{Answer, CardAnswer, CardOutcome, Cards, Charged, Gateway, NewCard, Reading, Report, merchant};
use crate::answer::language_of;
use crate::config::{Config, StripeAccount};
use crate::db::Conn;
use crate::error::AppError;
use crate::orders::payments::{self, PaymentRow, StoredCallback};
use crate::schema::orders;
use crate::security::SecretKey;
use crate::state::App;
use crate::wallet::cards::{self, CardRequest};
use crate::{pages, tls};
use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, get, web};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use hmac::{Hmac, KeyInit as _, Mac};
use postern_core::auto_top_up::CardFailure;
use postern_core::language::Language;
use postern_core::money::Money;
use postern_core::order::{GatewayReport, OrderState, PaymentMethod, PaymentState};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::Sha256;
use std::fmt;
use std::time::Duration;

/// The version of Stripe's interface that this is written for.
const VERSION: &str = "2024-06-20";
const SIGNATURE_HEADER: &str = "Stripe-Signature";
/// How old a callback's signature may be when the callback comes in: older ones are played back by somebody.
const TOLERANCE_SECONDS: i64 = 300;
const LONGEST: Duration = Duration::from_secs(10);
/// So often a request is sent before the customer is told; under one idempotency key it takes effect once.
const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_millis(300);
/// The longest pause that Stripe may ask for while a customer waits.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// Stripe keeps a session open for at least 30 minutes from when it is made, and for at most 24 hours. A minute is for clocks that differ.
const SHORTEST_SESSION: TimeDelta = TimeDelta::minutes(31);
const LONGEST_SESSION: TimeDelta = TimeDelta::minutes(24 * 60 - 1);
/// Stripe keeps idempotency keys for at least 24 hours: a charge that is asked for again later could be another one.
const KEY_HOURS: i64 = 23;

pub struct Stripe;

impl Gateway for Stripe {
    fn method(&self) -> PaymentMethod {
        PaymentMethod::Stripe
    }

    fn is_offered(&self, config: &Config) -> bool {
        config.stripe.is_some()
    }

    fn pay_path(&self, public_id: &str, _: Language) -> String {
        format!("/pay/stripe/{public_id}")
    }

    /// A payment whose page nobody has opened is open.
    fn query<'a>(&'a self, app: &'a App, payment: &'a PaymentRow) -> Answer<'a> {
        Box::pin(async move {
            let (Some(account), Some(session)) = (&app.config.stripe, &payment.charge_id) else { return Ok(None) };
            Ok(session_at(account, session).await.map_err(internal)?.report())
        })
    }

    fn signature_header(&self) -> Option<&'static str> {
        Some(SIGNATURE_HEADER)
    }

    fn read_callback(&self, config: &Config, key: &SecretKey, callback: &StoredCallback) -> Reading {
        let Some(account) = &config.stripe else { return Reading::Forged };
        let received_at = callback.received_at.and_utc().timestamp();
        if !is_signed(&account.webhook_secret, &callback.signature, &callback.body, received_at) {
            return Reading::Forged;
        }
        let Ok(event) = serde_json::from_str::<Event>(&callback.body) else { return Reading::NoInterest };
        if matches!(event.kind.as_str(), "payment_intent.succeeded" | "payment_intent.payment_failed") {
            return read_intent(event.data.object, key);
        }
        let succeeded = match event.kind.as_str() {
            "checkout.session.completed" | "checkout.session.async_payment_succeeded" => true,
            "checkout.session.async_payment_failed" | "checkout.session.expired" => false,
            _ => return Reading::NoInterest,
        };
        let Ok(session) = serde_json::from_value::<Session>(event.data.object) else { return Reading::NoInterest };
        if session.metadata.shop.as_deref() != Some(&merchant(key)) {
            return Reading::OtherMerchant;
        }
        // A card was entered, or not: that is asked.
        if session.mode.as_deref() == Some("setup") {
            return Reading::NoInterest;
        }
        // Completed, but the money is still under way.
        if succeeded && !session.is_paid() {
            return Reading::NoInterest;
        }
        let said = session.says(succeeded);
        let Some(public_id) = session.client_reference_id else { return Reading::OtherMerchant };
        Reading::Report(Report { public_id, charge_id: Some(session.id), said, failure: None })
    }

    fn configure(&self, config: &mut web::ServiceConfig) {
        config.service(open_card).service(open);
    }

    fn cards(&self) -> Option<&dyn Cards> {
        Some(self)
    }
}

impl Cards for Stripe {
    fn remember_path(&self, public_id: &str, _: Language) -> String {
        format!("/pay/stripe/card/{public_id}")
    }

    /// A card whose page nobody has opened may still be entered.
    fn card_of<'a>(&'a self, app: &'a App, request: &'a CardRequest) -> CardAnswer<'a, Option<CardOutcome>> {
        Box::pin(async move {
            let (Some(account), Some(session)) = (&app.config.stripe, &request.session_id) else { return Ok(None) };
            let path = format!("/v1/checkout/sessions/{session}?expand%5B%5D=setup_intent.payment_method");
            let session: SetupSession = ask(account, &path, Ask::Get).await.map_err(internal)?;
            session.outcome()
        })
    }

    fn charge<'a>(
        &'a self,
        app: &'a App,
        payment: &'a PaymentRow,
        reference: &'a str,
    ) -> CardAnswer<'a, Option<Charged>> {
        Box::pin(async move {
            let Some(account) = &app.config.stripe else { return Ok(None) };
            let card: CardReference = serde_json::from_str(reference)?;
            let asked = match &payment.charge_id {
                Some(id) => ask(account, &format!("/v1/payment_intents/{id}"), Ask::Get).await,
                None if app.clock.now() - payment.created_at >= TimeDelta::hours(KEY_HOURS) => return Ok(None),
                None => {
                    let form = charge_form(app, payment, &card);
                    let post = Ask::Post { form: &form, idempotency_key: &payment.public_id };
                    ask(account, "/v1/payment_intents", post).await
                }
            };
            let intent: Intent = match asked {
                Ok(intent) => intent,
                Err(Trouble::Refused(refusal)) if refusal.is_about_the_card() => {
                    tracing::warn!(payment_id = payment.id, %refusal, "a remembered card was not charged");
                    return Ok(Some(refusal.charged(payment)));
                }
                Err(trouble) => return Err(internal(trouble)),
            };
            if intent.is_under_way() {
                let (id, charge_id) = (payment.id, intent.id);
                app.db.write(move |conn| payments::note_charge(conn, id, &charge_id)).await?;
                return Ok(None);
            }
            Ok(Some(Charged { failure: intent.failure(), said: intent.says(), charge_id: Some(intent.id) }))
        })
    }

    fn forget<'a>(&'a self, app: &'a App, reference: &'a str) -> CardAnswer<'a, ()> {
        Box::pin(async move {
            let Some(account) = &app.config.stripe else { return Err(AppError::internal("Stripe is not set up")) };
            let card: CardReference = serde_json::from_str(reference)?;
            let deleted = ask::<Value>(account, &format!("/v1/customers/{}", card.customer), Ask::Delete).await;
            match deleted {
                Err(Trouble::Refused(refusal)) if refusal.status == 404 => Ok(()),
                deleted => deleted.map(drop).map_err(internal),
            }
        })
    }
}

fn internal(trouble: Trouble) -> AppError {
    AppError::Internal(trouble.into())
}

/// What Stripe knows a remembered card by.
#[derive(Serialize, Deserialize)]
struct CardReference {
    customer: String,
    payment_method: String,
}

/// It is the same whenever it is asked for, as a request under the same idempotency key must be.
fn charge_form(app: &App, payment: &PaymentRow, card: &CardReference) -> Fields {
    [
        ("amount", payment.amount_minor.to_string()),
        ("currency", payment.currency.to_ascii_lowercase()),
        ("customer", card.customer.clone()),
        ("payment_method", card.payment_method.clone()),
        ("payment_method_types[0]", "card".to_owned()),
        ("off_session", "true".to_owned()),
        ("confirm", "true".to_owned()),
        ("metadata[shop]", merchant(&app.key)),
        ("metadata[payment]", payment.public_id.clone()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

/// What an event says of a payment intent: those of Checkout, which name no payment of ours, are told by their sessions.
fn read_intent(object: Value, key: &SecretKey) -> Reading {
    let Ok(intent) = serde_json::from_value::<Intent>(object) else { return Reading::NoInterest };
    let Some(public_id) = intent.metadata.payment.clone() else { return Reading::NoInterest };
    if intent.metadata.shop.as_deref() != Some(&merchant(key)) {
        return Reading::OtherMerchant;
    }
    if intent.is_under_way() {
        return Reading::NoInterest;
    }
    let (said, failure) = (intent.says(), intent.failure());
    Reading::Report(Report { public_id, charge_id: Some(intent.id), said, failure })
}

/// A payment intent, as far as it matters here.
#[derive(Deserialize)]
struct Intent {
    id: String,
    /// `succeeded`, `processing`, or one of those that a charge without its owner ends with: `requires_payment_method`,
    /// `requires_action`, `canceled`.
    status: String,
    /// In minor units.
    amount: i64,
    currency: String,
    last_payment_error: Option<RefusalError>,
    #[serde(default)]
    metadata: Metadata,
}

impl Intent {
    fn is_under_way(&self) -> bool {
        self.status == "processing"
    }

    fn says(&self) -> GatewayReport {
        GatewayReport {
            succeeded: self.status == "succeeded",
            amount: Money::from_minor(self.amount),
            currency: self.currency.to_ascii_uppercase(),
        }
    }

    fn failure(&self) -> Option<CardFailure> {
        let is_asking = matches!(self.status.as_str(), "requires_action" | "requires_confirmation");
        match &self.last_payment_error {
            _ if self.status == "succeeded" => None,
            Some(error) => Some(error.failure()),
            None if is_asking => Some(CardFailure::AuthenticationRequired),
            None => Some(CardFailure::Declined),
        }
    }
}

/// A session that remembers a card, with what it has become.
#[derive(Deserialize)]
struct SetupSession {
    status: Option<String>,
    customer: Option<String>,
    setup_intent: Option<SetupIntent>,
}

#[derive(Deserialize)]
struct SetupIntent {
    status: String,
    payment_method: Option<StripeCard>,
}

#[derive(Deserialize)]
struct StripeCard {
    id: String,
    card: Option<CardDetails>,
}

#[derive(Deserialize)]
struct CardDetails {
    brand: String,
    last4: String,
    exp_month: i32,
    exp_year: i32,
}

impl SetupSession {
    fn outcome(self) -> Result<Option<CardOutcome>, AppError> {
        match self.status.as_deref() {
            Some("expired") => return Ok(Some(CardOutcome::Refused)),
            Some("complete") => {}
            _ => return Ok(None),
        }
        let Some(intent) = self.setup_intent.filter(|intent| intent.status == "succeeded") else { return Ok(None) };
        let (Some(customer), Some(StripeCard { id, card: Some(card) })) = (self.customer, intent.payment_method) else {
            return Ok(Some(CardOutcome::Refused));
        };
        let reference = serde_json::to_string(&CardReference { customer, payment_method: id })?;
        Ok(Some(CardOutcome::Remembered(NewCard {
            reference,
            brand: card.brand,
            last_four: card.last4,
            expires_month: card.exp_month,
            expires_year: card.exp_year,
        })))
    }
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    data: EventData,
}

#[derive(Deserialize)]
struct EventData {
    object: Value,
}

/// A Checkout Session, as far as it matters here.
#[derive(Deserialize)]
struct Session {
    id: String,
    /// `payment`, or `setup` where a card is remembered.
    mode: Option<String>,
    /// Where the customer pays, while it is open.
    url: Option<String>,
    /// `open`, `complete` or `expired`.
    status: Option<String>,
    /// `paid`, `unpaid` or `no_payment_required`.
    payment_status: String,
    client_reference_id: Option<String>,
    /// In minor units.
    amount_total: Option<i64>,
    currency: Option<String>,
    #[serde(default)]
    metadata: Metadata,
}

#[derive(Default, Deserialize)]
struct Metadata {
    shop: Option<String>,
    /// A payment of ours, on what is charged off session.
    payment: Option<String>,
}

impl Session {
    fn is_paid(&self) -> bool {
        self.payment_status == "paid"
    }

    /// Where the customer pays, if they still can.
    fn page(&self) -> Option<&str> {
        self.url.as_deref().filter(|_| self.status.as_deref() == Some("open"))
    }

    fn says(&self, succeeded: bool) -> GatewayReport {
        GatewayReport {
            succeeded,
            amount: Money::from_minor(self.amount_total.unwrap_or_default()),
            currency: self.currency.clone().unwrap_or_default().to_ascii_uppercase(),
        }
    }

    fn report(&self) -> Option<GatewayReport> {
        if self.is_paid() {
            return Some(self.says(true));
        }
        (self.status.as_deref() == Some("expired")).then(|| self.says(false))
    }
}

/// Does one of the signatures of a header fit the body, and was it made around the time when the callback came?
fn is_signed(secret: &str, header: &str, body: &str, received_at: i64) -> bool {
    let pairs: Vec<_> = header.split(',').filter_map(|pair| pair.trim().split_once('=')).collect();
    let Some((_, time)) = pairs.iter().find(|pair| pair.0 == "t") else { return false };
    let is_fresh =
        time.parse::<i64>().is_ok_and(|signed_at| received_at.abs_diff(signed_at) <= TOLERANCE_SECONDS as u64);
    let fits = |signature: &str| {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return false };
        mac.update(time.as_bytes());
        mac.update(b".");
        mac.update(body.as_bytes());
        // Takes the same time wherever the signature differs.
        hex::decode(signature).is_ok_and(|bytes| mac.verify_slice(&bytes).is_ok())
    };
    is_fresh && pairs.iter().any(|(name, signature)| *name == "v1" && fits(signature))
}

/// Why Stripe did not do what it was asked. It has no key and nothing of the customer in it.
#[derive(Debug)]
enum Trouble {
    Unreachable(String),
    Refused(Refused),
    Unreadable(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Unreachable(cause) => write!(formatter, "Stripe could not be reached: {cause}"),
            Trouble::Refused(refused) => write!(formatter, "{refused}"),
            Trouble::Unreadable(cause) => write!(formatter, "Stripe's answer could not be read: {cause}"),
        }
    }
}

impl std::error::Error for Trouble {}

/// Stripe's no, with its reasons.
#[derive(Debug)]
struct Refused {
    status: u16,
    error: RefusalError,
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refused { status, error: RefusalError { kind, code, message, .. } } = self;
        let code = code.as_deref().unwrap_or_default();
        write!(formatter, "Stripe refused with {status} {kind} {code}: {message}")
    }
}

impl Refused {
    /// Was the card not charged because of what it is? Anything else may go another way when it is asked again.
    fn is_about_the_card(&self) -> bool {
        let is_unknown = matches!(self.status, 400 | 404) && self.error.kind == "invalid_request_error";
        self.status == 402 || is_unknown
    }

    fn charged(self, payment: &PaymentRow) -> Charged {
        let amount = Money::from_minor(payment.amount_minor);
        let said = GatewayReport { succeeded: false, amount, currency: payment.currency.clone() };
        let failure = if self.status == 402 { self.error.failure() } else { CardFailure::CardGone };
        Charged { charge_id: self.error.payment_intent.map(|intent| intent.id), said, failure: Some(failure) }
    }
}

#[derive(Default, Deserialize)]
struct Refusal {
    #[serde(default)]
    error: RefusalError,
}

#[derive(Default, Deserialize)]
#[serde(default)]
#[derive(Debug)]
struct RefusalError {
    #[serde(rename = "type")]
    kind: String,
    message: String,
    /// Such as `card_declined`, `expired_card` or `authentication_required`.
    code: Option<String>,
    /// The bank's reason, where it gives one.
    decline_code: Option<String>,
    /// The payment intent that was refused.
    payment_intent: Option<RefusedIntent>,
}

#[derive(Debug, Deserialize)]
struct RefusedIntent {
    id: String,
}

impl RefusalError {
    fn failure(&self) -> CardFailure {
        let reasons = [self.code.as_deref(), self.decline_code.as_deref()];
        let is = |words: &[&str]| reasons.iter().flatten().any(|reason| words.contains(reason));
        if is(&["authentication_required", "payment_intent_authentication_failure"]) {
            CardFailure::AuthenticationRequired
        } else if is(&["expired_card"]) {
            CardFailure::ExpiredCard
        } else if is(&["insufficient_funds"]) {
            CardFailure::InsufficientFunds
        } else if is(&["lost_card", "stolen_card", "pickup_card", "card_not_supported", "resource_missing"]) {
            CardFailure::CardGone
        } else {
            CardFailure::Declined
        }
    }
}

type Fields = Vec<(String, String)>;

/// What is sent: a form under an idempotency key, or a question.
enum Ask<'a> {
    Post { form: &'a Fields, idempotency_key: &'a str },
    Get,
    Delete,
}

/// Asks Stripe. What is worth another attempt (too many requests, another one under the same key just under way, trouble over there, no
/// connection) is tried again.
async fn ask<T: DeserializeOwned>(account: &StripeAccount, path: &str, what: Ask<'_>) -> Result<T, Trouble> {
    let unreachable = |error: reqwest::Error| Trouble::Unreachable(error.without_url().to_string());
    let client = tls::client(LONGEST).map_err(|error| Trouble::Unreachable(error.to_string()))?;
    let client = client.build().map_err(unreachable)?;
    let url = format!("{}{path}", account.api_url);
    let mut attempt = 1;
    loop {
        let request = match &what {
            Ask::Post { form, idempotency_key } => {
                client.post(&url).form(form).header("Idempotency-Key", *idempotency_key)
            }
            Ask::Get => client.get(&url),
            Ask::Delete => client.delete(&url),
        };
        let sent = request.bearer_auth(&account.secret_key).header("Stripe-Version", VERSION).send().await;
        let is_last = attempt == ATTEMPTS;
        let mut pause = PAUSE * 2_u32.pow(attempt - 1);
        match sent {
            Ok(response) if response.status().is_success() => {
                let body = response.bytes().await.map_err(unreachable)?;
                return serde_json::from_slice(&body).map_err(|error| Trouble::Unreadable(error.to_string()));
            }
            Ok(response) => {
                let status = response.status().as_u16();
                let asked_for =
                    response.headers().get("Retry-After").and_then(|value| value.to_str().ok()?.parse().ok());
                let asked_for = asked_for.map(Duration::from_secs);
                if is_last
                    || !matches!(status, 409 | 429 | 500..)
                    || asked_for.is_some_and(|pause| pause > LONGEST_PAUSE)
                {
                    let body = response.bytes().await.unwrap_or_default();
                    let mut error = serde_json::from_slice::<Refusal>(&body).unwrap_or_default().error;
                    // Should it ever repeat the key that it was sent, the log does not.
                    error.message = error.message.replace(&account.secret_key, "…");
                    return Err(Trouble::Refused(Refused { status, error }));
                }
                pause = asked_for.unwrap_or(pause);
            }
            Err(error) if is_last || !error.is_connect() => return Err(unreachable(error)),
            Err(_) => {}
        }
        tokio::time::sleep(pause).await;
        attempt += 1;
    }
}

async fn session_at(account: &StripeAccount, id: &str) -> Result<Session, Trouble> {
    ask(account, &format!("/v1/checkout/sessions/{id}"), Ask::Get).await
}

/// A payment with what its Checkout Session says of its order.
struct Charge {
    payment: PaymentRow,
    order_number: String,
    order_state: String,
    order_expires_at: NaiveDateTime,
    return_path: String,
}

fn find(conn: &mut Conn, public_id: &str) -> Result<Option<Charge>, AppError> {
    let payment = payments::by_public_id(conn, public_id)?;
    let Some(payment) = payment.filter(|payment| payment.payment_method == PaymentMethod::Stripe.as_str()) else {
        return Ok(None);
    };
    let order = orders::table.find(payment.order_id);
    let (order_number, order_state, order_expires_at) =
        order.select((orders::order_number, orders::state, orders::expires_at)).first(conn)?;
    let return_path = payments::return_path(conn, &payment)?;
    Ok(Some(Charge { payment, order_number, order_state, order_expires_at, return_path }))
}

impl Charge {
    /// When the session ends: a while after the order, within what Stripe takes. It is the same whenever it is asked for, as a request
    /// under the same idempotency key must be.
    fn session_ends_at(&self) -> NaiveDateTime {
        (self.order_expires_at + SHORTEST_SESSION).min(self.payment.created_at + LONGEST_SESSION)
    }

    fn can_begin(&self, now: NaiveDateTime) -> bool {
        let is_open = self.order_state == OrderState::Unpaid.as_str() && now < self.order_expires_at;
        is_open && now + SHORTEST_SESSION <= self.session_ends_at()
    }

    fn form(&self, app: &App) -> Fields {
        let payment = &self.payment;
        let shop = &app.config.public_url;
        let language = Language::from_choice(&payment.language);
        let words = json!({ "Shop": app.config.shop_name, "OrderNumber": self.order_number });
        let cancelled = self.return_path.split_once(['?', '&']).map_or(self.return_path.as_str(), |path| path.0);
        let cancel_path =
            if cancelled == "/order" { format!("/order?OrderId={}", payment.order_id) } else { cancelled.to_owned() };
        [
            ("mode", "payment".to_owned()),
            ("payment_method_types[0]", "card".to_owned()),
            ("payment_method_types[1]", "alipay".to_owned()),
            ("payment_method_types[2]", "wechat_pay".to_owned()),
            ("payment_method_options[wechat_pay][client]", "web".to_owned()),
            ("client_reference_id", payment.public_id.clone()),
            ("metadata[shop]", merchant(&app.key)),
            ("line_items[0][quantity]", "1".to_owned()),
            ("line_items[0][price_data][currency]", payment.currency.to_ascii_lowercase()),
            ("line_items[0][price_data][unit_amount]", payment.amount_minor.to_string()),
            ("line_items[0][price_data][product_data][name]", app.texts.get(language, "pay:stripe.item", &words)),
            ("locale", language.as_str().to_owned()),
            ("success_url", format!("{shop}{}", self.return_path)),
            ("cancel_url", format!("{shop}{cancel_path}")),
            ("expires_at", self.session_ends_at().and_utc().timestamp().to_string()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }
}

/// What opening a payment's address leads to.
enum Opened {
    /// Stripe's page.
    Page(String),
    /// Back to the shop, which shows how the payment stands.
    Back,
    /// Nobody can pay it any more.
    Ended,
}

/// Leads to Stripe's page of a payment, which it makes when it is opened first.
#[get("/pay/stripe/{public_id}")]
async fn open(
    app: web::Data<App>,
    request: HttpRequest,
    public_id: web::Path<String>,
) -> Result<HttpResponse, AppError> {
    let public_id = public_id.into_inner();
    let id = public_id.clone();
    let charge = app.db.read(move |conn| find(conn, &id)).await?;
    let none = Value::Null;
    let (Some(charge), Some(account)) = (charge, &app.config.stripe) else {
        let text = |key: &str| app.texts.get(language_of(&request), &format!("pay:{key}"), &none);
        let body = pages::notice(&text("unknown"), &text("unknownHint"));
        return Ok(pages::page(StatusCode::NOT_FOUND, language_of(&request), &text("stripe.title"), &body));
    };
    let language = Language::from_choice(&charge.payment.language);
    let text = |key: &str| app.texts.get(language, &format!("pay:{key}"), &none);
    let back = (text("back"), charge.return_path.clone());
    let see_other = |url: &str| Ok(HttpResponse::SeeOther().insert_header((LOCATION, url)).finish());
    match open_session(&app, account, &charge).await {
        Ok(Opened::Page(url)) => see_other(&url),
        Ok(Opened::Back) => see_other(&charge.return_path),
        Ok(Opened::Ended) => {
            let body = pages::notice_with(&text("ended"), &text("endedHint"), &[back]);
            Ok(pages::page(StatusCode::GONE, language, &text("stripe.title"), &body))
        }
        Err(error) => {
            tracing::error!(payment_id = charge.payment.id, %error, "a payment page could not be opened");
            let again = (text("tryAgain"), format!("/pay/stripe/{public_id}"));
            let body = pages::notice_with(&text("stripe.down"), &text("stripe.downHint"), &[again, back]);
            Ok(pages::page(StatusCode::BAD_GATEWAY, language, &text("stripe.title"), &body))
        }
    }
}

async fn open_session(app: &App, account: &StripeAccount, charge: &Charge) -> Result<Opened, AppError> {
    let payment = &charge.payment;
    if payment.state()? != PaymentState::Pending {
        return Ok(Opened::Back);
    }
    let session = match &payment.charge_id {
        Some(id) => session_at(account, id).await.map_err(internal)?,
        None if !charge.can_begin(app.clock.now()) => return Ok(Opened::Ended),
        None => {
            let form = charge.form(app);
            let post = Ask::Post { form: &form, idempotency_key: &payment.public_id };
            let session: Session = ask(account, "/v1/checkout/sessions", post).await.map_err(internal)?;
            let (id, charge_id) = (payment.id, session.id.clone());
            let known = app.db.write(move |conn| payments::note_charge(conn, id, &charge_id)).await?;
            if known.as_deref() != Some(&session.id) {
                return Err(AppError::internal("Stripe made two sessions under one idempotency key"));
            }
            session
        }
    };
    // Paid or expired meanwhile: the screen that shows the payment asks how it stands.
    Ok(session.page().map_or(Opened::Back, |url| Opened::Page(url.to_owned())))
}

/// Leads to Stripe's page for entering a card, which it makes when it is opened first.
#[get("/pay/stripe/card/{public_id}")]
async fn open_card(
    app: web::Data<App>,
    http: HttpRequest,
    public_id: web::Path<String>,
) -> Result<HttpResponse, AppError> {
    let public_id = public_id.into_inner();
    let id = public_id.clone();
    let request = app.db.read(move |conn| cards::by_public_id(conn, &id)).await?;
    let request = request.filter(|request| request.payment_method == PaymentMethod::Stripe.as_str());
    let none = Value::Null;
    let (Some(request), Some(account)) = (request, &app.config.stripe) else {
        let text = |key: &str| app.texts.get(language_of(&http), &format!("pay:{key}"), &none);
        let body = pages::notice(&text("stripe.noCard"), &text("unknownHint"));
        return Ok(pages::page(StatusCode::NOT_FOUND, language_of(&http), &text("stripe.cardTitle"), &body));
    };
    let language = Language::from_choice(&request.language);
    let text = |key: &str| app.texts.get(language, &format!("pay:{key}"), &none);
    let back = (text("back"), request.return_path());
    let see_other = |url: &str| Ok(HttpResponse::SeeOther().insert_header((LOCATION, url)).finish());
    match open_setup(&app, account, &request).await {
        Ok(Opened::Page(url)) => see_other(&url),
        Ok(Opened::Back) => see_other(&request.return_path()),
        Ok(Opened::Ended) => {
            let body = pages::notice_with(&text("stripe.cardEnded"), &text("stripe.cardEndedHint"), &[back]);
            Ok(pages::page(StatusCode::GONE, language, &text("stripe.cardTitle"), &body))
        }
        Err(error) => {
            tracing::error!(card_request_id = request.id, %error, "a page for a card could not be opened");
            let again = (text("tryAgain"), format!("/pay/stripe/card/{public_id}"));
            let body = pages::notice_with(&text("stripe.cardDown"), &text("stripe.cardDownHint"), &[again, back]);
            Ok(pages::page(StatusCode::BAD_GATEWAY, language, &text("stripe.cardTitle"), &body))
        }
    }
}

#[derive(Deserialize)]
struct StripeCustomer {
    id: String,
}

async fn open_setup(app: &App, account: &StripeAccount, request: &CardRequest) -> Result<Opened, AppError> {
    if !request.is_pending() {
        return Ok(Opened::Back);
    }
    let ends_at = request.created_at + LONGEST_SESSION;
    let session = match &request.session_id {
        Some(id) => session_at(account, id).await.map_err(internal)?,
        None if app.clock.now() + SHORTEST_SESSION > ends_at => return Ok(Opened::Ended),
        None => {
            let fields = |pairs: &[(&str, String)]| -> Fields {
                pairs.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
            };
            // A customer of Stripe's for this one card: when it is deleted, the card is gone.
            let form = fields(&[("metadata[shop]", merchant(&app.key))]);
            let key = format!("{}-customer", request.public_id);
            let post = Ask::Post { form: &form, idempotency_key: &key };
            let customer: StripeCustomer = ask(account, "/v1/customers", post).await.map_err(internal)?;
            let shop = &app.config.public_url;
            let form = fields(&[
                ("mode", "setup".to_owned()),
                ("payment_method_types[0]", "card".to_owned()),
                ("customer", customer.id),
                ("client_reference_id", request.public_id.clone()),
                ("metadata[shop]", merchant(&app.key)),
                ("locale", Language::from_choice(&request.language).as_str().to_owned()),
                ("success_url", format!("{shop}{}", request.return_path())),
                ("cancel_url", format!("{shop}/billing/wallet")),
                ("expires_at", ends_at.and_utc().timestamp().to_string()),
            ]);
            let post = Ask::Post { form: &form, idempotency_key: &request.public_id };
            let session: Session = ask(account, "/v1/checkout/sessions", post).await.map_err(internal)?;
            let (id, session_id) = (request.id, session.id.clone());
            let known = app.db.write(move |conn| cards::note_session(conn, id, &session_id)).await?;
            if known.as_deref() != Some(&session.id) {
                return Err(AppError::internal("Stripe made two sessions under one idempotency key"));
            }
            session
        }
    };
    Ok(session.page().map_or(Opened::Back, |url| Opened::Page(url.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(secret: &str, time: i64, body: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key");
        mac.update(format!("{time}.{body}").as_bytes());
        hex::encode(mac.finalize().into_bytes())
    }

    #[test]
    fn a_signature_fits_one_body_one_secret_and_its_time() {
        let good = signature("whsec_a", 1_000, "{}");
        let header = format!("t=1000,v1={good}");
        assert!(is_signed("whsec_a", &header, "{}", 1_000));
        assert!(is_signed("whsec_a", &header, "{}", 1_300) && is_signed("whsec_a", &header, "{}", 700));
        assert!(is_signed("whsec_a", &format!("t=1000,v1={},v1={good},v0=aa", "00".repeat(32)), "{}", 1_000));
        for (header, body, received_at) in [
            (header.as_str(), "{} ", 1_000),
            (&header, "{}", 1_301),
            (&header, "{}", 699),
            (&format!("t=1001,v1={good}"), "{}", 1_000),
            (&format!("v1={good}"), "{}", 1_000),
            (&format!("t=1000,v0={good}"), "{}", 1_000),
            (&format!("t=1000,v1={}", &good[..62]), "{}", 1_000),
            ("t=1000,v1=", "{}", 1_000),
            ("t=-9223372036854775808,v1=00", "{}", 1_000),
            ("", "{}", 1_000),
        ] {
            assert!(!is_signed("whsec_a", header, body, received_at), "{header}");
        }
        assert!(!is_signed("whsec_b", &header, "{}", 1_000));
    }
}
