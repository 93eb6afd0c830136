//! Assembles the application and serves it until it is told to stop.
use crate::api_keys::log::note_keys;
use crate::app::{calls, health, openapi};
use crate::config::Config;
use crate::db::{shown_url, sqlite_path};
use crate::http::admission::admit;
use crate::http::answer::answer_errors;
use crate::http::bodies::limit_request_bodies;
use crate::http::connection::{Stream, use_connection};
use crate::http::connections::{self, Connections, read_forwarded_address};
use crate::http::head::answer_head;
use crate::http::sending::send_in_pieces;
use crate::metrics::{self, count_requests};
use crate::payments::{intake, sandbox_pages};
use crate::settings::shared::store_new;
use crate::state::App;
use crate::web::compress::compress;
use crate::web::headers::{SecurityHeaders, security_headers};
use crate::web::{DOCUMENT, Site};
use crate::{demo, endpoint_lists, gateways, jobs, notifications, proxy_servers, usage, web as site};
use actix_http::{HttpService, KeepAlive};
use actix_service::{ServiceFactoryExt, map_config};
use actix_web::dev::{AppConfig, Server, fn_service};
use actix_web::error::DispatchError;
use actix_web::middleware::from_fn;
use actix_web::rt::net::TcpStream;
use actix_web::{App as ActixApp, HttpResponse, web};
use anyhow::{Context, ensure};
use futures_util::TryFutureExt;
use listenfd::ListenFd;
use postern_core::bounds::PUBLIC_BODY_MAX_BYTES;
use postern_core::code::Code;
use postern_core::constants::API_BASE;
use std::net::TcpListener;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use utoipa_swagger_ui::{Config as SwaggerConfig, SwaggerUi};

/// The server, bound but not yet polled. It does not listen to signals.
pub fn server(app: App, listener: TcpListener, workers: usize) -> anyhow::Result<Server> {
    let connections = Connections::new(&app.config);
    server_with(app, connections, listener, workers)
}

fn server_with(app: App, connections: Connections, listener: TcpListener, workers: usize) -> anyhow::Result<Server> {
    let app = App { db: app.db.for_requests(), ..app };
    let site = web::Data::new(Site::read(&app.config, app.logo.as_deref(), openapi::SERVED.clone())?);
    let counted = web::Data::new(connections.clone());
    let headers = web::Data::new(SecurityHeaders::of(&app.config)?);
    let application = move || {
        ActixApp::new()
            .app_data(web::Data::new(app.clone()))
            .app_data(counted.clone())
            .app_data(headers.clone())
            // Limits bodies that are extracted whole outside of calls.
            .app_data(web::PayloadConfig::new(PUBLIC_BODY_MAX_BYTES))
            // The frequent calls of proxy servers come first, before routes whose paths take longer to compare.
            .configure(proxy_servers::authorize::configure)
            .configure(proxy_servers::heartbeat::configure)
            .configure(proxy_servers::registration::configure)
            .configure(usage::configure_intake)
            .configure(|config| site::configure_document(config, &site))
            .service(SwaggerUi::new("/api/docs/{_:.*}").config(SwaggerConfig::from(DOCUMENT)))
            .service(web::resource("/api/docs").to(|| async { see_other("/api/docs/") }))
            .service(web::resource("/docs").to(|| async { see_other("/docs/") }))
            .service(
                web::scope(API_BASE)
                    .wrap(from_fn(admit))
                    .wrap(from_fn(note_keys))
                    .configure(calls::configure)
                    .default_service(web::to(unknown_call)),
            )
            .configure(health::configure)
            .configure(intake::configure)
            .configure(endpoint_lists::configure_public)
            .configure(notifications::configure_public)
            .configure(gateways::pages::configure)
            .configure(sandbox_pages::configure)
            .configure(demo::mailbox::configure)
            .configure(|config| site::configure(config, &site))
            .wrap(from_fn(limit_request_bodies))
            .wrap(from_fn(read_forwarded_address))
            .wrap(from_fn(answer_errors))
            .wrap(from_fn(compress))
            .wrap(from_fn(send_in_pieces))
            .wrap(from_fn(security_headers))
            .wrap(from_fn(answer_head))
            .wrap(from_fn(count_requests))
            .wrap(from_fn(use_connection))
    };
    let most = connections::MOST / workers;
    let server = Server::build().workers(workers).max_concurrent_connections(most).disable_signals();
    let stopping = server.graceful_shutdown_signal();
    // Instead of actix's HttpServer, because the stream decides how long a connection may be silent.
    let serve = move || {
        let (connections, draining, stopping) = (connections.clone(), connections.clone(), stopping.clone());
        actix_web::rt::spawn(async move {
            stopping.notified().await;
            draining.drain().await;
        });
        let admit = move |stream: TcpStream| connections.clone().admit(stream).map_err(DispatchError::Io);
        let http = HttpService::build()
            .keep_alive(KeepAlive::Os)
            .client_request_timeout(Duration::ZERO)
            .client_disconnect_timeout(Duration::from_secs(1))
            // A client that closes its write side has left.
            .h1_allow_half_closed(false)
            .on_connect_ext(|stream: &Stream<_>, data| {
                data.insert(stream.connection().clone());
            });
        fn_service(admit).and_then(http.h1(map_config(application(), |()| AppConfig::default())))
    };
    Ok(server.shutdown_timeout(10).listen("shop", listener, serve)?.run())
}

