//! Each format writes what it can represent, and rejects the rest.
use super::*;

fn endpoint() -> Endpoint {
    Endpoint {
        scheme: "socks5".into(),
        host: "198.18.0.7".into(),
        port: 1080,
        user_name: "ann".into(),
        password: "p@s:s'密".into(),
    }
}

fn written(endpoint: &Endpoint, format: EndpointFormat) -> String {
    format_endpoint(endpoint, format, None).expect("a line")
}

#[test]
fn characters_that_a_format_cannot_represent_are_rejected() {
    use EndpointFormat as F;
    let with =
        |user: &str, password: &str| Endpoint { user_name: user.into(), password: password.into(), ..endpoint() };
    let forbidden = |part, character: &str| Err(EndpointError::Forbidden { part, character: character.into() });
    for (user, password, format, expected) in [
        ("ann", "a:b", F::HostPortUserPass, forbidden(Part::Password, ":")),
        ("a:n", "ab", F::UserPassHostPort, forbidden(Part::User, ":")),
        ("ann", "a@b", F::UserPassAtHostPort, forbidden(Part::Password, "@")),
        ("ann", "a b", F::HostPortUserPass, forbidden(Part::Password, "U+0020")),
        ("ann", "a\nb", F::Json, forbidden(Part::Password, "U+000A")),
        ("ann", "a\u{0}b", F::Url, forbidden(Part::Password, "U+0000")),
        ("http", "//x", F::UserPassHostPort, forbidden(Part::Password, "//")),
        ("", "ab", F::Csv, Err(EndpointError::Missing { part: Part::User })),
    ] {
        assert_eq!(format_endpoint(&with(user, password), format, None), expected, "{user:?} {password:?} {format:?}");
    }
    for (changed, expected) in [
        (Endpoint { scheme: "ftp".into(), ..endpoint() }, EndpointError::Scheme { value: "ftp".into() }),
        (Endpoint { port: 0, ..endpoint() }, EndpointError::Port { value: "0".into() }),
        (Endpoint { host: "256.1.1.1".into(), ..endpoint() }, EndpointError::Host { value: "256.1.1.1".into() }),
        (Endpoint { host: "a'b".into(), ..endpoint() }, EndpointError::Host { value: "a'b".into() }),
        (Endpoint { host: "[::1]".into(), ..endpoint() }, EndpointError::Host { value: "[::1]".into() }),
        (Endpoint { host: String::new(), ..endpoint() }, EndpointError::Host { value: String::new() }),
    ] {
        assert_eq!(format_endpoint(&changed, F::Url, None), Err(expected));
    }
}

#[test]
fn a_list_error_names_its_element() {
    let broken = Endpoint { password: "a:b".into(), ..endpoint() };
    let errors = format_endpoints(
        &[Endpoint { password: "ok".into(), ..endpoint() }, broken],
        EndpointFormat::HostPortUserPass,
        None,
    )
    .expect_err("errors");
    assert_eq!(errors.0.keys().collect::<Vec<_>>(), ["Endpoints.1.Password"]);
}

#[test]
fn only_urls_are_percent_encoded() {
    use EndpointFormat as F;
    let endpoint = endpoint();
    let plain = Endpoint { password: "ps's密".into(), ..endpoint.clone() };
    assert_eq!(written(&plain, F::HostPortUserPass), "198.18.0.7:1080:ann:ps's密");
    assert_eq!(written(&plain, F::UserPassAtHostPort), "ann:ps's密@198.18.0.7:1080");
    assert_eq!(written(&plain, F::UserPassHostPort), "ann:ps's密:198.18.0.7:1080");
    assert_eq!(written(&endpoint, F::Url), "socks5://ann:p%40s%3As%27%E5%AF%86@198.18.0.7:1080");
    assert_eq!(
        written(&endpoint, F::Curl),
        "curl -x \"socks5://ann:p%40s%3As%27%E5%AF%86@198.18.0.7:1080\" https://example.com"
    );
    let asked = format_endpoints(std::slice::from_ref(&endpoint), F::Curl, Some("http://127.0.0.1:8080/api/Ip"));
    assert!(asked.expect("a line").ends_with("@198.18.0.7:1080\" http://127.0.0.1:8080/api/Ip"));
    let wrong = format_endpoints(std::slice::from_ref(&endpoint), F::Curl, Some("http://a.example/`id`"));
    assert_eq!(wrong.expect_err("errors").0.keys().collect::<Vec<_>>(), ["Target"]);
    assert_eq!(written(&endpoint, F::Csv), "198.18.0.7,1080,ann,p@s:s'密,socks5");
    assert_eq!(
        written(&Endpoint { password: "a\"\\".into(), ..endpoint }, F::Json),
        r#"{"host":"198.18.0.7","port":1080,"username":"ann","password":"a\"\\","scheme":"socks5"}"#
    );
}

#[test]
fn an_ipv6_address_is_bracketed_before_a_port() {
    use EndpointFormat as F;
    let endpoint = Endpoint { scheme: "http".into(), host: "2001:db8::1".into(), port: 80, ..Endpoint::default() };
    assert_eq!(written(&endpoint, F::Url), "http://[2001:db8::1]:80");
    assert_eq!(written(&endpoint, F::HostPortUserPass), "[2001:db8::1]:80");
    assert_eq!(written(&endpoint, F::Csv), "2001:db8::1,80,,,http");
}

#[test]
fn csv_cells_are_quoted_and_formulas_neutralised() {
    for (password, cell) in [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("'=1", "''=1"),
        ("a=b", "a=b"),
        ("a,b", "\"a,b\""),
        ("a\"b", "\"a\"\"b\""),
        ("=\"a\"", "\"'=\"\"a\"\"\""),
        (" a", "\" a\""),
    ] {
        let line = written(&Endpoint { password: password.into(), ..endpoint() }, EndpointFormat::Csv);
        assert_eq!(line, format!("198.18.0.7,1080,ann,{cell},socks5"));
    }
}

#[test]
fn a_list_has_a_header_in_csv_and_is_an_array_in_json() {
    let endpoints = [Endpoint { scheme: "http".into(), host: "a.example".into(), port: 1, ..Endpoint::default() }; 1];
    let lines = |format, count: usize| {
        format_endpoints(&endpoints.iter().cycle().take(count).cloned().collect::<Vec<_>>(), format, None)
            .expect("a list")
    };
    assert_eq!(lines(EndpointFormat::Csv, 1), "host,port,username,password,scheme\na.example,1,,,http");
    assert_eq!(lines(EndpointFormat::Json, 0), "[]");
    let object = r#"{"host":"a.example","port":1,"username":"","password":"","scheme":"http"}"#;
    assert_eq!(lines(EndpointFormat::Json, 2), format!("[\n{object},\n{object}\n]"));
    assert_eq!(lines(EndpointFormat::Url, 2), "http://a.example:1\nhttp://a.example:1");
}
