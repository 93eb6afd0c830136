//! What a shop needs to sell: an operator, prices, something in stock, a way to pay.
use crate::catalogue::catalogue;
use crate::config::{Config, Environment};
use crate::db::Conn;
use crate::demo::data::has_demo_data;
use crate::doctor::finding::{Finding, first_of};
use crate::doctor::queries;
use crate::error::AppError;
use crate::exchange_rates::rows;
use crate::gateways::{currency_of, is_offered};
use crate::system::backups;
use crate::traffic::prices::traffic_catalogue;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::business::BACKUP_DAYS;
use postern_core::diagnosis::{Diagnosis, Severity, ShopCheck};
use postern_core::order::PaymentMethod;
use postern_core::time::to_wire;

/// Whether somebody can run the shop, and is hard to impersonate.
pub fn operators(conn: &mut Conn) -> Result<Vec<Finding>, AppError> {
    let operators = queries::operators(conn)?;
    if operators.is_empty() {
        return Ok(vec![Finding::fault(ShopCheck::Operators, Diagnosis::OperatorMissing)]);
    }
    let without: Vec<String> = operators.iter().filter(|(_, is_on)| !is_on).map(|(email, _)| email.clone()).collect();
    let found = Finding::ok(ShopCheck::Operators, Diagnosis::OperatorsFound).with("Count", operators.len());
    let factors = if without.is_empty() {
        Finding::ok(ShopCheck::SecondFactors, Diagnosis::SecondFactorsOn)
    } else {
        let off = Finding::warning(ShopCheck::SecondFactors, Diagnosis::SecondFactorsOff);
        off.with("Names", first_of(&without, 3))
    };
    Ok(vec![found, factors])
}

/// Whether anything has a price, and is there.
pub fn sold(conn: &mut Conn) -> Result<Vec<Finding>, AppError> {
    let (tiers, offers) = (catalogue(conn)?.tiers_sold(), traffic_catalogue(conn)?.offers.len());
    let nodes = queries::nodes_for_sale(conn)?;
    let residential = queries::residential_servers(conn)?;
    let prices = if tiers + offers == 0 {
        Finding::fault(ShopCheck::Prices, Diagnosis::NothingOnSale)
    } else {
        Finding::ok(ShopCheck::Prices, Diagnosis::OnSale).with("Tiers", tiers).with("Periods", offers)
    };
    let stock = if offers > 0 && residential == 0 && nodes > 0 {
        Finding::warning(ShopCheck::Stock, Diagnosis::ResidentialServerMissing)
    } else if nodes == 0 && residential == 0 {
        Finding::warning(ShopCheck::Stock, Diagnosis::StockEmpty)
    } else {
        Finding::ok(ShopCheck::Stock, Diagnosis::StockFound).with("Nodes", nodes).with("Servers", residential)
    };
    Ok(vec![prices, stock])
}

/// Whether customers can pay, with real money.
pub fn payments(config: &Config) -> Vec<Finding> {
    const CHECK: ShopCheck = ShopCheck::Payments;
    let methods = PaymentMethod::ALL.iter().filter(|method| **method != PaymentMethod::Wallet);
    let offered: Vec<&str> =
        methods.filter(|method| is_offered(config, **method)).map(|method| method.as_str()).collect();
    let is_production = config.environment == Environment::Production;
    let mut found = Vec::new();
    if offered.is_empty() {
        found.push(Finding::fault(CHECK, Diagnosis::PaymentMissing));
    }
    if is_production && is_offered(config, PaymentMethod::Sandbox) {
        found.push(Finding::fault(CHECK, Diagnosis::SandboxInProduction));
    }
    if let Some(stripe) = config.stripe.as_ref().filter(|_| is_production) {
        if is_for_tests(&stripe.secret_key) {
            found.push(Finding::fault(CHECK, Diagnosis::StripeInTestMode));
        }
        if stripe.api_url != "https://api.stripe.com" {
            found.push(Finding::warning(CHECK, Diagnosis::StripeElsewhere).with("Url", &stripe.api_url));
        }
    }
    if found.is_empty() {
        found.push(Finding::ok(CHECK, Diagnosis::PaymentsOffered).with("Methods", offered.join(", ")));
    }
    found
}

/// Whether there is a rate for each currency that a gateway charges besides the shop's: without one, customers are not offered it.
pub fn exchange_rates(conn: &mut Conn, config: &Config, now: NaiveDateTime) -> Result<Vec<Finding>, AppError> {
    let own = catalogue(conn)?.currency;
    let mut found = Vec::new();
    for method in PaymentMethod::ALL.iter().copied().filter(|method| is_offered(config, *method)) {
        let Some(currency) = currency_of(config, method).filter(|currency| *currency != own) else { continue };
        if rows::usable(conn, currency, now)?.is_none() {
            let missing = Finding::fault(ShopCheck::Payments, Diagnosis::ExchangeRateMissing);
            found.push(missing.with("Currency", currency.as_str()).with("Methods", method.as_str()));
        }
    }
    Ok(found)
}

/// Whether a key of Stripe is one of its test mode.
fn is_for_tests(key: &str) -> bool {
    key.starts_with("sk_test_") || key.starts_with("rk_test_")
}

/// Whether what happens to this machine could be undone.
pub fn backups(conn: &mut Conn, config: &Config, now: NaiveDateTime) -> Result<Vec<Finding>, AppError> {
    const CHECK: ShopCheck = ShopCheck::Backups;
    let severity = if config.environment == Environment::Production { Severity::Warning } else { Severity::Ok };
    Ok(vec![match backups::last(conn)? {
        Some(at) if now - at <= TimeDelta::days(BACKUP_DAYS) => {
            Finding::ok(CHECK, Diagnosis::BackupRecent).with("Began", to_wire(at))
        }
        Some(at) => Finding::of(severity, CHECK, Diagnosis::BackupOld).with("Began", to_wire(at)),
        None => Finding::of(severity, CHECK, Diagnosis::BackupMissing),
    }])
}

/// Demo accounts, whose passwords are in a file.
pub fn demo_data(conn: &mut Conn, config: &Config) -> Result<Vec<Finding>, AppError> {
    const CHECK: ShopCheck = ShopCheck::DemoData;
    Ok(match (has_demo_data(conn)?, config.environment) {
        (true, Environment::Production) => vec![Finding::fault(CHECK, Diagnosis::DemoInProduction)],
        (true, Environment::Development) => vec![Finding::ok(CHECK, Diagnosis::DemoShop)],
        (false, _) => Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stripes_test_keys_are_known() {
        assert!(is_for_tests("sk_test_1") && is_for_tests("rk_test_1"));
        assert!(!is_for_tests("sk_live_1") && !is_for_tests("rk_live_test_"));
    }
}
