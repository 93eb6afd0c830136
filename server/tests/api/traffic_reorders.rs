//! Automatic reorders of traffic: once per drop below the threshold, from the wallet, within the monthly limit.
use crate::shop::{CallAnswer, Customer, Shop};
use crate::traffic::{GB, buys, traffic_of, uses};
use chrono::{Datelike, NaiveDate, TimeDelta};
use postern_core::account::AccountState;
use postern_core::event::EventKind;
use postern_core::reorder::ReorderFailure;
use postern_server::db::prelude::*;
use postern_server::jobs;
use postern_server::schema::{accounts, traffic_batches, traffic_steps};
use serde_json::{Value, json};
use std::sync::Arc;

async fn sets(shop: &Shop, customer: &Customer, threshold: &str, gigabytes: u32, limit: &str) -> CallAnswer {
    let form = json!({
        "IsOn": true, "ThresholdGigabytes": threshold, "Gigabytes": gigabytes, "PeriodDays": 30, "MonthlyLimit": limit,
    });
    shop.call(customer, "Traffic/SetReorder", form).await
}

/// A customer with 10 GB who reorders 10 GB for 35.00 below 2 GB, up to 70.00 in a month.
async fn customer_with(shop: &Shop, balance_minor: i64) -> Customer {
    let customer = shop.customer(balance_minor + 3_500);
    buys(shop, &customer, 10, 30, "35.00").await;
    let answer = sets(shop, &customer, "2", 10, "70").await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    customer
}

fn batches(shop: &Shop, customer: &Customer) -> i64 {
    let of_account = traffic_batches::table.filter(traffic_batches::account_id.eq(customer.account_id)).count();
    shop.app.db.read_blocking(|conn| Ok(of_account.get_result(conn)?)).expect("a number")
}

async fn reorder(shop: &Shop, customer: &Customer) -> Value {
    traffic_of(shop, customer).await["Reorder"].clone()
}

/// Mails about failures and about the limit, each with its event.
fn mails(shop: &Shop, customer: &Customer) -> (usize, usize) {
    let about = |words| shop.mails_about(&customer.email, words);
    let mails = (about("could not be reordered"), about("limit for automatic reorders"));
    let failed = shop.events_of(customer, EventKind::TrafficReorderFailed);
    assert!(failed.iter().all(|event| ReorderFailure::from_wire(event["Reason"].as_str().unwrap_or("")).is_some()));
    let limited = shop.events_of(customer, EventKind::TrafficReorderLimit);
    assert!(limited.iter().all(|event| *event == json!({"Limit": "70.00", "Currency": "USD"})), "{limited:?}");
    assert_eq!((failed.len(), limited.len()), mails);
    mails
}

/// So that no month ends during the test.
fn to_the_middle_of_a_month(shop: &Shop) {
    let today = shop.app.clock.now().date();
    let first = NaiveDate::from_ymd_opt(today.year(), today.month(), 1).expect("a day");
    let next = first.checked_add_months(chrono::Months::new(1)).expect("a month");
    let middle = next + TimeDelta::days(9);
    shop.app.clock.advance(middle - today);
}

#[actix_web::test]
async fn invalid_reorder_settings_are_refused_at_their_field() {
    let shop = Shop::open_with_traffic();
    let (customer, stranger) = (shop.customer(10_000), shop.customer(0));
    for (threshold, gigabytes, limit, field, rule) in [
        ("", 10, "70", "ThresholdGigabytes", "required"),
        ("a few", 10, "70", "ThresholdGigabytes", "gigabytes"),
        ("11", 10, "70", "ThresholdGigabytes", "gigabytesMax"),
        ("2", 0, "70", "Gigabytes", "gigabytesMin"),
        ("2", 10, "34.99", "MonthlyLimit", "amountMin"),
    ] {
        let answer = sets(&shop, &customer, threshold, gigabytes, limit).await;
        assert_eq!((answer.code, &answer.data["Fields"][field][0]["Rule"]), (2001, &json!(rule)), "{field}");
    }
    assert_eq!(reorder(&shop, &customer).await, Value::Null);
    shop.run_jobs().await;
    assert_eq!((batches(&shop, &customer), shop.balance(&customer).await.as_str()), (0, "100.00"));
    let off = shop.call(&customer, "Traffic/SetReorder", json!({"IsOn": false})).await;
    assert_eq!((off.code, &off.data["Reorder"]), (1000, &Value::Null), "what was never on is not off");
    assert_eq!(sets(&shop, &customer, "0.5", 10, "70").await.data["Reorder"]["ThresholdGigabytes"], "0.5");
    assert_eq!(reorder(&shop, &stranger).await, Value::Null);
}

