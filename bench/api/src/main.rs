//! Measures the server against bare handlers and bare transactions in the same run, and fails when a bound is missed: make
//! bench-api. Only ratios are judged, except for memory and for what a customer waits for.
mod bare;
mod client;
mod files;
mod purchases;
mod shop;

use anyhow::Context;
use client::Client;
use purchases::Share;
use shop::{Customer, Shop};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

const OWNED: u32 = 100_000;
const INVENTORY: u32 = 1_000_000;
const CLIENTS: usize = 8;
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(1_500);
const PURCHASE_ROUNDS: usize = 7;
const PURCHASE_ROUND: Duration = Duration::from_secs(2);
const FOR_SALE: u32 = 60_000;

const LEAST_OF_BARE_LIST: f64 = 0.5;
/// The product counts what is narrowed, and the bare handler nothing.
const LEAST_OF_BARE_COUNTED: f64 = 0.3;
const MOST_SEARCH_MS: f64 = 20.0;
const MOST_WITH_A_MILLION: f64 = 1.2;
const LEAST_OF_BARE_PURCHASE: f64 = 0.5;
const MOST_MEGABYTES: f64 = 64.0;
/// What a call about the whole inventory may take.
const MOST_STOCK_MS: f64 = 30.0;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("bare") => {
            let pool = arguments[3].parse()?;
            bare::serve(&arguments[2], pool, TcpListener::bind(arguments[4].as_str())?)
        }
        Some("bare-file") => files::serve(&arguments[2], TcpListener::bind(arguments[3].as_str())?),
        Some("fill") => fill(Path::new(&arguments[2])),
        Some(binary) => {
            let measure = match std::env::var("ONLY").as_deref() {
                Ok("purchases") => measure_only_purchases,
                Ok("lists") => measure_only_lists,
                Ok("static") => measure_only_files,
                Ok(other) => anyhow::bail!("ONLY={other}: purchases, lists or static"),
                Err(_) => measure,
            };
            measure_all(Path::new(binary), arguments.get(2).map(String::as_str), measure)
        }
        None => anyhow::bail!(
            "usage: [ONLY=purchases|lists|static] postern-bench-api PATH-OF-POSTERN [URL-OF-A-POSTGRESQL-SERVER]"
        ),
    }
}

/// Makes a shop in a folder, with an account that owns 100,000 nodes, for measurements in a browser; prints how to sign in.
fn fill(folder: &Path) -> anyhow::Result<()> {
    let shop = Shop::open("bench_list", folder.to_owned(), None)?;
    let owner = shop.customer(0, 1_000)?;
    shop.load(&owner, OWNED, OWNED)?;
    println!("{}", shop.lets_in(&owner)?);
    Ok(())
}

/// Measures with a binary and a folder for its shops, on a PostgreSQL server if there is one.
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

/// A bound on a number.
enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

#[derive(Default)]
struct Report {
    missed: u32,
}

impl Report {
    fn line(&mut self, name: &str, numbers: &str, judged: f64, bound: &Bound) {
        let (is_kept, text) = match bound {
            Bound::AtLeast(least) => (judged >= *least, format!("at least {least}")),
            Bound::AtMost(most) => (judged <= *most, format!("at most {most}")),
        };
        self.missed += u32::from(!is_kept);
        println!("  {name:<34} {numbers:<52} {text}: {}", if is_kept { "kept" } else { "MISSED" });
    }
}

/// A process that serves, and ends with its owner.
struct Server {
    process: Child,
    address: SocketAddr,
}

