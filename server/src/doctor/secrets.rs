//! Keeps secrets out of what the doctor prints: a cause of another program, such as a database, may repeat what it was given.
use crate::config::{Config, EpayKeys};
use crate::doctor::finding::Finding;
use std::collections::HashMap;

const WHOLE: [&str; 7] = [
    "POSTERN_SECRET_KEY",
    "POSTERN_STRIPE_SECRET_KEY",
    "POSTERN_STRIPE_WEBHOOK_SECRET",
    "POSTERN_BTCPAY_API_KEY",
    "POSTERN_BTCPAY_WEBHOOK_SECRET",
    "POSTERN_EPAY_KEY",
    "POSTERN_EPAY_PRIVATE_KEY",
];

const WITH_PASSWORD: [&str; 2] = ["DATABASE_URL", "POSTERN_SMTP_URL"];

/// A shorter one would blot out words, and is no secret.
const SHORTEST: usize = 4;

/// The secrets of these settings, as they are written there and as they are used.
pub fn secrets(variables: &HashMap<String, String>) -> Vec<String> {
    let value = |name: &&str| variables.get(*name).map(|text| text.trim().to_owned());
    let mut found: Vec<String> = WHOLE.iter().filter_map(value).collect();
    for url in WITH_PASSWORD.iter().filter_map(value) {
        let Some((_, rest)) = url.split_once("://") else { continue };
        let user = rest.rsplit_once('@').map_or("", |(user, _)| user);
        let of_user = user.split_once(':').map(|(_, password)| password);
        let of_query = rest.split(['?', '&']).find_map(|part| part.strip_prefix("password="));
        for password in of_user.into_iter().chain(of_query) {
            found.extend([password.to_owned(), unescaped(password)]);
        }
    }
    found.retain(|secret| secret.len() >= SHORTEST);
    // A secret that is part of another is covered after it.
    found.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    found.dedup();
    found
}

/// With `%XX` as the bytes that they stand for.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *first == b'%').and_then(|digits| hex::decode(digits).ok());
        match digits {
            Some(byte) => {
                bytes.extend(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The secrets of these settings, of a shop that runs.
pub fn secrets_of(config: &Config) -> Vec<String> {
    let (stripe, btcpay) = (config.stripe.as_ref(), config.btcpay.as_ref());
    let epay_key = config.epay.as_ref().and_then(|account| match &account.keys {
        EpayKeys::Md5(key) => Some(key.clone()),
        EpayKeys::Rsa { .. } => None,
    });
    let values = [
        ("DATABASE_URL", Some(config.database_url.clone())),
        ("POSTERN_SMTP_URL", config.smtp_url.clone()),
        ("POSTERN_STRIPE_SECRET_KEY", stripe.map(|account| account.secret_key.clone())),
        ("POSTERN_STRIPE_WEBHOOK_SECRET", stripe.map(|account| account.webhook_secret.clone())),
        ("POSTERN_BTCPAY_API_KEY", btcpay.map(|store| store.api_key.clone())),
        ("POSTERN_BTCPAY_WEBHOOK_SECRET", btcpay.map(|store| store.webhook_secret.clone())),
        ("POSTERN_EPAY_KEY", epay_key),
    ];
    let given = |(name, value): (&str, Option<String>)| value.map(|value| (name.to_owned(), value));
    secrets(&values.into_iter().filter_map(given).collect())
}

/// Covers these secrets in a finding.
pub fn cover(finding: &mut Finding, secrets: &[String]) {
    for secret in secrets {
        for text in finding.params.values_mut() {
            if text.contains(secret.as_str()) {
                *text = text.replace(secret.as_str(), "…");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postern_core::diagnosis::{Diagnosis, ShopCheck};

    #[test]
    fn passwords_and_keys_are_covered_in_every_spelling() {
        let variables = HashMap::from([
            ("DATABASE_URL".to_owned(), "postgres://ann:hun%21ter2@db/shop?password=s3cret-2".to_owned()),
            ("POSTERN_SMTP_URL".to_owned(), "smtps://ann:p@ssw:rd@mail.example".to_owned()),
            ("POSTERN_STRIPE_SECRET_KEY".to_owned(), " sk_live_1234 ".to_owned()),
            ("POSTERN_SHOP_NAME".to_owned(), "Northlight".to_owned()),
        ]);
        let secrets = secrets(&variables);
        let said = "hun%21ter2 hun!ter2 s3cret-2 p@ssw:rd sk_live_1234 Northlight ann";
        let mut finding = Finding::fault(ShopCheck::MailServer, Diagnosis::MailServerFails).with("Cause", said);
        cover(&mut finding, &secrets);
        assert_eq!(finding.params["Cause"], "… … … … … Northlight ann");
    }
}
