//! Parses lines of proxy lists, each in any format.
//!
//! A line is accepted if exactly one endpoint can be parsed from it. `host:port:user:pass` and `user:pass:host:port` look alike if the
//! password is a number; then the interpretation whose host is an address or has a dot wins, and if both or neither do, the line is
//! ambiguous. Nothing is guessed.
//!
//! Besides the formats that are written, common variants are parsed: parts separated by spaces, tabs, semicolons or bars,
//! `host:port@user:pass`, colon-separated parts after a scheme, and any of these in quotation marks.
mod csv;
mod curl;
mod json;
mod names;
mod parts;
mod plain;
mod separated;
mod url;

use crate::endpoint::error::EndpointError;
use crate::endpoint::format::EndpointFormat;
use crate::endpoint::parse::csv::{Columns, read_header, read_row};
use crate::endpoint::parse::curl::{is_curl, read_curl};
use crate::endpoint::parse::json::{json_array, read_object};
pub(super) use crate::endpoint::parse::parts::read_port;
use crate::endpoint::parse::parts::{checked, is_clearly_host, read_scheme};
use crate::endpoint::parse::plain::{read_at, read_host_at, read_host_first, read_user_first};
use crate::endpoint::parse::separated::{read_separated, rejection_of};
use crate::endpoint::parse::url::{has_scheme, read_url};
use crate::endpoint::types::{Endpoint, SCHEMES};
use crate::field_errors::Broken;
use postern_json::Json;
use serde::{Deserialize, Serialize};

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

