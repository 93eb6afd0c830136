//! Residential traffic: prices, purchases, batches, and reminders before they expire.
use crate::invoices::{documents, read_pdf};
use crate::shop::{CallAnswer, Customer, REGULAR, Shop, order_for};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::event::EventKind;
use postern_core::operator_forms::CouponForm;
use postern_core::time::to_wire;
use postern_core::traffic::{Batch, TRAFFIC_PRODUCT, left_now, take_bytes};
use postern_server::coupons;
use postern_server::db::prelude::*;
use postern_server::schema::{traffic_accounts, traffic_batches, traffic_steps};
use postern_server::traffic_batches as batches;
use serde_json::{Value, json};
use std::sync::Arc;

pub const GB: u64 = 1_000_000_000;

pub fn traffic_for(gigabytes: u32, period_days: u32, total: &str) -> Value {
    json!({"Gigabytes": gigabytes, "PeriodDays": period_days, "ExpectedTotal": total})
}

/// Buys traffic from the wallet at once.
pub async fn buys(shop: &Shop, customer: &Customer, gigabytes: u32, period_days: u32, total: &str) -> Value {
    let mut body = traffic_for(gigabytes, period_days, total);
    body["PayFromWallet"] = json!(true);
    let answer = shop.call(customer, "Traffic/CreateTrafficOrder", body).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data
}

pub async fn traffic_of(shop: &Shop, customer: &Customer) -> Value {
    let answer = shop.call(customer, "Traffic/GetTraffic", json!({})).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data
}

/// Uses traffic as the reports of proxy servers do.
pub fn uses(shop: &Shop, customer: &Customer, bytes: u64) {
    let now = shop.app.clock.now();
    let used = shop.app.db.write_blocking(|conn| {
        batches::lock_account(conn, customer.account_id)?;
        let taken = take_bytes(&batches::batches_of(conn, customer.account_id)?, bytes, now);
        for (batch_id, part) in taken.from {
            batches::use_bytes(conn, batch_id, part)?;
        }
        batches::add_overdraft(conn, customer.account_id, taken.overdraft)?;
        let left = left_now(&batches::batches_of(conn, customer.account_id)?, now);
        batches::record_left_bytes(conn, customer.account_id, left, now)
    });
    used.expect("traffic is used");
}

fn left_of(shop: &Shop, customer: &Customer) -> Vec<Batch> {
    shop.app.db.read_blocking(|conn| batches::batches_of(conn, customer.account_id)).expect("batches")
}

fn changed_at(shop: &Shop, customer: &Customer) -> Option<NaiveDateTime> {
    let row = traffic_accounts::table.find(customer.account_id).select(traffic_accounts::changed_at);
    shop.app.db.read_blocking(|conn| Ok(row.first(conn).optional()?)).expect("an account")
}

fn broken<'a>(answer: &'a CallAnswer, field: &str) -> &'a str {
    assert_eq!(answer.code, 2001, "{answer:?}");
    answer.data["Fields"][field][0]["Rule"].as_str().unwrap_or_default()
}

async fn pays(shop: &Shop, customer: &Customer, order: &Value, method: &str) -> Value {
    let pay = json!({"OrderId": order["OrderId"], "PaymentMethod": method});
    let paid = shop.call(customer, "Order/PayOrder", pay).await;
    assert_eq!(paid.code, 1000, "{paid:?}");
    paid.data
}

