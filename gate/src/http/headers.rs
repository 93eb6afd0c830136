//! The headers of a proxy's requests: credentials, what must not be forwarded, and what is refused.
use crate::host_port::HostPort;
use crate::refusal::Refusal;
use crate::secret::Secret;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hyper::header::{
    CONNECTION, CONTENT_LENGTH, HOST, HeaderMap, HeaderName, HeaderValue, PROXY_AUTHORIZATION, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE,
};
use hyper::http::request::Parts;
use hyper::http::uri::PathAndQuery;
use hyper::{Method, Uri};
use postern_core::usage::Refused;

/// Headers that concern one connection, besides those that `Connection` names (RFC 9110, 7.6.1) and all that begin with `PROXY`.
const HOP_BY_HOP: [HeaderName; 6] =
    [CONNECTION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE, HeaderName::from_static("keep-alive")];

const PROXY: &str = "proxy-";

/// The user name and password of `Proxy-Authorization`; empty if there is none: the client's address may be whitelisted.
pub fn credentials(headers: &HeaderMap) -> Result<(String, Secret), Refusal> {
    let mut values = headers.get_all(PROXY_AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(Default::default()) };
    if values.next().is_some() {
        return Err(Refusal::Ambiguous);
    }
    value.to_str().ok().and_then(basic).ok_or(Refusal::Access(Refused::UnknownUser))
}

/// The user name and password in the value of one `Proxy-Authorization` header.
pub fn basic(value: &str) -> Option<(String, Secret)> {
    let (scheme, encoded) = value.trim().split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = String::from_utf8(BASE64_STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (user_name, password) = decoded.split_once(':')?;
    Some((user_name.to_owned(), Secret::new(password)))
}

/// Refuses what two readers could understand differently. Of what hyper accepts, a request with both `Content-Length` and
/// `Transfer-Encoding` needs no refusal: hyper reads it by the latter, drops the former, and closes the connection after it.
pub fn check_unambiguous(parts: &Parts) -> Result<(), Refusal> {
    let number = |name: HeaderName| parts.headers.get_all(name).iter().count();
    let encodings = parts.headers.get_all(TRANSFER_ENCODING).iter();
    let is_chunked = |value: &HeaderValue| value.as_bytes().trim_ascii().eq_ignore_ascii_case(b"chunked");
    let has_body = number(TRANSFER_ENCODING) > 0 || parts.headers.get(CONTENT_LENGTH).is_some_and(|value| value != "0");
    let is_ambiguous = number(HOST) > 1
        || number(CONTENT_LENGTH) > 1
        || number(TRANSFER_ENCODING) > 1
        || !encodings.into_iter().all(is_chunked)
        || (parts.method == Method::CONNECT && has_body);
    if is_ambiguous { Err(Refusal::Ambiguous) } else { Ok(()) }
}

/// The destination of `CONNECT host:port`.
pub fn tunnel_destination(uri: &Uri) -> Result<HostPort, Refusal> {
    let authority = uri.authority().ok_or(Refusal::Malformed)?;
    if uri.scheme().is_some() {
        return Err(Refusal::Malformed);
    }
    HostPort::parse(authority.as_str(), None)
}

/// The origin of a request for a whole address, `http://host/path`.
pub fn origin(uri: &Uri) -> Result<HostPort, Refusal> {
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(Refusal::Malformed) };
    match scheme {
        "http" => HostPort::parse(authority.as_str(), Some(80)),
        _ => Err(Refusal::Unsupported),
    }
}

/// Makes a proxy's request one for the origin.
pub fn address_origin(parts: &mut Parts) -> Result<(), Refusal> {
    name_host(parts)?;
    let path = match parts.uri.path_and_query().map(PathAndQuery::as_str) {
        // `OPTIONS http://host` asks about the server (RFC 9112, 3.2.4).
        Some("/") if parts.method == Method::OPTIONS => "*".to_owned(),
        // `http://host?query` has an empty path (RFC 9112, 3.2.1).
        Some(query) if query.starts_with('?') => format!("/{query}"),
        Some(path) => path.to_owned(),
        None => "/".to_owned(),
    };
    parts.uri = path.parse().map_err(|_| Refusal::Malformed)?;
    Ok(())
}

/// Sets `Host` from the address, whatever the client has sent (RFC 9112, 3.2.2), and drops what concerns the client's connection only.
pub fn name_host(parts: &mut Parts) -> Result<(), Refusal> {
    drop_hop_by_hop(&mut parts.headers);
    let authority = parts.uri.authority().ok_or(Refusal::Malformed)?;
    let host = HeaderValue::from_str(authority.as_str()).map_err(|_| Refusal::Malformed)?;
    parts.headers.insert(HOST, host);
    Ok(())
}

pub fn drop_hop_by_hop(headers: &mut HeaderMap) {
    let for_proxies = headers.keys().filter(|name| name.as_str().starts_with(PROXY)).cloned();
    let named: Vec<HeaderName> = headers.get_all(CONNECTION).iter().flat_map(names).chain(for_proxies).collect();
    for name in named.iter().chain(&HOP_BY_HOP) {
        headers.remove(name);
    }
}

