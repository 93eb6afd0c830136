//! Parses the parts of an endpoint, in any notation.
use crate::checks::is_invisible;
use crate::endpoint::error::{EndpointError, Part};
use crate::endpoint::format::{check_credentials, is_host};
use crate::endpoint::types::{Endpoint, SCHEMES};

/// The scheme of a line that does not name one.
pub(super) const DEFAULT_SCHEME: &str = "http";

/// Rejects control and other invisible characters, in whatever notation they were written.
pub(super) fn checked(endpoint: Endpoint) -> Result<Endpoint, EndpointError> {
    check_credentials(&endpoint.user_name, &endpoint.password, None)?;
    for (part, text) in [(Part::User, &endpoint.user_name), (Part::Password, &endpoint.password)] {
        if let Some(invisible) = text.chars().find(|character| is_invisible(*character)) {
            return Err(EndpointError::Forbidden { part, character: format!("U+{:04X}", u32::from(invisible)) });
        }
    }
    Ok(endpoint)
}

pub(super) fn is_clearly_host(host: &str) -> bool {
    host.contains(['.', ':']) || host == "localhost"
}

pub(super) fn endpoint(scheme: &str, host: &str, port: u16, user_name: &str, password: &str) -> Endpoint {
    Endpoint {
        scheme: scheme.to_owned(),
        host: host.to_owned(),
        port,
        user_name: user_name.to_owned(),
        password: password.to_owned(),
    }
}

#[inline]
pub(crate) fn read_port(text: &str) -> Result<u16, EndpointError> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let port = is_plain.then(|| text.parse().ok()).flatten();
    port.filter(|port| *port > 0).ok_or_else(|| EndpointError::Port { value: text.to_owned() })
}

/// A host, without the brackets of an IPv6 address.
pub(super) fn read_host(text: &str) -> Result<&str, EndpointError> {
    let wrong = || EndpointError::Host { value: text.to_owned() };
    match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inside) if inside.contains(':') && is_host(inside) => Ok(inside),
        Some(_) => Err(wrong()),
        None if is_host(text) => Ok(text),
        None => Err(wrong()),
    }
}

/// `host:port`; an IPv6 address must be in brackets.
pub(super) fn read_address(text: &str) -> Result<(&str, u16), EndpointError> {
    let no_port = || EndpointError::Port { value: String::new() };
    let (host, port) = if text.starts_with('[') {
        let end = text.find(']').ok_or_else(|| EndpointError::Host { value: text.to_owned() })?;
        (&text[..=end], text[end + 1..].strip_prefix(':').ok_or_else(no_port)?)
    } else {
        text.split_once(':').ok_or_else(no_port)?
    };
    Ok((read_host(host)?, read_port(port)?))
}

/// `user:pass`, neither containing `:`.
pub(super) fn read_pair(text: &str) -> Result<(&str, &str), EndpointError> {
    let (user, password) = text.split_once(':').ok_or(EndpointError::Missing { part: Part::Password })?;
    if password.contains(':') {
        return Err(EndpointError::Forbidden { part: Part::Password, character: ":".into() });
    }
    if user.is_empty() {
        return Err(EndpointError::Missing { part: Part::User });
    }
    let blank = |text: &str| text.chars().find(|character| character.is_whitespace());
    for (part, text) in [(Part::User, user), (Part::Password, password)] {
        if let Some(found) = blank(text) {
            return Err(EndpointError::Forbidden { part, character: format!("U+{:04X}", u32::from(found)) });
        }
    }
    Ok((user, password))
}

/// The scheme named by a text; `socks` means `socks5`.
pub(super) fn read_scheme(text: &str) -> Result<&'static str, EndpointError> {
    let name = if text.eq_ignore_ascii_case("socks") { "socks5" } else { text };
    let known = SCHEMES.into_iter().find(|scheme| scheme.eq_ignore_ascii_case(name));
    known.ok_or_else(|| EndpointError::Scheme { value: text.to_owned() })
}
