//! Saved cards at Stripe: a Checkout Session in setup mode enters one, off-session payment intents charge it.
use crate::charges::cards::{self, CardRequest};
use crate::charges::payments::{self, PaymentRow};
use crate::config::StripeAccount;
use crate::error::AppError;
use crate::gateways::gateway::{Asked, CardOutcome, Cards, Charged, NewCard, Reading, Report, merchant};
use crate::gateways::lead::{Opened, TextKeys, lead};
use crate::gateways::stripe::client::Stripe;
use crate::gateways::stripe::client::{Ask, Fields, RefusalError, StripeError, ask, internal};
use crate::gateways::stripe::payments::{LONGEST_SESSION, Metadata, SHORTEST_SESSION, Session, session_at};
use crate::security::SecretKey;
use crate::state::App;
use actix_web::{HttpRequest, HttpResponse, get, web};
use chrono::TimeDelta;
use postern_core::auto_top_up::CardFailure;
use postern_core::language::Language;
use postern_core::money::Money;
use postern_core::order::{GatewayReport, PaymentMethod};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Stripe keeps idempotency keys for at least 24 hours: after that, a retried charge could be a second one.
const KEY_HOURS: i64 = 23;

impl Cards for Stripe {
    fn card_path(&self, public_id: &str, _: Language) -> String {
        format!("/pay/stripe/card/{public_id}")
    }

    /// A request whose page has not been opened is still pending.
    fn card_of<'a>(&'a self, app: &'a App, request: &'a CardRequest) -> Asked<'a, Option<CardOutcome>> {
        Box::pin(async move {
            let (Some(account), Some(session)) = (&app.config.stripe, &request.session_id) else { return Ok(None) };
            let path = format!("/v1/checkout/sessions/{session}?expand%5B%5D=setup_intent.payment_method");
            let session: SetupSession = ask(account, &path, Ask::Get).await.map_err(internal)?;
            session.outcome()
        })
    }

    fn charge<'a>(&'a self, app: &'a App, payment: &'a PaymentRow, reference: &'a str) -> Asked<'a, Option<Charged>> {
        Box::pin(async move {
            let Some(account) = &app.config.stripe else { return Ok(None) };
            let card: CardReference = serde_json::from_str(reference)?;
            let asked = match &payment.charge_id {
                Some(id) => intent_at(account, id).await,
                None if app.clock.now() - payment.created_at >= TimeDelta::hours(KEY_HOURS) => return Ok(None),
                None => {
                    let form = charge_form(app, payment, &card);
                    let post = Ask::Post { form: &form, idempotency_key: &payment.public_id };
                    ask(account, "/v1/payment_intents", post).await
                }
            };
            let intent: Intent = match asked {
                Ok(intent) => intent,
                Err(StripeError::Refused(refusal)) if refusal.is_card_error() => {
                    tracing::warn!(payment_id = payment.id, %refusal, "a saved card was not charged");
                    return Ok(Some(refusal.charged(payment)));
                }
                Err(trouble) => return Err(internal(trouble)),
            };
            if intent.is_processing() {
                let (id, charge_id) = (payment.id, intent.id);
                app.db.write(move |conn| payments::record_charge_id(conn, id, &charge_id)).await?;
                return Ok(None);
            }
            Ok(Some(Charged { failure: intent.failure(), report: intent.report(), charge_id: Some(intent.id) }))
        })
    }

    fn forget<'a>(&'a self, app: &'a App, reference: &'a str) -> Asked<'a, ()> {
        Box::pin(async move {
            let Some(account) = &app.config.stripe else { return Err(AppError::internal("Stripe is not set up")) };
            let card: CardReference = serde_json::from_str(reference)?;
            let deleted = ask::<Value>(account, &format!("/v1/customers/{}", card.customer), Ask::Delete).await;
            match deleted {
                Err(StripeError::Refused(refusal)) if refusal.status == 404 => Ok(()),
                deleted => deleted.map(drop).map_err(internal),
            }
        })
    }
}

/// Stripe's ids of a saved card.
#[derive(Serialize, Deserialize)]
struct CardReference {
    customer: String,
    payment_method: String,
}

/// Deterministic: retries under one idempotency key must be identical.
fn charge_form(app: &App, payment: &PaymentRow, card: &CardReference) -> Fields {
    [
        ("amount", payment.amount_minor.to_string()),
        ("currency", payment.currency.as_str().to_ascii_lowercase()),
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

/// The report of a payment intent event. Intents of Checkout name no payment of ours; their sessions report them.
pub fn read_intent(object: Value, key: &SecretKey) -> Reading {
    let Ok(intent) = serde_json::from_value::<Intent>(object) else { return Reading::Irrelevant };
    let Some(public_id) = intent.metadata.payment.clone() else { return Reading::Irrelevant };
    if intent.metadata.shop.as_deref() != Some(&merchant(key)) {
        return Reading::OtherMerchant;
    }
    if intent.is_processing() {
        return Reading::Irrelevant;
    }
    let (report, failure) = (intent.report(), intent.failure());
    Reading::Report(Report { public_id, charge_id: Some(intent.id), report, returns: Vec::new(), failure })
}

/// A payment intent, with the fields used here.
#[derive(Deserialize)]
pub struct Intent {
    id: String,
    /// `succeeded`, `processing`, or an outcome of failed off-session charges: `requires_payment_method`,
    /// `requires_action`, `canceled`.
    status: String,
    /// In minor units.
    amount: i64,
    currency: String,
    last_payment_error: Option<RefusalError>,
    #[serde(default)]
    pub metadata: Metadata,
}

pub async fn intent_at(account: &StripeAccount, id: &str) -> Result<Intent, StripeError> {
    ask(account, &format!("/v1/payment_intents/{id}"), Ask::Get).await
}

impl Intent {
    /// The report, once its outcome is known.
    pub fn settled(&self) -> Option<GatewayReport> {
        (!self.is_processing()).then(|| self.report())
    }

    fn is_processing(&self) -> bool {
        self.status == "processing"
    }

    fn report(&self) -> GatewayReport {
        let amount = Money::from_minor(self.amount);
        GatewayReport::of(self.status == "succeeded", amount, self.currency.to_ascii_uppercase())
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

/// A setup session, with its current state.
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
        Ok(Some(CardOutcome::Saved(NewCard {
            reference,
            brand: card.brand,
            last_four: card.last4,
            expires_month: card.exp_month,
            expires_year: card.exp_year,
        })))
    }
}

const TEXT_KEYS: TextKeys = TextKeys {
    title: "stripe.cardTitle",
    unknown: "stripe.noCard",
    ended: "stripe.cardEnded",
    down: "stripe.cardDown",
};

/// Redirects to Stripe's page for entering a card, created when it is first opened.
#[get("/pay/stripe/card/{public_id}")]
pub async fn open_card(
    app: web::Data<App>,
    http: HttpRequest,
    public_id: web::Path<String>,
) -> Result<HttpResponse, AppError> {
    let id = public_id.clone();
    let request = app.db.read(move |conn| cards::by_public_id(conn, &id)).await?;
    let request = request.filter(|request| request.payment_method == PaymentMethod::Stripe);
    let (Some(request), Some(account)) = (request, &app.config.stripe) else {
        return Ok(TEXT_KEYS.unknown(&app, &http));
    };
    let opened = open_setup(&app, account, &request).await;
    Ok(lead(&app, request.language, &TEXT_KEYS, opened, http.path(), &request.return_path()))
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
            // One Stripe customer per card: deleting the customer deletes the card.
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
                ("locale", request.language.as_str().to_owned()),
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
