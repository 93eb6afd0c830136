//! No query of the API and the jobs scans a whole table that can grow: queries are recorded while every call and job runs, and the database is asked
//! for their plans.
#[path = "plans/accounts.rs"]
mod accounts;
#[allow(dead_code)]
#[path = "api/carriers.rs"]
mod carriers;
#[path = "plans/filling.rs"]
mod filling;
#[path = "plans/lists.rs"]
mod lists;
#[path = "plans/money.rs"]
mod money;
#[path = "plans/notifications.rs"]
mod notifications;
#[path = "plans/query_plans.rs"]
mod query_plans;
#[allow(dead_code)]
#[path = "api/receiver.rs"]
mod receiver;
#[path = "plans/recording.rs"]
mod recording;
#[path = "plans/referrals.rs"]
mod referrals;
#[path = "plans/residential.rs"]
mod residential;
#[path = "plans/seller.rs"]
mod seller;
#[allow(dead_code)]
#[path = "api/shop.rs"]
mod shop;
#[path = "plans/static_proxies.rs"]
mod static_proxies;
#[path = "plans/support.rs"]
mod support;
#[path = "plans/traffic.rs"]
mod traffic;
#[path = "plans/webhooks.rs"]
mod webhooks;
#[path = "plans/whole_shop.rs"]
mod whole_shop;

use diesel::connection::set_default_instrumentation;
use filling::fill;
use query_plans::whole_reads;
use recording::{RECORDED, record};
use shop::Shop;
use whole_shop::{read_everything, run_the_shop};

#[actix_web::test]
async fn no_query_scans_a_whole_growing_table() {
    set_default_instrumentation(|| Some(Box::new(record))).expect("an instrumentation");
    let settings = [("POSTERN_TRANSFER_DETAILS", "Example Bank"), ("POSTERN_WEBHOOK_TEST_HOSTS", "127.0.0.1")];
    let shop = Shop::open_with(&settings).with_residential_server();
    fill(&shop);
    let whole = read_everything(&shop).await;
    run_the_shop(&shop).await;
    let queries: Vec<String> = RECORDED.lock().expect("the record").difference(&whole).cloned().collect();
    assert!(queries.len() > 150, "only {} queries were recorded", queries.len());
    let mut found = String::new();
    for query in &queries {
        let steps = shop.app.db.read_blocking(|conn| Ok(whole_reads(conn, query)?));
        for step in steps.unwrap_or_else(|error| panic!("{query}: {error}")) {
            found.push_str(&format!("{step}\n    {query}\n"));
        }
    }
    assert!(found.is_empty(), "these queries read whole tables:\n{found}");
}

#[actix_web::test]
async fn a_full_table_scan_is_detected() {
    let shop = Shop::open_with(&[("POSTERN_TRANSFER_DETAILS", "Example Bank")]).with_residential_server();
    for (query, is_whole) in [
        ("SELECT id FROM nodes WHERE note = 'x'", true),
        ("SELECT id FROM nodes ORDER BY id", true),
        ("UPDATE orders SET state = 'paid' WHERE kind = 'purchase'", true),
        ("SELECT id FROM nodes WHERE ip = 'x'", false),
        ("SELECT ver_str FROM tiers", false),
        ("SELECT id FROM nodes WHERE account_id = 1 ORDER BY id DESC LIMIT 10", false),
        ("SELECT id FROM nodes WHERE account_id = 1 AND ip > '1' ORDER BY ip, id LIMIT 10", false),
        ("SELECT id FROM nodes WHERE next_renewal_at IS NOT NULL ORDER BY next_renewal_at", false),
    ] {
        let steps = shop.app.db.read_blocking(|conn| Ok(whole_reads(conn, query)?)).expect("a plan");
        assert_eq!(!steps.is_empty(), is_whole, "{query}: {steps:?}");
    }
}
