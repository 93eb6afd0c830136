//! Proxy servers that send every report twice, in any order and over fifty connections, while the servers that receive them are killed. Afterwards
//! every table has the same bytes.
use crate::carriers::{Carrier, record};
use crate::servers::Servers;
use crate::setting;
use crate::shop::{Customer, Shop};
use chrono::TimeDelta;
use postern_server::db::prelude::*;
use postern_server::schema::{proxy_users, usage_reports};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::time::sleep;

const SENDERS: usize = 50;
const CUSTOMERS: usize = 8;
const USERS: usize = 5;
const GATES: usize = 4;
const RECORDS_PER_REPORT: usize = 200;
const DAYS: i64 = 2;

/// The records of a report, deterministic: the index of their customer, and their bytes.
fn report(number: usize, seed: u64, now: chrono::NaiveDateTime) -> Vec<(usize, u64, Value)> {
    let mut random = fastrand::Rng::with_seed(seed ^ (number as u64) << 20);
    (0..RECORDS_PER_REPORT)
        .map(|index| {
            let (customer, user) = (random.usize(..CUSTOMERS), random.usize(..USERS));
            let bytes = random.u64(..20_000_000);
            let at = now - TimeDelta::seconds(random.i64(0..DAYS * 86_400));
            // Each proxy server numbers its own records.
            let id = format!("{}-{index}", number / GATES);
            let mut record = record(&id, &format!("user_{customer}_{user}"), at, bytes);
            record["Target"] = json!(format!("t{}.example", random.u8(..150)));
            record["Country"] = json!(random.choice(["US", "DE", "JP"]));
            (customer, bytes, record)
        })
        .collect()
}

async fn customers(shop: &Shop) -> Vec<Customer> {
    let mut customers = Vec::new();
    let now = shop.app.clock.now();
    for index in 0..CUSTOMERS {
        let customer = shop.customer(0);
        for user in 0..USERS {
            shop.adds_proxy_user(&customer, json!({"Name": format!("user_{index}_{user}")})).await;
        }
        // Some batches end meanwhile, some are too small.
        shop.gives_traffic(&customer, 2_000_000_000, now - TimeDelta::days(9), Some(now - TimeDelta::hours(20)));
        shop.gives_traffic(&customer, 900_000_000, now - TimeDelta::hours(30), None);
        customers.push(customer);
    }
    let long_ago = now - TimeDelta::days(DAYS + 1);
    let aged = shop.app.db.write_blocking(|conn| {
        let since = (proxy_users::created_at.eq(long_ago), proxy_users::cycle_starts_at.eq(long_ago));
        Ok(diesel::update(proxy_users::table).set(since).execute(conn)?)
    });
    assert_eq!(aged.expect("an update"), CUSTOMERS * USERS);
    customers
}

/// Sends a report until it is answered.
async fn send(carrier: &Carrier, servers: &Servers, records: &[Value], random: &mut fastrand::Rng) -> usize {
    let body = json!({ "Records": records }).to_string();
    for tries in 1.. {
        let url = format!("{}/proxy-server/usage", servers.url(random));
        let request = carrier.client.post(url).bearer_auth(&carrier.secret).timeout(Duration::from_secs(30));
        if let Ok(answer) = request.body(body.clone()).send().await {
            let status = answer.status().as_u16();
            match (status, answer.json::<Value>().await) {
                (200, Ok(taken)) => {
                    assert_eq!(taken["Rejected"], json!([]), "{taken}");
                    return tries;
                }
                (200 | 503 | 500, _) => {}
                other => panic!("a report was answered with {other:?}"),
            }
        }
        sleep(Duration::from_millis(random.u64(20..200))).await;
    }
    unreachable!("the last try returns")
}

#[actix_web::test]
async fn every_record_counts_once_despite_repeats_and_crashes() {
    let _alone = crate::TURN.lock().await;
    let records = setting("TORTURE_RECORDS", 10_000) as usize;
    let seed = setting("TORTURE_SEED", fastrand::u64(..));
    println!("{records} records, seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let shop = Shop::open();
    let customers = customers(&shop).await;
    let mut gates = Vec::new();
    for gate in 0..GATES {
        gates.push(Carrier::registers(&shop, &format!("gate-{gate}"), "residential").await);
    }
    let now = shop.hour_ago();
    let reports = records / RECORDS_PER_REPORT;
    let mut expected = vec![(0, 0); CUSTOMERS];
    for (customer, bytes, _) in (0..reports).flat_map(|number| report(number, seed, now)) {
        expected[customer].0 += bytes as i64;
        expected[customer].1 += 1;
    }
    let mut order: Vec<usize> = (0..reports).chain(0..reports).collect();
    random.shuffle(&mut order);

    let count = if std::env::var("TEST_DATABASE_URL").is_ok() { 3 } else { 1 };
    let servers = Arc::new(Servers::start(&shop.app.config, count, &[]).await);
    let (began, left) = (Instant::now(), Arc::new(AtomicUsize::new(SENDERS)));
    let senders: Vec<_> = (0..SENDERS)
        .map(|sender| {
            let own: Vec<usize> = order.iter().copied().skip(sender).step_by(SENDERS).collect();
            let (gates, servers, left, mut random) = (gates.clone(), servers.clone(), left.clone(), random.fork());
            actix_web::rt::spawn(async move {
                let mut tries = 0;
                for number in own {
                    let mut records: Vec<Value> = report(number, seed, now).into_iter().map(|row| row.2).collect();
                    random.shuffle(&mut records);
                    tries += send(&gates[number % GATES], &servers, &records, &mut random).await;
                }
                left.fetch_sub(1, Ordering::Relaxed);
                tries
            })
        })
        .collect();
    let mut kills = 0;
    loop {
        sleep(Duration::from_millis(random.u64(300..2_500))).await;
        servers.kill_one(&mut random).await;
        kills += 1;
        if left.load(Ordering::Relaxed) == 0 {
            break;
        }
    }
    let mut tries = 0;
    for sender in senders {
        tries += sender.await.expect("a sender");
    }
    let taken = began.elapsed();
    let waiting = |shop: &Shop| {
        let count = |conn: &mut postern_server::db::Conn| Ok(usage_reports::table.count().get_result::<i64>(conn)?);
        shop.app.db.read_blocking(count).expect("a number")
    };
    while waiting(&shop) > 0 {
        sleep(Duration::from_millis(200)).await;
    }
    let added = began.elapsed();
    servers.stop().await;
    println!("{count} servers, {kills} killed; {} reports in {tries} tries", 2 * reports);
    println!("taken in {} s, added up after {} s", taken.as_secs(), added.as_secs());
    for (customer, (bytes, records)) in customers.iter().zip(expected) {
        let books = shop.books_of(customer.account_id);
        assert_eq!(books.batch_bytes.len(), 2);
        books.agree(bytes, records);
    }
}