fn names(value: &HeaderValue) -> Vec<HeaderName> {
    value.as_bytes().split(|byte| *byte == b',').filter_map(|name| name.trim_ascii().try_into().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::Request;

    fn parts(method: &str, uri: &str, headers: &[(&str, &str)]) -> Parts {
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).expect("a request").into_parts().0
    }

    #[test]
    fn only_basic_credentials_are_read_and_only_once() {
        let read = |values: &[&str]| {
            let headers: Vec<(&str, &str)> = values.iter().map(|value| ("proxy-authorization", *value)).collect();
            credentials(&parts("GET", "http://a/", &headers).headers)
        };
        for broken in ["", "Basic", "Bearer YTpi", "Basic !!", "Basic YWI="] {
            assert_eq!(read(&[broken]), Err(Refusal::Access(Refused::UnknownUser)), "{broken}");
        }
        assert_eq!(read(&["Basic YTpi", "Basic YTpi"]), Err(Refusal::Ambiguous));
        assert_eq!(read(&[]), Ok((String::new(), Secret::default())));
        assert_eq!(read(&["bAsIc YTpiOmM="]), Ok(("a".into(), Secret::new("b:c"))));
    }

    #[test]
    fn addresses_that_are_not_an_origin_are_refused() {
        for (uri, refusal) in [
            ("/path", Refusal::Malformed),
            ("*", Refusal::Malformed),
            ("a:80", Refusal::Malformed),
            ("https://a/", Refusal::Unsupported),
            ("ftp://a/", Refusal::Unsupported),
            ("http://b@a/", Refusal::Malformed),
            ("http://b:c@a/", Refusal::Malformed),
            ("http://a:/", Refusal::Malformed),
        ] {
            assert_eq!(origin(&uri.parse().expect("a URI")), Err(refusal), "{uri}");
        }
        assert_eq!(
            origin(&"HTTP://A:8080/b".parse().expect("a URI")).map(|origin| origin.to_string()),
            Ok("a:8080".into())
        );
    }

    #[test]
    fn a_tunnel_needs_a_port() {
        for uri in ["a", "http://a:80/", "/", "u@a:80", "a:0"] {
            assert_eq!(tunnel_destination(&uri.parse().expect("a URI")), Err(Refusal::Malformed), "{uri}");
        }
        assert!(tunnel_destination(&"[2606:4700::1111]:443".parse().expect("a URI")).is_ok());
    }

    #[test]
    fn contradictory_headers_are_refused() {
        for headers in [
            vec![("host", "a"), ("host", "b")],
            vec![("content-length", "1"), ("content-length", "1")],
            vec![("transfer-encoding", "gzip, chunked")],
            vec![("transfer-encoding", "chunked"), ("transfer-encoding", "chunked")],
        ] {
            assert_eq!(
                check_unambiguous(&parts("POST", "http://a/", &headers)),
                Err(Refusal::Ambiguous),
                "{headers:?}"
            );
        }
        assert_eq!(check_unambiguous(&parts("CONNECT", "a:1", &[("content-length", "5")])), Err(Refusal::Ambiguous));
        assert_eq!(check_unambiguous(&parts("POST", "http://a/", &[("transfer-encoding", "Chunked")])), Ok(()));
    }

    #[test]
    fn an_origin_is_asked_for_a_path() {
        for (method, uri, path) in [
            ("GET", "http://a", "/"),
            ("GET", "http://a?b=c", "/?b=c"),
            ("GET", "http://a/b/../c?d", "/b/../c?d"),
            ("OPTIONS", "http://a", "*"),
            ("OPTIONS", "http://a/b", "/b"),
        ] {
            let mut parts = parts(method, uri, &[]);
            address_origin(&mut parts).expect("an origin");
            assert_eq!(parts.uri, path, "{method} {uri}");
        }
    }

    #[test]
    fn the_origin_gets_its_own_headers_only() {
        let headers = [
            ("Host", "other"),
            ("Connection", "keep-alive, X-Mine"),
            ("Keep-Alive", "5"),
            ("X-Mine", "1"),
            ("Proxy-Authorization", "Basic YTpi"),
            ("Proxy-Connection", "keep-alive"),
            ("Proxy-Features", "x"),
            ("TE", "trailers"),
            ("Upgrade", "h2c"),
            ("Accept", "*/*"),
        ];
        let mut parts = parts("GET", "http://a:8080/b?c", &headers);
        address_origin(&mut parts).expect("an origin");
        let mut left: Vec<&str> = parts.headers.keys().map(HeaderName::as_str).collect();
        left.sort_unstable();
        assert_eq!((left, parts.headers[HOST].to_str().ok()), (vec!["accept", "host"], Some("a:8080")));
        assert_eq!(parts.uri, "/b?c");
    }
}
