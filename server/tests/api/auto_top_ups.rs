//! Automatic top-ups with sandbox cards: charged once per drop, within the limits, until the card is declined or forgotten.
use crate::shop::{Customer, Shop, order_for};
use chrono::{Datelike, NaiveDate, TimeDelta};
use postern_core::account::AccountState;
use postern_core::event::EventKind;
use postern_core::ledger::{Book, EntryKind};
use postern_core::money::Currency;
use postern_core::money::Money;
use postern_core::order::{OrderState, PaymentState};
use postern_core::sandbox::{SandboxCard, SandboxOutcome};
use postern_server::charges::payments::claim_due;
use postern_server::db::prelude::*;
use postern_server::ledger::{Movement, move_money};
use postern_server::schema::{accounts, orders, payments, remembered_cards, sandbox_cards, sandbox_charges};
use serde_json::{Value, json};
use std::sync::Arc;

/// Enters a sandbox card; returns the outcome.
async fn saves_card(shop: &Shop, customer: &Customer, card: &'static str) -> String {
    let begun = shop.call(customer, "Wallet/RememberCard", json!({"PaymentMethod": "sandbox"})).await;
    assert_eq!(begun.code, 1000, "{begun:?}");
    let url = begun.data["CardUrl"].as_str().unwrap_or_default();
    let response = shop.post_form(url, card).await;
    assert_eq!(response.status(), 303);
    let id = begun.data["CardRequestId"].clone();
    let back = format!("/billing/wallet?CardRequestId={}", id.as_str().unwrap_or_default());
    assert_eq!(response.headers()["location"], back);
    let request = shop.call(customer, "Wallet/GetCardRequest", json!({"CardRequestId": id})).await;
    request.data["State"].as_str().unwrap_or_default().to_owned()
}

async fn sets(shop: &Shop, customer: &Customer, threshold: &str, amount: &str, limit: &str) -> Value {
    let form = json!({"IsOn": true, "Threshold": threshold, "Amount": amount, "MonthlyLimit": limit});
    let answer = shop.call(customer, "Wallet/SetAutoTopUp", form).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data
}

async fn standing(shop: &Shop, customer: &Customer) -> Value {
    shop.call(customer, "Wallet/GetAutoTopUp", json!({})).await.data
}

/// A customer with a sandbox card: below 10.00, 20.00 is charged, up to 50.00 in a month.
async fn customer_with(shop: &Shop, card: &'static str, balance_minor: i64) -> Customer {
    let customer = shop.customer(balance_minor);
    assert_eq!(saves_card(shop, &customer, card).await, "succeeded");
    sets(shop, &customer, "10", "20", "50").await;
    customer
}

fn spends(shop: &Shop, customer: &Customer, minor: i64) {
    let now = shop.app.clock.now();
    let movement = Movement {
        account_id: customer.account_id,
        kind: EntryKind::Purchase,
        source: Book::Wallet,
        amount: Money::from_minor(minor),
        reference: format!("spent at {now} {minor}"),
        order_id: None,
    };
    shop.app.db.write_blocking(|conn| move_money(conn, &movement, now)).expect("a movement");
}

/// The states of the account's automatic top-ups, in order.
fn charges(shop: &Shop, customer: &Customer) -> Vec<String> {
    let automatic = payments::table
        .filter(payments::account_id.eq(customer.account_id))
        .filter(payments::card_id.is_not_null())
        .order(payments::id)
        .select(payments::state);
    let states = shop.app.db.read_blocking(|conn| Ok(automatic.load::<PaymentState>(conn)?)).expect("payments");
    states.into_iter().map(|state| state.as_str().to_owned()).collect()
}

/// The first round begins what is due, the second charges it, and the third sends the mails.
async fn rounds(shop: &Shop) {
    for _ in 0..3 {
        shop.run_jobs().await;
    }
}

fn to_the_middle_of_a_month(shop: &Shop) {
    let now = shop.app.clock.now();
    let next = now.date().with_day(1).and_then(|first| first.checked_add_months(chrono::Months::new(1)));
    let middle: NaiveDate = next.and_then(|first| first.with_day(10)).expect("a day");
    shop.app.clock.advance(middle.and_time(now.time()) - now);
}

