//! Usage: reports in any order, repeated and concurrent; each record counts once, for its owner and time.
use crate::carriers::{Carrier, record};
use crate::shop::Shop;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::event::EventKind;
use postern_core::time::{from_wire, latest_months, time_zone, to_wire, whole_hour};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const GB: i64 = 1_000_000_000;

fn user(name: &str) -> Value {
    json!({ "Name": name })
}

#[actix_web::test]
async fn a_report_needs_a_valid_secret_and_form() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let report = json!({ "Records": [] }).to_string();
    let stranger = Carrier { secret: "nonsense".to_owned(), ..carrier.clone() };
    for path in ["usage", "authorize"] {
        assert_eq!(stranger.post(path, report.clone()).await.0, 401);
        let bare = shop.post_raw(&format!("/proxy-server/{path}"), report.clone(), &[]).await;
        assert_eq!(bare.status(), 401);
    }
    assert_eq!(
        carrier.post("usage", report.clone()).await,
        (200, json!({"Counted": 0, "Repeated": 0, "Rejected": []}))
    );
    assert_eq!(carrier.post("usage", "{".to_owned()).await.0, 400);
    assert_eq!(carrier.post("usage", json!({ "Records": vec![1; 1_001] }).to_string()).await.0, 400);
    assert_eq!(carrier.post("usage", "x".repeat((512 << 10) + 1)).await.0, 413);
    // A new secret works at once, and the old one no longer.
    let operator = shop.operator();
    let list = shop.call(&operator, "Operator/GetProxyServerList", json!({})).await;
    let server = json!({ "ServerId": list.data[0]["ServerId"] });
    let rotated = shop.call(&operator, "Operator/RotateProxyServer", server.clone()).await;
    let renewed = Carrier { secret: rotated.data["Secret"].as_str().expect("a secret").to_owned(), ..carrier.clone() };
    assert_eq!(
        (carrier.post("usage", report.clone()).await.0, renewed.post("usage", report.clone()).await.0),
        (401, 200)
    );
    assert_eq!(
        (carrier.post("authorize", "{}".into()).await.0, renewed.post("authorize", "{}".into()).await.0),
        (401, 200)
    );
    assert_eq!(shop.call(&operator, "Operator/RemoveProxyServer", server.clone()).await.code, 1000);
    assert_eq!(shop.call(&operator, "Operator/RemoveProxyServer", server).await.code, 3004);
    assert_eq!((renewed.post("usage", report).await.0, renewed.post("authorize", "{}".into()).await.0), (401, 401));
}

#[actix_web::test]
async fn invalid_records_are_rejected_with_a_reason_and_block_nothing() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let customer = shop.customer(0);
    shop.adds_proxy_user(&customer, user("scraper_1")).await;
    shop.app.clock.advance(TimeDelta::hours(2));
    let at = shop.hour_ago();
    let mut records = vec![record("1", "scraper_1", at, 100), json!(7), record("2", "nobody", at, 100)];
    records.push(record("3", "scraper_1", at - TimeDelta::days(40), 100));
    records.push(record("4", "scraper_1", at + TimeDelta::hours(2), 100));
    records.push(json!({"Id": "5", "UsedAt": to_wire(at), "UserName": "scraper_1", "Country": "US", "UploadBytes": -1, "DownloadBytes": 1}));
    records.push(record("6", "scraper_1", at - TimeDelta::days(20), 100));
    records.push(record("7", "scraper_1", at, 100));
    let (status, answer) = carrier.post("usage", json!({ "Records": records }).to_string()).await;
    let reasons =
        [(1, "malformed"), (2, "unknown_user"), (3, "too_old"), (4, "from_future"), (5, "bytes"), (6, "unknown_user")];
    let expected: Vec<Value> =
        reasons.iter().map(|(index, reason)| json!({"Index": index, "Reason": reason})).collect();
    assert_eq!((status, answer), (200, json!({"Counted": 2, "Repeated": 0, "Rejected": expected})));
}

