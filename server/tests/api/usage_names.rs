//! Whose traffic a usage report counts: the owner of the name at the record's time.
use crate::carriers::{Carrier, record};
use crate::shop::Shop;
use chrono::TimeDelta;
use postern_core::time::to_wire;
use serde_json::{Value, json};

fn user(name: &str) -> Value {
    json!({ "Name": name })
}

#[actix_web::test]
async fn traffic_belongs_to_the_owner_of_the_name_at_that_time() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let (first, second) = (shop.customer(0), shop.customer(0));
    let (id, _) = shop.adds_proxy_user(&first, user("scraper_1")).await;
    shop.app.clock.advance(TimeDelta::hours(2));
    let of_first = shop.hour_ago();
    shop.call(&first, "ProxyUsers/DeleteProxyUsers", json!({"ProxyUserIds": [id]})).await;
    shop.adds_proxy_user(&second, user("scraper_1")).await;
    shop.app.clock.advance(TimeDelta::hours(2));
    let records = [record("1", "scraper_1", of_first, 100), record("2", "scraper_1", shop.hour_ago(), 10)];
    assert_eq!(carrier.reports(&records).await, (2, 0, 0));
    shop.aggregates_usage().await;
    shop.books_of(first.account_id).agree(100, 1);
    shop.books_of(second.account_id).agree(10, 1);
}

#[actix_web::test]
async fn a_name_known_from_the_last_report_counts_for_its_new_owner_at_once() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let (first, second) = (shop.customer(0), shop.customer(0));
    let (kept, _) = shop.adds_proxy_user(&first, user("scraper_1")).await;
    let (gone, _) = shop.adds_proxy_user(&first, user("scraper_2")).await;
    let report = async |id: &str| {
        let (names, now) = (["scraper_1", "scraper_2", "scraper_3"], shop.app.clock.now());
        let records = names.map(|name| record(&format!("{id}-{name}"), name, now, 100));
        carrier.reports(&records).await
    };
    // Twice: from the database, and as remembered. What was changed in the last minute is not remembered.
    shop.app.clock.advance(TimeDelta::minutes(5));
    assert_eq!(report("1").await, (2, 0, 1));
    assert_eq!(report("2").await, (2, 0, 1));
    // Renamed, deleted and made anew by somebody else, and made for the first time: each is noticed by the next report, also much later.
    shop.app.clock.advance(TimeDelta::seconds(5));
    shop.call(&first, "ProxyUsers/EditProxyUser", json!({"ProxyUserId": kept, "Name": "scraper_3"})).await;
    shop.call(&first, "ProxyUsers/DeleteProxyUsers", json!({"ProxyUserIds": [gone]})).await;
    shop.adds_proxy_user(&second, user("scraper_2")).await;
    // Records have whole seconds.
    shop.app.clock.advance(TimeDelta::seconds(1));
    assert_eq!(report("3").await, (2, 0, 1));
    shop.adds_proxy_user(&second, user("scraper_1")).await;
    shop.app.clock.advance(TimeDelta::minutes(20));
    assert_eq!(report("4").await, (3, 0, 0));
    shop.aggregates_usage().await;
    shop.books_of(first.account_id).agree(600, 6);
    shop.books_of(second.account_id).agree(300, 3);
}

#[actix_web::test]
async fn traffic_of_a_whitelisted_client_is_reported_by_the_answer_of_authorize_and_without_a_country() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "gate-1", "residential").await;
    let ann = shop.customer(0);
    shop.gives_traffic(&ann, 1_000_000, shop.app.clock.now() - TimeDelta::hours(1), None);
    let (id, _) = shop.adds_proxy_user(&ann, user("scraper_1")).await;
    let entry = json!({"ProxyUserId": id, "Address": "8.8.8.8"});
    assert_eq!(shop.call(&ann, "ProxyUsers/AddProxyUserAddress", entry).await.code, 1000);
    shop.app.clock.advance(TimeDelta::hours(2));
    shop.refreshes_access().await;
    let (_, answer) = carrier.post("authorize", json!({"ClientAddress": "8.8.8.8"}).to_string()).await;
    assert_eq!((&answer["ProxyUserId"], &answer["UserName"]), (&json!(id), &json!("scraper_1")));
    let at = shop.hour_ago();
    let mut by_name = record("1", "scraper_1", at, 100);
    by_name["UserName"] = answer["UserName"].clone();
    let mut by_id = record("2", "", at, 10);
    by_id["ProxyUserId"] = answer["ProxyUserId"].clone();
    by_id["UserName"] = json!("");
    by_id["Country"] = json!("");
    let mut of_nobody = by_id.clone();
    of_nobody["Id"] = json!("3");
    of_nobody["ProxyUserId"] = json!(id + 1_000);
    assert_eq!(carrier.reports(&[by_name, by_id, of_nobody]).await, (2, 0, 1));
    shop.aggregates_usage().await;
    shop.books_of(ann.account_id).agree(110, 2);
    let (begin, end) = (to_wire(at - TimeDelta::hours(1)), to_wire(shop.app.clock.now()));
    let range = json!({"Kind": "residential", "Dimension": "country", "Step": "hour", "StartTime": begin, "EndTime": end, "TimeZone": "UTC"});
    let usage = shop.call(&ann, "Usage/GetUsage", range).await.data;
    let names: Vec<_> = usage["Split"].as_array().expect("parts").iter().map(|part| part["Name"].clone()).collect();
    assert_eq!(names, [json!("US"), json!("ZZ")], "{usage}");
}