#[actix_web::test]
async fn concurrent_jobs_top_up_once_per_drop() {
    let shop = Arc::new(Shop::open());
    let customer = customer_with(&shop, "action=good", 2_000).await;
    assert_eq!(standing(&shop, &customer).await["State"], "active");
    shop.run_jobs().await;
    spends(&shop, &customer, 1_000);
    rounds(&shop).await;
    assert_eq!(charges(&shop, &customer).len(), 0, "10.00 is not below 10.00");
    spends(&shop, &customer, 1);
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let shop = shop.clone();
            actix_web::rt::spawn(async move { rounds(&shop).await })
        })
        .collect();
    for task in tasks {
        task.await.expect("rounds");
    }
    assert_eq!(
        (charges(&shop, &customer), shop.balance(&customer).await.as_str()),
        (vec!["succeeded".into()], "29.99")
    );
    let list = shop.call(&customer, "Wallet/GetTransactionList", json!({"Filter": {"Kind": "auto_top_up"}})).await;
    assert_eq!((&list.data["Total"], &list.data["Rows"][0]["Amount"]), (&json!(1), &json!("20.00")));
    let answer = standing(&shop, &customer).await;
    assert_eq!((&answer["State"], &answer["ChargedThisMonth"]), (&json!("active"), &json!("20.00")));
    assert_eq!(shop.mails_about(&customer.email, "$20.00 topped up automatically"), 1);
    let done = json!({"Amount": "20.00", "Balance": "29.99", "Currency": "USD", "Card": "Visa •••• 4242"});
    assert_eq!(shop.events_of(&customer, EventKind::AutoTopUpDone), [done]);
    let mail = shop.last_mail_to(&customer.email).unwrap_or_default();
    assert!(mail.contains("Visa •••• 4242") && mail.contains("$29.99"), "{mail}");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn turning_it_on_with_a_low_balance_tops_up_at_once() {
    let shop = Shop::open();
    let customer = customer_with(&shop, "action=good", 0).await;
    rounds(&shop).await;
    assert_eq!(shop.balance(&customer).await, "20.00");
    let order = shop.call(&customer, "Order/GetOrderList", json!({"Filter": {"Kind": "top_up"}})).await.data;
    let order = &order["Rows"][0];
    assert_eq!((&order["State"], &order["Payments"][0]["IsAutomatic"]), (&json!("fulfilled"), &json!(true)));
}

