//! Manual and automatic renewals, across month ends and clock changes; grace, quarantine, release; reminders.
use crate::shop::{Customer, REGULAR, Shop, order_for};
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use postern_core::time::{from_wire, localize_response, time_zone};
use serde_json::{Value, json};

fn end_of(node: &Value) -> NaiveDateTime {
    node["ExpiresAt"].as_str().and_then(from_wire).expect("an end")
}

async fn renews(shop: &Shop, customer: &Customer, period_days: u32) {
    let preview = shop.call(customer, "Ips/IpsNoneRenewByPrice", json!({"All": true, "PeriodDays": period_days})).await;
    assert_eq!(preview.code, 1000, "{preview:?}");
    let total = &preview.data["Quote"]["Total"];
    let order = shop
        .call(customer, "Ips/IpsNoneRenew", json!({"All": true, "PeriodDays": period_days, "ExpectedTotal": total}))
        .await;
    assert_eq!(order.code, 1000, "{order:?}");
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(customer, "Order/PayOrder", pay).await.code, 1000);
}

#[actix_web::test]
async fn a_renewal_extends_from_the_old_end() {
    let shop = Shop::open();
    let customer = shop.owner_of(2, 10_000).await;
    let before = end_of(&shop.nodes_of(&customer).await[0]);
    shop.app.clock.advance(TimeDelta::days(10));
    renews(&shop, &customer, 90).await;
    let nodes = shop.nodes_of(&customer).await;
    assert_eq!(end_of(&nodes[0]), before + TimeDelta::days(90));
    assert_eq!(nodes[0]["PeriodDays"], 90);
    // Into grace, and out of it again.
    shop.app.clock.advance(TimeDelta::days(111));
    let customer = shop.signs_in(&customer);
    shop.run_jobs().await;
    assert_eq!(shop.nodes_in_state("grace"), 2);
    renews(&shop, &customer, 30).await;
    let nodes = shop.nodes_of(&customer).await;
    assert_eq!((end_of(&nodes[1]), &nodes[1]["State"]), (before + TimeDelta::days(120), &json!("assigned")));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_renewal_by_hand_is_confirmed_by_mail() {
    let shop = Shop::open();
    let customer = shop.owner_of(2, 2_000).await;
    for (count, all) in [("2 proxies are", true), ("proxy is", false)] {
        let order = if all {
            json!({"All": true, "PeriodDays": 30, "ExpectedTotal": "10.00"})
        } else {
            json!({"NodeIds": [shop.nodes_of(&customer).await[0]["NodeId"]], "PeriodDays": 30, "ExpectedTotal": "5.00"})
        };
        let order = shop.call(&customer, "Ips/IpsNoneRenew", order).await;
        assert_eq!(shop.mails_about(&customer.email, &format!("Your {count} renewed")), 0);
        let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"});
        assert_eq!(shop.call(&customer, "Order/PayOrder", pay).await.code, 1000);
        shop.run_jobs().await;
        assert_eq!(shop.mails_about(&customer.email, &format!("Your {count} renewed")), 1, "{count}");
        let mail = shop.last_mail_to(&customer.email).expect("a mail");
        assert!(mail.contains(&format!("/order?OrderId={}", order.data["OrderId"])), "{mail}");
    }
    let at_once = json!({"All": true, "PeriodDays": 30, "ExpectedTotal": "10.00", "PayFromWallet": true});
    let customer = shop.owner_of(2, 1_000).await;
    assert_eq!(shop.call(&customer, "Ips/IpsNoneRenew", at_once).await.code, 1000);
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, "Your 2 proxies are renewed"), 1);
}

