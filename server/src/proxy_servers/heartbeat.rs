//! What proxy servers say about themselves, every few seconds.
use crate::http::bodies::collect;
use crate::proxy_servers::authorize::{known, not_now};
use crate::proxy_servers::health;
use crate::proxy_servers::secret::Secret;
use crate::state::App;
use actix_web::{HttpResponse, web};
use postern_core::bounds::BODY_MAX_BYTES;
use postern_core::proxy_protocol::Heartbeat;
use serde_json::{Map, Value, json};

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(web::resource("/proxy-server/heartbeat").route(web::post().to(heartbeat)));
}

/// Keeps a `Heartbeat`. Responds with an empty object; with 400 if the heartbeat is malformed, and with 503 if the database does not respond.
async fn heartbeat(app: web::Data<App>, secret: Secret, payload: web::Payload) -> HttpResponse {
    let server = match known(&app, &secret).await {
        Ok(server) => server,
        Err(refusal) => return refusal,
    };
    let body = collect(payload.into_inner(), BODY_MAX_BYTES).await;
    let fields: Option<Map<String, Value>> = body.ok().and_then(|body| serde_json::from_slice(&body).ok());
    let said: Option<Heartbeat> = fields.and_then(|fields| serde_json::from_value(fields.into()).ok());
    let Some(said) = said else { return HttpResponse::BadRequest().json(json!({ "Error": "malformed" })) };
    let now = app.clock.now();
    let kept = app.db.write(move |conn| health::record(conn, server.id, &said, now)).await;
    kept.map_or_else(|error| not_now(&error), |()| HttpResponse::Ok().json(json!({})))
}
