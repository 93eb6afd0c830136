//! Assembles the application and serves it until it is told to stop.
use crate::api_keys::log::note_keys;
use crate::app::{health, openapi};
use crate::config::Config;
use crate::http::admission::admit;
use crate::http::answer::answer_errors;
use crate::http::bodies::limit_request_bodies;
use crate::http::connections::{self, Connections, read_forwarded_address};
use crate::payments::intake;
use crate::settings::queries::update_seller;
use crate::state::App;
use crate::web::compress::compress;
use crate::web::headers::{SecurityHeaders, security_headers};
use crate::web::{DOCUMENT, Site};
use crate::{demo, endpoint_lists, gateways, jobs, memory, notifications, proxy_servers, usage, web as site};
use actix_web::dev::Server;
use actix_web::middleware::from_fn;
use actix_web::{App as ActixApp, HttpResponse, HttpServer, web};
use postern_core::bounds::PUBLIC_BODY_MAX_BYTES;
use postern_core::code::Code;
use postern_core::constants::API_BASE;
use std::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use utoipa_swagger_ui::{Config as SwaggerConfig, SwaggerUi};

/// The server, bound but not yet polled. The jobs run until `stop` is signalled.
pub fn server(app: App, listener: TcpListener, workers: usize) -> anyhow::Result<Server> {
    let app = App { db: app.db.for_requests(), ..app };
    let site = web::Data::new(Site::read(&app.config, app.logo.as_deref(), openapi::compact()?)?);
    let connections = Connections::new(&app.config);
    let on_connect = connections.clone();
    let headers = web::Data::new(SecurityHeaders::of(&app.config)?);
    let server = HttpServer::new(move || {
        actix_web::rt::spawn(memory::keep_releasing());
        ActixApp::new()
            .app_data(web::Data::new(app.clone()))
            .app_data(web::Data::new(connections.clone()))
            .app_data(headers.clone())
            // Limits bodies that are extracted whole outside of calls.
            .app_data(web::PayloadConfig::new(PUBLIC_BODY_MAX_BYTES))
            // The frequent calls of proxy servers come first, before routes whose paths take longer to compare.
            .configure(proxy_servers::authorize::configure)
            .configure(usage::configure_intake)
            .configure(|config| site::configure_document(config, &site))
            .service(SwaggerUi::new("/api/docs/{_:.*}").config(SwaggerConfig::from(DOCUMENT)))
            .service(web::resource("/api/docs").to(|| async { see_other("/api/docs/") }))
            .service(
                web::scope(API_BASE)
                    .wrap(from_fn(admit))
                    .wrap(from_fn(note_keys))
                    .configure(openapi::configure)
                    .default_service(web::to(unknown_call)),
            )
            .configure(health::configure)
            .configure(intake::configure)
            .configure(endpoint_lists::configure_public)
            .configure(notifications::configure_public)
            .configure(gateways::pages::configure)
            .configure(demo::mailbox::configure)
            .configure(|config| site::configure(config, &site))
            .wrap(from_fn(limit_request_bodies))
            .wrap(from_fn(read_forwarded_address))
            .wrap(from_fn(answer_errors))
            .wrap(from_fn(compress))
            .wrap(from_fn(security_headers))
    });
    let server = server
        .workers(workers)
        // Headers and body are sent together, without waiting for acknowledgements (TCP_NODELAY).
        .tcp_nodelay(true)
        .max_connections(connections::MOST / workers)
        .on_connect(move |stream, data| on_connect.on_connect(stream, data))
        // A client that closes its write side has left.
        .h1_allow_half_closed(false)
        .shutdown_timeout(10);
    Ok(server.listen(listener)?.run())
}

/// Serves the shop until SIGTERM or SIGINT, then drains requests in flight.
pub async fn serve(config: Config) -> anyhow::Result<()> {
    connections::allow_enough_files();
    let address = format!("{}:{}", config.host, config.port);
    let listener = TcpListener::bind(&address).map_err(|error| anyhow::anyhow!("listening on {address}: {error}"))?;
    let app = crate::app::open(config)?;
    let seller = app.config.seller();
    app.db
        .write_blocking(|conn| update_seller(conn, &seller))
        .map_err(|error| anyhow::anyhow!("storing the seller: {error}"))?;
    let (stop, stopped) = watch::channel(false);
    let jobs = tokio::spawn(jobs::run(app.clone(), stopped));
    let streams = app.support.clone();
    tokio::spawn(async move {
        if stop_signal().await.is_ok() {
            // Open streams would delay the shutdown until its timeout.
            streams.end();
        }
    });
    let workers = std::thread::available_parallelism().map_or(2, |cores| cores.get());
    tracing::info!(%address, "serving");
    server(app, listener, workers)?.await?;
    stop.send(true)?;
    jobs.await?;
    Ok(())
}

/// Waits for SIGTERM or SIGINT.
async fn stop_signal() -> std::io::Result<()> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    Ok(())
}

fn see_other(path: &'static str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header(("Location", path)).finish()
}

async fn unknown_call() -> Result<HttpResponse, crate::error::AppError> {
    Err(crate::error::AppError::code(Code::NotFound))
}
