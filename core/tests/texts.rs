//! Every message that core refers to exists in both languages; those given by the specification are verbatim.
use postern_core::code::{NETWORK_ERROR_KEY, REQUEST_FAILED_KEY, UNKNOWN_ERROR_KEY, codes};
use postern_core::rule::Rule;
use serde_json::Value;
use std::collections::BTreeSet;

fn texts(name: &str) -> [Value; 2] {
    ["en", "zh"].map(|language| {
        let path = format!("{}/../locales/{language}/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
    })
}

#[test]
fn every_code_and_every_failure_without_a_code_has_a_message() {
    let keys = codes().into_iter().map(|row| row.message_key);
    let keys: Vec<_> = keys.chain([NETWORK_ERROR_KEY, UNKNOWN_ERROR_KEY, REQUEST_FAILED_KEY]).collect();
    for language in texts("errors") {
        for key in &keys {
            assert!(language[*key].as_str().is_some_and(|text| !text.is_empty()), "{key}");
        }
    }
}

#[test]
fn the_messages_of_the_specification_are_verbatim() {
    let [english, chinese] = texts("errors");
    assert_eq!(chinese[NETWORK_ERROR_KEY], "网络异常!");
    assert_eq!(chinese[UNKNOWN_ERROR_KEY], "未知错误");
    assert_eq!(english[REQUEST_FAILED_KEY], "Request failed, please contact the administrator");
}

/// The placeholders of a message: `At most {{Max}}` has `Max`.
fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split("{{").skip(1).filter_map(|after| after.split("}}").next()).collect()
}

#[test]
fn every_rule_has_a_message_with_its_parameters_and_every_message_a_rule() {
    let rules: BTreeSet<_> = Rule::ALL.iter().map(|rule| rule.as_str()).collect();
    for texts in texts("validation") {
        let texts = texts.as_object().expect("texts");
        assert_eq!(texts.keys().map(String::as_str).collect::<BTreeSet<_>>(), rules);
        for rule in Rule::ALL {
            let text = texts[rule.as_str()].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "{rule}");
            assert_eq!(placeholders(text), rule.params().iter().copied().collect(), "{rule}: {text}");
        }
    }
}

#[test]
fn a_rule_is_serialised_as_its_key() {
    for rule in Rule::ALL {
        assert_eq!(serde_json::to_value(rule).expect("a text"), rule.as_str());
        assert_eq!(serde_json::from_value::<Rule>(rule.as_str().into()).expect("a rule"), *rule);
    }
}

/// Messages in which a number is part of a name, an example, or a fact that none of our constants determines.
const WITH_NUMBERS: &[&str] = &[
    // Test cards and marks of the sandbox.
    "sandbox:",
    // The name of a checksum.
    "payments:callbacks.checksum",
    // Examples of input.
    "validation:amount",
    "validation:time",
    "validation:phone",
    "validation:gigabytes",
    "validation:discount",
    "validation:asn",
    "validation:network",
    "static_residential_proxies:setup.addressHint",
    "proxy_users:addresses.addressHint",
    "account:keys.addressesHint",
    "account:twoFactor.scan",
    // The minimum of anything countable, or 100 % of anything.
    "validation:atLeastOne",
    "validation:idempotencyKey",
    "validation:wholeNumber",
    "validation:wholeNumberOrZero",
    "validation:endpointCount",
    "validation:percent",
    // The definition of a gigabyte.
    "residential_buy:unit",
    "proxy_users:form.limitHint",
    "proxy_servers:advice.bytes",
    // Codes of authenticator apps (RFC 6238): six digits, new every 30 seconds.
    "account:code.hint",
    "account:code.hintRecovery",
    "auth:login.codeHint",
    "common:confirm.hint",
    "errors:twoFactorWrong",
    "validation:twoFactorCode",
    // TCP ports, HTTP statuses, encodings and schemes.
    "webhooks:verify.lead",
    "proxy_servers:form.socks5Hint",
    "proxy_servers:form.socks5Port",
    "generator:settings.noSocks5",
    "static_residential_proxies:panel.copySocks",
    "static_residential_proxies:setup.browserSocks",
    "audit:field.socks5_port",
    "inventory:edit.socks5Port",
    "inventory:import.columnHint.socks5_port",
    "validation:port",
    "validation:endpointPort",
    "validation:endpointScheme",
    "validation:notUtf8",
    "validation:endpointPercent",
    // Examples of input.
    "static_residential_proxies:paste.placeholder",
    // Names of two-factor authentication.
    "search:words.twoFactor",
    // Commands, a status of HTTP and an example of an address.
    "doctor:found.addressUnwritable",
    "doctor:remedies.fileOpen",
    "doctor:remedies.folderOpen",
    "doctor:remedies.trustedProxiesMissing",
];

fn each_text(prefix: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => found.push((prefix.to_owned(), text.clone())),
        Value::Object(inner) => {
            for (key, value) in inner {
                let separator = if prefix.ends_with(':') { "" } else { "." };
                each_text(&format!("{prefix}{separator}{key}"), value, found);
            }
        }
        _ => {}
    }
}

/// The text outside of placeholders.
fn bare(text: &str) -> String {
    text.split("{{").map(|part| part.split_once("}}").map_or(part, |(_, rest)| rest)).collect()
}

#[test]
fn a_number_that_a_rule_determines_is_a_parameter_of_its_message() {
    let mut with_numbers = Vec::new();
    for language in ["en", "zh"] {
        let folder = format!("{}/../locales/{language}", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
            let file: Value = serde_json::from_str(&std::fs::read_to_string(&path).expect("a file")).expect("JSON");
            let mut found = Vec::new();
            each_text(&format!("{name}:"), &file, &mut found);
            let with_number =
                |(_, text): &(String, String)| bare(text).contains(|letter: char| letter.is_ascii_digit());
            with_numbers.extend(found.into_iter().filter(with_number));
        }
    }
    with_numbers.retain(|(key, _)| {
        !WITH_NUMBERS.iter().any(|known| if known.ends_with(':') { key.starts_with(known) } else { key == known })
    });
    assert!(with_numbers.is_empty(), "{with_numbers:#?}");
}