#[actix_web::test]
async fn a_renewal_paid_from_the_wallet_at_once_names_its_ips_and_their_new_ends() {
    let shop = Shop::open();
    let customer = shop.owner_of(2, 1_500).await;
    let before = end_of(&shop.nodes_of(&customer).await[0]);
    let body = json!({"All": true, "PeriodDays": 30, "ExpectedTotal": "10.00", "PayFromWallet": true});
    let order = shop.call_once(&customer, "once", "Ips/IpsNoneRenew", body.clone()).await;
    assert_eq!((order.code, &order.data["State"]), (1000, &json!("fulfilled")), "{order:?}");
    let owned = shop.nodes_of(&customer).await;
    let sold: Vec<_> =
        order.data["Nodes"].as_array().expect("nodes").iter().map(|node| (&node["Ip"], &node["EndsAt"])).collect();
    let now_owned: Vec<_> = owned.iter().map(|node| (&node["Ip"], &node["ExpiresAt"])).collect();
    assert_eq!(sold, now_owned);
    assert_eq!(end_of(&owned[0]), before + TimeDelta::days(30));
    assert_eq!(order.data["Payments"][0]["PaymentMethod"], "wallet");
    assert_eq!(order.data["Invoices"].as_array().map(Vec::len), Some(1), "{order:?}");
    assert_eq!(shop.balance(&customer).await, "5.00");
    // A repeat is the same order; another one costs more than is left, and leaves no order behind.
    assert_eq!(shop.call_once(&customer, "once", "Ips/IpsNoneRenew", body.clone()).await.data, order.data);
    let refused = shop.call(&customer, "Ips/IpsNoneRenew", body).await;
    assert_eq!((refused.code, &refused.data["Needed"]), (4001, &json!("10.00")), "{refused:?}");
    assert_eq!(shop.balance(&customer).await, "5.00");
    assert_eq!(end_of(&shop.nodes_of(&customer).await[0]), before + TimeDelta::days(30));
    let unpaid = shop.call(&customer, "Order/GetUnpaidOrderList", json!({})).await;
    assert_eq!(unpaid.data, json!([]));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn two_renewals_from_the_wallet_at_the_same_time_pay_what_it_holds() {
    let shop = Shop::open();
    let customer = shop.owner_of(2, 1_500).await;
    let before = end_of(&shop.nodes_of(&customer).await[0]);
    let body = json!({"All": true, "PeriodDays": 30, "ExpectedTotal": "10.00", "PayFromWallet": true});
    let renew = || shop.call(&customer, "Ips/IpsNoneRenew", body.clone());
    let (one, other) = futures_util::future::join(renew(), renew()).await;
    let mut codes = [one.code, other.code];
    codes.sort_unstable();
    assert_eq!(codes, [1000, 4001]);
    assert_eq!(end_of(&shop.nodes_of(&customer).await[0]), before + TimeDelta::days(30));
    assert_eq!(shop.balance(&customer).await, "5.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn changed_prices_and_unknown_periods_are_refused() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    let body = json!({"All": true, "PeriodDays": 30, "ExpectedTotal": "4.00"});
    assert_eq!(
        shop.call(&customer, "Ips/IpsNoneRenew", body).await.data,
        json!({"OldPrice": "4.00", "NewPrice": "5.00", "Currency": "USD"})
    );
    let answer = shop.call(&customer, "Ips/IpsNoneRenewByPrice", json!({"All": true, "PeriodDays": 31})).await;
    assert!(answer.data["Fields"]["PeriodDays"].is_array(), "{answer:?}");
}

#[actix_web::test]
async fn nodes_lost_before_payment_are_refunded() {
    let shop = Shop::open();
    let customer = shop.owner_of(2, 1_000).await;
    let order = shop
        .call(&customer, "Ips/IpsNoneRenew", json!({"All": true, "PeriodDays": 30, "ExpectedTotal": "10.00"}))
        .await;
    shop.take_away(shop.nodes_of(&customer).await[0]["NodeId"].as_i64().unwrap_or_default());
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"});
    let paid = shop.call(&customer, "Order/PayOrder", pay).await;
    assert_eq!((paid.code, &paid.data["Order"]["State"]), (1000, &json!("partly_fulfilled")));
    assert_eq!(shop.balance(&customer).await, "5.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn automatic_renewal_works_while_the_wallet_can_pay() {
    let shop = Shop::open();
    let customer = shop.owner_of(3, 1_000).await;
    let on = json!({"VerStr": REGULAR, "AutoRenew": true});
    assert_eq!(shop.call(&customer, "Ips/SetAutoRenew", on).await.data["Changed"], 3);
    let before = end_of(&shop.nodes_of(&customer).await[0]);
    shop.app.clock.advance(TimeDelta::days(26));
    shop.run_jobs().await;
    assert_eq!(end_of(&shop.nodes_of(&customer).await[0]), before, "not before its time");
    shop.app.clock.advance(TimeDelta::days(1));
    shop.run_jobs().await;
    shop.run_jobs().await;
    let ends: Vec<_> = shop.nodes_of(&customer).await.iter().map(end_of).collect();
    let later = before + TimeDelta::days(30);
    assert_eq!(ends, [later, later, before], "10.00 pay for two of three");
    assert_eq!(shop.balance(&customer).await, "0.00");
    assert!(shop.last_mail_to(&customer.email).is_some_and(|mail| mail.contains("could not")), "the failure is told");

    // Retried a day before the end, with enough balance.
    let top_up = json!({"Amount": "5.00", "PaymentMethod": "sandbox"});
    let pay_url = shop.call(&customer, "Wallet/CreateTopUp", top_up).await.data["Payment"]["PayUrl"].clone();
    shop.post_form(pay_url.as_str().unwrap_or_default(), "action=approve").await;
    shop.run_jobs().await;
    assert_eq!(shop.balance(&customer).await, "5.00", "not before the next attempt");
    shop.app.clock.advance(TimeDelta::days(2));
    shop.run_jobs().await;
    assert_eq!(end_of(&shop.nodes_of(&customer).await[2]), later);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_expired_node_goes_through_grace_and_quarantine_to_stock() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    let ends = end_of(&shop.nodes_of(&customer).await[0]);
    let at = |time: NaiveDateTime| shop.app.clock.advance(time - shop.app.clock.now());
    // The clock runs on during the jobs, and quarantine starts when a job runs: check minutes before and after.
    for (time, state) in [
        (ends - TimeDelta::minutes(2), "assigned"),
        (ends + TimeDelta::minutes(1), "grace"),
        (ends + TimeDelta::hours(72) - TimeDelta::minutes(2), "grace"),
        (ends + TimeDelta::hours(72) + TimeDelta::minutes(1), "quarantined"),
        (ends + TimeDelta::hours(96) - TimeDelta::minutes(2), "quarantined"),
        (ends + TimeDelta::hours(96) + TimeDelta::minutes(5), "available"),
    ] {
        at(time);
        shop.run_jobs().await;
        assert_eq!(shop.nodes_in_state(state), 1, "{time} {state}");
    }
    let buyer = shop.customer(500);
    shop.buys(&buyer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    assert_eq!(shop.nodes_of(&buyer).await[0]["Note"], "", "nothing of the first owner is left");
}

#[actix_web::test]
async fn reminders_are_sent_three_times_for_nodes_that_do_not_renew() {
    let shop = Shop::open();
    let (customer, renewing) = (shop.owner_of(2, 0).await, shop.owner_of(1, 5_000).await);
    shop.call(&renewing, "Ips/SetAutoRenew", json!({"All": true, "AutoRenew": true})).await;
    let mut told = Vec::new();
    for day in 1..=30 {
        shop.app.clock.advance(TimeDelta::days(1));
        shop.run_jobs().await;
        told.push((day, shop.mails_about(&customer.email, "soon")));
    }
    let days: Vec<_> = told.windows(2).filter(|pair| pair[1].1 > pair[0].1).map(|pair| pair[1].0).collect();
    assert_eq!(days, [23, 27, 29]);
    assert_eq!(shop.mails_about(&renewing.email, "soon"), 0);
}

#[actix_web::test]
async fn expiries_are_exact_across_month_ends_leap_days_and_clock_changes() {
    let shop = Shop::open();
    let customer = shop.customer(100_000);
    let day = |year, month, day| NaiveDate::from_ymd_opt(year, month, day).and_then(|date| date.and_hms_opt(7, 30, 0));
    // Purchases at these times end 30 days later, after a month's end, 29 February, and both clock changes.
    for bought in [day(2027, 1, 31), day(2028, 1, 31), day(2028, 3, 1), day(2028, 10, 15), day(2028, 11, 1)] {
        let bought = bought.expect("a day");
        shop.app.clock.advance(bought - shop.app.clock.now());
        let customer = shop.signs_in(&customer);
        shop.stock("US", "new-york", 1);
        shop.buys(&customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
        let node = shop.nodes_of(&customer).await.pop().expect("a node");
        let ends = end_of(&node);
        let lasts = (ends - bought).num_seconds();
        assert!((lasts - 30 * 86_400).abs() < 60, "{bought}: {lasts} s");
        for zone in
            ["UTC", "Asia/Shanghai", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "America/Sao_Paulo"]
        {
            // The displayed time is the same instant, and parses back to it.
            let shown = localize_response(json!(node["ExpiresAt"]).to_string(), time_zone(zone).expect("a zone"));
            let shown = shown.trim_matches('"');
            let back = postern_core::time::range_end_to_utc(
                shown,
                time_zone(zone).expect("a zone"),
                postern_core::time::RangeEnd::From,
            );
            assert_eq!(back.as_deref(), node["ExpiresAt"].as_str(), "{zone} {shown}");
        }
    }
}
