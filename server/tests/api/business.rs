//! The seller's figures, tasks and steps.
use crate::shop::{Customer, Shop, order_for};
use chrono::{Days, TimeDelta};
use diesel::connection::SimpleConnection;
use postern_core::business::SetupStep;
use serde_json::{Value, json};

async fn business(shop: &Shop, operator: &Customer, range: &str) -> Value {
    let answer = shop.call(operator, "Operator/GetBusiness", json!({ "Range": range })).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data
}

/// Moves all that has happened so far to this many days ago.
fn age(shop: &Shop, days: i64) {
    shop.app.clock.advance(TimeDelta::days(days));
}

#[actix_web::test]
async fn a_day_is_counted_when_it_is_over_and_compared_with_whole_days() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 5);
    // Not within a day's last minutes: the test must not see midnight.
    let now = shop.app.clock.now();
    let noon = now.date().checked_add_days(Days::new(1)).expect("a day").and_hms_opt(12, 0, 0).expect("a time");
    shop.app.clock.advance(noon - now);
    let operator = shop.operator();
    let (ann, _bob) = (shop.customer(10_000), shop.customer(0));
    let order_id = shop.buys(&ann, order_for(&[("US", "new-york", 2)], "10.00")).await;
    let order = shop.call(&ann, "Order/GetOrder", json!({ "OrderId": order_id })).await.data;
    let number = order["OrderNumber"].as_str().expect("a number").to_owned();
    shop.run_jobs().await;
    let seen = business(&shop, &operator, "days30").await;
    assert_eq!(seen["Points"].as_array().map(Vec::len), Some(31));
    let today = &seen["Points"][30];
    assert_eq!((&today["IsPartial"], &today["Day"]), (&json!(true), &json!(noon.date().to_string())));
    assert_eq!(today["Figures"], seen["Today"]);
    assert_eq!((&seen["Today"]["Orders"], &seen["Today"]["Revenue"]), (&json!(1), &json!("10.00")), "{seen}");
    assert_eq!(seen["Today"]["NewAccounts"], 2, "operators are none: {seen}");
    assert_eq!((&seen["Now"]["Orders"], &seen["Customers"]), (&json!(0), &Value::Null), "today counts for nothing yet");
    age(&shop, 1);
    shop.run_jobs().await;
    let operator = shop.signs_in(&operator);
    let seen = business(&shop, &operator, "days30").await;
    assert_eq!((&seen["Now"]["Revenue"], &seen["Today"]["Orders"]), (&json!("10.00"), &json!(0)));
    assert_eq!(seen["Customers"], 1, "{seen}");
    assert_eq!((&seen["Now"]["CustomersLeft"], &seen["Changes"]["RevenueBasisPoints"]), (&Value::Null, &Value::Null));
    let sold = &seen["Products"][0];
    assert_eq!((&sold["VerStr"], &sold["Revenue"]), (&json!("shared ISP proxies plan"), &json!("10.00")));
    // A refund belongs to its own day, and its customer has left.
    let refund = json!({"OrderNumber": number, "Reason": "slow"});
    let refunded = shop.call(&operator, "Operator/RefundOrder", refund).await;
    assert_eq!(refunded.code, 1000, "{refunded:?}");
    age(&shop, 1);
    shop.run_jobs().await;
    let operator = shop.signs_in(&operator);
    let seen = business(&shop, &operator, "days30").await;
    let yesterday = &seen["Points"][29];
    assert_eq!((&yesterday["Figures"]["Orders"], &yesterday["Customers"]), (&json!(0), &json!(0)), "{yesterday}");
    assert_ne!(yesterday["Figures"]["Refunded"], "0.00", "{yesterday}");
    assert_eq!(
        (&yesterday["Figures"]["CustomersLeft"], &yesterday["Figures"]["ChurnBasisPoints"]),
        (&json!(1), &json!(10_000))
    );
    // A month later all of it is what the present is compared with.
    age(&shop, 31);
    shop.run_jobs().await;
    let operator = shop.signs_in(&operator);
    let seen = business(&shop, &operator, "days30").await;
    assert_eq!((&seen["Now"]["Revenue"], &seen["Before"]["Revenue"]), (&json!("0.00"), &json!("10.00")));
    assert_eq!(seen["Changes"]["RevenueBasisPoints"], -10_000, "{seen}");
    let year = business(&shop, &operator, "months12").await;
    assert_eq!(year["Points"].as_array().map(Vec::len), Some(13));
    let points = year["Points"].as_array().expect("points").iter();
    let orders: i64 = points.filter_map(|point| point["Figures"]["Orders"].as_i64()).sum();
    assert_eq!(orders, 1);
    assert_eq!(shop.call(&operator, "Operator/GetBusiness", json!({"Range": "years"})).await.code, 2001);
    let customer = shop.signs_in(&ann);
    assert_eq!(shop.call(&customer, "Operator/GetBusiness", json!({"Range": "days30"})).await.code, 3003);
}

