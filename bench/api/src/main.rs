//! Benchmarks the server against bare handlers and bare transactions in the same run, and fails if a bound is missed: make bench-api. Only ratios
//! have bounds, except for memory and the response times of some calls.
mod bare;
mod client;
mod files;
mod lists;
mod purchases;
mod report;
mod servers;
mod shop;
mod traffic;
mod watched;

use report::{Bound, Report};
use servers::Server;
use shop::{Customer, Shop};
use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

const OWNED: u32 = 100_000;
const INVENTORY: u32 = 1_000_000;
const CLIENTS: usize = 8;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(1_500);
const MOST_MEGABYTES: f64 = 64.0;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("bare") => {
            let pool = arguments[3].parse()?;
            bare::serve(&arguments[2], pool, TcpListener::bind(arguments[4].as_str())?)
        }
        Some("bare-file") => files::serve(&arguments[2], TcpListener::bind(arguments[3].as_str())?),
        Some("hello") => traffic::authorize::hello(TcpListener::bind(arguments[2].as_str())?),
        Some("fill") => fill(Path::new(&arguments[2])),
        Some(binary) => {
            let measure = match std::env::var("ONLY").as_deref() {
                Ok("purchases") => measure_only_purchases,
                Ok("lists") => measure_only_lists,
                Ok("static") => measure_only_files,
                Ok("traffic") => traffic::measure,
                Ok("proxy-servers") => traffic::measure_servers,
                Ok("watched") => measure_only_watched,
                Ok(other) => anyhow::bail!("ONLY={other}: purchases, lists, static, traffic, proxy-servers or watched"),
                Err(_) => measure,
            };
            measure_all(Path::new(binary), arguments.get(2).map(String::as_str), measure)
        }
        None => anyhow::bail!(
            "usage: [ONLY=purchases|lists|static|traffic|proxy-servers|watched] postern-bench-api PATH-OF-POSTERN [URL-OF-A-POSTGRESQL-SERVER]"
        ),
    }
}

/// Creates a shop in a folder, with an account that owns 100,000 nodes, for measurements in a browser; prints the credentials.
fn fill(folder: &Path) -> anyhow::Result<()> {
    let shop = Shop::open("bench_list", folder.to_owned(), None)?;
    let owner = shop.customer(0, 1_000)?;
    shop.load(&owner, OWNED, OWNED)?;
    println!("{}", shop.lets_in(&owner)?);
    Ok(())
}

/// Measures with a binary and a folder for its shops, and on a PostgreSQL server if there is one.
type Measure = fn(&Path, &Path, Option<&str>, &mut Report) -> anyhow::Result<()>;

fn measure_all(binary: &Path, postgres: Option<&str>, measure: Measure) -> anyhow::Result<()> {
    let folder = std::env::temp_dir().join(format!("postern-bench-{}", std::process::id()));
    let mut report = Report::default();
    let mut measured = measure(binary, &folder.join("sqlite"), None, &mut report);
    if let (Ok(()), Some(server)) = (&measured, postgres) {
        measured = measure(binary, &folder.join("postgres"), Some(server), &mut report);
    }
    std::fs::remove_dir_all(&folder)?;
    measured?;
    println!(
        "{}",
        if report.missed == 0 { "\nall bounds kept".to_owned() } else { format!("\n{} bounds missed", report.missed) }
    );
    std::process::exit(i32::from(report.missed > 0))
}

/// Purchases alone, for work on that code.
fn measure_only_purchases(
    binary: &Path,
    folder: &Path,
    postgres: Option<&str>,
    report: &mut Report,
) -> anyhow::Result<()> {
    println!("\n{}", if postgres.is_some() { "PostgreSQL" } else { "SQLite" });
    let shop = Shop::open("bench_small", folder.join("bench_small"), postgres)?;
    let owner = shop.customer(0, 1_000)?;
    shop.load(&owner, OWNED, OWNED)?;
    let server = Server::postern(binary, &shop)?;
    purchases::measure(&shop, &server, report)
}

