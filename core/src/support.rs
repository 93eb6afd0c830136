//! Support chat: messages.
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::rule::Rule;

pub const MESSAGE_MAX_LENGTH: usize = 4_000;

/// A chat message: multi-line text, with line ends as `\n`.
pub fn validate_message(text: &str) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    if text.trim().is_empty() {
        checks.broken("Text", Rule::Required, &[]);
    }
    let text = checks.lines("Text", text, MESSAGE_MAX_LENGTH);
    checks.finish(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    #[test]
    fn a_message_has_text_and_no_invisible_marks() {
        assert_eq!(validate_message(" \n ").map_err(rules), Err(vec!["Text:required".into()]));
        assert_eq!(validate_message(&"m".repeat(4_001)).map_err(rules), Err(vec!["Text:maxLength 4000".into()]));
        assert_eq!(validate_message("a\u{202e}b").map_err(rules), Err(vec!["Text:invisibleCharacters".into()]));
        assert_eq!(validate_message("a\u{0}b").map_err(rules), Err(vec!["Text:invisibleCharacters".into()]));
        assert_eq!(validate_message(" 你好\r\n\tthere 👩‍💻 ").map_err(rules), Ok("你好\n\tthere 👩‍💻".into()));
        assert_eq!(validate_message(&"密".repeat(4_000)).map(|text| text.chars().count()), Ok(4_000));
    }
}
