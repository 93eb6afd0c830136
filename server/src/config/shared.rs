//! The settings that all servers of a shop share (0028); all others are of each process. `settings/join` compares them with the shop's.
use std::collections::{BTreeMap, HashMap};

/// Values by the names of their variables.
pub type Values = BTreeMap<String, String>;

/// Development is where a shop begins, and the default: only production is held on to.
pub const ENVIRONMENT: &str = "POSTERN_ENV";

pub const SHARED: &[&str] = &[
    ENVIRONMENT,
    "POSTERN_PUBLIC_URL",
    "POSTERN_SHOP_NAME",
    "POSTERN_BRAND_COLOUR",
    "POSTERN_TAGLINE",
    "POSTERN_TAGLINE_ZH",
    "POSTERN_HELP_CENTER_URL",
    "POSTERN_TERMS_URL",
    "POSTERN_SUPPORT_EMAIL",
    "POSTERN_CHAT_SCRIPT_URL",
    "POSTERN_SELLER_NAME",
    "POSTERN_SELLER_ADDRESS",
    "POSTERN_SELLER_TAX_NUMBER",
    "POSTERN_MAIL_FROM",
    "POSTERN_USAGE_DAYS",
    "POSTERN_TRANSFER_DETAILS",
    "POSTERN_WHEN_OWED",
];

/// The shared settings that these variables set, in one spelling each.
pub fn set_by(variables: &HashMap<String, String>) -> Values {
    let set = |name: &&str| {
        let value = variables.get(*name)?.trim();
        let value = match *name {
            "POSTERN_SELLER_ADDRESS" => lines(value).join("|"),
            "POSTERN_PUBLIC_URL" => value.trim_end_matches('/').to_owned(),
            ENVIRONMENT if value == "development" => String::new(),
            _ => value.to_owned(),
        };
        (!value.is_empty()).then(|| ((*name).to_owned(), value))
    };
    SHARED.iter().filter_map(set).collect()
}

/// The lines of an address, which `|` separates.
pub fn lines(address: &str) -> Vec<String> {
    address.split('|').map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::VARIABLES;

    /// A new setting is decided here: of the shop (above), or of each process (0028).
    #[test]
    fn every_setting_is_of_the_shop_or_of_each_process() {
        const OF_EACH_PROCESS: &[&str] = &[
            "POSTERN_HOST",
            "PORT",
            "DATABASE_URL",
            "POSTERN_VAR_DIR",
            "POSTERN_WEB_DIR",
            "POSTERN_LOCALES_DIR",
            "POSTERN_FONTS_DIR",
            "POSTERN_LOGO_FILE",
            "POSTERN_SMTP_URL",
            "POSTERN_TRUSTED_PROXIES",
            "POSTERN_CONNECTIONS_PER_SENDER",
            "POSTERN_DATABASE_POOL",
            "POSTERN_CHECK_URL",
            // Checked against the database by itself.
            "POSTERN_SECRET_KEY",
            "POSTERN_STRIPE_SECRET_KEY",
            "POSTERN_STRIPE_WEBHOOK_SECRET",
            "POSTERN_STRIPE_API_URL",
            "POSTERN_BTCPAY_URL",
            "POSTERN_BTCPAY_STORE",
            "POSTERN_BTCPAY_API_KEY",
            "POSTERN_BTCPAY_WEBHOOK_SECRET",
            "POSTERN_EPAY_URL",
            "POSTERN_EPAY_MERCHANT",
            "POSTERN_EPAY_KEY",
            "POSTERN_EPAY_PRIVATE_KEY",
            "POSTERN_EPAY_GATEWAY_KEY",
            "POSTERN_EPAY_METHODS",
            "POSTERN_EPAY_CURRENCY",
            "POSTERN_METRICS",
            "POSTERN_GEOIP_FILE",
            "POSTERN_WEBHOOK_TEST_HOSTS",
        ];
        for (name, _) in VARIABLES {
            let is_shared = SHARED.contains(name);
            assert_ne!(is_shared, OF_EACH_PROCESS.contains(name), "{name} must be in one of both lists");
        }
    }
}
