//! The Stripe API client: forms in, JSON out.
use crate::charges::payments::PaymentRow;
use crate::config::StripeAccount;
use crate::error::AppError;
use crate::gateways::gateway::Charged;
use crate::gateways::send::send;
use crate::tls;
use postern_core::auto_top_up::CardFailure;
use postern_core::money::Money;
use postern_core::order::{GatewayReport, PaymentMethod};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::time::Duration;

/// The gateway; its account settings are in `config.rs`.
pub struct Stripe;

/// The Stripe API version that this is written for.
const VERSION: &str = "2024-06-20";

const LONGEST: Duration = Duration::from_secs(10);

/// Attempts per request before the customer sees an error; the idempotency key makes retries safe.
const ATTEMPTS: u32 = 3;

const PAUSE: Duration = Duration::from_millis(300);

/// The longest `Retry-After` that is honoured while a customer waits.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A failed Stripe request. Contains no key and no customer data.
#[derive(Debug)]
pub enum StripeError {
    Unreachable(String),
    Refused(Refused),
    Unreadable(String),
}

impl fmt::Display for StripeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StripeError::Unreachable(cause) => write!(formatter, "Stripe could not be reached: {cause}"),
            StripeError::Refused(refused) => write!(formatter, "{refused}"),
            StripeError::Unreadable(cause) => write!(formatter, "Stripe's answer could not be read: {cause}"),
        }
    }
}

impl std::error::Error for StripeError {}

/// A refusal by Stripe, with its reasons.
#[derive(Debug)]
pub struct Refused {
    pub status: u16,
    error: RefusalError,
}

pub fn internal(trouble: StripeError) -> AppError {
    AppError::Internal(trouble.into())
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refused { status, error: RefusalError { kind, code, message, .. } } = self;
        let code = code.as_deref().unwrap_or_default();
        write!(formatter, "Stripe refused with {status} {kind} {code}: {message}")
    }
}

impl Refused {
    /// Whether Stripe does not know what was asked for.
    pub fn is_unknown(&self) -> bool {
        matches!(self.status, 400 | 404) && self.error.kind == "invalid_request_error"
    }

    /// Whether asking again would be in vain. A wrong key or a missing permission can be mended.
    pub fn is_final(&self) -> bool {
        matches!(self.status, 400 | 402 | 404) && self.error.code.as_deref() != Some("balance_insufficient")
    }

    pub fn message(&self) -> &str {
        &self.error.message
    }

    /// Whether the card itself was refused. Any other error may be transient.
    pub fn is_card_error(&self) -> bool {
        self.status == 402 || self.is_unknown()
    }

    pub fn charged(self, payment: &PaymentRow) -> Charged {
        let amount = Money::from_minor(payment.amount_minor);
        let report = GatewayReport::of(false, amount, payment.currency.as_str());
        let failure = if self.status == 402 { self.error.failure() } else { CardFailure::CardGone };
        Charged { charge_id: self.error.payment_intent.map(|intent| intent.id), report, failure: Some(failure) }
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
pub struct RefusalError {
    #[serde(rename = "type")]
    kind: String,
    message: String,
    /// For example `card_declined`, `expired_card` or `authentication_required`.
    code: Option<String>,
    /// The bank's decline code, if any.
    decline_code: Option<String>,
    /// The id of the refused payment intent.
    payment_intent: Option<RefusedIntent>,
}

#[derive(Debug, Deserialize)]
struct RefusedIntent {
    id: String,
}

impl RefusalError {
    pub fn failure(&self) -> CardFailure {
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

pub type Fields = Vec<(String, String)>;

/// A request: a form under an idempotency key, or a query.
pub enum Ask<'a> {
    Post { form: &'a Fields, idempotency_key: &'a str },
    Get,
    Delete,
}

/// Sends a request. Retryable errors (rate limit, a concurrent request with the same key, server errors, no
/// connection) are retried.
pub async fn ask<T: DeserializeOwned>(account: &StripeAccount, path: &str, what: Ask<'_>) -> Result<T, StripeError> {
    let unreachable = |error: reqwest::Error| StripeError::Unreachable(error.without_url().to_string());
    let client = tls::client(LONGEST).map_err(|error| StripeError::Unreachable(error.to_string()))?;
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
        let request = request.bearer_auth(&account.secret_key).header("Stripe-Version", VERSION);
        let sent = send(PaymentMethod::Stripe, request).await;
        let is_last = attempt == ATTEMPTS;
        let mut pause = PAUSE * 2_u32.pow(attempt - 1);
        match sent {
            Ok(response) if response.status().is_success() => {
                let body = response.bytes().await.map_err(unreachable)?;
                return serde_json::from_slice(&body).map_err(|error| StripeError::Unreadable(error.to_string()));
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
                    // Stripe might echo our key; keep it out of the log.
                    error.message = error.message.replace(&account.secret_key, "…");
                    return Err(StripeError::Refused(Refused { status, error }));
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
