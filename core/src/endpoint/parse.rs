//! Lines of proxy lists, read back: each in whichever format it is in.
//!
//! A line is taken when exactly one endpoint can be read from it. `host:port:user:pass` and `user:pass:host:port` look
//! alike when the password is a number; then the reading wins whose host is an address or has a dot, and a line in
//! which both or neither do is ambiguous. It is never guessed.
use crate::endpoint::error::{EndpointError, Part};
use crate::endpoint::format::{EndpointFormat, check_credentials, disarm, is_host};
use crate::endpoint::types::{Endpoint, SCHEMES};
use crate::field_errors::Broken;
use postern_json::Json;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What a proxy is taken to speak when its line does not say it.
const DEFAULT_SCHEME: &str = "http";

/// One line of what was pasted, or one element of a JSON array: either the endpoint and the format in which it was, or
/// why it cannot be read.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ReadLine {
    /// Counted from 1; the first one of a command that goes over several lines.
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub endpoint: Option<Endpoint>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub format: Option<EndpointFormat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub broken: Option<Broken>,
}

/// Reads every line, and every element of a JSON array. Empty lines, and headers of CSV, which may name their columns
/// in any order, give nothing. A line that does not say what the proxy speaks gives `http`.
///
/// ```
/// use postern_core::endpoint::read_endpoints;
/// let lines = read_endpoints("198.18.0.1:8080:ann:secret\n\nhttp://198.18.0.2\n");
/// assert_eq!(lines[0].endpoint.as_ref().map(|endpoint| endpoint.user_name.as_str()), Some("ann"));
/// assert_eq!((lines[1].line, lines[1].broken.as_ref().map(|broken| broken.rule.as_str())), (3, Some("endpointPort")));
/// ```
pub fn read_endpoints(text: &str) -> Vec<ReadLine> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(read) = read_json_array(text) {
        return read;
    }
    let mut read = Vec::new();
    let mut columns = None;
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let mut line = line.trim().to_owned();
        while is_curl(&line) && line.ends_with('\\') {
            line.pop();
            match lines.next() {
                Some((_, next)) => line.push_str(next.trim()),
                None => break,
            }
        }
        if line.is_empty() || matches!(line.as_str(), "[" | "]") {
            continue;
        }
        if let Some(named) = read_header(&line) {
            columns = Some(named);
            continue;
        }
        let result = match &columns {
            Some(columns) if line.contains(',') && told_format(&line).is_none() => {
                read_row(&line, columns).map(|endpoint| (endpoint, EndpointFormat::Csv))
            }
            _ => read_endpoint(&line),
        };
        read.push(outcome(index, result));
    }
    read
}

fn outcome(index: usize, result: Result<(Endpoint, EndpointFormat), EndpointError>) -> ReadLine {
    let line = u32::try_from(index + 1).unwrap_or(u32::MAX);
    match result {
        Ok((endpoint, format)) => ReadLine { line, endpoint: Some(endpoint), format: Some(format), broken: None },
        Err(error) => ReadLine { line, endpoint: None, format: None, broken: Some(error.into()) },
    }
}

/// Reads one line in whichever format it is in.
pub fn read_endpoint(line: &str) -> Result<(Endpoint, EndpointFormat), EndpointError> {
    use EndpointFormat as F;
    let line = line.trim();
    if let Some(format) = told_format(line) {
        return read_endpoint_as(line, format).map(|endpoint| (endpoint, format));
    }
    let attempts = [F::HostPortUserPass, F::UserPassAtHostPort, F::UserPassHostPort, F::Csv];
    let mut readings: Vec<(Endpoint, EndpointFormat)> = Vec::new();
    for format in attempts {
        if let Ok(endpoint) = read_endpoint_as(line, format) {
            let is_known = readings.iter().any(|(other, _)| *other == endpoint);
            // A bare word and a number are an endpoint only where a format says so.
            let is_bare = endpoint.user_name.is_empty() || format == F::Csv;
            if !is_known && (!is_bare || is_clearly_host(&endpoint.host)) {
                readings.push((endpoint, format));
            }
        }
    }
    if readings.len() > 1 && readings.iter().any(|(endpoint, _)| is_clearly_host(&endpoint.host)) {
        readings.retain(|(endpoint, _)| is_clearly_host(&endpoint.host));
    }
    match readings.len() {
        1 => readings.pop().ok_or(EndpointError::Unread),
        0 => Err(why_unread(line)),
        _ => Err(EndpointError::Ambiguous),
    }
}

