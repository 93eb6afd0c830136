//! Security headers: what browsers may do with a response.
use crate::config::Config;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{
    CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use actix_web::middleware::Next;
use actix_web::{Error, web};

/// Path prefix of calls made by programs, never by browsers.
const FOR_PROGRAMS: &str = "/proxy-server/";

/// The default headers of every response; a response's own headers take precedence.
pub struct SecurityHeaders(Vec<(HeaderName, HeaderValue)>);

impl SecurityHeaders {
    pub fn of(config: &Config) -> anyhow::Result<SecurityHeaders> {
        let policy = content_security_policy(config.chat_script_url.as_ref());
        let mut headers = vec![
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy)?),
            (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
            (REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin")),
            (
                HeaderName::from_static("permissions-policy"),
                HeaderValue::from_static("camera=(), microphone=(), geolocation=()"),
            ),
        ];
        // Customers reach the shop over HTTPS: make browsers never use HTTP. Over HTTP, browsers ignore an opener policy, and log an error.
        if config.public_url.starts_with("https://") {
            let always = HeaderValue::from_static("max-age=31536000; includeSubDomains");
            headers.push((STRICT_TRANSPORT_SECURITY, always));
            let same_origin = HeaderValue::from_static("same-origin");
            headers.push((HeaderName::from_static("cross-origin-opener-policy"), same_origin));
        }
        Ok(SecurityHeaders(headers))
    }

    /// The headers for a path: responses to programs only need `X-Content-Type-Options`.
    fn of_path(&self, path: &str) -> &[(HeaderName, HeaderValue)] {
        if path.starts_with(FOR_PROGRAMS) { &self.0[..1] } else { &self.0 }
    }
}

/// Middleware: sets the security headers.
pub async fn security_headers<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let known = request.app_data::<web::Data<SecurityHeaders>>().cloned();
    let headers = known.as_ref().map(|known| known.of_path(request.path())).unwrap_or_default();
    let mut response = next.call(request).await?;
    for (name, value) in headers {
        if !response.headers().contains_key(name) {
            response.headers_mut().insert(name.clone(), value.clone());
        }
    }
    Ok(response)
}

/// wasm needs `wasm-unsafe-eval`; the grid and the toasts inject their own styles. The host of a third-party chat, if one is configured, gets the
/// permissions of a chat.
fn content_security_policy(chat: Option<&reqwest::Url>) -> String {
    let origin = chat.map(|url| url.origin().ascii_serialization());
    let chat = origin.as_ref().map(|origin| format!(" {origin}")).unwrap_or_default();
    let socket = origin.as_ref().map(|origin| format!(" {}", origin.replacen("http", "ws", 1))).unwrap_or_default();
    let frames = origin.map(|origin| format!("frame-src {origin}; media-src {origin}; ")).unwrap_or_default();
    format!(
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'{chat}; style-src 'self' 'unsafe-inline'{chat}; \
        img-src 'self' data: blob:{chat}; font-src 'self' data:{chat}; connect-src 'self'{chat}{socket}; {frames}object-src 'none'; \
        base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_allows_only_the_host_of_a_configured_chat() {
        assert_eq!(
            content_security_policy(None),
            "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
            img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; \
            form-action 'self'; frame-ancestors 'none'"
        );
        let url = "https://chat.example:8443/sdk.js?key=a;b".parse().expect("an address");
        let policy = content_security_policy(Some(&url));
        assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval' https://chat.example:8443;"), "{policy}");
        assert!(policy.contains("connect-src 'self' https://chat.example:8443 wss://chat.example:8443;"), "{policy}");
        assert!(policy.contains("frame-src https://chat.example:8443;") && !policy.contains("sdk.js"), "{policy}");
    }
}
