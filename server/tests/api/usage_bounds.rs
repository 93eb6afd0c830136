//! Absurd usage: a proxy server that counts wrongly stops no call and no counter.
use crate::carriers::{Carrier, record};
use crate::shop::{Customer, Shop};
use chrono::TimeDelta;
use postern_core::usage::{MAX_RECORD_BYTES, MAX_SUM_BYTES};
use postern_server::db::prelude::*;
use postern_server::schema::usage_reports;
use serde_json::{Value, json};

#[actix_web::test]
async fn records_beyond_the_bytes_of_a_report_are_rejected_with_a_reason() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let customer = shop.customer(0);
    shop.adds_proxy_user(&customer, json!({"Name": "scraper_1"})).await;
    shop.app.clock.advance(TimeDelta::hours(2));
    let at = shop.hour_ago();
    let records: Vec<Value> =
        (0..101).map(|number| record(&number.to_string(), "scraper_1", at, MAX_RECORD_BYTES)).collect();
    assert_eq!(carrier.reports(&records).await, (100, 0, 1));
    let list = shop.call(&shop.operator(), "Operator/GetRejectedUsageList", json!({})).await;
    assert_eq!((&list.data["Total"], &list.data["Rows"][0]["Reason"]), (&json!(1), &json!("report_bytes")), "{list:?}");
    assert_eq!(carrier.reports(&records[100..]).await, (1, 0, 0), "alone it counts");
}

/// Stores a report with these sums, as a version without bounds would have.
fn stores_report(shop: &Shop, customer: &Customer, proxy_user_id: i64, bytes: i64) {
    let second = shop.hour_ago().and_utc().timestamp();
    let line = (customer.account_id, proxy_user_id, None::<i64>, second, "US", "shop.example", bytes, bytes, 1);
    let sums = serde_json::to_string(&[line]).expect("sums");
    let row = (usage_reports::sums.eq(sums.as_str()), usage_reports::received_at.eq(shop.app.clock.now()));
    let insert = || diesel::insert_into(usage_reports::table).values(row);
    shop.app.db.write_blocking(|conn| Ok(insert().execute(conn)?)).expect("a report");
}

#[actix_web::test]
async fn sums_beyond_what_a_column_holds_stop_there_and_every_call_answers() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let customer = shop.customer(0);
    let start = shop.app.clock.now();
    shop.gives_traffic(&customer, 1_000_000_000, start - TimeDelta::days(1), None);
    let (id, _) = shop.adds_proxy_user(&customer, json!({"Name": "scraper_1"})).await;
    shop.app.clock.advance(TimeDelta::hours(2));
    // In one round and in several, and in several hours, whose sums are added in a chart.
    for bytes in [i64::MAX, i64::MAX, MAX_SUM_BYTES, i64::MAX] {
        stores_report(&shop, &customer, id, bytes);
        stores_report(&shop, &customer, id, bytes);
        shop.aggregates_usage().await;
        shop.app.clock.advance(TimeDelta::hours(2));
    }
    assert_eq!(carrier.reports(&[record("1", "scraper_1", shop.hour_ago(), 100)]).await, (1, 0, 0));
    shop.aggregates_usage().await;
    let user = shop.proxy_user(&customer, id).await;
    assert_eq!((&user["TotalBytes"], &user["UsedBytes"]), (&json!(MAX_SUM_BYTES), &json!(MAX_SUM_BYTES)), "{user}");
    let today = user["DailyBytes"].as_array().and_then(|days| days.iter().max_by_key(|day| day.as_i64())).cloned();
    assert_eq!(today, Some(json!(2 * MAX_SUM_BYTES)));
    let traffic = shop.call(&customer, "Traffic/GetTraffic", json!({})).await;
    assert_eq!((traffic.code, &traffic.data["OverdraftBytes"]), (1000, &json!(MAX_SUM_BYTES)), "{traffic:?}");
    let range = |dimension: &str| {
        json!({
            "Kind": "residential", "StartTime": postern_core::time::to_wire(start), "Dimension": dimension, "Step": "hour",
            "EndTime": postern_core::time::to_wire(shop.app.clock.now()),
        })
    };
    for dimension in ["all", "user", "country", "target"] {
        let usage = shop.call(&customer, "Usage/GetUsage", range(dimension)).await;
        assert_eq!((usage.code, &usage.data["TotalBytes"]), (1000, &json!(2 * MAX_SUM_BYTES)), "{usage:?}");
        if dimension != "all" {
            assert_eq!(usage.data["Split"][0]["Bytes"], json!(MAX_SUM_BYTES), "{usage:?}");
        }
        assert!(!shop.download(&customer, "Usage/ExportUsage", range(dimension)).await.is_empty());
    }
    let overview = shop.call(&customer, "Welcome/GetOverview", json!({})).await;
    assert_eq!(overview.code, 1000, "{overview:?}");
}
