//! Lines of parts separated by colons.
use crate::endpoint::error::EndpointError;
use crate::endpoint::parse::parts::{
    DEFAULT_SCHEME, endpoint, is_clearly_host, read_address, read_host, read_pair, read_port,
};
use crate::endpoint::types::Endpoint;

pub(super) fn read_host_first(line: &str) -> Result<Endpoint, EndpointError> {
    let host_end = if line.starts_with('[') { line.find(']').map(|end| end + 1) } else { line.find(':') };
    let host_end = host_end.ok_or(EndpointError::Port { value: String::new() })?;
    let port_end = line[host_end..].char_indices().skip(1).find(|(_, character)| *character == ':');
    let (address, pair) = match port_end {
        Some((length, _)) => (&line[..host_end + length], Some(&line[host_end + length + 1..])),
        None => (line, None),
    };
    let (host, port) = read_address(address)?;
    let (user, password) = pair.map_or(Ok(("", "")), read_pair)?;
    Ok(endpoint(DEFAULT_SCHEME, host, port, user, password))
}

pub(super) fn read_user_first(line: &str) -> Result<Endpoint, EndpointError> {
    let (rest, port) = line.rsplit_once(':').ok_or(EndpointError::Port { value: String::new() })?;
    let port = read_port(port)?;
    let host_start = if rest.ends_with(']') { rest.rfind('[') } else { rest.rfind(':').map(|colon| colon + 1) };
    match host_start.unwrap_or(0) {
        0 => Ok(endpoint(DEFAULT_SCHEME, read_host(rest)?, port, "", "")),
        start => {
            let host = read_host(&rest[start..])?;
            let pair = rest[..start].strip_suffix(':').ok_or(EndpointError::Unread)?;
            let (user, password) = read_pair(pair)?;
            Ok(endpoint(DEFAULT_SCHEME, host, port, user, password))
        }
    }
}

pub(super) fn read_at(line: &str) -> Result<Endpoint, EndpointError> {
    let (pair, address) = match line.rsplit_once('@') {
        Some((pair, address)) => (Some(pair), address),
        None => (None, line),
    };
    let (host, port) = read_address(address)?;
    let (user, password) = pair.map_or(Ok(("", "")), read_pair)?;
    Ok(endpoint(DEFAULT_SCHEME, host, port, user, password))
}

/// `host:port@user:pass`, with a host that cannot be mistaken for a user name.
pub(super) fn read_host_at(line: &str) -> Result<Endpoint, EndpointError> {
    let (address, pair) = line.split_once('@').ok_or(EndpointError::Unread)?;
    let ((host, port), (user, password)) = (read_address(address)?, read_pair(pair)?);
    if !is_clearly_host(host) || pair.contains('@') {
        return Err(EndpointError::Unread);
    }
    Ok(endpoint(DEFAULT_SCHEME, host, port, user, password))
}
