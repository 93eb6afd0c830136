//! Proxy URLs.
use crate::endpoint::error::EndpointError;
use crate::endpoint::parse::parts::{endpoint, read_address, read_scheme};
use crate::endpoint::types::Endpoint;

/// Parameters of FoxyProxy's URLs that describe how it shows and uses the proxy.
const SHOWN: [&str; 12] = [
    "active",
    "cc",
    "city",
    "color",
    "country",
    "countrycode",
    "enabled",
    "patternexcludesintranet",
    "patternincludesall",
    "proxydns",
    "title",
    "type",
];

pub(super) fn is_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| url_scheme(scheme).is_ok())
}

/// The scheme of a URL; FoxyProxy calls HTTP `proxy` and HTTPS `ssl`.
pub(super) fn url_scheme(text: &str) -> Result<&'static str, EndpointError> {
    match text.to_ascii_lowercase().as_str() {
        "proxy" => Ok("http"),
        "ssl" => Ok("https"),
        _ => read_scheme(text),
    }
}

pub(super) fn read_url(text: &str) -> Result<Endpoint, EndpointError> {
    let (scheme, rest) = text.split_once("://").ok_or(EndpointError::Unread)?;
    let scheme = url_scheme(scheme)?;
    let (pair, address) = match rest.rsplit_once('@') {
        Some((pair, address)) => (Some(pair), address),
        None => (None, rest),
    };
    // A fragment is the proxy's name in other programs.
    let address = address.split_once('#').map_or(address, |(address, _)| address);
    let (address, parameters) = address.split_once('?').unwrap_or((address, ""));
    let (host, port) = read_address(address.strip_suffix('/').unwrap_or(address))?;
    let (user, password) = pair.map_or(("", ""), |pair| pair.split_once(':').unwrap_or((pair, "")));
    let mut read = endpoint(scheme, host, port, &percent_decode(user)?, &percent_decode(password)?);
    for (name, value) in parameters.split('&').filter_map(|parameter| parameter.split_once('=')) {
        match name.to_ascii_lowercase().as_str() {
            "username" => read.user_name = percent_decode(value)?,
            "password" => read.password = percent_decode(value)?,
            shown if SHOWN.contains(&shown) => {}
            _ => return Err(EndpointError::Port { value: format!("{port}?{parameters}") }),
        }
    }
    Ok(read)
}

fn percent_decode(text: &str) -> Result<String, EndpointError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    loop {
        rest = match rest {
            [] => return String::from_utf8(bytes).map_err(|_| EndpointError::Percent),
            [b'%', high, low, after @ ..] => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16);
                let (high, low) = digit(high).zip(digit(low)).ok_or(EndpointError::Percent)?;
                bytes.push((high * 16 + low) as u8);
                after
            }
            [b'%', ..] => return Err(EndpointError::Percent),
            [byte, after @ ..] => {
                bytes.push(*byte);
                after
            }
        };
    }
}
