//! Payments on Stripe's page: one Checkout Session per payment, created when its address is first opened.
use crate::charges::checkout::{self, Checkout};
use crate::charges::payments;
use crate::config::StripeAccount;
use crate::error::AppError;
use crate::gateways::gateway::{Listed, Span, merchant};
use crate::gateways::lead::{Opened, TextKeys, lead};
use crate::gateways::stripe::client::{Ask, Fields, StripeError, ask, internal};
use crate::state::App;
use actix_web::{HttpRequest, HttpResponse, get, web};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::money::Money;
use postern_core::order::{GatewayReport, PaymentMethod};
use serde::Deserialize;
use serde_json::json;

/// Stripe keeps a session open for 30 minutes to 24 hours after its creation. One minute allows for clock skew.
pub const SHORTEST_SESSION: TimeDelta = TimeDelta::minutes(31);

pub const LONGEST_SESSION: TimeDelta = TimeDelta::minutes(24 * 60 - 1);

/// A Checkout Session, with the fields used here.
#[derive(Deserialize)]
pub struct Session {
    pub id: String,
    /// `payment`, or `setup` for saving a card.
    pub mode: Option<String>,
    /// The page on which the customer pays, while it is open.
    url: Option<String>,
    /// `open`, `complete` or `expired`.
    status: Option<String>,
    /// `paid`, `unpaid` or `no_payment_required`.
    payment_status: String,
    pub client_reference_id: Option<String>,
    /// The payment intent that took the money.
    pub payment_intent: Option<String>,
    /// In minor units.
    amount_total: Option<i64>,
    currency: Option<String>,
    #[serde(default)]
    pub metadata: Metadata,
}

#[derive(Default, Deserialize)]
pub struct Metadata {
    pub shop: Option<String>,
    /// The id of our payment, on off-session charges.
    pub payment: Option<String>,
}

impl Session {
    pub fn is_paid(&self) -> bool {
        self.payment_status == "paid"
    }

    /// The page on which the customer pays, if they still can.
    pub fn page(&self) -> Option<&str> {
        self.url.as_deref().filter(|_| self.status.as_deref() == Some("open"))
    }

    pub fn outcome(&self, succeeded: bool) -> GatewayReport {
        let amount = Money::from_minor(self.amount_total.unwrap_or_default());
        GatewayReport::of(succeeded, amount, self.currency.as_deref().unwrap_or_default().to_ascii_uppercase())
    }

    pub fn report(&self) -> Option<GatewayReport> {
        if self.is_paid() {
            return Some(self.outcome(true));
        }
        (self.status.as_deref() == Some("expired")).then(|| self.outcome(false))
    }
}

pub async fn session_at(account: &StripeAccount, id: &str) -> Result<Session, StripeError> {
    ask(account, &format!("/v1/checkout/sessions/{id}"), Ask::Get).await
}

/// A page of a list.
#[derive(Deserialize)]
struct Sessions {
    data: Vec<Session>,
    has_more: bool,
}

/// The sessions of this shop that began in a span and have been paid.
pub async fn paid_sessions(app: &App, account: &StripeAccount, span: Span) -> Result<Vec<Listed>, AppError> {
    let seconds = |at: NaiveDateTime| at.and_utc().timestamp();
    let (from, until) = (seconds(span.from), seconds(span.until));
    let shop = merchant(&app.key);
    let (mut listed, mut after) = (Vec::new(), String::new());
    loop {
        let path = format!("/v1/checkout/sessions?limit=100&created%5Bgte%5D={from}&created%5Blt%5D={until}{after}");
        let page: Sessions = ask(account, &path, Ask::Get).await.map_err(internal)?;
        let last = page.data.last().map(|session| session.id.clone());
        let is_ours = |session: &Session| session.metadata.shop.as_deref() == Some(&shop) && session.is_paid();
        for session in page.data.into_iter().filter(is_ours) {
            let report = session.outcome(true);
            if let Some(public_id) = session.client_reference_id {
                listed.push(Listed { public_id, charge_id: session.id, is_marked: true, report, returns: Vec::new() });
            }
        }
        match last.filter(|_| page.has_more) {
            Some(last) => after = format!("&starting_after={last}"),
            None => return Ok(listed),
        }
    }
}