#[actix_web::test]
async fn rejected_records_are_stored_once_with_a_counter_up_to_a_maximum() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let at = shop.hour_ago();
    let records: Vec<Value> = (0..900).map(|number| record(&number.to_string(), "nobody", at, 1)).collect();
    for _ in 0..2 {
        assert_eq!(carrier.reports(&records).await, (0, 0, 900));
    }
    let others: Vec<Value> = (900..1_500).map(|number| record(&number.to_string(), "nobody", at, 1)).collect();
    assert_eq!(carrier.reports(&others).await, (0, 0, 600));
    let operator = shop.operator();
    let list = shop.call(&operator, "Operator/GetRejectedUsageList", json!({"PageSize": 200})).await;
    assert_eq!(list.data["Total"], 1_001);
    let servers = shop.call(&operator, "Operator/GetProxyServerList", json!({})).await;
    assert_eq!(servers.data[0]["RejectedRecords"], 2_400);
    assert!(servers.data[0]["LastSeenAt"].is_string() && servers.data[0].get("Secret").is_none(), "{servers:?}");
}

#[actix_web::test]
async fn each_record_counts_once_in_any_order_and_despite_repeats() {
    let shop = Arc::new(Shop::open());
    let customer = shop.customer(0);
    let start = shop.app.clock.now();
    shop.gives_traffic(&customer, 3 * GB, start - TimeDelta::days(1), Some(start + TimeDelta::days(30)));
    shop.gives_traffic(&customer, GB, start - TimeDelta::days(1), None);
    for number in 0..5 {
        shop.adds_proxy_user(&customer, user(&format!("user_{number}"))).await;
    }
    shop.app.clock.advance(TimeDelta::hours(3));
    let carriers = [
        Carrier::registers(&shop, "gate-1", "residential").await,
        Carrier::registers(&shop, "gate-2", "residential").await,
    ];
    let now = shop.app.clock.now();
    let mut random = fastrand::Rng::with_seed(7);
    let (mut expected, mut count) = (0, 0);
    let mut reports: Vec<(usize, Vec<Value>)> = Vec::new();
    // Both servers use the same record ids: they are different records.
    for server in 0..2 {
        for report in 0..40 {
            let records = (0..30).map(|number| {
                let bytes = random.u64(0..2_000_000);
                let at = now - TimeDelta::seconds(random.i64(0..9_000));
                expected += bytes as i64;
                count += 1;
                record(&format!("{report}-{number}"), &format!("user_{}", random.u8(0..5)), at, bytes)
            });
            reports.push((server, records.collect()));
        }
    }
    // Twice each: once whole, once shuffled together with half of another report.
    let halves: Vec<_> = (0..reports.len())
        .map(|index| {
            let (server, mut records) = reports[index].clone();
            let next = &reports[(index + 1) % reports.len()];
            if next.0 == server {
                records.extend(next.1.iter().take(15).cloned());
            }
            random.shuffle(&mut records);
            (server, records)
        })
        .collect();
    let mut all = [reports, halves].concat();
    random.shuffle(&mut all);
    let is_over = Arc::new(AtomicBool::new(false));
    let job = actix_web::rt::spawn({
        let (shop, is_over) = (shop.clone(), is_over.clone());
        async move {
            while !is_over.load(Ordering::SeqCst) {
                shop.aggregates_usage().await;
                actix_web::rt::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        }
    });
    let senders: Vec<_> = all
        .chunks(20)
        .map(|reports| {
            let (reports, carriers) = (reports.to_vec(), carriers.clone());
            actix_web::rt::spawn(async move {
                let mut counted = 0;
                for (server, records) in reports {
                    counted += carriers[server].reports(&records).await.0;
                }
                counted
            })
        })
        .collect();
    let mut counted = 0;
    for sender in senders {
        counted += sender.await.expect("a sender");
    }
    // Let the job end by itself: it holds locks.
    is_over.store(true, Ordering::SeqCst);
    job.await.expect("the job");
    shop.aggregates_usage().await;
    assert_eq!(counted, count as u64);
    let books = shop.books_of(customer.account_id);
    books.agree(expected, count);
    let overdraft = (expected - 4 * GB).max(0);
    assert_eq!(books.overdraft_bytes, overdraft);
}

#[actix_web::test]
async fn bytes_are_taken_from_the_batch_valid_at_their_time() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let customer = shop.customer(0);
    shop.adds_proxy_user(&customer, user("scraper_1")).await;
    let begin = shop.app.clock.now();
    // One batch ends in the middle of an hour, another begins later.
    let middle = from_wire(&format!("{}:30:00", &to_wire(begin + TimeDelta::hours(2))[..13])).expect("a time");
    shop.gives_traffic(&customer, 1_000, begin - TimeDelta::days(1), Some(middle));
    shop.gives_traffic(&customer, 1_000, middle + TimeDelta::minutes(10), None);
    shop.app.clock.advance(TimeDelta::hours(4));
    let second = TimeDelta::seconds(1);
    let records = [
        record("at-its-end", "scraper_1", middle, 100),
        record("before-its-end", "scraper_1", middle - second, 200),
        record("after-the-next-began", "scraper_1", middle + TimeDelta::minutes(10), 400),
    ];
    assert_eq!(carrier.reports(&records).await, (3, 0, 0));
    shop.aggregates_usage().await;
    let books = shop.books_of(customer.account_id);
    assert_eq!((books.batch_bytes.as_slice(), books.overdraft_bytes), ([200, 400].as_slice(), 100));
    books.agree(700, 3);
    // Reported days after the batch has ended: its own bytes are still available for it.
    shop.app.clock.advance(TimeDelta::days(20));
    let late = [record("late", "scraper_1", middle - TimeDelta::minutes(1), 900)];
    assert_eq!(carrier.reports(&late).await, (1, 0, 0));
    shop.aggregates_usage().await;
    let books = shop.books_of(customer.account_id);
    assert_eq!((books.batch_bytes.as_slice(), books.overdraft_bytes), ([1_000, 400].as_slice(), 200));
    books.agree(1_600, 4);
}

