//! Settings: every environment variable that the server reads. Start-up lists all errors at once.
mod environment;
pub mod folders;
pub mod gateways;
pub mod shared;
mod variables;

use crate::colour::Colour;
use crate::config::folders::Folders;
pub use crate::config::gateways::{BtcpayStore, EpayAccount, EpayKeys, StripeAccount};
use crate::config::shared::Values;
use crate::security::SecretKey;
use ipnet::IpNet;
use lettre::{Address, AsyncSmtpTransport, Tokio1Executor};
use postern_core::constants::API_BASE;
use postern_core::invoice::Party;
use postern_core::payment_return::WhenOwed;
use postern_core::usage::RECORDS_KEPT_DAYS;
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

pub use environment::Environment;
pub use variables::{VARIABLES, named};

/// The port of the server, unless `PORT` says otherwise.
pub const DEFAULT_PORT: u16 = 8080;

#[derive(Clone, Debug)]
pub struct Config {
    pub environment: Environment,
    pub host: String,
    pub port: u16,
    pub database_url: String,
    /// The shop's data folder: its database, its key, its unsent mails.
    pub var_dir: PathBuf,
    pub web_dir: PathBuf,
    pub locales_dir: PathBuf,
    pub fonts_dir: PathBuf,
    /// The public base URL without a trailing slash; links in mails start with it.
    pub public_url: String,
    pub shop_name: String,
    /// One line about the shop, beside the sign-in form. If empty, the front end shows its own.
    pub tagline_en: String,
    pub tagline_zh: String,
    pub logo_file: Option<PathBuf>,
    pub brand_colour: Option<Colour>,
    pub help_center_url: String,
    /// The terms of service, linked on the sign-up form.
    pub terms_url: Option<String>,
    pub support_email: String,
    /// The script of a third-party chat that replaces the built-in one; see docs/support.md.
    pub chat_script_url: Option<reqwest::Url>,
    /// The seller on invoices: name, address lines and tax number.
    pub seller_name: String,
    pub seller_address: Vec<String>,
    pub seller_tax_number: String,
    /// The outgoing mail server: `smtp://…` or `smtps://user:password@host:port`.
    pub smtp_url: Option<String>,
    pub mail_from: String,
    /// Networks whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Open connections per sender: an IPv4 address or an IPv6 /64.
    pub connections_per_sender: u32,
    /// Maximum open connections to the database.
    pub database_pool: u32,
    /// The plain-HTTP URL that proxy tests request; it should answer with the client's address.
    pub check_url: String,
    /// Shared by all servers of a shop; if absent, it is kept in `var_dir`.
    pub secret_key: Option<SecretKey>,
    pub stripe: Option<StripeAccount>,
    pub btcpay: Option<BtcpayStore>,
    pub epay: Option<EpayAccount>,
    /// What happens to the proxies of a customer who owes money.
    pub when_owed: WhenOwed,
    /// Retention of usage records, in days.
    pub usage_days: u32,
    /// Where `/metrics` is served; nowhere if absent.
    pub metrics: Option<SocketAddr>,
    /// A GeoIP database in MaxMind's format.
    pub geoip_file: Option<PathBuf>,
    /// Hosts that webhooks may call outside the public internet; none in production.
    pub webhook_test_hosts: Vec<String>,
    /// The bank details for transfers; may have several lines.
    pub transfer_details: Option<String>,
    /// What the environment sets of the settings that all servers of the shop share.
    pub shared: Values,
}

impl Config {
    pub fn from_env() -> Result<Config, Vec<String>> {
        Config::read(&std::env::vars().collect())
    }

    /// Reads the given variables; an empty one counts as absent, except `DATABASE_URL`, where it is an error.
    pub fn read(variables: &HashMap<String, String>) -> Result<Config, Vec<String>> {
        let (config, wrong) = Config::read_with_problems(variables);
        if wrong.is_empty() { Ok(config) } else { Err(wrong) }
    }

