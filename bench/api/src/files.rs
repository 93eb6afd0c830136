//! Static files: the server against a bare actix handler that serves the same bytes from memory.
use crate::client::Client;
use crate::report::{Bound, Report, median, median_ratio, per_second};
use crate::servers::Server;
use crate::{CLIENTS, ROUND, ROUNDS};
use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::Context;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::time::Instant;

const LEAST_OF_BARE: f64 = 0.5;
/// As sent by browsers.
const HEADERS: &str = "Accept-Encoding: gzip, deflate, br, zstd\r\n";

/// Serves the bytes of a file for every request, until killed.
pub fn serve(file: &str, listener: TcpListener) -> anyhow::Result<()> {
    let bytes = web::Bytes::from(std::fs::read(file)?);
    let workers = std::thread::available_parallelism()?.get();
    let server = HttpServer::new(move || {
        let bytes = bytes.clone();
        App::new().default_service(web::to(move || {
            let bytes = bytes.clone();
            async move { HttpResponse::Ok().content_type("text/html; charset=utf-8").body(bytes) }
        }))
    });
    Ok(actix_web::rt::System::new().block_on(server.workers(workers).tcp_nodelay(true).listen(listener)?.run())?)
}

/// Requests per second of several clients on keep-alive connections.
fn requests_per_second(address: SocketAddr, path: &str) -> anyhow::Result<f64> {
    let begin = Instant::now();
    per_second(CLIENTS, &|_| {
        let mut client = Client::new(address, HEADERS)?;
        let mut count = 0;
        while begin.elapsed() < ROUND {
            client.get(path)?;
            count += 1;
        }
        Ok(count)
    })
}

pub fn measure(server: &Server, folder: &Path, report: &mut Report) -> anyhow::Result<()> {
    let page = String::from_utf8(Client::new(server.address, "")?.get("/login")?.to_vec())?;
    let script = page
        .split('"')
        .find(|part| part.starts_with("/assets/start-") && part.ends_with(".js"))
        .context("the front end is not built: make frontend/dist/index.html")?;
    for (name, path) in
        [("the page", "/login"), ("texts", "/locales/en/common+errors+auth.json?v=1"), ("the first script", script)]
    {
        // A separate connection: the server closes one that is idle while others are measured.
        let bytes = Client::new(server.address, HEADERS)?.get(path)?.to_vec();
        let file = folder.join("answered");
        std::fs::write(&file, &bytes)?;
        let bare = Server::bare_file(&file)?;
        let (mut rates, mut bare_rates) = (Vec::new(), Vec::new());
        for round in 0..=ROUNDS {
            let found = [requests_per_second(server.address, path)?, requests_per_second(bare.address, path)?];
            // The first round warms up.
            if round > 0 {
                rates.push(found[0]);
                bare_rates.push(found[1]);
            }
        }
        let ratio = median_ratio(&rates, &bare_rates);
        let numbers = format!("{:.0} of {:.0} bare requests/s = {ratio:.2}", median(rates), median(bare_rates));
        report.line(&format!("{name}, {} bytes", bytes.len()), &numbers, ratio, &Bound::AtLeast(LEAST_OF_BARE));
    }
    let megabytes = server.megabytes()?;
    report.line("memory after that", &format!("{megabytes:.1} MB"), megabytes, &Bound::AtMost(crate::MOST_MEGABYTES));
    Ok(())
}
