//! Connections of 100,000 proxy users: `authorize` against a bare actix handler with a constant response and no request body.
use crate::client::Client;
use crate::report::{Bound, Report, median, median_ratio, per_second};
use crate::servers::Server;
use crate::traffic::fill::{Crowd, PASSWORD, PROXY_USERS};
use crate::{CLIENTS, ROUND, ROUNDS};
use actix_web::{App, HttpResponse, HttpServer, web};
use std::net::{SocketAddr, TcpListener};
use std::time::Instant;

const LEAST_OF_HELLO: f64 = 0.5;

/// Responds with hello to every request, until killed.
pub fn hello(listener: TcpListener) -> anyhow::Result<()> {
    let workers = std::thread::available_parallelism()?.get();
    let server = HttpServer::new(|| {
        App::new()
            .default_service(web::to(|| async { HttpResponse::Ok().content_type("text/plain").body("Hello, world!") }))
    });
    Ok(actix_web::rt::System::new().block_on(server.workers(workers).tcp_nodelay(true).listen(listener)?.run())?)
}

fn body_of(name: &str) -> String {
    format!(
        r#"{{"UserName":"user-{name}-country-us-session-a1b2c3d4","Password":"{PASSWORD}","ClientAddress":"203.0.113.9"}}"#
    )
}

/// Requests per second of several clients, each of which waits for its response.
fn requests_per_second(
    address: SocketAddr,
    headers: &str,
    ask: &(dyn Fn(&mut Client, usize) -> anyhow::Result<()> + Sync),
) -> anyhow::Result<f64> {
    let begin = Instant::now();
    per_second(CLIENTS, &|number| {
        let mut client = Client::new(address, headers)?;
        let mut random = fastrand::Rng::with_seed(number as u64);
        let mut count = 0;
        while begin.elapsed() < ROUND {
            ask(&mut client, random.usize(..PROXY_USERS))?;
            count += 1;
        }
        Ok(count)
    })
}

pub fn measure(server: &Server, crowd: &Crowd, report: &mut Report) -> anyhow::Result<()> {
    let headers = format!("Authorization: Bearer {}\r\n", crowd.secrets[0]);
    let bodies: Vec<String> = crowd.names.iter().map(|name| body_of(name)).collect();
    // Each user is requested once before, to load the server's cache.
    let first = per_second(CLIENTS, &|number| {
        let mut client = Client::new(server.address, &headers)?;
        let mut count = 0;
        for body in bodies.iter().skip(number).step_by(CLIENTS) {
            let answer = client.post("/proxy-server/authorize", body, "")?;
            anyhow::ensure!(answer.starts_with(br#"{"Allowed":true"#), "{}", String::from_utf8_lossy(answer));
            count += 1;
        }
        Ok(count)
    })?;
    report.note("authorize, each the first time", &format!("{first:.0} requests/s"));
    let hello = Server::hello()?;
    let (mut rates, mut hello_rates) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let found = [
            requests_per_second(server.address, &headers, &|client, user| {
                client.post("/proxy-server/authorize", &bodies[user], "").map(|_| ())
            })?,
            requests_per_second(hello.address, "", &|client, _| client.get("/").map(|_| ()))?,
        ];
        // The first round is a warm-up.
        if round > 0 {
            rates.push(found[0]);
            hello_rates.push(found[1]);
        }
    }
    let ratio = median_ratio(&rates, &hello_rates);
    let numbers = format!("{:.0} of {:.0} hellos/s = {ratio:.2}", median(rates), median(hello_rates));
    report.line("authorize, 100,000 proxy users", &numbers, ratio, &Bound::AtLeast(LEAST_OF_HELLO));
    Ok(())
}
