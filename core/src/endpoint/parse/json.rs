//! JSON objects, alone or in an array.
use crate::endpoint::error::{EndpointError, Part};
use crate::endpoint::parse::names::{
    HOST_NAMES, LIST_NAMES, PASSWORD_NAMES, PORT_NAMES, SCHEME_NAMES, USER_NAMES, is_one_of,
};
use crate::endpoint::parse::parts::{DEFAULT_SCHEME, endpoint, read_host, read_port, read_scheme};
use crate::endpoint::parse::plain::read_at;
use crate::endpoint::parse::url::read_url;
use crate::endpoint::types::Endpoint;
use crate::json_text::parse_json;
use serde_json::Value;

/// The elements of a text that is one JSON array, or an object with an array or fields of such elements, as FoxyProxy, Webshare and others
/// export them; each with the line on which it begins, counted from 0. `None` for any other text.
pub(super) fn json_list(text: &str) -> Option<Vec<(usize, Value)>> {
    let start = text.len() - text.trim_start().len();
    let listed = match (text.as_bytes().get(start)?, parse_json(text)?) {
        (b'[', _) => inside(text, start)?,
        (_, whole) if names_host(&whole) => vec![Inner { start, key: String::new(), value: whole }],
        (b'{', _) => {
            let mut listed = Vec::new();
            for field in inside(text, start)? {
                match &field.value {
                    Value::Array(items) if is_list(&field.key, items) => listed.extend(inside(text, field.start)?),
                    value if names_host(value) => listed.push(field),
                    _ => {}
                }
            }
            listed
        }
        _ => return None,
    };
    if listed.is_empty() && !text[start..].starts_with('[') {
        return None;
    }
    let (mut counted, mut line) = (0, 0);
    let mut with_lines = Vec::with_capacity(listed.len());
    for inner in listed {
        line += text[counted..inner.start].matches('\n').count();
        counted = inner.start;
        with_lines.push((line, inner.value));
    }
    Some(with_lines)
}

/// A value inside an array or an object.
struct Inner {
    /// The offset of the value in the text.
    start: usize,
    /// Empty in an array.
    key: String,
    value: Value,
}

/// The values of the array or object that begins at this offset, in a text that has been parsed.
fn inside(text: &str, start: usize) -> Option<Vec<Inner>> {
    let is_object = text[start..].starts_with('{');
    let mut read = Vec::new();
    let mut at = start + 1;
    let next = |at: usize| Some(at + text[at..].find(|one: char| !one.is_whitespace() && !matches!(one, ',' | ':'))?);
    loop {
        at = next(at)?;
        if text[at..].starts_with([']', '}']) {
            return Some(read);
        }
        let mut key = String::new();
        if is_object {
            let (name, length) = first(&text[at..])?;
            key = name.as_str()?.to_owned();
            at = next(at + length)?;
        }
        let (value, length) = first(&text[at..])?;
        read.push(Inner { start: at, key, value });
        at += length;
    }
}

/// The value at the beginning of the text, and its length in bytes.
fn first(text: &str) -> Option<(Value, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter();
    let value = values.next()?.ok()?;
    Some((value, values.byte_offset()))
}

fn names_host(value: &Value) -> bool {
    let Value::Object(fields) = value else { return false };
    fields.iter().any(|(name, value)| is_one_of(name, HOST_NAMES) && value.is_string())
}

/// Whether an array inside an object is the list of proxies.
fn is_list(key: &str, items: &[Value]) -> bool {
    items.iter().any(names_host) || (matches!(items, [Value::String(_), ..]) && is_one_of(key, LIST_NAMES))
}

pub(super) fn read_object(value: &Value) -> Result<Endpoint, EndpointError> {
    let Value::Object(fields) = value else { return Err(EndpointError::Json) };
    let find = |names: &[&str]| {
        let mut found = names.iter().filter_map(|name| fields.iter().find(|(field, _)| is_one_of(field, &[name])));
        found.next().map(|(_, value)| value)
    };
    let text = |names: &[&str], part: Part| match find(names) {
        None | Some(Value::Null) => Ok(""),
        Some(value) => value.as_str().ok_or(EndpointError::Missing { part }),
    };
    let number;
    let named = match find(SCHEME_NAMES) {
        Some(Value::Number(written)) => {
            number = written.to_string();
            foxy_proxy_type(&number)
        }
        Some(Value::Array(items)) => match items.as_slice() {
            [one] => one.as_str().ok_or(EndpointError::Missing { part: Part::Scheme })?,
            _ => return Err(EndpointError::Ambiguous),
        },
        _ => text(SCHEME_NAMES, Part::Scheme)?,
    };
    let host = text(HOST_NAMES, Part::Host)?;
    let (user_name, password) = (text(USER_NAMES, Part::User)?, text(PASSWORD_NAMES, Part::Password)?);
    if find(PORT_NAMES).is_none() && host.contains(':') {
        return read_server(host, named, user_name, password);
    }
    let scheme = if named.is_empty() { DEFAULT_SCHEME } else { read_scheme(named)? };
    let host = read_host(host)?;
    let port = match find(PORT_NAMES) {
        Some(Value::Number(port)) => read_port(&port.to_string())?,
        other => read_port(other.and_then(Value::as_str).unwrap_or_default())?,
    };
    Ok(endpoint(scheme, host, port, user_name, password))
}

/// The scheme that FoxyProxy 7 and older write as a number; the number itself for what is no proxy of ours.
fn foxy_proxy_type(number: &str) -> &str {
    match number {
        "1" => "http",
        "2" => "https",
        "3" => "socks5",
        "4" => "socks4",
        other => other,
    }
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
