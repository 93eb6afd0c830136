//! The formats of a proxy list line, and the characters that each can represent.
//!
//! | format | forbidden in user name and password |
//! |---|---|
//! | `host:port:user:pass`, `user:pass:host:port` | `:` and whitespace |
//! | `user:pass@host:port` | `:`, `@` and whitespace |
//! | URL, curl | nothing: they are percent-encoded |
//! | CSV | nothing: cells are quoted, and spreadsheet formulas neutralised |
//! | JSON | nothing: strings are escaped |
//!
//! No format allows control characters, because no proxy accepts them. Only the first three forbid `:` in a user name: HTTP cannot carry it
//! either, but SOCKS5 can. An IPv6 address is in brackets wherever `:` and a port follow it.
use crate::csv::push_cell;
use crate::endpoint::error::{EndpointError, Part};
use crate::endpoint::types::{Endpoint, SCHEMES};
use crate::field_errors::FieldErrors;
use crate::wire_enum::wire_enum;
use std::net::{Ipv4Addr, Ipv6Addr};

wire_enum! {
    /// The formats of a proxy list line.
    EndpointFormat {
        HostPortUserPass = "host_port_user_pass",
        UserPassAtHostPort = "user_pass_at_host_port",
        Url = "url",
        UserPassHostPort = "user_pass_host_port",
        Curl = "curl",
        /// A header row, and the columns host, port, username, password and scheme.
        Csv = "csv",
        /// An array with one object per line.
        Json = "json",
    }
}

/// What lines of curl request if they are not told.
pub const DEFAULT_TARGET: &str = "https://example.com";

/// The maximum length of a target.
const TARGET_MAX_LENGTH: usize = 500;

/// The header row of a CSV list.
pub(super) const CSV_HEADER: &str = "host,port,username,password,scheme";

/// Formats one endpoint. Without user name and password, they are omitted. A line of curl requests `target`, or `DEFAULT_TARGET`.
///
/// ```
/// use postern_core::endpoint::{Endpoint, EndpointFormat, format_endpoint};
/// let endpoint = Endpoint {
///     scheme: "http".into(),
///     host: "2001:db8::7".into(),
///     port: 8080,
///     user_name: "user-ann".into(),
///     password: "p@ss".into(),
/// };
/// let line = format_endpoint(&endpoint, EndpointFormat::Url, None).expect("a URL");
/// assert_eq!(line, "http://user-ann:p%40ss@[2001:db8::7]:8080");
/// assert!(format_endpoint(&endpoint, EndpointFormat::UserPassAtHostPort, None).is_err());
/// ```
pub fn format_endpoint(
    endpoint: &Endpoint,
    format: EndpointFormat,
    target: Option<&str>,
) -> Result<String, EndpointError> {
    check_endpoint(endpoint, Some(format))?;
    target.map_or(Ok(()), check_target)?;
    let mut out = String::new();
    push_line(&mut out, Line::of(endpoint), format, target.unwrap_or(DEFAULT_TARGET));
    Ok(out)
}

/// Formats a list, one endpoint per line; CSV begins with a header row, and JSON is an array. Lines of curl request `target`, or `DEFAULT_TARGET`.
/// Errors are at `Target` and at `Endpoints.{index}.{field}`.
pub fn format_endpoints(
    endpoints: &[Endpoint],
    format: EndpointFormat,
    target: Option<&str>,
) -> Result<String, FieldErrors> {
    if let Some(target) = target {
        check_target(target).map_err(|error| error.at("Target"))?;
    }
    let mut list = Lines::new(format, target, endpoints.len().saturating_mul(96));
    for (index, endpoint) in endpoints.iter().enumerate() {
        check_endpoint(endpoint, Some(format)).map_err(|error| at_index("Endpoints", index, error))?;
        list.push(Line::of(endpoint));
    }
    Ok(list.finish())
}

/// The error of one list element, at the field that it concerns.
pub(super) fn at_index(list: &str, index: usize, error: EndpointError) -> FieldErrors {
    if error.part() == Some(Part::Template) {
        return error.at(Part::Template.field());
    }
    let field = error.part().map_or("UserName", Part::field);
    error.at(&format!("{list}.{index}.{field}"))
}

/// Checks whether the endpoint can be written in this format, or in a template if `None`.
pub fn check_endpoint(endpoint: &Endpoint, format: Option<EndpointFormat>) -> Result<(), EndpointError> {
    check_line(Line::of(endpoint), format)
}

