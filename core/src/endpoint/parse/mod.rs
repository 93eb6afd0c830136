//! Parses lines of proxy lists, each in any format.
//!
//! A line is accepted if exactly one endpoint can be parsed from it. `host:port:user:pass` and `user:pass:host:port` look alike if the
//! password is a number; then the interpretation whose host is an address or has a dot wins, and if both or neither do, the line is
//! ambiguous. Nothing is guessed: words that may be remarks or credentials make a line ambiguous.
//!
//! Besides the formats that are written, common variants are parsed: parts separated by spaces, tabs, commas, semicolons or bars,
//! `host:port@user:pass`, colon-separated parts after a scheme or beside one, URLs with FoxyProxy's parameters, and any of these in
//! quotation marks. Invisible characters and comments (`#`) are dropped.
mod csv;
mod curl;
mod json;
mod names;
mod parts;
mod plain;
mod remarks;
mod separated;
mod url;

use crate::checks::without_invisible;
use crate::csv::is_separator_line;
use crate::endpoint::error::EndpointError;
use crate::endpoint::format::EndpointFormat;
use crate::endpoint::parse::csv::{Columns, is_plain_row, read_header, read_row};
use crate::endpoint::parse::curl::{is_curl, read_curl};
use crate::endpoint::parse::json::{json_list, read_object};
pub(super) use crate::endpoint::parse::parts::read_port;
use crate::endpoint::parse::parts::{DEFAULT_SCHEME, checked, is_clearly_host, read_scheme};
use crate::endpoint::parse::plain::{read_at, read_host_at, read_host_first, read_user_first};
use crate::endpoint::parse::remarks::{as_meant, before_remark};
use crate::endpoint::parse::separated::{has_words_beside_an_address, read_separated, rejection_of};
use crate::endpoint::parse::url::{is_url, read_url, url_scheme};
use crate::endpoint::types::Endpoint;
use crate::field_errors::Broken;
use crate::json_text::parse_json;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One pasted line, or one element of a JSON array: either the endpoint and its format, or the error.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify), tsify(hashmap_as_object))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ReadLine {
    /// Counted from 1; for a command that spans several lines, the first of them.
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub endpoint: Option<Endpoint>,
    /// Absent for a notation that is parsed but never written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub format: Option<EndpointFormat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "tsify", tsify(optional))]
    pub broken: Option<Broken>,
}

/// Parses every line, or every element of a JSON array, which may be inside an object. Empty lines, comments and CSV headers, which may
/// name the columns in any order, are skipped. A line without a scheme gets `http`.
///
/// ```
/// use postern_core::endpoint::read_endpoints;
/// let lines = read_endpoints("198.18.0.1:8080:ann:secret\n\nhttp://198.18.0.2\n");
/// assert_eq!(lines[0].endpoint.as_ref().map(|endpoint| endpoint.user_name.as_str()), Some("ann"));
/// assert_eq!((lines[1].line, lines[1].broken.as_ref().map(|broken| broken.rule.as_str())), (3, Some("endpointPort")));
/// ```
pub fn read_endpoints(text: &str) -> Vec<ReadLine> {
    let text = &without_invisible(text);
    if let Some(elements) = json_list(text) {
        return elements.into_iter().map(|(index, element)| outcome(index, read_element(&element))).collect();
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
        let is_comment = line.starts_with('#') || line.starts_with("//");
        if line.is_empty() || is_comment || matches!(line.as_str(), "[" | "]") || is_separator_line(&line) {
            continue;
        }
        if let Some(named) = read_header(&line) {
            columns = Some(named);
            continue;
        }
        let result = match &columns {
            Some(columns) if columns.fit(&line) && format_by_prefix(&line).is_none() => {
                read_row(&line, columns).map(|endpoint| (endpoint, Some(EndpointFormat::Csv)))
            }
            _ => read_endpoint(&line),
        };
        read.push(outcome(index, result));
    }
    read
}

/// A parsed endpoint and its format.
type Read = (Endpoint, Option<EndpointFormat>);

fn read_element(element: &Value) -> Result<Read, EndpointError> {
    match element.as_str() {
        Some(line) => read_endpoint(line),
        None => read_object(element).and_then(checked).map(|endpoint| (endpoint, Some(EndpointFormat::Json))),
    }
}

fn outcome(index: usize, result: Result<Read, EndpointError>) -> ReadLine {
    let line = u32::try_from(index + 1).unwrap_or(u32::MAX);
    match result {
        Ok((endpoint, format)) => ReadLine { line, endpoint: Some(endpoint), format, broken: None },
        Err(error) => ReadLine { line, endpoint: None, format: None, broken: Some(error.into()) },
    }
}

/// Parses one line in any format.
pub fn read_endpoint(line: &str) -> Result<Read, EndpointError> {
    let line = &without_invisible(line);
    let line = without_quotes(line.trim());
    if before_remark(line).is_some_and(|before| read_as_written(before).is_ok()) {
        return Err(EndpointError::Ambiguous);
    }
    let written = read_as_written(line);
    let Some(meant) = as_meant(line) else { return written };
    match (written, read_as_written(&meant)) {
        (Ok((one, _)), Ok((other, _))) if one != other => Err(EndpointError::Ambiguous),
        (Ok(read), _) | (Err(_), Ok(read)) => Ok(read),
        (Err(_), Err(error)) => Err(error),
    }
}