#[actix_web::test]
async fn late_records_of_an_ended_cycle_count_only_in_the_total() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let customer = shop.customer(0);
    let form = json!({"Name": "scraper_1", "LimitGigabytes": "1", "LimitCycle": "day"});
    let (id, _) = shop.adds_proxy_user(&customer, form).await;
    let begin = shop.app.clock.now();
    shop.gives_traffic(&customer, 9 * GB, begin - TimeDelta::days(1), None);
    shop.app.clock.advance(TimeDelta::days(2));
    let now = shop.app.clock.now();
    let midnight = postern_core::usage::day_of(now);
    shop.run_jobs().await;
    let records = [
        record("yesterday", "scraper_1", midnight - TimeDelta::seconds(1), 600_000_000),
        record("today", "scraper_1", midnight, 700_000_000),
    ];
    assert_eq!(carrier.reports(&records).await, (2, 0, 0));
    shop.aggregates_usage().await;
    let found = shop.proxy_user(&customer, id).await;
    assert_eq!((&found["UsedBytes"], &found["TotalBytes"]), (&json!(700_000_000), &json!(1_300_000_000)), "{found}");
    assert_eq!((&found["State"], &found["LeftBytes"]), (&json!("active"), &json!(300_000_000)));
    let daily = found["DailyBytes"].as_array().expect("days");
    assert_eq!((daily.len(), &daily[12], &daily[13]), (14, &json!(600_000_000), &json!(700_000_000)));
    assert_eq!(carrier.reports(&[record("more", "scraper_1", now, 300_000_000)]).await, (1, 0, 0));
    shop.aggregates_usage().await;
    assert_eq!(shop.proxy_user(&customer, id).await["State"], "exhausted");
    let reached = json!({"ProxyUserId": id, "Name": "scraper_1", "LimitBytes": 1_000_000_000});
    assert_eq!(shop.events_of(&customer, EventKind::ProxyUserLimitReached), [reached]);
    // The next day a new cycle begins, without any usage.
    shop.app.clock.advance(TimeDelta::days(1));
    shop.run_jobs().await;
    let found = shop.proxy_user(&customer, id).await;
    assert_eq!((&found["State"], &found["UsedBytes"]), (&json!("active"), &json!(0)));
    shop.books_of(customer.account_id).agree(1_600_000_000, 3);
}

