//! Stripe Checkout: card, Alipay and WeChat Pay on Stripe's page. Its interface is plain HTTP: forms in, JSON out.
//!
//! The customer comes to our own address first. It makes the Checkout Session there, outside of any transaction and under the
//! payment's id as the idempotency key, so that however often it is opened there is one session for a payment.
use super::{Answer, Gateway, Reading, Report, merchant};
use crate::answer::language_of;
use crate::config::{Config, StripeAccount};
use crate::db::Conn;
use crate::error::AppError;
use crate::orders::payments::{self, PaymentRow, StoredCallback};
use crate::schema::orders;
use crate::security::SecretKey;
use crate::state::App;
use crate::{pages, tls};
use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, get, web};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use hmac::{Hmac, KeyInit as _, Mac};
use postern_core::language::Language;
use postern_core::money::Money;
use postern_core::order::{GatewayReport, OrderState, PaymentMethod, PaymentState};
use serde::Deserialize;
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
            let session = session_at(account, session).await.map_err(|trouble| AppError::Internal(trouble.into()))?;
            Ok(session.report())
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
        let succeeded = match event.kind.as_str() {
            "checkout.session.completed" | "checkout.session.async_payment_succeeded" => true,
            "checkout.session.async_payment_failed" | "checkout.session.expired" => false,
            _ => return Reading::NoInterest,
        };
        let Ok(session) = serde_json::from_value::<Session>(event.data.object) else { return Reading::NoInterest };
        if session.metadata.shop.as_deref() != Some(&merchant(key)) {
            return Reading::OtherMerchant;
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
        config.service(open);
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
    Refused { status: u16, kind: String, message: String },
    Unreadable(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Unreachable(cause) => write!(formatter, "Stripe could not be reached: {cause}"),
            Trouble::Refused { status, kind, message } => {
                write!(formatter, "Stripe refused with {status} {kind}: {message}")
            }
            Trouble::Unreadable(cause) => write!(formatter, "Stripe's answer could not be read: {cause}"),
        }
    }
}

impl std::error::Error for Trouble {}

#[derive(Default, Deserialize)]
struct Refusal {
    #[serde(default)]
    error: RefusalError,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RefusalError {
    #[serde(rename = "type")]
    kind: String,
    message: String,
}

type Fields = Vec<(String, String)>;

/// What is sent: a form under an idempotency key, or a question.
enum Ask<'a> {
    Post { form: &'a Fields, idempotency_key: &'a str },
    Get,
}

/// Asks Stripe. What is worth another attempt (too many requests, another one under the same key just under way, trouble over there, no
/// connection) is tried again.
async fn ask(account: &StripeAccount, path: &str, what: Ask<'_>) -> Result<Session, Trouble> {
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
                    let RefusalError { kind, message } =
                        serde_json::from_slice::<Refusal>(&body).unwrap_or_default().error;
                    // Should it ever repeat the key that it was sent, the log does not.
                    let message = message.replace(&account.secret_key, "…");
                    return Err(Trouble::Refused { status, kind, message });
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
    let trouble = |trouble: Trouble| AppError::Internal(trouble.into());
    let payment = &charge.payment;
    if payment.state()? != PaymentState::Pending {
        return Ok(Opened::Back);
    }
    let session = match &payment.charge_id {
        Some(id) => session_at(account, id).await.map_err(trouble)?,
        None if !charge.can_begin(app.clock.now()) => return Ok(Opened::Ended),
        None => {
            let form = charge.form(app);
            let post = Ask::Post { form: &form, idempotency_key: &payment.public_id };
            let session = ask(account, "/v1/checkout/sessions", post).await.map_err(trouble)?;
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
