//! The call for the welcome screens: owned proxies, expiries, and first steps.
use crate::shop::Shop;
use chrono::TimeDelta;
use serde_json::{Value, json};

fn done(overview: &Value) -> Vec<&str> {
    let steps = overview["Steps"].as_array().into_iter().flatten();
    steps.filter(|step| step["IsDone"] == true).filter_map(|step| step["Step"].as_str()).collect()
}

#[actix_web::test]
async fn a_new_account_is_empty_with_open_first_steps() {
    let shop = Shop::open();
    let newcomer = shop.customer(0);
    let overview = shop.call(&newcomer, "Welcome/GetOverview", json!({"TimeZone": "Asia/Shanghai"})).await.data;
    assert_eq!(
        (&overview["ActiveCount"], &overview["Tiers"], &overview["Countries"]),
        (&json!(0), &json!([]), &json!([]))
    );
    assert_eq!(overview["Days"].as_array().map(Vec::len), Some(30));
    assert!(done(&overview).is_empty(), "{overview}");
    let rich = shop.customer(500);
    let overview = shop.call(&rich, "Welcome/GetOverview", json!({})).await.data;
    assert_eq!(done(&overview), ["top_up"]);
}

#[actix_web::test]
async fn expiring_proxies_are_counted_and_enter_grace() {
    let shop = Shop::open();
    let stranger = shop.owner_of(3, 0).await;
    let owner = shop.owner_of(2, 10_000).await;
    let seen = async |owner| shop.call(owner, "Welcome/GetOverview", json!({})).await.data;
    let overview = seen(&owner).await;
    assert_eq!((&overview["ActiveCount"], &overview["EndingSoonCount"]), (&json!(2), &json!(0)), "{overview}");
    assert_eq!(overview["Countries"][0]["Count"], 2);
    assert_eq!(done(&overview), ["top_up", "buy"]);

    // Six days before the end, one of the two renews automatically.
    shop.app.clock.advance(TimeDelta::days(24));
    let node = shop.nodes_of(&owner).await[0]["NodeId"].clone();
    let set = shop.call(&owner, "Ips/SetAutoRenew", json!({"NodeIds": [node], "AutoRenew": true})).await;
    assert_eq!(set.code, 1000, "{set:?}");
    let overview = seen(&owner).await;
    let counts =
        [&overview["EndingSoonCount"], &overview["EndingSoonRenewing"], &overview["Tiers"][0]["AutoRenewCount"]];
    assert_eq!(counts, [&json!(2), &json!(1), &json!(1)], "{overview}");
    let days = overview["Days"].as_array().expect("days");
    let ending: Vec<_> = days.iter().filter(|day| day["Count"] != 0).collect();
    assert_eq!((ending.len(), &ending[0]["Count"], &ending[0]["Renewing"]), (1, &json!(2), &json!(1)));

    shop.app.clock.advance(TimeDelta::days(7));
    let stranger = shop.signs_in(&stranger);
    shop.run_jobs().await;
    let overview = seen(&stranger).await;
    let counts = [&overview["ActiveCount"], &overview["GraceCount"], &overview["EndingSoonCount"]];
    assert_eq!(counts, [&json!(0), &json!(3), &json!(0)], "{overview}");
}

#[actix_web::test]
async fn an_unknown_time_zone_is_refused_at_its_field() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let answer = shop.call(&customer, "Welcome/GetOverview", json!({"TimeZone": "Mars/Olympus"})).await;
    assert_eq!((answer.code, &answer.data["Fields"]["TimeZone"][0]["Rule"]), (2001, &json!("timeZone")), "{answer:?}");
}
