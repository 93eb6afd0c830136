//! Properties of the gate's parsers that hold for any input: run by the fuzz targets with generated inputs, and by the gate's tests with those in
//! `corpus`.
use http_body_util::Empty;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, HOST, HeaderName, TRANSFER_ENCODING};
use hyper::http::request::Parts;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::time::from_wire;
use postern_core::usage::{MAX_RECORD_BYTES, UsageRecord, check_record};
use postern_core::web_address::Host;
use postern_gate::addresses::AddressMap;
use postern_gate::host_port::HostPort;
use postern_gate::http::headers;
use postern_gate::meter::{Counted, FlowKey};
use postern_gate::refusal::Refusal;
use postern_gate::secret::Secret;
use postern_gate::socks;
use postern_gate::spool;
use postern_gate::upstream;
use postern_gate::upstream::template::{Template, Values};
use std::cell::RefCell;
use std::convert::Infallible;
use std::net::IpAddr;

fn in_runtime<T>(work: impl Future<Output = T>) -> T {
    thread_local! {
        static RUNTIME: tokio::runtime::Runtime =
            tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    }
    RUNTIME.with(|runtime| runtime.block_on(work))
}

/// A destination's text form names the same destination, and holds nothing that an upstream could read as something else.
pub fn host_port(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for default_port in [None, Some(80)] {
        if let Ok(destination) = HostPort::parse(text, default_port) {
            assert_destination(&destination);
        }
    }
    if let Ok(destination) = HostPort::new(text, 1080) {
        assert_destination(&destination);
    }
}

fn assert_destination(destination: &HostPort) {
    let written = destination.to_string();
    assert_eq!(HostPort::parse(&written, None).as_ref(), Ok(destination), "{written}");
    assert!(destination.port > 0);
    match &destination.host {
        Host::Address(address) => assert_eq!(address.to_canonical(), *address),
        Host::Name(name) => {
            assert!((1..=253).contains(&name.len()) && name.parse::<IpAddr>().is_err(), "{name}");
            let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_.".contains(&byte);
            assert!(name.bytes().all(is_plain), "{name}");
        }
    }
}

/// Of a request that is accepted, an origin gets one host, one length, and nothing that concerns the client's connection.
pub fn http_request(data: &[u8]) {
    let requests = RefCell::new(Vec::new());
    let service = service_fn(|request: Request<Incoming>| {
        requests.borrow_mut().push(request.into_parts().0);
        std::future::ready(Ok::<_, Infallible>(Response::new(Empty::<Bytes>::new())))
    });
    let stream = TokioIo::new(tokio::io::join(data, tokio::io::sink()));
    let serving = http1::Builder::new().max_headers(100).auto_date_header(false).serve_connection(stream, service);
    // What is not HTTP is an error.
    let _ = in_runtime(serving);
    requests.into_inner().into_iter().for_each(check_request);
}

fn check_request(mut parts: Parts) {
    if let Ok((user_name, password)) = headers::credentials(&parts.headers) {
        assert!(!user_name.contains(':') && format!("{password:?}") == "(hidden)");
    }
    if headers::check_unambiguous(&parts).is_err() {
        return;
    }
    if parts.method == Method::CONNECT {
        if let Ok(destination) = headers::tunnel_destination(&parts.uri) {
            assert_destination(&destination);
        }
        return;
    }
    let Ok(destination) = headers::origin(&parts.uri) else { return };
    assert_destination(&destination);
    if headers::address_origin(&mut parts).is_err() {
        return;
    }
    let number = |name: HeaderName| parts.headers.get_all(name).iter().count();
    assert_eq!((number(HOST), number(TRANSFER_ENCODING)), (1, 0));
    assert!(number(CONTENT_LENGTH) <= 1);
    let host = parts.headers[HOST].to_str().expect("text");
    assert_eq!(HostPort::parse(host, Some(80)), Ok(destination));
    assert!(parts.uri.authority().is_none() && (parts.uri == "*" || parts.uri.path().starts_with('/')));
    for name in parts.headers.keys() {
        let is_hop_by_hop = ["connection", "keep-alive", "te", "trailer", "upgrade"].contains(&name.as_str());
        assert!(!is_hop_by_hop && !name.as_str().starts_with("proxy-"), "{name}");
    }
}

