//! The user name of a rotating proxy: the proxy user, the location of the exit, and how long the exit stays the same.
//!
//! ```text
//! user-{name}[-country-{cc}][-state-{s}][-city-{c}][-session-{id}[-ttl-{minutes}]]
//! ```
//!
//! All in lower case and in this order. No part contains a `-`, so that the grammar is unambiguous.
use crate::endpoint::error::{EndpointError, Part};
use crate::endpoint::types::{TTL_MAX_MINUTES, TTL_MIN_MINUTES};
use crate::field_errors::FieldErrors;
use crate::place;
use serde::{Deserialize, Serialize};
use std::fmt;

pub const NAME_MAX_LENGTH: usize = 32;

/// For a state and for a city. With the other limits, a user name has at most 200 bytes; SOCKS5 allows 255.
pub const PLACE_MAX_LENGTH: usize = 40;

pub const SESSION_MAX_LENGTH: usize = 32;
const PREFIX: &str = "user-";

/// The parts of a user name, as entered and not yet validated.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct UserParts {
    /// 1 to 32 lower-case letters, digits and `_`.
    pub name: String,
    /// A two-letter code of ISO 3166-1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub country: Option<String>,
    /// 1 to 40 lower-case letters, digits and `_`, in the form that `placePart` returns.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub state: Option<String>,
    /// As `state`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub city: Option<String>,
    /// 1 to 32 lower-case letters, digits and `_`. Requests with the same session use the same exit; without a session it rotates.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub session: Option<String>,
    /// How long a session keeps its exit, in minutes, 1 to 1440. Needs a session.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub ttl_minutes: Option<u32>,
}

/// A valid user name. `UserName::parse` and `to_string` are inverses.
///
/// ```
/// use postern_core::endpoint::UserName;
/// let user = UserName::parse("user-ann-country-us-city-new_york-session-a1-ttl-30").expect("a user name");
/// assert_eq!(user.parts().city.as_deref(), Some("new_york"));
/// assert_eq!(user.to_string(), "user-ann-country-us-city-new_york-session-a1-ttl-30");
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UserName(UserParts);

impl UserName {
    /// Validates the parts; the errors are at the names of the fields.
    pub fn new(parts: UserParts) -> Result<UserName, FieldErrors> {
        let mut errors = FieldErrors::default();
        for error in errors_of(&parts) {
            let field = error.part().unwrap_or(Part::Name).field();
            errors.push(field, error.into());
        }
        errors.into_result(UserName(parts))
    }

    /// Parses a user name; the error is the leftmost one.
    pub fn parse(text: &str) -> Result<UserName, EndpointError> {
        let rest = text.strip_prefix(PREFIX).ok_or(EndpointError::Prefix)?;
        let mut words = Words { text: rest, at: PREFIX.len() + 1 };
        let mut parts = UserParts { name: words.next().unwrap_or_default().1.to_owned(), ..UserParts::default() };
        let mut last = None;
        while let Some((position, key)) = words.next() {
            let Some(rank) = OPTIONAL.iter().position(|part| part.as_str() == key) else {
                return Err(EndpointError::UnknownPart { value: key.to_owned(), position });
            };
            let part = OPTIONAL[rank];
            if last >= Some(rank) {
                return Err(EndpointError::Order { part, position });
            }
            last = Some(rank);
            let (_, value) = words.next().ok_or(EndpointError::Missing { part })?;
            match part {
                Part::Country => parts.country = Some(value.to_owned()),
                Part::State => parts.state = Some(value.to_owned()),
                Part::City => parts.city = Some(value.to_owned()),
                Part::Session => parts.session = Some(value.to_owned()),
                _ => parts.ttl_minutes = Some(read_ttl(value)?),
            }
        }
        UserName::try_from(parts)
    }

    pub fn parts(&self) -> &UserParts {
        &self.0
    }

    pub fn into_parts(self) -> UserParts {
        self.0
    }
}

impl TryFrom<UserParts> for UserName {
    type Error = EndpointError;

    /// Like `UserName::new`, with the first error only.
    fn try_from(parts: UserParts) -> Result<UserName, EndpointError> {
        match errors_of(&parts).into_iter().next() {
            Some(error) => Err(error),
            None => Ok(UserName(parts)),
        }
    }
}

