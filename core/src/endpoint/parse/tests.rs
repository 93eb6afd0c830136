//! Tests of the parser of proxy lists.
use super::parts::endpoint;
use super::*;
use crate::endpoint::format::is_host;
use crate::endpoint::types::SCHEMES;
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
        ("socks5://198.18.0.1:80:198.18.0.2:90", "endpointAmbiguous"),
        ("{\"server\":\"http://ann:a@198.18.0.1:80\",\"username\":\"bob\"}", "endpointAmbiguous"),
        ("{\"server\":\"http://198.18.0.1:80\",\"protocol\":\"socks5\"}", "endpointAmbiguous"),
        ("{\"server\":\"http://198.18.0.1\"}", "endpointPort"),
        ("198.18.0.1 70000 ann pw", "endpointPort"),
        ("198.18.0.1;eighty;ann;pw", "endpointPort"),
        ("198.18.0.1 80 ann", "endpointAmbiguous"),
        ("198.18.0.1 80 ann pw US", "endpointAmbiguous"),
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
    assert_eq!(read_endpoint("localhost:3128").map(|(read, _)| read), Ok(endpoint("http", "localhost", 3128, "", "")));
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
        ("{\"server\":\"198.18.0.1:1080\",\"protocol\":\"socks5\"}", endpoint("socks5", "198.18.0.1", 1080, "", "")),
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
    let read =
        read_endpoints("Country,Password,Proxy Address,Port,Username\nus,'=p,198.18.0.1,80,ann\nus,p,198.18.0.1,x,ann");
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
            if let Ok(line) = format_endpoint(&endpoint, format, None) {
                prop_assert_eq!(read_endpoint_as(&line, format), Ok(preserved_by(format, &endpoint)), "{}", line);
            }
        }
    }

    #[test]
    fn a_line_is_parsed_correctly_or_reported_as_ambiguous(endpoint in any_endpoint()) {
        // If the user name is a host and the password a port, the two orders cannot be distinguished.
        prop_assume!(!(is_host(&endpoint.user_name) && is_clearly_host(&endpoint.user_name)));
        for format in EndpointFormat::ALL.iter().copied() {
            if let Ok(line) = format_endpoint(&endpoint, format, None) {
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
            let text = format_endpoints(&endpoints, format, None).expect("a list");
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