/// Whoever is asked about by a SOCKS5 client has a name that SOCKS5 can carry, and whatever it wants is one destination or refused.
pub fn socks_handshake(data: &[u8]) {
    let mut output = Vec::new();
    let mut asked = None;
    // The last byte says whether the shop allows.
    let is_allowed = data.last().is_some_and(|byte| byte % 2 == 0);
    let read = in_runtime(async {
        let stream = tokio::io::join(data, &mut output);
        let admit = |user_name: String, password: Secret| {
            asked = Some((user_name, password));
            std::future::ready(if is_allowed { Ok(()) } else { Err(Refusal::ShopAway) })
        };
        let (protocol, admitted) = socks::authenticate(stream, admit, |_| {}).await?;
        assert_eq!(admitted.is_ok(), is_allowed);
        socks::read_command(protocol).await.ok().map(|(_, destination)| destination)
    });
    if let Some((user_name, password)) = &asked {
        assert!(user_name.len() <= 255 && password.reveal().len() <= 255);
        assert_eq!(output.first(), Some(&5));
    }
    if let Some(Ok(destination)) = read {
        assert!(asked.is_some());
        assert_destination(&destination);
    }
}

/// A user name for an upstream is its template, with the value of each variable in its place.
pub fn upstream_template(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(template) = Template::parse(text) else { return };
    let all = Values {
        country: Some("Us".into()),
        state: Some("s1".into()),
        city: Some("c1".into()),
        session: Some("x1".into()),
        ttl_minutes: Some(7),
    };
    let variables = [
        ("{country}", "us"),
        ("{COUNTRY}", "US"),
        ("{state}", "s1"),
        ("{city}", "c1"),
        ("{session}", "x1"),
        ("{ttl}", "7"),
    ];
    let filled = variables.iter().fold(text.to_owned(), |text, (name, value)| text.replace(name, value));
    assert_eq!(template.fill(&all), filled);
    let without = template.fill(&Values::default());
    assert!(!without.contains(['{', '}']) && without.len() <= text.len());
    if !text.contains('{') {
        assert_eq!(without, text);
    }
}

/// A file of upstreams that is read can be used; one that is not read is refused without its passwords.
pub fn upstream_file(data: &[u8]) {
    const PASSWORD: &str = "k3yring99-of-the-pool";
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(upstreams) = upstream::parse(text) {
        assert!(!upstreams.is_empty());
        for upstream in upstreams {
            assert!(upstream.weight > 0 && upstream.password.reveal().len() <= 255);
            assert_destination(&upstream.address);
        }
    }
    let with_password = format!("[[upstream]]\npassword = \"{PASSWORD}\"\n{text}");
    if let Err(error) = upstream::parse(&with_password) {
        assert!(!format!("{error:#} {error:?}").contains(PASSWORD), "{error:#}");
    }
}

/// Each line of an address map says what it says, whatever the others say.
pub fn address_map(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(map) = AddressMap::parse(text) else { return };
    for line in text.lines() {
        let Some((public, private)) = line.split('#').next().and_then(|line| line.split_once('=')) else { continue };
        let address = |text: &str| text.trim().parse::<IpAddr>().expect("an address").to_canonical();
        assert_eq!(map.public_of(address(private)), address(public));
    }
}

/// A report holds what was counted, and the shop counts it, whatever the destination is called.
pub fn spool_report(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (user_name, target) = text.split_once('\n').unwrap_or(("", text));
    let is_destination = HostPort::new(target, 80);
    let target = is_destination.as_ref().map_or(target.to_owned(), |destination| destination.host.to_string());
    let bytes = (data.len() as u64, MAX_RECORD_BYTES >> (data.len() % 44));
    let proxy_user_id = is_destination.is_ok().then_some(7);
    let key = FlowKey { proxy_user_id, user_name: user_name.into(), target, ..FlowKey::default() };
    let counted = [Counted { key: key.clone(), upload: bytes.0, download: bytes.1 }];
    let json = spool::report(&counted, "0011223344556677-1", "2026-11-27 10:00:00").expect("JSON");
    let report: serde_json::Value = serde_json::from_slice(&json).expect("JSON");
    let record = report["Records"][0].to_string();
    let record: UsageRecord = serde_json::from_str(&record).expect("a record");
    assert_eq!((&*record.user_name, &*record.target), (&*key.user_name, &*key.target));
    assert_eq!((record.upload_bytes, record.download_bytes), bytes);
    let now = from_wire("2026-11-27 10:00:01").expect("a time");
    let checked = check_record(&record, ProxyServerKind::Residential, now);
    assert!(checked.is_ok() || is_destination.is_err(), "{checked:?}: {}", key.target);
}