/// The format of a line that says what it is by how it begins.
fn told_format(line: &str) -> Option<EndpointFormat> {
    if is_curl(line) {
        Some(EndpointFormat::Curl)
    } else if line.starts_with('{') && line.trim_end_matches(',').ends_with('}') {
        Some(EndpointFormat::Json)
    } else {
        SCHEMES.iter().any(|scheme| has_scheme(line, scheme)).then_some(EndpointFormat::Url)
    }
}

/// Reads one line that is known to be in this format.
pub fn read_endpoint_as(line: &str, format: EndpointFormat) -> Result<Endpoint, EndpointError> {
    let line = line.trim();
    let endpoint = match format {
        EndpointFormat::HostPortUserPass => read_host_first(line)?,
        EndpointFormat::UserPassHostPort => read_user_first(line)?,
        EndpointFormat::UserPassAtHostPort => read_at(line)?,
        EndpointFormat::Url => read_url(line)?,
        EndpointFormat::Curl => read_curl(line)?,
        EndpointFormat::Csv => return read_row(line, &Columns::default()),
        EndpointFormat::Json => read_object(&Json::parse(line.trim_end_matches(',')).ok_or(EndpointError::Json)?)?,
    };
    checked(endpoint)
}

/// Control characters are refused in whatever way they came in.
fn checked(endpoint: Endpoint) -> Result<Endpoint, EndpointError> {
    check_credentials(&endpoint.user_name, &endpoint.password, None)?;
    Ok(endpoint)
}

/// What to say of a line that nothing could be read from: the error of the format that it resembles most.
fn why_unread(line: &str) -> EndpointError {
    use EndpointFormat as F;
    let resembles = if line.contains("://") {
        F::Url
    } else if line.contains('@') {
        F::UserPassAtHostPort
    } else if line.contains(',') {
        F::Csv
    } else {
        match line.split(':').next() {
            Some(first) if line.contains(':') && is_clearly_host(first) => F::HostPortUserPass,
            _ => return EndpointError::Unread,
        }
    };
    read_endpoint_as(line, resembles).err().unwrap_or(EndpointError::Unread)
}

fn is_clearly_host(host: &str) -> bool {
    host.contains(['.', ':']) || host == "localhost"
}

fn endpoint(scheme: &str, host: &str, port: u16, user_name: &str, password: &str) -> Endpoint {
    Endpoint {
        scheme: scheme.to_owned(),
        host: host.to_owned(),
        port,
        user_name: user_name.to_owned(),
        password: password.to_owned(),
    }
}

#[inline]
pub(super) fn read_port(text: &str) -> Result<u16, EndpointError> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let port = is_plain.then(|| text.parse().ok()).flatten();
    port.filter(|port| *port > 0).ok_or_else(|| EndpointError::Port { value: text.to_owned() })
}

/// A host, without the brackets of an IPv6 address.
fn read_host(text: &str) -> Result<&str, EndpointError> {
    let wrong = || EndpointError::Host { value: text.to_owned() };
    match text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(inside) if inside.contains(':') && is_host(inside) => Ok(inside),
        Some(_) => Err(wrong()),
        None if is_host(text) => Ok(text),
        None => Err(wrong()),
    }
}

/// `host:port`, where an IPv6 address must be in brackets.
fn read_address(text: &str) -> Result<(&str, u16), EndpointError> {
    let no_port = || EndpointError::Port { value: String::new() };
    let (host, port) = if text.starts_with('[') {
        let end = text.find(']').ok_or_else(|| EndpointError::Host { value: text.to_owned() })?;
        (&text[..=end], text[end + 1..].strip_prefix(':').ok_or_else(no_port)?)
    } else {
        text.split_once(':').ok_or_else(no_port)?
    };
    Ok((read_host(host)?, read_port(port)?))
}

