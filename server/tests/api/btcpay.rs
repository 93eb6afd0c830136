//! Payments in crypto: one invoice per payment, its page, and everything that can become of an invoice.
use crate::btcpay_double::{API_KEY, Btcpay, STORE, WEBHOOK_SECRET, sign};
use crate::shop::{Customer, Shop, order_for};
use crate::stripe::redirect_of;
use chrono::TimeDelta;
use postern_core::order::PaymentMethod;
use postern_server::charges::payments::{self, PaymentRow};
use postern_server::db::Conn;
use postern_server::gateways::{Polled, of_method};
use postern_server::jobs;
use postern_server::payments::poll::settle_polled;
use postern_server::payments::stored;
use serde_json::{Value, json};
use std::sync::Arc;

pub fn open() -> (Shop, Btcpay) {
    let btcpay = Btcpay::open(0, None);
    let shop = Shop::open_with(&[
        ("POSTERN_BTCPAY_URL", &btcpay.url),
        ("POSTERN_BTCPAY_STORE", STORE),
        ("POSTERN_BTCPAY_API_KEY", API_KEY),
        ("POSTERN_BTCPAY_WEBHOOK_SECRET", WEBHOOK_SECRET),
    ]);
    btcpay.is_at(shop.app.clock.now().and_utc().timestamp());
    (shop, btcpay)
}

/// Begins a top-up of 25.00 and opens its page; returns the payment's id and the invoice's.
pub async fn top_up(shop: &Shop, btcpay: &Btcpay, customer: &Customer) -> (String, String) {
    let body = json!({"Amount": "25", "PaymentMethod": "btcpay"});
    let answer = shop.call(customer, "Wallet/CreateTopUp", body).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    let path = answer.data["Payment"]["PayUrl"].as_str().expect("a path").to_owned();
    assert_eq!(shop.open_page(&path).await.status(), 200);
    (path.rsplit('/').next().unwrap_or_default().to_owned(), btcpay.ids().pop().expect("an invoice"))
}

pub async fn send(shop: &Shop, (body, signature): (String, String)) -> String {
    let sent = shop.post_raw("/gateway/callback/btcpay", body, &[("BTCPay-Sig", &signature)]).await;
    let status = sent.status();
    let answer: Value = sent.json().await.expect("an answer");
    let verdict = answer["Verdict"].as_str().unwrap_or("none").to_owned();
    assert_eq!(status, if verdict == "bad_signature" { 400 } else { 200 });
    verdict
}

async fn state(shop: &Shop, customer: &Customer, payment_id: &str) -> String {
    let answer = shop.call(customer, "Order/GetPayment", json!({"PaymentId": payment_id})).await;
    answer.data["State"].as_str().unwrap_or_default().to_owned()
}

/// Two fields of each open case, in order.
pub async fn cases_of(shop: &Shop, first: &str, second: &str) -> Vec<(String, String)> {
    let operator = shop.operator();
    let found = shop.call(&operator, "Operator/GetPaymentCaseList", json!({"Filter": {"IsOpen": true}})).await.data;
    let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
    let rows = found["Rows"].as_array().expect("rows").iter();
    let mut cases: Vec<_> = rows.map(|row| (text(row, first), text(row, second))).collect();
    cases.sort();
    cases
}

/// What was due and what was credited in each open case.
pub async fn cases(shop: &Shop) -> Vec<(String, String)> {
    cases_of(shop, "Due", "Credited").await
}