#[actix_web::test]
async fn usage_that_arrives_late_is_counted_on_its_day() {
    let shop = Shop::open();
    let operator = shop.operator();
    let ann = shop.customer(0);
    shop.app.clock.advance(TimeDelta::days(1));
    shop.run_jobs().await;
    let day = (shop.app.clock.now() - TimeDelta::days(1)).date();
    let late = format!(
        "INSERT INTO usage_days (account_id, kind, dimension, starts_at, name, upload_bytes, download_bytes, requests) \
         VALUES ({}, 'residential', 'all', '{day} 00:00:00', '', 40, 2, 1)",
        ann.account_id
    );
    shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(&late)?)).expect("usage");
    let operator = shop.signs_in(&operator);
    shop.run_jobs().await;
    assert_eq!(business(&shop, &operator, "days30").await["Now"]["TrafficBytes"], 0, "once a day");
    shop.app.clock.advance(TimeDelta::days(1));
    shop.run_jobs().await;
    let operator = shop.signs_in(&operator);
    assert_eq!(business(&shop, &operator, "days30").await["Now"]["TrafficBytes"], 42);
}

#[actix_web::test]
async fn tasks_and_steps_follow_what_happens() {
    let shop = Shop::open_with(&[("POSTERN_TRANSFER_DETAILS", "Example Bank")]);
    let operator = shop.operator();
    let tasks = async || shop.call(&operator, "Operator/GetTaskList", json!({})).await.data;
    assert_eq!(tasks().await, json!([]));
    let done = async || {
        let steps = shop.call(&operator, "Operator/GetSetupStepList", json!({})).await.data;
        let steps = steps.as_array().expect("steps").clone();
        assert_eq!(steps.len(), SetupStep::ALL.len());
        let done = steps.into_iter().filter(|step| step["IsDone"] == true);
        done.filter_map(|step| step["Step"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(done().await, ["payment", "prices"]);
    let ann = shop.customer(10_000);
    let transfer = json!({"Amount": "50", "PaymentMethod": "transfer"});
    assert_eq!(shop.call(&ann, "Wallet/CreateTopUp", transfer).await.code, 1000);
    let message = json!({"Text": "Hello"});
    let sent = shop.call(&ann, "Support/SendMessage", message).await;
    assert_eq!(sent.code, 1000, "{sent:?}");
    shop.stock("US", "new-york", 1);
    shop.buys(&ann, order_for(&[("US", "new-york", 1)], "5.00")).await;
    let waiting = tasks().await;
    assert_eq!(
        waiting,
        json!([
            {"Task": "transfers", "Count": 1},
            {"Task": "conversations", "Count": 1},
            {"Task": "stock", "Count": 1}
        ])
    );
    assert_eq!(done().await, ["payment", "prices", "inventory", "sale"]);
}
