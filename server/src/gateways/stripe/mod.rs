//! Stripe Checkout: card, Alipay and WeChat Pay on Stripe's page. Its interface is plain HTTP: forms in, JSON out.
//!
//! The customer comes to our own address first. It makes the Checkout Session there, outside of any transaction and under the
//! payment's id as the idempotency key, so that however often it is opened there is one session for a payment.
//!
//! A card is remembered by a session that takes no money, for a Stripe customer of its own, which is deleted when the card is forgotten. It
//! is charged by a payment intent off session, under the payment's id as the idempotency key.
mod cards;
mod client;
mod pages;
mod payments;
mod signature;

use super::{Answer, Cards, Gateway, Reading, Report, merchant};
use crate::config::Config;
use crate::orders::payments::{PaymentRow, StoredCallback};
use crate::security::SecretKey;
use crate::state::App;
use actix_web::web;
use client::internal;
use payments::{Session, session_at};
use postern_core::language::Language;
use postern_core::order::PaymentMethod;
use serde::Deserialize;
use serde_json::Value;
use signature::is_signed;

const SIGNATURE_HEADER: &str = "Stripe-Signature";

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
            return cards::read_intent(event.data.object, key);
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
        config.service(cards::open_card).service(payments::open);
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
