//! The one address that callbacks come to. What a gateway has signed is stored whole before it is judged, and never throttled; of
//! anything else the shop counts how much comes, and keeps little.
use crate::error::AppError;
use crate::gateways::{Gateway, StoredCallback, named};
use crate::http::request::ClientAddress;
use crate::payments::judge::judge;
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

/// A gateway that waits longer than this for an answer is better told to come again.
const LONGEST_STORE: Duration = Duration::from_secs(5);

pub fn configure(config: &mut web::ServiceConfig) {
    let callbacks = web::resource("/gateway/callback/{gateway}").app_data(web::PayloadConfig::new(MAX_BYTES));
    config.service(callbacks.route(web::post().to(take_callback)));
}

/// Answers 200 to what is stored: judging it is the shop's business. What could not be stored is answered 503, and what the gateway has
/// not signed 400, so that it comes again: the fault may be the shop's.
async fn take_callback(
    app: web::Data<App>,
    request: HttpRequest,
    name: web::Path<String>,
    from: ClientAddress,
    body: web::Bytes,
) -> HttpResponse {
    let gateway = named(&name).filter(|gateway| gateway.is_offered(&app.config));
    let Some((gateway, header)) = gateway.and_then(|gateway| Some((gateway, gateway.signature_header()?))) else {
        return HttpResponse::NotFound().finish();
    };
    let signature = request.headers().get(header).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !gateway.is_signed(&app.config, &app.key, &body, signature, app.clock.now()) {
        return refuse(&app, gateway, &body, from.0).await;
    }
    let stored = match store(&app, gateway, body, signature, from.0.to_string()).await {
        Ok(stored) => stored,
        Err(error) => return not_now(&error),
    };
    let callback_id = stored.id;
    match in_time(judge(&app, stored)).await {
        Ok(verdict) => HttpResponse::Ok().json(json!({ "Verdict": verdict.as_str() })),
        Err(error) => {
            // It is stored: a job judges it.
            tracing::error!(callback_id, %error, "a callback could not be judged");
            HttpResponse::Ok().json(json!({ "Verdict": null }))
        }
    }
}

/// Stores a callback that its gateway has signed, or says in time that this cannot be done.
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

/// Stores a callback, and then judges it in a transaction of its own: whatever happens to the judging, the callback stays.
pub async fn receive(app: &App, gateway: &dyn Gateway, body: String, signature: &str) -> Result<Verdict, AppError> {
    let stored = store(app, gateway, body.into(), signature, String::new()).await?;
    judge(app, stored).await
}

async fn refuse(app: &App, gateway: &dyn Gateway, body: &[u8], sender: IpAddr) -> HttpResponse {
    // The database hears of a flood only so often.
    if app.first_line.check_key(&format!("callbacks {}", sender_key(sender))).is_err() {
        return too_many(1_000);
    }
    let (name, short, now) = (gateway.method(), ShortForm::of(body), app.clock.now());
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
    HttpResponse::ServiceUnavailable().finish()
}
