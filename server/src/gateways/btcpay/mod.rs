//! Crypto through a BTCPay Server of the seller, over its Greenfield API (version 1).
//!
//! The customer opens our own address first, which creates an invoice in the shop's currency and shows its QR code, how much is due in crypto, and how
//! much time is left. Webhooks say only that something happened to an invoice: what has arrived is asked for.
mod client;
mod invoice;
pub mod page;
mod pull_payment;
mod refunds;

use crate::charges::payments::PaymentRow;
use crate::config::{BtcpayStore, Config};
use crate::error::AppError;
use crate::gateways::btcpay::client::{Client, PAGE};
use crate::gateways::btcpay::invoice::Metadata;
use crate::gateways::gateway::{
    Callbacks, Gateway, Listed, Listing, Polled, QueryAnswer, Reading, Refunds, Span, StoredCallback, merchant,
};
use crate::security::SecretKey;
use crate::state::App;
use chrono::NaiveDateTime;
use hmac::{Hmac, KeyInit as _, Mac};
use postern_core::language::Language;
use postern_core::order::PaymentMethod;
use serde::Deserialize;
use sha2::Sha256;

pub struct Btcpay;

impl Gateway for Btcpay {
    fn method(&self) -> PaymentMethod {
        PaymentMethod::Btcpay
    }

    fn is_offered(&self, config: &Config) -> bool {
        config.btcpay.is_some()
    }

    fn pay_path(&self, public_id: &str, _: Language) -> String {
        format!("/pay/btcpay/{public_id}")
    }

    /// A payment whose page has not been opened is still open.
    fn query<'a>(&'a self, app: &'a App, payment: &'a PaymentRow) -> QueryAnswer<'a> {
        Box::pin(async move {
            let (Some(store), Some(id)) = (&app.config.btcpay, &payment.charge_id) else { return Ok(None) };
            let client = Client::of(store)?;
            let invoice = client.invoice(id).await?;
            if invoice.is_open() {
                return Ok(None);
            }
            Ok(invoice.polled(&client.methods(id).await?))
        })
    }

    fn callbacks(&self) -> Callbacks {
        Callbacks::Signed("BTCPay-Sig")
    }

    fn refunds(&self) -> Option<&dyn Refunds> {
        Some(self)
    }

    fn list<'a>(&'a self, app: &'a App, span: Span) -> Option<Listing<'a>> {
        let store = app.config.btcpay.as_ref()?;
        Some(Box::pin(paid(app, store, span)))
    }

    /// `sha256=` and the HMAC of the bytes of the body, in hexadecimal.
    fn is_signed(&self, config: &Config, _: &SecretKey, body: &[u8], signature: &str, _: NaiveDateTime) -> bool {
        let Some(store) = &config.btcpay else { return false };
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(store.webhook_secret.as_bytes()) else { return false };
        mac.update(body);
        let signature = signature.trim().strip_prefix("sha256=").and_then(|hex| hex::decode(hex).ok());
        // Constant-time comparison.
        signature.is_some_and(|bytes| mac.verify_slice(&bytes).is_ok())
    }

    fn read_callback(&self, config: &Config, key: &SecretKey, callback: &StoredCallback) -> Reading {
        if !self.is_signed(config, key, &callback.body, &callback.signature, callback.received_at) {
            return Reading::Forged;
        }
        let Ok(event) = serde_json::from_slice::<Event>(&callback.body) else { return Reading::Irrelevant };
        // Before that, nothing has arrived for certain.
        let says_more = ["InvoicePaymentSettled", "InvoiceSettled", "InvoiceExpired", "InvoiceInvalid"];
        if !says_more.contains(&event.kind.as_str()) {
            return Reading::Irrelevant;
        }
        let is_our_store = config.btcpay.as_ref().is_some_and(|store| store.store == event.store_id);
        let Metadata { shop, order_id } = event.metadata.unwrap_or_default();
        match order_id {
            Some(id) if is_our_store && shop.as_deref() == Some(&merchant(key)) => Reading::Poll(id),
            _ => Reading::OtherMerchant,
        }
    }
}

/// Those of this shop among the invoices of a span. An invoice says by itself what has arrived only if that is what was due.
async fn paid(app: &App, store: &BtcpayStore, span: Span) -> Result<Vec<Listed>, AppError> {
    let (client, shop) = (Client::of(store)?, merchant(&app.key));
    let (mut listed, mut read) = (Vec::new(), 0);
    loop {
        let page = client.created(span, read).await?;
        read += page.len();
        let is_last = page.len() < PAGE;
        for invoice in page {
            let Some(public_id) = invoice.payment_of(&shop).filter(|_| !invoice.is_open()) else { continue };
            let methods = if invoice.is_exact() { Vec::new() } else { client.methods(&invoice.id).await? };
            if let Some(Polled { report, returns }) = invoice.polled(&methods) {
                let (public_id, charge_id) = (public_id.to_owned(), invoice.id);
                listed.push(Listed { public_id, charge_id, is_marked: true, report, returns });
            }
        }
        if is_last {
            return Ok(listed);
        }
    }
}

/// A webhook's event, with the fields used here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    store_id: String,
    metadata: Option<Metadata>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// The key, the data and the digest are those of RFC 4231, test case 2.
    #[test]
    fn a_signature_is_the_hmac_of_the_bytes() {
        let settings = [
            ("POSTERN_BTCPAY_URL", "https://pay.example"),
            ("POSTERN_BTCPAY_STORE", "store"),
            ("POSTERN_BTCPAY_API_KEY", "key"),
            ("POSTERN_BTCPAY_WEBHOOK_SECRET", "Jefe"),
        ];
        let variables: HashMap<_, _> = settings.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
        let (config, key) = (Config::read(&variables).expect("a config"), SecretKey::of([7; 32]));
        let is_signed = |body: &str, signature: &str| {
            Btcpay.is_signed(&config, &key, body.as_bytes(), signature, NaiveDateTime::default())
        };
        let body = "what do ya want for nothing?";
        let digest = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert!(
            is_signed(body, &format!("sha256={digest}"))
                && is_signed(body, &format!(" sha256={}", digest.to_uppercase()))
        );
        for (body, signature) in [
            (body, digest.to_owned()),
            (body, format!("sha1={digest}")),
            (body, format!("sha256={}", &digest[2..])),
            (body, "sha256=".to_owned()),
            (body, String::new()),
            ("what do ya want for nothing? ", format!("sha256={digest}")),
        ] {
            assert!(!is_signed(body, &signature), "{signature}");
        }
    }
}
