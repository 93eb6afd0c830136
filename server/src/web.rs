//! The built front end, the texts, and the headers that every response carries.
use crate::config::Config;
use actix_files::{Files, NamedFile};
use actix_web::dev::{ServiceRequest, ServiceResponse, fn_service};
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::middleware::{DefaultHeaders, Next};
use actix_web::{Error, HttpResponse, web};
use std::path::PathBuf;

/// wasm needs `wasm-unsafe-eval`; the grid and the toasts bring styles of their own.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

pub fn security_headers() -> DefaultHeaders {
    DefaultHeaders::new()
        .add(("Content-Security-Policy", CONTENT_SECURITY_POLICY))
        .add(("X-Content-Type-Options", "nosniff"))
        .add(("X-Frame-Options", "DENY"))
        .add(("Referrer-Policy", "strict-origin-when-cross-origin"))
        .add(("Permissions-Policy", "camera=(), microphone=(), geolocation=()"))
        .add(("Cross-Origin-Opener-Policy", "same-origin"))
}

pub fn configure(config: &mut web::ServiceConfig, settings: &Config) {
    let index = settings.web_dir.join("index.html");
    config
        .service(
            web::scope("/locales")
                .wrap(actix_web::middleware::from_fn(cache_versioned))
                .service(Files::new("", &settings.locales_dir)),
        )
        .service(
            web::scope("/assets")
                .wrap(actix_web::middleware::from_fn(cache_forever))
                .service(Files::new("", settings.web_dir.join("assets")).try_compressed()),
        )
        .service(
            Files::new("/", &settings.web_dir)
                .index_file("index.html")
                .try_compressed()
                .default_handler(fn_service(move |request| single_page(request, index.clone()))),
        );
}

/// Any path that is no file is a screen of the front end, which is one page.
async fn single_page(request: ServiceRequest, index: PathBuf) -> Result<ServiceResponse, Error> {
    let (request, _) = request.into_parts();
    let response = match NamedFile::open(index) {
        Ok(file) => {
            let mut response = file.into_response(&request);
            response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
            response
        }
        Err(_) => HttpResponse::NotFound().body("The front end is not built: run `make run`."),
    };
    Ok(ServiceResponse::new(request, response))
}

/// The names of assets carry a hash of their content.
async fn cache_forever<B: actix_web::body::MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let mut response = next.call(request).await?;
    if response.status().is_success() {
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    }
    Ok(response)
}

/// Texts asked for with the build's version may be kept; others are asked for again.
async fn cache_versioned<B: actix_web::body::MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let is_versioned = request.query_string().contains("v=");
    let mut response = next.call(request).await?;
    let value = if is_versioned { "public, max-age=31536000, immutable" } else { "no-cache" };
    if response.status().is_success() {
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(value));
    }
    Ok(response)
}
