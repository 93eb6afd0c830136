//! Money that gateways take back: refunds made there, disputes won and lost, in any order, and what follows for wallets, sales and commissions.
use crate::carriers::Carrier;
use crate::shop::{Customer, Shop, order_for};
use chrono::TimeDelta;
use postern_core::event::EventKind;
use postern_core::ledger::Book;
use postern_core::payment_return::ReturnKind;
use postern_server::charges::arrivals;
use postern_server::charges::payments::by_public_id;
use postern_server::db::prelude::*;
use postern_server::returns::{rows, send};
use postern_server::schema::{commissions, ledger_entries, ledger_transactions};
use serde_json::{Value, json};

/// Begins a top-up; returns the payment's id.
async fn begins(shop: &Shop, customer: &Customer, amount: &str) -> String {
    let body = json!({"Amount": amount, "PaymentMethod": "sandbox"});
    let started = shop.call(customer, "Wallet/CreateTopUp", body).await;
    assert_eq!(started.code, 1000, "{started:?}");
    started.data["Payment"]["PaymentId"].as_str().expect("an id").to_owned()
}

/// The sandbox reports what has arrived for a payment, and what it took back.
async fn reports(shop: &Shop, payment_id: &str, amount: &str, returns: Value) {
    let merchant = postern_server::gateways::merchant(&shop.app.key);
    let body = json!({
        "Merchant": merchant, "PaymentId": payment_id, "Outcome": if amount == "0.00" { "declined" } else { "approved" },
        "Amount": amount, "Currency": "USD", "Returns": returns,
    });
    let signature = shop.app.key.sign("sandbox callbacks", body.to_string().as_bytes());
    let sent = shop.post_raw("/gateway/callback/sandbox", body.to_string(), &[("Sandbox-Signature", &signature)]).await;
    assert_eq!(sent.status(), 200);
}

fn returned(reference: &str, kind: &str, state: &str, amount: &str) -> Value {
    json!({"Reference": reference, "Kind": kind, "State": state, "Amount": amount})
}

/// Balance, what is owed, and whether proxies are paused.
async fn wallet(shop: &Shop, customer: &Customer) -> (String, String, bool) {
    let wallet = shop.call(customer, "User/GetWallet", json!({})).await.data;
    let text = |name: &str| wallet[name].as_str().expect("an amount").to_owned();
    (text("WalletBalance"), text("Owed"), wallet["AreProxiesPaused"] == true)
}

fn has(balance: &str, owed: &str, is_paused: bool) -> (String, String, bool) {
    (balance.to_owned(), owed.to_owned(), is_paused)
}

/// Presses a button of the sandbox's page.
async fn press(shop: &Shop, payment_id: &str, button: &'static str) {
    let pressed = shop.post_form(&format!("/sandbox/pay/{payment_id}"), button).await;
    assert_eq!(pressed.status(), 303, "{button}");
}

