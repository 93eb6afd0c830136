//! Objects of JSON, alone or in an array.
use crate::endpoint::error::{EndpointError, Part};
use crate::endpoint::parse::names::{HOST_NAMES, PASSWORD_NAMES, PORT_NAMES, SCHEME_NAMES, USER_NAMES, is_one_of};
use crate::endpoint::parse::parts::{DEFAULT_SCHEME, checked, endpoint, read_host, read_port, read_scheme};
use crate::endpoint::types::Endpoint;
use postern_json::Json;
use std::borrow::Cow;

/// The elements of a text that is a JSON array as a whole; `None` for every other text. Lines are those on which
/// elements begin, counted from 0.
pub(super) fn read_json_array(text: &str) -> Option<Vec<(usize, Result<Endpoint, EndpointError>)>> {
    let start = text.len() - text.trim_start().len();
    if !text[start..].starts_with('[') || Json::parse(text).is_none() {
        return None;
    }
    let mut read = Vec::new();
    let (mut at, mut line) = (start + 1, text[..=start].matches('\n').count());
    loop {
        // What separates elements is known to be in order: the whole text was read before.
        let next = at + text[at..].find(|character: char| !character.is_whitespace() && character != ',')?;
        line += text[at..next].matches('\n').count();
        if text[next..].starts_with(']') {
            return Some(read);
        }
        let (value, length) = Json::parse_first(&text[next..])?;
        read.push((line, read_object(&value).and_then(checked)));
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
    let scheme = if named.is_empty() { DEFAULT_SCHEME } else { read_scheme(&named)? };
    let host = text(HOST_NAMES, Part::Host)?;
    let host = read_host(&host)?;
    let port = match find(PORT_NAMES) {
        Some(Json::Plain(port)) => read_port(port)?,
        other => read_port(&other.and_then(Json::as_text).unwrap_or_default())?,
    };
    let (user_name, password) = (text(USER_NAMES, Part::User)?, text(PASSWORD_NAMES, Part::Password)?);
    Ok(endpoint(scheme, host, port, &user_name, &password))
}
