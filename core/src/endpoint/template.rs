//! Custom line formats: text with placeholders.
use crate::endpoint::error::{EndpointError, Part};
use crate::endpoint::format::check_endpoint;
use crate::endpoint::format::{Line, at_index, push_encoded, push_host, push_number};
use crate::endpoint::types::Endpoint;
use crate::endpoint::user::UserName;
use crate::field_errors::FieldErrors;
use crate::wire_enum::wire_enum;

pub const TEMPLATE_MAX_LENGTH: usize = 1_000;

/// The maximum length of a line that a template gives, in bytes: placeholders can be repeated, so a short template could give lines of any length.
pub const LINE_MAX_BYTES: usize = 1_000;

wire_enum! {
    /// The placeholders of a template.
    Placeholder {
        Host = "host",
        Port = "port",
        User = "user",
        /// The password.
        Pass = "pass",
        Scheme = "scheme",
        /// Two lower-case letters from the user name; empty if it has no country.
        Country = "country",
        /// From the user name; empty if it rotates.
        Session = "session",
    }
}

/// A parsed template: `{host}`, `{port}`, `{user}`, `{pass}`, `{scheme}`, `{country}` and `{session}` are replaced by the parts of an
/// endpoint, `{{` and `}}` by braces; all other text is literal.
///
/// User name and password are percent-encoded within a URL, which is between `://` and the next whitespace or quotation mark; an IPv6
/// address is bracketed there, and wherever a `:` follows it.
///
/// ```
/// use postern_core::endpoint::{Endpoint, Template};
/// let endpoint = Endpoint {
///     scheme: "http".into(),
///     host: "gate.example".into(),
///     port: 8080,
///     user_name: "user-ann-country-us".into(),
///     password: "a/b".into(),
/// };
/// let template = Template::parse("{country}: {scheme}://{user}:{pass}@{host}:{port}").expect("a template");
/// assert_eq!(template.format(&endpoint).expect("a line"), "us: http://user-ann-country-us:a%2Fb@gate.example:8080");
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Template {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, Eq, PartialEq)]
enum Piece {
    Text(String),
    Value { placeholder: Placeholder, in_url: bool, before_colon: bool },
}

impl Template {
    /// Parses a template. Positions in errors count characters from 1.
    pub fn parse(text: &str) -> Result<Template, EndpointError> {
        if text.is_empty() {
            return Err(EndpointError::Missing { part: Part::Template });
        }
        if text.chars().count() > TEMPLATE_MAX_LENGTH {
            return Err(EndpointError::Length { part: Part::Template, max: TEMPLATE_MAX_LENGTH });
        }
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut characters = text.chars().enumerate().peekable();
        // The output since the last whitespace or quotation mark, with `x` for every value.
        let mut word = String::new();
        while let Some((index, character)) = characters.next() {
            let is_doubled = characters.peek().is_some_and(|(_, next)| *next == character);
            match character {
                '{' if !is_doubled => {
                    let mut name = String::new();
                    let mut is_closed = false;
                    for (_, inside) in characters.by_ref() {
                        if inside == '}' {
                            is_closed = true;
                            break;
                        }
                        name.push(inside);
                    }
                    if !is_closed {
                        return Err(EndpointError::Brace { position: index + 1 });
                    }
                    let Some(placeholder) = Placeholder::from_wire(&name) else {
                        return Err(EndpointError::Placeholder { name, position: index + 1 });
                    };
                    if !literal.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut literal)));
                    }
                    let before_colon = characters.peek().is_some_and(|(_, next)| *next == ':');
                    pieces.push(Piece::Value { placeholder, in_url: word.contains("://"), before_colon });
                    word.push('x');
                }
                '}' if !is_doubled => return Err(EndpointError::Brace { position: index + 1 }),
                _ => {
                    if matches!(character, '{' | '}') {
                        characters.next();
                    }
                    literal.push(character);
                    if character.is_whitespace() || matches!(character, '"' | '\'' | '`') {
                        word.clear();
                    } else {
                        word.push(character);
                    }
                }
            }
        }
        if !literal.is_empty() {
            pieces.push(Piece::Text(literal));
        }
        Ok(Template { pieces })
    }

    /// Formats one endpoint after validating it. Country and session are taken from its user name.
    pub fn format(&self, endpoint: &Endpoint) -> Result<String, EndpointError> {
        check_endpoint(endpoint, None)?;
        let mut out = String::new();
        if self.needs_user_parts() {
            let user = UserName::parse(&endpoint.user_name).map(UserName::into_parts).unwrap_or_default();
            let (country, session) = (user.country.unwrap_or_default(), user.session.unwrap_or_default());
            self.push(&mut out, Line::of(endpoint), &country, &session)?;
        } else {
            self.push(&mut out, Line::of(endpoint), "", "")?;
        }
        Ok(out)
    }

    /// Whether a line depends on the country or the session.
    pub(super) fn needs_user_parts(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Value { placeholder: Placeholder::Country | Placeholder::Session, .. }))
    }

    /// Appends a line. Fails if it is longer than a line may be.
    #[inline]
    pub(super) fn push(
        &self,
        out: &mut String,
        line: Line<'_>,
        country: &str,
        session: &str,
    ) -> Result<(), EndpointError> {
        let begin = out.len();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Value { placeholder, in_url, before_colon } => match placeholder {
                    Placeholder::Host if *in_url || *before_colon => push_host(out, line.host),
                    Placeholder::Host => out.push_str(line.host),
                    Placeholder::Port => push_number(out, line.port),
                    Placeholder::User if *in_url => push_encoded(out, line.user_name),
                    Placeholder::User => out.push_str(line.user_name),
                    Placeholder::Pass if *in_url => push_encoded(out, line.password),
                    Placeholder::Pass => out.push_str(line.password),
                    Placeholder::Scheme => out.push_str(line.scheme),
                    Placeholder::Country => out.extend(country.chars().map(|letter| letter.to_ascii_lowercase())),
                    Placeholder::Session => out.push_str(session),
                },
            }
        }
        if out.len() - begin > LINE_MAX_BYTES {
            return Err(EndpointError::LineLength { max: LINE_MAX_BYTES });
        }
        Ok(())
    }
}