/// A customer who topped up 25.00 and bought a node for 5.00.
async fn buyer(shop: &Shop) -> (Customer, String) {
    shop.stock("US", "new-york", 5);
    let customer = shop.customer(0);
    let payment_id = begins(shop, &customer, "25").await;
    press(shop, &payment_id, "action=approve").await;
    shop.buys(&customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    assert_eq!(wallet(shop, &customer).await, has("20.00", "0.00", false));
    (customer, payment_id)
}

async fn listed(shop: &Shop) -> Vec<Value> {
    let rows = shop.call(&shop.operator(), "Operator/GetPaymentReturnList", json!({})).await.data["Rows"].clone();
    rows.as_array().expect("rows").clone()
}

async fn cases(shop: &Shop) -> Vec<String> {
    let open = json!({"Filter": {"IsOpen": true}});
    let rows = shop.call(&shop.operator(), "Operator/GetPaymentCaseList", open).await.data["Rows"].clone();
    rows.as_array().expect("rows").iter().map(|row| row["Kind"].as_str().expect("a kind").to_owned()).collect()
}

#[actix_web::test]
async fn a_dispute_takes_the_money_blocks_buying_and_is_won() {
    let shop = Shop::open();
    let operator = shop.operator();
    let (customer, payment_id) = buyer(&shop).await;
    press(&shop, &payment_id, "action=dispute").await;
    assert_eq!(wallet(&shop, &customer).await, has("0.00", "5.00", true));
    let transactions = shop.call(&customer, "Wallet/GetTransactionList", json!({})).await.data["Rows"].clone();
    let shown =
        |row: &Value| format!("{} {}", row["Kind"].as_str().unwrap_or(""), row["Amount"].as_str().unwrap_or(""));
    assert_eq!((shown(&transactions[0]), shown(&transactions[1])), ("taken_back -25.00".into(), "owed 5.00".into()));
    for (call, body) in [
        ("Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")),
        ("Order/CreateOrder", {
            let mut order = order_for(&[("US", "new-york", 1)], "5.00");
            order["PayFromWallet"] = true.into();
            order
        }),
    ] {
        let refused = shop.call(&customer, call, body).await;
        assert_eq!((refused.code, &refused.data["Key"]), (3333, &json!("walletOwes")), "{refused:?}");
        assert_eq!(refused.data["Owed"], "$5.00");
    }
    let row = listed(&shop).await.remove(0);
    for (name, value) in [
        ("Kind", "dispute"),
        ("State", "open"),
        ("Gateway", "sandbox"),
        ("PaymentId", payment_id.as_str()),
        ("Email", customer.email.as_str()),
        ("Taken", "25.00"),
        ("Reported", "25.00"),
        ("Owed", "5.00"),
    ] {
        assert_eq!(row[name], value, "{name}: {row}");
    }
    assert_eq!(cases(&shop).await, ["disputed"]);
    shop.run_jobs().await;
    assert!(shop.last_mail_about(&customer.email, "payment of").is_some());
    assert!(shop.last_mail_about(&operator.email, "payment of").is_some());
    assert_eq!(shop.events_of(&customer, EventKind::PaymentTakenBack)[0]["Owed"], "5.00");
    let detail = shop.call(&operator, "Operator/GetAccount", json!({"AccountId": customer.account_id})).await.data;
    assert_eq!(detail["Owed"], "5.00");
    let evidence = shop.download_bytes(&operator, "Operator/GetDisputeEvidence", json!({"ReturnId": row["ReturnId"]}));
    assert!(evidence.await.starts_with(b"%PDF"));
    let unknown = shop.call(&operator, "Operator/GetDisputeEvidence", json!({"ReturnId": 999})).await;
    assert_eq!(unknown.code, 3004);
    let refused = shop.call(&customer, "Operator/GetDisputeEvidence", json!({"ReturnId": row["ReturnId"]})).await;
    assert_eq!(refused.code, 3003);

    press(&shop, &payment_id, "action=win").await;
    assert_eq!(wallet(&shop, &customer).await, has("20.00", "0.00", false));
    let row = listed(&shop).await.remove(0);
    assert_eq!((&row["State"], &row["Taken"]), (&json!("undone"), &json!("0.00")));
    assert_eq!(cases(&shop).await, ["dispute_won", "disputed"]);
    assert_eq!(shop.events_of(&customer, EventKind::PaymentGivenBack)[0]["Amount"], "25.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn what_is_owed_is_paid_by_whatever_comes_in_first() {
    let shop = Shop::open();
    let (customer, payment_id) = buyer(&shop).await;
    press(&shop, &payment_id, "action=refund").await;
    // A second time is not possible.
    press(&shop, &payment_id, "action=dispute").await;
    assert_eq!(wallet(&shop, &customer).await, has("0.00", "5.00", true));
    assert_eq!(cases(&shop).await, ["refunded_elsewhere"]);
    let operator = shop.operator();
    let credit =
        json!({"AccountId": customer.account_id, "Adjustment": "goodwill", "Amount": "2.00", "Reason": "a start"});
    assert_eq!(shop.call(&operator, "Operator/AdjustWallet", credit).await.code, 1000);
    assert_eq!(wallet(&shop, &customer).await, has("0.00", "3.00", true));
    let second = begins(&shop, &customer, "10").await;
    press(&shop, &second, "action=approve").await;
    assert_eq!(wallet(&shop, &customer).await, has("7.00", "0.00", false));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_order_paid_while_its_customer_owes_pays_the_debt_first() {
    let shop = Shop::open();
    let (customer, payment_id) = buyer(&shop).await;
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await.data;
    let pay = json!({"OrderId": order["OrderId"], "PaymentMethod": "sandbox"});
    let started = shop.call(&customer, "Order/PayOrder", pay.clone()).await.data;
    let second = started["Payment"]["PaymentId"].as_str().expect("an id").to_owned();
    press(&shop, &payment_id, "action=refund").await;
    assert_eq!(shop.call(&customer, "Order/PayOrder", pay).await.data["Key"], "walletOwes");
    press(&shop, &second, "action=approve").await;
    assert_eq!(wallet(&shop, &customer).await, has("0.00", "0.00", false));
    let order = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order["OrderId"]})).await.data;
    assert_eq!(order["State"], "unpaid", "the money paid the debt");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_loss_takes_back_the_commission_and_a_commission_waits_while_its_customer_owes() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 5);
    let referrer = shop.customer(0);
    let customer = shop.customer_invited_by(&shop.invite_code_of(&referrer), "198.51.100.9", 0);
    let payment_id = begins(&shop, &customer, "5").await;
    press(&shop, &payment_id, "action=approve").await;
    shop.buys(&customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    let states = || {
        let all = |conn: &mut postern_server::db::Conn| {
            Ok(commissions::table.select((commissions::state, commissions::amount_minor)).load(conn)?)
        };
        let rows: Vec<(postern_core::referral::CommissionState, i64)> =
            shop.app.db.read_blocking(all).expect("commissions");
        rows.into_iter().map(|(state, amount)| (state.as_str(), amount)).collect::<Vec<_>>()
    };
    press(&shop, &payment_id, "action=dispute").await;
    shop.app.clock.advance(TimeDelta::days(31));
    shop.run_jobs().await;
    assert_eq!(states(), [("pending", 50)], "it waits while the dispute is open");
    press(&shop, &payment_id, "action=lose").await;
    assert_eq!(states(), [("taken_back", 0)]);
    assert_eq!(wallet(&shop, &shop.signs_in(&customer)).await.1, "5.00");
    assert_eq!(cases(&shop).await, ["dispute_lost", "disputed"]);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn what_was_bought_ends_if_the_seller_wants_that() {
    let shop = Shop::open_with(&[("POSTERN_WHEN_OWED", "end")]);
    let (customer, payment_id) = buyer(&shop).await;
    press(&shop, &payment_id, "action=dispute").await;
    assert_eq!(wallet(&shop, &customer).await, has("0.00", "5.00", false));
    shop.run_jobs().await;
    // Nothing of the proxy was used, so it pays the whole debt.
    assert_eq!(wallet(&shop, &customer).await, has("0.00", "0.00", false));
    assert!(shop.nodes_of(&customer).await.is_empty());
    let orders = shop.call(&customer, "Order/GetOrderList", json!({"Filter": {"Kind": "purchase"}})).await.data;
    let order = &orders["Rows"][0];
    assert_eq!((&order["State"], &order["Refunded"]), (&json!("refunded"), &json!("5.00")));
    press(&shop, &payment_id, "action=win").await;
    assert_eq!(wallet(&shop, &customer).await, has("25.00", "0.00", false));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn proxies_go_on_if_the_seller_wants_that() {
    let shop = Shop::open_with(&[("POSTERN_WHEN_OWED", "keep")]);
    let (customer, payment_id) = buyer(&shop).await;
    press(&shop, &payment_id, "action=refund").await;
    shop.run_jobs().await;
    assert_eq!(wallet(&shop, &customer).await, has("0.00", "5.00", false));
    assert_eq!(shop.nodes_of(&customer).await.len(), 1);
}

/// What the gateway's book has from a payment.
fn booked(shop: &Shop, payment_id: &str) -> i64 {
    let sum = |conn: &mut postern_server::db::Conn| {
        let payment = by_public_id(conn, payment_id)?.expect("a payment");
        let returns: Vec<i64> = rows::of_payment(conn, payment.id)?.iter().map(|row| row.id).collect();
        let entries: Vec<(String, i64)> = ledger_transactions::table
            .inner_join(ledger_entries::table.on(ledger_entries::transaction_id.eq(ledger_transactions::id)))
            .filter(ledger_entries::book.eq(Book::Gateway))
            .select((ledger_transactions::reference, ledger_entries::amount_minor))
            .load(conn)?;
        let is_own = |reference: &str| {
            arrivals::id_of_reference(reference) == Some(payment.id)
                || rows::id_of_reference(reference).is_some_and(|id| returns.contains(&id))
        };
        Ok(entries.iter().filter(|(reference, _)| is_own(reference)).map(|(_, amount)| -amount).sum())
    };
    shop.app.db.read_blocking(sum).expect("a sum")
}

/// The shop's id of the refund that it made of a payment.
fn sent_by_shop(shop: &Shop, payment_id: &str) -> String {
    let found = shop.app.db.read_blocking(|conn| {
        let payment = by_public_id(conn, payment_id)?.expect("a payment");
        rows::of_payment(conn, payment.id)
    });
    let mut rows = found.expect("returns").into_iter();
    rows.find(|row| row.kind == ReturnKind::ByShop).expect("a refund").reference
}

/// What a gateway says of one payment as time goes by: what has arrived, and what it took back. The customer pays twice, one part is refunded, another
/// refund fails, and a dispute is lost.
fn history() -> Vec<(&'static str, Value)> {
    let part = |state| returned("re_1", "refund", state, "10.00");
    let failed = |state| returned("re_2", "refund", state, "4.00");
    let dispute = |state| returned("dp_1", "dispute", state, "12.00");
    vec![
        ("0.00", json!([])),
        ("15.00", json!([])),
        ("25.00", json!([part("open")])),
        ("25.00", json!([part("final"), failed("final"), dispute("open")])),
        ("30.00", json!([part("final"), failed("undone"), dispute("final")])),
    ]
}

/// All orders of the numbers up to `count`.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(count - 1);
    let at_each_place = |order: &Vec<usize>| {
        (0..count).map(|place| [&order[..place], &[count - 1], &order[place..]].concat()).collect::<Vec<_>>()
    };
    shorter.iter().flat_map(at_each_place).collect()
}

#[actix_web::test]
async fn in_whatever_order_reports_come_the_books_have_what_the_gateway_holds() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 200);
    let operator = shop.operator();
    let history = history();
    let mut random = fastrand::Rng::with_seed(7);
    let mut refunded = 0;
    for (number, order) in permutations(history.len()).into_iter().enumerate() {
        let customer = shop.customer(0);
        let payment_id = begins(&shop, &customer, "25").await;
        let orders = shop.call(&customer, "Order/GetOrderList", json!({})).await.data;
        let top_up = orders["Rows"][0]["OrderNumber"].clone();
        let mut sent = None;
        for place in order.iter().chain(&[order[number % order.len()]]) {
            let (amount, returns) = history[*place].clone();
            reports(&shop, &payment_id, amount, returns).await;
            // What customers and operators do meanwhile changes nothing for the payment.
            match random.u8(..4) {
                0 => {
                    let mut order = order_for(&[("US", "new-york", 1)], "5.00");
                    order["PayFromWallet"] = true.into();
                    shop.call(&customer, "Order/CreateOrder", order).await;
                }
                1 => {
                    let kind = if random.bool() { "goodwill" } else { "correction" };
                    let adjust = json!({
                        "AccountId": customer.account_id, "Adjustment": kind, "Amount": "3.00", "Reason": "a change",
                    });
                    shop.call(&operator, "Operator/AdjustWallet", adjust).await;
                }
                // The shop refunds a part itself, if the gateway has it.
                2 if sent.is_none() => {
                    let refund = json!({"OrderNumber": top_up, "Amount": "3.00", "ToSource": true, "Reason": "a part"});
                    if shop.call(&operator, "Operator/RefundOrder", refund).await.code == 1000 {
                        send::send_due(&shop.app).await.expect("a sandbox");
                        sent = Some(sent_by_shop(&shop, &payment_id));
                    }
                }
                _ => {}
            }
        }
        let mut expected = 800;
        if let Some(reference) = sent {
            refunded += 1;
            let made = |state| returned(&reference, "refund", state, "3.00");
            let states: &[&str] =
                [&["open"][..], &["final"], &["undone"], &["final", "undone"], &["undone", "final"]][random.usize(..5)];
            for state in states.iter().chain(&states[..1]) {
                reports(&shop, &payment_id, "25.00", json!([made(state)])).await;
            }
            expected -= if states.contains(&"undone") { 0 } else { 300 };
        }
        // 30.00 arrived, 10.00 and 12.00 were taken back for good.
        assert_eq!(booked(&shop, &payment_id), expected, "{order:?}");
    }
    assert!(refunded > 10, "only {refunded} refunds by the shop");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn no_more_is_taken_than_was_credited_and_other_currencies_are_refused() {
    let shop = Shop::open();
    let customer = shop.customer(100);
    let payment_id = begins(&shop, &customer, "25").await;
    let claims = json!([
        returned("re_1", "refund", "final", "20.00"),
        returned("dp_1", "dispute", "open", "25.00"),
        returned("re_2", "refund", "final", "-3.00"),
        returned("re_3", "refund", "undone", "3.00"),
        // The same twice in one report.
        returned("re_1", "refund", "final", "20.00"),
    ]);
    reports(&shop, &payment_id, "25.00", claims.clone()).await;
    assert_eq!(wallet(&shop, &customer).await, has("1.00", "0.00", false));
    assert_eq!(listed(&shop).await.len(), 3);
    reports(&shop, &payment_id, "25.00", claims).await;
    assert_eq!((booked(&shop, &payment_id), listed(&shop).await.len()), (0, 3));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn proxies_of_a_customer_who_owes_are_refused_until_the_debt_is_paid() {
    let shop = Shop::open();
    let carrier = Carrier::registers(&shop, "Static", "static").await;
    let (customer, payment_id) = buyer(&shop).await;
    let node = shop.nodes_of(&customer).await.remove(0);
    let connection = json!({
        "Ip": node["Ip"], "UserName": node["UserName"], "Password": node["Password"], "ClientAddress": "203.0.113.5",
    });
    shop.refreshes_access().await;
    assert_eq!(carrier.refuses(connection.clone()).await, None);
    press(&shop, &payment_id, "action=dispute").await;
    shop.refreshes_access().await;
    assert_eq!(carrier.refuses(connection.clone()).await.as_deref(), Some("suspended"));
    let second = begins(&shop, &customer, "5").await;
    press(&shop, &second, "action=approve").await;
    shop.refreshes_access().await;
    assert_eq!(carrier.refuses(connection).await, None);
}