#[actix_web::test]
async fn a_charge_of_a_crashed_process_is_settled_once() {
    let shop = Shop::open();
    let customer = customer_with(&shop, "action=good", 500).await;
    shop.run_jobs().await;
    assert_eq!((charges(&shop, &customer), shop.balance(&customer).await.as_str()), (vec!["pending".into()], "5.00"));
    assert_eq!(standing(&shop, &customer).await["State"], "charging");
    // The gateway has charged, but the process that asked has died.
    let charged = shop.app.db.write_blocking(|conn| {
        let pending = payments::table.filter(payments::card_id.is_not_null()).select(payments::public_id);
        let public_id: String = pending.first(conn)?;
        let row = (
            sandbox_charges::public_id.eq(&public_id),
            sandbox_charges::amount_minor.eq(2_000),
            sandbox_charges::currency.eq(Currency::Usd),
            sandbox_charges::outcome.eq(SandboxOutcome::Approved),
        );
        diesel::insert_into(sandbox_charges::table).values(row).execute(conn)?;
        // The card behaves differently now, but the recorded outcome stays.
        Ok(diesel::update(sandbox_cards::table)
            .set(sandbox_cards::behaviour.eq(SandboxCard::Declining))
            .execute(conn)?)
    });
    assert_eq!(charged.expect("a charge"), 1);
    rounds(&shop).await;
    shop.app.clock.advance(TimeDelta::minutes(2));
    rounds(&shop).await;
    assert_eq!(
        (charges(&shop, &customer), shop.balance(&customer).await.as_str()),
        (vec!["succeeded".into()], "25.00")
    );
    let made = shop.app.db.read_blocking(|conn| Ok(sandbox_charges::table.count().get_result::<i64>(conn)?));
    assert_eq!(made.expect("a number"), 1);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_declined_card_is_tried_three_times_a_day_apart_then_paused() {
    let shop = Shop::open();
    let customer = customer_with(&shop, "action=declining", 500).await;
    to_the_middle_of_a_month(&shop);
    let customer = shop.signs_in(&customer);
    rounds(&shop).await;
    let answer = standing(&shop, &customer).await;
    assert_eq!((&answer["State"], &answer["Failure"]), (&json!("retrying"), &json!("declined")), "{answer}");
    assert!(answer["NextTryAt"].is_string());
    assert_eq!(shop.mails_about(&customer.email, "could not be charged"), 1);
    let mail = shop.last_mail_to(&customer.email).unwrap_or_default();
    assert!(mail.contains("Visa •••• 0341. The bank declined the card.") && !mail.contains("{{"), "{mail}");
    for (hours, count) in [(23, 1), (2, 2), (25, 3), (25, 3), (24 * 30, 3)] {
        shop.app.clock.advance(TimeDelta::hours(hours));
        spends(&shop, &customer, 1);
        rounds(&shop).await;
        assert_eq!(charges(&shop, &customer), vec!["failed"; count], "after {hours} more hours");
    }
    let customer = shop.signs_in(&customer);
    let answer = standing(&shop, &customer).await;
    assert_eq!((&answer["State"], &answer["NextTryAt"]), (&json!("paused"), &Value::Null));
    assert_eq!(shop.mails_about(&customer.email, "could not be charged"), 1);
    assert_eq!(shop.mails_about(&customer.email, "automatic top-up is paused"), 1);
    let failed = |is_paused: bool| {
        let card = "Visa •••• 0341";
        json!({"Amount": "20.00", "Currency": "USD", "Card": card, "Reason": "declined", "IsPaused": is_paused})
    };
    assert_eq!(shop.events_of(&customer, EventKind::AutoTopUpFailed), [failed(false), failed(true)]);
    let unpaid = orders::table.filter(orders::state.eq(OrderState::Unpaid)).count();
    let unpaid: i64 = shop.app.db.read_blocking(|conn| Ok(unpaid.get_result(conn)?)).expect("a number");
    assert_eq!(unpaid, 0, "what failed leaves no order behind that could still be paid");
    // Another card ends the pause.
    assert_eq!(saves_card(&shop, &customer, "action=good").await, "succeeded");
    rounds(&shop).await;
    assert_eq!(
        (standing(&shop, &customer).await["State"].clone(), charges(&shop, &customer).len()),
        (json!("active"), 4)
    );
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn required_authentication_pauses_until_the_customer_agrees_again() {
    let shop = Shop::open();
    let customer = customer_with(&shop, "action=asking", 500).await;
    rounds(&shop).await;
    let answer = standing(&shop, &customer).await;
    assert_eq!((&answer["State"], &answer["Failure"]), (&json!("paused"), &json!("authentication_required")));
    assert_eq!(shop.mails_about(&customer.email, "automatic top-up is paused"), 1);
    shop.app.clock.advance(TimeDelta::days(2));
    rounds(&shop).await;
    assert_eq!(charges(&shop, &customer).len(), 1);
    assert_eq!(sets(&shop, &customer, "10", "20", "50").await["State"], "active");
    rounds(&shop).await;
    assert_eq!(
        (standing(&shop, &customer).await["State"].clone(), charges(&shop, &customer).len()),
        (json!("paused"), 2)
    );
}

#[actix_web::test]
async fn the_limit_of_a_month_holds_is_told_once_and_ends_with_the_month() {
    let shop = Shop::open();
    let customer = customer_with(&shop, "action=good", 2_000).await;
    to_the_middle_of_a_month(&shop);
    let customer = shop.signs_in(&customer);
    for (spent, balance, count) in [(1_500, "25.00", 1), (2_000, "25.00", 2), (2_000, "5.00", 2), (100, "4.00", 2)] {
        spends(&shop, &customer, spent);
        rounds(&shop).await;
        assert_eq!((shop.balance(&customer).await.as_str(), charges(&shop, &customer).len()), (balance, count));
        shop.app.clock.advance(TimeDelta::minutes(1));
    }
    let answer = standing(&shop, &customer).await;
    assert_eq!((&answer["State"], &answer["ChargedThisMonth"]), (&json!("limit_reached"), &json!("40.00")));
    assert_eq!(shop.mails_about(&customer.email, "this month's limit"), 1);
    let reached = json!({"Balance": "5.00", "Charged": "40.00", "Limit": "50.00", "Currency": "USD"});
    assert_eq!(shop.events_of(&customer, EventKind::AutoTopUpLimit), [reached]);
    shop.app.clock.advance(TimeDelta::days(15));
    rounds(&shop).await;
    assert_eq!(charges(&shop, &customer).len(), 2, "still the same month");
    shop.app.clock.advance(TimeDelta::days(10));
    rounds(&shop).await;
    assert_eq!((shop.balance(&shop.signs_in(&customer)).await.as_str(), charges(&shop, &customer).len()), ("24.00", 3));
    let customer = shop.signs_in(&customer);
    assert_eq!(standing(&shop, &customer).await["ChargedThisMonth"], "20.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_card_is_charged_five_times_in_a_day_at_most() {
    let shop = Shop::open();
    let customer = shop.customer(500);
    saves_card(&shop, &customer, "action=good").await;
    sets(&shop, &customer, "1000", "5", "1000").await;
    for _ in 0..12 {
        shop.run_jobs().await;
    }
    assert_eq!((charges(&shop, &customer).len(), shop.balance(&customer).await.as_str()), (5, "30.00"));
    shop.app.clock.advance(TimeDelta::hours(25));
    rounds(&shop).await;
    assert!(charges(&shop, &customer).len() > 5);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_forgotten_card_is_not_charged_and_is_deleted_at_its_gateway() {
    let shop = Shop::open();
    let customer = customer_with(&shop, "action=good", 500).await;
    shop.run_jobs().await;
    assert_eq!(charges(&shop, &customer), ["pending"], "begun, but nobody has charged it");
    let answer = shop.call(&customer, "Wallet/ForgetCard", json!({})).await;
    assert_eq!((answer.code, &answer.data["State"], &answer.data["Card"]), (1000, &json!("off"), &Value::Null));
    assert_eq!(answer.data["Settings"]["Threshold"], "10.00", "what was set is kept");
    rounds(&shop).await;
    assert_eq!((charges(&shop, &customer), shop.balance(&customer).await.as_str()), (vec!["failed".into()], "5.00"));
    let kept = shop.app.db.read_blocking(|conn| {
        let card = remembered_cards::table.select((remembered_cards::reference_sealed, remembered_cards::last_four));
        let card: (Option<String>, String) = card.first(conn)?;
        let gateway: SandboxCard = sandbox_cards::table.select(sandbox_cards::behaviour).first(conn)?;
        Ok((card, gateway))
    });
    assert_eq!(kept.expect("a card"), ((None, "4242".to_owned()), SandboxCard::Forgotten));
    assert_eq!(shop.call(&customer, "Wallet/ForgetCard", json!({})).await.code, 3004);
    let form = json!({"IsOn": true, "Threshold": "10", "Amount": "20", "MonthlyLimit": "50"});
    let refused = shop.call(&customer, "Wallet/SetAutoTopUp", form).await;
    assert_eq!((refused.code, &refused.data["Fields"]["Card"][0]["Rule"]), (2001, &json!("cardMissing")));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_charge_in_flight_is_credited_although_its_card_was_forgotten() {
    let shop = Shop::open();
    let customer = customer_with(&shop, "action=good", 500).await;
    shop.run_jobs().await;
    // A process has begun the charge, and its outcome is unknown.
    let now = shop.app.clock.now();
    let taken = shop.app.db.write_blocking(|conn| claim_due(conn, now)).expect("payments");
    assert_eq!(taken.len(), 1);
    shop.call(&customer, "Wallet/ForgetCard", json!({})).await;
    shop.run_jobs().await;
    assert_eq!(charges(&shop, &customer), ["pending"]);
    shop.app.clock.advance(TimeDelta::seconds(20));
    rounds(&shop).await;
    assert_eq!(
        (charges(&shop, &customer), shop.balance(&customer).await.as_str()),
        (vec!["succeeded".into()], "25.00")
    );
    shop.app.clock.advance(TimeDelta::minutes(11));
    rounds(&shop).await;
    let sealed = remembered_cards::table.select(remembered_cards::reference_sealed);
    let sealed: Option<String> = shop.app.db.read_blocking(|conn| Ok(sealed.first(conn)?)).expect("a card");
    assert_eq!(sealed, None, "and then it is forgotten");
}

#[actix_web::test]
async fn an_abandoned_card_request_saves_no_card() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    assert_eq!(saves_card(&shop, &customer, "action=cancelled").await, "failed");
    let begun = shop.call(&customer, "Wallet/RememberCard", json!({"PaymentMethod": "sandbox"})).await.data;
    let request = json!({"CardRequestId": begun["CardRequestId"]});
    assert_eq!(shop.call(&customer, "Wallet/GetCardRequest", request.clone()).await.data["State"], "pending");
    shop.app.clock.advance(TimeDelta::hours(26));
    shop.run_jobs().await;
    let customer = shop.signs_in(&customer);
    assert_eq!(shop.call(&customer, "Wallet/GetCardRequest", request).await.data["State"], "expired");
    assert_eq!(standing(&shop, &customer).await["Card"], Value::Null);
    for method in ["wallet", "transfer", "stripe", "cash"] {
        let answer = shop.call(&customer, "Wallet/RememberCard", json!({"PaymentMethod": method})).await;
        assert!(answer.data["Fields"]["PaymentMethod"].is_array(), "{method}");
    }
    assert_eq!(shop.post_form("/sandbox/card/nobody", "action=good").await.status(), 404);
}

#[actix_web::test]
async fn a_card_is_saved_although_the_customer_does_not_return() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let begun = shop.call(&customer, "Wallet/RememberCard", json!({"PaymentMethod": "sandbox"})).await.data;
    shop.post_form(begun["CardUrl"].as_str().unwrap_or_default(), "action=good").await;
    shop.app.clock.advance(TimeDelta::seconds(20));
    shop.run_jobs().await;
    assert_eq!(standing(&shop, &customer).await["Card"]["LastFour"], "4242");
}

#[actix_web::test]
async fn other_accounts_cards_are_not_found_and_invalid_settings_refused() {
    let shop = Shop::open();
    let (owner, stranger) = (customer_with(&shop, "action=good", 2_000).await, shop.customer(0));
    let begun = shop.call(&owner, "Wallet/RememberCard", json!({"PaymentMethod": "sandbox"})).await.data;
    let request = json!({"CardRequestId": begun["CardRequestId"]});
    assert_eq!(shop.call(&stranger, "Wallet/GetCardRequest", request).await.code, 3004);
    assert_eq!(shop.call(&stranger, "Wallet/ForgetCard", json!({})).await.code, 3004);
    let off = json!({"IsOn": false});
    assert_eq!(shop.call(&stranger, "Wallet/SetAutoTopUp", off).await.data["State"], "off");
    let answer = standing(&shop, &stranger).await;
    assert_eq!(
        (&answer["Card"], &answer["Settings"], &answer["Methods"]),
        (&Value::Null, &Value::Null, &json!(["sandbox"]))
    );
    let answer = standing(&shop, &owner).await;
    assert_eq!((&answer["State"], &answer["Card"]["LastFour"]), (&json!("active"), &json!("4242")));
    assert!(!answer.to_string().contains("Reference"), "{answer}");
    let form = json!({"IsOn": true, "Threshold": "0", "Amount": "4.99", "MonthlyLimit": "x"});
    let refused = shop.call(&owner, "Wallet/SetAutoTopUp", form).await;
    for (field, rule) in [("Threshold", "amountMin"), ("Amount", "amountMin"), ("MonthlyLimit", "amount")] {
        assert_eq!(refused.data["Fields"][field][0]["Rule"], rule);
    }
}

#[actix_web::test]
async fn a_suspended_account_is_not_charged_and_one_that_turned_it_off_neither() {
    let shop = Shop::open();
    let (suspended, off) =
        (customer_with(&shop, "action=good", 500).await, customer_with(&shop, "action=good", 500).await);
    let state = |state: &'static str| {
        let state = AccountState::from_wire(state).expect("a state");
        let account = accounts::table.find(suspended.account_id);
        shop.app.db.write_blocking(|conn| Ok(diesel::update(account).set(accounts::state.eq(state)).execute(conn)?))
    };
    assert_eq!(state("suspended").expect("an update"), 1);
    assert_eq!(shop.call(&off, "Wallet/SetAutoTopUp", json!({"IsOn": false})).await.data["State"], "off");
    rounds(&shop).await;
    assert_eq!((charges(&shop, &suspended).len(), charges(&shop, &off).len()), (0, 0));
    assert_eq!(state("active").expect("an update"), 1);
    shop.app.clock.advance(TimeDelta::hours(25));
    rounds(&shop).await;
    assert_eq!((charges(&shop, &suspended).len(), charges(&shop, &off).len()), (1, 0));
}

#[actix_web::test]
async fn a_renewal_waits_for_a_pending_top_up_without_a_failure_mail() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 2);
    let customer = shop.customer(1_700);
    shop.buys(&customer, order_for(&[("US", "new-york", 2)], "10.00")).await;
    shop.call(&customer, "Ips/SetAutoRenew", json!({"All": true, "AutoRenew": true})).await;
    saves_card(&shop, &customer, "action=good").await;
    // The first one that renews takes the balance of 7.00 below 5.00; the second one has to wait.
    sets(&shop, &customer, "5", "20", "50").await;
    shop.app.clock.advance(TimeDelta::days(27) + TimeDelta::minutes(1));
    shop.run_jobs().await;
    rounds(&shop).await;
    shop.app.clock.advance(TimeDelta::minutes(2));
    rounds(&shop).await;
    let customer = shop.signs_in(&customer);
    assert_eq!(
        (charges(&shop, &customer), shop.balance(&customer).await.as_str()),
        (vec!["succeeded".into()], "17.00")
    );
    assert_eq!(shop.mails_about(&customer.email, "could not be renewed"), 0);
    assert_eq!(shop.mails_about(&customer.email, "renewed"), 2);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn no_card_is_charged_while_its_owner_owes() {
    let shop = Shop::open();
    to_the_middle_of_a_month(&shop);
    let customer = customer_with(&shop, "action=good", 0).await;
    rounds(&shop).await;
    assert_eq!((charges(&shop, &customer).len(), shop.balance(&customer).await), (1, "20.00".to_owned()));
    spends(&shop, &customer, 1_500);
    let first = payments::table.filter(payments::account_id.eq(customer.account_id)).select(payments::public_id);
    let first: String = shop.app.db.read_blocking(|conn| Ok(first.first(conn)?)).expect("a payment");
    let disputed = shop.post_form(&format!("/sandbox/pay/{first}"), "action=dispute").await;
    assert_eq!(disputed.status(), 303);
    rounds(&shop).await;
    assert_eq!((charges(&shop, &customer).len(), shop.balance(&customer).await), (1, "0.00".to_owned()));
    shop.post_form(&format!("/sandbox/pay/{first}"), "action=win").await;
    rounds(&shop).await;
    assert_eq!(charges(&shop, &customer).len(), 2, "the balance is low, and nothing is owed");
}
