//! Lists, searches and calls about the stock, against a bare handler that reads the same rows.
use crate::client::Client;
use crate::report::{Bound, Report, median, median_ratio, per_second};
use crate::servers::Server;
use crate::shop::{self, Customer};
use crate::{CLIENTS, ROUND, ROUNDS};
use anyhow::Context;
use std::net::SocketAddr;
use std::time::Instant;

const LEAST_OF_BARE_LIST: f64 = 0.5;
/// Lower bound of the ratio for filtered lists, which the product counts and the bare handler does not.
const LEAST_OF_BARE_COUNTED: f64 = 0.3;
const MOST_SEARCH_MS: f64 = 20.0;
const MOST_WITH_A_MILLION: f64 = 1.2;
/// Maximum time of a call about the whole inventory.
const MOST_STOCK_MS: f64 = 30.0;

/// The measured views of the list.
#[derive(Clone, Copy, PartialEq)]
enum View {
    First,
    Next,
    ByExpiry,
    OfOneCountry,
}

/// The last row of a page: how the product and the bare handler request the next page.
struct Mark {
    next: String,
    node_id: i64,
    expires_at: String,
}

/// Number of pages requested.
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

    /// The last rows of the list's first pages. The first page alone has none before it.
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

/// Requests per second of several clients, each of which waits for its response.
fn requests_per_second(
    address: SocketAddr,
    path: &str,
    headers: &str,
    marks: &[Mark],
    body: &(dyn Fn(Option<&Mark>) -> String + Sync),
) -> anyhow::Result<f64> {
    let begin = Instant::now();
    per_second(CLIENTS, &|number| {
        let mut client = Client::new(address, headers)?;
        let mut random = fastrand::Rng::with_seed(number as u64);
        let mut count = 0;
        while begin.elapsed() < ROUND {
            let after = if marks.is_empty() { None } else { marks.get(random.usize(..marks.len())) };
            client.post(path, &body(after), "")?;
            count += 1;
        }
        Ok(count)
    })
}

pub fn measure_lists(servers: [(&Server, &Customer); 2], bare: &Server, report: &mut Report) -> anyhow::Result<()> {
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
            // The first round is a warm-up.
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

/// A search: its name, and the text of its n-th query. Searches for parts of addresses, ISPs and notes that occur often, once or never, with
/// different numbers every time.
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

/// One query after the other, as a user types.
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

/// The calls about the stock, which must not count it.
pub fn measure_stock(server: &Server, customer: &Customer, report: &mut Report) -> anyhow::Result<()> {
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