impl Server {
    fn start(command: &mut Command, address: SocketAddr) -> anyhow::Result<Server> {
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let server = Server { process, address };
        for _ in 0..500 {
            if TcpStream::connect(address).is_ok() {
                return Ok(server);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        anyhow::bail!("nobody listens at {address}")
    }

    fn postern(binary: &Path, shop: &Shop) -> anyhow::Result<Server> {
        let address = free_address()?;
        let mut command = Command::new(binary);
        command.arg("serve").envs(&shop.settings).env("PORT", address.port().to_string());
        Server::start(&mut command, address)
    }

    fn bare(shop: &Shop) -> anyhow::Result<Server> {
        let address = free_address()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["bare", shop.database_url(), &shop.app.config.database_pool.to_string(), &address.to_string()]);
        Server::start(&mut command, address)
    }

    fn bare_file(file: &Path) -> anyhow::Result<Server> {
        let address = free_address()?;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("bare-file").arg(file).arg(address.to_string());
        Server::start(&mut command, address)
    }

    /// Its resident memory.
    fn megabytes(&self) -> anyhow::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("VmRSS")?;
        Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? / 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_address() -> anyhow::Result<SocketAddr> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}

/// What is asked of the list.
#[derive(Clone, Copy, PartialEq)]
enum View {
    First,
    Next,
    ByExpiry,
    OfOneCountry,
}

/// A row at the end of a page: how the product and the bare handler ask for what follows it.
struct Mark {
    next: String,
    node_id: i64,
    expires_at: String,
}

/// Pages that are asked for.
const MARKS: usize = 200;

impl View {
    const ALL: [(View, &str); 4] = [
        (View::First, "list, first page"),
        (View::Next, "list, next pages"),
        (View::ByExpiry, "list, sorted by expiry"),
        (View::OfOneCountry, "list, one country, counted"),
    ];

