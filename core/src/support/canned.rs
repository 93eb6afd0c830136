//! Canned answers: texts that operators save, with placeholders for the customer's data.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::rule::Rule;
use crate::support::MESSAGE_MAX_LENGTH;
use serde::{Deserialize, Serialize};

pub const MAX_CANNED_ANSWERS: i64 = 100;
pub const TITLE_MAX_LENGTH: usize = 80;

/// A canned answer, as entered by an operator.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct CannedAnswerForm {
    /// One line, shown in the list of answers.
    pub title: String,
    /// May contain `{name}`, `{email}`, `{shop}` and `{operator}`.
    pub text: String,
}

/// The values of the placeholders.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "PascalCase")]
pub struct Placeholders {
    /// The customer's name.
    pub name: String,
    /// The customer's e-mail address.
    pub email: String,
    /// The shop's name.
    pub shop: String,
    /// The operator's name.
    pub operator: String,
}

/// The names of the placeholders.
pub const PLACEHOLDERS: [&str; 4] = ["name", "email", "shop", "operator"];

impl Placeholders {
    fn value(&self, name: &str) -> Option<&str> {
        match name {
            "name" => Some(&self.name),
            "email" => Some(&self.email),
            "shop" => Some(&self.shop),
            "operator" => Some(&self.operator),
            _ => None,
        }
    }
}

/// Whether this is a word, which makes braces around it a placeholder; other braces are literal.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
}

/// Validates title and text, and trims them. An unknown placeholder is an error.
pub fn validate_canned_answer(form: &CannedAnswerForm) -> Result<CannedAnswerForm, FieldErrors> {
    let mut checks = Checks::default();
    let title = checks.required_line("Title", &form.title, TITLE_MAX_LENGTH);
    if form.text.trim().is_empty() {
        checks.broken("Text", Rule::Required, &[]);
    }
    let text = checks.lines("Text", &form.text, MESSAGE_MAX_LENGTH);
    let words = text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(word, _)| word);
    if let Some(unknown) = words.into_iter().find(|word| is_word(word) && !PLACEHOLDERS.contains(word)) {
        checks.broken("Text", Rule::UnknownPlaceholder, &[("Value", format!("{{{unknown}}}"))]);
    }
    checks.finish(CannedAnswerForm { title, text })
}

/// Replaces the placeholders of a text. A placeholder within a value is not replaced.
pub fn fill_canned_answer(text: &str, values: &Placeholders) -> String {
    let mut parts = text.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let found = part.split_once('}').and_then(|(word, rest)| Some((values.value(word)?, rest)));
        match found {
            Some((value, rest)) => {
                filled.push_str(value);
                filled.push_str(rest);
            }
            None => {
                filled.push('{');
                filled.push_str(part);
            }
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    fn form(title: &str, text: &str) -> CannedAnswerForm {
        CannedAnswerForm { title: title.into(), text: text.into() }
    }

    #[test]
    fn a_canned_answer_has_a_title_a_text_and_known_placeholders() {
        let wrong = validate_canned_answer(&form(" ", "")).map_err(rules).map(drop);
        assert_eq!(wrong, Err(vec!["Text:required".into(), "Title:required".into()]));
        let unknown = validate_canned_answer(&form("a", "Dear {name}, {surname}")).map_err(rules).map(drop);
        assert_eq!(unknown, Err(vec!["Text:unknownPlaceholder {surname}".into()]));
        let long = validate_canned_answer(&form(&"t".repeat(81), &"x".repeat(4_001))).map_err(rules).map(drop);
        assert_eq!(long, Err(vec!["Text:maxLength 4000".into(), "Title:maxLength 80".into()]));
        let kept = validate_canned_answer(&form(" Hello ", " Hi {name},\r\n{\"json\": 1} {} { } {name "));
        assert_eq!(kept.map(|kept| kept.text).map_err(rules), Ok("Hi {name},\n{\"json\": 1} {} { } {name".into()));
    }

    #[test]
    fn placeholders_are_replaced_once() {
        let values = Placeholders {
            name: "Ann {shop}".into(),
            email: "ann@example.com".into(),
            shop: "Postern".into(),
            operator: "Bo".into(),
        };
        for (text, expected) in [
            ("", ""),
            ("Hi {name}!", "Hi Ann {shop}!"),
            ("{shop}{operator}", "PosternBo"),
            ("{email", "{email"),
            ("{{name}}", "{Ann {shop}}"),
            ("{other} {}", "{other} {}"),
            ("你好，{name}：", "你好，Ann {shop}："),
        ] {
            assert_eq!(fill_canned_answer(text, &values), expected, "{text}");
        }
    }
}
