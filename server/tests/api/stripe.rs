//! Payments through Stripe Checkout: one session per payment, each event processed once, and Stripe outages.
use crate::shop::{Customer, Shop, order_for};
use crate::stripe_double::{Failure, Stripe, WEBHOOK_SECRET, sign};
use chrono::TimeDelta;
use postern_core::order::PaymentMethod;
use postern_server::db::prelude::*;
use postern_server::schema::{gateway_callbacks, ledger_transactions};
use serde_json::{Value, json};
use std::sync::Arc;

pub fn open() -> (Shop, Stripe) {
    let stripe = Stripe::open(0, None);
    let settings = stripe.settings();
    let shop = Shop::open_with(&settings.each_ref().map(|(name, value)| (*name, value.as_str())));
    stripe.keeps_time_with(&shop.app.clock);
    (shop, stripe)
}

/// Begins a top-up; returns the payment's id and its URL.
pub async fn top_up(shop: &Shop, customer: &Customer, amount: &str) -> (String, String) {
    let answer = shop.call(customer, "Wallet/CreateTopUp", json!({"Amount": amount, "PaymentMethod": "stripe"})).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    let text = |name: &str| answer.data["Payment"][name].as_str().unwrap_or_default().to_owned();
    (text("PaymentId"), text("PayUrl"))
}

/// The redirect target of a URL.
pub async fn redirect_of(shop: &Shop, path: &str) -> String {
    let response = shop.open_page(path).await;
    assert_eq!(response.status(), 303);
    response.headers()["location"].to_str().expect("a text").to_owned()
}

/// The id of the session that opening a payment's URL creates.
pub async fn session_of(shop: &Shop, path: &str) -> String {
    redirect_of(shop, path).await.rsplit('/').next().unwrap_or_default().to_owned()
}

pub async fn send_event(shop: &Shop, (body, signature): (String, String)) -> String {
    let response = shop.post_raw("/gateway/callback/stripe", body, &[("Stripe-Signature", &signature)]).await;
    let status = response.status();
    let answer: Value = response.json().await.expect("an answer");
    let verdict = answer["Verdict"].as_str().unwrap_or_default().to_owned();
    assert_eq!(status, if verdict == "bad_signature" { 400 } else { 200 });
    verdict
}

async fn state(shop: &Shop, customer: &Customer, payment_id: &str) -> String {
    let answer = shop.call(customer, "Order/GetPayment", json!({"PaymentId": payment_id})).await;
    answer.data["State"].as_str().unwrap_or_default().to_owned()
}

#[actix_web::test]
async fn a_session_is_created_once_when_its_page_is_opened() {
    let (shop, stripe) = open();
    let customer = shop.customer(0);
    let (payment_id, path) = top_up(&shop, &customer, "25").await;
    assert_eq!((path.as_str(), stripe.requests()), (format!("/pay/stripe/{payment_id}").as_str(), 0));
    let first = redirect_of(&shop, &path).await;
    assert_eq!(first, format!("{}/pay/cs_test_1", stripe.url));
    assert_eq!((redirect_of(&shop, &path).await, stripe.sessions().len()), (first, 1));
    let form = &stripe.forms()[0];
    for (name, value) in [
        ("mode", "payment"),
        ("client_reference_id", payment_id.as_str()),
        ("payment_method_types[1]", "alipay"),
        ("payment_method_options[wechat_pay][client]", "web"),
        ("line_items[0][price_data][currency]", "usd"),
        ("line_items[0][price_data][unit_amount]", "2500"),
        ("locale", "en"),
        ("success_url", &format!("http://shop.example/billing/wallet?PaymentId={payment_id}")),
        ("cancel_url", "http://shop.example/billing/wallet"),
    ] {
        assert_eq!(form[name], value, "{name}");
    }
    assert_eq!(shop.open_page("/pay/stripe/nobody").await.status(), 404);
}

#[actix_web::test]
async fn ten_concurrent_opens_create_one_session() {
    let (shop, stripe) = open();
    let shop = Arc::new(shop);
    let (_, path) = top_up(&shop, &shop.customer(0), "25").await;
    let tasks: Vec<_> = (0..10)
        .map(|_| {
            let (shop, path) = (shop.clone(), path.clone());
            actix_web::rt::spawn(async move { redirect_of(&shop, &path).await })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.expect("an address"), format!("{}/pay/cs_test_1", stripe.url));
    }
    assert_eq!(stripe.sessions().len(), 1);
}