/// Formats endpoints by a template, one per line. Errors are at `Template` or at `Endpoints.{index}.{field}`.
pub fn format_by_template(endpoints: &[Endpoint], template: &str) -> Result<String, FieldErrors> {
    let template = Template::parse(template).map_err(|error| error.at(Part::Template.field()))?;
    let lines: Result<Vec<_>, _> = endpoints
        .iter()
        .enumerate()
        .map(|(index, endpoint)| template.format(endpoint).map_err(|error| at_index("Endpoints", index, error)))
        .collect();
    Ok(lines?.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint() -> Endpoint {
        Endpoint {
            scheme: "socks5".into(),
            host: "2001:db8::1".into(),
            port: 1080,
            user_name: "user-ann-country-de-session-a1".into(),
            password: "p@s 1".into(),
        }
    }

    #[test]
    fn an_invalid_template_is_rejected_with_the_position() {
        for (text, expected) in [
            ("", EndpointError::Missing { part: Part::Template }),
            ("{host}:{prot}", EndpointError::Placeholder { name: "prot".into(), position: 8 }),
            ("密{}", EndpointError::Placeholder { name: String::new(), position: 2 }),
            ("{Host}", EndpointError::Placeholder { name: "Host".into(), position: 1 }),
            ("{ host }", EndpointError::Placeholder { name: " host ".into(), position: 1 }),
            ("a {host", EndpointError::Brace { position: 3 }),
            ("a } b", EndpointError::Brace { position: 3 }),
        ] {
            assert_eq!(Template::parse(text), Err(expected), "{text}");
        }
        let long = "x".repeat(TEMPLATE_MAX_LENGTH + 1);
        assert_eq!(
            Template::parse(&long),
            Err(EndpointError::Length { part: Part::Template, max: TEMPLATE_MAX_LENGTH })
        );
    }

    #[test]
    fn values_are_encoded_in_urls_only() {
        for (template, line) in [
            ("{host} {port} {pass}", "2001:db8::1 1080 p@s 1"),
            ("{host}:{port}", "[2001:db8::1]:1080"),
            (
                "{scheme}://{user}:{pass}@{host}:{port} {pass}",
                "socks5://user-ann-country-de-session-a1:p%40s%201@[2001:db8::1]:1080 p@s 1",
            ),
            ("'http://{host}' {pass}", "'http://[2001:db8::1]' p@s 1"),
            ("{{{country}}} {session}", "{de} a1"),
            ("{country}{session}", "dea1"),
            ("plain", "plain"),
        ] {
            assert_eq!(
                Template::parse(template).and_then(|read| read.format(&endpoint())),
                Ok(line.into()),
                "{template}"
            );
        }
    }

    #[test]
    fn endpoints_are_written_one_per_line_and_errors_name_their_endpoint() {
        let good = endpoint();
        assert_eq!(format_by_template(&[good.clone(), good.clone()], "{port}"), Ok("1080\n1080".into()));
        let bad = Endpoint { port: 0, ..endpoint() };
        for (template, field) in [("{port}", "Endpoints.1.Port"), ("{", "Template")] {
            let errors = format_by_template(&[good.clone(), bad.clone()], template).expect_err("errors");
            assert_eq!(errors.0.into_keys().collect::<Vec<_>>(), [field]);
        }
    }

    #[test]
    fn a_user_name_outside_the_grammar_has_no_country_and_no_session() {
        let endpoint = Endpoint { user_name: "u7f3".into(), ..endpoint() };
        let template = Template::parse("[{country}|{session}]{user}").expect("a template");
        assert_eq!(template.format(&endpoint), Ok("[|]u7f3".into()));
    }
}