/// Checks that this is an `http` or `https` URL that no shell changes.
pub(super) fn check_target(target: &str) -> Result<(), EndpointError> {
    let rest = target.strip_prefix("https://").or_else(|| target.strip_prefix("http://")).unwrap_or_default();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/@+,=[]".contains(&byte);
    match !rest.is_empty() && target.len() <= TARGET_MAX_LENGTH && rest.bytes().all(is_plain) {
        true => Ok(()),
        false => Err(EndpointError::Target { value: target.chars().take(TARGET_MAX_LENGTH).collect() }),
    }
}

#[inline]
pub(super) fn check_line(line: Line<'_>, format: Option<EndpointFormat>) -> Result<(), EndpointError> {
    let Line { scheme, host, port, user_name, password } = line;
    if !SCHEMES.contains(&scheme) {
        return Err(EndpointError::Scheme { value: scheme.to_owned() });
    }
    if !is_host(host) {
        return Err(EndpointError::Host { value: host.to_owned() });
    }
    if port == 0 {
        return Err(EndpointError::Port { value: port.to_string() });
    }
    check_credentials(user_name, password, format)
}

/// Like `check_endpoint`, for the credentials only.
#[inline]
pub(super) fn check_credentials(
    user_name: &str,
    password: &str,
    format: Option<EndpointFormat>,
) -> Result<(), EndpointError> {
    use EndpointFormat as F;
    if user_name.is_empty() && !password.is_empty() {
        return Err(EndpointError::Missing { part: Part::User });
    }
    let refused: &[char] = match format {
        Some(F::HostPortUserPass | F::UserPassHostPort) => &[':'],
        Some(F::UserPassAtHostPort) => &[':', '@'],
        _ => &[],
    };
    for (part, text) in [(Part::User, user_name), (Part::Password, password)] {
        // Fast path for most credentials, of which there may be 100,000.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        if text.bytes().all(is_plain) {
            continue;
        }
        let forbidden = |character: String| Err(EndpointError::Forbidden { part, character });
        for character in text.chars() {
            if character.is_control() {
                return forbidden(format!("U+{:04X}", u32::from(character)));
            }
            if refused.contains(&character) {
                return forbidden(character.to_string());
            }
            if !refused.is_empty() && character.is_whitespace() {
                return forbidden(format!("U+{:04X}", u32::from(character)));
            }
        }
    }
    // `http://x:host:80` would be read as a URL.
    let begins_with_user = matches!(format, Some(F::UserPassAtHostPort | F::UserPassHostPort));
    if begins_with_user && SCHEMES.contains(&user_name) && password.starts_with("//") {
        return Err(EndpointError::Forbidden { part: Part::Password, character: "//".into() });
    }
    Ok(())
}

/// Whether this is a valid host: labels of letters, digits, `-` and `_`, an IPv4 address, or an IPv6 address without brackets. A name whose
/// last label is numeric is rejected as an invalid IPv4 address.
#[inline]
pub(super) fn is_host(host: &str) -> bool {
    if host.parse::<Ipv4Addr>().is_ok() || host.parse::<Ipv6Addr>().is_ok() {
        return true;
    }
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = host.rsplit('.').next().unwrap_or_default();
    host.len() <= 253 && host.split('.').all(is_label) && !last.bytes().all(|byte| byte.is_ascii_digit())
}

/// The fields of an endpoint that are written, borrowed.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub scheme: &'a str,
    pub host: &'a str,
    pub port: u16,
    pub user_name: &'a str,
    pub password: &'a str,
}

impl<'a> Line<'a> {
    pub fn of(endpoint: &'a Endpoint) -> Line<'a> {
        let Endpoint { scheme, host, port, user_name, password } = endpoint;
        Line { scheme, host, port: *port, user_name, password }
    }

    #[inline]
    pub fn has_credentials(&self) -> bool {
        !self.user_name.is_empty()
    }
}

/// Writes lines of one format into a single buffer.
pub(super) struct Lines {
    out: String,
    format: EndpointFormat,
    target: String,
    count: usize,
}

impl Lines {
    /// Reserves memory for the first `bytes`. Lines of curl request `target`.
    #[inline]
    pub fn new(format: EndpointFormat, target: Option<&str>, bytes: usize) -> Lines {
        let mut out = String::with_capacity(bytes);
        match format {
            EndpointFormat::Csv => out.push_str(CSV_HEADER),
            EndpointFormat::Json => out.push('['),
            _ => {}
        }
        Lines { out, format, target: target.unwrap_or(DEFAULT_TARGET).to_owned(), count: 0 }
    }

    #[inline]
    pub fn push(&mut self, line: Line<'_>) {
        match self.format {
            EndpointFormat::Json if self.count > 0 => self.out.push_str(",\n"),
            EndpointFormat::Csv | EndpointFormat::Json => self.out.push('\n'),
            _ if self.count > 0 => self.out.push('\n'),
            _ => {}
        }
        push_line(&mut self.out, line, self.format, &self.target);
        self.count += 1;
    }

