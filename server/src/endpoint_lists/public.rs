//! `GET /lists/{token}`: a list of endpoints for a script, authorised by its URL alone.
use crate::config::exit_address_url;
use crate::endpoint_lists::queries::{self, FetchedList};
use crate::error::AppError;
use crate::http::request::ClientAddress;
use crate::security::sha256;
use crate::state::App;
use crate::throttle;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, EntityTag, Header, IfNoneMatch};
use actix_web::{HttpRequest, HttpResponse, get, web};
use postern_core::account::{AccountState, LIST_ATTEMPTS_PER_SENDER, LIST_FETCHES};
use postern_core::code::Code;
use postern_core::endpoint::{
    EndpointFormat, EndpointServer, EndpointUser, LIST_VERSION, ListLines, ListRequest, list_request,
};
use postern_core::network::sender_key;
use std::convert::Infallible;

/// A list is made as it is sent, this many bytes at a time.
const PIECE_BYTES: usize = 32 << 10;

/// How long a receiver should wait who is refused because others are being served.
const RETRY_AFTER_MS: i64 = 1_000;

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(fetch);
}

/// Responds with 404 for an unknown or revoked token, 403 for a suspended account, 409 if the list can no longer be made, 429 after too many
/// fetches or while too many of the account are being answered, and 503 without an answer of the database.
#[get("/lists/{token}")]
async fn fetch(app: web::Data<App>, request: HttpRequest, token: web::Path<String>) -> HttpResponse {
    match list(&app, &request, &token).await {
        Ok(response) => response,
        Err(AppError::Answer(refusal)) => refused(refusal.code, refusal.data["RetryAfterMs"].as_i64()),
        Err(error) if error.is_unavailable() => {
            tracing::warn!(%error, "an endpoint list could not be generated");
            refused(Code::Unavailable, Some(RETRY_AFTER_MS))
        }
        Err(error) => {
            tracing::error!(%error, "an endpoint list could not be generated");
            refused(Code::Internal, None)
        }
    }
}

fn refused(code: Code, retry_after_ms: Option<i64>) -> HttpResponse {
    let (status, text) = match code {
        Code::NotFound => (StatusCode::NOT_FOUND, "There is no such list.\n"),
        Code::NotPermitted => (StatusCode::FORBIDDEN, "The account is suspended.\n"),
        Code::StateForbids => (
            StatusCode::CONFLICT,
            "The proxy server of this list is no longer offered, or its lines have become too long.\n",
        ),
        Code::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "The server is busy. Try again in a moment.\n"),
        Code::TooManyRequests => (StatusCode::TOO_MANY_REQUESTS, "Too many requests.\n"),
        _ => (StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong on our side.\n"),
    };
    let mut response = HttpResponse::build(status);
    response.insert_header((header::CACHE_CONTROL, "no-store")).content_type("text/plain; charset=utf-8");
    if let Some(milliseconds) = retry_after_ms {
        response.insert_header((header::RETRY_AFTER, (milliseconds.max(0) / 1_000 + 1).to_string()));
    }
    response.body(text)
}

async fn list(app: &App, request: &HttpRequest, token: &str) -> Result<HttpResponse, AppError> {
    let now = app.clock.now();
    let address = ClientAddress::of(request, &app.config).map(|client| client.0);
    let sender = address.map_or_else(String::new, sender_key);
    let shown_address = address.map_or_else(String::new, |address| address.to_string());
    let hash = sha256(token);
    let found = app.db.write(move |conn| {
        let Some(found) = queries::by_token(conn, &hash, now)? else {
            throttle::hit(conn, &format!("lists tried from {sender}"), LIST_ATTEMPTS_PER_SENDER, now)?;
            return Ok(None);
        };
        throttle::hit(conn, &format!("list {}", found.id), LIST_FETCHES, now)?;
        if found.account == AccountState::Suspended {
            return Err(AppError::code(Code::NotPermitted));
        }
        let server = queries::server(conn, found.settings.server_id).map_err(|error| match error {
            AppError::Answer(_) => AppError::code(Code::StateForbids),
            other => other,
        })?;
        queries::record_use(conn, found.id, &shown_address, now)?;
        Ok(Some((found, server)))
    });
    let (found, server) = found.await?.ok_or_else(|| AppError::code(Code::NotFound))?;
    let (account_id, wanted) = (found.account_id, wanted(app, &found, &server, sha256(token))?);
    let format = wanted.template.is_none().then_some(wanted.format);
    // The request determines every byte of the list, so its tag does not need the list.
    let tag = EntityTag::new_strong(sha256(&serde_json::to_string(&(LIST_VERSION, &wanted))?)[..32].to_owned());
    // The settings were validated when saved, but since then the server may have lost its SOCKS5 port or got a longer host name.
    let mut lines = ListLines::new(wanted).map_err(|_| AppError::code(Code::StateForbids))?;
    let is_known = match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(&tag)),
        Ok(IfNoneMatch::Any) | Err(_) => false,
    };
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header((header::CACHE_CONTROL, "private, no-cache")).insert_header(header::ETag(tag));
    if is_known {
        return Ok(response.finish());
    }
    let slot = app.list_fetches.begin(account_id).ok_or_else(|| AppError::too_many(RETRY_AFTER_MS))?;
    let content_type = match format {
        Some(EndpointFormat::Csv) => "text/csv; charset=utf-8",
        Some(EndpointFormat::Json) => "application/json",
        _ => "text/plain; charset=utf-8",
    };
    let pieces = std::iter::from_fn(move || {
        // Held until the list is sent.
        let _held = &slot;
        lines.piece(PIECE_BYTES).map(|piece| Ok::<_, Infallible>(web::Bytes::from(piece)))
    });
    Ok(response.content_type(content_type).streaming(futures_util::stream::iter(pieces)))
}

fn wanted(app: &App, found: &FetchedList, server: &EndpointServer, seed: String) -> Result<ListRequest, AppError> {
    let password = app.key.open(&found.password_sealed).map_err(AppError::Internal)?;
    let user = EndpointUser { name: found.user_name.clone(), password };
    let request = list_request(&found.settings, server, &user, &seed);
    let request = request.map_err(|_| AppError::code(Code::StateForbids))?;
    Ok(ListRequest { target: Some(exit_address_url(&app.config.public_url)), ..request })
}