    fn of_product(self, after: Option<&Mark>) -> String {
        let more = match self {
            View::First | View::Next => "",
            View::ByExpiry => r#","Sort":[{"Field":"ExpiresAt","Direction":"asc"}]"#,
            View::OfOneCountry => r#","Filter":{"Country":"US"}"#,
        };
        let after = after.map(|mark| format!(r#","After":"{}""#, mark.next)).unwrap_or_default();
        format!(r#"{{"PageSize":50{more}{after}}}"#)
    }

    fn of_bare(self, account_id: i64, after: Option<&Mark>) -> String {
        let by_expiry = self == View::ByExpiry;
        let country = if self == View::OfOneCountry { r#""US""# } else { "null" };
        let (id, expiry) = match after {
            Some(mark) => (mark.node_id.to_string(), mark.expires_at.as_str()),
            None => ("null".to_owned(), ""),
        };
        format!(
            r#"{{"account_id":{account_id},"page_size":50,"after_id":{id},"after_expiry":"{expiry}","by_expiry":{by_expiry},"country":{country}}}"#
        )
    }

    /// The ends of the list's first pages. The first page alone has none before it.
    fn marks(self, server: &Server, owner: &Customer) -> anyhow::Result<Vec<Mark>> {
        let mut client = Client::new(server.address, &format!("Token: {}\r\n", owner.token))?;
        let mut marks: Vec<Mark> = Vec::new();
        while self != View::First && marks.len() < MARKS {
            let answer = client.post(LIST, &self.of_product(marks.last()), "")?;
            let data = serde_json::from_slice::<serde_json::Value>(answer)?["Data"].take();
            let Some(next) = data["Next"].as_str() else { break };
            let last = data["Rows"].as_array().and_then(|rows| rows.last()).context("a page without rows")?;
            marks.push(Mark {
                next: next.to_owned(),
                node_id: last["NodeId"].as_i64().context("a number")?,
                expires_at: last["ExpiresAt"].as_str().context("a time")?.to_owned(),
            });
        }
        Ok(marks)
    }
}

const LIST: &str = "/api/Ips/GetUserNodeList";

/// Requests a second, of several clients that each wait for their answer before they ask again.
fn requests_per_second(
    address: SocketAddr,
    path: &str,
    headers: &str,
    marks: &[Mark],
    body: &(dyn Fn(Option<&Mark>) -> String + Sync),
) -> anyhow::Result<f64> {
    let begin = Instant::now();
    let counts: Vec<anyhow::Result<u32>> = std::thread::scope(|scope| {
        let ask = |number: usize| {
            let mut client = Client::new(address, headers)?;
            let mut random = fastrand::Rng::with_seed(number as u64);
            let mut count = 0;
            while begin.elapsed() < ROUND {
                let after = if marks.is_empty() { None } else { marks.get(random.usize(..marks.len())) };
                client.post(path, &body(after), "")?;
                count += 1;
            }
            Ok(count)
        };
        let clients: Vec<_> = (0..CLIENTS).map(|number| scope.spawn(move || ask(number))).collect();
        clients
            .into_iter()
            .map(|client| client.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a client broke off"))))
            .collect()
    });
    let mut sum = 0;
    for count in counts {
        sum += count?;
    }
    Ok(f64::from(sum) / begin.elapsed().as_secs_f64())
}

/// What is measured in turns is compared in turns: a machine that is slower for a while is so for both.
fn median_ratio(ones: &[f64], others: &[f64]) -> f64 {
    median(ones.iter().zip(others).map(|(one, other)| one / other).collect())
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// The same rows for less waiting, while the code that buys is worked on.
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
    measure_purchases(&shop, &server, report)
}

/// The lists alone.
fn measure_only_lists(binary: &Path, folder: &Path, postgres: Option<&str>, report: &mut Report) -> anyhow::Result<()> {
    let [(small, owner), (large, large_owner)] = load_both(folder, postgres)?;
    let (small_server, large_server) = (Server::postern(binary, &small)?, Server::postern(binary, &large)?);
    measure_lists([(&small_server, &owner), (&large_server, &large_owner)], &Server::bare(&small)?, report)
}

/// Static files alone; no database has to do with them.
fn measure_only_files(binary: &Path, folder: &Path, postgres: Option<&str>, report: &mut Report) -> anyhow::Result<()> {
    if postgres.is_some() {
        return Ok(());
    }
    println!("\nStatic files: {CLIENTS} clients, medians of {ROUNDS} rounds");
    let shop = Shop::open("bench_static", folder.join("bench_static"), None)?;
    files::measure(&Server::postern(binary, &shop)?, folder, report)
}

/// A shop of what one account owns, and one with ten times as much, with that account.
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
    measure_lists([(&small_server, &owner), (&large_server, &large_owner)], &bare_server, report)?;
    measure_stock(&large_server, &large_owner, report)?;
    if postgres.is_none() {
        files::measure(&large_server, folder, report)?;
    }
    drop((large_server, bare_server));
    measure_purchases(&small, &small_server, report)?;
    std::thread::sleep(Duration::from_secs(3));
    let megabytes = small_server.megabytes()?;
    report.line("memory after all that", &format!("{megabytes:.1} MB"), megabytes, &Bound::AtMost(MOST_MEGABYTES));
    Ok(())
}

fn measure_lists(servers: [(&Server, &Customer); 2], bare: &Server, report: &mut Report) -> anyhow::Result<()> {
    for (view, name) in View::ALL {
        let marks = [view.marks(servers[0].0, servers[0].1)?, view.marks(servers[1].0, servers[1].1)?];
        let product = |which: usize| {
            let (server, owner) = servers[which];
            let token = format!("Token: {}\r\n", owner.token);
            requests_per_second(server.address, LIST, &token, &marks[which], &|after| view.of_product(after))
        };
        let account_id = servers[0].1.account_id;
        let [mut rates, mut large_rates, mut bare_rates] = [const { Vec::new() }; 3];
        for round in 0..=ROUNDS {
            let bare =
                || requests_per_second(bare.address, "/list", "", &marks[0], &|after| view.of_bare(account_id, after));
            let found = [product(0)?, bare()?, product(1)?];
            // The first round warms up.
            if round > 0 {
                rates.push(found[0]);
                bare_rates.push(found[1]);
                large_rates.push(found[2]);
            }
        }
        let (ratio, times) = (median_ratio(&rates, &bare_rates), median_ratio(&rates, &large_rates));
        let (rate, large, bare) = (median(rates), median(large_rates), median(bare_rates));
        let numbers = format!("{rate:.0} of {bare:.0} bare requests/s = {ratio:.2}");
        let least = if view == View::OfOneCountry { LEAST_OF_BARE_COUNTED } else { LEAST_OF_BARE_LIST };
        report.line(name, &numbers, ratio, &Bound::AtLeast(least));
        let numbers = format!("{large:.0} requests/s, {times:.2} x the time");
        report.line("  the same with a million", &numbers, times, &Bound::AtMost(MOST_WITH_A_MILLION));
    }
    for ((server, owner), name) in servers.into_iter().zip(["search", "  the same with a million"]) {
        measure_searches(server, owner, name, report)?;
    }
    Ok(())
}

/// What somebody looks for: parts of addresses, ISPs and notes, of what is there often, once or never. Each is asked for with other
/// numbers every time.
/// What it is called, and the text of its n-th search.
type Search = (&'static str, fn(u32) -> String);

const SEARCHES: [Search; 10] = [
    ("an address", |number| format!("10.{}.{}.{}", number % 2, number % 200, number % 50)),
    ("its beginning", |number| format!("10.{}.{}.", number % 2, number % 250)),
    ("its middle", |number| format!(".{}.{}", number % 250, number % 25)),
    ("three letters", |number| format!("{}.{}", number % 10, number % 10)),
    ("two letters", |number| (10 + number % 90).to_string()),
    ("an ISP", |number| format!("Broadband {}", number % 7)),
    ("a word in all ISPs", |number| "meridian broadband"[..4 + number as usize % 14].to_owned()),
    ("a note", |number| format!("rack {}", number % 500)),
    ("two Chinese characters", |number| ["酒店", "机票", "价格"][number as usize % 3].to_owned()),
    ("what nobody has", |number| format!("no such {number}")),
];
const EACH_SEARCH: u32 = 40;

/// One after the other, as somebody types.
fn measure_searches(server: &Server, owner: &Customer, name: &str, report: &mut Report) -> anyhow::Result<()> {
    let mut client = Client::new(server.address, &format!("Token: {}\r\n", owner.token))?;
    let mut all = Vec::new();
    let mut slowest = (0.0, "");
    for (what, text) in SEARCHES {
        let mut times = Vec::new();
        for number in 0..EACH_SEARCH {
            let body = serde_json::json!({ "PageSize": 50, "Search": text(number * 7) }).to_string();
            let begin = Instant::now();
            client.post(LIST, &body, "")?;
            times.push(begin.elapsed().as_secs_f64() * 1_000.0);
        }
        all.extend_from_slice(&times);
        let time = median(times);
        if std::env::var("EACH").is_ok() {
            println!("    {what}: {time:.1} ms");
        }
        if time > slowest.0 {
            slowest = (time, what);
        }
    }
    all.sort_by(f64::total_cmp);
    let time = all[all.len() * 95 / 100];
    let numbers = format!("{time:.1} ms at the 95th percentile; {}: {:.1} ms", slowest.1, slowest.0);
    report.line(name, &numbers, time, &Bound::AtMost(MOST_SEARCH_MS));
    Ok(())
}

/// The calls about everything that is for sale: they must not count it.
fn measure_stock(server: &Server, customer: &Customer, report: &mut Report) -> anyhow::Result<()> {
    let mut client = Client::new(server.address, &format!("Token: {}\r\n", customer.token))?;
    let tier = shop::TIER;
    for (name, call, body) in [
        ("live stock by city", "GetCountryList", format!(r#"{{"VerStr":"{tier}"}}"#)),
        ("the same for one use case", "GetCountryList", format!(r#"{{"VerStr":"{tier}","Target":"search"}}"#)),
        ("nodes for sale", "GetMyPurchasableNodeList", format!(r#"{{"PageSize":50,"Filter":{{"VerStr":"{tier}"}}}}"#)),
        (
            "  of one use case, last page",
            "GetMyPurchasableNodeList",
            format!(r#"{{"PageSize":50,"Page":8000,"Filter":{{"VerStr":"{tier}","Target":"search"}}}}"#),
        ),
        (
            "  sorted by ISP, far down",
            "GetMyPurchasableNodeList",
            format!(r#"{{"PageSize":50,"Page":9000,"Sort":[{{"Field":"Isp"}}],"Filter":{{"VerStr":"{tier}"}}}}"#),
        ),
    ] {
        let mut times = Vec::new();
        for _ in 0..20 {
            let begin = Instant::now();
            client.post(&format!("/api/Ips/{call}"), &body, "")?;
            times.push(begin.elapsed().as_secs_f64() * 1_000.0);
        }
        let time = median(times);
        report.line(name, &format!("{time:.1} ms"), time, &Bound::AtMost(MOST_STOCK_MS));
    }
    Ok(())
}

fn measure_purchases(shop: &Shop, server: &Server, report: &mut Report) -> anyhow::Result<()> {
    let node_ids = shop.stock(purchases::COUNTRY, purchases::CITY, FOR_SALE)?;
    let customers: Vec<Customer> =
        (1..=2 * CLIENTS).map(|number| shop.customer(number, 100_000_000)).collect::<Result<_, _>>()?;
    shop.open_series(purchases::SERIES)?;
    // A bare transaction leaves its wallet at a number of its own.
    let (customers, bare_customers) = customers.split_at(CLIENTS);
    // The API takes nodes from the front of the shelf, the bare transactions from its end.
    let mut shares: Vec<Share> = (0..CLIENTS).map(|_| Share::new(shop)).collect::<Result<_, _>>()?;
    for (index, node_id) in node_ids.into_iter().enumerate().skip(FOR_SALE as usize / 2) {
        shares[index % CLIENTS].node_ids.push(node_id);
    }
    let shares: Vec<Mutex<Share>> = shares.into_iter().map(Mutex::new).collect();
    let per_second = |one: &(dyn Fn(usize) -> anyhow::Result<u32> + Sync)| {
        let begin = Instant::now();
        let counts: Vec<anyhow::Result<u32>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..CLIENTS).map(|number| scope.spawn(move || one(number))).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a buyer broke off"))))
                .collect()
        });
        let mut sum = 0;
        for count in counts {
            sum += count?;
        }
        anyhow::Ok(f64::from(sum) / begin.elapsed().as_secs_f64())
    };
    let now = shop.app.clock.now();
    let (mut rates, mut bare_rates) = (Vec::new(), Vec::new());
    for round in 0..=PURCHASE_ROUNDS {
        let rate = per_second(&|number| purchases::buy(server.address, &customers[number], PURCHASE_ROUND))?;
        let bare_rate = per_second(&|number| {
            let mut share = shares[number].lock().map_err(|_| anyhow::anyhow!("a buyer broke off"))?;
            purchases::write(shop, &bare_customers[number], &mut share, now, PURCHASE_ROUND)
        })?;
        if round == 0 {
            // The first round warms up: no shop's tables are empty for long, and databases look at them by themselves.
            shop.analyze()?;
        } else {
            rates.push(rate);
            bare_rates.push(bare_rate);
        }
    }
    let ratio = median_ratio(&rates, &bare_rates);
    let numbers = format!("{:.0} of {:.0} bare transactions/s = {ratio:.2}", median(rates), median(bare_rates));
    report.line("durable purchases", &numbers, ratio, &Bound::AtLeast(LEAST_OF_BARE_PURCHASE));
    Ok(())
}