#[actix_web::test]
async fn a_paid_session_is_credited_once_despite_repeats_and_polls() {
    let (shop, stripe) = open();
    let shop = Arc::new(shop);
    let customer = shop.customer(0);
    let (payment_id, path) = top_up(&shop, &customer, "25").await;
    let session = session_of(&shop, &path).await;
    stripe.is_paid(&session);
    let event = stripe.event("checkout.session.completed", &session);
    let tasks: Vec<_> = (0..50)
        .map(|index| {
            let (shop, customer, event, id) = (shop.clone(), customer.clone(), event.clone(), payment_id.clone());
            actix_web::rt::spawn(async move {
                if index % 10 == 0 {
                    state(&shop, &customer, &id).await;
                }
                send_event(&shop, event).await
            })
        })
        .collect();
    for task in tasks {
        assert!(["settle", "repeat"].contains(&task.await.expect("a verdict").as_str()));
    }
    let count = |conn: &mut postern_server::db::Conn| Ok(ledger_transactions::table.count().get_result::<i64>(conn)?);
    assert_eq!(
        (shop.balance(&customer).await.as_str(), shop.app.db.read_blocking(count).expect("a number")),
        ("25.00", 1)
    );
    assert_eq!(redirect_of(&shop, &path).await, format!("/billing/wallet?PaymentId={payment_id}"), "nobody pays twice");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn delayed_payments_are_credited_on_arrival() {
    let (shop, stripe) = open();
    let customer = shop.customer(0);
    let (payment_id, path) = top_up(&shop, &customer, "25").await;
    let session = session_of(&shop, &path).await;
    stripe.change(&session, json!({"status": "complete", "payment_status": "unpaid", "url": null}));
    assert_eq!(send_event(&shop, stripe.event("checkout.session.completed", &session)).await, "no_interest");
    assert_eq!(state(&shop, &customer, &payment_id).await, "pending");
    stripe.is_paid(&session);
    assert_eq!(send_event(&shop, stripe.event("checkout.session.async_payment_succeeded", &session)).await, "settle");
    assert_eq!(shop.balance(&customer).await, "25.00");

    let (payment_id, path) = top_up(&shop, &customer, "30").await;
    let session = session_of(&shop, &path).await;
    stripe.change(&session, json!({"status": "complete", "payment_status": "unpaid", "url": null}));
    assert_eq!(send_event(&shop, stripe.event("checkout.session.async_payment_failed", &session)).await, "fail");
    assert_eq!(
        (state(&shop, &customer, &payment_id).await.as_str(), shop.balance(&customer).await.as_str()),
        ("failed", "25.00")
    );
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_expired_session_ends_its_payment_by_callback_or_poll() {
    let (shop, stripe) = open();
    let customer = shop.customer(0);
    for is_told in [true, false] {
        let (payment_id, path) = top_up(&shop, &customer, "25").await;
        let session = session_of(&shop, &path).await;
        stripe.change(&session, json!({"status": "expired", "url": null}));
        if is_told {
            assert_eq!(send_event(&shop, stripe.event("checkout.session.expired", &session)).await, "fail");
        }
        assert_eq!(state(&shop, &customer, &payment_id).await, "failed");
    }
    assert_eq!(shop.balance(&customer).await, "0.00");
}

#[actix_web::test]
async fn a_lost_callback_is_settled_by_polling_without_the_customer() {
    let (shop, stripe) = open();
    let customer = shop.customer(0);
    let (_, path) = top_up(&shop, &customer, "25").await;
    stripe.is_paid(&session_of(&shop, &path).await);
    shop.app.clock.advance(TimeDelta::seconds(20));
    shop.run_jobs().await;
    assert_eq!(shop.balance(&customer).await, "25.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn invalid_events_are_stored_and_refused() {
    let (shop, stripe) = open();
    let customer = shop.customer(0);
    let (_, path) = top_up(&shop, &customer, "25").await;
    let session = session_of(&shop, &path).await;
    stripe.is_paid(&session);
    let (body, signature) = stripe.event("checkout.session.completed", &session);
    let whole: Value = serde_json::from_str(&body).expect("an event");
    let now = shop.app.clock.now().and_utc().timestamp();
    let with = |field: &str, value: Value| {
        let mut object = whole["data"]["object"].clone();
        object[field] = value;
        stripe.event_of("checkout.session.completed", object)
    };
    for (event, verdict) in [
        ((body.clone(), String::new()), "bad_signature"),
        ((body.clone(), sign("whsec_other", now, &body)), "bad_signature"),
        ((body.clone(), sign(WEBHOOK_SECRET, now - 301, &body)), "bad_signature"),
        ((body.replace("2500", "2501"), signature), "bad_signature"),
        (with("amount_total", json!(0)), "wrong_amount"),
        (with("amount_total", Value::Null), "wrong_amount"),
        (with("currency", json!("eur")), "wrong_currency"),
        (with("id", json!("cs_test_other")), "unknown_payment"),
        (with("client_reference_id", json!("nobody")), "unknown_payment"),
        (with("client_reference_id", Value::Null), "wrong_merchant"),
        (with("metadata", json!({"shop": "another"})), "wrong_merchant"),
        (with("metadata", json!({})), "wrong_merchant"),
        (stripe.event("payment_intent.succeeded", &session), "no_interest"),
        (stripe.event_of("checkout.session.completed", json!({"id": 1})), "no_interest"),
    ] {
        assert_eq!(send_event(&shop, event).await, verdict);
    }
    let stored = shop.app.db.read_blocking(|conn| Ok(gateway_callbacks::table.count().get_result::<i64>(conn)?));
    assert_eq!((stored.expect("a number"), shop.balance(&customer).await.as_str()), (14, "0.00"));
}

#[actix_web::test]
async fn an_event_left_by_a_crash_keeps_its_time_of_arrival() {
    let (shop, stripe) = open();
    let customer = shop.customer(0);
    let (_, path) = top_up(&shop, &customer, "25").await;
    let session = session_of(&shop, &path).await;
    stripe.is_paid(&session);
    let (body, signature) = stripe.event("checkout.session.completed", &session);
    let now = shop.app.clock.now();
    let stored = shop.app.db.write_blocking(|conn| {
        postern_server::payments::stored::store(conn, PaymentMethod::Stripe, body.as_bytes(), &signature, "", now)
    });
    let stored = stored.expect("a callback");
    shop.app.clock.advance(TimeDelta::minutes(20));
    let verdict = postern_server::payments::process::process(&shop.app, stored).await.expect("a verdict");
    assert_eq!((verdict.as_str(), shop.balance(&customer).await.as_str()), ("settle", "25.00"));
}

#[actix_web::test]
async fn a_stripe_outage_is_shown_and_can_be_retried() {
    let (shop, stripe) = open();
    let customer = shop.customer(0);
    let (payment_id, path) = top_up(&shop, &customer, "25").await;
    for failures in [[Failure::Status(500, None); 3], [Failure::Status(503, None); 3], [Failure::Status(429, None); 3]]
    {
        let before = stripe.requests();
        stripe.fails_with(&failures);
        let response = shop.open_page(&path).await;
        assert_eq!((response.status().as_u16(), stripe.requests() - before), (502, 3));
        let page = response.text().await.expect("a page");
        assert!(page.contains("The payment page could not be opened") && page.contains(&path), "{page}");
        assert!(!page.contains("hunter2") && !page.contains("something is wrong"), "{page}");
    }
    for failure in [Failure::Status(402, None), Failure::Status(429, Some(60))] {
        let before = stripe.requests();
        stripe.fails_with(&[failure]);
        assert_eq!((shop.open_page(&path).await.status().as_u16(), stripe.requests() - before), (502, 1));
    }
    assert_eq!(state(&shop, &customer, &payment_id).await, "pending");
    assert_eq!(session_of(&shop, &path).await, "cs_test_1");
}

#[actix_web::test]
async fn rate_limits_of_stripe_are_respected() {
    let (shop, stripe) = open();
    let (_, path) = top_up(&shop, &shop.customer(0), "25").await;
    stripe.fails_with(&[Failure::Status(429, Some(1)), Failure::Status(409, None)]);
    assert_eq!(session_of(&shop, &path).await, "cs_test_1");
    assert_eq!(stripe.requests(), 3);
}

#[actix_web::test]
async fn a_session_with_a_lost_response_is_found_by_the_next_attempt() {
    let (shop, stripe) = open();
    let (_, path) = top_up(&shop, &shop.customer(0), "25").await;
    stripe.fails_with(&[Failure::AnswerLost]);
    assert_eq!(shop.open_page(&path).await.status(), 502);
    shop.app.clock.advance(TimeDelta::minutes(7));
    assert_eq!(session_of(&shop, &path).await, "cs_test_1");
    assert_eq!(stripe.sessions().len(), 1);
}

#[actix_web::test]
async fn an_order_is_paid_within_the_limits_of_stripe_and_late_money_is_credited() {
    let (shop, stripe) = open();
    shop.stock("US", "new-york", 2);
    let customer = shop.customer(0);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await.data;
    let pay = json!({"OrderId": order["OrderId"], "PaymentMethod": "stripe"});
    shop.app.clock.advance(TimeDelta::minutes(14));
    let path = shop.call(&customer, "Order/PayOrder", pay.clone()).await.data["Payment"]["PayUrl"].clone();
    let session = session_of(&shop, path.as_str().unwrap_or_default()).await;
    assert_eq!(stripe.forms()[0]["cancel_url"], format!("http://shop.example/order?OrderId={}", order["OrderId"]));
    let second = shop.call(&customer, "Order/PayOrder", pay).await.data["Payment"]["PayUrl"].clone();
    shop.app.clock.advance(TimeDelta::minutes(2));
    shop.run_jobs().await;
    let response = shop.open_page(second.as_str().unwrap_or_default()).await;
    assert_eq!(
        (response.status().as_u16(), stripe.sessions().len()),
        (410, 1),
        "an order that ended begins no session"
    );
    stripe.is_paid(&session);
    assert_eq!(send_event(&shop, stripe.event("checkout.session.completed", &session)).await, "credit_wallet");
    assert_eq!(shop.balance(&customer).await, "5.00");
    shop.ledger_adds_up();
}
