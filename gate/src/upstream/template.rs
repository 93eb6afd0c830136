//! The user name for an upstream, with the variables of a connection.
//!
//! `customer-x-country-{country}-session-{session}`: a variable without a value is dropped, with the word before it and the separators around
//! that word, but nothing before the variable before. Without a country, this is `customer-x-session-a1`; with neither, `customer-x`.
use anyhow::{Result, bail};

/// Between words.
const SEPARATORS: &[char] = &['-', '_', '.', ',', ';', ':', '=', '+', '/', ' '];

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Variable {
    /// In lower case, as most upstreams want it.
    Country,
    UpperCountry,
    State,
    City,
    Session,
    TtlMinutes,
}

impl Variable {
    fn named(name: &str) -> Result<Variable> {
        Ok(match name {
            "country" => Variable::Country,
            "COUNTRY" => Variable::UpperCountry,
            "state" => Variable::State,
            "city" => Variable::City,
            "session" => Variable::Session,
            "ttl" => Variable::TtlMinutes,
            _ => bail!("unknown variable {{{name}}}: there are country, COUNTRY, state, city, session and ttl"),
        })
    }
}

/// The values of a connection.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Values {
    pub country: Option<String>,
    pub state: Option<String>,
    pub city: Option<String>,
    pub session: Option<String>,
    pub ttl_minutes: Option<u32>,
}

impl Values {
    fn get(&self, variable: Variable) -> Option<String> {
        match variable {
            Variable::Country => self.country.as_ref().map(|country| country.to_ascii_lowercase()),
            Variable::UpperCountry => self.country.as_ref().map(|country| country.to_ascii_uppercase()),
            Variable::State => self.state.clone(),
            Variable::City => self.city.clone(),
            Variable::Session => self.session.clone(),
            Variable::TtlMinutes => self.ttl_minutes.map(|minutes| minutes.to_string()),
        }
    }
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Template {
    parts: Vec<Part>,
    end: String,
}

#[derive(Clone, Debug, Eq, PartialEq)]
struct Part {
    /// Text that stays.
    kept: String,
    /// The word that stays only with a value, and the separators around it.
    word: String,
    variable: Variable,
}

impl Template {
    pub fn parse(text: &str) -> Result<Template> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else { bail!("a brace is not closed: {text}") };
            if before.contains('}') {
                bail!("a brace is not opened: {text}");
            }
            let (kept, word) = split_last_word(before);
            parts.push(Part { kept: kept.to_owned(), word: word.to_owned(), variable: Variable::named(name)? });
            rest = after;
        }
        if rest.contains('}') {
            bail!("a brace is not opened: {text}");
        }
        Ok(Template { parts, end: rest.to_owned() })
    }

    pub fn fill(&self, values: &Values) -> String {
        let mut text = String::new();
        for Part { kept, word, variable } in &self.parts {
            text += kept;
            if let Some(value) = values.get(*variable) {
                text += word;
                text += &value;
            }
        }
        text + &self.end
    }
}

/// The text before the last word, and the last word with the separators around it.
fn split_last_word(text: &str) -> (&str, &str) {
    let is_letter = |letter: char| !SEPARATORS.contains(&letter);
    let before_word = text.trim_end_matches(SEPARATORS).trim_end_matches(is_letter);
    text.split_at(before_word.trim_end_matches(SEPARATORS).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(country: &str, session: &str, ttl_minutes: u32) -> Values {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let ttl_minutes = (ttl_minutes > 0).then_some(ttl_minutes);
        Values { country: some(country), session: some(session), ttl_minutes, ..Values::default() }
    }

    #[test]
    fn broken_templates_are_refused() {
        for text in ["a-{country", "a-country}", "a-{what}", "a-{}"] {
            assert!(Template::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_variable_without_a_value_is_dropped_with_its_word() {
        for (template, values, expected) in [
            (
                "customer-x-country-{country}-session-{session}",
                values("US", "a1", 0),
                "customer-x-country-us-session-a1",
            ),
            ("customer-x-country-{country}-session-{session}", values("", "a1", 0), "customer-x-session-a1"),
            ("customer-x-country-{country}-session-{session}", values("US", "", 0), "customer-x-country-us"),
            ("customer-x-country-{country}-session-{session}", values("", "", 0), "customer-x"),
            ("x_area-{COUNTRY}_session-{session}_life-{ttl}", values("us", "a1", 30), "x_area-US_session-a1_life-30"),
            ("x_area-{COUNTRY}_session-{session}_life-{ttl}", values("", "", 0), "x"),
            ("x;sess={session}:{ttl};end", values("", "a1", 0), "x;sess=a1;end"),
            ("{country}-x", values("", "", 0), "-x"),
            ("plain", values("us", "a1", 5), "plain"),
        ] {
            assert_eq!(Template::parse(template).expect("a template").fill(&values), expected, "{template} {values:?}");
        }
    }
}
