//! Stripe Checkout: card, Alipay and WeChat Pay on Stripe's page, over its HTTP API: forms in, JSON out.
//!
//! The customer opens our own address first. It creates the Checkout Session, outside of any transaction and with the
//! payment's id as the idempotency key, so there is one session per payment however often it is opened.
//!
//! A card is saved by a session in setup mode, for a Stripe customer of its own, which is deleted with the card. It
//! is charged by an off-session payment intent, with the payment's id as the idempotency key.
mod cards;
mod client;
pub mod pages;
mod payments;
mod refunds;
mod returns;
mod signature;

use crate::charges::payments::PaymentRow;
use crate::config::Config;
use crate::gateways::gateway::{
    Asked, Callbacks, Cards, Gateway, Listing, Polled, QueryAnswer, Reading, Refunds, Report, Span, StoredCallback,
    merchant,
};
pub use crate::gateways::stripe::client::Stripe;
use crate::gateways::stripe::client::internal;
use crate::gateways::stripe::payments::{Session, paid_sessions, session_at};
use crate::gateways::stripe::signature::is_signed;
use crate::security::SecretKey;
use crate::state::App;
use chrono::NaiveDateTime;
use postern_core::language::Language;
use postern_core::order::PaymentMethod;
use serde::Deserialize;
use serde_json::Value;

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

    /// A payment whose page has not been opened is still open.
    fn query<'a>(&'a self, app: &'a App, payment: &'a PaymentRow) -> QueryAnswer<'a> {
        Box::pin(async move {
            let (Some(account), Some(id)) = (&app.config.stripe, &payment.charge_id) else { return Ok(None) };
            let (report, session) = if payment.is_automatic() {
                (cards::intent_at(account, id).await.map_err(internal)?.settled(), None)
            } else {
                let session = session_at(account, id).await.map_err(internal)?;
                (session.report(), Some(session))
            };
            let Some(report) = report else { return Ok(None) };
            let returns = match report.succeeded {
                true => returns::of_payment(account, payment, session.as_ref()).await?,
                false => Vec::new(),
            };
            Ok(Some(Polled { report, returns }))
        })
    }

    fn callbacks(&self) -> Callbacks {
        Callbacks::Signed("Stripe-Signature")
    }

    fn is_signed(&self, config: &Config, _: &SecretKey, body: &[u8], signature: &str, at: NaiveDateTime) -> bool {
        let account = config.stripe.as_ref();
        account.is_some_and(|account| is_signed(&account.webhook_secret, signature, body, at.and_utc().timestamp()))
    }

    fn read_callback(&self, config: &Config, key: &SecretKey, callback: &StoredCallback) -> Reading {
        if !self.is_signed(config, key, &callback.body, &callback.signature, callback.received_at) {
            return Reading::Forged;
        }
        let Ok(event) = serde_json::from_slice::<Event>(&callback.body) else { return Reading::Irrelevant };
        let is_returned =
            ["charge.dispute.", "charge.refund", "refund."].iter().any(|name| event.kind.starts_with(name));
        if is_returned {
            return returns::intent_of(&event.data.object).map_or(Reading::Irrelevant, Reading::Source);
        }
        let of_intent = ["payment_intent.succeeded", "payment_intent.payment_failed", "payment_intent.canceled"];
        if of_intent.contains(&event.kind.as_str()) {
            return cards::read_intent(event.data.object, key);
        }
        let succeeded = match event.kind.as_str() {
            "checkout.session.completed" | "checkout.session.async_payment_succeeded" => true,
            "checkout.session.async_payment_failed" | "checkout.session.expired" => false,
            _ => return Reading::Irrelevant,
        };
        let Ok(session) = serde_json::from_value::<Session>(event.data.object) else { return Reading::Irrelevant };
        if session.metadata.shop.as_deref() != Some(&merchant(key)) {
            return Reading::OtherMerchant;
        }
        // Setup sessions are polled instead.
        if session.mode.as_deref() == Some("setup") {
            return Reading::Irrelevant;
        }
        // Completed, but the payment is still processing.
        if succeeded && !session.is_paid() {
            return Reading::Irrelevant;
        }
        let report = session.outcome(succeeded);
        let Some(public_id) = session.client_reference_id else { return Reading::OtherMerchant };
        Reading::Report(Report { public_id, charge_id: Some(session.id), report, returns: Vec::new(), failure: None })
    }

    fn list<'a>(&'a self, app: &'a App, span: Span) -> Option<Listing<'a>> {
        let account = app.config.stripe.as_ref()?;
        Some(Box::pin(paid_sessions(app, account, span)))
    }

    fn payment_of<'a>(&'a self, app: &'a App, source: &'a str) -> Asked<'a, Option<String>> {
        Box::pin(async move {
            match &app.config.stripe {
                Some(account) => returns::payment_of(app, account, source).await,
                None => Ok(None),
            }
        })
    }

    fn list_returned<'a>(&'a self, app: &'a App, span: Span) -> Option<Asked<'a, Vec<String>>> {
        let account = app.config.stripe.as_ref()?;
        Some(Box::pin(returns::returned_in(app, account, span)))
    }

    fn refunds(&self) -> Option<&dyn Refunds> {
        Some(self)
    }

    fn cards(&self) -> Option<&dyn Cards> {
        Some(self)
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
