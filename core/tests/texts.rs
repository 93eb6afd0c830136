//! Every text that core names is there, in both languages; those of the specification word by word.
use postern_core::code::{NETWORK_ERROR_KEY, REQUEST_FAILED_KEY, UNKNOWN_ERROR_KEY, codes};
use serde_json::Value;

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

/// The literal keys that core's sources hand to `FieldErrors`: the third word of `broken(…)`, the second of `one(…)` and `add(…)`.
fn rules_in_sources() -> Vec<String> {
    let mut rules = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let source = std::fs::read_to_string(&path).expect("a source");
                let source = source.split("#[cfg(test)]").next().unwrap_or_default();
                for call in ["broken(", "FieldErrors::one(", ".add("] {
                    rules.extend(source.split(call).skip(1).filter_map(rule_of));
                }
            }
        }
    }
    rules
}

/// `"Field", "rule", …` or `&format!(…), "rule", …` gives `rule`; what names its rule by a variable gives nothing.
fn rule_of(arguments: &str) -> Option<String> {
    let end = arguments.find(';').unwrap_or(arguments.len());
    let before_params = arguments[..end].split("&[").next()?;
    let quoted: Vec<_> = before_params.split('"').skip(1).step_by(2).collect();
    quoted
        .last()
        .filter(|rule| rule.starts_with(|first: char| first.is_ascii_lowercase()))
        .map(|rule| (*rule).to_owned())
}

#[test]
fn every_rule_that_a_form_can_break_has_a_text() {
    let rules = rules_in_sources();
    assert!(rules.len() > 60 && rules.iter().any(|rule| rule == "webhookPrivate"), "{rules:?}");
    for language in texts("validation") {
        for rule in &rules {
            assert!(language[rule].as_str().is_some_and(|text| !text.is_empty()), "{rule}");
        }
    }
}
