//! The settings: what is wrong, what differs from the shop's, and what was left as an example has it.
use crate::config::{Config, Environment, VARIABLES, named};
use crate::doctor::addresses::{host_of, is_example, is_loopback};
use crate::doctor::finding::Finding;
use lettre::message::Mailbox;
use postern_core::diagnosis::{Diagnosis, Severity, ShopCheck};

/// A fault for each problem of the settings.
pub fn problems(wrong: &[String]) -> Vec<Finding> {
    if wrong.is_empty() {
        return vec![Finding::ok(ShopCheck::Settings, Diagnosis::SettingsValid)];
    }
    wrong.iter().map(|problem| of_problem(problem)).collect()
}

fn of_problem(problem: &str) -> Finding {
    let fault = |diagnosis| Finding::fault(ShopCheck::Settings, diagnosis).with("Problem", problem);
    match named(problem) {
        Some("POSTERN_STRIPE_SECRET_KEY") => fault(Diagnosis::StripeHalfSet),
        Some(name) => {
            let meaning = VARIABLES.iter().find(|variable| variable.0 == name).map_or("", |variable| variable.1);
            fault(Diagnosis::SettingWrong).with("Name", name).with("Meaning", meaning)
        }
        None => fault(Diagnosis::SettingUnclear),
    }
}

/// Where this environment differs from the settings that all servers of the shop share.
pub fn differences(differences: &[String]) -> Vec<Finding> {
    const CHECK: ShopCheck = ShopCheck::SharedSettings;
    if differences.is_empty() {
        return vec![Finding::ok(CHECK, Diagnosis::SettingsAgree)];
    }
    let fault = |difference: &String| match named(difference) {
        Some("POSTERN_ENV") => Finding::fault(CHECK, Diagnosis::EnvironmentDiffers).with("Problem", difference),
        name => {
            let fault = Finding::fault(CHECK, Diagnosis::SettingDiffers).with("Problem", difference);
            fault.with("Name", name.unwrap_or("it"))
        }
    };
    differences.iter().map(fault).collect()
}

/// Whether customers can be sent to the public URL.
pub fn public_url(config: &Config) -> Vec<Finding> {
    let severity = severity_of_url(config.environment, &config.public_url);
    let diagnosis = match severity {
        Severity::Ok => Diagnosis::PublicUrlFine,
        Severity::Warning => Diagnosis::PublicUrlLocal,
        Severity::Fault => Diagnosis::PublicUrlPlain,
    };
    vec![Finding::of(severity, ShopCheck::PublicUrl, diagnosis).with("Url", &config.public_url)]
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
    const CHECK: ShopCheck = ShopCheck::ExampleValues;
    let is_production = config.environment == Environment::Production;
    let lost = if is_production { Severity::Fault } else { Severity::Warning };
    let mut found = Vec::new();
    let mut note = |severity, name: &str, value: &str| {
        let left = Finding::of(severity, CHECK, Diagnosis::ExampleLeft);
        found.push(left.with("Name", name).with("Value", value));
    };
    let domain = |address: &str| address.rsplit_once('@').map(|(_, domain)| domain.to_owned()).unwrap_or_default();
    if is_example(&domain(&config.support_email)) {
        note(lost, "POSTERN_SUPPORT_EMAIL", &config.support_email);
    }
    let sender = config.mail_from.parse::<Mailbox>().map(|sender| sender.email.domain().to_owned());
    if sender.is_ok_and(|domain| is_example(&domain)) {
        note(lost, "POSTERN_MAIL_FROM", &config.mail_from);
    }
    if is_example(&host_of(&config.help_center_url)) {
        note(Severity::Warning, "POSTERN_HELP_CENTER_URL", &config.help_center_url);
    }
    let has_example_address = !is_loopback(&host_of(&config.public_url)) && is_example(&host_of(&config.public_url));
    if has_example_address {
        note(lost, "POSTERN_PUBLIC_URL", &config.public_url);
    }
    if config.shop_name == "Postern" && is_production {
        note(Severity::Warning, "POSTERN_SHOP_NAME", &config.shop_name);
    }
    if found.is_empty() {
        found.push(Finding::ok(CHECK, Diagnosis::NoExamples));
    }
    found
}

/// What invoices say of the seller.
pub fn seller(config: &Config) -> Vec<Finding> {
    const CHECK: ShopCheck = ShopCheck::Seller;
    vec![match (config.environment, config.seller_address.is_empty()) {
        (Environment::Production, true) => Finding::warning(CHECK, Diagnosis::SellerWithoutAddress),
        _ => Finding::ok(CHECK, Diagnosis::SellerNamed).with("Name", &config.seller_name),
    }]
}

/// Whether the shop can tell customers apart.
pub fn trusted_proxies(config: &Config) -> Vec<Finding> {
    const CHECK: ShopCheck = ShopCheck::TrustedProxies;
    let is_behind_a_proxy = config.public_url.starts_with("https://") && is_loopback(&config.host);
    vec![match config.trusted_proxies.len() {
        0 if is_behind_a_proxy => Finding::warning(CHECK, Diagnosis::TrustedProxiesMissing),
        0 => Finding::ok(CHECK, Diagnosis::TrustedProxiesUnneeded),
        count => Finding::ok(CHECK, Diagnosis::TrustedProxiesSet).with("Count", count),
    }]
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