    /// The same with what is wrong, for `postern doctor`: nothing may be opened by settings that are wrong.
    pub fn read_with_problems(variables: &HashMap<String, String>) -> (Config, Vec<String>) {
        let mut wrong = Vec::new();
        let get = |name: &str, fallback: &str| match variables.get(name).map(|text| text.trim()) {
            Some(text) if !text.is_empty() => text.to_owned(),
            _ => fallback.to_owned(),
        };
        let environment = match get("POSTERN_ENV", "development").as_str() {
            "development" => Environment::Development,
            "production" => Environment::Production,
            other => {
                wrong.push(format!("POSTERN_ENV is `{other}`, but must be development or production"));
                Environment::Production
            }
        };
        // Set to nothing by a mistake in a unit file or a container, it would open an empty shop beside the real one.
        if variables.get("DATABASE_URL").is_some_and(|url| url.trim().is_empty()) {
            wrong.push(
                "DATABASE_URL is empty: set it to a database, or unset it for a file in POSTERN_VAR_DIR".to_owned(),
            );
        }
        let mut number = |name: &str, fallback: u32, max: u32| {
            let text = get(name, &fallback.to_string());
            text.parse().ok().filter(|number| (1..=max).contains(number)).unwrap_or_else(|| {
                wrong.push(format!("{name} is `{text}`, but must be a number from 1 to {max}"));
                fallback
            })
        };
        let port = number("PORT", u32::from(DEFAULT_PORT), 65_535) as u16;
        let host = get("POSTERN_HOST", "127.0.0.1");
        let var_dir = PathBuf::from(get("POSTERN_VAR_DIR", "var"));
        let database_url = get("DATABASE_URL", &format!("sqlite:{}", var_dir.join("postern.db").display()));
        let is_postgres = ["postgres://", "postgresql://"].iter().any(|start| database_url.starts_with(start));
        // SQLite reads run on the server's own processors: more connections than can keep those busy only cost memory.
        let processors = std::thread::available_parallelism().map_or(2, |count| count.get() as u32);
        let pool = if is_postgres { 16 } else { (2 * processors).clamp(4, 16) };
        let database_pool = number("POSTERN_DATABASE_POOL", pool, 1_000);
        let usage_days = number("POSTERN_USAGE_DAYS", RECORDS_KEPT_DAYS as u32, 36_500);
        let connections_per_sender = number("POSTERN_CONNECTIONS_PER_SENDER", 256, 4_000);
        if i64::from(usage_days) < RECORDS_KEPT_DAYS {
            wrong.push(format!(
                "POSTERN_USAGE_DAYS is `{usage_days}`, but must be at least {RECORDS_KEPT_DAYS}: for this long, records that are sent again are recognised"
            ));
        }
        let is_file = crate::db::sqlite_path(&database_url).is_some_and(|path| !path.is_empty() && path != ":memory:");
        if !is_postgres && !is_file {
            wrong.push("DATABASE_URL must start with postgres:// or postgresql://, or be sqlite:FILE".to_owned());
        }
        let public_url = get("POSTERN_PUBLIC_URL", &format!("http://{host}:{port}")).trim_end_matches('/').to_owned();
        if !public_url.starts_with("http://") && !public_url.starts_with("https://") {
            wrong.push(format!("POSTERN_PUBLIC_URL is `{public_url}`, but must start with http:// or https://"));
        }
        if environment == Environment::Production && !variables.contains_key("POSTERN_PUBLIC_URL") {
            wrong.push("POSTERN_PUBLIC_URL is required in production: links in mails start with it".to_owned());
        }
        if environment == Environment::Development {
            wrong.extend(is_publicly_reachable(&host, &public_url));
        }
        let mut trusted_proxies = Vec::new();
        for text in get("POSTERN_TRUSTED_PROXIES", "").split(',').map(str::trim).filter(|text| !text.is_empty()) {
            match text.parse::<IpNet>().or_else(|error| text.parse::<IpAddr>().map(IpNet::from).map_err(|_| error)) {
                Ok(network) => trusted_proxies.push(network),
                Err(_) => {
                    wrong.push(format!("POSTERN_TRUSTED_PROXIES has `{text}`, which is not an address or network"))
                }
            }
        }
        let smtp_url = get("POSTERN_SMTP_URL", "");
        let mail_from = get("POSTERN_MAIL_FROM", "Postern <noreply@localhost>");
        if mail_from.parse::<lettre::message::Mailbox>().is_err() {
            wrong.push(format!("POSTERN_MAIL_FROM is `{mail_from}`, which is not a valid sender of mails"));
        }
        // The URL contains a password: keep it out of the message.
        if !smtp_url.is_empty() && AsyncSmtpTransport::<Tokio1Executor>::from_url(&smtp_url).is_err() {
            wrong.push("POSTERN_SMTP_URL is not of the form smtps://user:password@host:port".to_owned());
        }
        let support_email = get("POSTERN_SUPPORT_EMAIL", "support@example.com");
        if support_email.parse::<Address>().is_err() {
            wrong.push(format!("POSTERN_SUPPORT_EMAIL is `{support_email}`, which is not an e-mail address"));
        }
        let help_center_url = get("POSTERN_HELP_CENTER_URL", "https://example.com/faq");
        if !is_web_address(&help_center_url) {
            wrong.push(format!(
                "POSTERN_HELP_CENTER_URL is `{help_center_url}`, but must start with http:// or https://"
            ));
        }
        let terms_url = Some(get("POSTERN_TERMS_URL", "")).filter(|url| !url.is_empty());
        if let Some(url) = terms_url.as_ref().filter(|url| !is_web_address(url)) {
            wrong.push(format!("POSTERN_TERMS_URL is `{url}`, but must start with http:// or https://"));
        }
        let chat_script_url = match get("POSTERN_CHAT_SCRIPT_URL", "") {
            text if text.is_empty() => None,
            text => {
                let is_tried = environment == Environment::Development;
                let is_web = |url: &reqwest::Url| url.scheme() == "https" || (is_tried && url.scheme() == "http");
                let parsed = text.parse().ok().filter(|url| is_web(url) && url.has_host());
                if parsed.is_none() {
                    wrong.push(format!("POSTERN_CHAT_SCRIPT_URL is `{text}`, but must start with https://"));
                }
                parsed
            }
        };
        let check_url = get("POSTERN_CHECK_URL", &own_check_url(&public_url));
        if !check_url.starts_with("http://") {
            wrong.push(format!("POSTERN_CHECK_URL is `{check_url}`, but must start with http://"));
        }
        let secret_key = match get("POSTERN_SECRET_KEY", "") {
            text if text.is_empty() => None,
            text => SecretKey::parse(&text).or_else(|| {
                wrong.push(
                    "POSTERN_SECRET_KEY must be 64 hexadecimal digits, such as from `openssl rand -hex 32`".to_owned(),
                );
                None
            }),
        };
        let shop_name = get("POSTERN_SHOP_NAME", "Postern");
        let tagline_en = get("POSTERN_TAGLINE", "");
        let logo_file = get("POSTERN_LOGO_FILE", "");
        let brand_colour = match get("POSTERN_BRAND_COLOUR", "") {
            text if text.is_empty() => None,
            text => {
                let colour = Colour::parse(&text);
                if colour.is_none() {
                    wrong.push(format!("POSTERN_BRAND_COLOUR is `{text}`, but must be of the form #2457d6"));
                }
                colour
            }
        };
        let mut gateways = gateways::Reader { get: &get, environment, wrong: &mut wrong };
        let (stripe, btcpay, epay) = (gateways.stripe(), gateways.btcpay(), gateways.epay());
        let when_owed = get("POSTERN_WHEN_OWED", WhenOwed::Suspend.as_str());
        let when_owed = WhenOwed::from_wire(&when_owed).unwrap_or_else(|| {
            wrong.push(format!("POSTERN_WHEN_OWED is `{when_owed}`, but must be keep, suspend or end"));
            WhenOwed::Suspend
        });
        let webhook_test_hosts: Vec<String> = get("POSTERN_WEBHOOK_TEST_HOSTS", "")
            .split(',')
            .map(|host| host.trim().to_ascii_lowercase())
            .filter(|host| !host.is_empty())
            .collect();
        if environment == Environment::Production && !webhook_test_hosts.is_empty() {
            wrong.push(
                "POSTERN_WEBHOOK_TEST_HOSTS lets webhooks call private hosts: it is refused in production".to_owned(),
            );
        }
        let metrics = match get("POSTERN_METRICS", "") {
            text if text.is_empty() => None,
            text => {
                let address = text.parse().ok();
                if address.is_none() {
                    wrong.push(format!(
                        "POSTERN_METRICS is `{text}`, but must be an address and a port, such as 127.0.0.1:9464"
                    ));
                }
                address
            }
        };
        let geoip_file = get("POSTERN_GEOIP_FILE", "");
        let folders = Folders::shipped();
        let transfer_details = get("POSTERN_TRANSFER_DETAILS", "").replace("\\n", "\n");
        let config = Config {
            environment,
            host,
            port,
            database_url,
            web_dir: get("POSTERN_WEB_DIR", &folders.web).into(),
            locales_dir: get("POSTERN_LOCALES_DIR", &folders.locales).into(),
            fonts_dir: get("POSTERN_FONTS_DIR", &folders.fonts).into(),
            public_url,
            seller_name: get("POSTERN_SELLER_NAME", &shop_name),
            seller_address: shared::lines(&get("POSTERN_SELLER_ADDRESS", "")),
            seller_tax_number: get("POSTERN_SELLER_TAX_NUMBER", ""),
            shop_name,
            // Without a Chinese tagline, the English one is used for both languages.
            tagline_zh: get("POSTERN_TAGLINE_ZH", &tagline_en),
            tagline_en,
            logo_file: (!logo_file.is_empty()).then(|| logo_file.into()),
            brand_colour,
            help_center_url,
            terms_url,
            support_email,
            chat_script_url,
            smtp_url: (!smtp_url.is_empty()).then_some(smtp_url),
            mail_from,
            trusted_proxies,
            connections_per_sender,
            database_pool,
            check_url,
            secret_key,
            stripe,
            btcpay,
            epay,
            when_owed,
            usage_days,
            metrics,
            geoip_file: (!geoip_file.is_empty()).then(|| geoip_file.into()),
            webhook_test_hosts,
            transfer_details: (!transfer_details.is_empty()).then_some(transfer_details),
            var_dir,
            shared: shared::set_by(variables),
        };
        (config, wrong)
    }

