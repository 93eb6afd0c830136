//! What watching costs: a server that counts for Prometheus, and servers that send traces, against one that does neither.
use crate::client::Client;
use crate::report::{Bound, Report, median, median_ratio, per_second};
use crate::servers::Server;
use crate::shop::{Customer, Shop};
use crate::{CLIENTS, ROUND};
use std::net::SocketAddr;
use std::path::Path;
use std::time::Instant;

/// Differences of a few percent need more rounds than the others.
const ROUNDS: usize = 16;
const LEAST_WITH_METRICS: f64 = 0.97;

/// First pages of a list per second.
fn pages_per_second(address: SocketAddr, owner: &Customer) -> anyhow::Result<f64> {
    let begin = Instant::now();
    per_second(CLIENTS, &|_| {
        let mut client = Client::new(address, &format!("Token: {}\r\n", owner.token))?;
        let mut count = 0;
        while begin.elapsed() < ROUND {
            client.post("/api/Ips/GetUserNodeList", r#"{"PageSize":50}"#, "")?;
            count += 1;
        }
        Ok(count)
    })
}

pub fn measure(binary: &Path, shop: &Shop, owner: &Customer, report: &mut Report) -> anyhow::Result<()> {
    let collector = Server::hello()?;
    let collector_url = format!("http://{}", collector.address);
    let plain = Server::postern(binary, shop)?;
    let started = |settings: &[(&str, &str)]| Server::postern_with(binary, shop, settings);
    let watched = [
        ("list, with metrics", Some(LEAST_WITH_METRICS), started(&[("POSTERN_METRICS", "127.0.0.1:0")])?),
        (
            "  tracing one request in 100",
            None,
            started(&[
                ("OTEL_EXPORTER_OTLP_ENDPOINT", &collector_url),
                ("OTEL_TRACES_SAMPLER", "traceidratio"),
                ("OTEL_TRACES_SAMPLER_ARG", "0.01"),
            ])?,
        ),
        ("  tracing every request", None, started(&[("OTEL_EXPORTER_OTLP_ENDPOINT", &collector_url)])?),
    ];
    let mut plain_rates = Vec::new();
    let mut rates = watched.each_ref().map(|_| Vec::new());
    // The first round is a warm-up.
    for round in 0..=ROUNDS {
        // Each goes first in its turn: what runs later in a round may find a slower machine.
        let mut found = [0.0; 4];
        for place in 0..found.len() {
            let which = (round + place) % found.len();
            let server = if which == 0 { &plain } else { &watched[which - 1].2 };
            found[which] = pages_per_second(server.address, owner)?;
        }
        if round > 0 {
            plain_rates.push(found[0]);
            rates.iter_mut().zip(&found[1..]).for_each(|(rates, found)| rates.push(*found));
        }
    }
    for ((what, least, _), rates) in watched.iter().zip(rates) {
        let ratio = median_ratio(&rates, &plain_rates);
        let numbers = format!("{:.0} of {:.0} requests/s = {ratio:.3}", median(rates), median(plain_rates.clone()));
        match least {
            Some(least) => report.line(what, &numbers, ratio, &Bound::AtLeast(*least)),
            None => report.note(what, &numbers),
        }
    }
    Ok(())
}
