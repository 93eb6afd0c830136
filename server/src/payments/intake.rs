//! The endpoint for callbacks. Signed ones are stored in full before they are processed, and never rate-limited; unsigned ones are only counted, and
//! stored in short form.
use crate::error::AppError;
use crate::gateways::{Callbacks, Gateway, StoredCallback, named};
use crate::http::answer::unavailable;
use crate::http::request::ClientAddress;
use crate::payments::process::process;
use crate::payments::stored::{self, ShortForm};
use crate::state::App;
use actix_web::http::header::RETRY_AFTER;
use actix_web::{HttpRequest, HttpResponse, web};
use postern_core::callback::MAX_BYTES;
use postern_core::network::sender_key;
use postern_core::order::Verdict;
use serde_json::json;
use std::net::IpAddr;
use std::time::Duration;

/// Maximum time to store a callback; after that, the gateway should redeliver.
const LONGEST_STORE: Duration = Duration::from_secs(5);

pub fn configure(config: &mut web::ServiceConfig) {
    let callbacks = web::resource("/gateway/callback/{gateway}").app_data(web::PayloadConfig::new(MAX_BYTES));
    config.service(callbacks.route(web::post().to(take_posted)).route(web::get().to(take_query)));
}

/// A callback by POST, signed in a header.
async fn take_posted(
    app: web::Data<App>,
    request: HttpRequest,
    name: web::Path<String>,
    from: ClientAddress,
    body: web::Bytes,
) -> HttpResponse {
    let Some((gateway, Callbacks::Signed(header))) = gateway_of(&app, &name) else {
        return HttpResponse::NotFound().finish();
    };
    let signature = request.headers().get(header).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match take(&app, gateway, body, signature, from.0).await {
        Ok(verdict) => HttpResponse::Ok().json(json!({ "Verdict": verdict.map(Verdict::as_str) })),
        Err(refusal) => refusal,
    }
}

/// A callback by GET: the query is its body, and has its signature.
async fn take_query(
    app: web::Data<App>,
    request: HttpRequest,
    name: web::Path<String>,
    from: ClientAddress,
) -> HttpResponse {
    let query = request.query_string();
    let Some((gateway, Callbacks::Query)) = gateway_of(&app, &name).filter(|_| query.len() <= MAX_BYTES) else {
        return HttpResponse::NotFound().finish();
    };
    match take(&app, gateway, query.to_owned().into(), "", from.0).await {
        // Anything else, and the gateway repeats it.
        Ok(_) => HttpResponse::Ok().content_type("text/plain; charset=utf-8").body("success"),
        Err(refusal) => refusal,
    }
}

fn gateway_of(app: &App, name: &str) -> Option<(&'static dyn Gateway, Callbacks)> {
    let gateway = named(name).filter(|gateway| gateway.is_offered(&app.config))?;
    Some((gateway, gateway.callbacks()))
}

/// Succeeds once the callback is stored, whatever comes of processing it: `None` if that has to be repeated. Otherwise responds with 503 if it could not
/// be stored, and with 400 if it is unsigned, so that the gateway redelivers: the fault may be the shop's.
async fn take(
    app: &App,
    gateway: &dyn Gateway,
    body: web::Bytes,
    signature: &str,
    sender: IpAddr,
) -> Result<Option<Verdict>, HttpResponse> {
    if !gateway.is_signed(&app.config, &app.key, &body, signature, app.clock.now()) {
        return Err(refuse(app, gateway, &body, sender).await);
    }
    let stored = store(app, gateway, body, signature, sender.to_string()).await.map_err(|error| not_now(&error))?;
    let callback_id = stored.id;
    Ok(match in_time(process(app, stored)).await {
        Ok(verdict) => Some(verdict),
        Err(error) => {
            // It is stored: a job will process it.
            tracing::error!(callback_id, %error, "a callback could not be processed");
            None
        }
    })
}

/// Stores a signed callback, or fails within `LONGEST_STORE`.
async fn store(
    app: &App,
    gateway: &dyn Gateway,
    body: web::Bytes,
    signature: &str,
    sender: String,
) -> Result<StoredCallback, AppError> {
    let (name, signature, now) = (gateway.method(), signature.to_owned(), app.clock.now());
    in_time(app.db.write(move |conn| stored::store(conn, name, &body, &signature, &sender, now))).await
}

/// Stores a callback, then processes it in a transaction of its own: if that fails, the callback stays stored.
pub async fn receive(app: &App, gateway: &dyn Gateway, body: String, signature: &str) -> Result<Verdict, AppError> {
    let stored = store(app, gateway, body.into(), signature, String::new()).await?;
    process(app, stored).await
}

async fn refuse(app: &App, gateway: &dyn Gateway, body: &[u8], sender: IpAddr) -> HttpResponse {
    // Rate-limits the database writes of a flood.
    if app.burst_limit.check_key(&format!("callbacks {}", sender_key(sender))).is_err() {
        return too_many(1_000);
    }
    let (name, short, now) = (gateway.method(), ShortForm::of(body), app.clock.now());
    app.counts.note_callback(name, Verdict::BadSignature);
    match in_time(app.db.write(move |conn| stored::note_forged(conn, name, &short, sender, now))).await {
        Ok(None) => HttpResponse::BadRequest().json(json!({ "Verdict": Verdict::BadSignature.as_str() })),
        Ok(Some(retry_after_ms)) => too_many(retry_after_ms),
        Err(error) => not_now(&error),
    }
}

async fn in_time<T>(write: impl Future<Output = Result<T, AppError>>) -> Result<T, AppError> {
    let written = tokio::time::timeout(LONGEST_STORE, write).await;
    written.unwrap_or_else(|_| Err(AppError::Busy("a callback waited too long for the database".to_owned())))
}

fn too_many(retry_after_ms: u64) -> HttpResponse {
    HttpResponse::TooManyRequests().insert_header((RETRY_AFTER, retry_after_ms.div_ceil(1_000).to_string())).finish()
}

fn not_now(error: &AppError) -> HttpResponse {
    tracing::error!(%error, "a callback could not be stored");
    unavailable().finish()
}
