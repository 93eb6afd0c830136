//! What a shop needs to sell: an operator, prices, something in stock, a way to pay.
use crate::app::doctor::finding::{Finding, Severity, counted, first_of};
use crate::app::doctor::queries;
use crate::catalogue::catalogue;
use crate::config::{Config, Environment};
use crate::db::Conn;
use crate::demo::data::has_demo_data;
use crate::error::AppError;
use crate::gateways::is_offered;
use crate::system::backups;
use crate::traffic::prices::traffic_catalogue;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::business::BACKUP_DAYS;
use postern_core::order::PaymentMethod;
use postern_core::time::to_wire;

/// Whether somebody can run the shop, and is hard to impersonate.
pub fn operators(conn: &mut Conn) -> Result<Vec<Finding>, AppError> {
    let operators = queries::operators(conn)?;
    if operators.is_empty() {
        let remedy = "Run `postern account level ADDRESS operator` for a user who has signed up, or `postern init --operator ADDRESS`.";
        return Ok(vec![Finding::fault("operators", "no account is an operator", remedy)]);
    }
    let without: Vec<String> = operators.iter().filter(|(_, is_on)| !is_on).map(|(email, _)| email.clone()).collect();
    let mut found = vec![Finding::ok("operators", counted(operators.len(), "user"))];
    found.push(if without.is_empty() {
        Finding::ok("second factors", "every operator has one")
    } else {
        let remedy = "Each of them turns on two-factor authentication on the screen Security of the account.";
        Finding::warning("second factors", format!("off for {}", first_of(&without, 3)), remedy)
    });
    Ok(found)
}

/// Whether anything has a price, and is there.
pub fn sold(conn: &mut Conn) -> Result<Vec<Finding>, AppError> {
    let (tiers, offers) = (catalogue(conn)?.tiers_sold(), traffic_catalogue(conn)?.offers.len());
    let nodes = queries::nodes_for_sale(conn)?;
    let residential = queries::residential_servers(conn)?;
    let prices = if tiers + offers == 0 {
        let remedy = "Choose them on the screen Prices, or run `postern prices sell-tier VERSTR` for static proxies, `postern prices set-traffic PERIOD FROM_GB PRICE` for traffic.";
        Finding::fault("prices", "nothing is on sale", remedy)
    } else {
        let offers = counted(offers, "period");
        Finding::ok("prices", format!("{} of static proxies, {offers} of traffic", counted(tiers, "tier")))
    };
    let no_server = offers > 0 && residential == 0 && nodes > 0;
    let stock = if no_server {
        let remedy = "Run `postern proxy-server add NAME --kind residential --host HOST --http-port PORT`, or use the screen Proxy servers.";
        Finding::warning(
            "stock",
            "traffic has prices, but there is no residential proxy server: it cannot be ordered",
            remedy,
        )
    } else if nodes == 0 && residential == 0 {
        let remedy = "Run `postern inventory import FILE` for static proxies, or `postern proxy-server add NAME --kind residential --host HOST --http-port PORT` for traffic.";
        Finding::warning("stock", "no node is for sale, and no residential proxy server is registered", remedy)
    } else {
        Finding::ok("stock", format!("{nodes} nodes for sale, {}", counted(residential as usize, "residential server")))
    };
    Ok(vec![prices, stock])
}

/// Whether customers can pay, with real money.
pub fn payments(config: &Config) -> Vec<Finding> {
    const CHECK: &str = "payments";
    let methods = PaymentMethod::ALL.iter().filter(|method| **method != PaymentMethod::Wallet);
    let offered: Vec<String> =
        methods.filter(|method| is_offered(config, **method)).map(|method| method.as_str().to_owned()).collect();
    let is_production = config.environment == Environment::Production;
    let mut found = Vec::new();
    if offered.is_empty() {
        let remedy = "Set POSTERN_STRIPE_SECRET_KEY and POSTERN_STRIPE_WEBHOOK_SECRET, or POSTERN_TRANSFER_DETAILS for bank transfers.";
        found.push(Finding::fault(CHECK, "there is no way to pay", remedy));
    }
    if is_production && is_offered(config, PaymentMethod::Sandbox) {
        found.push(Finding::fault(CHECK, "the sandbox takes no money", "Set POSTERN_ENV=production and restart."));
    }
    if let Some(stripe) = config.stripe.as_ref().filter(|_| is_production) {
        if is_for_tests(&stripe.secret_key) {
            let remedy = "Set POSTERN_STRIPE_SECRET_KEY to the live key, and POSTERN_STRIPE_WEBHOOK_SECRET to that of the live webhook.";
            found.push(Finding::fault(CHECK, "Stripe is in test mode, which takes no money", remedy));
        }
        if stripe.api_url != "https://api.stripe.com" {
            let remedy = "Unset POSTERN_STRIPE_API_URL: it is for tests.";
            found.push(Finding::warning(CHECK, format!("Stripe is asked at {}", stripe.api_url), remedy));
        }
    }
    if found.is_empty() {
        found.push(Finding::ok(CHECK, format!("by {}", offered.join(", "))));
    }
    found
}

/// Whether a key of Stripe is one of its test mode.
fn is_for_tests(key: &str) -> bool {
    key.starts_with("sk_test_") || key.starts_with("rk_test_")
}

/// Whether what happens to this machine could be undone.
pub fn backups(conn: &mut Conn, config: &Config, now: NaiveDateTime) -> Result<Vec<Finding>, AppError> {
    const CHECK: &str = "backups";
    let found = match backups::last(conn)? {
        Some(at) if now - at <= TimeDelta::days(BACKUP_DAYS) => {
            return Ok(vec![Finding::ok(CHECK, format!("the last one is of {} UTC", to_wire(at)))]);
        }
        Some(at) => format!("the last one is of {} UTC", to_wire(at)),
        None => "there is none".to_owned(),
    };
    let severity = if config.environment == Environment::Production { Severity::Warning } else { Severity::Ok };
    let remedy = "Run `postern backup FOLDER` every night, and keep copies on another machine: see docs/backups.md.";
    Ok(vec![Finding::of(severity, CHECK, found, remedy)])
}

/// Demo accounts, whose passwords are in a file.
pub fn demo_data(conn: &mut Conn, config: &Config) -> Result<Vec<Finding>, AppError> {
    const CHECK: &str = "demo data";
    Ok(match (has_demo_data(conn)?, config.environment) {
        (true, Environment::Production) => {
            let remedy =
                "Set DATABASE_URL or POSTERN_VAR_DIR to a database without demo data: production refuses this one.";
            vec![Finding::fault(CHECK, "the database has demo accounts, whose passwords are in a file", remedy)]
        }
        (true, Environment::Development) => vec![Finding::ok(CHECK, "this is a demo shop")],
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
