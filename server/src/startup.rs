//! Puts the application together and serves it until it is told to stop.
use crate::answer::around_requests;
use crate::config::Config;
use crate::request::authenticate;
use crate::settings::queries::update_seller;
use crate::state::App;
use crate::{demo, gateways, jobs, openapi, web as site};
use actix_web::dev::Server;
use actix_web::http::header::ContentType;
use actix_web::middleware::{Compress, from_fn};
use actix_web::{App as ActixApp, HttpResponse, HttpServer, get, web};
use postern_core::code::Code;
use std::net::TcpListener;
use tokio::sync::watch;
use utoipa_actix_web::AppExt;
use utoipa_swagger_ui::{Config as SwaggerConfig, SwaggerUi};

/// Bodies of calls are small; anything larger is refused.
const BODY_LIMIT: usize = 1 << 20;

/// Where the API is described.
const DOCUMENT: &str = "/api/openapi.json";

/// The server, listening but not yet polled. Jobs run beside it until `stop` says so.
pub fn server(app: App, listener: TcpListener, workers: usize) -> std::io::Result<Server> {
    // As text: each worker would keep a tree of its own.
    let document = web::Bytes::from(serde_json::to_vec(&openapi::document())?);
    let server = HttpServer::new(move || {
        let document = document.clone();
        let document = move || std::future::ready(json(document.clone()));
        let (service, _) = ActixApp::new()
            .into_utoipa_app()
            .app_data(web::Data::new(app.clone()))
            .app_data(web::PayloadConfig::new(BODY_LIMIT))
            .map(|app| app.service(web::resource(DOCUMENT).to(document)))
            .map(|app| app.service(SwaggerUi::new("/api/docs/{_:.*}").config(SwaggerConfig::from(DOCUMENT))))
            .map(|app| app.service(web::resource("/api/docs").to(|| async { see_other("/api/docs/") })))
            .service(
                utoipa_actix_web::scope::scope("/api")
                    .wrap(from_fn(authenticate))
                    .configure(openapi::configure)
                    .default_service(web::to(unknown_call)),
            )
            .split_for_parts();
        service
            .service(live)
            .service(ready)
            .configure(gateways::configure)
            .configure(demo::mailbox::configure)
            .configure(|config| site::configure(config, &app.config))
            .wrap(from_fn(around_requests))
            .wrap(Compress::default())
            .wrap(site::security_headers())
    });
    Ok(server.workers(workers).shutdown_timeout(10).listen(listener)?.run())
}

/// Serves the shop until SIGTERM or SIGINT, and then lets what is under way come to its end.
pub async fn serve(config: Config) -> anyhow::Result<()> {
    let address = format!("{}:{}", config.host, config.port);
    let listener = TcpListener::bind(&address).map_err(|error| anyhow::anyhow!("listening on {address}: {error}"))?;
    let app = App::new(config)?;
    let seller = app.config.seller();
    app.db
        .write_blocking(|conn| update_seller(conn, &seller))
        .map_err(|error| anyhow::anyhow!("writing down who sells: {error}"))?;
    let (stop, stopped) = watch::channel(false);
    let jobs = tokio::spawn(jobs::run(app.clone(), stopped));
    let workers = std::thread::available_parallelism().map_or(2, |cores| cores.get());
    tracing::info!(%address, "serving");
    server(app, listener, workers)?.await?;
    stop.send(true)?;
    jobs.await?;
    Ok(())
}

fn json(text: web::Bytes) -> HttpResponse {
    HttpResponse::Ok().content_type(ContentType::json()).body(text)
}

fn see_other(path: &'static str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header(("Location", path)).finish()
}

async fn unknown_call() -> Result<HttpResponse, crate::error::AppError> {
    Err(crate::error::AppError::code(Code::NotFound))
}

/// The process runs.
#[get("/health/live")]
async fn live() -> HttpResponse {
    HttpResponse::Ok().body("live")
}

/// The shop can serve: its database answers.
#[get("/health/ready")]
async fn ready(app: web::Data<App>) -> HttpResponse {
    let asked = app.db.read(|conn| Ok(diesel::connection::SimpleConnection::batch_execute(conn, "SELECT 1")?)).await;
    match asked {
        Ok(()) => HttpResponse::Ok().body("ready"),
        Err(_) => HttpResponse::ServiceUnavailable().body("the database does not answer"),
    }
}