#[actix_web::test]
async fn changing_a_limit_exhausts_or_reactivates_under_load() {
    let shop = Arc::new(Shop::open());
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let customer = shop.customer(0);
    let form = |limit: &str| json!({"Name": "scraper_1", "LimitGigabytes": limit, "LimitCycle": "none"});
    let (id, _) = shop.adds_proxy_user(&customer, form("10")).await;
    shop.app.clock.advance(TimeDelta::hours(2));
    let at = shop.hour_ago();
    let sending = actix_web::rt::spawn({
        let (shop, carrier) = (shop.clone(), carrier.clone());
        async move {
            for number in 0..20 {
                let records = [record(&number.to_string(), "scraper_1", at, 100_000_000)];
                assert_eq!(carrier.reports(&records).await, (1, 0, 0));
                shop.aggregates_usage().await;
            }
        }
    });
    let edited = async |limit: &str| {
        let mut edit = form(limit);
        edit["ProxyUserId"] = json!(id);
        let answer = shop.call(&customer, "ProxyUsers/EditProxyUser", edit).await;
        assert_eq!(answer.code, 1000, "{answer:?}");
        answer.data
    };
    for limit in ["5", "1", "0.5", "8", "0.1"] {
        let found = edited(limit).await;
        let used = found["UsedBytes"].as_u64().expect("bytes");
        let is_used_up = used >= postern_core::proxy_user::parse_gigabytes(limit).expect("bytes");
        assert_eq!(found["State"] == "exhausted", is_used_up, "{found}");
    }
    sending.await.expect("a sender");
    let found = edited("2").await;
    assert_eq!((&found["State"], &found["UsedBytes"]), (&json!("exhausted"), &json!(2_000_000_000)));
    assert_eq!(edited("2.001").await["State"], "active");
    shop.books_of(customer.account_id).agree(2 * GB, 20);
}

#[actix_web::test]
async fn static_proxies_are_reported_by_the_address_of_their_node() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "static-1", "static").await;
    let customer = shop.owner_of(1, 0).await;
    let node = shop.nodes_of(&customer).await.remove(0);
    shop.app.clock.advance(TimeDelta::hours(2));
    let at = to_wire(shop.hour_ago());
    let of = |id: &str, ip: &Value| json!({"Id": id, "UsedAt": at, "Ip": ip, "Target": "shop.example", "UploadBytes": 1, "DownloadBytes": 2});
    let records =
        [of("1", &node["Ip"]), of("1", &node["Ip"]), of("2", &json!("192.0.2.1")), of("3", &json!("nonsense"))];
    assert_eq!(carrier.reports(&records).await, (1, 1, 2));
    shop.aggregates_usage().await;
    let now = shop.app.clock.now();
    let range = json!({"Kind": "static", "Dimension": "node", "Step": "hour", "StartTime": to_wire(now - TimeDelta::hours(5)), "EndTime": to_wire(now), "TimeZone": "UTC"});
    let usage = shop.call(&customer, "Usage/GetUsage", range).await.data;
    assert_eq!((&usage["TotalBytes"], &usage["Split"][0]["Label"]), (&json!(3), &node["Ip"]), "{usage}");
    let books = shop.books_of(customer.account_id);
    assert_eq!((books.overdraft_bytes, books.batch_bytes.len()), (0, 0), "static traffic is not sold by the byte");
}

