//! Payment gateways behind one trait. To add one: a folder here that implements `Gateway`, its line in `ALL`, its pages in `pages`, its name in
//! core's `PaymentMethod`, and its settings in `config/gateways.rs`. `payments` processes the callbacks. docs/gateway-of-your-own.md says how one is written.
pub mod btcpay;
pub mod epay;
mod gateway;
mod lead;
pub mod pages;
pub mod sandbox;
mod send;
pub mod stripe;
pub mod transfer;

pub use gateway::{
    Asked, Callbacks, CardOutcome, Cards, Charged, Gateway, KnownRefund, Listed, NewCard, Polled, QueryAnswer, Reading,
    RefundOutcome, RefundRequest, Refunds, Report, Span, StoredCallback, merchant,
};

use crate::config::Config;
use postern_core::language::Language;
use postern_core::money::Currency;
use postern_core::order::PaymentMethod;

const ALL: &[&dyn Gateway] = &[&sandbox::Sandbox, &stripe::Stripe, &transfer::Transfer, &btcpay::Btcpay, &epay::Epay];

/// The gateway of a method; `None` for the wallet.
pub fn of_method(method: PaymentMethod) -> Option<&'static dyn Gateway> {
    ALL.iter().copied().find(|gateway| gateway.method() == method)
}

pub fn named(name: &str) -> Option<&'static dyn Gateway> {
    PaymentMethod::from_wire(name).and_then(of_method)
}

/// Whether customers can pay through this method in this shop. Methods that are not available cannot be chosen.
pub fn is_offered(config: &Config, method: PaymentMethod) -> bool {
    of_method(method).is_none_or(|gateway| gateway.is_offered(config))
}

/// The gateways of this shop.
pub fn offered(config: &Config) -> impl Iterator<Item = &'static dyn Gateway> {
    ALL.iter().copied().filter(|gateway| gateway.is_offered(config))
}

/// The currency that a method charges in this shop; `None` for the shop's.
pub fn currency_of(config: &Config, method: PaymentMethod) -> Option<Currency> {
    of_method(method).and_then(|gateway| gateway.currency(config))
}

/// The gateways of this shop that can save a card.
pub fn saving_cards(config: &Config) -> Vec<PaymentMethod> {
    offered(config).filter(|gateway| gateway.cards().is_some()).map(|gateway| gateway.method()).collect()
}

/// The card support of this method's gateway.
pub fn cards_of(method: PaymentMethod) -> Option<&'static dyn Cards> {
    of_method(method).and_then(Gateway::cards)
}

/// The same, if the gateway is available in this shop.
pub fn offered_cards(config: &Config, method: PaymentMethod) -> Option<&'static dyn Cards> {
    cards_of(method).filter(|_| is_offered(config, method))
}

/// The support for refunds of this method's gateway.
pub fn refunds_of(method: PaymentMethod) -> Option<&'static dyn Refunds> {
    of_method(method).and_then(Gateway::refunds)
}

/// The same, if the gateway is available in this shop.
pub fn offered_refunds(config: &Config, method: PaymentMethod) -> Option<&'static dyn Refunds> {
    refunds_of(method).filter(|_| is_offered(config, method))
}

/// The page on which the customer pays.
pub fn pay_path(method: PaymentMethod, public_id: &str, language: Language) -> Option<String> {
    of_method(method).map(|gateway| gateway.pay_path(public_id, language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_but_the_wallet_has_one_gateway() {
        for method in PaymentMethod::ALL {
            let count = ALL.iter().filter(|gateway| gateway.method() == *method).count();
            assert_eq!(count, usize::from(*method != PaymentMethod::Wallet), "{}", method.as_str());
        }
    }
}
