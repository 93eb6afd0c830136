//! Requests to others over TLS: one provider of cryptography, and the roots of the public web compiled in.
use crate::error::AppError;
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;
use std::time::Duration;

/// Lets every client of this process use ring. Called before the first is built; calling it again does nothing.
pub fn prepare() {
    // It fails only where a provider was chosen already.
    let _ = ring::default_provider().install_default();
}

/// A client that gives up after so long, follows no redirects, keeps no connections, and goes through a proxy only if told to.
pub fn client(longest: Duration) -> Result<reqwest::ClientBuilder, AppError> {
    let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
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