/// `user:pass`, neither with a `:`.
fn read_pair(text: &str) -> Result<(&str, &str), EndpointError> {
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

fn read_host_first(line: &str) -> Result<Endpoint, EndpointError> {
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

fn read_user_first(line: &str) -> Result<Endpoint, EndpointError> {
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

fn read_at(line: &str) -> Result<Endpoint, EndpointError> {
    let (pair, address) = match line.rsplit_once('@') {
        Some((pair, address)) => (Some(pair), address),
        None => (None, line),
    };
    let (host, port) = read_address(address)?;
    let (user, password) = pair.map_or(Ok(("", "")), read_pair)?;
    Ok(endpoint(DEFAULT_SCHEME, host, port, user, password))
}

fn has_scheme(text: &str, scheme: &str) -> bool {
    let has_name = text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    has_name && text[scheme.len()..].starts_with("://")
}

fn read_url(text: &str) -> Result<Endpoint, EndpointError> {
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

/// The scheme that a text names; `socks` is taken for `socks5`.
fn read_scheme(text: &str) -> Result<&'static str, EndpointError> {
    let name = if text.eq_ignore_ascii_case("socks") { "socks5" } else { text };
    let known = SCHEMES.into_iter().find(|scheme| scheme.eq_ignore_ascii_case(name));
    known.ok_or_else(|| EndpointError::Scheme { value: text.to_owned() })
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

fn is_curl(line: &str) -> bool {
    line.strip_prefix("curl").is_some_and(|rest| rest.starts_with(char::is_whitespace))
}

/// The proxy of a `curl` command: what `-x`, `--proxy` or `--socks5` name, and what `-U` or `--proxy-user` give as its
/// user.
fn read_curl(line: &str) -> Result<Endpoint, EndpointError> {
    let words = shell_words(line).ok_or(EndpointError::Curl)?;
    let mut words = words.iter().map(String::as_str).skip(1);
    let (mut proxy, mut user) = (None, None);
    while let Some(word) = words.next() {
        match word {
            "-x" | "--proxy" => proxy = words.next().map(|value| ("http", value)),
            "--socks5" => proxy = words.next().map(|value| ("socks5", value)),
            "--socks5-hostname" => proxy = words.next().map(|value| ("socks5h", value)),
            "-U" | "--proxy-user" => user = words.next(),
            _ => {
                proxy = word.strip_prefix("-x").map(|value| ("http", value)).or(proxy);
                user = word.strip_prefix("-U").or(user);
            }
        }
    }
    let (scheme, address) = proxy.ok_or(EndpointError::Curl)?;
    let mut read =
        if address.contains("://") { read_url(address)? } else { read_url(&format!("{scheme}://{address}"))? };
    if let Some(user) = user {
        let (name, password) = user.split_once(':').unwrap_or((user, ""));
        (read.user_name, read.password) = (name.to_owned(), password.to_owned());
    }
    Ok(read)
}

/// The words of a command as a POSIX shell splits them; `None` when a quotation does not end.
fn shell_words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' => {
                let current = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '\'' => break,
                        inside => current.push(inside),
                    }
                }
            }
            '"' => {
                let current = word.get_or_insert_default();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '\\' => match characters.next()? {
                            escaped @ ('"' | '\\' | '$' | '`') => current.push(escaped),
                            other => current.extend(['\\', other]),
                        },
                        inside => current.push(inside),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(characters.next()?),
            _ if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    Some(words)
}

/// In which column of CSV each part is.
#[derive(Clone, Debug)]
struct Columns {
    host: usize,
    port: usize,
    user_name: Option<usize>,
    password: Option<usize>,
    scheme: Option<usize>,
}

impl Default for Columns {
    fn default() -> Columns {
        Columns { host: 0, port: 1, user_name: Some(2), password: Some(3), scheme: Some(4) }
    }
}

const HOST_NAMES: &[&str] = &["host", "ip", "proxy_address", "address", "server", "hostname", "proxy"];
const PORT_NAMES: &[&str] = &["port", "http_port", "proxy_port"];
const USER_NAMES: &[&str] = &["username", "user", "user_name", "login"];
const PASSWORD_NAMES: &[&str] = &["password", "pass"];
const SCHEME_NAMES: &[&str] = &["scheme", "protocol", "type"];

/// The columns that a header of CSV names; `None` for a line that is no header.
fn read_header(line: &str) -> Option<Columns> {
    let cells = line.contains(',').then(|| split_row(line)).flatten()?;
    let find = |names: &[&str]| cells.iter().position(|cell| is_one_of(cell, names));
    Some(Columns {
        host: find(HOST_NAMES)?,
        port: find(PORT_NAMES)?,
        user_name: find(USER_NAMES),
        password: find(PASSWORD_NAMES),
        scheme: find(SCHEME_NAMES),
    })
}

/// Is the word one of these, whatever its case and with or without `_`?
fn is_one_of(word: &str, names: &[&str]) -> bool {
    let plain = |text: &str| text.trim().replace(['_', ' '], "").to_ascii_lowercase();
    names.iter().any(|name| plain(name) == plain(word))
}

fn read_row(line: &str, columns: &Columns) -> Result<Endpoint, EndpointError> {
    let cells = split_row(line).ok_or(EndpointError::Csv)?;
    if cells.len() < 2 {
        return Err(EndpointError::Csv);
    }
    let cell = |column: Option<usize>| column.and_then(|column| cells.get(column)).map_or("", |cell| disarm(cell));
    let scheme = match cell(columns.scheme).trim() {
        "" => DEFAULT_SCHEME,
        named => read_scheme(named)?,
    };
    let host = read_host(cell(Some(columns.host)).trim())?;
    let port = read_port(cell(Some(columns.port)).trim())?;
    checked(endpoint(scheme, host, port, cell(columns.user_name), cell(columns.password)))
}

/// The cells of a row of CSV (RFC 4180); `None` when a quotation does not end, or something follows it.
fn split_row(line: &str) -> Option<Vec<String>> {
    let mut cells = Vec::new();
    let mut rest = line;
    loop {
        let after = match rest.strip_prefix('"') {
            Some(quoted) => {
                let mut cell = String::new();
                let mut quoted = quoted;
                loop {
                    let (text, next) = quoted.split_once('"')?;
                    cell.push_str(text);
                    match next.strip_prefix('"') {
                        Some(doubled) => {
                            cell.push('"');
                            quoted = doubled;
                        }
                        None => {
                            cells.push(cell);
                            break next;
                        }
                    }
                }
            }
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                let cell = &rest[..end];
                if cell.contains('"') {
                    return None;
                }
                cells.push(cell.to_owned());
                &rest[end..]
            }
        };
        match after.strip_prefix(',') {
            Some(next) => rest = next,
            None if after.is_empty() => return Some(cells),
            None => return None,
        }
    }
}