    /// The seller as shown on invoices.
    pub fn seller(&self) -> Party {
        Party {
            name: self.seller_name.clone(),
            address: self.seller_address.clone(),
            country: String::new(),
            tax_number: self.seller_tax_number.clone(),
            email: self.support_email.clone(),
        }
    }

    pub fn is_demo(&self) -> bool {
        self.environment == Environment::Development
    }
}

/// The URL that answers with the address of whoever asks: through a proxy, that is its exit.
pub fn exit_address_url(public_url: &str) -> String {
    format!("{}{API_BASE}/SystemSettings/GetClientIp", public_url.trim_end_matches('/'))
}

/// The shop's own call for proxy tests.
pub fn own_check_url(public_url: &str) -> String {
    exit_address_url(&public_url.replacen("https://", "http://", 1))
}

/// The error if a development shop would be reachable from outside: it has demo accounts, whose passwords are in a file, and a gateway that takes no
/// money.
fn is_publicly_reachable(host: &str, public_url: &str) -> Option<String> {
    let address: Result<IpAddr, _> = host.trim_start_matches('[').trim_end_matches(']').parse();
    let is_loopback = host == "localhost" || address.is_ok_and(|address| address.to_canonical().is_loopback());
    let (name, value) = match (is_loopback, public_url.starts_with("https://")) {
        (false, _) => ("POSTERN_HOST", host),
        (true, true) => ("POSTERN_PUBLIC_URL", public_url),
        (true, false) => return None,
    };
    Some(format!(
        "{name} is `{value}`, which is reachable from outside: set POSTERN_ENV=production, because a development shop has demo accounts and a gateway that takes no money"
    ))
}

