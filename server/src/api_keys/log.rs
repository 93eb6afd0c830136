//! Records in the security log which changes were made with API keys, and refused keys.
use crate::db::Conn;
use crate::error::{AppError, Refusal};
use crate::http::admission::{UsedKey, call_admitted};
use crate::security_log;
use crate::security_log::visitor::Visitor;
use crate::state::App;
use crate::throttle;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpMessage, web};
use postern_core::api_key::LOGGED_REFUSALS;
use postern_core::code::Code;
use postern_core::security_log::SecurityKind;

/// Middleware around admission. If the log cannot be written, the call still succeeds, and the error is only logged.
pub async fn note_keys<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let response = next.call(request).await?;
    let used = response.request().extensions().get::<UsedKey>().cloned();
    if let Some(key) = used
        && let Some(entry) = entry_of(&response, key)
        && let Err(error) = write(&response, entry).await
    {
        tracing::error!(%error, "a call with an API key could not be written to the security log");
    }
    Ok(response)
}

struct Entry {
    kind: SecurityKind,
    key: UsedKey,
    /// The key's name, and the call made with it.
    detail: String,
}

fn entry_of<B>(response: &ServiceResponse<B>, key: UsedKey) -> Option<Entry> {
    let refused = response.response().extensions().get::<Refusal>().map(|refusal| refusal.code);
    match (call_admitted(response.request()), refused) {
        (Some(call), None) if call.is_change() => {
            Some(Entry { kind: SecurityKind::ApiKeyUsed, detail: format!("{}: {}", key.name, call.name), key })
        }
        (None, Some(Code::NotPermitted | Code::SignInAgain)) => {
            Some(Entry { kind: SecurityKind::ApiKeyRefused, detail: key.name.clone(), key })
        }
        _ => None,
    }
}

async fn write<B>(response: &ServiceResponse<B>, entry: Entry) -> Result<(), AppError> {
    let app = response.request().app_data::<web::Data<App>>();
    let app = app.ok_or_else(|| AppError::internal("the application's state is missing"))?;
    let visitor = Visitor::extract(response.request()).await?;
    let now = app.clock.now();
    let note = move |conn: &mut Conn| {
        // Rate-limited, so that repeated attempts do not fill the log.
        if entry.kind == SecurityKind::ApiKeyRefused {
            let bucket = format!("refusals of the key {}", entry.key.key_id);
            if throttle::hit(conn, &bucket, LOGGED_REFUSALS, now).is_err() {
                return Ok(());
            }
        }
        security_log::note(conn, entry.key.user_id, entry.kind, &visitor, &entry.detail, now)
    };
    app.db.write(note).await
}
