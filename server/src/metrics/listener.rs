//! Counts requests, and answers `/metrics` at an address of its own: the internet does not reach it.
use crate::metrics::page::page;
use crate::state::App;
use actix_web::body::MessageBody;
use actix_web::dev::{Server, ServiceRequest, ServiceResponse};
use actix_web::http::header::CONTENT_TYPE;
use actix_web::middleware::Next;
use actix_web::{App as ActixApp, Error, HttpResponse, HttpServer, web};
use std::net::TcpListener;
use std::time::Instant;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The route of requests that no pattern matches: the files of the front end, and what does not exist.
const NO_ROUTE: &str = "other";

/// Middleware: counts requests with their duration, if anybody asks for it.
pub async fn count_requests<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let counts = request.app_data::<web::Data<App>>().map(|app| app.counts.clone()).filter(|counts| counts.is_on());
    let began = Instant::now();
    let response = next.call(request).await?;
    if let Some(counts) = counts {
        let route = response.request().match_pattern().unwrap_or_else(|| NO_ROUTE.to_owned());
        counts.note_request(route, response.status().as_u16(), began.elapsed());
    }
    Ok(response)
}

/// Serves the metrics until the process ends.
pub fn serve(app: App, listener: TcpListener) -> anyhow::Result<Server> {
    let app = web::Data::new(App { db: app.db.for_requests(), ..app });
    let site = move || ActixApp::new().app_data(app.clone()).route("/metrics", web::get().to(answer));
    Ok(HttpServer::new(site).workers(1).disable_signals().listen(listener)?.run())
}

async fn answer(app: web::Data<App>) -> HttpResponse {
    match page(&app).await {
        Ok(page) => HttpResponse::Ok().insert_header((CONTENT_TYPE, OPEN_METRICS)).body(page),
        Err(error) => {
            tracing::error!(%error, "the metrics could not be written");
            HttpResponse::InternalServerError().finish()
        }
    }
}