    /// What is written so far, and not yet taken away.
    #[inline]
    pub fn written(&mut self) -> &mut String {
        &mut self.out
    }

    #[inline]
    pub fn finish(mut self) -> String {
        if self.format == EndpointFormat::Json {
            self.out.push_str(if self.count > 0 { "\n]" } else { "]" });
        }
        self.out
    }
}

#[inline]
pub(super) fn push_line(out: &mut String, line: Line<'_>, format: EndpointFormat, target: &str) {
    match format {
        EndpointFormat::HostPortUserPass => {
            push_address(out, line);
            if line.has_credentials() {
                out.push(':');
                push_pair(out, line);
            }
        }
        EndpointFormat::UserPassHostPort => {
            if line.has_credentials() {
                push_pair(out, line);
                out.push(':');
            }
            push_address(out, line);
        }
        EndpointFormat::UserPassAtHostPort => {
            if line.has_credentials() {
                push_pair(out, line);
                out.push('@');
            }
            push_address(out, line);
        }
        EndpointFormat::Url => push_url(out, line),
        EndpointFormat::Curl => {
            // Hosts are validated and credentials percent-encoded, so nothing in the URL ends the quote or means something to a shell. Windows
            // knows double quotes only.
            out.push_str("curl -x \"");
            push_url(out, line);
            out.push_str("\" ");
            out.push_str(target);
        }
        EndpointFormat::Csv => {
            push_cell(out, line.host);
            out.push(',');
            push_number(out, line.port);
            for text in [line.user_name, line.password, line.scheme] {
                out.push(',');
                push_cell(out, text);
            }
        }
        EndpointFormat::Json => {
            out.push_str("{\"host\":");
            push_json(out, line.host);
            out.push_str(",\"port\":");
            push_number(out, line.port);
            for (key, text) in [("username", line.user_name), ("password", line.password), ("scheme", line.scheme)] {
                out.push_str(",\"");
                out.push_str(key);
                out.push_str("\":");
                push_json(out, text);
            }
            out.push('}');
        }
    }
}

#[inline]
fn push_address(out: &mut String, line: Line<'_>) {
    push_host(out, line.host);
    out.push(':');
    push_number(out, line.port);
}

/// Brackets an IPv6 address, because a port follows.
#[inline]
pub(super) fn push_host(out: &mut String, host: &str) {
    if host.contains(':') {
        out.push('[');
        out.push_str(host);
        out.push(']');
    } else {
        out.push_str(host);
    }
}

#[inline]
pub(super) fn push_number(out: &mut String, number: u16) {
    let mut divisor = 10_000;
    while divisor > 1 && number < divisor {
        divisor /= 10;
    }
    while divisor > 0 {
        out.push(char::from(b'0' + (number / divisor % 10) as u8));
        divisor /= 10;
    }
}

#[inline]
fn push_pair(out: &mut String, line: Line<'_>) {
    out.push_str(line.user_name);
    out.push(':');
    out.push_str(line.password);
}

#[inline]
fn push_url(out: &mut String, line: Line<'_>) {
    out.push_str(line.scheme);
    out.push_str("://");
    if line.has_credentials() {
        push_encoded(out, line.user_name);
        out.push(':');
        push_encoded(out, line.password);
        out.push('@');
    }
    push_address(out, line);
}

/// Percent-encodes all bytes except the unreserved characters of URLs.
#[inline]
pub(super) fn push_encoded(out: &mut String, text: &str) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let is_kept = |character: char| character.is_ascii_alphanumeric() || "-._~".contains(character);
    push_escaped(out, text, is_kept, |out, character| {
        for byte in character.encode_utf8(&mut [0; 4]).bytes() {
            out.push('%');
            out.push(char::from(DIGITS[usize::from(byte >> 4)]));
            out.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    });
}

/// Copies a text in runs of unescaped characters, and escapes the others.
#[inline]
fn push_escaped(out: &mut String, text: &str, is_kept: impl Fn(char) -> bool, escape: impl Fn(&mut String, char)) {
    let mut copied = 0;
    for (index, character) in text.char_indices() {
        if !is_kept(character) {
            out.push_str(&text[copied..index]);
            escape(out, character);
            copied = index + character.len_utf8();
        }
    }
    out.push_str(&text[copied..]);
}

#[inline]
fn push_json(out: &mut String, text: &str) {
    out.push('"');
    // Control characters would need escaping too, but are rejected earlier.
    let is_kept = |character| !matches!(character, '"' | '\\');
    push_escaped(out, text, is_kept, |out, character| out.extend(['\\', character]));
    out.push('"');
}

#[cfg(test)]
mod tests;