#[actix_web::test]
async fn charts_split_a_range_exactly_and_compare_it_with_the_previous_one() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let customer = shop.customer(0);
    let (first, _) = shop.adds_proxy_user(&customer, user("first_1")).await;
    shop.adds_proxy_user(&customer, user("second_1")).await;
    shop.app.clock.advance(TimeDelta::days(10));
    let day = postern_core::usage::day_of(shop.app.clock.now());
    let at = |days: i64, hours: i64| day - TimeDelta::days(days) + TimeDelta::hours(hours);
    let records: Vec<Value> = [
        (1, 1, "first_1", 1),
        (2, 5, "first_1", 10),
        (3, 23, "second_1", 100),
        (4, 0, "second_1", 1_000),
        (6, 12, "first_1", 10_000),
    ]
    .iter()
    .map(|(days, hours, name, bytes)| record(&format!("{days}-{hours}"), name, at(*days, *hours), *bytes))
    .collect();
    assert_eq!(carrier.reports(&records).await, (5, 0, 0));
    shop.aggregates_usage().await;
    let ask = async |dimension: &str, from: String, to: String, extra: Value| {
        let mut body = json!({"Kind": "residential", "Dimension": dimension, "Step": "day", "StartTime": from, "EndTime": to, "TimeZone": "Asia/Shanghai"});
        for (name, value) in extra.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        shop.call(&customer, "Usage/GetUsage", body).await
    };
    // From 16:00 UTC to the same hour three days later: whole days in Shanghai.
    let (from, to) = (to_wire(at(4, 16)), to_wire(at(1, 16)));
    let usage = ask("user", from.clone(), to.clone(), json!({})).await.data;
    assert_eq!(
        (&usage["TotalBytes"], &usage["Requests"], &usage["PreviousBytes"]),
        (&json!(111), &json!(3), &json!(11_000)),
        "{usage}"
    );
    let points: Vec<_> = usage["Points"]
        .as_array()
        .expect("points")
        .iter()
        .map(|point| {
            point["UploadBytes"].as_i64().unwrap_or_default() + point["DownloadBytes"].as_i64().unwrap_or_default()
        })
        .collect();
    assert_eq!(points, [0, 110, 1], "{usage}");
    let part = |name: &str, bytes: i64, previous: i64| {
        let part =
            usage["Split"].as_array().expect("a split").iter().find(|part| part["Label"] == name).expect("a part");
        assert_eq!((part["Bytes"].as_i64(), part["PreviousBytes"].as_i64()), (Some(bytes), Some(previous)), "{usage}");
    };
    part("first_1", 11, 10_000);
    part("second_1", 100, 1_000);
    let of_one = ask("all", from.clone(), to.clone(), json!({ "ProxyUserId": first })).await.data;
    assert_eq!(
        (&of_one["TotalBytes"], &of_one["PreviousBytes"], &of_one["Split"]),
        (&json!(11), &json!(10_000), &Value::Null)
    );
    let target = ask("target", from.clone(), to.clone(), json!({})).await.data;
    assert_eq!((&target["Split"][0]["Name"], &target["Split"][0]["Bytes"]), (&json!("shop.example"), &json!(111)));
    assert_eq!(ask("target", from.clone(), to.clone(), json!({ "ProxyUserId": first })).await.code, 2001);
    assert_eq!(ask("all", to, from, json!({})).await.code, 2001);
}