/// The expiry of the session: some time after the order's, within Stripe's bounds. Deterministic, as retries under one idempotency key must be
/// identical.
fn session_ends_at(checkout: &Checkout) -> NaiveDateTime {
    (checkout.order_expires_at + SHORTEST_SESSION).min(checkout.payment.created_at + LONGEST_SESSION)
}

fn form(app: &App, checkout: &Checkout) -> Fields {
    let payment = &checkout.payment;
    let shop = &app.config.public_url;
    let language = payment.language;
    let words = json!({ "Shop": app.config.shop_name, "OrderNumber": checkout.order_number });
    [
        ("mode", "payment".to_owned()),
        ("payment_method_types[0]", "card".to_owned()),
        ("payment_method_types[1]", "alipay".to_owned()),
        ("payment_method_types[2]", "wechat_pay".to_owned()),
        ("payment_method_options[wechat_pay][client]", "web".to_owned()),
        ("client_reference_id", payment.public_id.clone()),
        ("metadata[shop]", merchant(&app.key)),
        ("line_items[0][quantity]", "1".to_owned()),
        ("line_items[0][price_data][currency]", payment.currency.as_str().to_ascii_lowercase()),
        ("line_items[0][price_data][unit_amount]", payment.amount_minor.to_string()),
        ("line_items[0][price_data][product_data][name]", app.texts.get(language, "pay:item", &words)),
        ("locale", language.as_str().to_owned()),
        ("success_url", format!("{shop}{}", checkout.return_path)),
        ("cancel_url", format!("{shop}{}", checkout.cancel_path())),
        ("expires_at", session_ends_at(checkout).and_utc().timestamp().to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

const TEXT_KEYS: TextKeys = TextKeys { title: "stripe.title", unknown: "unknown", ended: "ended", down: "stripe.down" };

/// Redirects to the payment's page at Stripe, created when it is first opened.
#[get("/pay/stripe/{public_id}")]
pub async fn open(
    app: web::Data<App>,
    request: HttpRequest,
    public_id: web::Path<String>,
) -> Result<HttpResponse, AppError> {
    let id = public_id.clone();
    let found = app.db.read(move |conn| checkout::find(conn, &id, PaymentMethod::Stripe)).await?;
    let (Some(found), Some(account)) = (found, &app.config.stripe) else {
        return Ok(TEXT_KEYS.unknown(&app, &request));
    };
    let opened = open_session(&app, account, &found).await;
    Ok(lead(&app, found.payment.language, &TEXT_KEYS, opened, request.path(), &found.return_path))
}

async fn open_session(app: &App, account: &StripeAccount, checkout: &Checkout) -> Result<Opened, AppError> {
    let payment = &checkout.payment;
    if !checkout.is_pending() {
        return Ok(Opened::Back);
    }
    let now = app.clock.now();
    let can_begin = checkout.is_open(now) && now + SHORTEST_SESSION <= session_ends_at(checkout);
    let session = match &payment.charge_id {
        Some(id) => session_at(account, id).await.map_err(internal)?,
        None if !can_begin => return Ok(Opened::Ended),
        None => {
            let form = form(app, checkout);
            let post = Ask::Post { form: &form, idempotency_key: &payment.public_id };
            let session: Session = ask(account, "/v1/checkout/sessions", post).await.map_err(internal)?;
            let (id, charge_id) = (payment.id, session.id.clone());
            let known = app.db.write(move |conn| payments::record_charge_id(conn, id, &charge_id)).await?;
            if known.as_deref() != Some(&session.id) {
                return Err(AppError::internal("Stripe made two sessions under one idempotency key"));
            }
            session
        }
    };
    // Paid or expired meanwhile: the screen that shows the payment polls its state.
    Ok(session.page().map_or(Opened::Back, |url| Opened::Page(url.to_owned())))
}
