//! What Stripe took back: refunds and disputes of a payment intent. Their events say only that something changed: what there is, is asked for.
use crate::charges::payments::PaymentRow;
use crate::config::StripeAccount;
use crate::error::AppError;
use crate::gateways::gateway::{Span, merchant};
use crate::gateways::stripe::cards::Intent;
use crate::gateways::stripe::client::{Ask, StripeError, ask, internal};
use crate::gateways::stripe::payments::Session;
use crate::state::App;
use chrono::{DateTime, NaiveDateTime};
use postern_core::money::Money;
use postern_core::payment_return::{ReturnKind, ReturnReport, ReturnState};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;

/// The payment intent of a charge, a refund or a dispute: its id, or all of it.
pub fn intent_of(object: &Value) -> Option<String> {
    let intent = &object["payment_intent"];
    let id = intent.as_str().or_else(|| intent["id"].as_str());
    id.filter(|id| is_id(id)).map(str::to_owned)
}

/// Ids are Stripe's own, so anything else is not part of a path.
pub fn is_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[derive(Deserialize)]
pub struct Refund {
    pub id: String,
    /// In minor units.
    amount: i64,
    currency: String,
    /// `pending`, `requires_action`, `succeeded`, `failed` or `canceled`.
    status: Option<String>,
    reason: Option<String>,
    #[serde(default)]
    metadata: RefundMetadata,
}

/// What a refund of the shop has with it.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RefundMetadata {
    /// The shop's id of it.
    refund: Option<String>,
}

impl Refund {
    pub fn state(&self) -> ReturnState {
        match self.status.as_deref() {
            Some("failed" | "canceled") => ReturnState::Undone,
            Some("succeeded") => ReturnState::Final,
            // The money has left the account when a refund begins.
            _ => ReturnState::Open,
        }
    }

    pub fn amount(&self) -> Money {
        Money::from_minor(self.amount)
    }

    /// Whether it is the refund of the shop with this id.
    pub fn is_of_shop(&self, reference: &str) -> bool {
        self.metadata.refund.as_deref() == Some(reference)
    }

    fn report(self) -> ReturnReport {
        let (state, amount) = (self.state(), self.amount());
        ReturnReport {
            // Of what the shop refunds it has its own id.
            reference: self.metadata.refund.unwrap_or(self.id),
            kind: ReturnKind::Refund,
            state,
            amount,
            currency: self.currency.to_ascii_uppercase(),
            reason: self.reason.unwrap_or_default(),
            due_at: None,
        }
    }
}

#[derive(Deserialize)]
struct Dispute {
    id: String,
    /// In minor units.
    amount: i64,
    currency: String,
    /// `needs_response`, `under_review`, `won`, `lost`; with `warning_` before it, an inquiry, which takes nothing.
    status: String,
    reason: Option<String>,
    evidence_details: Option<EvidenceDetails>,
}

#[derive(Deserialize)]
struct EvidenceDetails {
    /// In seconds since 1970.
    due_by: Option<i64>,
}

impl Dispute {
    fn report(self) -> Option<ReturnReport> {
        let state = match self.status.as_str() {
            "needs_response" | "under_review" => ReturnState::Open,
            "lost" | "charge_refunded" => ReturnState::Final,
            "won" => ReturnState::Undone,
            _ => return None,
        };
        let due_by = self.evidence_details.and_then(|details| details.due_by);
        Some(ReturnReport {
            reference: self.id,
            kind: ReturnKind::Dispute,
            state,
            amount: Money::from_minor(self.amount),
            currency: self.currency.to_ascii_uppercase(),
            reason: self.reason.unwrap_or_default(),
            due_at: due_by.and_then(|seconds| DateTime::from_timestamp(seconds, 0)).map(|at| at.naive_utc()),
        })
    }
}

#[derive(Deserialize)]
struct List<T> {
    data: Vec<T>,
    #[serde(default)]
    has_more: bool,
}

