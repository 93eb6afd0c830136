//! One real request through a proxy, and what came of it.
use crate::error::AppError;
use crate::tls;
use postern_core::endpoint::Endpoint;
use postern_core::node::NodeTestProblem;
use postern_core::usage::Refused;
use reqwest::header::LOCATION;
use reqwest::{ClientBuilder, Response, StatusCode, Url};
use serde::Serialize;
use std::net::IpAddr;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

const LONGEST: Duration = Duration::from_secs(10);

/// Maximum bytes read of a response: one with an address is short.
const LONGEST_ANSWER: usize = 4_096;

/// The result of the test.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NodeTest {
    pub works: bool,
    pub milliseconds: u64,
    /// The exit address: the source of the request, as the target saw it.
    pub exit_ip: Option<String>,
    /// Absent when it works.
    pub problem: Option<NodeTestProblem>,
    /// The HTTP status of the response, if it was not the expected one.
    pub status: Option<u16>,
    /// Why the proxy refused, if it said so.
    pub reason: Option<Refused>,
}

/// The header in which a gate says why it refuses.
const REASON: &str = "x-proxy-error";

/// Sends a request for the shop's check URL through a proxy; if it redirects to its own form with HTTPS, which reverse proxies in front of shops do, a
/// second one for that.
pub async fn send_through(proxy: &Endpoint, url: &str) -> Result<NodeTest, AppError> {
    send_with(tls::client(LONGEST)?, proxy, url).await
}

async fn send_with(client: ClientBuilder, proxy: &Endpoint, url: &str) -> Result<NodeTest, AppError> {
    let wrong = |error: reqwest::Error| AppError::Internal(error.without_url().into());
    let host = if proxy.host.contains(':') { format!("[{}]", proxy.host) } else { proxy.host.clone() };
    let through = reqwest::Proxy::all(format!("{}://{host}:{}", proxy.scheme, proxy.port)).map_err(wrong)?;
    let through = through.basic_auth(&proxy.user_name, &proxy.password);
    let client = client.proxy(through).build().map_err(wrong)?;
    let begin = Instant::now();
    let mut answered = client.get(url).send().await;
    let milliseconds = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
    if let Some(secure) = answered.as_ref().ok().and_then(|response| redirects_to_https(response, url)) {
        answered = client.get(secure).timeout(LONGEST.saturating_sub(begin.elapsed())).send().await;
    }
    let failed = |problem| NodeTest { milliseconds, problem: Some(problem), ..NodeTest::default() };
    let response = match answered {
        Err(error) if error.is_timeout() => return Ok(failed(NodeTestProblem::Timeout)),
        Err(error) if is_wrong_password(&error) => return Ok(failed(NodeTestProblem::AuthFailed)),
        Err(error) if error.is_connect() => return Ok(failed(NodeTestProblem::Refused)),
        Err(_) => return Ok(failed(NodeTestProblem::BadAnswer)),
        Ok(response) => response,
    };
    let status = response.status();
    if status != StatusCode::OK {
        let problem = match status {
            StatusCode::PROXY_AUTHENTICATION_REQUIRED => NodeTestProblem::AuthFailed,
            status if status.is_redirection() => NodeTestProblem::Redirected,
            _ => NodeTestProblem::BadStatus,
        };
        let reason = response.headers().get(REASON).and_then(|reason| Refused::from_wire(reason.to_str().ok()?));
        return Ok(NodeTest { status: Some(status.as_u16()), reason, ..failed(problem) });
    }
    // Only a response with the exit address proves that the request went through the proxy.
    let exit_ip = read_short(response).await.and_then(|text| address_in(&text)).map(|ip| ip.to_string());
    Ok(match exit_ip {
        Some(_) => NodeTest { works: true, milliseconds, exit_ip, ..NodeTest::default() },
        None => failed(NodeTestProblem::NoExitAddress),
    })
}

/// The URL with HTTPS, if the response redirects there and nowhere else.
fn redirects_to_https(response: &Response, url: &str) -> Option<Url> {
    let mut secure: Url = url.parse().ok()?;
    secure.set_scheme("https").ok()?;
    let location: Url = response.headers().get(LOCATION)?.to_str().ok()?.parse().ok()?;
    (response.status().is_redirection() && location == secure).then_some(secure)
}

/// Whether a SOCKS5 proxy refused the user name or password. The type of the error is private to the client.
fn is_wrong_password(error: &reqwest::Error) -> bool {
    format!("{error:?}").contains("Auth(Failed)")
}

async fn read_short(mut response: Response) -> Option<String> {
    let mut bytes = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > LONGEST_ANSWER {
            return None;
        }
    }
    String::from_utf8(bytes).ok()
}