/// Serves the shop until SIGTERM, then drains requests in flight, or until SIGINT.
pub async fn serve(config: Config) -> anyhow::Result<()> {
    connections::allow_enough_files();
    let (listener, is_of_systemd) = listener(&config)?;
    let address = listener.local_addr()?;
    let for_metrics = config.metrics.map(|address| {
        TcpListener::bind(address).map_err(|error| anyhow::anyhow!("listening on {address} (POSTERN_METRICS): {error}"))
    });
    let for_metrics = for_metrics.transpose()?;
    let app = crate::app::open(config)?;
    store_new(&app.db, &app.config)?;
    let (stop, stopped) = watch::channel(false);
    let jobs = tokio::spawn(jobs::run(app.clone(), stopped));
    let streams = app.support.clone();
    if let Some(listener) = for_metrics {
        tokio::spawn(metrics::serve(app.clone(), listener)?);
    }
    let workers = std::thread::available_parallelism().map_or(2, |cores| cores.get());
    warn_about(&app.config);
    tracing::info!(%address, database = shown_url(&app.config.database_url), "serving");
    let connections = Connections::new(&app.config);
    let server = server_with(app, connections.clone(), listener, workers)?;
    let handle = server.handle();
    tokio::spawn(async move {
        let Ok(is_graceful) = stop_signal().await else { return };
        // Open streams would delay the shutdown until its timeout.
        streams.end();
        if is_graceful && is_of_systemd {
            // Who connects from now on waits for the next process. Who has connected is answered first: workers that stop drop what they have not begun.
            handle.pause().await;
            connections.drain().await;
        }
        handle.stop(is_graceful).await;
    });
    server.await?;
    stop.send(true)?;
    jobs.await?;
    Ok(())
}

/// The socket of systemd, where those who connect during a restart wait; without one, a socket at the address of the settings. And which of both.
fn listener(config: &Config) -> anyhow::Result<(TcpListener, bool)> {
    if let Some(listener) = ListenFd::from_env().take_tcp_listener(0).context("the socket of systemd")? {
        let address = listener.local_addr()?;
        ensure!(
            !config.is_demo() || address.ip().to_canonical().is_loopback(),
            "the socket of systemd listens on {address}, which other machines reach: this requires POSTERN_ENV=production"
        );
        return Ok((listener, true));
    }
    let address = format!("{}:{}", config.host, config.port);
    let listener = TcpListener::bind(&address).with_context(|| format!("listening on {address}"))?;
    Ok((listener, false))
}

/// Says aloud what is allowed, but seldom meant.
fn warn_about(config: &Config) {
    if !config.is_demo() && sqlite_path(&config.database_url).is_some() {
        tracing::warn!(
            "production runs on SQLite, a file on this machine: other servers cannot share it. Set DATABASE_URL if you meant PostgreSQL"
        );
    }
    if config.public_url.starts_with("https://") && config.trusted_proxies.is_empty() {
        tracing::warn!(
            "POSTERN_PUBLIC_URL is https, so there is a reverse proxy, but POSTERN_TRUSTED_PROXIES is empty: all customers count as one sender"
        );
    }
}

/// Waits for SIGTERM, after which requests have time to end, or SIGINT, after which they have none.
async fn stop_signal() -> std::io::Result<bool> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(tokio::select! {
        _ = terminate.recv() => true,
        _ = interrupt.recv() => false,
    })
}

fn see_other(path: &'static str) -> HttpResponse {
    HttpResponse::SeeOther().insert_header(("Location", path)).finish()
}

async fn unknown_call() -> Result<HttpResponse, crate::error::AppError> {
    Err(crate::error::AppError::code(Code::NotFound))
}
