//! Errors in endpoint strings: each has a key in `locales/{language}/validation.json` and parameters.
use crate::endpoint::types::{TTL_MAX_MINUTES, TTL_MIN_MINUTES};
use crate::field_errors::{Broken, FieldErrors};
use crate::rule::Rule;
use crate::wire_enum::wire_enum;

/// Quoted input is truncated to this many characters, to keep messages readable.
const QUOTED_CHARACTERS: usize = 40;

wire_enum! {
    /// A part of an endpoint or of its user name, as named in the grammar.
    Part {
        Name = "name",
        Country = "country",
        State = "state",
        City = "city",
        Session = "session",
        Ttl = "ttl",
        Scheme = "scheme",
        Host = "host",
        Port = "port",
        User = "user",
        Password = "password",
        Template = "template",
    }
}

impl Part {
    /// The request field that holds this part.
    pub fn field(self) -> &'static str {
        match self {
            Part::Name => "Name",
            Part::Country => "Country",
            Part::State => "State",
            Part::City => "City",
            Part::Session => "Session",
            Part::Ttl => "TtlMinutes",
            Part::Scheme => "Scheme",
            Part::Host => "Host",
            Part::Port => "Port",
            Part::User => "UserName",
            Part::Password => "Password",
            Part::Template => "Template",
        }
    }
}

/// Why a user name, an endpoint, a template or a line of a list is invalid. Positions count characters from 1.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum EndpointError {
    /// The user name does not begin with `user-`.
    Prefix,
    Missing {
        part: Part,
    },
    /// This part of a user name may have lower-case letters, digits and `_` only.
    Characters {
        part: Part,
    },
    Length {
        part: Part,
        max: usize,
    },
    UnknownCountry {
        value: String,
    },
    /// Not a whole number of minutes within the limits.
    Ttl,
    TtlWithoutSession,
    UnknownPart {
        value: String,
        position: usize,
    },
    /// A part is repeated, or is before a part that it must follow.
    Order {
        part: Part,
        position: usize,
    },
    Scheme {
        value: String,
    },
    Host {
        value: String,
    },
    /// Not a whole number from 1 to 65535.
    Port {
        value: String,
    },
    /// The format cannot represent this character in this part. `character` is its printable form.
    Forbidden {
        part: Part,
        character: String,
    },
    /// A `%` is not followed by two hexadecimal digits, or the decoded bytes are not UTF-8.
    Percent,
    Json,
    Csv,
    Curl,
    /// No known format matches.
    Unread,
    /// Two formats match and give different endpoints.
    Ambiguous,
    Placeholder {
        name: String,
        position: usize,
    },
    Brace {
        position: usize,
    },
    /// A line of a template has more bytes than it may have.
    LineLength {
        max: usize,
    },
    Count {
        max: u32,
    },
    UnknownDialect {
        value: String,
    },
    /// Not an `http` or `https` URL that every shell leaves as it is.
    Target {
        value: String,
    },
}