/// All of a list, page by page. `path` has a query.
async fn all<T: DeserializeOwned>(
    account: &StripeAccount,
    path: &str,
    id_of: impl Fn(&T) -> &str,
) -> Result<Vec<T>, StripeError> {
    let mut found = Vec::new();
    loop {
        let after = found.last().map(|last| format!("&starting_after={}", id_of(last))).unwrap_or_default();
        let page: List<T> = ask(account, &format!("{path}&limit=100{after}"), Ask::Get).await?;
        let is_last = !page.has_more || page.data.is_empty();
        found.extend(page.data);
        if is_last {
            return Ok(found);
        }
    }
}

pub async fn refunds_of(account: &StripeAccount, intent: &str) -> Result<Vec<Refund>, StripeError> {
    all(account, &format!("/v1/refunds?payment_intent={intent}"), |one: &Refund| &one.id).await
}

/// What was taken back of an intent's money.
pub async fn of_intent(account: &StripeAccount, intent: &str) -> Result<Vec<ReturnReport>, StripeError> {
    if !is_id(intent) {
        return Ok(Vec::new());
    }
    let refunds = refunds_of(account, intent).await?;
    let disputes = all(account, &format!("/v1/disputes?payment_intent={intent}"), |one: &Dispute| &one.id).await?;
    let refunds = refunds.into_iter().map(Refund::report);
    Ok(refunds.chain(disputes.into_iter().filter_map(Dispute::report)).collect())
}

/// The payment of an intent: that of its session, or of the saved card that was charged.
pub async fn payment_of(app: &App, account: &StripeAccount, intent: &str) -> Result<Option<String>, AppError> {
    let path = format!("/v1/checkout/sessions?payment_intent={intent}&limit=1");
    let sessions: List<Session> = ask(account, &path, Ask::Get).await.map_err(internal)?;
    let shop = merchant(&app.key);
    if let Some(session) = sessions.data.into_iter().next() {
        return Ok(session.client_reference_id.filter(|_| session.metadata.shop.as_deref() == Some(&shop)));
    }
    let intent: Intent = match ask(account, &format!("/v1/payment_intents/{intent}"), Ask::Get).await {
        Ok(intent) => intent,
        Err(StripeError::Refused(refused)) if refused.is_unknown() => return Ok(None),
        Err(trouble) => return Err(internal(trouble)),
    };
    Ok(intent.metadata.payment.filter(|_| intent.metadata.shop.as_deref() == Some(&shop)))
}

/// The payments of this shop of which something was taken back in a span.
pub async fn returned_in(app: &App, account: &StripeAccount, span: Span) -> Result<Vec<String>, AppError> {
    let seconds = |at: NaiveDateTime| at.and_utc().timestamp();
    let span = format!("created%5Bgte%5D={}&created%5Blt%5D={}", seconds(span.from), seconds(span.until));
    let mut intents = BTreeSet::new();
    for list in ["refunds", "disputes"] {
        let path = format!("/v1/{list}?{span}");
        let objects = all(account, &path, |one: &Value| one["id"].as_str().unwrap_or_default()).await;
        intents.extend(objects.map_err(internal)?.iter().filter_map(intent_of));
    }
    let mut payments = Vec::new();
    for intent in intents {
        payments.extend(payment_of(app, account, &intent).await?);
    }
    Ok(payments)
}

/// What was taken back of a payment that has succeeded, through a session or a saved card. A restricted key that may not read refunds or disputes does not
/// keep payments from being settled.
pub async fn of_payment(
    account: &StripeAccount,
    payment: &PaymentRow,
    session: Option<&Session>,
) -> Result<Vec<ReturnReport>, AppError> {
    let intent = match session {
        Some(session) => session.payment_intent.as_deref(),
        None => payment.charge_id.as_deref(),
    };
    let Some(intent) = intent else { return Ok(Vec::new()) };
    match of_intent(account, intent).await {
        Err(StripeError::Refused(refused)) => {
            tracing::error!(payment_id = payment.id, %refused, "Stripe does not say what was taken back of a payment");
            Ok(Vec::new())
        }
        found => found.map_err(internal),
    }
}
