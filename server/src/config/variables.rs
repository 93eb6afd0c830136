//! The names of all settings, with their descriptions.
use std::cmp::Reverse;

/// All variables with their descriptions; `.env.example` is checked against this.
pub const VARIABLES: &[(&str, &str)] = &[
    (
        "POSTERN_ENV",
        "development or production; production refuses demo data and the sandbox gateway, development listens on loopback only",
    ),
    ("POSTERN_HOST", "listen address; a non-loopback one requires POSTERN_ENV=production"),
    ("PORT", "listen port"),
    ("DATABASE_URL", "sqlite:PATH or postgres://…; if unset, a file in POSTERN_VAR_DIR; empty is an error"),
    ("POSTERN_VAR_DIR", "folder for the database, the secret key and unsent mails"),
    ("POSTERN_WEB_DIR", "folder with the built front end"),
    ("POSTERN_LOCALES_DIR", "folder with the texts"),
    ("POSTERN_FONTS_DIR", "folder with the fonts of PDFs"),
    ("POSTERN_PUBLIC_URL", "public base URL; https:// requires POSTERN_ENV=production"),
    ("POSTERN_SHOP_NAME", "the shop's name"),
    (
        "POSTERN_LOGO_FILE",
        "an SVG or PNG file, shown on every screen; one at least twice as wide as high replaces the shop's name; mails and invoices show a PNG only",
    ),
    ("POSTERN_BRAND_COLOUR", "the colour of buttons and links, such as #2457d6"),
    ("POSTERN_TAGLINE", "one line about the shop, beside the sign-in form"),
    ("POSTERN_TAGLINE_ZH", "the same in Chinese; if empty, the English one"),
    ("POSTERN_HELP_CENTER_URL", "URL of the help centre"),
    (
        "POSTERN_TERMS_URL",
        "URL of terms of service that are kept elsewhere, linked on the sign-up form; those published in the browser come first",
    ),
    ("POSTERN_SUPPORT_EMAIL", "e-mail address of customer support"),
    ("POSTERN_CHAT_SCRIPT_URL", "script of a third-party chat; if empty, the built-in chat"),
    ("POSTERN_SELLER_NAME", "the seller's name on invoices; if empty, the shop's name"),
    ("POSTERN_SELLER_ADDRESS", "the seller's address on invoices, its lines separated by |"),
    ("POSTERN_SELLER_TAX_NUMBER", "the seller's tax number on invoices"),
    ("POSTERN_SMTP_URL", "smtps://user:password@host:port; if empty, mails are written to POSTERN_VAR_DIR/mail"),
    ("POSTERN_MAIL_FROM", "the sender of mails"),
    ("POSTERN_TRUSTED_PROXIES", "networks whose X-Forwarded-For is trusted, comma-separated"),
    ("POSTERN_CONNECTIONS_PER_SENDER", "maximum open connections per client address"),
    ("POSTERN_DATABASE_POOL", "size of the database connection pool"),
    ("POSTERN_CHECK_URL", "http://… that proxy tests request; if empty, the shop's GetClientIp"),
    (
        "POSTERN_SECRET_KEY",
        "64 hexadecimal digits, the same for all servers of a shop; if empty, a file in POSTERN_VAR_DIR",
    ),
    ("POSTERN_STRIPE_SECRET_KEY", "secret key of a Stripe account; if empty, Stripe is off"),
    ("POSTERN_STRIPE_WEBHOOK_SECRET", "signing secret of Stripe's webhook to /gateway/callback/stripe"),
    ("POSTERN_STRIPE_API_URL", "Stripe API base URL; change it for tests only"),
    ("POSTERN_BTCPAY_URL", "https://… of a BTCPay Server; if empty, crypto is off"),
    ("POSTERN_BTCPAY_STORE", "id of the store in BTCPay Server"),
    ("POSTERN_BTCPAY_API_KEY", "API key of BTCPay Server, which may create and view invoices of the store"),
    ("POSTERN_BTCPAY_WEBHOOK_SECRET", "secret of the store's webhook to /gateway/callback/btcpay"),
    (
        "POSTERN_WHEN_OWED",
        "what happens to the proxies of a customer who owes, because money was taken back: keep, suspend or end",
    ),
    ("POSTERN_EPAY_URL", "https://… of a gateway that speaks EPay (Alipay, WeChat Pay); if empty, it is off"),
    ("POSTERN_EPAY_MERCHANT", "the account's number at the EPay gateway"),
    ("POSTERN_EPAY_KEY", "key of version 1 of EPay (MD5)"),
    ("POSTERN_EPAY_PRIVATE_KEY", "own private key for version 2 of EPay (RSA), in Base64"),
    ("POSTERN_EPAY_GATEWAY_KEY", "the gateway's public key for version 2 of EPay, in Base64"),
    ("POSTERN_EPAY_METHODS", "what customers pay with at the EPay gateway: alipay, wxpay, qqpay, comma-separated"),
    (
        "POSTERN_EPAY_CURRENCY",
        "currency of the EPay gateway's amounts; if it is not the shop's, set an exchange rate in the browser",
    ),
    ("POSTERN_USAGE_DAYS", "retention of usage records in days, at least 62; charts are kept longer"),
    (
        "POSTERN_METRICS",
        "address and port of /metrics for Prometheus, such as 127.0.0.1:9464; if empty, nothing is counted",
    ),
    (
        "POSTERN_GEOIP_FILE",
        "a .mmdb file of cities or countries, to show the location of sessions; if empty, no locations are shown",
    ),
    (
        "POSTERN_WEBHOOK_TEST_HOSTS",
        "hosts that webhooks may call without TLS and outside the public internet, comma-separated; for tests, refused in production",
    ),
    (
        "POSTERN_TRANSFER_DETAILS",
        "bank details for top-ups by bank transfer, lines separated by \\n; if empty, transfers are off",
    ),
];

/// The setting that a problem names first.
pub fn named(problem: &str) -> Option<&'static str> {
    let names = VARIABLES.iter().filter_map(|(name, _)| Some((problem.find(name)?, name.len(), *name)));
    // Of names that begin alike, the longest one is meant.
    names.min_by_key(|(position, length, _)| (*position, Reverse(*length))).map(|(_, _, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_its_setting() {
        assert_eq!(
            named("POSTERN_STRIPE_SECRET_KEY and POSTERN_STRIPE_WEBHOOK_SECRET"),
            Some("POSTERN_STRIPE_SECRET_KEY")
        );
        assert_eq!(named("POSTERN_TAGLINE_ZH is long"), Some("POSTERN_TAGLINE_ZH"));
        assert_eq!(named("the PORT is `x`"), Some("PORT"));
        assert_eq!(named("nothing"), None);
    }
}
