//! Serves the built front end and the texts from memory, and sets the headers of every response.
pub mod brand;
pub mod cached;
pub mod compress;
pub mod headers;
mod site;

use crate::web::compress::Encoding;
use crate::web::site::Found;
pub use crate::web::site::{DOCUMENT, Site};
use actix_web::http::Method;
use actix_web::http::header::{
    ACCEPT, ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue,
    IF_NONE_MATCH, VARY,
};
use actix_web::{HttpRequest, HttpResponse, web};

/// Serves the API's document. Before the calls, which answer every other path under `/api`.
pub fn configure_document(config: &mut web::ServiceConfig, site: &web::Data<Site>) {
    config.service(web::resource(DOCUMENT).app_data(site.clone()).to(answer));
}

/// Serves every path that no earlier route matched.
pub fn configure(config: &mut web::ServiceConfig, site: &web::Data<Site>) {
    config.app_data(site.clone()).default_service(web::to(answer));
}

async fn answer(request: HttpRequest, site: web::Data<Site>) -> HttpResponse {
    if request.method() != Method::GET {
        // With a body: after an empty response to an unread request body, the connection would stay open for a second.
        return HttpResponse::MethodNotAllowed()
            .insert_header((ALLOW, "GET, HEAD"))
            .content_type("text/plain; charset=utf-8")
            .body("A page is asked for with GET.");
    }
    let found = site.find(request.path(), request.query_string(), accepts_pages(request.headers()));
    let Some(Found { file, cache_control, is_there }) = found else {
        return HttpResponse::NotFound()
            .content_type("text/plain; charset=utf-8")
            .body(site.not_found_message(request.path()));
    };
    let (encoding, body) = file.body(Encoding::accepted(request.headers().get(ACCEPT_ENCODING)));
    let is_known = is_there && is_known(request.headers(), &body.etag);
    let mut response = match (is_there, is_known) {
        (false, _) => HttpResponse::NotFound(),
        (true, false) => HttpResponse::Ok(),
        (true, true) => HttpResponse::NotModified(),
    };
    response.insert_header((CACHE_CONTROL, HeaderValue::from_static(cache_control)));
    if is_there {
        response.insert_header((ETAG, body.etag.clone()));
    }
    let varies = if is_there { "Accept-Encoding" } else { "Accept, Accept-Encoding" };
    response.insert_header((VARY, HeaderValue::from_static(varies)));
    if is_known {
        return response.finish();
    }
    if let Some(name) = encoding.name() {
        response.insert_header((CONTENT_ENCODING, HeaderValue::from_static(name)));
    }
    response.insert_header((CONTENT_TYPE, HeaderValue::from_static(file.content_type))).body(body.bytes.clone())
}

/// Whether somebody is opening a page in a browser: programs, scripts of pages and pictures do not ask for HTML.
fn accepts_pages(headers: &HeaderMap) -> bool {
    headers.get_all(ACCEPT).filter_map(|value| value.to_str().ok()).any(|kinds| kinds.contains("text/html"))
}

/// Whether the browser has exactly this body (`If-None-Match`). A proxy may have made the tag a weak one.
fn is_known(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    headers.get_all(IF_NONE_MATCH).filter_map(|value| value.to_str().ok()).flat_map(|tags| tags.split(',')).any(|tag| {
        let tag = tag.trim();
        tag == "*" || tag.strip_prefix("W/").unwrap_or(tag).as_bytes() == etag.as_bytes()
    })
}
