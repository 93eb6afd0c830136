//! JSON objects, alone or in an array.
use crate::endpoint::error::{EndpointError, Part};
use crate::endpoint::parse::names::{HOST_NAMES, PASSWORD_NAMES, PORT_NAMES, SCHEME_NAMES, USER_NAMES, is_one_of};
use crate::endpoint::parse::parts::{DEFAULT_SCHEME, endpoint, read_host, read_port, read_scheme};
use crate::endpoint::parse::plain::read_at;
use crate::endpoint::parse::url::read_url;
use crate::endpoint::types::Endpoint;
use postern_json::Json;
use std::borrow::Cow;

/// The elements of a text that is one JSON array, each with the line on which it begins, counted from 0; `None` for any other text.
pub(super) fn json_array(text: &str) -> Option<Vec<(usize, Json<'_>)>> {
    let start = text.len() - text.trim_start().len();
    if !text[start..].starts_with('[') || Json::parse(text).is_none() {
        return None;
    }
    let mut read = Vec::new();
    let (mut at, mut line) = (start + 1, text[..=start].matches('\n').count());
    loop {
        // The separators are known to be valid, because the whole text has been parsed.
        let next = at + text[at..].find(|character: char| !character.is_whitespace() && character != ',')?;
        line += text[at..next].matches('\n').count();
        if text[next..].starts_with(']') {
            return Some(read);
        }
        let (value, length) = Json::parse_first(&text[next..])?;
        read.push((line, value));
        let end = next + length;
        line += text[next..end].matches('\n').count();
        at = end;
    }
}

pub(super) fn read_object(value: &Json) -> Result<Endpoint, EndpointError> {
    let Json::Object(fields) = value else { return Err(EndpointError::Json) };
    let find = |names: &[&str]| fields.iter().find(|(name, _)| is_one_of(name, names)).map(|(_, value)| value);
    let text = |names: &[&str], part: Part| match find(names) {
        None | Some(Json::Plain("null")) => Ok(Cow::Borrowed("")),
        Some(value) => value.as_text().ok_or(EndpointError::Missing { part }),
    };
    let named = text(SCHEME_NAMES, Part::Scheme)?;
    let host = text(HOST_NAMES, Part::Host)?;
    let (user_name, password) = (text(USER_NAMES, Part::User)?, text(PASSWORD_NAMES, Part::Password)?);
    if find(PORT_NAMES).is_none() && host.contains(':') {
        return read_server(&host, &named, &user_name, &password);
    }
    let scheme = if named.is_empty() { DEFAULT_SCHEME } else { read_scheme(&named)? };
    let host = read_host(&host)?;
    let port = match find(PORT_NAMES) {
        Some(Json::Plain(port)) => read_port(port)?,
        other => read_port(&other.and_then(Json::as_text).unwrap_or_default())?,
    };
    Ok(endpoint(scheme, host, port, &user_name, &password))
}

/// Parses an object whose host includes more, as in browser proxy settings: `{"server": "http://198.18.0.1:80", "username": "ann"}`. A
/// value that is given twice must be the same.
fn read_server(server: &str, scheme: &str, user_name: &str, password: &str) -> Result<Endpoint, EndpointError> {
    let mut read = if server.contains("://") { read_url(server)? } else { read_at(server)? };
    if !scheme.is_empty() {
        let named = read_scheme(scheme)?;
        if server.contains("://") && named != read.scheme {
            return Err(EndpointError::Ambiguous);
        }
        named.clone_into(&mut read.scheme);
    }
    for (given, own) in [(user_name, &mut read.user_name), (password, &mut read.password)] {
        if !given.is_empty() && !own.is_empty() && given != own {
            return Err(EndpointError::Ambiguous);
        }
        if !given.is_empty() {
            given.clone_into(own);
        }
    }
    Ok(read)
}
