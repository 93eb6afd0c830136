//! Payments on Stripe's page: one Checkout Session per payment, created when its address is first opened.
use crate::charges::payments::{self, PaymentRow};
use crate::config::StripeAccount;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::gateways::gateway::merchant;
use crate::gateways::stripe::client::{Ask, Fields, StripeError, ask, internal};
use crate::gateways::stripe::lead::{Opened, TextKeys, lead};
use crate::schema::orders;
use crate::state::App;
use actix_web::{HttpRequest, HttpResponse, get, web};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::money::Money;
use postern_core::order::{GatewayReport, OrderState, PaymentMethod, PaymentState};
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
        GatewayReport {
            succeeded,
            amount: Money::from_minor(self.amount_total.unwrap_or_default()),
            currency: self.currency.clone().unwrap_or_default().to_ascii_uppercase(),
        }
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

/// A payment with what its Checkout Session shows of its order.
struct Charge {
    payment: PaymentRow,
    order_number: String,
    order_state: OrderState,
    order_expires_at: NaiveDateTime,
    return_path: String,
}

fn find(conn: &mut Conn, public_id: &str) -> Result<Option<Charge>, AppError> {
    let payment = payments::by_public_id(conn, public_id)?;
    let Some(payment) = payment.filter(|payment| payment.payment_method == PaymentMethod::Stripe) else {
        return Ok(None);
    };
    let order = orders::table.find(payment.order_id);
    let (order_number, order_state, order_expires_at) =
        order.select((orders::order_number, orders::state, orders::expires_at)).first(conn)?;
    let return_path = payments::return_path(conn, &payment)?;
    Ok(Some(Charge { payment, order_number, order_state, order_expires_at, return_path }))
}

impl Charge {
    /// The expiry of the session: some time after the order's, within Stripe's bounds. Deterministic, as retries
    /// under one idempotency key must be identical.
    fn session_ends_at(&self) -> NaiveDateTime {
        (self.order_expires_at + SHORTEST_SESSION).min(self.payment.created_at + LONGEST_SESSION)
    }

    fn can_begin(&self, now: NaiveDateTime) -> bool {
        let is_open = self.order_state == OrderState::Unpaid && now < self.order_expires_at;
        is_open && now + SHORTEST_SESSION <= self.session_ends_at()
    }

    fn form(&self, app: &App) -> Fields {
        let payment = &self.payment;
        let shop = &app.config.public_url;
        let language = payment.language;
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
            ("line_items[0][price_data][currency]", payment.currency.as_str().to_ascii_lowercase()),
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

const TEXT_KEYS: TextKeys = TextKeys { title: "stripe.title", unknown: "unknown", ended: "ended", down: "stripe.down" };

/// Redirects to the payment's page at Stripe, created when it is first opened.
#[get("/pay/stripe/{public_id}")]
pub async fn open(
    app: web::Data<App>,
    request: HttpRequest,
    public_id: web::Path<String>,
) -> Result<HttpResponse, AppError> {
    let id = public_id.clone();
    let charge = app.db.read(move |conn| find(conn, &id)).await?;
    let (Some(charge), Some(account)) = (charge, &app.config.stripe) else {
        return Ok(TEXT_KEYS.unknown(&app, &request));
    };
    let opened = open_session(&app, account, &charge).await;
    Ok(lead(&app, charge.payment.language, &TEXT_KEYS, opened, request.path(), &charge.return_path))
}

async fn open_session(app: &App, account: &StripeAccount, charge: &Charge) -> Result<Opened, AppError> {
    let payment = &charge.payment;
    if payment.state != PaymentState::Pending {
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