#[actix_web::test]
async fn invalid_purchases_are_refused_at_their_field_in_quote_and_order() {
    let shop = Shop::open_with_traffic();
    let customer = shop.customer(1_000);
    for (gigabytes, period_days, field, rule) in [
        (0, 30, "Gigabytes", "gigabytesMin"),
        (100_001, 30, "Gigabytes", "gigabytesMax"),
        (1, 31, "PeriodDays", "unknownPeriod"),
    ] {
        let body = traffic_for(gigabytes, period_days, "4.00");
        for call in ["Traffic/QuoteTraffic", "Traffic/CreateTrafficOrder"] {
            assert_eq!(broken(&shop.call(&customer, call, body.clone()).await, field), rule, "{call} {body}");
        }
    }
    let mut dear = traffic_for(10, 30, "35.00");
    dear["PayFromWallet"] = json!(true);
    let answer = shop.call(&customer, "Traffic/CreateTrafficOrder", dear).await;
    assert_eq!((answer.code, &answer.data["Needed"]), (4001, &json!("35.00")));
    let answer = shop.call(&customer, "Traffic/CreateTrafficOrder", traffic_for(10, 30, "34.99")).await;
    assert_eq!(
        (answer.code, &answer.data["OldPrice"], &answer.data["NewPrice"]),
        (4004, &json!("34.99"), &json!("35.00"))
    );
    assert_eq!(shop.call(&customer, "Order/GetOrderList", json!({})).await.data["Total"], 0);
    assert_eq!(changed_at(&shop, &customer), None);
    let nothing =
        json!({"LeftBytes": 0, "BoughtBytes": 0, "UsedBytes": 0, "OverdraftBytes": 0, "Batches": [], "Reorder": null});
    assert_eq!(traffic_of(&shop, &customer).await, nothing);
    // Traffic has its own order call.
    let mut as_nodes = order_for(&[("US", "new-york", 1)], "5.00");
    as_nodes["VerStr"] = json!(TRAFFIC_PRODUCT);
    assert_eq!(broken(&shop.call(&customer, "Order/CreateOrder", as_nodes).await, "VerStr"), "unknownTier");
}

