//! Webhook deliveries under load: some endpoints hang, some fail, and the others must not be affected. `TORTURE_DELIVERIES` sets the number.
use crate::receiver::{Manner, Receiver};
use crate::setting;
use crate::shop::Shop;
use postern_core::event::EventKind;
use postern_core::webhook_delivery::DeliveryState;
use postern_server::app::open;
use postern_server::db::prelude::*;
use postern_server::events;
use postern_server::jobs;
use postern_server::schema::{events as event_rows, webhook_deliveries, webhooks};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, sleep};

const ENDPOINTS: usize = 50;
const HANGING: usize = 10;
const FAILING: usize = 10;
const PER_SECOND: usize = 200;
/// In a short run, which shares the machine with other tests: how late deliveries are is then not for want of a processor.
const PER_SECOND_SHORT: usize = 50;
/// Events per transaction.
const AT_ONCE: usize = 10;
const MAX_LATE: Duration = Duration::from_secs(10);
/// Allowed growth of memory between the first third of a long run and its end; in a short one other tests share the process.
const MAX_GROWTH: u64 = 32 << 20;
const LONG_RUN: usize = 50_000;

fn manner_of(endpoint: usize) -> Manner {
    match endpoint {
        ..HANGING => Manner::Hangs,
        endpoint if endpoint < HANGING + FAILING => Manner::Answers(500),
        _ => Manner::Answers(200),
    }
}

/// The resident memory of this process in bytes: server, endpoints and their records.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|text| text.parse::<u64>().ok()).unwrap_or_default() << 10
}

#[actix_web::test]
async fn no_delivery_is_lost_or_delayed_by_other_endpoints() {
    let _alone = crate::TURN.lock().await;
    let count = setting("TORTURE_DELIVERIES", 1_000) as usize;
    let shop = Shop::open_with(&[("POSTERN_WEBHOOK_TEST_HOSTS", "127.0.0.1")]);
    let endpoints: Vec<Receiver> = (0..ENDPOINTS).map(|endpoint| Receiver::counting(manner_of(endpoint))).collect();
    let mut accounts = Vec::new();
    for endpoint in &endpoints {
        let customer = shop.customer(0);
        let added = shop.call(&customer, "Webhooks/AddWebhook", json!({ "Url": endpoint.url })).await;
        assert_eq!(added.code, 1000, "{added:?}");
        accounts.push(customer.account_id);
    }
    // A server's jobs, besides the source of events.
    let server = open((*shop.app.config).clone()).expect("a server");
    let (stop, stopped) = watch::channel(false);
    let jobs = actix_web::rt::spawn(jobs::run(server, stopped));

    let began = Instant::now();
    let per_second = if count < LONG_RUN { PER_SECOND_SHORT } else { PER_SECOND };
    let mut tick = interval(Duration::from_millis((1_000 * AT_ONCE / per_second) as u64));
    tick.set_missed_tick_behavior(MissedTickBehavior::Burst);
    let mut offered_at: Vec<Instant> = Vec::with_capacity(count);
    let mut early_memory = 0;
    while offered_at.len() < count {
        tick.tick().await;
        let first = offered_at.len();
        let some: Vec<(i64, usize)> =
            (first..count.min(first + AT_ONCE)).map(|number| (accounts[number % ENDPOINTS], number)).collect();
        let (now, offered) = (shop.app.clock.now(), some.len());
        let record = move |conn: &mut postern_server::db::Conn| {
            some.iter().try_for_each(|(account_id, number)| {
                events::record(conn, *account_id, EventKind::WalletLow, &json!({ "Number": number }), now)
            })
        };
        shop.app.db.write(record).await.expect("events");
        offered_at.resize(first + offered, Instant::now());
        if early_memory == 0 && offered_at.len() >= count / 3 {
            early_memory = memory();
        }
    }
    let offering = began.elapsed();
    // Due deliveries to healthy endpoints arrive.
    let healthy: Vec<i64> = accounts[HANGING + FAILING..].to_vec();
    let mut open_ones = i64::MAX;
    for _ in 0..300 {
        let healthy = healthy.clone();
        open_ones = shop
            .app
            .db
            .read(move |conn| {
                let waiting = event_rows::table.filter(event_rows::is_dispatched.eq(false));
                let of_healthy = webhook_deliveries::table.filter(webhook_deliveries::account_id.eq_any(healthy));
                let open = of_healthy.filter(webhook_deliveries::state.eq(DeliveryState::Pending));
                Ok(waiting.count().get_result::<i64>(conn)? + open.count().get_result::<i64>(conn)?)
            })
            .await
            .expect("a number");
        if open_ones == 0 {
            break;
        }
        sleep(Duration::from_millis(200)).await;
    }
    let late_memory = memory();
    stop.send(true).expect("the jobs listen");
    jobs.await.expect("the jobs end");
    assert_eq!(open_ones, 0, "deliveries to endpoints that answer are still open");

    let mut late: Vec<Duration> = Vec::new();
    let mut repeats = 0;
    for endpoint in &endpoints[HANGING + FAILING..] {
        let mut first_at: HashMap<usize, Instant> = HashMap::new();
        for (number, at) in endpoint.numbers() {
            repeats += usize::from(first_at.insert(number, at).is_some());
        }
        late.extend(first_at.iter().map(|(number, at)| at.saturating_duration_since(offered_at[*number])));
    }
    late.sort_unstable();
    let percentile = |per_cent: usize| late[(late.len() - 1) * per_cent / 100];
    println!(
        "{count} deliveries offered in {:.1} s; to endpoints that answer {} arrived, {repeats} of them again; \
         late by {:?} (median), {:?} (99th percentile), {:?} (most)",
        offering.as_secs_f64(),
        late.len(),
        percentile(50),
        percentile(99),
        percentile(100),
    );
    let reached: usize = endpoints[..HANGING + FAILING].iter().map(|endpoint| endpoint.numbers().len()).sum();
    println!("endpoints that hang or fail were asked {reached} times");
    println!("memory {} MB after a third, {} MB at the end", early_memory >> 20, late_memory >> 20);

    let numbers_of = |endpoint: usize| (0..count).filter(move |number| number % ENDPOINTS == endpoint);
    let expected: usize = (HANGING + FAILING..ENDPOINTS).map(|endpoint| numbers_of(endpoint).count()).sum();
    assert_eq!(late.len(), expected, "deliveries were lost");
    assert_eq!(repeats, 0, "deliveries came twice although nobody died");
    assert!(percentile(99) <= MAX_LATE, "{:?}", percentile(99));
    assert!(count < LONG_RUN || late_memory <= early_memory + MAX_GROWTH, "memory grew");
    // Hanging and failing endpoints have lost nothing: each delivery waits for its next attempt.
    let unreached: HashSet<i64> = accounts[..HANGING + FAILING].iter().copied().collect();
    let kept = shop.app.db.read_blocking(|conn| {
        let rows =
            webhook_deliveries::table.inner_join(webhooks::table.on(webhooks::id.eq(webhook_deliveries::webhook_id)));
        let rows = rows.filter(webhook_deliveries::next_attempt_at.is_not_null());
        Ok(rows
            .filter(webhooks::next_look_at.is_not_null())
            .select(webhook_deliveries::account_id)
            .load::<i64>(conn)?)
    });
    let kept = kept.expect("deliveries").into_iter().filter(|account_id| unreached.contains(account_id)).count();
    let expected: usize = (0..HANGING + FAILING).map(|endpoint| numbers_of(endpoint).count()).sum();
    assert_eq!(kept, expected, "deliveries to endpoints that fail were lost");
}
