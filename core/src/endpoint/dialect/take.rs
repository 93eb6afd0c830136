//! Maps the parameters of another shop to this shop's.
use crate::endpoint::error::{Part, broken, quoted};
use crate::endpoint::providers::{Meaning, Unit};
use crate::endpoint::types::{TTL_MAX_MINUTES, TTL_MIN_MINUTES};
use crate::endpoint::user::{PLACE_MAX_LENGTH, SESSION_MAX_LENGTH, UserParts};
use crate::field_errors::Broken;
use crate::place::{self, place_part};
use crate::rule::Rule;

/// Converts one parameter, or notes why it cannot be converted.
pub(super) fn take(parts: &mut UserParts, meaning: Meaning, key: &str, value: &str, notes: &mut Vec<Broken>) {
    let no_equivalent =
        |value: &str| broken(Rule::DialectNoEquivalent, vec![("Key", quoted(key)), ("Value", quoted(value))]);
    match meaning {
        Meaning::Country => {
            let mut values = value.split(',');
            let first = values.next().unwrap_or_default();
            match country_code(first) {
                _ if is_anywhere(first) => {}
                // Only one country is supported: the first is kept.
                Some(code) if parts.country.as_ref().is_none_or(|country| *country == code) => {
                    parts.country = Some(code);
                }
                _ => notes.push(no_equivalent(first)),
            }
            notes.extend(values.map(no_equivalent));
        }
        Meaning::Place => {
            let mut words = value.splitn(2, '_');
            take(parts, Meaning::Country, key, words.next().unwrap_or_default(), notes);
            if let Some(rest) = words.next() {
                let (state, city) = split_state(rest);
                if let Some(state) = state {
                    take(parts, Meaning::State, key, state, notes);
                }
                take(parts, Meaning::City, key, city, notes);
            }
        }
        Meaning::State => {
            // `us_california` is a state with its country.
            let (country, state) = match value.split_once('_') {
                Some((country, state)) if country.len() == 2 && !state.is_empty() => (country_code(country), state),
                _ => (None, value),
            };
            let state = if country.is_some() { state } else { value };
            parts.country = parts.country.take().or(country);
            match fitting_place(state) {
                Some(part) => parts.state = Some(part),
                None => notes.push(no_equivalent(value)),
            }
        }
        Meaning::City => match fitting_place(value) {
            Some(part) => parts.city = Some(known_city(&part, parts.country.as_deref()).unwrap_or(part)),
            None => notes.push(no_equivalent(value)),
        },
        Meaning::Session | Meaning::StrictSession => {
            if meaning == Meaning::StrictSession {
                notes.push(broken(Rule::DialectStrict, vec![]));
            }
            let session = cleaned(value, Part::Session, SESSION_MAX_LENGTH, notes);
            parts.session = (!session.is_empty()).then_some(session);
        }
        Meaning::Ttl(unit) => match seconds(value, unit) {
            Some(length) => {
                let minutes = length.div_ceil(60).clamp(TTL_MIN_MINUTES.into(), TTL_MAX_MINUTES.into());
                if minutes * 60 != length {
                    notes.push(broken(Rule::DialectTtl, vec![("From", quoted(value)), ("To", minutes.to_string())]));
                }
                parts.ttl_minutes = u32::try_from(minutes).ok();
            }
            None => notes.push(no_equivalent(value)),
        },
        Meaning::Name | Meaning::Nothing => notes.push(no_equivalent(value)),
    }
}

fn is_anywhere(word: &str) -> bool {
    ["", "any", "all", "random", "rr", "ww", "anywhere"].iter().any(|anywhere| word.eq_ignore_ascii_case(anywhere))
}

/// The lower-case country code of a code or of an English name. Many shops write `uk` for `gb`.
fn country_code(text: &str) -> Option<String> {
    if text.eq_ignore_ascii_case("uk") {
        return Some("gb".to_owned());
    }
    if place::is_country(text) {
        return Some(text.to_ascii_lowercase());
    }
    // Compares letters and digits only, ignoring case, without allocating a string for each of the 249 names.
    let letters = |name: &'static str| name.bytes().filter(u8::is_ascii_alphanumeric);
    let wanted: Vec<u8> = text.bytes().filter(u8::is_ascii_alphanumeric).collect();
    let is_wanted = |name| {
        let mut wanted = wanted.iter();
        letters(name).all(|letter| wanted.next().is_some_and(|other| other.eq_ignore_ascii_case(&letter)))
            && wanted.next().is_none()
    };
    let named = place::country_names().find(|(_, name)| wanted.len() > 2 && is_wanted(name));
    named.map(|(code, _)| code.to_ascii_lowercase())
}

/// Splits `alabama_birmingham` into state and city. States of the United States with several words are recognised by the first word.
fn split_state(text: &str) -> (Option<&str>, &str) {
    let count = match text.split('_').next().unwrap_or_default() {
        "new" | "north" | "south" | "west" | "rhode" => 2,
        "district" => 3,
        _ => 1,
    };
    match text.match_indices('_').nth(count - 1) {
        Some((at, _)) => (Some(&text[..at]), &text[at + 1..]),
        None => (None, text),
    }
}

fn fitting_place(text: &str) -> Option<String> {
    let part = place_part(text);
    (!part.is_empty() && part.len() <= PLACE_MAX_LENGTH).then_some(part)
}

/// This shop's spelling of a city that another shop writes as one word, such as `newyork`.
fn known_city(part: &str, country: Option<&str>) -> Option<String> {
    let joined = part.replace('_', "");
    let is_in = |its: &str| country.is_none_or(|country| country.eq_ignore_ascii_case(its));
    let found = place::city_keys().find(|(its, key)| is_in(its) && key.replace('-', "") == joined);
    found.map(|(_, key)| place_part(key))
}

fn seconds(text: &str, unit: Unit) -> Option<u64> {
    let (digits, factor) = match unit {
        Unit::Minutes => (text, 60),
        Unit::Seconds => (text, 1),
        Unit::Letter => {
            let letter = text.chars().last()?;
            let factor = match letter.to_ascii_lowercase() {
                's' => 1,
                'm' => 60,
                'h' => 3_600,
                'd' => 86_400,
                _ => return None,
            };
            (&text[..text.len() - letter.len_utf8()], factor)
        }
    };
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_plain.then(|| digits.parse::<u64>().unwrap_or(u64::MAX).saturating_mul(factor))
}

/// Replaces characters that a name or session may not have, and notes the change.
pub(super) fn cleaned(text: &str, part: Part, max: usize, notes: &mut Vec<Broken>) -> String {
    let plain = |character: char| {
        let lower = character.to_ascii_lowercase();
        if lower.is_ascii_alphanumeric() { lower } else { '_' }
    };
    let cleaned: String = text.chars().map(plain).take(max).collect();
    if cleaned != text {
        let params = vec![("Part", part.as_str().to_owned()), ("From", quoted(text)), ("To", cleaned.clone())];
        notes.push(broken(Rule::DialectChanged, params));
    }
    cleaned
}