fn is_web_address(url: &str) -> bool {
    url.starts_with("http://") || url.starts_with("https://")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Config, Vec<String>> {
        Config::read(&pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn all_errors_are_listed_at_once() {
        let wrong = read(&[
            ("PORT", "0"),
            ("DATABASE_URL", "mysql://x"),
            ("POSTERN_ENV", "prod"),
            ("POSTERN_TRUSTED_PROXIES", "10.0.0.0/8, nonsense"),
            ("POSTERN_SMTP_URL", "user:hunter2@mail.example"),
            ("POSTERN_HELP_CENTER_URL", "example.com/faq"),
            ("POSTERN_TERMS_URL", "javascript:alert(1)"),
            ("POSTERN_CHAT_SCRIPT_URL", "ftp://chat.example/widget.js"),
            ("POSTERN_CHECK_URL", "https://example.com"),
            ("POSTERN_SECRET_KEY", "hunter2"),
            ("POSTERN_STRIPE_SECRET_KEY", "hunter2"),
            ("POSTERN_STRIPE_API_URL", "stripe.example"),
        ]);
        let wrong = wrong.expect_err("a list");
        assert_eq!(wrong.len(), 13, "{wrong:?}");
        assert!(!wrong.concat().contains("hunter2"), "secrets are not repeated");
    }

    #[test]
    fn a_demo_needs_no_settings() {
        let config = read(&[]).expect("a config");
        assert_eq!(
            (config.port, config.is_demo(), config.database_url.as_str()),
            (8080, true, "sqlite:var/postern.db")
        );
    }

    #[test]
    fn a_reachable_shop_requires_production() {
        let production = [("POSTERN_ENV", "production"), ("POSTERN_PUBLIC_URL", "https://shop.example")];
        for host in ["0.0.0.0", "[::]", "::", "192.0.2.7", "shop.example"] {
            let wrong = read(&[("POSTERN_HOST", host)]).expect_err("a list");
            assert_eq!(wrong.len(), 1, "{wrong:?}");
            assert!(wrong[0].contains(host) && wrong[0].contains("set POSTERN_ENV=production"), "{wrong:?}");
            assert!(read(&[&production[..], &[("POSTERN_HOST", host)]].concat()).is_ok(), "{host}");
        }
        for host in ["127.0.0.1", "127.0.0.2", "localhost", "::1", "[::1]", "::ffff:127.0.0.1"] {
            assert!(read(&[("POSTERN_HOST", host)]).is_ok(), "{host}");
        }
        let wrong = read(&[("POSTERN_PUBLIC_URL", "https://shop.example")]).expect_err("a list");
        assert!(wrong.len() == 1 && wrong[0].contains("set POSTERN_ENV=production"), "{wrong:?}");
        assert!(read(&production).is_ok() && read(&[("POSTERN_PUBLIC_URL", "http://127.0.0.1:9000")]).is_ok());
    }

    #[test]
    fn production_refuses_webhook_test_hosts() {
        let hosts = ("POSTERN_WEBHOOK_TEST_HOSTS", " 127.0.0.1, Hooks.test ,");
        let production = [("POSTERN_ENV", "production"), ("POSTERN_PUBLIC_URL", "https://shop.example")];
        assert_eq!(read(&[hosts]).expect("a config").webhook_test_hosts, ["127.0.0.1", "hooks.test"]);
        let wrong = read(&[&production[..], &[hosts]].concat()).expect_err("a list");
        assert!(wrong.len() == 1 && wrong[0].contains("POSTERN_WEBHOOK_TEST_HOSTS"), "{wrong:?}");
    }

    #[test]
    fn an_in_memory_database_is_refused_and_a_file_has_two_spellings() {
        for url in ["sqlite:", "sqlite::memory:", "sqlite://", "postgres:x", "shop.db"] {
            assert!(read(&[("DATABASE_URL", url)]).is_err(), "{url}");
        }
        for empty in ["", " "] {
            let wrong = read(&[("DATABASE_URL", empty)]).expect_err("a list");
            assert!(wrong.len() == 1 && wrong[0].contains("DATABASE_URL is empty"), "{wrong:?}");
        }
        for (url, path) in [("sqlite:var/a.db", "var/a.db"), ("sqlite:///srv/a.db", "/srv/a.db")] {
            assert!(read(&[("DATABASE_URL", url)]).is_ok(), "{url}");
            assert_eq!(crate::db::sqlite_path(url), Some(path));
        }
    }

    #[test]
    fn gateway_keys_are_not_printed_and_line_breaks_are_decoded() {
        let config = read(&[
            ("POSTERN_STRIPE_SECRET_KEY", "sk_test_hunter2"),
            ("POSTERN_STRIPE_WEBHOOK_SECRET", "whsec_hunter2"),
            ("POSTERN_BTCPAY_URL", "https://pay.example/"),
            ("POSTERN_BTCPAY_STORE", "5Xk"),
            ("POSTERN_BTCPAY_API_KEY", "hunter2"),
            ("POSTERN_BTCPAY_WEBHOOK_SECRET", "hunter2"),
            ("POSTERN_EPAY_URL", "https://epay.example"),
            ("POSTERN_EPAY_MERCHANT", "1001"),
            ("POSTERN_EPAY_KEY", "hunter2"),
            ("POSTERN_TRANSFER_DETAILS", "A Bank\\nIBAN 1"),
        ])
        .expect("a config");
        assert!(config.stripe.is_some() && config.btcpay.is_some() && config.epay.is_some());
        assert!(!format!("{config:?}").contains("hunter2"));
        assert_eq!(config.transfer_details.as_deref(), Some("A Bank\nIBAN 1"));
    }

    #[test]
    fn a_brand_is_read_and_an_invalid_colour_is_named() {
        let config = read(&[("POSTERN_BRAND_COLOUR", "#00A651"), ("POSTERN_TAGLINE", "Fast")]).expect("a config");
        assert_eq!(config.brand_colour.map(|colour| colour.to_string()), Some("#00a651".into()));
        assert_eq!((config.tagline_en.as_str(), config.tagline_zh.as_str()), ("Fast", "Fast"));
        let wrong = read(&[("POSTERN_BRAND_COLOUR", "green")]).expect_err("no colour");
        assert!(wrong[0].contains("POSTERN_BRAND_COLOUR is `green`"), "{wrong:?}");
    }

    #[test]
    fn the_example_file_names_every_variable_and_no_other() {
        let example = include_str!("../../.env.example");
        let named: Vec<_> = example
            .lines()
            .filter_map(|line| line.trim_start_matches("# ").split_once('='))
            .map(|pair| pair.0)
            .collect();
        let known: Vec<_> = VARIABLES.iter().map(|variable| variable.0).collect();
        assert_eq!(named, known);
    }

    #[test]
    fn the_documentation_names_every_variable() {
        let page = include_str!("../../docs/settings.md");
        for (name, _) in VARIABLES {
            assert!(page.contains(&format!("`{name}`")), "{name}");
        }
    }
}
