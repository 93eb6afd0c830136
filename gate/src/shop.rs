//! The shop, as a proxy server sees it: who am I, may these connect, and this is what they used.
use crate::secret::Secret;
use anyhow::{Context, Result};
use postern_core::bounds::BODY_MAX_BYTES;
use postern_core::proxy_protocol::{
    Authorization, Authorizations, Connection, Connections, Heartbeat, Registration, ServedNode, ServedNodes,
    ServedNodesRequest,
};
use reqwest::{Client, StatusCode};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The shop closes connections that are idle for 5 seconds; they are given up before.
const IDLE: Duration = Duration::from_secs(4);

/// How long clients may wait for an answer of the shop.
const QUESTION_TIMEOUT: Duration = Duration::from_secs(3);

const REPORT_TIMEOUT: Duration = Duration::from_secs(30);

/// The maximum length of an answer: 1,000 authorizations are well below it.
const MAX_ANSWER_BYTES: usize = 4_000_000;

/// Why the shop gave no answer.
#[derive(Debug)]
pub enum ShopError {
    /// It does not know the secret.
    Unregistered,
    /// It does not accept what was sent, however often it is repeated.
    Rejected(String),
    /// It cannot be reached, or cannot answer now.
    Away(String),
}

impl fmt::Display for ShopError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShopError::Unregistered => formatter.write_str("the shop does not know this server's secret"),
            ShopError::Rejected(text) => write!(formatter, "the shop did not accept the request: {text}"),
            ShopError::Away(text) => write!(formatter, "the shop does not answer: {text}"),
        }
    }
}

impl std::error::Error for ShopError {}

/// What the gate reads of a `ReportOutcome`. Reasons are words here: those of a newer shop must not make it unreadable.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Reported {
    pub rejected: Vec<RejectedRecord>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct RejectedRecord {
    pub reason: String,
}

pub struct Shop {
    client: Client,
    url: String,
    secret: Secret,
}

impl Shop {
    pub fn new(url: &str, secret: Secret) -> Result<Shop> {
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let client = Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .pool_idle_timeout(IDLE)
            .build()
            .context("preparing requests to the shop")?;
        let url = format!("{}/proxy-server", url.trim_end_matches('/'));
        reqwest::Url::parse(&url).with_context(|| format!("the shop's address is not a URL: {url}"))?;
        Ok(Shop { client, url, secret })
    }

    /// What this server is registered as.
    pub async fn describe(&self) -> Result<Registration, ShopError> {
        self.ask("describe", b"{}".to_vec(), QUESTION_TIMEOUT).await
    }

    /// The nodes that this server carries.
    pub async fn nodes(&self) -> Result<Vec<ServedNode>, ShopError> {
        let mut all = Vec::new();
        let mut after = 0;
        loop {
            let page: ServedNodes = self.ask("nodes", json(&ServedNodesRequest { after })?, REPORT_TIMEOUT).await?;
            all.extend(page.nodes);
            match page.next {
                Some(next) if next > after => after = next,
                Some(_) => return Err(ShopError::Away("its pages of nodes go round in a circle".into())),
                None => return Ok(all),
            }
        }
    }

    /// The answers for these connections, in their order.
    pub async fn authorize(&self, connections: Vec<Connection>) -> Result<Vec<Authorization>, ShopError> {
        let mut all = Vec::with_capacity(connections.len());
        for connections in in_requests(connections) {
            let asked = connections.len();
            let body = json(&Connections { connections })?;
            let Authorizations { answers } = self.ask("authorize", body, QUESTION_TIMEOUT).await?;
            if answers.len() != asked {
                return Err(ShopError::Away(format!("{} answers to {asked} questions", answers.len())));
            }
            all.extend(answers);
        }
        Ok(all)
    }

    /// Tells the shop how this server is.
    pub async fn beat(&self, heartbeat: &Heartbeat) -> Result<(), ShopError> {
        self.post("heartbeat", json(heartbeat)?, QUESTION_TIMEOUT).await.map(|_| ())
    }

    /// Reports usage, as a file of the spool holds it.
    pub async fn report(&self, records: Vec<u8>) -> Result<Reported, ShopError> {
        self.ask("usage", records, REPORT_TIMEOUT).await
    }