#[actix_web::test]
async fn a_chart_of_a_year_is_exact_by_the_months_of_the_time_zone() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let customer = shop.customer(0);
    let (first, _) = shop.adds_proxy_user(&customer, user("user_0")).await;
    shop.adds_proxy_user(&customer, user("user_1")).await;
    let mut random = fastrand::Rng::with_seed(12);
    // Two years of records in every hour that a clock change or month end may move.
    let mut used = Vec::new();
    for month in 0..25 {
        shop.app.clock.advance(TimeDelta::days(30));
        let now = shop.app.clock.now();
        let records: Vec<Value> = (0..60)
            .map(|number| {
                let at = now - TimeDelta::seconds(random.i64(0..30 * 86_400));
                let (name, bytes) = (random.usize(..2), random.i64(1..1_000_000));
                used.push((postern_core::usage::hour_of(at), name, bytes));
                record(&format!("{month}-{number}"), &format!("user_{name}"), at, bytes as u64)
            })
            .collect();
        assert_eq!(carrier.reports(&records).await, (60, 0, 0));
        shop.aggregates_usage().await;
    }
    let (customer, now) = (shop.signs_in(&customer), shop.app.clock.now());
    for zone in [
        "UTC",
        "Asia/Shanghai",
        "America/New_York",
        "Asia/Kolkata",
        "Pacific/Auckland",
        "America/Sao_Paulo",
        // Its months are those of UTC in winter.
        "Europe/London",
    ] {
        let months = latest_months(now, time_zone(zone).expect("a zone"), 12);
        let start = months[0].starts_at;
        let within = |from: NaiveDateTime, to: NaiveDateTime, name: Option<usize>| {
            let own = used.iter().filter(|(at, of, _)| *at >= from && *at < to && name.is_none_or(|name| *of == name));
            own.map(|(_, _, bytes)| bytes).sum::<i64>()
        };
        let ask = async |extra: Value| {
            let mut body = json!({"Kind": "residential", "Dimension": "user", "Step": "month", "StartTime": to_wire(start), "EndTime": to_wire(now), "TimeZone": zone});
            for (name, value) in extra.as_object().into_iter().flatten() {
                body[name] = value.clone();
            }
            shop.call(&customer, "Usage/GetUsage", body).await.data
        };
        for (name, extra) in [(None, json!({})), (Some(0), json!({ "ProxyUserId": first }))] {
            let usage = ask(extra.clone()).await;
            let ends = months.iter().skip(1).map(|month| month.starts_at).chain([now]);
            let expected: Vec<Value> = months
                .iter()
                .zip(ends)
                .map(|(month, end)| json!([to_wire(month.starts_at), within(month.starts_at, end, name)]))
                .collect();
            let points = usage["Points"].as_array().expect("points").iter().map(|point| {
                let bytes =
                    [&point["UploadBytes"], &point["DownloadBytes"]].map(|bytes| bytes.as_i64().unwrap_or_default());
                json!([point["StartsAt"], bytes[0] + bytes[1]])
            });
            assert_eq!(points.collect::<Vec<_>>(), expected, "{zone}");
            assert_eq!(usage["TotalBytes"], within(start, now, name), "{zone}");
            let (from, to) = (whole_hour(start), whole_hour(now));
            assert_eq!(usage["PreviousBytes"], within(from - (to - from), from, name), "{zone}");
            let part = usage["Split"].as_array().expect("a split").iter().find(|part| part["Label"] == "user_0");
            let part = part.expect("a part");
            assert_eq!(
                (&part["Bytes"], &part["PreviousBytes"]),
                (&json!(within(from, to, Some(0))), &json!(within(from - (to - from), from, Some(0)))),
                "{zone}"
            );
            // The same by days and months.
            let by_day = ask(json!({"Step": "day", "ProxyUserId": extra["ProxyUserId"]})).await;
            assert_eq!((&by_day["TotalBytes"], &by_day["Split"]), (&usage["TotalBytes"], &usage["Split"]), "{zone}");
        }
    }
}

#[actix_web::test]
async fn records_are_kept_while_repeats_are_accepted() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let customer = shop.customer(0);
    shop.adds_proxy_user(&customer, user("scraper_1")).await;
    shop.app.clock.advance(TimeDelta::hours(2));
    let old = [record("1", "scraper_1", shop.hour_ago(), 100)];
    assert_eq!(carrier.reports(&old).await, (1, 0, 0));
    for _ in 0..30 {
        shop.app.clock.advance(TimeDelta::days(1));
        postern_server::usage::keeping::keep(&shop.app).await.expect("kept");
    }
    assert_eq!(carrier.reports(&old).await, (0, 1, 0));
    shop.app.clock.advance(TimeDelta::days(70));
    // Months have passed without the job: the partition is created when the record arrives.
    assert_eq!(carrier.reports(&[record("2", "scraper_1", shop.hour_ago(), 100)]).await, (1, 0, 0));
    shop.run_jobs().await;
    let books = shop.books_of(customer.account_id);
    assert_eq!((books.records, books.user_bytes), (1, 200));
    assert_eq!(carrier.reports(&old).await, (0, 0, 1));
}