impl fmt::Display for UserName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UserParts { name, country, state, city, session, ttl_minutes } = &self.0;
        write!(formatter, "{PREFIX}{name}")?;
        for (part, value) in
            [(Part::Country, country), (Part::State, state), (Part::City, city), (Part::Session, session)]
        {
            if let Some(value) = value {
                write!(formatter, "-{}-{value}", part.as_str())?;
            }
        }
        ttl_minutes.map_or(Ok(()), |minutes| write!(formatter, "-{}-{minutes}", Part::Ttl.as_str()))
    }
}

/// The optional parts after the name, in order.
const OPTIONAL: [Part; 5] = [Part::Country, Part::State, Part::City, Part::Session, Part::Ttl];

/// The words between the hyphens, with the positions of their first characters.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<(usize, &'a str)> {
        if self.at == usize::MAX {
            return None;
        }
        let position = self.at;
        let (word, rest) = self.text.split_once('-').map_or((self.text, None), |(word, rest)| (word, Some(rest)));
        self.text = rest.unwrap_or_default();
        self.at = if rest.is_some() { position + word.chars().count() + 1 } else { usize::MAX };
        Some((position, word))
    }
}

fn read_ttl(text: &str) -> Result<u32, EndpointError> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    is_plain.then(|| text.parse().ok()).flatten().ok_or(EndpointError::Ttl)
}

fn errors_of(parts: &UserParts) -> Vec<EndpointError> {
    let mut errors: Vec<EndpointError> = Vec::new();
    let mut check = |result: Result<(), EndpointError>| errors.extend(result.err());
    check(check_word(&parts.name, Part::Name, NAME_MAX_LENGTH));
    if let Some(country) = &parts.country {
        let is_known = country.bytes().all(|byte| byte.is_ascii_lowercase()) && place::is_country(country);
        check(if is_known { Ok(()) } else { Err(EndpointError::UnknownCountry { value: country.clone() }) });
    }
    for (value, part, max) in [
        (&parts.state, Part::State, PLACE_MAX_LENGTH),
        (&parts.city, Part::City, PLACE_MAX_LENGTH),
        (&parts.session, Part::Session, SESSION_MAX_LENGTH),
    ] {
        if let Some(value) = value {
            check(check_word(value, part, max));
        }
    }
    if let Some(minutes) = parts.ttl_minutes {
        check(check_ttl(minutes));
        check(if parts.session.is_some() { Ok(()) } else { Err(EndpointError::TtlWithoutSession) });
    }
    errors
}

pub(super) fn check_ttl(minutes: u32) -> Result<(), EndpointError> {
    if (TTL_MIN_MINUTES..=TTL_MAX_MINUTES).contains(&minutes) { Ok(()) } else { Err(EndpointError::Ttl) }
}

