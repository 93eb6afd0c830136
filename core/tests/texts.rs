//! Every text that core names is there, in both languages; those of the specification word by word.
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
fn every_code_and_every_error_without_one_has_a_text() {
    let keys = codes().into_iter().map(|row| row.message_key);
    let keys: Vec<_> = keys.chain([NETWORK_ERROR_KEY, UNKNOWN_ERROR_KEY, REQUEST_FAILED_KEY]).collect();
    for language in texts("errors") {
        for key in &keys {
            assert!(language[*key].as_str().is_some_and(|text| !text.is_empty()), "{key}");
        }
    }
}

#[test]
fn the_texts_of_the_specification_are_there_to_the_letter() {
    let [english, chinese] = texts("errors");
    assert_eq!(chinese[NETWORK_ERROR_KEY], "网络异常!");
    assert_eq!(chinese[UNKNOWN_ERROR_KEY], "未知错误");
    assert_eq!(english[REQUEST_FAILED_KEY], "Request failed, please contact the administrator");
}

/// The names of a text's placeholders: `At most {{Max}}` has `Max`.
fn placeholders(text: &str) -> BTreeSet<&str> {
    text.split("{{").skip(1).filter_map(|after| after.split("}}").next()).collect()
}

#[test]
fn every_rule_has_a_text_with_its_parameters_and_no_text_is_without_a_rule() {
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
fn a_rule_on_the_wire_is_its_key() {
    for rule in Rule::ALL {
        assert_eq!(serde_json::to_value(rule).expect("a text"), rule.as_str());
        assert_eq!(serde_json::from_value::<Rule>(rule.as_str().into()).expect("a rule"), *rule);
    }
}
