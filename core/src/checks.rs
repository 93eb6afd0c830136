//! Checks for form fields. Every check returns the cleaned values (trimmed, in the form in which they are stored) or the broken rules of
//! each field, by the field's name on the wire; the rules are keys of `locales/{language}/validation.json`. Forms are sent as typed, so
//! their fields are strings.

use crate::field_errors::FieldErrors;
use crate::money::Money;
use crate::rule::Rule;

/// Collects the broken rules of a form.
#[derive(Default)]
pub struct Checks(pub FieldErrors);

impl Checks {
    pub fn broken(&mut self, field: &str, rule: Rule, params: &[(&str, String)]) {
        self.0.add(field, rule, params);
    }

    /// One line of text, trimmed: at most `max` characters, no invisible ones, and no replacement character, which is what a character cut
    /// in half becomes. May be empty.
    pub fn line(&mut self, field: &str, text: &str, max: usize) -> String {
        let text = text.trim();
        if text.chars().count() > max {
            self.broken(field, Rule::MaxLength, &[("Max", max.to_string())]);
        } else if text.chars().any(is_cut) {
            self.broken(field, Rule::BrokenCharacter, &[]);
        } else if text.chars().any(is_invisible) {
            self.broken(field, Rule::InvisibleCharacters, &[]);
        }
        text.to_owned()
    }

    pub fn required_line(&mut self, field: &str, text: &str, max: usize) -> String {
        if text.trim().is_empty() {
            self.broken(field, Rule::Required, &[]);
        }
        self.line(field, text, max)
    }

    /// Multi-line text, trimmed, with line breaks as `
    /// `.
    pub fn lines(&mut self, field: &str, text: &str, max: usize) -> String {
        let text = with_plain_line_ends(text.trim());
        if text.chars().count() > max {
            self.broken(field, Rule::MaxLength, &[("Max", max.to_string())]);
        } else if text.chars().any(is_cut) {
            self.broken(field, Rule::BrokenCharacter, &[]);
        } else if text.chars().any(|character| !matches!(character, '\n' | '\t') && is_invisible(character)) {
            self.broken(field, Rule::InvisibleCharacters, &[]);
        }
        text
    }

    /// An amount of money within limits. `None` if invalid.
    pub fn amount(&mut self, field: &str, text: &str, min: Money, max: Money) -> Option<Money> {
        let text = text.trim();
        if text.is_empty() {
            self.broken(field, Rule::Required, &[]);
            return None;
        }
        let Ok(amount) = Money::parse(text) else {
            self.broken(field, Rule::Amount, &[]);
            return None;
        };
        if amount < min {
            self.broken(field, Rule::AmountMin, &[("Min", min.to_string())]);
            return None;
        }
        if amount > max {
            self.broken(field, Rule::AmountMax, &[("Max", max.to_string())]);
            return None;
        }
        Some(amount)
    }

    pub fn finish<T>(self, value: T) -> Result<T, FieldErrors> {
        self.0.into_result(value)
    }
}

/// Whether this is the replacement character, left by a character that was cut in half.
fn is_cut(character: char) -> bool {
    character == char::REPLACEMENT_CHARACTER
}

/// Writes `\r
/// ` as `
/// `, character by character: a two-character search would add a kilobyte to the wasm file.
fn with_plain_line_ends(text: &str) -> String {
    let mut parts = text.split('\r');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        if !part.starts_with('\n') {
            plain.push('\r');
        }
        plain.push_str(part);
    }
    plain
}

/// Control and bidirectional formatting characters, which are invisible and make one text look like another.
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
}

#[cfg(test)]
pub fn rules(errors: FieldErrors) -> Vec<String> {
    let rules = errors.0.iter().flat_map(|(field, broken)| {
        broken.iter().map(move |rule| {
            let params: Vec<_> = rule.params.values().map(String::as_str).collect();
            format!("{field}:{} {}", rule.rule, params.join(" ")).trim_end().to_owned()
        })
    });
    rules.collect()
}

/// The rule keys without their parameters.
#[cfg(test)]
pub fn rule_keys(errors: FieldErrors) -> Vec<String> {
    let keys = |(field, broken): (String, Vec<crate::field_errors::Broken>)| {
        broken.into_iter().map(move |broken| format!("{field}:{}", broken.rule))
    };
    errors.0.into_iter().flat_map(keys).collect()
}