/// What metrics and traces cost, alone.
fn measure_only_watched(
    binary: &Path,
    folder: &Path,
    postgres: Option<&str>,
    report: &mut Report,
) -> anyhow::Result<()> {
    if postgres.is_some() {
        return Ok(());
    }
    println!("\nMetrics and traces: {CLIENTS} clients, medians of rounds");
    let shop = Shop::open("bench_watched", folder.join("bench_watched"), None)?;
    let owner = shop.customer(0, 1_000)?;
    shop.load(&owner, OWNED, OWNED)?;
    watched::measure(binary, &shop, &owner, report)
}

/// The lists alone.
fn measure_only_lists(binary: &Path, folder: &Path, postgres: Option<&str>, report: &mut Report) -> anyhow::Result<()> {
    let [(small, owner), (large, large_owner)] = load_both(folder, postgres)?;
    let (small_server, large_server) = (Server::postern(binary, &small)?, Server::postern(binary, &large)?);
    lists::measure_lists([(&small_server, &owner), (&large_server, &large_owner)], &Server::bare(&small)?, report)
}

/// Static files alone; needs no database.
fn measure_only_files(binary: &Path, folder: &Path, postgres: Option<&str>, report: &mut Report) -> anyhow::Result<()> {
    if postgres.is_some() {
        return Ok(());
    }
    println!("\nStatic files: {CLIENTS} clients, medians of {ROUNDS} rounds");
    let shop = Shop::open("bench_static", folder.join("bench_static"), None)?;
    files::measure(&Server::postern(binary, &shop)?, folder, report)
}

/// A shop with only one account's nodes, and one with ten times as many nodes, with that account.
fn load_both(folder: &Path, postgres: Option<&str>) -> anyhow::Result<[(Shop, Customer); 2]> {
    let name = if postgres.is_some() { "PostgreSQL" } else { "SQLite" };
    eprintln!("loading {name}: {OWNED} nodes, and {INVENTORY}");
    let open = |name: &'static str, inventory: u32| {
        let shop = Shop::open(name, folder.join(name), postgres)?;
        let owner = shop.customer(0, 1_000)?;
        shop.load(&owner, inventory, OWNED)?;
        anyhow::Ok((shop, owner))
    };
    let both = [open("bench_small", OWNED)?, open("bench_large", INVENTORY)?];
    println!("\n{name}: {OWNED} nodes of one account, {CLIENTS} clients, medians of {ROUNDS} rounds");
    Ok(both)
}

fn measure(binary: &Path, folder: &Path, postgres: Option<&str>, report: &mut Report) -> anyhow::Result<()> {
    let [(small, owner), (large, large_owner)] = load_both(folder, postgres)?;
    let (small_server, large_server) = (Server::postern(binary, &small)?, Server::postern(binary, &large)?);
    let bare_server = Server::bare(&small)?;
    std::thread::sleep(Duration::from_secs(3));
    for (server, what) in [(&small_server, "memory after start"), (&large_server, "the same with a million")] {
        let megabytes = server.megabytes()?;
        report.line(what, &format!("{megabytes:.1} MB"), megabytes, &Bound::AtMost(MOST_MEGABYTES));
    }
    lists::measure_lists([(&small_server, &owner), (&large_server, &large_owner)], &bare_server, report)?;
    lists::measure_stock(&large_server, &large_owner, report)?;
    if postgres.is_none() {
        files::measure(&large_server, folder, report)?;
        watched::measure(binary, &small, &owner, report)?;
    }
    drop((large_server, bare_server));
    purchases::measure(&small, &small_server, report)?;
    std::thread::sleep(Duration::from_secs(3));
    let megabytes = small_server.megabytes()?;
    report.line("memory after all that", &format!("{megabytes:.1} MB"), megabytes, &Bound::AtMost(MOST_MEGABYTES));
    drop(small_server);
    traffic::measure(binary, folder, postgres, report)
}
