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
async fn a_product_has_one_summary_in_every_call() {
    let shop = Shop::open();
    let owner = shop.owner_of(2, 10_000).await;
    let summaries = async |owner| {
        let overview = shop.call(owner, "Welcome/GetOverview", json!({})).await.data["Tiers"][0].clone();
        let plan = shop.call(owner, "Ips/userGetUserVerPlan", json!({})).await.data[0].clone();
        let table = shop.call(owner, "Ips/UserGetNodeTable", json!({})).await.data["Rows"][0].clone();
        let fields = [
            "State",
            "ActiveCount",
            "GraceCount",
            "EndingSoonCount",
            "AutoRenewal",
            "AutoRenewCount",
            "NextExpiresAt",
            "GraceEndsAt",
        ];
        let of = |row: &Value| fields.map(|field| row[field].clone());
        assert_eq!((of(&overview), of(&table)), (of(&plan), of(&plan)));
        assert_eq!((&plan["IpsCount"], &table["IpsCount"]), (&json!(2), &json!(2)));
        plan
    };
    let plan = summaries(&owner).await;
    assert_eq!(
        (&plan["State"], &plan["AutoRenewal"], &plan["NextCharge"]),
        (&json!("active"), &json!("off"), &Value::Null)
    );
    let ends = plan["NextExpiresAt"].clone();
    assert!(ends.is_string() && plan["GraceEndsAt"].is_null(), "{plan}");

    // One renews automatically, though the plan's own setting stays off.
    let node = shop.nodes_of(&owner).await[0]["NodeId"].clone();
    shop.call(&owner, "Ips/SetAutoRenew", json!({"NodeIds": [node], "AutoRenew": true})).await;
    let plan = summaries(&owner).await;
    assert_eq!(
        (&plan["AutoRenew"], &plan["AutoRenewal"], &plan["AutoRenewCount"]),
        (&json!(false), &json!("partly"), &json!(1))
    );
    assert_eq!((&plan["NextCharge"]["IpsCount"], &plan["NextCharge"]["Amount"]), (&json!(1), &json!("5.00")));
    shop.call(&owner, "Ips/SetAutoRenew", json!({"NodeIds": [node], "AutoRenew": false})).await;

    // A moment after the end, before a job has moved anything, and again after it.
    shop.app.clock.advance(TimeDelta::days(30) + TimeDelta::seconds(1));
    let owner = shop.signs_in(&owner);
    for _ in 0..2 {
        let plan = summaries(&owner).await;
        assert_eq!(
            (&plan["State"], &plan["ActiveCount"], &plan["GraceCount"]),
            (&json!("expired"), &json!(0), &json!(2))
        );
        assert_eq!(
            (&plan["NextExpiresAt"], &plan["NextCharge"]),
            (&Value::Null, &Value::Null),
            "not a time in the past"
        );
        assert!(plan["GraceEndsAt"].as_str() > ends.as_str(), "{plan}");
        shop.run_jobs().await;
    }
}

#[actix_web::test]
async fn an_unknown_time_zone_is_refused_at_its_field() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let answer = shop.call(&customer, "Welcome/GetOverview", json!({"TimeZone": "Mars/Olympus"})).await;
    assert_eq!((answer.code, &answer.data["Fields"]["TimeZone"][0]["Rule"]), (2001, &json!("timeZone")), "{answer:?}");
}
