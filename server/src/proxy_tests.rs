//! One real request through a proxy, and what came of it.
use crate::error::AppError;
use crate::tls;
use postern_core::endpoint::Endpoint;
use postern_core::node::NodeTestProblem;
use postern_core::usage::Refused;
use reqwest::StatusCode;
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

/// Sends a request for the shop's check URL through a proxy.
pub async fn send_through(proxy: &Endpoint, url: &str) -> Result<NodeTest, AppError> {
    let wrong = |error: reqwest::Error| AppError::Internal(error.without_url().into());
    let host = if proxy.host.contains(':') { format!("[{}]", proxy.host) } else { proxy.host.clone() };
    let through = reqwest::Proxy::all(format!("{}://{host}:{}", proxy.scheme, proxy.port)).map_err(wrong)?;
    let through = through.basic_auth(&proxy.user_name, &proxy.password);
    let client = tls::client(LONGEST)?.proxy(through).build().map_err(wrong)?;
    let begin = Instant::now();
    let answered = client.get(url).send().await;
    let milliseconds = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
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

/// Whether a SOCKS5 proxy refused the user name or password. The type of the error is private to the client.
fn is_wrong_password(error: &reqwest::Error) -> bool {
    format!("{error:?}").contains("Auth(Failed)")
}

async fn read_short(mut response: reqwest::Response) -> Option<String> {
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