#[actix_web::test]
async fn traffic_paid_from_the_wallet_is_delivered_at_once_with_invoice_and_mail() {
    let shop = Shop::open_with_traffic();
    let customer = shop.customer(100_000);
    let catalogue = shop.call(&customer, "Traffic/GetTrafficCatalogue", json!({})).await.data;
    assert_eq!((&catalogue["Offers"][0]["PeriodDays"], &catalogue["Offers"][1]["PeriodDays"]), (&json!(30), &json!(0)));
    let quote = shop.call(&customer, "Traffic/QuoteTraffic", json!({"Gigabytes": 10, "PeriodDays": 30})).await.data;
    assert_eq!((&quote["UnitPrice"], &quote["Total"]), (&json!("3.50"), &json!("35.00")));
    let order = buys(&shop, &customer, 10, 30, "35.00").await;
    let line = &order["Lines"][0];
    assert_eq!(
        (&order["State"], &order["Kind"], &order["VerStr"]),
        (&json!("fulfilled"), &json!("purchase"), &json!(TRAFFIC_PRODUCT))
    );
    assert_eq!((&line["LabelEn"], &line["LabelZh"]), (&json!("Residential traffic"), &json!("住宅流量")));
    assert_eq!((&order["Quantity"], &line["Country"], &line["UnitPrice"]), (&json!(10), &Value::Null, &json!("3.50")));
    let found = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order["OrderId"]})).await.data;
    assert_eq!((&found["Lines"], &found["Nodes"]), (&order["Lines"], &json!([])));
    let listed = shop.call(&customer, "Order/GetOrderList", json!({})).await.data;
    assert_eq!(listed["Rows"][0]["Lines"], order["Lines"]);
    let held = shop.call(&shop.operator(), "Operator/GetOrder", json!({"OrderNumber": order["OrderNumber"]})).await;
    assert_eq!(held.data["Order"]["Lines"], order["Lines"]);

    let now = shop.app.clock.now();
    let traffic = traffic_of(&shop, &customer).await;
    let batch = &traffic["Batches"][0];
    let ends_at = batch["EndsAt"].as_str().unwrap_or_default();
    let ends_about = |days| to_wire(now + TimeDelta::days(days))[..16].to_owned();
    assert_eq!((&traffic["LeftBytes"], &batch["OrderNumber"]), (&json!(10 * GB), &order["OrderNumber"]));
    assert!(ends_at.starts_with(&ends_about(30)) || ends_at < to_wire(now + TimeDelta::days(30)).as_str(), "{ends_at}");
    assert!(changed_at(&shop, &customer).is_some_and(|at| now - at < TimeDelta::minutes(1)));

    shop.run_jobs().await;
    let mail = shop.last_mail_to(&customer.email).unwrap_or_default();
    let number = order["OrderNumber"].as_str().unwrap_or_default();
    let expected = format!("Traffic: 10 GB, 30 days, until {ends_at} UTC\nTotal: $35.00");
    assert!(mail.contains(&expected) && mail.contains(number), "{mail}");
    buys(&shop, &customer, 1, 0, "5.00").await;
    shop.run_jobs().await;
    let mail = shop.last_mail_to(&customer.email).unwrap_or_default();
    assert!(mail.contains("Traffic: 1 GB, never expires\n") && !mail.contains("{{"), "{mail}");

    let invoices = documents(&shop, &customer).await;
    for (invoice, language, words) in [
        (&invoices[1], "en", ["Residentialtraffic,10GB,30days", "$3.50", "$35.00"]),
        (&invoices[1], "zh", ["住宅流量，10GB，30天", "$3.50", "$35.00"]),
        (&invoices[0], "en", ["Residentialtraffic,1GB,neverexpires", "$5.00", "Paid:Wallet"]),
        (&invoices[0], "zh", ["住宅流量，1GB，永不过期", "$5.00", "已付：钱包"]),
    ] {
        let asked = json!({"InvoiceNumber": invoice["InvoiceNumber"], "Language": language});
        let (answer, _) = read_pdf(&shop.download_bytes(&customer, "Billing/GetInvoicePdf", asked).await);
        for word in words {
            assert!(answer.contains(word), "{word} is missing in {answer}");
        }
    }
    let transactions = shop.call(&customer, "Wallet/GetTransactionList", json!({})).await.data;
    assert_eq!(
        (&transactions["Rows"][1]["Kind"], &transactions["Rows"][1]["Amount"]),
        (&json!("purchase"), &json!("-35.00"))
    );
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_unpaid_order_of_traffic_is_paid_later_within_the_limits_and_holds_no_ip() {
    let shop = Shop::open_with_traffic();
    shop.stock("US", "new-york", 20);
    let customer = shop.customer(100_000);
    let order = shop.call(&customer, "Traffic/CreateTrafficOrder", traffic_for(1_000, 0, "2400.00")).await;
    assert_eq!((order.code, &order.data["CanPay"]), (1000, &json!(true)), "{order:?}");
    assert_eq!(traffic_of(&shop, &customer).await["LeftBytes"], 0);
    let limit = shop.call(&customer, "Order/GetHoldLimit", json!({})).await.data;
    assert_eq!(limit["HeldIps"], 0);
    let order = shop.call(&customer, "Traffic/CreateTrafficOrder", traffic_for(10, 30, "35.00")).await.data;
    // Its price is that of the time of the order, and its validity begins when it is paid.
    let dearer = traffic_steps::price_minor.eq(999);
    let changed =
        shop.app.db.write_blocking(|conn| Ok(diesel::update(traffic_steps::table).set(dearer).execute(conn)?));
    assert_eq!(changed.expect("other prices"), 12);
    shop.app.clock.advance(TimeDelta::minutes(10));
    let paid = pays(&shop, &customer, &order, "wallet").await;
    assert_eq!((&paid["Order"]["State"], &paid["Order"]["Total"]), (&json!("fulfilled"), &json!("35.00")));
    let again = json!({"OrderId": order["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(&customer, "Order/PayOrder", again).await.code, 4005);
    let batches = left_of(&shop, &customer);
    assert!(batches.len() == 1 && shop.app.clock.now() - batches[0].begins_at < TimeDelta::minutes(1));
    let most = limit["MaxOrders"].as_u64().unwrap_or_default();
    let mut codes = Vec::new();
    for _ in 0..=most {
        let answer = shop.call(&customer, "Traffic/CreateTrafficOrder", traffic_for(1, 30, "9.99")).await;
        codes.push(answer.code);
    }
    assert_eq!((codes.first(), codes.last()), (Some(&1000), Some(&3333)), "{codes:?}");
    assert_eq!(shop.call(&customer, "Order/CancelOrder", json!({"OrderId": order["OrderId"]})).await.code, 4005);
    shop.app.clock.advance(TimeDelta::minutes(16));
    shop.run_jobs().await;
    assert_eq!(left_of(&shop, &customer).len(), 1);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_gateway_pays_for_traffic_once_and_late_money_is_credited() {
    let shop = Shop::open_with_traffic();
    let customer = shop.customer(0);
    for (is_late, left, balance) in [(false, 10 * GB, "0.00"), (true, 10 * GB, "35.00")] {
        let order = shop.call(&customer, "Traffic/CreateTrafficOrder", traffic_for(10, 30, "35.00")).await.data;
        let started = pays(&shop, &customer, &order, "sandbox").await;
        let url = started["Payment"]["PayUrl"].as_str().unwrap_or_default().to_owned();
        if is_late {
            shop.app.clock.advance(TimeDelta::minutes(16));
            shop.run_jobs().await;
        }
        assert_eq!(shop.post_form(&url, "action=twice").await.status(), 303);
        shop.run_jobs().await;
        assert_eq!(traffic_of(&shop, &customer).await["LeftBytes"], left, "{is_late}");
        assert_eq!(shop.balance(&customer).await, balance, "{is_late}");
    }
    assert_eq!(left_of(&shop, &customer).len(), 1);
    assert_eq!(shop.mails_about(&customer.email, "is in your wallet"), 1);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn concurrent_purchases_create_one_batch_per_payment_and_repeats_none() {
    let shop = Arc::new(Shop::open_with_traffic());
    for (balance, is_repeat, bought) in [(10_000, false, 2), (3_500, false, 1), (10_000, true, 1)] {
        let customer = shop.customer(balance);
        let mut body = traffic_for(10, 30, "35.00");
        body["PayFromWallet"] = json!(true);
        let purchases: Vec<_> = (0..2)
            .map(|number| {
                let (shop, customer, body) = (shop.clone(), customer.clone(), body.clone());
                let key = if is_repeat { "the-same".to_owned() } else { format!("key-{number}") };
                actix_web::rt::spawn(async move {
                    shop.call_once(&customer, &key, "Traffic/CreateTrafficOrder", body).await
                })
            })
            .collect();
        let mut answers = Vec::new();
        for purchase in purchases {
            answers.push(purchase.await.expect("an answer"));
        }
        let done = answers.iter().filter(|answer| answer.code == 1000).count();
        assert_eq!(done, if is_repeat { 2 } else { bought }, "{answers:?}");
        if is_repeat {
            assert_eq!(answers[0].data, answers[1].data);
        }
        let spent = 3_500 * bought as i64;
        assert_eq!(left_of(&shop, &customer).len(), bought);
        assert_eq!(shop.balance(&customer).await, format!("{}.00", (balance - spent) / 100));
    }
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn coupons_apply_to_traffic_within_their_limits() {
    let shop = Shop::open_with_traffic();
    shop.stock("US", "new-york", 2);
    let customer = shop.customer(10_000);
    let form = |code: &str, percent: &str, product: &str| CouponForm {
        code: code.to_owned(),
        percent: percent.to_owned(),
        products: vec![product.to_owned()],
        uses_per_account: "1".to_owned(),
        ..CouponForm::default()
    };
    for form in
        [form("TENTH", "10", TRAFFIC_PRODUCT), form("NODES", "10", REGULAR), form("GIFT", "100", TRAFFIC_PRODUCT)]
    {
        coupons::add(&shop.app, &form).expect("a coupon");
    }
    let with = |coupon: &str, total: &str| {
        let mut body = traffic_for(10, 30, total);
        body["Coupon"] = json!(coupon);
        body
    };
    let answer = shop.call(&customer, "Traffic/CreateTrafficOrder", with("nodes", "31.50")).await;
    assert_eq!(broken(&answer, "Coupon"), "couponOtherProducts");
    let mut nodes = order_for(&[("US", "new-york", 1)], "4.50");
    nodes["Coupon"] = json!("TENTH");
    assert_eq!(broken(&shop.call(&customer, "Order/CreateOrder", nodes).await, "Coupon"), "couponOtherProducts");
    let quote = shop.call(&customer, "Traffic/QuoteTraffic", with("tenth", "")).await;
    assert_eq!((quote.code, &quote.data["Total"]), (1000, &json!("31.50")), "{quote:?}");
    assert_eq!(shop.call(&customer, "Traffic/CreateTrafficOrder", with("tenth", "35.00")).await.code, 4004);
    let order = shop.call(&customer, "Traffic/CreateTrafficOrder", with("tenth", "31.50")).await;
    assert_eq!((&order.data["Coupon"], &order.data["DiscountTotal"]), (&json!("TENTH"), &json!("3.50")), "{order:?}");
    let answer = shop.call(&customer, "Traffic/CreateTrafficOrder", with("tenth", "31.50")).await;
    assert_eq!(broken(&answer, "Coupon"), "couponUsedUp");
    pays(&shop, &customer, &order.data, "wallet").await;
    let free = shop.call_once(&customer, "gift", "Traffic/CreateTrafficOrder", with("gift", "0.00")).await;
    let again = shop.call_once(&customer, "gift", "Traffic/CreateTrafficOrder", with("gift", "0.00")).await;
    assert_eq!((&free.data["State"], &free.data), (&json!("fulfilled"), &again.data));
    assert_eq!(traffic_of(&shop, &customer).await["LeftBytes"], 20 * GB);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_reseller_pays_the_wholesale_price() {
    let shop = Shop::open_with_traffic();
    let (reseller, operator) = (shop.customer(10_000), shop.operator());
    let terms = json!({"AccountId": reseller.account_id, "Level": 1, "Discount": "20"});
    assert_eq!(shop.call(&operator, "Operator/SetAccountTerms", terms).await.code, 1000);
    assert_eq!(shop.call(&reseller, "Traffic/CreateTrafficOrder", traffic_for(10, 30, "35.00")).await.code, 4004);
    let order = buys(&shop, &reseller, 10, 30, "28.00").await;
    assert_eq!(order["Discounts"][0], json!({"Kind": "reseller", "BasisPoints": 2_000, "Amount": "7.00"}));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn batches_are_listed_in_order_of_use_and_ended_ones_last() {
    let shop = Shop::open_with_traffic();
    let customer = shop.customer(100_000);
    let stranger = shop.customer(0);
    buys(&shop, &customer, 3, 0, "15.00").await;
    buys(&shop, &customer, 2, 30, "8.00").await;
    shop.app.clock.advance(TimeDelta::days(25));
    let customer = shop.signs_in(&customer);
    buys(&shop, &customer, 1, 30, "4.00").await;
    let shown = |traffic: &Value| -> Vec<(u64, u64, bool, bool)> {
        let rows = traffic["Batches"].as_array().cloned().unwrap_or_default();
        let number = |row: &Value, name: &str| row[name].as_u64().unwrap_or_default();
        let flag = |row: &Value, name: &str| row[name] == json!(true);
        rows.iter()
            .map(|row| {
                (number(row, "BoughtBytes") / GB, number(row, "LeftBytes"), flag(row, "IsOver"), flag(row, "EndsSoon"))
            })
            .collect()
    };
    let traffic = traffic_of(&shop, &customer).await;
    assert_eq!(shown(&traffic), [(2, 2 * GB, false, true), (1, GB, false, false), (3, 3 * GB, false, false)]);
    uses(&shop, &customer, 2 * GB + 5);
    let traffic = traffic_of(&shop, &customer).await;
    assert_eq!(shown(&traffic), [(1, GB - 5, false, false), (3, 3 * GB, false, false), (2, 0, true, false)]);
    assert_eq!((&traffic["BoughtBytes"], &traffic["UsedBytes"]), (&json!(4 * GB), &json!(5)));
    shop.app.clock.advance(TimeDelta::days(30));
    let customer = shop.signs_in(&customer);
    let traffic = traffic_of(&shop, &customer).await;
    assert_eq!(shown(&traffic), [(3, 3 * GB, false, false), (1, GB - 5, true, false), (2, 0, true, false)]);
    uses(&shop, &customer, 4 * GB);
    let traffic = traffic_of(&shop, &customer).await;
    assert_eq!((&traffic["LeftBytes"], &traffic["OverdraftBytes"]), (&json!(0), &json!(GB)));
    let stranger = shop.signs_in(&stranger);
    assert_eq!(traffic_of(&shop, &stranger).await["Batches"], json!([]));
    let over = traffic_batches::table.filter(traffic_batches::account_id.eq(customer.account_id)).count();
    assert_eq!(shop.app.db.read_blocking(|conn| Ok(over.get_result::<i64>(conn)?)).expect("a number"), 3);
}

/// Sets the end of a batch exactly: the clock runs on during the test.
fn ends_at(shop: &Shop, customer: &Customer, ends_at: NaiveDateTime) {
    use postern_core::traffic::next_batch_reminder;
    let next = next_batch_reminder(Some(ends_at), shop.app.clock.now());
    let set = (traffic_batches::ends_at.eq(ends_at), traffic_batches::next_reminder_at.eq(next));
    let batch = traffic_batches::table.filter(traffic_batches::account_id.eq(customer.account_id));
    let changed = shop.app.db.write_blocking(|conn| Ok(diesel::update(batch).set(set).execute(conn)?));
    assert_eq!(changed.expect("an update"), 1);
}

#[actix_web::test]
async fn owners_are_reminded_three_times_of_expiring_traffic() {
    let shop = Shop::open_with_traffic();
    let [owner, empty, late] = [(); 3].map(|()| shop.customer(10_000));
    for customer in [&owner, &empty, &late] {
        buys(&shop, customer, 2, 30, "8.00").await;
    }
    buys(&shop, &owner, 1, 0, "5.00").await;
    uses(&shop, &owner, GB / 2);
    uses(&shop, &empty, 2 * GB);
    let about = |customer: &Customer| shop.mails_about(&customer.email, "expire soon");
    let told = async |days: i64| {
        shop.app.clock.advance(TimeDelta::days(days));
        // Twice: no reminder is sent twice.
        for _ in 0..2 {
            shop.run_jobs().await;
        }
        (about(&owner), about(&empty))
    };
    assert_eq!(told(22).await, (0, 0));
    assert_eq!(told(1).await, (1, 0), "a week before");
    shop.run_jobs().await;
    let mail = shop.last_mail_to(&owner.email).unwrap_or_default();
    let ending = shop.events_of(&owner, EventKind::TrafficEnding);
    assert_eq!(
        (ending[0]["Bytes"].clone(), ending[0]["EndsAt"].is_string()),
        (json!(1_500_000_000), true),
        "{ending:?}"
    );
    assert!(mail.contains("1.5 GB of residential traffic left that expires soon") && !mail.contains("{{"), "{mail}");
    assert_eq!(told(3).await, (1, 0));
    assert_eq!(told(1).await, (2, 0), "three days before");
    assert_eq!(told(1).await, (2, 0));
    assert_eq!(told(1).await, (3, 0), "a day before");
    assert_eq!(told(5).await, (3, 0));

    // No server ran for weeks, across two reminders: one mail; and none if it has expired meanwhile.
    let late = shop.signs_in(&late);
    let before = about(&late);
    let now = shop.app.clock.now();
    ends_at(&shop, &late, now + TimeDelta::days(8));
    assert_eq!(told(6).await, (3, 0));
    assert_eq!(about(&late), before + 1);
    ends_at(&shop, &late, shop.app.clock.now() + TimeDelta::days(8));
    assert_eq!(told(9).await, (3, 0));
    assert_eq!(about(&late), before + 1);
    shop.app.clock.advance(TimeDelta::days(100));
    shop.run_jobs().await;
    assert_eq!(about(&late), before + 1);
}

#[actix_web::test]
async fn two_servers_remind_once() {
    let shop = Arc::new(Shop::open_with_traffic());
    let customer = shop.customer(10_000);
    buys(&shop, &customer, 2, 30, "8.00").await;
    shop.app.clock.advance(TimeDelta::days(23));
    let rounds: Vec<_> = (0..4)
        .map(|_| {
            let app = shop.app.clone();
            actix_web::rt::spawn(async move { postern_server::jobs::traffic::remind(&app).await })
        })
        .collect();
    for round in rounds {
        round.await.expect("a round").expect("no error");
    }
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, "expire soon"), 1);
}

#[actix_web::test]
async fn the_check_of_the_books_compares_each_order_of_traffic_with_its_batch() {
    let shop = Shop::open_with_traffic();
    let customer = shop.customer(10_000);
    let order = buys(&shop, &customer, 2, 30, "8.00").await;
    shop.ledger_adds_up();
    let number = order["OrderNumber"].as_str().unwrap_or_default();
    let batch = || traffic_batches::table.filter(traffic_batches::account_id.eq(customer.account_id));
    let problems = || shop.app.db.read_blocking(postern_server::wallet::verify::verify).expect("a check").problems;
    let more = traffic_batches::bought_bytes.eq(3_000_000_000_i64);
    shop.app.db.write_blocking(|conn| Ok(diesel::update(batch()).set(more).execute(conn)?)).expect("an update");
    assert_eq!(problems(), [format!("order {number} of 2 GB is paid and has 3000000000 bytes")]);
    shop.app.db.write_blocking(|conn| Ok(diesel::delete(batch()).execute(conn)?)).expect("a deletion");
    assert_eq!(problems(), [format!("order {number} of 2 GB is paid and has no traffic")]);
}
