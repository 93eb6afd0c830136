//! Checks for form fields. Every check returns the cleaned values (trimmed, in the form in which they are stored) or the broken rules of
//! each field, by the field's name on the wire; the rules are keys of `locales/{language}/validation.json`. Forms are sent as typed, so
//! their fields are strings.

use crate::field_errors::FieldErrors;
use crate::money::Money;
use crate::rule::Rule;
use std::borrow::Cow;

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
        } else if text.chars().any(is_invisible) || (!text.is_empty() && shows_nothing(text)) {
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
        } else if text.chars().any(|character| !matches!(character, '\n' | '\t') && is_invisible(character))
            || (!text.is_empty() && shows_nothing(&text))
        {
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
        let Ok(amount) = Money::read(text) else {
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

    /// A whole number from 1 to `max`. `None` if invalid.
    pub fn count(&mut self, field: &str, text: &str, max: u32) -> Option<u32> {
        let text = text.trim();
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let count = is_number.then(|| text.parse().ok()).flatten().filter(|count| (1..=max).contains(count));
        if count.is_none() {
            self.broken(field, Rule::WholeNumber, &[("Max", max.to_string())]);
        }
        count
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

/// Whether this is a character that shows nothing and makes one text look like another: control and bidirectional formatting characters,
/// zero-width and filling ones, and tags.
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Whether this shows nothing by itself, but has a purpose between visible characters: joiners in Persian, Hindi and emoji, marks of
/// direction, variation selectors, and the blank of Braille.
fn is_companion(character: char) -> bool {
    matches!(
        character,
        '\u{34f}'
            | '\u{61c}'
            | '\u{200c}'..='\u{200f}'
            | '\u{2800}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// Whether a text has no character that shows.
pub fn shows_nothing(text: &str) -> bool {
    text.chars().all(|character| character.is_whitespace() || is_invisible(character) || is_companion(character))
}

/// The text without characters that show nothing, as pasted text often has them.
pub fn without_invisible(text: &str) -> Cow<'_, str> {
    if text.contains(is_pasted_along) { Cow::Owned(text.replace(is_pasted_along, "")) } else { Cow::Borrowed(text) }
}

/// Invisible characters that come with pasted text. Control characters are not among them: what has one is refused.
fn is_pasted_along(character: char) -> bool {
    !character.is_control()
        && !matches!(character, '\u{2028}' | '\u{2029}')
        && (is_invisible(character) || matches!(character, '\u{200c}'..='\u{200f}'))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_something_and_hides_nothing() {
        let check = |text: &str| {
            let mut checks = Checks::default();
            checks.required_line("Name", text, 40);
            rules(checks.0)
        };
        let nothing = "\u{200b} \u{200c} \u{200d} \u{2060} \u{ad} \u{180e} \u{3164} \u{2800} \u{ffa0} \u{115f} \u{1160} \u{200e} \u{200f} \u{fe0f} \u{34f} \u{feff} \u{202e} \u{2066} \u{e0041} \u{e0001} \u{e0101} \u{2064}";
        for name in nothing.split(' ') {
            assert_eq!(check(name), ["Name:invisibleCharacters"], "{name:?}");
            assert_eq!(check(&format!("{name} {name}")), ["Name:invisibleCharacters"], "{name:?}");
        }
        for name in ["a\u{200b}b", "a\u{2060}b", "a\u{ad}b", "a\u{180e}b", "a\u{3164}b", "a\u{e0041}b", "\u{202e}ab"] {
            assert_eq!(check(name), ["Name:invisibleCharacters"], "{name:?}");
        }
        for name in ["", " ", "\u{3000}", "\u{a0}"] {
            assert_eq!(check(name), ["Name:required"], "{name:?}");
        }
        // Joiners in Persian, Hindi and emoji, the blank of Braille, a variation selector.
        for name in
            ["می\u{200c}خواهم", "क्\u{200d}ष", "👩\u{200d}💻", "\u{2801}\u{2800}\u{2803}", "❤\u{fe0f}", "Żółć", "群组"]
        {
            assert_eq!(check(name), [""; 0], "{name:?}");
        }
    }

    #[test]
    fn pasted_text_loses_what_shows_nothing() {
        for (text, kept) in [
            ("a\u{200b}b", "ab"),
            ("\u{feff}a\u{200e}\u{202c}", "a"),
            ("a\u{ad}\u{2060}\u{200d}b", "ab"),
            ("a\r\n\tb\u{2028}c", "a\r\n\tb\u{2028}c"),
            ("a\u{7}b", "a\u{7}b"),
        ] {
            assert_eq!(without_invisible(text), kept);
        }
    }
}