#[actix_web::test]
async fn turning_reorders_on_below_the_threshold_reorders_at_once() {
    let shop = Shop::open_with_traffic();
    to_the_middle_of_a_month(&shop);
    let customer = shop.customer(10_000);
    assert_eq!(sets(&shop, &customer, "2", 10, "70").await.code, 1000);
    shop.run_jobs().await;
    let traffic = traffic_of(&shop, &customer).await;
    assert_eq!((&traffic["LeftBytes"], &traffic["Reorder"]["SpentThisMonth"]), (&json!(10 * GB), &json!("35.00")));
    let off = shop.call(&customer, "Traffic/SetReorder", json!({"IsOn": false})).await.data["Reorder"].clone();
    assert_eq!((&off["IsOn"], &off["Gigabytes"]), (&json!(false), &json!(10)), "the settings are kept");
    uses(&shop, &customer, 10 * GB);
    shop.run_jobs().await;
    assert_eq!(batches(&shop, &customer), 1);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn concurrent_jobs_reorder_once_per_drop() {
    let shop = Arc::new(Shop::open_with_traffic());
    to_the_middle_of_a_month(&shop);
    let customer = customer_with(&shop, 10_000).await;
    shop.run_jobs().await;
    uses(&shop, &customer, 8 * GB);
    shop.run_jobs().await;
    assert_eq!(batches(&shop, &customer), 1, "at the threshold there is enough");
    uses(&shop, &customer, 1);
    let rounds: Vec<_> = (0..20)
        .map(|_| {
            let app = shop.app.clone();
            actix_web::rt::spawn(async move { jobs::traffic::reorder(&app).await })
        })
        .collect();
    for round in rounds {
        round.await.expect("a round").expect("no error");
    }
    shop.run_jobs().await;
    assert_eq!((batches(&shop, &customer), shop.balance(&customer).await.as_str()), (2, "65.00"));
    assert_eq!(traffic_of(&shop, &customer).await["LeftBytes"], 12 * GB - 1);
    shop.run_jobs().await;
    assert!(shop.last_mail_to(&customer.email).is_some_and(|mail| mail.contains("Traffic: 10 GB, 30 days, until")));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn the_end_of_a_batch_can_trigger_a_reorder() {
    let shop = Shop::open_with_traffic();
    to_the_middle_of_a_month(&shop);
    let customer = customer_with(&shop, 10_000).await;
    shop.run_jobs().await;
    shop.app.clock.advance(TimeDelta::days(30) - TimeDelta::minutes(5));
    shop.run_jobs().await;
    assert_eq!(batches(&shop, &customer), 1);
    shop.app.clock.advance(TimeDelta::minutes(5));
    shop.run_jobs().await;
    assert_eq!(batches(&shop, &customer), 2);
}

#[actix_web::test]
async fn a_failed_reorder_is_mailed_once_and_retried_when_money_arrives() {
    let shop = Shop::open_with_traffic();
    to_the_middle_of_a_month(&shop);
    let customer = customer_with(&shop, 0).await;
    uses(&shop, &customer, 9 * GB);
    for _ in 0..3 {
        shop.run_jobs().await;
        shop.app.clock.advance(TimeDelta::minutes(11));
        uses(&shop, &customer, 1);
    }
    shop.run_jobs().await;
    assert_eq!((batches(&shop, &customer), mails(&shop, &customer)), (1, (1, 0)));
    let failed = reorder(&shop, &customer).await;
    assert_eq!((&failed["Failure"], failed["FailedAt"].is_string()), (&json!("balance_too_low"), true));
    let mail = shop.last_mail_to(&customer.email).unwrap_or_default();
    assert!(mail.contains("Your wallet balance is too low.") && !mail.contains("{{"), "{mail}");

    let top_up = json!({"Amount": "35", "PaymentMethod": "sandbox"});
    let started = shop.call(&customer, "Wallet/CreateTopUp", top_up).await.data;
    let url = started["Payment"]["PayUrl"].as_str().unwrap_or_default().to_owned();
    assert_eq!(shop.post_form(&url, "action=approve").await.status(), 303);
    shop.app.clock.advance(TimeDelta::minutes(11));
    shop.run_jobs().await;
    assert_eq!((batches(&shop, &customer), &reorder(&shop, &customer).await["Failure"]), (2, &Value::Null));
    // The next failure is mailed again.
    uses(&shop, &customer, 10 * GB);
    shop.run_jobs().await;
    shop.run_jobs().await;
    assert_eq!((batches(&shop, &customer), mails(&shop, &customer)), (2, (2, 0)));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_removed_offer_is_not_replaced_by_another() {
    let shop = Shop::open_with_traffic();
    let customer = customer_with(&shop, 10_000).await;
    let gone = traffic_steps::table.filter(traffic_steps::period_days.eq(30));
    shop.app.db.write_blocking(|conn| Ok(diesel::delete(gone).execute(conn)?)).expect("other prices");
    uses(&shop, &customer, 9 * GB);
    shop.run_jobs().await;
    shop.run_jobs().await;
    assert_eq!((batches(&shop, &customer), &reorder(&shop, &customer).await["Failure"]), (1, &json!("offer_gone")));
    assert_eq!(mails(&shop, &customer), (1, 0));
}

#[actix_web::test]
async fn the_limit_of_a_month_holds_is_told_once_and_ends_with_the_month() {
    let shop = Shop::open_with_traffic();
    to_the_middle_of_a_month(&shop);
    let customer = customer_with(&shop, 100_000).await;
    for (gigabytes, expected) in [(9, 2), (10, 3), (10, 3), (10, 3)] {
        uses(&shop, &customer, gigabytes * GB);
        shop.run_jobs().await;
        assert_eq!(batches(&shop, &customer), expected);
    }
    shop.run_jobs().await;
    assert_eq!(
        (mails(&shop, &customer), &reorder(&shop, &customer).await["SpentThisMonth"]),
        ((0, 1), &json!("70.00"))
    );
    let mail = shop.last_mail_to(&customer.email).unwrap_or_default();
    assert!(
        mail.contains("monthly limit of $70.00")
            && mail.contains("$70.00 has already been spent")
            && !mail.contains("{{"),
        "{mail}"
    );
    // A higher limit counts at once, and the next month begins with nothing spent.
    assert_eq!(sets(&shop, &customer, "2", 10, "105").await.code, 1000);
    shop.run_jobs().await;
    assert_eq!(batches(&shop, &customer), 4);
    uses(&shop, &customer, 10 * GB);
    shop.run_jobs().await;
    assert_eq!(batches(&shop, &customer), 4);
    shop.app.clock.advance(TimeDelta::days(25));
    shop.run_jobs().await;
    let customer = shop.signs_in(&customer);
    assert_eq!((batches(&shop, &customer), &reorder(&shop, &customer).await["SpentThisMonth"]), (5, &json!("35.00")));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn what_was_given_back_of_reorders_is_not_spent() {
    let shop = Shop::open_with_traffic();
    to_the_middle_of_a_month(&shop);
    let (customer, operator) = (customer_with(&shop, 100_000).await, shop.operator());
    uses(&shop, &customer, 9 * GB);
    shop.run_jobs().await;
    assert_eq!(reorder(&shop, &customer).await["SpentThisMonth"], "35.00");
    let orders = shop.call(&customer, "Order/GetOrderList", json!({})).await.data["Rows"].clone();
    let numbers: Vec<Value> = [&orders[0], &orders[1]].iter().map(|order| order["OrderNumber"].clone()).collect();
    for (number, spent) in numbers.iter().zip(["25.00", "25.00"]) {
        let refund = json!({"OrderNumber": number, "Reason": "slow", "Amount": "10.00"});
        let answer = shop.call(&operator, "Operator/RefundOrder", refund).await;
        assert_eq!(answer.code, 1000, "{answer:?}");
        // The first order is the reorder; the other one was placed by the customer.
        assert_eq!(reorder(&shop, &customer).await["SpentThisMonth"], spent);
    }
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_suspended_account_buys_nothing() {
    let shop = Shop::open_with_traffic();
    let customer = customer_with(&shop, 10_000).await;
    let suspended = accounts::state.eq(AccountState::Suspended);
    let account = accounts::table.find(customer.account_id);
    shop.app.db.write_blocking(|conn| Ok(diesel::update(account).set(suspended).execute(conn)?)).expect("a suspension");
    uses(&shop, &customer, 9 * GB);
    shop.run_jobs().await;
    assert_eq!((batches(&shop, &customer), mails(&shop, &customer)), (1, (0, 0)));
}
