//! Streams of conversation updates: newline-delimited JSON.
use crate::error::AppError;
use crate::http::request::{Body, Operator, SignedIn};
use crate::state::App;
use crate::state::streams::StreamState;
use crate::support::types::{StreamLine, WaitForNews};
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, post, web};
use futures_util::stream::unfold;
use postern_core::code::Code;
use postern_core::support::{HEARTBEAT_SECONDS, STREAM_SECONDS, Side, StreamEvent};
use serde_json::json;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

/// Streams a notice of each change in the account's conversation, as JSON objects, one per line.
///
/// The first object is `begin`, each change is `news`, an idle stream sends `alive` every 15 seconds, and the last one is `end`. After `begin` and
/// `news`, call `Support/GetConversation` for the new messages. Refused with 4290 if the account has eight streams open: poll instead.
#[utoipa::path(request_body = WaitForNews, responses((status = 200, body = StreamLine, content_type = "application/x-ndjson")))]
#[post("/Support/WaitForMessages")]
pub async fn wait_for_messages(
    app: web::Data<App>,
    who: SignedIn,
    Body(asked): Body<WaitForNews>,
) -> Result<HttpResponse, AppError> {
    stream(&app, &who, Side::Customer, asked)
}

/// Streams a notice of each change in any conversation, as JSON objects, one per line. Works like `Support/WaitForMessages`.
#[utoipa::path(request_body = WaitForNews, responses((status = 200, body = StreamLine, content_type = "application/x-ndjson")))]
#[post("/Operator/WaitForConversations")]
pub async fn wait_for_conversations(
    app: web::Data<App>,
    who: Operator,
    Body(asked): Body<WaitForNews>,
) -> Result<HttpResponse, AppError> {
    stream(&app, &who, Side::Operator, asked)
}

fn stream(app: &App, who: &SignedIn, side: Side, asked: WaitForNews) -> Result<HttpResponse, AppError> {
    let slot = app
        .support
        .open(who.account_id, who.session_id()?, side)
        .ok_or_else(|| AppError::with(Code::TooManyRequests, json!({ "RetryAfterMs": 10_000 })))?;
    let seconds = asked.seconds.map_or(STREAM_SECONDS, |seconds| u64::from(seconds).clamp(1, STREAM_SECONDS));
    let until = Instant::now() + Duration::from_secs(seconds);
    let lines = unfold(Some((slot, StreamState::default(), true)), move |state| async move {
        let (mut slot, seen, is_first) = state?;
        let (event, seen) = if is_first { (StreamEvent::Begin, seen) } else { next(&mut slot.news, seen, until).await };
        let line = Ok::<Bytes, Infallible>(line(event));
        Some((line, (event != StreamEvent::End).then_some((slot, seen, false))))
    });
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "application/x-ndjson"))
        .insert_header((CACHE_CONTROL, "no-store"))
        // Without this, nginx buffers the lines.
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(lines))
}

/// Waits for the next line.
async fn next(
    news: &mut watch::Receiver<StreamState>,
    seen: StreamState,
    until: Instant,
) -> (StreamEvent, StreamState) {
    tokio::select! {
        changed = news.wait_for(|state| *state != seen) => match changed.map(|state| *state) {
            Ok(state) if !state.is_over => (StreamEvent::News, state),
            _ => (StreamEvent::End, seen),
        },
        _ = sleep_until(until) => (StreamEvent::End, seen),
        _ = sleep(Duration::from_secs(HEARTBEAT_SECONDS)) => (StreamEvent::Alive, seen),
    }
}

fn line(kind: StreamEvent) -> Bytes {
    let line = serde_json::to_string(&StreamLine { kind }).unwrap_or_default();
    Bytes::from(line + "\n")
}