fn read_as_written(line: &str) -> Result<Read, EndpointError> {
    let Some(format) = format_by_prefix(line) else { return read_without_prefix(line) };
    read_endpoint_as(line, format).map(|endpoint| (endpoint, Some(format))).or_else(|error| {
        // `socks5://host:port:user:pass` is not a URL, and with percent escapes it would be ambiguous.
        let is_other = matches!(error, EndpointError::Host { .. } | EndpointError::Port { .. });
        let Some((scheme, rest)) = line.split_once("://").filter(|_| is_other && format == EndpointFormat::Url) else {
            return Err(error);
        };
        let (mut endpoint, _) = read_without_prefix(rest).map_err(|inner| match inner {
            EndpointError::Ambiguous => inner,
            _ => error,
        })?;
        if rest.contains('%') || endpoint.scheme != DEFAULT_SCHEME {
            return Err(EndpointError::Ambiguous);
        }
        url_scheme(scheme)?.clone_into(&mut endpoint.scheme);
        Ok((endpoint, None))
    })
}

/// Strips the quotes and comma of a string in source code: `"198.18.0.1:80",`.
fn without_quotes(line: &str) -> &str {
    let inside = |quote| {
        let inside = line.strip_suffix(',').unwrap_or(line).strip_prefix(quote)?.strip_suffix(quote)?;
        (!inside.contains(quote)).then(|| inside.trim())
    };
    inside('"').or_else(|| inside('\'')).unwrap_or(line)
}

/// Parses a line whose format cannot be recognised by its prefix.
fn read_without_prefix(line: &str) -> Result<Read, EndpointError> {
    use EndpointFormat as F;
    let mut read: Vec<Read> = Vec::new();
    for format in COLON_FORMATS.into_iter().chain(is_plain_row(line).then_some(F::Csv)) {
        if let Ok(endpoint) = read_endpoint_as(line, format) {
            read.push((endpoint, Some(format)));
        }
    }
    let mut others = read_separated(line);
    others.extend(read_host_at(line));
    others.extend(read_beside_scheme(line));
    read.extend(others.into_iter().filter_map(|endpoint| Some((checked(endpoint).ok()?, None))));
    let mut readings: Vec<Read> = Vec::new();
    for (endpoint, format) in read {
        let is_known = readings.iter().any(|(other, _)| *other == endpoint);
        // A bare word and a number are an endpoint only if the format is given.
        let is_bare = endpoint.user_name.is_empty() || format == Some(F::Csv);
        if !is_known && (!is_bare || is_clearly_host(&endpoint.host)) {
            readings.push((endpoint, format));
        }
    }
    if readings.len() > 1 && readings.iter().any(|(endpoint, _)| is_clearly_host(&endpoint.host)) {
        readings.retain(|(endpoint, _)| is_clearly_host(&endpoint.host));
    }
    match readings.len() {
        1 => readings.pop().ok_or(EndpointError::Unread),
        0 => Err(likely_error(line)),
        _ => Err(EndpointError::Ambiguous),
    }
}

const COLON_FORMATS: [EndpointFormat; 3] =
    [EndpointFormat::HostPortUserPass, EndpointFormat::UserPassAtHostPort, EndpointFormat::UserPassHostPort];

/// `socks5:host:port:user:pass`, and the scheme at the end of such a line.
fn read_beside_scheme(line: &str) -> Vec<Endpoint> {
    let first = line.split_once(':');
    let last = line.rsplit_once(':').map(|(rest, scheme)| (scheme, rest));
    let sides = [first, last].into_iter().flatten();
    let schemed = sides.filter_map(|(scheme, rest)| Some((read_scheme(scheme).ok()?, rest)));
    schemed
        .flat_map(|(scheme, rest)| COLON_FORMATS.map(|format| (scheme, read_endpoint_as(rest, format))))
        .filter_map(|(scheme, read)| Some(Endpoint { scheme: scheme.to_owned(), ..read.ok()? }))
        .filter(|endpoint| is_clearly_host(&endpoint.host))
        .collect()
}

/// The format of a line, if it is recognisable by its prefix.
fn format_by_prefix(line: &str) -> Option<EndpointFormat> {
    if is_curl(line) {
        Some(EndpointFormat::Curl)
    } else if line.starts_with('{') && line.trim_end_matches(',').ends_with('}') {
        Some(EndpointFormat::Json)
    } else {
        is_url(line).then_some(EndpointFormat::Url)
    }
}

/// Parses one line in this format.
pub fn read_endpoint_as(line: &str, format: EndpointFormat) -> Result<Endpoint, EndpointError> {
    let line = line.trim();
    let endpoint = match format {
        EndpointFormat::HostPortUserPass => read_host_first(line)?,
        EndpointFormat::UserPassHostPort => read_user_first(line)?,
        EndpointFormat::UserPassAtHostPort => read_at(line)?,
        EndpointFormat::Url => read_url(line)?,
        EndpointFormat::Curl => read_curl(line)?,
        EndpointFormat::Csv => return read_row(line, &Columns::default()),
        EndpointFormat::Json => read_object(&parse_json(line.trim_end_matches(',')).ok_or(EndpointError::Json)?)?,
    };
    checked(endpoint)
}

/// The error for a line that could not be parsed: that of the format that it resembles most.
fn likely_error(line: &str) -> EndpointError {
    use EndpointFormat as F;
    if let Some(error) = rejection_of(line) {
        return error;
    }
    if has_words_beside_an_address(line) {
        return EndpointError::Ambiguous;
    }
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

#[cfg(test)]
mod tests;
