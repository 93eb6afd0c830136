//! Torture test: customers buy, pay, switch, renew and top up at random through three gateways that lose, repeat, delay and reorder callbacks, sometimes
//! send false ones, and take back what was paid, while the servers are killed repeatedly. Afterwards the books and the stock must be right.
//!
//! A short run is one of the tests; `make torture` is the long one. `TORTURE_SECONDS` sets the duration, `TORTURE_SEED` repeats a run's random
//! choices (the timing still varies). On PostgreSQL three servers share the database.
mod books;
#[allow(dead_code)]
#[path = "../doubles/btcpay.rs"]
mod btcpay_double;
#[allow(dead_code)]
#[path = "../api/carriers.rs"]
mod carriers;
mod customer;
#[allow(dead_code)]
#[path = "../doubles/epay.rs"]
mod epay_double;
mod gateway;
#[allow(dead_code)]
#[path = "../api/receiver.rs"]
mod receiver;
mod servers;
#[allow(dead_code)]
#[path = "../api/shop.rs"]
mod shop;
mod usage;
mod wallets;
mod webhooks;

use chrono::{NaiveDateTime, TimeDelta};
use customer::Client;
use gateway::Network;
use postern_core::money::Currency;
use postern_core::order::{OrderState, PaymentState};
use postern_core::payment_return::WhenOwed;
use postern_core::referral::CommissionState;
use postern_core::sandbox::SandboxOutcome;
use postern_server::db::prelude::*;
use postern_server::schema::{
    commissions, exchange_rates, gateway_callbacks, orders, payments, sandbox_charges, sandbox_returns, source_refunds,
};
use servers::Servers;
use shop::{Customer, Shop};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tokio::time::sleep;
use wallets::Wallets;

/// The tests measure, so they run one after another.
static TURN: Mutex<()> = Mutex::const_new(());

const CLIENTS: usize = 50;
/// Customers who refer the others.
const REFERRERS: usize = 5;
const NODES_PER_CITY: u32 = 400;
pub const CITIES: [(&str, &str); 3] = [("US", "new-york"), ("DE", "frankfurt"), ("JP", "tokyo")];

fn setting(name: &str, fallback: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(fallback)
}

#[actix_web::test]
async fn no_money_node_or_number_is_lost_under_torture() {
    let _alone = TURN.lock().await;
    let length = Duration::from_secs(setting("TORTURE_SECONDS", 20));
    let seed = setting("TORTURE_SEED", fastrand::u64(..));
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let wallets = Wallets::open();
    let settings = wallets.settings();
    let settings: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let shop = Shop::open_with(&settings).with_residential_server();
    set_rate(&shop);
    for (country, city) in CITIES {
        shop.stock(country, city, NODES_PER_CITY);
    }
    let customers = customers(&shop);
    let count = if std::env::var("TEST_DATABASE_URL").is_ok() { 3 } else { 1 };
    let mut config = (*shop.app.config).clone();
    config.when_owed = WhenOwed::End;
    let servers = Arc::new(Servers::start(&config, count, &settings).await);
    let network = Arc::new(Network::new(servers.clone(), shop.app.key.clone(), wallets, random.fork()));

    let end = Instant::now() + length;
    let clients: Vec<_> = customers
        .into_iter()
        .map(|customer| {
            let client = Client::new(customer, servers.clone(), network.clone(), random.fork());
            actix_web::rt::spawn(client.live_until(end))
        })
        .collect();
    let operators: Vec<_> = (0..2)
        .map(|_| {
            let operator = Client::new(shop.operator(), servers.clone(), network.clone(), random.fork());
            actix_web::rt::spawn(operator.give_back_until(end))
        })
        .collect();
    let mut kills = 0;
    while Instant::now() < end {
        sleep(Duration::from_millis(random.u64(2_000..7_000))).await;
        servers.kill_one(&mut random).await;
        kills += 1;
        end_an_order(&shop);
        let_commissions_mature(&shop);
    }
    let mut journals = Vec::new();
    for client in clients.into_iter().chain(operators) {
        journals.push(client.await.expect("a client"));
    }
    network.deliver_what_is_left().await;
    network.send_what_was_lost().await;
    settle(&shop, &network.wallets).await;
    servers.stop().await;

    let requests: usize = journals.iter().map(|journal| journal.requests).sum();
    let repeats: usize = journals.iter().map(|journal| journal.repeats).sum();
    println!("{count} servers, {kills} killed in {} s", length.as_secs());
    println!("{requests} requests, {repeats} of them repeats of one that was cut off or answered before");
    let found = shop.app.db.read_blocking(|conn| books::check(conn, &journals, &network.wallets)).expect("the books");
    for line in &found.counts {
        println!("{line}");
    }
    assert_eq!(found.problems, Vec::<String>::new());
    shop.ledger_adds_up();
    assert!(kills >= length.as_secs() / 7, "too few kills");
}

/// EPay charges yuan.
fn set_rate(shop: &Shop) {
    let now = shop.app.clock.now();
    let set = shop.app.db.write_blocking(|conn| {
        let row = (
            exchange_rates::currency.eq(Currency::Cny),
            exchange_rates::rate_micro.eq(7_125_000),
            exchange_rates::set_at.eq(now),
        );
        Ok(diesel::insert_into(exchange_rates::table).values(row).execute(conn)?)
    });
    set.expect("a rate");
}