impl EndpointError {
    /// The key of the broken rule, and its parameters.
    pub fn rule(&self) -> (Rule, Vec<(&'static str, String)>) {
        use EndpointError as E;
        let part = |part: &Part| ("Part", part.as_str().to_owned());
        let value = |value: &str| ("Value", quoted(value));
        let position = |position: &usize| ("Position", position.to_string());
        match self {
            E::Prefix => (Rule::EndpointPrefix, vec![]),
            E::Missing { part: which } => (Rule::EndpointMissing, vec![part(which)]),
            E::Characters { part: which } => (Rule::EndpointCharacters, vec![part(which)]),
            E::Length { part: which, max } => (Rule::EndpointLength, vec![part(which), ("Max", max.to_string())]),
            E::UnknownCountry { value: given } => (Rule::EndpointCountry, vec![value(given)]),
            E::Ttl => {
                (Rule::EndpointTtl, vec![("Min", TTL_MIN_MINUTES.to_string()), ("Max", TTL_MAX_MINUTES.to_string())])
            }
            E::TtlWithoutSession => (Rule::EndpointTtlWithoutSession, vec![]),
            E::UnknownPart { value: given, position: at } => {
                (Rule::EndpointUnknownPart, vec![value(given), position(at)])
            }
            E::Order { part: which, position: at } => (Rule::EndpointOrder, vec![part(which), position(at)]),
            E::Scheme { value: given } => (Rule::EndpointScheme, vec![value(given)]),
            E::Host { value: given } => (Rule::EndpointHost, vec![value(given)]),
            E::Port { value: given } => (Rule::EndpointPort, vec![value(given)]),
            E::Forbidden { part: which, character } => {
                (Rule::EndpointForbidden, vec![part(which), ("Character", character.clone())])
            }
            E::Percent => (Rule::EndpointPercent, vec![]),
            E::Json => (Rule::EndpointJson, vec![]),
            E::Csv => (Rule::EndpointCsv, vec![]),
            E::Curl => (Rule::EndpointCurl, vec![]),
            E::Unread => (Rule::EndpointUnread, vec![]),
            E::Ambiguous => (Rule::EndpointAmbiguous, vec![]),
            E::Placeholder { name, position: at } => {
                (Rule::EndpointPlaceholder, vec![("Name", quoted(name)), position(at)])
            }
            E::Brace { position: at } => (Rule::EndpointBrace, vec![position(at)]),
            E::LineLength { max } => (Rule::EndpointLine, vec![("Max", max.to_string())]),
            E::Count { max } => (Rule::EndpointCount, vec![("Max", max.to_string())]),
            E::UnknownDialect { value: given } => (Rule::EndpointDialect, vec![value(given)]),
            E::Target { value: given } => (Rule::EndpointTarget, vec![value(given)]),
        }
    }

    /// This error alone, in a form field.
    pub fn at(self, field: &str) -> FieldErrors {
        let mut errors = FieldErrors::default();
        errors.push(field, self.into());
        errors
    }

    /// The invalid part, if it is a single one.
    pub fn part(&self) -> Option<Part> {
        use EndpointError as E;
        match self {
            E::Missing { part } | E::Characters { part } | E::Length { part, .. } | E::Forbidden { part, .. } => {
                Some(*part)
            }
            E::Order { part, .. } => Some(*part),
            E::UnknownCountry { .. } => Some(Part::Country),
            E::Ttl | E::TtlWithoutSession => Some(Part::Ttl),
            E::Scheme { .. } => Some(Part::Scheme),
            E::Host { .. } => Some(Part::Host),
            E::Port { .. } => Some(Part::Port),
            E::Placeholder { .. } | E::Brace { .. } | E::LineLength { .. } => Some(Part::Template),
            _ => None,
        }
    }
}

impl From<EndpointError> for Broken {
    fn from(error: EndpointError) -> Broken {
        let (rule, params) = error.rule();
        broken(rule, params)
    }
}

/// A broken rule with its parameters.
pub(super) fn broken(rule: Rule, params: Vec<(&'static str, String)>) -> Broken {
    Broken::new(rule, &params)
}

/// User input, truncated for a message.
pub(super) fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(QUOTED_CHARACTERS).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_the_parameters_of_its_message() {
        use EndpointError as E;
        let (part, value, position) = (Part::Host, String::new(), 1);
        for error in [
            E::Prefix,
            E::Missing { part },
            E::Characters { part },
            E::Length { part, max: 1 },
            E::UnknownCountry { value: value.clone() },
            E::Ttl,
            E::TtlWithoutSession,
            E::UnknownPart { value: value.clone(), position },
            E::Order { part, position },
            E::Scheme { value: value.clone() },
            E::Host { value: value.clone() },
            E::Port { value: value.clone() },
            E::Forbidden { part, character: value.clone() },
            E::Percent,
            E::Json,
            E::Csv,
            E::Curl,
            E::Unread,
            E::Ambiguous,
            E::Placeholder { name: value.clone(), position },
            E::Brace { position },
            E::LineLength { max: 1 },
            E::Count { max: 1 },
            E::UnknownDialect { value: value.clone() },
            E::Target { value },
        ] {
            // In builds with assertions, this fails if they differ.
            let broken = Broken::from(error);
            assert_eq!(broken.params.len(), broken.rule.params().len());
        }
    }

    #[test]
    fn quoted_input_is_truncated() {
        assert_eq!(quoted("短"), "短");
        assert_eq!(quoted(&"密".repeat(41)), format!("{}…", "密".repeat(40)));
    }
}
