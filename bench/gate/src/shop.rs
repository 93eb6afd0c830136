//! A shop that allows everyone, and counts what it is asked.
use anyhow::Result;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use postern_core::proxy_protocol::{Authorization, Authorizations, Connections, ReportOutcome};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::net::TcpListener;

/// The shop's own answers are valid for this long.
const VALID_SECONDS: u64 = 5;

#[derive(Clone)]
pub struct Shop {
    pub address: SocketAddr,
    asked: Arc<AtomicU64>,
}

impl Shop {
    pub async fn start() -> Result<Shop> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let shop = Shop { address: listener.local_addr()?, asked: Arc::default() };
        let serving = shop.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shop = serving.clone();
                tokio::spawn(async move {
                    let service = service_fn(|request| shop.answer(request));
                    // Who asks may go.
                    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
                });
            }
        });
        Ok(shop)
    }

    /// The requests to `authorize` since the start.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    async fn answer(&self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let json = match parts.uri.path() {
            "/proxy-server/authorize" => {
                self.asked.fetch_add(1, Ordering::Relaxed);
                let Connections { connections } = serde_json::from_slice(&body)?;
                let allowed = Authorization {
                    allowed: true,
                    valid_for_seconds: VALID_SECONDS,
                    proxy_user_id: Some(7),
                    ..Authorization::default()
                };
                serde_json::to_vec(&Authorizations { answers: vec![allowed; connections.len()] })?
            }
            "/proxy-server/usage" => serde_json::to_vec(&ReportOutcome::default())?,
            _ => b"{\"Name\":\"bench\",\"Kind\":\"residential\"}".to_vec(),
        };
        Ok(Response::new(Full::from(json)))
    }
}
