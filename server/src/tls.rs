//! TLS for outgoing requests: one crypto provider, and the public root certificates compiled in.
use crate::error::AppError;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;
use std::time::Duration;

/// Installs ring as the process's crypto provider. Call it before the first client is built; repeated calls do nothing.
pub fn prepare() {
    // Fails only if a provider is installed already.
    let _ = ring::default_provider().install_default();
}

/// A client with this timeout that follows no redirects, keeps no connections alive, and uses a proxy only if given one.
pub fn client(longest: Duration) -> Result<reqwest::ClientBuilder, AppError> {
    client_trusting(RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }, longest)
}

/// The same with other root certificates.
pub fn client_trusting(roots: RootCertStore, longest: Duration) -> Result<reqwest::ClientBuilder, AppError> {
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| AppError::Internal(error.into()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .pool_max_idle_per_host(0)
        .timeout(longest))
}
