//! Proxy URLs.
use crate::endpoint::error::EndpointError;
use crate::endpoint::parse::parts::{endpoint, read_address, read_scheme};
use crate::endpoint::types::Endpoint;

pub(super) fn has_scheme(text: &str, scheme: &str) -> bool {
    let has_name = text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    has_name && text[scheme.len()..].starts_with("://")
}

pub(super) fn read_url(text: &str) -> Result<Endpoint, EndpointError> {
    let (scheme, rest) = text.split_once("://").ok_or(EndpointError::Unread)?;
    let scheme = read_scheme(scheme)?;
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    let (pair, address) = match rest.rsplit_once('@') {
        Some((pair, address)) => (Some(pair), address),
        None => (None, rest),
    };
    let (host, port) = read_address(address)?;
    let (user, password) = pair.map_or(("", ""), |pair| pair.split_once(':').unwrap_or((pair, "")));
    let (user, password) = (percent_decode(user)?, percent_decode(password)?);
    Ok(endpoint(scheme, host, port, &user, &password))
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
