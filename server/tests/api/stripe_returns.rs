//! What Stripe takes back: events say that something changed, and Stripe is asked what.
use crate::shop::{Customer, Shop};
use crate::stripe::{open, send_event, session_of, top_up};
use crate::stripe_double::{Failure, Stripe};
use chrono::TimeDelta;
use postern_server::payments::compare::compare_due;
use serde_json::{Value, json};

/// A customer who topped up 25.00 through a session; returns its payment intent.
async fn paid(shop: &Shop, stripe: &Stripe) -> (Customer, String) {
    let customer = shop.customer(0);
    let (_, path) = top_up(shop, &customer, "25").await;
    let session = session_of(shop, &path).await;
    stripe.is_paid(&session);
    assert_eq!(send_event(shop, stripe.event("checkout.session.completed", &session)).await, "settle");
    (customer, format!("pi_of_{session}"))
}

async fn returns(shop: &Shop) -> Vec<Value> {
    let rows = shop.call(&shop.operator(), "Operator/GetPaymentReturnList", json!({})).await.data["Rows"].clone();
    rows.as_array().expect("rows").clone()
}

#[actix_web::test]
async fn a_dispute_is_opened_and_won() {
    let (shop, stripe) = open();
    let (customer, intent) = paid(&shop, &stripe).await;
    // An inquiry takes nothing.
    let inquiry = stripe.disputes(&intent, 2_500, "warning_needs_response");
    let id = inquiry["id"].as_str().expect("an id").to_owned();
    assert_eq!(send_event(&shop, stripe.event_of("charge.dispute.created", inquiry)).await, "repeat");
    assert_eq!((shop.balance(&customer).await, returns(&shop).await.len()), ("25.00".to_owned(), 0));
    let opened = stripe.decides(&id, "needs_response");
    for _ in 0..2 {
        assert_eq!(send_event(&shop, stripe.event_of("charge.dispute.updated", opened.clone())).await, "repeat");
    }
    assert_eq!(shop.balance(&customer).await, "0.00");
    let row = returns(&shop).await.remove(0);
    assert_eq!((&row["Reason"], &row["State"]), (&json!("fraudulent"), &json!("open")));
    assert!(row["DueAt"].is_string(), "{row}");
    let won = stripe.decides(&id, "won");
    // An event that is older than what Stripe answers changes nothing.
    for event in [opened, won] {
        send_event(&shop, stripe.event_of("charge.dispute.closed", event)).await;
        assert_eq!(shop.balance(&customer).await, "25.00");
    }
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn refunds_are_taken_from_the_wallet_and_come_back_if_they_fail() {
    let (shop, stripe) = open();
    let (customer, intent) = paid(&shop, &stripe).await;
    let first = stripe.refunds(&intent, 1_000, "succeeded");
    stripe.refunds(&intent, 300, "pending");
    // The event about a charge names the intent too.
    let charge = json!({"id": "ch_1", "object": "charge", "payment_intent": intent, "amount_refunded": 1_000});
    send_event(&shop, stripe.event_of("charge.refunded", charge)).await;
    assert_eq!(shop.balance(&customer).await, "12.00");
    let failed = stripe.decides(first["id"].as_str().expect("an id"), "failed");
    send_event(&shop, stripe.event_of("refund.failed", failed)).await;
    assert_eq!(shop.balance(&customer).await, "22.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_lost_event_is_made_up_for_at_night() {
    let (shop, stripe) = open();
    let (customer, intent) = paid(&shop, &stripe).await;
    stripe.refunds(&intent, 400, "succeeded");
    let dispute = stripe.disputes(&intent, 600, "needs_response");
    // The first run sets the time.
    compare_due(&shop.app).await.expect("a comparison");
    shop.app.clock.advance(TimeDelta::days(1));
    compare_due(&shop.app).await.expect("a comparison");
    assert_eq!(shop.balance(&shop.signs_in(&customer)).await, "15.00");
    // What is decided much later is asked about, too.
    stripe.decides(dispute["id"].as_str().expect("an id"), "won");
    shop.app.clock.advance(TimeDelta::days(60));
    compare_due(&shop.app).await.expect("a comparison");
    assert_eq!(shop.balance(&shop.signs_in(&customer)).await, "21.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_event_waits_for_a_silent_stripe_and_others_money_is_not_ours() {
    let (shop, stripe) = open();
    let (customer, intent) = paid(&shop, &stripe).await;
    let refund = stripe.refunds(&intent, 2_500, "succeeded");
    stripe.fails_with(&[Failure::Status(400, None)]);
    assert_eq!(send_event(&shop, stripe.event_of("refund.created", refund)).await, "unknown_payment");
    assert_eq!(shop.balance(&customer).await, "25.00");
    let operator = shop.operator();
    let refused = json!({"Filter": {"IsRefused": true}});
    let callback = shop.call(&operator, "Order/GetCallbackList", refused).await.data["Rows"][0].clone();
    let replay = json!({"CallbackId": callback["CallbackId"]});
    assert_eq!(shop.call(&operator, "Operator/ReplayCallback", replay).await.data["Verdict"], "repeat");
    assert_eq!(shop.balance(&customer).await, "0.00");
    for object in [
        json!({"id": "re_9", "payment_intent": "pi_of_nobody"}),
        json!({"id": "re_9", "payment_intent": {"id": "pi_of_nobody"}}),
    ] {
        assert_eq!(send_event(&shop, stripe.event_of("refund.created", object)).await, "wrong_merchant");
    }
    for object in [json!({"id": "re_9"}), json!({"payment_intent": "../../v1/customers"}), json!(7)] {
        assert_eq!(send_event(&shop, stripe.event_of("refund.created", object)).await, "no_interest");
    }
}

#[actix_web::test]
async fn a_key_that_may_not_read_refunds_still_has_payments_settled() {
    let (shop, stripe) = open();
    stripe.restricts_the_key();
    let customer = shop.customer(0);
    let (payment_id, path) = top_up(&shop, &customer, "25").await;
    stripe.is_paid(&session_of(&shop, &path).await);
    let asked = shop.call(&customer, "Order/GetPayment", json!({"PaymentId": payment_id})).await;
    assert_eq!((asked.code, &asked.data["State"]), (1000, &json!("succeeded")), "{asked:?}");
    // What was missed is credited, and operators see the failing job.
    let (_, path) = top_up(&shop, &customer, "10").await;
    let session = session_of(&shop, &path).await;
    compare_due(&shop.app).await.expect("the first time is set");
    stripe.is_paid(&session);
    shop.app.clock.advance(TimeDelta::days(2));
    assert!(compare_due(&shop.app).await.is_err());
    assert_eq!(shop.balance(&shop.signs_in(&customer)).await, "35.00");
}