/// The elements of a text that is a JSON array as a whole; `None` for every other text. Lines are those on which
/// elements begin.
fn read_json_array(text: &str) -> Option<Vec<ReadLine>> {
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
        let result = read_object(&value).and_then(checked).map(|endpoint| (endpoint, EndpointFormat::Json));
        read.push(outcome(line, result));
        let end = next + length;
        line += text[next..end].matches('\n').count();
        at = end;
    }
}

fn read_object(value: &Json) -> Result<Endpoint, EndpointError> {
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

#[cfg(test)]
mod tests {
    use super::super::{format_endpoint, format_endpoints};
    use super::*;
    use proptest::prelude::*;

    fn rule(line: &str) -> String {
        read_endpoint(line).map_or_else(|error| error.rule().0.to_owned(), |(_, format)| format.as_str().to_owned())
    }

    #[test]
    fn what_is_no_endpoint_is_refused_with_the_reason() {
        for (line, expected) in [
            ("nonsense", "endpointUnread"),
            ("ann:secret", "endpointUnread"),
            ("note:12", "endpointUnread"),
            ("198.18.0.1", "endpointUnread"),
            ("198.18.0.1:0:a:b", "endpointPort"),
            ("198.18.0.1:65536:a:b", "endpointPort"),
            ("198.18.0.1:+80:a:b", "endpointPort"),
            ("198.18.0.1:80:a", "endpointMissing"),
            ("198.18.0.1:80:a:b:c", "endpointForbidden"),
            ("a:b@198.18.0.256:80", "endpointHost"),
            ("a:b@198.18.0.1", "endpointPort"),
            ("http://a:b@198.18.0.1", "endpointPort"),
            ("http://a:b%4@198.18.0.1:80", "endpointPercent"),
            ("http://a:%ff@198.18.0.1:80", "endpointPercent"),
            ("http://a:%0a@198.18.0.1:80", "endpointForbidden"),
            ("http://a:b@198.18.0.1:80/path", "endpointPort"),
            ("ftp://a:b@198.18.0.1:80", "endpointScheme"),
            ("http://2001:db8::1:80", "endpointHost"),
            ("http://[2001:db8::g]:80", "endpointHost"),
            ("[2001:db8::1]", "endpointUnread"),
            ("curl https://example.com", "endpointCurl"),
            ("curl -x 'http://198.18.0.1:80 https://example.com", "endpointCurl"),
            ("{\"host\":\"198.18.0.1\"}", "endpointPort"),
            ("{\"host\":\"198.18.0.1\",\"port\":80,\"user\":7}", "endpointMissing"),
            ("{not json}", "endpointJson"),
            ("198.18.0.1,eighty,a,b", "endpointPort"),
            ("198.18.0.1,80,\"a", "endpointCsv"),
            ("198.18.0.1:80:198.18.0.2:90", "endpointAmbiguous"),
            ("one:80:two:90", "endpointAmbiguous"),
        ] {
            assert_eq!(rule(line), expected, "{line}");
        }
    }

    #[test]
    fn every_format_is_found_out() {
        let expected = endpoint("http", "198.18.0.1", 8080, "ann", "1234");
        for (line, format) in [
            ("198.18.0.1:8080:ann:1234", EndpointFormat::HostPortUserPass),
            ("ann:1234:198.18.0.1:8080", EndpointFormat::UserPassHostPort),
            (" ann:1234@198.18.0.1:8080 ", EndpointFormat::UserPassAtHostPort),
            ("HTTP://ann:1234@198.18.0.1:8080/", EndpointFormat::Url),
            ("198.18.0.1,8080,ann,1234", EndpointFormat::Csv),
            ("{\"IP\":\"198.18.0.1\",\"port\":\"8080\",\"login\":\"ann\",\"Pass\":\"1234\"},", EndpointFormat::Json),
            ("curl -x 198.18.0.1:8080 -U \"ann:1234\" https://example.com", EndpointFormat::Curl),
            ("curl -v --proxy http://ann:1234@198.18.0.1:8080 -L x", EndpointFormat::Curl),
            ("curl -xhttp://198.18.0.1:8080 -U'ann':1234 x", EndpointFormat::Curl),
        ] {
            assert_eq!(read_endpoint(line), Ok((expected.clone(), format)), "{line}");
        }
        assert_eq!(
            read_endpoint("curl --socks5-hostname '[2001:db8::1]:1080' x").map(|(read, _)| read),
            Ok(endpoint("socks5h", "2001:db8::1", 1080, "", ""))
        );
        assert_eq!(
            read_endpoint("localhost:3128").map(|(read, _)| read),
            Ok(endpoint("http", "localhost", 3128, "", ""))
        );
    }

    #[test]
    fn each_bad_line_has_its_number() {
        let text = "\u{feff}198.18.0.1:80:a:b\r\n\r\nwhat\ncurl \\\n  -x http://198.18.0.1:80 \\\n  https://example.com\nhttp://198.18.0.1\n";
        let read: Vec<_> =
            read_endpoints(text).into_iter().map(|line| (line.line, line.broken.map(|broken| broken.rule))).collect();
        assert_eq!(read, [(1, None), (3, Some("endpointUnread".into())), (4, None), (7, Some("endpointPort".into()))]);
    }

    #[test]
    fn a_header_names_the_columns() {
        let read = read_endpoints(
            "Country,Password,Proxy Address,Port,Username\nus,'=p,198.18.0.1,80,ann\nus,p,198.18.0.1,x,ann",
        );
        assert_eq!(read[0].endpoint, Some(endpoint("http", "198.18.0.1", 80, "ann", "=p")));
        assert_eq!((read[1].line, read[1].endpoint.is_none()), (3, true));
    }

    #[test]
    fn an_array_of_json_is_read_whatever_its_lines_are() {
        let text = "\n[ {\"host\":\"198.18.0.1\",\n\"port\":80},\n\n7, {\"host\":\"198.18.0.2\",\"port\":81} ]";
        let read: Vec<_> =
            read_endpoints(text).into_iter().map(|line| (line.line, line.endpoint.map(|read| read.port))).collect();
        assert_eq!(read, [(2, Some(80)), (5, None), (5, Some(81))]);
        assert_eq!(read_endpoints("[]"), []);
    }

    fn any_host() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<std::net::Ipv4Addr>().prop_map(|address| address.to_string()),
            any::<std::net::Ipv6Addr>().prop_map(|address| address.to_string()),
            "[a-z0-9]{1,9}(-[a-z0-9]{1,4})?\\.(example|test)",
        ]
    }

    prop_compose! {
        fn any_endpoint()(
            scheme in proptest::sample::select(SCHEMES.to_vec()),
            host in any_host(),
            port in 1..=u16::MAX,
            user_name in prop_oneof!["[a-z0-9_-]{1,12}", "[ -~é密]{1,8}", "[0-9.:@/'\",={}\\[\\]%+a-]{1,8}"],
            password in prop_oneof!["[a-zA-Z0-9]{0,12}", "[ -~é密]{0,12}", "[0-9.:@/'\",={}\\[\\]%+a-]{0,8}"],
            is_open in proptest::bool::weighted(0.1),
        ) -> Endpoint {
            let (user_name, password) = if is_open { (String::new(), String::new()) } else { (user_name, password) };
            Endpoint { scheme: scheme.to_owned(), host, port, user_name, password }
        }
    }

    /// What a format tells of an endpoint.
    fn told_by(format: EndpointFormat, endpoint: &Endpoint) -> Endpoint {
        use EndpointFormat as F;
        match format {
            F::HostPortUserPass | F::UserPassHostPort | F::UserPassAtHostPort => {
                Endpoint { scheme: DEFAULT_SCHEME.to_owned(), ..endpoint.clone() }
            }
            _ => endpoint.clone(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn what_is_written_is_read_back_in_its_format(endpoint in any_endpoint()) {
            for format in EndpointFormat::ALL.iter().copied() {
                if let Ok(line) = format_endpoint(&endpoint, format) {
                    prop_assert_eq!(read_endpoint_as(&line, format), Ok(told_by(format, &endpoint)), "{}", line);
                }
            }
        }

        #[test]
        fn a_line_is_read_as_what_it_was_or_called_ambiguous(endpoint in any_endpoint()) {
            // With a host for a user name and a port for a password nobody can tell the two orders apart.
            prop_assume!(!(is_host(&endpoint.user_name) && is_clearly_host(&endpoint.user_name)));
            for format in EndpointFormat::ALL.iter().copied() {
                if let Ok(line) = format_endpoint(&endpoint, format) {
                    match read_endpoint(&line) {
                        Ok((read, _)) => prop_assert_eq!(read, told_by(format, &endpoint), "{}", line),
                        Err(error) => prop_assert_eq!(error, EndpointError::Ambiguous, "{}", line),
                    }
                }
            }
        }

        #[test]
        fn ordinary_lists_are_read_back_whole(
            endpoints in proptest::collection::vec((any_host(), 1..=u16::MAX, "user-[a-z]{1,8}", "[a-z2-9]{4,16}"), 0..6),
        ) {
            let endpoints: Vec<_> =
                endpoints.iter().map(|(host, port, user, password)| endpoint("http", host, *port, user, password)).collect();
            for format in EndpointFormat::ALL.iter().copied() {
                let text = format_endpoints(&endpoints, format).expect("a list");
                let read: Vec<_> = read_endpoints(&text).into_iter().filter_map(|line| line.endpoint).collect();
                prop_assert_eq!(&read, &endpoints, "{}", text);
            }
        }

        #[test]
        fn anything_can_be_pasted(text in "(\\PC|[\\n:@,\\[{\"']){0,60}") {
            for line in read_endpoints(&text) {
                prop_assert!(line.endpoint.is_some() != line.broken.is_some());
            }
        }
    }
}