/// Parses every line, or every element of a JSON array. Empty lines and CSV headers, which may name the columns in any order, are skipped.
/// A line without a scheme gets `http`.
///
/// ```
/// use postern_core::endpoint::read_endpoints;
/// let lines = read_endpoints("198.18.0.1:8080:ann:secret\n\nhttp://198.18.0.2\n");
/// assert_eq!(lines[0].endpoint.as_ref().map(|endpoint| endpoint.user_name.as_str()), Some("ann"));
/// assert_eq!((lines[1].line, lines[1].broken.as_ref().map(|broken| broken.rule.as_str())), (3, Some("endpointPort")));
/// ```
pub fn read_endpoints(text: &str) -> Vec<ReadLine> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Some(elements) = json_array(text) {
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
        if line.is_empty() || matches!(line.as_str(), "[" | "]") {
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

fn read_element(element: &Json) -> Result<Read, EndpointError> {
    match element.as_text() {
        Some(line) => read_endpoint(&line),
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
    let line = without_quotes(line.trim());
    let Some(format) = format_by_prefix(line) else { return read_without_prefix(line) };
    read_endpoint_as(line, format).map(|endpoint| (endpoint, Some(format))).or_else(|error| {
        // `socks5://host:port:user:pass` is not a URL, and with percent escapes it would be ambiguous.
        let is_other = matches!(error, EndpointError::Host { .. } | EndpointError::Port { .. });
        let Some((scheme, rest)) = line.split_once("://").filter(|_| is_other && format == EndpointFormat::Url) else {
            return Err(error);
        };
        let (mut endpoint, _) = read_without_prefix(rest).map_err(|_| error)?;
        if rest.contains('%') {
            return Err(EndpointError::Ambiguous);
        }
        read_scheme(scheme)?.clone_into(&mut endpoint.scheme);
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
    for format in [F::HostPortUserPass, F::UserPassAtHostPort, F::UserPassHostPort, F::Csv] {
        if let Ok(endpoint) = read_endpoint_as(line, format) {
            read.push((endpoint, Some(format)));
        }
    }
    let mut others = read_separated(line);
    others.extend(read_host_at(line));
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

/// The format of a line, if it is recognisable by its prefix.
fn format_by_prefix(line: &str) -> Option<EndpointFormat> {
    if is_curl(line) {
        Some(EndpointFormat::Curl)
    } else if line.starts_with('{') && line.trim_end_matches(',').ends_with('}') {
        Some(EndpointFormat::Json)
    } else {
        SCHEMES.iter().any(|scheme| has_scheme(line, scheme)).then_some(EndpointFormat::Url)
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
        EndpointFormat::Json => read_object(&Json::parse(line.trim_end_matches(',')).ok_or(EndpointError::Json)?)?,
    };
    checked(endpoint)
}

/// The error for a line that could not be parsed: that of the format that it resembles most.
fn likely_error(line: &str) -> EndpointError {
    use EndpointFormat as F;
    if let Some(error) = rejection_of(line) {
        return error;
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
mod tests {
    use super::parts::{DEFAULT_SCHEME, endpoint};
    use super::*;
    use crate::endpoint::format::is_host;
    use crate::endpoint::{format_endpoint, format_endpoints};
    use crate::rule::Rule;
    use proptest::prelude::*;

    fn rule(line: &str) -> String {
        read_endpoint(line).map_or_else(|error| error.rule().0.to_string(), |(read, _)| format!("{read:?}"))
    }

    #[test]
    fn invalid_endpoints_are_rejected_with_the_reason() {
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
            ("198.18.0.1 80 198.18.0.2 90", "endpointAmbiguous"),
            ("198.18.0.1:80@198.18.0.2:90", "endpointAmbiguous"),
            ("198.18.0.1:80;198.18.0.2:90", "endpointAmbiguous"),
            ("socks5://198.18.0.1:1080:ann:p%40ss", "endpointAmbiguous"),
            ("socks5://198.18.0.1:80:198.18.0.2:90", "endpointPort"),
            ("{\"server\":\"http://ann:a@198.18.0.1:80\",\"username\":\"bob\"}", "endpointAmbiguous"),
            ("{\"server\":\"http://198.18.0.1:80\",\"protocol\":\"socks5\"}", "endpointAmbiguous"),
            ("{\"server\":\"http://198.18.0.1\"}", "endpointPort"),
            ("198.18.0.1 70000 ann pw", "endpointPort"),
            ("198.18.0.1;eighty;ann;pw", "endpointPort"),
            ("198.18.0.1 80 ann", "endpointUnread"),
            ("198.18.0.1 80 ann pw US", "endpointUnread"),
            ("198.18.0.1||ann|pw", "endpointPort"),
            ("chapter 12 begins here", "endpointUnread"),
            ("gate 80 ann pw", "endpointUnread"),
            ("gate:80@ann:pw", "endpointPort"),
            ("198.18.0.1:80@ann:p@ss", "endpointPort"),
            ("\"198.18.0.1:80:ann:pw", "endpointHost"),
        ] {
            assert_eq!(rule(line), expected, "{line}");
        }
    }

    #[test]
    fn every_format_is_recognised() {
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
            assert_eq!(read_endpoint(line), Ok((expected.clone(), Some(format))), "{line}");
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
    fn common_variants_are_parsed_too() {
        let expected = endpoint("http", "198.18.0.1", 8080, "ann", "1234");
        for line in [
            "198.18.0.1 8080 ann 1234",
            "198.18.0.1\t8080\tann\t1234",
            " 198.18.0.1 ; 8080 ; ann ; 1234 ",
            "198.18.0.1|8080|ann|1234",
            "ann 1234 198.18.0.1 8080",
            "ann|1234|198.18.0.1|8080",
            "198.18.0.1:8080 ann:1234",
            "198.18.0.1:8080|ann:1234",
            "ann:1234;198.18.0.1:8080",
            "198.18.0.1:8080 ann 1234",
            "ann 1234 198.18.0.1:8080",
            "http 198.18.0.1 8080 ann 1234",
            "198.18.0.1\t8080\tann\t1234\tHTTP",
            "198.18.0.1:8080@ann:1234",
            "http://198.18.0.1:8080:ann:1234",
            "http://ann:1234:198.18.0.1:8080",
            "\"198.18.0.1:8080:ann:1234\"",
            "'ann:1234@198.18.0.1:8080',",
            "\"198.18.0.1 8080 ann 1234\"",
            "\"198.18.0.1\";\"8080\";\"ann\";\"1234\"",
            "{\"server\":\"http://198.18.0.1:8080\",\"username\":\"ann\",\"password\":\"1234\"}",
            "{\"server\":\"198.18.0.1:8080\",\"username\":\"ann\",\"password\":\"1234\"}",
            "{\"proxy\":\"http://ann:1234@198.18.0.1:8080\"}",
        ] {
            assert_eq!(read_endpoint(line).map(|(read, _)| read), Ok(expected.clone()), "{line}");
        }
        let spaced = read_endpoint("198.18.0.1, 8080, ann, 1234").map(|(read, _)| read);
        assert_eq!(spaced, Ok(expected.clone()));
        for (line, expected) in [
            ("socks5://198.18.0.1:1080:ann:pw", endpoint("socks5", "198.18.0.1", 1080, "ann", "pw")),
            ("socks5 198.18.0.1:1080", endpoint("socks5", "198.18.0.1", 1080, "", "")),
            ("[2001:db8::1]:80 ann:pw", endpoint("http", "2001:db8::1", 80, "ann", "pw")),
            ("2001:db8::1\t80\tann\tpw", endpoint("http", "2001:db8::1", 80, "ann", "pw")),
            ("198.18.0.1:8080:ann:p;w|x", endpoint("http", "198.18.0.1", 8080, "ann", "p;w|x")),
            (
                "{\"server\":\"198.18.0.1:1080\",\"protocol\":\"socks5\"}",
                endpoint("socks5", "198.18.0.1", 1080, "", ""),
            ),
        ] {
            assert_eq!(read_endpoint(line).map(|(read, _)| read), Ok(expected), "{line}");
        }
        let pasted = "Host;Port;Login;Pass\n198.18.0.1;8080;ann;1234\n[\n  \"198.18.0.1:8080:ann:1234\",\n]";
        let read = read_endpoints(pasted);
        assert_eq!(read.iter().map(|line| line.line).collect::<Vec<_>>(), [2, 4]);
        let array = read_endpoints("[\"198.18.0.1:8080:ann:1234\", \"http://ann:1234@198.18.0.1:8080\"]");
        for line in read.into_iter().chain(array) {
            assert_eq!(line.endpoint, Some(expected.clone()));
        }
    }

    #[test]
    fn an_invalid_line_has_its_number() {
        let text = "\u{feff}198.18.0.1:80:a:b\r\n\r\nwhat\ncurl \\\n  -x http://198.18.0.1:80 \\\n  https://example.com\nhttp://198.18.0.1\n";
        let read: Vec<_> =
            read_endpoints(text).into_iter().map(|line| (line.line, line.broken.map(|broken| broken.rule))).collect();
        assert_eq!(read, [(1, None), (3, Some(Rule::EndpointUnread)), (4, None), (7, Some(Rule::EndpointPort))]);
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
    fn a_json_array_is_parsed_regardless_of_its_line_breaks() {
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

    /// The fields of an endpoint that a format preserves.
    fn preserved_by(format: EndpointFormat, endpoint: &Endpoint) -> Endpoint {
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
        fn formatted_endpoints_are_parsed_back_in_their_format(endpoint in any_endpoint()) {
            for format in EndpointFormat::ALL.iter().copied() {
                if let Ok(line) = format_endpoint(&endpoint, format) {
                    prop_assert_eq!(read_endpoint_as(&line, format), Ok(preserved_by(format, &endpoint)), "{}", line);
                }
            }
        }

        #[test]
        fn a_line_is_parsed_correctly_or_reported_as_ambiguous(endpoint in any_endpoint()) {
            // If the user name is a host and the password a port, the two orders cannot be distinguished.
            prop_assume!(!(is_host(&endpoint.user_name) && is_clearly_host(&endpoint.user_name)));
            for format in EndpointFormat::ALL.iter().copied() {
                if let Ok(line) = format_endpoint(&endpoint, format) {
                    match read_endpoint(&line) {
                        Ok((read, _)) => prop_assert_eq!(read, preserved_by(format, &endpoint), "{}", line),
                        Err(error) => prop_assert_eq!(error, EndpointError::Ambiguous, "{}", line),
                    }
                }
            }
        }

        #[test]
        fn ordinary_lists_round_trip(
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
        fn any_pasted_text_is_handled(text in "(\\PC|[\\n:@,\\[{\"']){0,60}") {
            for line in read_endpoints(&text) {
                prop_assert!(line.endpoint.is_some() != line.broken.is_some());
            }
        }
    }
}
