//! Use cases: what customers choose proxies for, as the seller names them. Each node is good for some of them.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::rule::Rule;
use serde::{Deserialize, Serialize};

/// The maximum number of use cases of a shop.
pub const MAX_USE_CASES: u32 = 100;

const KEY_MAX_LENGTH: usize = 40;
const NAME_MAX_LENGTH: usize = 60;

/// The form of a use case.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct UseCaseForm {
    /// The name in files and calls: lower-case letters, digits and hyphens, beginning with a letter.
    pub target: String,
    /// The name that readers of English see.
    pub name_en: String,
    /// The name that readers of Chinese see; empty for the English one.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub name_zh: String,
    /// What programs group use cases by, written like `Target`; may be empty.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub category: String,
    /// The place in lists, from 1; empty for the last one, or for the place that it has.
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub position: String,
}

/// A validated use case.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UseCase {
    pub target: String,
    pub name_en: String,
    pub name_zh: String,
    pub category: String,
    pub position: Option<u32>,
}

/// Validates the form of a use case.
pub fn validate_use_case(form: &UseCaseForm) -> Result<UseCase, FieldErrors> {
    let mut checks = Checks::default();
    let target = checks.required_line("Target", &form.target, KEY_MAX_LENGTH);
    if !target.is_empty() && !is_key(&target) {
        checks.broken("Target", Rule::UseCaseKey, &[]);
    }
    let name_en = checks.required_line("NameEn", &form.name_en, NAME_MAX_LENGTH);
    let name_zh = checks.line("NameZh", &form.name_zh, NAME_MAX_LENGTH);
    let category = checks.line("Category", &form.category, KEY_MAX_LENGTH);
    if !category.is_empty() && !is_key(&category) {
        checks.broken("Category", Rule::UseCaseKey, &[]);
    }
    let is_placed = !form.position.trim().is_empty();
    let position = is_placed.then(|| checks.count("Position", &form.position, MAX_USE_CASES)).flatten();
    let name_zh = if name_zh.is_empty() { name_en.clone() } else { name_zh };
    checks.finish(UseCase { target, name_en, name_zh, category, position })
}

/// Whether a text can name a use case in a file, where spaces and punctuation separate names.
fn is_key(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rule_keys;

    fn form(target: &str, name_en: &str) -> UseCaseForm {
        UseCaseForm { target: target.to_owned(), name_en: name_en.to_owned(), ..UseCaseForm::default() }
    }

    #[test]
    fn a_use_case_has_a_key_and_an_english_name() {
        let kept = validate_use_case(&form(" price-monitoring2 ", " Price monitoring ")).expect("a use case");
        assert_eq!(kept.target, "price-monitoring2");
        assert_eq!((kept.name_en.as_str(), kept.name_zh.as_str()), ("Price monitoring", "Price monitoring"));
        assert_eq!((kept.category.as_str(), kept.position), ("", None));
        let placed = UseCaseForm { name_zh: "价格".into(), position: " 3 ".into(), ..form("a", "A") };
        let placed = validate_use_case(&placed).expect("a use case");
        assert_eq!((placed.name_zh.as_str(), placed.position), ("价格", Some(3)));
    }

    #[test]
    fn a_key_is_one_word_of_a_file() {
        for key in ["Shops", "2shops", "-shops", "shops games", "shops,games", "商店", "shops_a", "a|b"] {
            let broken = validate_use_case(&form(key, "Shops")).expect_err("a key that is none");
            assert_eq!(rule_keys(broken), ["Target:useCaseKey"], "{key}");
        }
    }

    #[test]
    fn every_wrong_field_is_named() {
        let wrong = UseCaseForm {
            target: String::new(),
            name_en: " ".into(),
            name_zh: "x".repeat(61),
            category: "a b".into(),
            position: "0".into(),
        };
        let broken = rule_keys(validate_use_case(&wrong).expect_err("errors"));
        assert_eq!(
            broken,
            ["Category:useCaseKey", "NameEn:required", "NameZh:maxLength", "Position:wholeNumber", "Target:required"]
        );
    }
}
