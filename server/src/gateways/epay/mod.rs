//! Chinese wallets (Alipay, WeChat Pay, QQ) through a gateway that speaks EPay, which many do: version 1 signs with MD5, version 2 with RSA.
//!
//! The customer opens our own address first, which shows what is charged, at which rate, and lets them choose a wallet; it leads to the gateway by a
//! signed address. A customer can pay twice there, so each of the gateway's orders is a charge of its own.
mod client;
mod fields;
pub mod page;
mod refunds;
mod signature;

use crate::charges::payments::PaymentRow;
use crate::config::{Config, EpayAccount};
use crate::gateways::epay::fields::{Fields, value};
use crate::gateways::gateway::{
    Callbacks, Gateway, Listed, Listing, Polled, QueryAnswer, Reading, Refunds, Report, Span, StoredCallback, merchant,
};
use crate::security::SecretKey;
use crate::state::App;
use chrono::NaiveDateTime;
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::order::{GatewayReport, PaymentMethod};

pub struct Epay;

/// The report of a paid order of the gateway. An amount that cannot be read is reported as nothing, which is refused, so that an operator looks.
fn report(account: &EpayAccount, fields: &Fields) -> GatewayReport {
    let amount = Money::parse(value(fields, "money")).unwrap_or_default();
    GatewayReport {
        charge: value(fields, "trade_no").to_owned(),
        ..GatewayReport::of(true, amount, account.currency.as_str())
    }
}

/// Whether an order of the account is marked as another shop's. Not every gateway returns the mark.
fn is_of_other_shop(fields: &Fields, key: &SecretKey) -> bool {
    let mark = value(fields, "param");
    !mark.is_empty() && mark != merchant(key)
}

impl Gateway for Epay {
    fn method(&self) -> PaymentMethod {
        PaymentMethod::Epay
    }

    fn is_offered(&self, config: &Config) -> bool {
        config.epay.is_some()
    }

    fn currency(&self, config: &Config) -> Option<Currency> {
        config.epay.as_ref().map(|account| account.currency)
    }

    fn pay_path(&self, public_id: &str, _: Language) -> String {
        format!("/pay/epay/{public_id}")
    }

    /// The gateway knows no refusal: an order there is paid, or not yet.
    fn query<'a>(&'a self, app: &'a App, payment: &'a PaymentRow) -> QueryAnswer<'a> {
        Box::pin(async move {
            let Some(account) = &app.config.epay else { return Ok(None) };
            let order = client::order(account, &payment.public_id, app.clock.now()).await?;
            Ok(order.map(|fields| Polled { report: report(account, &fields), returns: Vec::new() }))
        })
    }

    fn refunds(&self) -> Option<&dyn Refunds> {
        Some(self)
    }

    fn callbacks(&self) -> Callbacks {
        Callbacks::Query
    }

    fn list<'a>(&'a self, app: &'a App, span: Span) -> Option<Listing<'a>> {
        let account = app.config.epay.as_ref()?;
        Some(Box::pin(async move {
            let orders = client::orders(account, span, app.clock.now()).await?;
            let ours = orders.iter().filter(|fields| !is_of_other_shop(fields, &app.key));
            let listed = |fields: &Fields| Listed {
                public_id: value(fields, "out_trade_no").to_owned(),
                charge_id: value(fields, "trade_no").to_owned(),
                is_marked: !value(fields, "param").is_empty(),
                report: report(account, fields),
                returns: Vec::new(),
            };
            Ok(ours.map(listed).collect())
        }))
    }

    fn is_signed(&self, config: &Config, _: &SecretKey, body: &[u8], _: &str, _: NaiveDateTime) -> bool {
        let fields = signature::fields_of(body);
        config.epay.as_ref().zip(fields).is_some_and(|(account, fields)| signature::is_signed(&account.keys, &fields))
    }

    fn read_callback(&self, config: &Config, key: &SecretKey, callback: &StoredCallback) -> Reading {
        if !self.is_signed(config, key, &callback.body, &callback.signature, callback.received_at) {
            return Reading::Forged;
        }
        let Some((account, fields)) = config.epay.as_ref().zip(signature::fields_of(&callback.body)) else {
            return Reading::Forged;
        };
        if value(&fields, "pid") != account.merchant || is_of_other_shop(&fields, key) {
            return Reading::OtherMerchant;
        }
        if value(&fields, "trade_status") != "TRADE_SUCCESS" {
            return Reading::Irrelevant;
        }
        let (public_id, report) = (value(&fields, "out_trade_no").to_owned(), report(account, &fields));
        Reading::Report(Report { public_id, charge_id: None, report, returns: Vec::new(), failure: None })
    }
}
