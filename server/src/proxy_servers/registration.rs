//! What proxy servers ask about themselves: as what they are registered, and which nodes they carry.
use crate::error::AppError;
use crate::http::bodies::collect;
use crate::proxy_servers::authorize::{known, not_now};
use crate::proxy_servers::nodes::served;
use crate::proxy_servers::secret::Secret;
use crate::state::App;
use actix_web::{HttpResponse, web};
use postern_core::bounds::BODY_MAX_BYTES;
use postern_core::proxy_protocol::{Registration, ServedNodes, ServedNodesRequest};
use postern_core::proxy_server::ProxyServerKind;
use serde_json::json;

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(web::resource("/proxy-server/describe").route(web::post().to(describe)));
    config.service(web::resource("/proxy-server/nodes").route(web::post().to(nodes)));
}

/// Responds with a `Registration`: proxy servers find out by it whether their secret is right.
async fn describe(app: web::Data<App>, secret: Secret) -> HttpResponse {
    match known(&app, &secret).await {
        Ok(server) => HttpResponse::Ok().json(Registration { name: server.name.clone(), kind: server.kind }),
        Err(refusal) => refusal,
    }
}

/// Responds with a page of `ServedNodes`; with 400 if the request is malformed, and with 503 if the database does not respond.
async fn nodes(app: web::Data<App>, secret: Secret, payload: web::Payload) -> HttpResponse {
    let server = match known(&app, &secret).await {
        Ok(server) => server,
        Err(refusal) => return refusal,
    };
    let body = collect(payload.into_inner(), BODY_MAX_BYTES).await;
    let asked: Option<ServedNodesRequest> = body.ok().and_then(|body| serde_json::from_slice(&body).ok());
    let Some(ServedNodesRequest { after }) = asked else {
        return HttpResponse::BadRequest().json(json!({ "Error": "malformed" }));
    };
    let page: Result<ServedNodes, AppError> = match server.kind {
        ProxyServerKind::Residential => Ok(ServedNodes::default()),
        ProxyServerKind::Static => app.db.read(move |conn| served(conn, server.id, after)).await,
    };
    page.map_or_else(|error| not_now(&error), |page| HttpResponse::Ok().json(page))
}