fn check_word(word: &str, part: Part, max: usize) -> Result<(), EndpointError> {
    if word.is_empty() {
        Err(EndpointError::Missing { part })
    } else if !word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_') {
        Err(EndpointError::Characters { part })
    } else if word.len() > max {
        Err(EndpointError::Length { part, max })
    } else {
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error(text: &str) -> EndpointError {
        UserName::parse(text).expect_err(text)
    }

    #[test]
    fn an_invalid_user_name_is_rejected_with_the_position() {
        use EndpointError as E;
        let missing = |part| E::Missing { part };
        let unknown = |value: &str, position| E::UnknownPart { value: value.into(), position };
        for (text, expected) in [
            ("", E::Prefix),
            ("ann", E::Prefix),
            ("User-ann", E::Prefix),
            ("user", E::Prefix),
            ("user-", missing(Part::Name)),
            ("user--country-us", missing(Part::Name)),
            ("user-Ann", E::Characters { part: Part::Name }),
            ("user-änn", E::Characters { part: Part::Name }),
            ("user-ann-country", missing(Part::Country)),
            ("user-ann-country-", E::UnknownCountry { value: String::new() }),
            ("user-ann-country-US", E::UnknownCountry { value: "US".into() }),
            ("user-ann-country-uk", E::UnknownCountry { value: "uk".into() }),
            ("user-ann-country-usa", E::UnknownCountry { value: "usa".into() }),
            ("user-ann-zip-10001", unknown("zip", 10)),
            ("user-ann-", unknown("", 10)),
            ("user-ann-session-x-y", unknown("y", 20)),
            ("user-ann-city-x-country-us", E::Order { part: Part::Country, position: 17 }),
            ("user-ann-city-x-city-y", E::Order { part: Part::City, position: 17 }),
            ("user-ann-session-", missing(Part::Session)),
            ("user-ann-session-A", E::Characters { part: Part::Session }),
            ("user-ann-ttl-5", E::TtlWithoutSession),
            ("user-ann-session-a-ttl-0", E::Ttl),
            ("user-ann-session-a-ttl-05", E::Ttl),
            ("user-ann-session-a-ttl-+5", E::Ttl),
            ("user-ann-session-a-ttl-1441", E::Ttl),
            ("user-ann-session-a-ttl-99999999999", E::Ttl),
            ("user-ann-session-a-ttl-5-", unknown("", 26)),
        ] {
            assert_eq!(error(text), expected, "{text}");
        }
        let long = |part: &str, length: usize| error(&format!("user-ann-{part}-{}", "a".repeat(length)));
        assert_eq!(long("session", 33), E::Length { part: Part::Session, max: 32 });
        assert_eq!(long("city", 41), E::Length { part: Part::City, max: 40 });
        assert_eq!(error(&format!("user-{}", "a".repeat(33))), E::Length { part: Part::Name, max: 32 });
    }

    #[test]
    fn all_errors_of_a_form_are_reported_at_once() {
        let parts = UserParts {
            name: "Ann".into(),
            country: Some("xx".into()),
            city: Some(String::new()),
            ttl_minutes: Some(2_000),
            ..UserParts::default()
        };
        let fields = UserName::new(parts).expect_err("errors").0;
        let rules: Vec<_> = fields
            .iter()
            .flat_map(|(field, rules)| rules.iter().map(move |rule| format!("{field}:{}", rule.rule)))
            .collect();
        assert_eq!(
            rules,
            [
                "City:endpointMissing",
                "Country:endpointCountry",
                "Name:endpointCharacters",
                "TtlMinutes:endpointTtl",
                "TtlMinutes:endpointTtlWithoutSession"
            ]
        );
    }

    #[test]
    fn the_longest_user_name_fits_socks5() {
        let longest = UserParts {
            name: "n".repeat(NAME_MAX_LENGTH),
            country: Some("us".into()),
            state: Some("s".repeat(PLACE_MAX_LENGTH)),
            city: Some("c".repeat(PLACE_MAX_LENGTH)),
            session: Some("i".repeat(SESSION_MAX_LENGTH)),
            ttl_minutes: Some(TTL_MAX_MINUTES),
        };
        assert!(UserName::new(longest).expect("a user name").to_string().len() <= 200);
    }

    fn word(max: usize) -> impl Strategy<Value = String> {
        proptest::string::string_regex(&format!("[a-z0-9_]{{1,{max}}}")).expect("a pattern")
    }

    prop_compose! {
        pub fn any_user()(
            name in word(NAME_MAX_LENGTH),
            country in proptest::option::of(proptest::sample::select(vec!["us", "de", "gb", "cn", "br"])),
            state in proptest::option::of(word(PLACE_MAX_LENGTH)),
            city in proptest::option::of(word(PLACE_MAX_LENGTH)),
            session in proptest::option::of((word(SESSION_MAX_LENGTH), proptest::option::of(TTL_MIN_MINUTES..=TTL_MAX_MINUTES))),
        ) -> UserParts {
            let (session, ttl_minutes) = session.map_or((None, None), |(id, ttl)| (Some(id), ttl));
            UserParts { name, country: country.map(str::to_owned), state, city, session, ttl_minutes }
        }
    }

    proptest! {
        #[test]
        fn formatted_user_names_parse_back(parts in any_user()) {
            let user = UserName::new(parts).expect("a user name");
            prop_assert_eq!(UserName::parse(&user.to_string()), Ok(user));
        }

        #[test]
        fn parsed_user_names_format_back(text in "(user-)?[a-z0-9A-Z_ü-]{0,12}(-(country|state|city|session|ttl|zip)-[a-z0-9-]{0,5}){0,5}") {
            if let Ok(user) = UserName::parse(&text) {
                prop_assert_eq!(user.to_string(), text);
            }
        }
    }
}
