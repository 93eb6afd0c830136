//! Cards saved at Stripe and charged off-session: once, despite lost responses, and with all kinds of declines.
use crate::shop::{Customer, Shop};
use crate::stripe::{open, redirect_of, send_event, session_of};
use crate::stripe_double::{CardKind, Failure, Stripe};
use chrono::TimeDelta;
use postern_server::db::prelude::*;
use postern_server::schema::{payments, remembered_cards};
use serde_json::{Value, json};

/// Begins a card request; returns its id and URL.
async fn begins(shop: &Shop, customer: &Customer) -> (Value, String) {
    let begun = shop.call(customer, "Wallet/RememberCard", json!({"PaymentMethod": "stripe"})).await;
    assert_eq!(begun.code, 1000, "{begun:?}");
    (
        json!({"CardRequestId": begun.data["CardRequestId"]}),
        begun.data["CardUrl"].as_str().unwrap_or_default().to_owned(),
    )
}

async fn saves_card(shop: &Shop, stripe: &Stripe, customer: &Customer, kind: CardKind) {
    let (request, path) = begins(shop, customer).await;
    stripe.enters_card(&session_of(shop, &path).await, kind);
    assert_eq!(shop.call(customer, "Wallet/GetCardRequest", request).await.data["State"], "succeeded");
}

/// A customer with 5.00 and a card: below 10.00, 20.00 is charged.
async fn customer_with(shop: &Shop, stripe: &Stripe, kind: CardKind) -> Customer {
    let customer = shop.customer(500);
    saves_card(shop, stripe, &customer, kind).await;
    let form = json!({"IsOn": true, "Threshold": "10", "Amount": "20", "MonthlyLimit": "100"});
    assert_eq!(shop.call(&customer, "Wallet/SetAutoTopUp", form).await.code, 1000);
    customer
}

async fn standing(shop: &Shop, customer: &Customer) -> (String, String) {
    let answer = shop.call(customer, "Wallet/GetAutoTopUp", json!({})).await.data;
    let text = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
    (text("State"), text("Failure"))
}

async fn rounds(shop: &Shop) {
    for _ in 0..3 {
        shop.run_jobs().await;
    }
}

#[actix_web::test]
async fn a_card_is_saved_by_a_session_that_takes_no_money() {
    let (shop, stripe) = open();
    let customer = shop.customer(0);
    let (request, path) = begins(&shop, &customer).await;
    assert_eq!(stripe.requests(), 0, "Stripe is told when the page is opened");
    let page = redirect_of(&shop, &path).await;
    assert_eq!((redirect_of(&shop, &path).await, stripe.sessions().len(), stripe.customers().len()), (page, 1, 1));
    let form = &stripe.forms()[0];
    let id = request["CardRequestId"].as_str().unwrap_or_default();
    let back = format!("http://shop.example/billing/wallet?CardRequestId={id}");
    for (name, value) in [
        ("mode", "setup"),
        ("payment_method_types[0]", "card"),
        ("customer", "cus_1"),
        ("client_reference_id", id),
        ("success_url", &back),
        ("cancel_url", "http://shop.example/billing/wallet"),
    ] {
        assert_eq!(form[name], value, "{name}");
    }
    let state = |answer: Value| answer["State"].clone();
    assert_eq!(state(shop.call(&customer, "Wallet/GetCardRequest", request.clone()).await.data), "pending");
    stripe.enters_card("cs_test_1", CardKind::Good);
    assert_eq!(state(shop.call(&customer, "Wallet/GetCardRequest", request.clone()).await.data), "succeeded");
    let answer = shop.call(&customer, "Wallet/GetAutoTopUp", json!({})).await.data;
    assert_eq!((&answer["Card"]["Name"], &answer["Card"]["ExpiresYear"]), (&json!("Visa •••• 4242"), &json!(2030)));
    let sealed = remembered_cards::table.select(remembered_cards::reference_sealed.assume_not_null());
    let sealed: String = shop.app.db.read_blocking(|conn| Ok(sealed.first(conn)?)).expect("a card");
    assert!(!sealed.contains("cus_") && shop.app.key.open(&sealed).is_ok_and(|text| text.contains("cus_1")));
    assert_eq!(shop.open_page("/pay/stripe/card/nobody").await.status(), 404);
    assert_eq!(
        redirect_of(&shop, &path).await,
        format!("/billing/wallet?CardRequestId={id}"),
        "it was entered already"
    );
}