#[actix_web::test]
async fn an_invoice_is_created_once_when_its_page_is_opened() {
    let (shop, btcpay) = open();
    let customer = shop.customer(0);
    let (payment_id, invoice) = top_up(&shop, &btcpay, &customer).await;
    let path = format!("/pay/btcpay/{payment_id}");
    let page = shop.open_page(&path).await;
    assert_eq!(page.headers()["refresh"], "15");
    let page = page.text().await.expect("a page");
    for text in [
        "0.00050000 BTC",
        "address-of-BTC",
        "<figure role=\"img\"",
        "btc:address-of-BTC?amount=0.00050000",
        "$25.00",
        "Time left: 60 min",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let other = shop.open_page(&format!("{path}?method=USDT-TRON")).await.text().await.expect("a page");
    assert!(other.contains("25.00000000 USDT") && other.contains("?method=BTC-CHAIN"), "{other}");
    assert_eq!(btcpay.ids().len(), 1);
    let asked = btcpay.asked(&invoice);
    assert_eq!((&asked["amount"], &asked["currency"]), (&json!("25.00"), &json!("USD")));
    assert_eq!(asked["metadata"]["orderId"], json!(payment_id));
    assert_eq!(
        asked["checkout"]["expirationMinutes"], 60,
        "a top-up can be paid for a day, its rate is fixed for an hour"
    );
    assert_eq!(shop.open_page("/pay/btcpay/nobody").await.status(), 404);
}

#[actix_web::test]
async fn of_invoices_created_at_once_one_is_paid() {
    let (shop, btcpay) = open();
    let shop = Arc::new(shop);
    let customer = shop.customer(0);
    let body = json!({"Amount": "25", "PaymentMethod": "btcpay"});
    let path = shop.call(&customer, "Wallet/CreateTopUp", body).await.data["Payment"]["PayUrl"].clone();
    let path = path.as_str().expect("a path").to_owned();
    // The page fails as long as BTCPay Server does, and nothing is lost.
    btcpay.fails_with(&[502]);
    let failed = shop.open_page(&path).await;
    assert_eq!(failed.status(), 502);
    let failed = failed.text().await.expect("a page");
    assert!(failed.contains("Try again") && !failed.contains("hunter2"), "{failed}");
    let opened: Vec<_> = (0..6)
        .map(|_| {
            let (shop, path) = (shop.clone(), path.clone());
            actix_web::rt::spawn(async move { shop.open_page(&path).await.text().await.expect("a page") })
        })
        .collect();
    let mut checkouts = std::collections::BTreeSet::new();
    for page in opened {
        let page = page.await.expect("a page");
        let begin = page.find("/i/").expect("a link");
        checkouts.insert(page[begin..begin + 26].to_owned());
    }
    assert_eq!(checkouts.len(), 1, "{checkouts:?}");
}

#[actix_web::test]
async fn a_settled_invoice_is_credited_once() {
    let (shop, btcpay) = open();
    let customer = shop.customer(0);
    let (payment_id, invoice) = top_up(&shop, &btcpay, &customer).await;
    btcpay.receives(&invoice, 0, "0.0005");
    assert_eq!(send(&shop, btcpay.event("InvoiceReceivedPayment", &invoice)).await, "no_interest");
    assert_eq!(send(&shop, btcpay.event("InvoiceProcessing", &invoice)).await, "no_interest");
    let seen = shop.open_page(&format!("/pay/btcpay/{payment_id}")).await.text().await.expect("a page");
    assert!(seen.contains("waits for confirmations") && !seen.contains("<figure"), "{seen}");
    assert_eq!(
        (state(&shop, &customer, &payment_id).await.as_str(), shop.balance(&customer).await.as_str()),
        ("pending", "0.00")
    );
    btcpay.confirms(&invoice);
    assert_eq!(send(&shop, btcpay.event("InvoicePaymentSettled", &invoice)).await, "settle");
    assert_eq!(send(&shop, btcpay.event("InvoiceSettled", &invoice)).await, "repeat");
    assert_eq!(
        (state(&shop, &customer, &payment_id).await.as_str(), shop.balance(&customer).await.as_str()),
        ("succeeded", "25.00")
    );
    assert_eq!(
        redirect_of(&shop, &format!("/pay/btcpay/{payment_id}")).await,
        format!("/billing/wallet?PaymentId={payment_id}")
    );
    assert!(cases(&shop).await.is_empty());
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_lost_webhook_is_made_up_for_by_asking() {
    let (shop, btcpay) = open();
    let customer = shop.customer(0);
    let (payment_id, invoice) = top_up(&shop, &btcpay, &customer).await;
    btcpay.receives(&invoice, 1, "25");
    btcpay.confirms(&invoice);
    // BTCPay Server is down when the webhook comes: it is asked again by a job.
    btcpay.fails_with(&[503]);
    assert_eq!(send(&shop, btcpay.event("InvoiceSettled", &invoice)).await, "no_interest");
    assert_eq!(shop.balance(&customer).await, "0.00");
    shop.app.clock.advance(TimeDelta::minutes(1));
    shop.run_jobs().await;
    assert_eq!(
        (state(&shop, &customer, &payment_id).await.as_str(), shop.balance(&customer).await.as_str()),
        ("succeeded", "25.00")
    );
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_webhook_left_by_a_crash_has_its_payment_asked_about() {
    let (shop, btcpay) = open();
    let customer = shop.customer(0);
    let (_, invoice) = top_up(&shop, &btcpay, &customer).await;
    btcpay.expires(&invoice);
    assert_eq!(send(&shop, btcpay.event("InvoiceExpired", &invoice)).await, "fail");
    // Nobody polls the payment any more when its money comes.
    btcpay.receives(&invoice, 1, "25");
    btcpay.confirms(&invoice);
    let (body, signature) = btcpay.event("InvoicePaymentSettled", &invoice);
    let now = shop.app.clock.now();
    let store = |conn: &mut Conn| stored::store(conn, PaymentMethod::Btcpay, body.as_bytes(), &signature, "", now);
    shop.app.db.write_blocking(store).expect("a callback");
    shop.app.clock.advance(TimeDelta::minutes(1));
    for _ in 0..2 {
        shop.run_jobs().await;
    }
    assert_eq!(shop.balance(&customer).await, "25.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_address_of_a_payment_has_to_be_a_whole_one() {
    let (shop, btcpay) = open();
    let customer = shop.customer(0);
    let (payment_id, _) = top_up(&shop, &btcpay, &customer).await;
    for id in [
        "%00",
        "..%2f..%2fetc",
        "%ff",
        "a%27%20or%201=1",
        &payment_id[1..],
        &payment_id.to_lowercase(),
        &"x".repeat(4_000),
    ] {
        for page in
            ["pay/btcpay", "pay/epay", "pay/stripe", "pay/stripe/card", "pay/transfer", "sandbox/pay", "sandbox/card"]
        {
            let status = shop.open_page(&format!("/{page}/{id}")).await.status().as_u16();
            assert!([400, 404].contains(&status), "{page} {id}: {status}");
        }
    }
    assert_eq!(shop.open_page(&format!("/pay/epay/{payment_id}")).await.status(), 404, "of another gateway");
    assert_eq!(btcpay.ids().len(), 1);
}

#[actix_web::test]
async fn what_arrives_in_part_too_late_or_too_much_is_credited_and_becomes_a_case() {
    let (shop, btcpay) = open();
    let customer = shop.customer(0);
    // In part, then late.
    let (payment_id, invoice) = top_up(&shop, &btcpay, &customer).await;
    btcpay.receives(&invoice, 1, "10");
    btcpay.confirms(&invoice);
    assert_eq!(send(&shop, btcpay.event("InvoicePaymentSettled", &invoice)).await, "no_interest", "the rest may come");
    btcpay.expires(&invoice);
    assert_eq!(send(&shop, btcpay.event("InvoiceExpired", &invoice)).await, "settle");
    assert_eq!(
        (state(&shop, &customer, &payment_id).await.as_str(), shop.balance(&customer).await.as_str()),
        ("succeeded", "10.00")
    );
    assert_eq!(cases(&shop).await, [("25.00".to_owned(), "10.00".to_owned())]);
    btcpay.receives(&invoice, 0, "0.0003");
    assert_eq!(send(&shop, btcpay.event("InvoicePaymentSettled", &invoice)).await, "repeat", "not confirmed yet");
    btcpay.confirms(&invoice);
    for verdict in ["credit_wallet", "repeat"] {
        assert_eq!(send(&shop, btcpay.event("InvoicePaymentSettled", &invoice)).await, verdict);
    }
    assert_eq!(shop.balance(&customer).await, "25.00");
    // Too much.
    let other = shop.customer(0);
    let (_, invoice) = top_up(&shop, &btcpay, &other).await;
    btcpay.receives(&invoice, 1, "30.5");
    btcpay.confirms(&invoice);
    assert_eq!(send(&shop, btcpay.event("InvoiceSettled", &invoice)).await, "settle");
    assert_eq!(shop.balance(&other).await, "30.50");
    assert!(cases(&shop).await.contains(&("25.00".to_owned(), "30.50".to_owned())));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_invoice_that_expires_or_is_invalid_costs_nothing() {
    let (shop, btcpay) = open();
    let customer = shop.customer(0);
    let (payment_id, invoice) = top_up(&shop, &btcpay, &customer).await;
    btcpay.expires(&invoice);
    assert_eq!(send(&shop, btcpay.event("InvoiceExpired", &invoice)).await, "fail");
    assert_eq!(state(&shop, &customer, &payment_id).await, "failed");
    // All of it arrives later.
    btcpay.receives(&invoice, 1, "25");
    btcpay.confirms(&invoice);
    assert_eq!(send(&shop, btcpay.event("InvoicePaymentSettled", &invoice)).await, "settle");
    assert_eq!(shop.balance(&customer).await, "25.00");
    let (payment_id, invoice) = top_up(&shop, &btcpay, &customer).await;
    btcpay.receives(&invoice, 0, "0.0005");
    btcpay.loses(&invoice);
    btcpay.marks(&invoice, "Invalid");
    assert_eq!(send(&shop, btcpay.event("InvoiceInvalid", &invoice)).await, "fail");
    assert_eq!(
        (state(&shop, &customer, &payment_id).await.as_str(), shop.balance(&customer).await.as_str()),
        ("failed", "25.00")
    );
    // The seller marks it as settled after all.
    btcpay.marks(&invoice, "Settled");
    assert_eq!(send(&shop, btcpay.event("InvoiceSettled", &invoice)).await, "settle");
    assert_eq!(shop.balance(&customer).await, "50.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_order_is_delivered_when_its_invoice_settles_and_otherwise_the_wallet_has_the_money() {
    let (shop, btcpay) = open();
    shop.stock("US", "new-york", 3);
    for (arrives, state, balance) in
        [("5", "fulfilled", "0.00"), ("4.99", "unpaid", "4.99"), ("6", "fulfilled", "1.00")]
    {
        let customer = shop.customer(0);
        let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await.data;
        let pay = json!({"OrderId": order["OrderId"], "PaymentMethod": "btcpay"});
        let paying = shop.call(&customer, "Order/PayOrder", pay).await.data;
        let path = paying["Payment"]["PayUrl"].as_str().expect("a path").to_owned();
        assert_eq!(shop.open_page(&path).await.status(), 200);
        let invoice = btcpay.ids().pop().expect("an invoice");
        assert_eq!(btcpay.asked(&invoice)["checkout"]["expirationMinutes"], 15, "no longer than the hold");
        btcpay.receives(&invoice, 1, arrives);
        btcpay.confirms(&invoice);
        if arrives == "4.99" {
            btcpay.expires(&invoice);
        }
        send(&shop, btcpay.event("InvoicePaymentSettled", &invoice)).await;
        let found = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order["OrderId"]})).await.data;
        assert_eq!(
            (found["State"].as_str(), shop.balance(&customer).await.as_str()),
            (Some(state), balance),
            "{arrives}"
        );
    }
    assert_eq!(cases(&shop).await.len(), 2);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn webhooks_of_others_are_refused() {
    let (shop, btcpay) = open();
    let customer = shop.customer(0);
    let (_, invoice) = top_up(&shop, &btcpay, &customer).await;
    btcpay.receives(&invoice, 1, "25");
    btcpay.confirms(&invoice);
    let (body, signature) = btcpay.event("InvoiceSettled", &invoice);
    let metadata = btcpay.asked(&invoice)["metadata"].clone();
    let with = |name: &str, value: Value| {
        let mut metadata = metadata.clone();
        metadata[name] = value;
        btcpay.event_of("InvoiceSettled", &invoice, STORE, metadata)
    };
    for (event, verdict) in [
        ((body.clone(), String::new()), "bad_signature"),
        ((body.clone(), sign("another", &body)), "bad_signature"),
        ((format!("{body} "), signature), "bad_signature"),
        (btcpay.event_of("InvoiceSettled", &invoice, "another", metadata.clone()), "wrong_merchant"),
        (with("shop", json!("another")), "wrong_merchant"),
        (with("orderId", json!("nobody")), "unknown_payment"),
        (btcpay.event_of("InvoiceSettled", "__test__", STORE, Value::Null), "wrong_merchant"),
        (("[]".to_owned(), sign(WEBHOOK_SECRET, "[]")), "no_interest"),
    ] {
        assert_eq!(send(&shop, event).await, verdict);
    }
    assert_eq!(shop.balance(&customer).await, "0.00");
    let by_get = shop.open_page("/gateway/callback/btcpay?a=b").await;
    assert_eq!(by_get.status(), 404);
}

/// What BTCPay Server says of a payment now.
async fn answer(shop: &Shop, payment_id: &str) -> (PaymentRow, Polled) {
    let read = |conn: &mut Conn| payments::by_public_id(conn, payment_id);
    let payment = shop.app.db.read_blocking(read).ok().flatten().expect("a payment");
    let gateway = of_method(PaymentMethod::Btcpay).expect("a gateway");
    let polled = gateway.query(&shop.app, &payment).await.ok().flatten().expect("an answer");
    (payment, polled)
}

#[actix_web::test]
async fn an_answer_that_is_applied_late_undoes_nothing_that_was_said_later() {
    let (shop, btcpay) = open();
    let customer = shop.customer(0);
    let (payment_id, invoice) = top_up(&shop, &btcpay, &customer).await;
    btcpay.receives(&invoice, 1, "25.00");
    btcpay.confirms(&invoice);
    send(&shop, btcpay.event("InvoiceSettled", &invoice)).await;
    for (mark, event, before, after) in
        [("Invalid", "InvoiceInvalid", "25.00", "0.00"), ("Settled", "InvoiceSettled", "0.00", "25.00")]
    {
        // The webhook's question fails while an earlier one is being answered.
        let (payment, late) = answer(&shop, &payment_id).await;
        btcpay.marks(&invoice, mark);
        btcpay.fails_with(&[503]);
        send(&shop, btcpay.event(event, &invoice)).await;
        settle_polled(&shop.app, payment, late).await.expect("settled");
        assert_eq!(shop.balance(&customer).await, before, "{mark}");
        shop.run_jobs().await;
        assert_eq!(shop.balance(&customer).await, after, "{mark}");
        // The earlier answer is applied last.
        let other = if mark == "Invalid" { "Settled" } else { "Invalid" };
        btcpay.marks(&invoice, other);
        let (payment, late) = answer(&shop, &payment_id).await;
        btcpay.marks(&invoice, mark);
        settle_polled(&shop.app, payment, late).await.expect("settled");
        assert_eq!(shop.balance(&customer).await, before, "{mark}");
        shop.run_jobs().await;
        assert_eq!(shop.balance(&customer).await, after, "{mark}");
    }
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_gateway_that_does_not_answer_about_an_old_payment_is_asked_again() {
    let (shop, btcpay) = open();
    let customer = shop.customer(0);
    let (_, invoice) = top_up(&shop, &btcpay, &customer).await;
    btcpay.receives(&invoice, 1, "25.00");
    btcpay.confirms(&invoice);
    send(&shop, btcpay.event("InvoiceSettled", &invoice)).await;
    shop.app.clock.advance(TimeDelta::days(5));
    btcpay.marks(&invoice, "Invalid");
    btcpay.fails_with(&[503; 20]);
    send(&shop, btcpay.event("InvoiceInvalid", &invoice)).await;
    assert!(jobs::round(&shop.app).await.iter().any(|(_, result)| result.is_err()));
    let customer = shop.signs_in(&customer);
    assert_eq!(shop.balance(&customer).await, "25.00");
    btcpay.fails_with(&[]);
    shop.run_jobs().await;
    assert_eq!(shop.balance(&customer).await, "25.00");
    shop.app.clock.advance(TimeDelta::hours(6));
    shop.run_jobs().await;
    assert_eq!(shop.balance(&customer).await, "0.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn what_turns_out_to_be_invalid_is_taken_back_and_can_be_valid_again() {
    let (shop, btcpay) = open();
    let customer = shop.customer(0);
    let (_, invoice) = top_up(&shop, &btcpay, &customer).await;
    btcpay.receives(&invoice, 1, "25.00");
    btcpay.confirms(&invoice);
    send(&shop, btcpay.event("InvoiceSettled", &invoice)).await;
    assert_eq!(shop.balance(&customer).await, "25.00");
    btcpay.marks(&invoice, "Invalid");
    for _ in 0..2 {
        send(&shop, btcpay.event("InvoiceInvalid", &invoice)).await;
        assert_eq!(shop.balance(&customer).await, "0.00");
    }
    assert_eq!(cases_of(&shop, "Kind", "Credited").await, [("invalidated".to_owned(), "0.00".to_owned())]);
    btcpay.marks(&invoice, "Settled");
    send(&shop, btcpay.event("InvoiceSettled", &invoice)).await;
    assert_eq!(shop.balance(&customer).await, "25.00");
    shop.ledger_adds_up();
}
