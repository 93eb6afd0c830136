//! The settings: what is wrong, what differs from the shop's, and what was left as an example has it.
use crate::app::doctor::addresses::{host_of, is_example, is_loopback};
use crate::app::doctor::finding::{Finding, Severity};
use crate::config::{Config, Environment, VARIABLES, named};
use lettre::message::Mailbox;

const SETTINGS: &str = "settings";
const PUBLIC_URL: &str = "public URL";
const EXAMPLES: &str = "example values";

/// A fault for each problem of the settings.
pub fn problems(wrong: &[String]) -> Vec<Finding> {
    if wrong.is_empty() {
        return vec![Finding::ok(SETTINGS, "all settings are valid")];
    }
    wrong.iter().map(|problem| Finding::fault(SETTINGS, problem, remedy_of(problem))).collect()
}

fn remedy_of(problem: &str) -> String {
    match named(problem) {
        Some("POSTERN_STRIPE_SECRET_KEY") => {
            "Set POSTERN_STRIPE_WEBHOOK_SECRET to the signing secret that Stripe shows for its webhook to \
             /gateway/callback/stripe, and POSTERN_STRIPE_SECRET_KEY to the secret key of the same account; or unset both."
                .to_owned()
        }
        Some(name) => {
            let meaning = VARIABLES.iter().find(|variable| variable.0 == name).map_or("", |variable| variable.1);
            format!("Correct {name} ({meaning}) and restart.")
        }
        None => "Correct the settings; README describes each.".to_owned(),
    }
}

/// Where this environment differs from the settings that all servers of the shop share.
pub fn differences(differences: &[String]) -> Vec<Finding> {
    const CHECK: &str = "shared settings";
    if differences.is_empty() {
        return vec![Finding::ok(CHECK, "this environment agrees with the shop's settings")];
    }
    let remedy = |difference: &str| match named(difference) {
        Some("POSTERN_ENV") => {
            "Set POSTERN_ENV to the shop's value, or change the shop's with `postern settings adopt`.".to_owned()
        }
        name => format!(
            "Unset {} to use the shop's value, or change the shop's with `postern settings adopt`, then restart all servers.",
            name.unwrap_or("it")
        ),
    };
    differences.iter().map(|difference| Finding::fault(CHECK, difference, remedy(difference))).collect()
}

/// Whether customers can be sent to the public URL.
pub fn public_url(config: &Config) -> Vec<Finding> {
    let url = &config.public_url;
    let severity = severity_of_url(config.environment, url);
    let remedy = "Set POSTERN_PUBLIC_URL to the https:// address that customers open, with a reverse proxy that has a certificate for it.";
    let found = match severity {
        Severity::Ok => url.clone(),
        Severity::Warning => format!("{url} leads to this machine only: links in mails would not work elsewhere"),
        Severity::Fault => format!("{url} has no TLS: passwords would travel in the clear"),
    };
    vec![Finding::of(severity, PUBLIC_URL, found, remedy)]
}

/// Production needs https://, except for a trial on this machine.
fn severity_of_url(environment: Environment, url: &str) -> Severity {
    match environment {
        Environment::Development => Severity::Ok,
        Environment::Production if is_loopback(&host_of(url)) => Severity::Warning,
        Environment::Production if url.starts_with("https://") => Severity::Ok,
        Environment::Production => Severity::Fault,
    }
}

/// Values that were left as an example has them. In production some hurt: mails to them or from them are lost.
pub fn examples(config: &Config) -> Vec<Finding> {
    let is_production = config.environment == Environment::Production;
    let lost = if is_production { Severity::Fault } else { Severity::Warning };
    let mut found = Vec::new();
    let mut note = |severity, name: &str, value: &str, what: &str| {
        let remedy = format!("Set {name} to {what}.");
        found.push(Finding::of(severity, EXAMPLES, format!("{name} is the example `{value}`"), remedy));
    };
    let domain = |address: &str| address.rsplit_once('@').map(|(_, domain)| domain.to_owned()).unwrap_or_default();
    if is_example(&domain(&config.support_email)) {
        let what = "the address at which customers reach you";
        note(lost, "POSTERN_SUPPORT_EMAIL", &config.support_email, what);
    }
    let sender = config.mail_from.parse::<Mailbox>().map(|sender| sender.email.domain().to_owned());
    if sender.is_ok_and(|domain| is_example(&domain)) {
        let what = "a sender in your domain, such as \"Shop <noreply@your.domain>\"";
        note(lost, "POSTERN_MAIL_FROM", &config.mail_from, what);
    }
    if is_example(&host_of(&config.help_center_url)) {
        let what = "the address of your help pages";
        note(Severity::Warning, "POSTERN_HELP_CENTER_URL", &config.help_center_url, what);
    }
    let has_example_address = !is_loopback(&host_of(&config.public_url)) && is_example(&host_of(&config.public_url));
    if has_example_address {
        note(lost, "POSTERN_PUBLIC_URL", &config.public_url, "the address that customers open");
    }
    if config.shop_name == "Postern" && is_production {
        note(Severity::Warning, "POSTERN_SHOP_NAME", &config.shop_name, "the name of your shop");
    }
    if found.is_empty() {
        found.push(Finding::ok(EXAMPLES, "none are left"));
    }
    found
}

/// What invoices say of the seller.
pub fn seller(config: &Config) -> Vec<Finding> {
    const CHECK: &str = "seller";
    let remedy =
        "Set POSTERN_SELLER_NAME and POSTERN_SELLER_ADDRESS (its lines separated by |): invoices are stored as issued.";
    match (config.environment, config.seller_address.is_empty()) {
        (Environment::Production, true) => {
            vec![Finding::warning(CHECK, "invoices have no address of the seller", remedy)]
        }
        _ => vec![Finding::ok(CHECK, format!("invoices name {}", config.seller_name))],
    }
}

/// Whether the shop can tell customers apart.
pub fn trusted_proxies(config: &Config) -> Vec<Finding> {
    const CHECK: &str = "trusted proxies";
    let is_behind_a_proxy = config.public_url.starts_with("https://") && is_loopback(&config.host);
    if is_behind_a_proxy && config.trusted_proxies.is_empty() {
        return vec![Finding::warning(
            CHECK,
            "the public URL is https and the server listens on loopback, so there is a reverse proxy, but none is trusted: all customers count as one sender",
            "Set POSTERN_TRUSTED_PROXIES to the address of the reverse proxy, such as 127.0.0.1.",
        )];
    }
    vec![Finding::ok(CHECK, counted_networks(config.trusted_proxies.len()))]
}

fn counted_networks(count: usize) -> String {
    if count == 0 { "none are needed".to_owned() } else { format!("{count} set") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn production_needs_tls_unless_it_is_a_trial() {
        use Environment::{Development, Production};
        for (environment, url, severity) in [
            (Production, "https://shop.northlight.io", Severity::Ok),
            (Production, "http://shop.northlight.io", Severity::Fault),
            (Production, "http://127.0.0.1:8080", Severity::Warning),
            (Production, "https://localhost", Severity::Warning),
            (Development, "http://shop.northlight.io", Severity::Ok),
        ] {
            assert_eq!(severity_of_url(environment, url), severity, "{url}");
        }
    }
}