#[actix_web::test]
async fn a_card_is_charged_off_session_under_the_payments_id() {
    let (shop, stripe) = open();
    let customer = customer_with(&shop, &stripe, CardKind::Good).await;
    rounds(&shop).await;
    assert_eq!((shop.balance(&customer).await.as_str(), stripe.intents().len()), ("25.00", 1));
    let public_id = payments::table.filter(payments::card_id.is_not_null()).select(payments::public_id);
    let public_id: String = shop.app.db.read_blocking(|conn| Ok(public_id.first(conn)?)).expect("a payment");
    let form = stripe.forms().pop().unwrap_or_default();
    for (name, value) in [
        ("amount", "2000"),
        ("customer", "cus_1"),
        ("payment_method", "pm_1"),
        ("off_session", "true"),
        ("confirm", "true"),
        ("metadata[payment]", public_id.as_str()),
    ] {
        assert_eq!(form[name], value, "{name}");
    }
    let event = stripe.event_of("payment_intent.succeeded", stripe.intents()[0].clone());
    assert_eq!(send_event(&shop, event).await, "repeat");
    assert_eq!(shop.balance(&customer).await, "25.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_charge_whose_answer_was_lost_is_found_out_and_not_made_again() {
    let (shop, stripe) = open();
    let customer = customer_with(&shop, &stripe, CardKind::Good).await;
    shop.run_jobs().await;
    stripe.fails_with(&[Failure::AnswerLost]);
    for (name, result) in postern_server::jobs::round(&shop.app).await {
        assert_eq!(result.is_err(), name == "poll_gateways", "{name}");
    }
    assert_eq!((shop.balance(&customer).await.as_str(), stripe.intents().len()), ("5.00", 1));
    assert_eq!(standing(&shop, &customer).await.0, "charging");
    shop.app.clock.advance(TimeDelta::seconds(40));
    rounds(&shop).await;
    assert_eq!((shop.balance(&customer).await.as_str(), stripe.intents().len()), ("25.00", 1));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_charge_whose_answer_was_lost_for_a_day_is_not_made_again_under_a_key_that_stripe_forgot() {
    let (shop, stripe) = open();
    let customer = customer_with(&shop, &stripe, CardKind::Good).await;
    shop.run_jobs().await;
    stripe.fails_with(&[Failure::AnswerLost]);
    postern_server::jobs::round(&shop.app).await;
    shop.app.clock.advance(TimeDelta::hours(25));
    rounds(&shop).await;
    let customer = shop.signs_in(&customer);
    assert_eq!(standing(&shop, &customer).await, ("paused".to_owned(), "no_answer".to_owned()));
    assert_eq!((shop.balance(&customer).await.as_str(), stripe.intents().len()), ("5.00", 1));
    shop.app.clock.advance(TimeDelta::days(3));
    rounds(&shop).await;
    assert_eq!(stripe.intents().len(), 1);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn every_no_is_understood() {
    for (code, decline_code, state, failure) in [
        ("card_declined", "generic_decline", "retrying", "declined"),
        ("card_declined", "insufficient_funds", "retrying", "insufficient_funds"),
        ("authentication_required", "authentication_required", "paused", "authentication_required"),
        ("expired_card", "expired_card", "paused", "expired_card"),
        ("card_declined", "stolen_card", "paused", "card_gone"),
    ] {
        let (shop, stripe) = open();
        let customer = customer_with(&shop, &stripe, CardKind::Refused(code, decline_code)).await;
        rounds(&shop).await;
        let expected = (state.to_owned(), failure.to_owned());
        assert_eq!(standing(&shop, &customer).await, expected, "{code} {decline_code}");
        let event = stripe.event_of("payment_intent.payment_failed", stripe.intents()[0].clone());
        assert_eq!(send_event(&shop, event).await, "repeat");
        assert_eq!(standing(&shop, &customer).await, expected, "one no is one failure");
        assert_eq!(stripe.intents().len(), 1);
    }
}

#[actix_web::test]
async fn a_card_whose_customer_was_deleted_at_stripe_pauses() {
    let (shop, stripe) = open();
    let customer = customer_with(&shop, &stripe, CardKind::Good).await;
    stripe.deletes_customers();
    rounds(&shop).await;
    assert_eq!(standing(&shop, &customer).await, ("paused".to_owned(), "card_gone".to_owned()));
}

#[actix_web::test]
async fn a_charge_that_takes_its_time_is_settled_when_it_is_told_or_asked() {
    for is_told in [true, false] {
        let (shop, stripe) = open();
        let customer = customer_with(&shop, &stripe, CardKind::Slow).await;
        rounds(&shop).await;
        assert_eq!((standing(&shop, &customer).await.0.as_str(), stripe.intents().len()), ("charging", 1));
        stripe.intent_succeeds("pi_1");
        if is_told {
            let event = stripe.event_of("payment_intent.succeeded", stripe.intents()[0].clone());
            assert_eq!(send_event(&shop, event).await, "settle");
        } else {
            shop.app.clock.advance(TimeDelta::minutes(1));
            rounds(&shop).await;
        }
        assert_eq!((shop.balance(&customer).await.as_str(), stripe.intents().len()), ("25.00", 1));
        shop.ledger_adds_up();
    }
}

#[actix_web::test]
async fn a_charge_that_nobody_hears_of_for_a_day_pauses_and_its_money_still_counts_when_it_comes() {
    let (shop, stripe) = open();
    let customer = customer_with(&shop, &stripe, CardKind::Slow).await;
    rounds(&shop).await;
    shop.app.clock.advance(TimeDelta::hours(25));
    shop.run_jobs().await;
    let customer = shop.signs_in(&customer);
    assert_eq!(standing(&shop, &customer).await, ("paused".to_owned(), "no_answer".to_owned()));
    stripe.intent_succeeds("pi_1");
    let event = stripe.event_of("payment_intent.succeeded", stripe.intents()[0].clone());
    assert_eq!(send_event(&shop, event).await, "credit_wallet");
    assert_eq!((shop.balance(&customer).await.as_str(), stripe.intents().len()), ("25.00", 1));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn events_about_other_intents_and_about_entering_cards_move_nothing() {
    let (shop, stripe) = open();
    let customer = customer_with(&shop, &stripe, CardKind::Slow).await;
    rounds(&shop).await;
    let intent = stripe.intents()[0].clone();
    let with = |metadata: Value| {
        let mut other = intent.clone();
        other["metadata"] = metadata;
        other["status"] = "succeeded".into();
        other
    };
    let merchant = &intent["metadata"]["shop"];
    let another = json!({"shop": "another", "payment": intent["metadata"]["payment"]});
    for (metadata, verdict) in [
        (json!({}), "no_interest"),
        (another, "wrong_merchant"),
        (json!({"shop": merchant, "payment": "nobody's"}), "unknown_payment"),
    ] {
        assert_eq!(send_event(&shop, stripe.event_of("payment_intent.succeeded", with(metadata))).await, verdict);
    }
    for kind in ["checkout.session.completed", "checkout.session.expired"] {
        assert_eq!(send_event(&shop, stripe.event(kind, "cs_test_1")).await, "no_interest", "{kind}");
    }
    assert_eq!(shop.balance(&customer).await, "5.00");
}

#[actix_web::test]
async fn a_forgotten_card_is_deleted_at_stripe_as_soon_as_stripe_answers() {
    let (shop, stripe) = open();
    let customer = customer_with(&shop, &stripe, CardKind::Good).await;
    rounds(&shop).await;
    assert_eq!(shop.call(&customer, "Wallet/ForgetCard", json!({})).await.code, 1000);
    stripe.fails_with(&[Failure::Status(500, None); 3]);
    for (name, result) in postern_server::jobs::round(&shop.app).await {
        assert_eq!(result.is_err(), name == "delete_forgotten_cards", "{name}");
    }
    assert_eq!(stripe.customers().len(), 1);
    shop.app.clock.advance(TimeDelta::minutes(11));
    shop.run_jobs().await;
    assert!(stripe.customers().is_empty());
    // Another one, which the seller deletes first.
    saves_card(&shop, &stripe, &customer, CardKind::Good).await;
    stripe.deletes_customers();
    shop.call(&customer, "Wallet/ForgetCard", json!({})).await;
    shop.run_jobs().await;
    let sealed = remembered_cards::table.filter(remembered_cards::reference_sealed.is_not_null()).count();
    let sealed: i64 = shop.app.db.read_blocking(|conn| Ok(sealed.get_result(conn)?)).expect("a number");
    assert_eq!(sealed, 0);
}

#[actix_web::test]
async fn a_page_that_expired_saves_nothing_and_one_that_cannot_be_opened_can_be_tried_again() {
    let (shop, stripe) = open();
    let customer = shop.customer(0);
    let (request, path) = begins(&shop, &customer).await;
    stripe.fails_with(&[Failure::Status(500, None); 3]);
    let response = shop.open_page(&path).await;
    assert_eq!(response.status(), 502);
    assert!(response.text().await.expect("a page").contains(&path));
    let session = session_of(&shop, &path).await;
    stripe.change(&session, json!({"status": "expired", "url": null}));
    assert_eq!(shop.call(&customer, "Wallet/GetCardRequest", request).await.data["State"], "failed");
    let (_, path) = begins(&shop, &customer).await;
    shop.app.clock.advance(TimeDelta::hours(24));
    assert_eq!(shop.open_page(&path).await.status(), 410);
    assert_eq!(stripe.sessions().len(), 1);
}

#[actix_web::test]
async fn a_charge_can_be_canceled_or_disputed() {
    let (shop, stripe) = open();
    let customer = customer_with(&shop, &stripe, CardKind::Slow).await;
    rounds(&shop).await;
    let mut canceled = stripe.intents()[0].clone();
    canceled["status"] = "canceled".into();
    assert_eq!(send_event(&shop, stripe.event_of("payment_intent.canceled", canceled)).await, "fail");
    assert_eq!(standing(&shop, &customer).await, ("retrying".to_owned(), "declined".to_owned()));

    let customer = customer_with(&shop, &stripe, CardKind::Good).await;
    rounds(&shop).await;
    assert_eq!(shop.balance(&customer).await, "25.00");
    let intent = stripe.intents().pop().expect("an intent")["id"].as_str().expect("an id").to_owned();
    let dispute = stripe.disputes(&intent, 2_000, "needs_response");
    send_event(&shop, stripe.event_of("charge.dispute.created", dispute)).await;
    assert_eq!(shop.balance(&customer).await, "5.00");
    shop.ledger_adds_up();
}