/// The first few refer the others, and one of them refers another: each pays its part of the referrers' commissions.
fn customers(shop: &Shop) -> Vec<Customer> {
    let mut customers: Vec<Customer> = Vec::new();
    for number in 0..CLIENTS {
        let referrer = customers.get(number.saturating_sub(1) % REFERRERS);
        let code = referrer.map_or(String::new(), |referrer| shop.invite_code_of(referrer));
        // Every other one is soon out of money, and owes what is taken back.
        let balance = if number % 2 == 0 { 20_000 } else { 500 };
        customers.push(shop.customer_invited_by(&code, &format!("198.51.100.{number}"), balance));
    }
    customers
}

/// Ends the pending time of all commissions.
fn let_commissions_mature(shop: &Shop) {
    let past = shop.app.clock.now() - TimeDelta::seconds(1);
    let matured = shop.app.db.write_blocking(|conn| {
        let pending = commissions::table.filter(commissions::state.eq(CommissionState::Pending));
        Ok(diesel::update(pending).set(commissions::available_at.eq(past)).execute(conn)?)
    });
    matured.expect("commissions");
}

/// Ends the hold of an unpaid order, even if someone is about to pay it.
fn end_an_order(shop: &Shop) {
    let past = shop.app.clock.now() - TimeDelta::seconds(1);
    let ended = shop.app.db.write_blocking(|conn| {
        let unpaid =
            orders::table.filter(orders::state.eq(OrderState::Unpaid)).order(orders::id.desc()).select(orders::id);
        let Some(id) = unpaid.first::<i64>(conn).optional()? else { return Ok(0) };
        let unpaid = orders::table.filter(orders::id.eq(id)).filter(orders::state.eq(OrderState::Unpaid));
        Ok(diesel::update(unpaid).set(orders::expires_at.eq(past)).execute(conn)?)
    });
    ended.expect("an order");
}

/// Advances the clock by hours: every gateway is polled to the end, and every hold expires. A callback that was left behind has its gateway polled, so it
/// is over when twice in a row nothing was left.
async fn settle(shop: &Shop, wallets: &Wallets) {
    let pass_time = |conn: &mut postern_server::db::Conn, now: NaiveDateTime| {
        let open = payments::table.filter(payments::next_query_at.gt(now));
        diesel::update(open).set(payments::next_query_at.eq(now)).execute(conn)?;
        // What the gateway took back of a payment is asked about, too: the callback may have been lost.
        let returned =
            sandbox_returns::table.filter(sandbox_returns::reference.eq_any(books::returns_that_differ(conn)?));
        let returned: Vec<String> = returned.select(sandbox_returns::public_id).load(conn)?;
        let returned = payments::table.filter(payments::public_id.eq_any(returned));
        // Before the others, of which there may be more than one round asks about.
        diesel::update(returned).set(payments::next_query_at.eq(now - TimeDelta::hours(1))).execute(conn)?;
        let asked = source_refunds::table.filter(source_refunds::next_try_at.gt(now));
        diesel::update(asked).set(source_refunds::next_try_at.eq(now)).execute(conn)?;
        let unprocessed = gateway_callbacks::table.filter(gateway_callbacks::judged_at.is_null());
        diesel::update(unprocessed).set(gateway_callbacks::received_at.eq(now - TimeDelta::hours(1))).execute(conn)?;
        let unpaid = orders::table.filter(orders::state.eq(OrderState::Unpaid));
        Ok(diesel::update(unpaid).set(orders::expires_at.eq(now - TimeDelta::seconds(1))).execute(conn)?)
    };
    wallets.epay.lies(&[]);
    wallets.epay.makes_refunds();
    wallets.btcpay.fails_with(&[]);
    // What is being paid out arrives.
    (0..wallets.btcpay.pulls().len()).for_each(|index| wallets.btcpay.payouts_become(index, "Completed"));
    let unsettled = |conn: &mut postern_server::db::Conn| {
        let approved = sandbox_charges::table.filter(sandbox_charges::outcome.eq(SandboxOutcome::Approved));
        let approved: Vec<String> = approved.select(sandbox_charges::public_id).load(conn)?;
        let settled = payments::table.filter(payments::state.eq(PaymentState::Succeeded));
        let settled: std::collections::HashSet<String> =
            settled.select(payments::public_id).load(conn)?.into_iter().collect();
        let unpaid: i64 = orders::table.filter(orders::state.eq(OrderState::Unpaid)).count().get_result(conn)?;
        let unprocessed = gateway_callbacks::table.filter(gateway_callbacks::judged_at.is_null());
        let unprocessed: i64 = unprocessed.count().get_result(conn)?;
        let unequal = books::returns_that_differ(conn)?.len() as i64 + books::refunds_under_way(conn, wallets)?;
        Ok(approved.iter().filter(|id| !settled.contains(*id)).count() as i64 + unpaid + unprocessed + unequal)
    };
    let due = |conn: &mut postern_server::db::Conn, now: NaiveDateTime| {
        Ok(payments::table.filter(payments::next_query_at.le(now)).count().get_result::<i64>(conn)?)
    };
    let (begin, mut quiet) = (Instant::now(), 0);
    while quiet < 2 && begin.elapsed() < Duration::from_secs(300) {
        let now = shop.app.clock.now();
        shop.app.db.write_blocking(|conn| pass_time(conn, now)).expect("time");
        sleep(Duration::from_millis(1_500)).await;
        while begin.elapsed() < Duration::from_secs(300)
            && shop.app.db.read_blocking(|conn| due(conn, now)).expect("a number") > 0
        {
            sleep(Duration::from_millis(500)).await;
        }
        let is_quiet = shop.app.db.read_blocking(unsettled).expect("a number") == 0;
        quiet = if is_quiet { quiet + 1 } else { 0 };
    }
}