/// The address in a response: from a shop's own `GetClientIp`, or the text itself.
fn address_in(text: &str) -> Option<IpAddr> {
    let json: Option<serde_json::Value> = serde_json::from_str(text).ok();
    let named = json.as_ref().and_then(|json| json["Data"]["Ip"].as_str());
    named.unwrap_or(text.trim()).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls::crypto::ring;
    use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
    use rustls::{RootCertStore, ServerConfig, ServerConnection};
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::sync::Arc;
    use std::thread::JoinHandle;

    const URL: &str = "http://shop.example/api/SystemSettings/GetClientIp";
    const PAGE: &str = r#"{"Data":{"Ip":"203.0.113.7"}}"#;

    /// For `shop.example`, until 2126.
    fn certificate() -> CertificateDer<'static> {
        CertificateDer::from(&include_bytes!("../tests/doubles/tls/certificate.der")[..])
    }

    fn secure_shop() -> ServerConfig {
        let key = PrivatePkcs8KeyDer::from(&include_bytes!("../tests/doubles/tls/key.der")[..]);
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions().expect("TLS").with_no_client_auth();
        config.with_single_cert(vec![certificate()], key.into()).expect("a certificate")
    }

    fn respond(stream: &mut impl Write, head: &str, body: &str) {
        let length = body.len();
        let response = format!("HTTP/1.1 {head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
        stream.write_all(response.as_bytes()).expect("an answer is sent");
    }

    fn first_line(stream: &mut impl Read) -> String {
        let mut head = [0; 4_096];
        let read = stream.read(&mut head).expect("a request");
        String::from_utf8_lossy(&head[..read]).lines().next().unwrap_or_default().to_owned()
    }

    /// A proxy for one test: it answers plain requests by a redirect to this location, and carries tunnels to a shop with TLS.
    fn proxy(location: &'static str, requests: usize) -> (Endpoint, JoinHandle<Vec<String>>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let endpoint = Endpoint {
            scheme: "http".to_owned(),
            host: "127.0.0.1".to_owned(),
            port: listener.local_addr().expect("an address").port(),
            ..Endpoint::default()
        };
        let serve = move |mut stream: TcpStream| {
            let line = first_line(&mut stream);
            if !line.starts_with("CONNECT ") {
                respond(&mut stream, &format!("301 Moved Permanently\r\nLocation: {location}"), "");
                return line;
            }
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").expect("an answer is sent");
            let mut session = ServerConnection::new(Arc::new(secure_shop())).expect("a session");
            let mut inside = rustls::Stream::new(&mut session, &mut stream);
            let request = first_line(&mut inside);
            respond(&mut inside, "200 OK", PAGE);
            format!("{line}: {request}")
        };
        let served =
            move || listener.incoming().take(requests).map(|stream| serve(stream.expect("a client"))).collect();
        (endpoint, std::thread::spawn(served))
    }

    async fn tested(location: &'static str, requests: usize) -> (NodeTest, Vec<String>) {
        let (endpoint, served) = proxy(location, requests);
        let mut roots = RootCertStore::empty();
        roots.add(certificate()).expect("a root");
        let client = tls::client_trusting(roots, LONGEST).expect("a client");
        let test = send_with(client, &endpoint, URL).await.expect("a test");
        (test, served.join().expect("a proxy"))
    }

    #[actix_web::test]
    async fn a_shop_that_redirects_to_its_own_https_is_asked_there() {
        let (test, requests) = tested("https://shop.example/api/SystemSettings/GetClientIp", 2).await;
        assert_eq!((test.works, test.exit_ip.as_deref(), test.problem), (true, Some("203.0.113.7"), None));
        let inside = "CONNECT shop.example:443 HTTP/1.1: GET /api/SystemSettings/GetClientIp HTTP/1.1";
        assert_eq!(requests, [format!("GET {URL} HTTP/1.1"), inside.to_owned()]);
    }

    #[actix_web::test]
    async fn no_other_redirect_is_followed() {
        for location in [
            "https://login.example/api/SystemSettings/GetClientIp",
            "https://shop.example/",
            "https://shop.example:8443/api/SystemSettings/GetClientIp",
            "https://ann@shop.example/api/SystemSettings/GetClientIp",
            "http://shop.example/api/SystemSettings/GetClientIp",
            "/api/SystemSettings/GetClientIp",
            "",
        ] {
            let (test, requests) = tested(location, 1).await;
            assert_eq!((test.works, test.problem), (false, Some(NodeTestProblem::Redirected)), "{location}");
            assert_eq!(requests.len(), 1, "{location}");
        }
    }
}