    async fn ask<T: DeserializeOwned>(&self, call: &str, body: Vec<u8>, timeout: Duration) -> Result<T, ShopError> {
        let answer = self.post(call, body, timeout).await?;
        serde_json::from_slice(&answer)
            .map_err(|error| ShopError::Away(format!("its answer is not understood: {error}")))
    }

    /// Sends a request, once more if its connection broke: all calls may be repeated.
    async fn post(&self, call: &str, body: Vec<u8>, timeout: Duration) -> Result<Vec<u8>, ShopError> {
        match self.post_once(call, body.clone(), timeout).await {
            Err(error) if !error.is_timeout() => self.post_once(call, body, timeout).await,
            other => other,
        }
        .map_err(|error| ShopError::Away(causes(&error)))?
    }

    async fn post_once(
        &self,
        call: &str,
        body: Vec<u8>,
        timeout: Duration,
    ) -> Result<Result<Vec<u8>, ShopError>, reqwest::Error> {
        let request = self.client.post(format!("{}/{call}", self.url)).timeout(timeout);
        let request = request.bearer_auth(self.secret.reveal()).header("Content-Type", "application/json");
        let mut response = request.body(body).send().await?;
        let status = response.status();
        let mut answer = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            answer.extend_from_slice(&chunk);
            if answer.len() > MAX_ANSWER_BYTES {
                return Ok(Err(ShopError::Away("its answer is too long".into())));
            }
        }
        Ok(judge(status, answer))
    }
}

/// Connections for one request each, so that none is too large for the shop: one client with long names must not spoil the answer of all.
fn in_requests(connections: Vec<Connection>) -> Vec<Vec<Connection>> {
    let mut requests: Vec<Vec<Connection>> = Vec::new();
    let mut bytes = usize::MAX;
    for connection in connections {
        let Connection { user_name, password, client_address, ip } = &connection;
        let texts = [user_name, password, client_address, ip];
        // Field names and punctuation, and texts in which every character is escaped.
        let more = 80 + texts.map(|text| 2 * text.len()).iter().sum::<usize>();
        if bytes.saturating_add(more) > BODY_MAX_BYTES {
            requests.push(Vec::new());
            bytes = 100;
        }
        bytes += more;
        if let Some(last) = requests.last_mut() {
            last.push(connection);
        }
    }
    requests
}

fn judge(status: StatusCode, answer: Vec<u8>) -> Result<Vec<u8>, ShopError> {
    let beginning = || String::from_utf8_lossy(&answer).chars().take(200).collect::<String>();
    match status {
        StatusCode::OK => Ok(answer),
        StatusCode::UNAUTHORIZED => Err(ShopError::Unregistered),
        StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE | StatusCode::UNPROCESSABLE_ENTITY => {
            Err(ShopError::Rejected(beginning()))
        }
        _ => Err(ShopError::Away(format!("status {}", status.as_u16()))),
    }
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, ShopError> {
    serde_json::to_vec(value).map_err(|error| ShopError::Rejected(error.to_string()))
}

/// An error with its causes, without the address that was asked.
fn causes(error: &reqwest::Error) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut cause = std::error::Error::source(error);
    while let Some(next) = cause {
        texts.push(next.to_string());
        cause = next.source();
    }
    if error.is_timeout() { "it took too long".into() } else { texts.join(": ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postern_core::proxy_protocol::MAX_CONNECTIONS;

    #[test]
    fn no_request_is_too_large_for_the_shop_and_all_are_asked_in_order() {
        let text = "\"".repeat(255);
        let connection = |number: usize| Connection {
            user_name: text.clone(),
            password: text.clone(),
            client_address: number.to_string(),
            ip: "2001:db8:1111:2222:3333:4444:5555:6666".into(),
        };
        let requests = in_requests((0..MAX_CONNECTIONS).map(connection).collect());
        assert!(requests.len() > 1);
        let numbers: Vec<String> = requests.iter().flatten().map(|asked| asked.client_address.clone()).collect();
        assert_eq!(numbers, (0..MAX_CONNECTIONS).map(|number| number.to_string()).collect::<Vec<_>>());
        for connections in requests {
            assert!(json(&Connections { connections }).expect("JSON").len() <= BODY_MAX_BYTES);
        }
    }
}
