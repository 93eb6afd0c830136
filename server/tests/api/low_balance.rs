//! The low-balance alert: one mail per drop below the threshold, none for money that only passes through.
use crate::shop::{Customer, Shop, order_for};
use postern_core::event::EventKind;
use postern_core::ledger::{Book, EntryKind};
use postern_core::money::Money;
use postern_server::db::prelude::*;
use postern_server::ledger::{Movement, move_money};
use postern_server::schema::wallets;
use serde_json::{Value, json};
use std::sync::Arc;

const SUBJECT: &str = "your balance is down to";

async fn sets(shop: &Shop, customer: &Customer, threshold: &str) -> Value {
    let answer = shop.call(customer, "Wallet/SetLowBalanceAlert", json!({"Threshold": threshold})).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data
}

fn moves(shop: &Shop, customer: &Customer, kind: EntryKind, minor: i64, reference: &str) {
    let now = shop.app.clock.now();
    let movement = Movement {
        account_id: customer.account_id,
        kind,
        source: if kind == EntryKind::Purchase { Book::Wallet } else { Book::Gateway },
        amount: Money::from_minor(minor),
        reference: reference.to_owned(),
        order_id: None,
    };
    shop.app.db.write_blocking(|conn| move_money(conn, &movement, now)).expect("a movement");
}

fn watched(shop: &Shop) -> i64 {
    let waiting = wallets::table.filter(wallets::next_look_at.is_not_null()).count();
    shop.app.db.read_blocking(|conn| Ok(waiting.get_result(conn)?)).expect("a number")
}

#[actix_web::test]
async fn each_drop_below_the_threshold_is_mailed_once() {
    let shop = Shop::open();
    let customer = shop.customer(2_000);
    assert_eq!(sets(&shop, &customer, "10").await, json!({"Threshold": "10.00", "Currency": "USD", "IsLow": false}));
    let mails = || shop.mails_about(&customer.email, SUBJECT);
    for (kind, minor, expected, is_low) in [
        (EntryKind::Purchase, 1_000, 0, false),
        (EntryKind::Purchase, 1, 1, true),
        (EntryKind::Purchase, 500, 1, true),
        (EntryKind::Credit, 500, 1, true),
        (EntryKind::Credit, 1, 1, false),
        (EntryKind::Purchase, 300, 2, true),
    ] {
        moves(&shop, &customer, kind, minor, &format!("{kind:?} {minor} {expected}"));
        shop.run_jobs().await;
        shop.run_jobs().await;
        let answer = shop.call(&customer, "Wallet/GetLowBalanceAlert", json!({})).await;
        assert_eq!((mails(), &answer.data["IsLow"]), (expected, &json!(is_low)), "{kind:?} {minor}");
    }
    let low = |balance: &str| json!({"Balance": balance, "Threshold": "10.00", "Currency": "USD"});
    assert_eq!(shop.events_of(&customer, EventKind::WalletLow), [low("9.99"), low("7.00")]);
    let mail = shop.last_mail_to(&customer.email).unwrap_or_default();
    assert!(mail.contains("$7.00") && mail.contains("$10.00"), "{mail}");
    assert!(mail.contains("http://shop.example/billing/wallet\n"), "{mail}");
    assert_eq!(watched(&shop), 0, "nothing waits any more");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn money_that_passes_through_is_not_a_drop() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    let customer = shop.customer(2_000);
    sets(&shop, &customer, "20").await;
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "sandbox"});
    let payment = shop.call(&customer, "Order/PayOrder", pay).await.data["Payment"].clone();
    shop.post_form(payment["PayUrl"].as_str().unwrap_or_default(), "action=approve").await;
    shop.run_jobs().await;
    assert_eq!((shop.balance(&customer).await.as_str(), shop.mails_about(&customer.email, SUBJECT)), ("20.00", 0));
}

#[actix_web::test]
async fn twenty_jobs_at_once_send_one_mail() {
    let shop = Arc::new(Shop::open());
    let customer = shop.customer(2_000);
    sets(&shop, &customer, "10").await;
    moves(&shop, &customer, EntryKind::Purchase, 1_500, "a fall");
    let rounds: Vec<_> = (0..20)
        .map(|_| {
            let shop = shop.clone();
            actix_web::rt::spawn(async move { shop.run_jobs().await })
        })
        .collect();
    for round in rounds {
        round.await.expect("a round");
    }
    assert_eq!(shop.mails_about(&customer.email, SUBJECT), 1);
}

#[actix_web::test]
async fn a_threshold_above_the_balance_sends_no_mail() {
    let shop = Shop::open();
    let customer = shop.customer(500);
    assert_eq!(sets(&shop, &customer, "10.00").await["IsLow"], true);
    moves(&shop, &customer, EntryKind::Purchase, 100, "lower still");
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, SUBJECT), 0);
    moves(&shop, &customer, EntryKind::Credit, 5_000, "back");
    shop.run_jobs().await;
    moves(&shop, &customer, EntryKind::Purchase, 5_000, "and down");
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, SUBJECT), 1);
}

#[actix_web::test]
async fn a_disabled_alert_sends_nothing_and_an_invalid_one_is_refused() {
    let shop = Shop::open();
    let customer = shop.customer(2_000);
    for (threshold, rule) in [("0", "amountMin"), ("ten", "amount"), ("10000.01", "amountMax")] {
        let answer = shop.call(&customer, "Wallet/SetLowBalanceAlert", json!({"Threshold": threshold})).await;
        assert_eq!((answer.code, &answer.data["Fields"]["Threshold"][0]["Rule"]), (2001, &json!(rule)), "{threshold}");
    }
    sets(&shop, &customer, "10").await;
    assert_eq!(sets(&shop, &customer, "").await, json!({"Threshold": null, "Currency": "USD", "IsLow": false}));
    moves(&shop, &customer, EntryKind::Purchase, 2_000, "everything");
    assert_eq!(watched(&shop), 0, "nobody looks where nothing follows");
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, SUBJECT), 0);
    let other = shop.customer(0);
    let answer = shop.call(&other, "Wallet/GetLowBalanceAlert", json!({})).await;
    assert_eq!(answer.data["Threshold"], Value::Null, "everybody has their own");
}
