//! Top-ups and callbacks: lost, repeated, late, forged.
use crate::shop::{Customer, Shop, clients, order_for};
use chrono::TimeDelta;
use diesel::connection::SimpleConnection;
use postern_core::order::{PaymentMethod, Verdict};
use postern_server::db::prelude::*;
use postern_server::gateways::merchant;
use postern_server::payments::stored;
use postern_server::schema::{gateway_callbacks, ledger_transactions};
use postern_server::wallet::verify::verify;
use serde_json::{Value, json};
use std::sync::Arc;

async fn top_up(shop: &Shop, customer: &Customer, amount: &str) -> (String, String) {
    let answer = shop.call(customer, "Wallet/CreateTopUp", json!({"Amount": amount, "PaymentMethod": "sandbox"})).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    let payment = &answer.data["Payment"];
    (
        payment["PaymentId"].as_str().unwrap_or_default().to_owned(),
        payment["PayUrl"].as_str().unwrap_or_default().to_owned(),
    )
}

fn verdicts(shop: &Shop) -> Vec<Option<String>> {
    let query = gateway_callbacks::table.order(gateway_callbacks::id).select(gateway_callbacks::verdict);
    let verdicts = shop.app.db.read_blocking(|conn| Ok(query.load::<Option<Verdict>>(conn)?)).expect("verdicts");
    verdicts.into_iter().map(|verdict| verdict.map(|verdict| verdict.as_str().to_owned())).collect()
}

fn ledger_rows(shop: &Shop) -> i64 {
    shop.app.db.read_blocking(|conn| Ok(ledger_transactions::table.count().get_result(conn)?)).expect("a number")
}

fn signed(shop: &Shop, payment_id: &str, amount: &str, currency: &str) -> (String, String) {
    signed_outcome(shop, payment_id, "approved", amount, currency)
}

fn signed_outcome(shop: &Shop, payment_id: &str, outcome: &str, amount: &str, currency: &str) -> (String, String) {
    let report = json!({"PaymentId": payment_id, "Outcome": outcome, "Amount": amount, "Currency": currency});
    signed_for(shop, &merchant(&shop.app.key), report)
}

fn signed_for(shop: &Shop, merchant: &str, mut report: Value) -> (String, String) {
    report["Merchant"] = merchant.into();
    let body = report.to_string();
    let signature = shop.app.key.sign("sandbox callbacks", body.as_bytes());
    (body, signature)
}

#[actix_web::test]
async fn amounts_outside_the_limits_are_refused_at_the_field() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    for (amount, rule) in [("", "required"), ("x", "amount"), ("4.99", "amountMin"), ("10000.01", "amountMax")] {
        let answer =
            shop.call(&customer, "Wallet/CreateTopUp", json!({"Amount": amount, "PaymentMethod": "sandbox"})).await;
        assert_eq!((answer.code, &answer.data["Fields"]["Amount"][0]["Rule"]), (2001, &json!(rule)), "{amount}");
    }
    for method in ["wallet", "stripe", "cash"] {
        let answer = shop.call(&customer, "Wallet/CreateTopUp", json!({"Amount": "50", "PaymentMethod": method})).await;
        assert!(answer.data["Fields"]["PaymentMethod"].is_array(), "{method}");
    }
}

#[actix_web::test]
async fn an_approved_top_up_is_credited_once_despite_repeats() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (payment_id, pay_url) = top_up(&shop, &customer, "100").await;
    let response = shop.post_form(&pay_url, "action=approve").await;
    assert_eq!(response.status(), 303);
    assert_eq!(response.headers()["location"], format!("/billing/wallet?PaymentId={payment_id}"));
    shop.post_form(&pay_url, "action=approve").await;
    shop.post_form(&pay_url, "action=decline").await;
    assert_eq!(shop.balance(&customer).await, "100.00");
    let list = shop.call(&customer, "Wallet/GetTransactionList", json!({})).await;
    assert_eq!((&list.data["Total"], &list.data["Rows"][0]["Kind"]), (&json!(1), &json!("top_up")));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn the_check_of_the_books_compares_each_payment_with_what_came_in() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (_, pay_url) = top_up(&shop, &customer, "100").await;
    shop.post_form(&pay_url, "action=approve").await;
    for (change, problem) in [
        ("UPDATE payment_arrivals SET credited_minor = 9999", Some("payment 1 of 99.99 succeeded, and 100.00 came in")),
        ("UPDATE payment_arrivals SET credited_minor = 10000", None),
        // As a version without arrivals settled it.
        ("DELETE FROM payment_arrivals", None),
        ("UPDATE payments SET amount_minor = 9999", Some("payment 1 of 99.99 succeeded, and 100.00 came in")),
        ("UPDATE payments SET amount_minor = 10000", None),
        (
            "UPDATE payments SET state = 'failed'",
            Some("100.00 came in as \"payment 1 received\", which did not succeed"),
        ),
    ] {
        shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(change)?)).expect("a change");
        let found = shop.app.db.read_blocking(verify).expect("a verification");
        assert_eq!(found.problems, Vec::from_iter(problem), "{change}");
    }
}

#[actix_web::test]
async fn a_declined_top_up_changes_nothing() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (payment_id, pay_url) = top_up(&shop, &customer, "100.00").await;
    shop.post_form(&pay_url, "action=decline").await;
    let payment = shop.call(&customer, "Order/GetPayment", json!({"PaymentId": payment_id})).await;
    assert_eq!((&payment.data["State"], shop.balance(&customer).await.as_str()), (&json!("failed"), "0.00"));
}

#[actix_web::test]
async fn a_lost_callback_is_settled_by_polling() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (payment_id, pay_url) = top_up(&shop, &customer, "40").await;
    shop.post_form(&pay_url, "action=lost").await;
    assert_eq!(shop.balance(&customer).await, "0.00");
    let payment = shop.call(&customer, "Order/GetPayment", json!({"PaymentId": payment_id})).await;
    assert_eq!((&payment.data["State"], shop.balance(&customer).await.as_str()), (&json!("succeeded"), "40.00"));

    let (_, pay_url) = top_up(&shop, &customer, "60").await;
    shop.post_form(&pay_url, "action=lost").await;
    shop.app.clock.advance(TimeDelta::seconds(20));
    shop.run_jobs().await;
    assert_eq!(shop.balance(&customer).await, "100.00", "nobody has to come back to the screen");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn after_a_declined_card_polling_continues() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (payment_id, pay_url) = top_up(&shop, &customer, "40").await;
    // The first card is declined and reported; the second one is accepted, but its callback is lost.
    let (body, signature) = signed_outcome(&shop, &payment_id, "declined", "40.00", "USD");
    shop.post_raw("/gateway/callback/sandbox", body, &[("Sandbox-Signature", &signature)]).await;
    let payment = json!({"PaymentId": payment_id});
    shop.post_form(&pay_url, "action=lost").await;
    shop.app.clock.advance(TimeDelta::seconds(20));
    shop.run_jobs().await;
    assert_eq!(shop.balance(&customer).await, "40.00");
    assert_eq!(shop.call(&customer, "Order/GetPayment", payment).await.data["State"], "succeeded");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn concurrent_callbacks_and_polls_create_one_entry() {
    let shop = Arc::new(Shop::open());
    let customer = shop.customer(0);
    let (payment_id, pay_url) = top_up(&shop, &customer, "25").await;
    shop.post_form(&pay_url, "action=lost").await;
    let (body, signature) = signed(&shop, &payment_id, "25.00", "USD");
    let mut tasks = Vec::new();
    for index in 0..50 {
        let (shop, customer, body, signature, payment_id) =
            (shop.clone(), customer.clone(), body.clone(), signature.clone(), payment_id.clone());
        tasks.push(actix_web::rt::spawn(async move {
            if index % 10 == 0 {
                shop.call(&customer, "Order/GetPayment", json!({"PaymentId": payment_id})).await;
            }
            shop.post_raw("/gateway/callback/sandbox", body, &[("Sandbox-Signature", &signature)])
                .await
                .status()
                .as_u16()
        }));
    }
    for task in tasks {
        assert_eq!(task.await.expect("a status"), 200);
    }
    assert_eq!((shop.balance(&customer).await.as_str(), ledger_rows(&shop)), ("25.00", 1));
    assert_eq!(verdicts(&shop).len(), 50, "every callback is stored");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn forged_and_wrong_callbacks_are_stored_and_refused() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (payment_id, _) = top_up(&shop, &customer, "25").await;
    let (good_body, _) = signed(&shop, &payment_id, "25.00", "USD");
    let (less, less_signature) = signed(&shop, &payment_id, "0.00", "USD");
    let (other, other_signature) = signed(&shop, &payment_id, "25.00", "CNY");
    let (unknown, unknown_signature) = signed(&shop, "nobody's", "25.00", "USD");
    let good = serde_json::from_str(&good_body).expect("a report");
    let (elsewhere, elsewhere_signature) = signed_for(&shop, "another shop", good);
    for (body, signature, status) in [
        (good_body.clone(), "00".to_owned(), 400),
        (good_body, String::new(), 400),
        (less, less_signature, 200),
        (other, other_signature, 200),
        (unknown, unknown_signature, 200),
        (elsewhere, elsewhere_signature, 200),
        ("not json".to_owned(), shop.app.key.sign("sandbox callbacks", b"not json"), 200),
    ] {
        let sent = shop.post_raw("/gateway/callback/sandbox", body, &[("Sandbox-Signature", &signature)]).await;
        assert_eq!(sent.status(), status);
    }
    let expected = [
        "bad_signature",
        "bad_signature",
        "wrong_amount",
        "wrong_currency",
        "unknown_payment",
        "wrong_merchant",
        "no_interest",
    ];
    assert_eq!(verdicts(&shop), expected.map(|verdict| Some(verdict.to_owned())));
    assert_eq!((shop.balance(&customer).await.as_str(), ledger_rows(&shop)), ("0.00", 0));
}

#[actix_web::test]
async fn a_callback_left_by_a_crash_is_processed_later() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (payment_id, _) = top_up(&shop, &customer, "30").await;
    let (body, signature) = signed(&shop, &payment_id, "30.00", "USD");
    let now = shop.app.clock.now();
    let stored = shop
        .app
        .db
        .write_blocking(|conn| stored::store(conn, PaymentMethod::Sandbox, body.as_bytes(), &signature, "", now));
    assert!(stored.is_ok());
    shop.run_jobs().await;
    assert_eq!(shop.balance(&customer).await, "0.00", "whoever stored it may still be at it");
    shop.app.clock.advance(TimeDelta::seconds(31));
    shop.run_jobs().await;
    shop.run_jobs().await;
    assert_eq!(shop.balance(&customer).await, "30.00");
    assert_eq!(verdicts(&shop), [Some("settle".to_owned())]);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_abandoned_payment_is_given_up_and_late_money_credited() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let (payment_id, _) = top_up(&shop, &customer, "30").await;
    shop.app.clock.advance(TimeDelta::hours(25));
    shop.run_jobs().await;
    let state = shop.call(&customer, "Order/GetPayment", json!({"PaymentId": payment_id})).await.data["State"].clone();
    assert_eq!(state, "expired");
    let (body, signature) = signed(&shop, &payment_id, "30.00", "USD");
    shop.post_raw("/gateway/callback/sandbox", body, &[("Sandbox-Signature", &signature)]).await;
    assert_eq!(
        (verdicts(&shop), shop.balance(&customer).await.as_str()),
        (vec![Some("credit_wallet".to_owned())], "30.00")
    );
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn the_pay_page_uses_the_customers_language() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    for (header, language) in [("zh-CN", "zh"), ("en-US", "en")] {
        let body = json!({"Amount": "30", "PaymentMethod": "sandbox"});
        let headers = [("Token", customer.token.as_str()), ("Accept-Language", header)];
        let answer = shop.send("Wallet/CreateTopUp", body, &headers).await;
        let pay_url = answer.data["Payment"]["PayUrl"].as_str().unwrap_or_default().to_owned();
        let page = clients::get(format!("{}{pay_url}", shop.url)).await.expect("a page").text().await.expect("text");
        assert!(page.contains(&format!("<html lang=\"{language}\">")), "{pay_url}");
    }
}

#[actix_web::test]
async fn money_that_arrives_after_the_order_ended_is_credited_with_a_notice() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    let customer = shop.customer(0);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "sandbox"});
    let payment = shop.call(&customer, "Order/PayOrder", pay).await.data["Payment"].clone();
    shop.app.clock.advance(TimeDelta::minutes(16));
    shop.run_jobs().await;
    shop.post_form(payment["PayUrl"].as_str().unwrap_or_default(), "action=approve").await;
    assert_eq!((shop.balance(&customer).await.as_str(), shop.nodes_in_state("available")), ("5.00", 1));
    let list = shop.call(&customer, "Wallet/GetTransactionList", json!({"Filter": {"Kind": "late_payment"}})).await;
    assert_eq!(list.data["Total"], 1);
    shop.run_jobs().await;
    assert!(shop.last_mail_to(&customer.email).is_some_and(|mail| mail.contains("5.00 is in your wallet")));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_order_paid_through_the_gateway_is_fulfilled_by_its_callback() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 2);
    let customer = shop.customer(300);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 2)], "10.00")).await;
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "sandbox"});
    let payment = shop.call(&customer, "Order/PayOrder", pay).await.data["Payment"].clone();
    assert_eq!(payment["State"], "pending");
    shop.post_form(payment["PayUrl"].as_str().unwrap_or_default(), "action=twice").await;
    let order = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order.data["OrderId"]})).await;
    assert_eq!((&order.data["State"], shop.nodes_in_state("assigned")), (&json!("fulfilled"), 2));
    assert_eq!(shop.balance(&customer).await, "3.00", "the wallet keeps what was in it");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn payments_of_other_customers_are_not_found() {
    let shop = Shop::open();
    let (owner, stranger) = (shop.customer(0), shop.customer(0));
    let (payment_id, _) = top_up(&shop, &owner, "25").await;
    let answer = shop.call(&stranger, "Order/GetPayment", json!({"PaymentId": payment_id})).await;
    assert_eq!((answer.code, answer.data), (3004, Value::Null));
}

#[actix_web::test]
async fn an_order_is_paid_partly_from_the_wallet_and_the_rest_through_the_gateway() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3);
    let customer = shop.customer(1_000);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 3)], "15.00")).await.data;
    let pay = json!({"OrderId": order["OrderId"], "PaymentMethod": "sandbox", "UseWallet": true});
    let started = shop.call(&customer, "Order/PayOrder", pay).await;
    let payment = &started.data["Payment"];
    assert_eq!((&payment["Amount"], shop.balance(&customer).await.as_str()), (&json!("5.00"), "10.00"), "{started:?}");
    shop.post_form(payment["PayUrl"].as_str().unwrap_or_default(), "action=approve").await;
    let order = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order["OrderId"]})).await.data;
    assert_eq!((&order["State"], shop.balance(&customer).await.as_str()), (&json!("fulfilled"), "0.00"));
    assert_eq!(ledger_rows(&shop), 3, "the credit at the beginning, what came in, and the charge");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_partial_payment_stays_in_the_wallet_if_the_rest_was_spent() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 5);
    let customer = shop.customer(1_000);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 3)], "15.00")).await.data;
    let order_id = order["OrderId"].clone();
    let pay = json!({"OrderId": order_id, "PaymentMethod": "sandbox", "UseWallet": true});
    let started = shop.call(&customer, "Order/PayOrder", pay.clone()).await.data;
    shop.buys(&customer, order_for(&[("US", "new-york", 2)], "10.00")).await;
    shop.post_form(started["Payment"]["PayUrl"].as_str().unwrap_or_default(), "action=approve").await;
    let order = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order_id})).await.data;
    assert_eq!((&order["State"], shop.balance(&customer).await.as_str()), (&json!("unpaid"), "5.00"));
    // The rest is requested again; with enough balance no gateway is needed.
    let again = shop.call(&customer, "Order/PayOrder", pay.clone()).await.data;
    assert_eq!(again["Payment"]["Amount"], "10.00");
    shop.post_form(again["Payment"]["PayUrl"].as_str().unwrap_or_default(), "action=approve").await;
    assert_eq!(shop.balance(&customer).await, "0.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_top_up_is_confirmed_by_one_mail() {
    let shop = Shop::open();
    let customer = shop.customer(500);
    let (_, url) = top_up(&shop, &customer, "25").await;
    assert_eq!(shop.post_form(&url, "action=twice").await.status(), 303);
    shop.run_jobs().await;
    assert_eq!(shop.balance(&customer).await, "30.00");
    assert_eq!(shop.mails_about(&customer.email, "$25.00 is in your wallet"), 1);
    let mail = shop.last_mail_to(&customer.email).expect("a mail");
    assert!(mail.contains("Your balance is now $30.00."), "{mail}");
}

#[actix_web::test]
async fn a_sufficient_wallet_pays_alone_and_never_pays_top_ups() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    let customer = shop.customer(500);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await.data;
    let pay = json!({"OrderId": order["OrderId"], "PaymentMethod": "sandbox", "UseWallet": true});
    let paid = shop.call(&customer, "Order/PayOrder", pay).await.data;
    assert_eq!((&paid["Payment"]["PaymentMethod"], &paid["Order"]["State"]), (&json!("wallet"), &json!("fulfilled")));

    let rich = shop.customer(9_000);
    let top_up = json!({"Amount": "40", "PaymentMethod": "sandbox"});
    let started = shop.call(&rich, "Wallet/CreateTopUp", top_up).await.data;
    let pay = json!({"OrderId": started["Order"]["OrderId"], "PaymentMethod": "sandbox", "UseWallet": true});
    assert_eq!(shop.call(&rich, "Order/PayOrder", pay).await.data["Payment"]["Amount"], "40.00");
}

#[actix_web::test]
async fn only_operators_see_refused_callbacks() {
    let shop = Shop::open();
    let (customer, operator) = (shop.customer(0), shop.operator());
    let (payment_id, _) = top_up(&shop, &customer, "25").await;
    let (less, less_signature) = signed(&shop, &payment_id, "-25.00", "USD");
    let (good, good_signature) = signed(&shop, &payment_id, "25.00", "USD");
    for (body, signature) in [(less, less_signature), (good.clone(), "00".to_owned()), (good, good_signature)] {
        shop.post_raw("/gateway/callback/sandbox", body, &[("Sandbox-Signature", &signature)]).await;
    }
    let list = |filter: Value| {
        let (shop, operator) = (&shop, &operator);
        async move {
            let answer = shop.call(operator, "Order/GetCallbackList", json!({"Filter": filter, "PageSize": 20})).await;
            let rows = answer.data["Rows"].as_array().cloned().unwrap_or_default();
            rows.iter().map(|row| row["Verdict"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        }
    };
    assert_eq!(list(json!({})).await, ["settle", "bad_signature", "wrong_amount"], "newest first");
    assert_eq!(list(json!({"IsRefused": true})).await, ["bad_signature", "wrong_amount"]);
    assert_eq!(list(json!({"IsRefused": false})).await, ["settle"]);
    assert_eq!(list(json!({"Verdict": "wrong_amount", "Gateway": "sandbox"})).await, ["wrong_amount"]);
    assert_eq!(list(json!({"PaymentId": payment_id})).await, ["settle", "wrong_amount"], "a forged one is nobody's");
    assert_eq!(list(json!({"Gateway": "stripe"})).await, Vec::<String>::new());
    let page = json!({"Page": 2, "PageSize": 2, "Sort": [{"Field": "ReceivedAt", "Direction": "asc"}]});
    let page = shop.call(&operator, "Order/GetCallbackList", page).await.data;
    assert_eq!((&page["Total"], page["Rows"].as_array().map(Vec::len)), (&json!(3), Some(1)));
    assert_eq!(shop.call(&customer, "Order/GetCallbackList", json!({})).await.code, 3003);
    assert_eq!(shop.call(&operator, "Order/GetCallbackList", json!({"Filter": {"Nonsense": 1}})).await.code, 2002);
}

#[actix_web::test]
async fn callbacks_of_disabled_gateways_are_refused() {
    let shop = Shop::open();
    for name in ["stripe", "transfer", "wallet", "nobody"] {
        assert_eq!(shop.post_raw(&format!("/gateway/callback/{name}"), "{}".into(), &[]).await.status(), 404, "{name}");
    }
    assert!(verdicts(&shop).is_empty());
}

#[actix_web::test]
async fn expenses_are_summed_by_the_months_of_the_customers_calendar() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3);
    let (customer, other) = (shop.customer(10_000), shop.customer(10_000));
    let now = shop.app.clock.now();
    shop.buys(&customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    shop.buys(&other, order_for(&[("US", "new-york", 1)], "5.00")).await;
    shop.app.clock.advance(TimeDelta::days(62));
    let customer = shop.signs_in(&customer);
    shop.buys(&customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    top_up(&shop, &customer, "25").await;
    let data = shop.call(&customer, "Wallet/GetMonthlyExpenses", json!({})).await.data;
    let months: Vec<(String, String)> = data["Months"]
        .as_array()
        .expect("months")
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            (text("Month"), text("Expenses"))
        })
        .collect();
    let month = |days| (now + TimeDelta::days(days)).format("%Y-%m").to_string();
    let spent: Vec<_> = months.iter().filter(|month| month.1 != "0.00").cloned().collect();
    assert_eq!(spent, [(month(0), "5.00".to_owned()), (month(62), "5.00".to_owned())]);
    assert_eq!((months.len(), &data["Currency"], &months[11].0), (12, &json!("USD"), &month(62)));
}

#[actix_web::test]
async fn what_was_given_back_is_no_expense_in_any_figure() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3);
    let (customer, operator) = (shop.customer(10_000), shop.operator());
    let figures = async |customer: &Customer, operator: &Customer| {
        let months = shop.call(customer, "Wallet/GetMonthlyExpenses", json!({})).await.data;
        let minor = |row: &Value| row["Expenses"].as_str().and_then(|text| text.replace('.', "").parse::<i64>().ok());
        let by_month: i64 = months["Months"].as_array().expect("months").iter().filter_map(minor).sum();
        let heights: Vec<u64> =
            months["Months"].as_array().expect("months").iter().filter_map(|row| row["Height"].as_u64()).collect();
        let so_far = shop.call(customer, "User/GetWallet", json!({})).await.data["TotalExpenses"].clone();
        let account = json!({ "AccountId": customer.account_id });
        let told = shop.call(operator, "Operator/GetAccount", account).await.data;
        assert!(told.to_string().contains(&format!("\"TotalExpenses\":{so_far}")), "{told}");
        (so_far, by_month, heights.iter().any(|height| *height > 0))
    };
    let order_id = shop.buys(&customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    assert_eq!(figures(&customer, &operator).await, (json!("5.00"), 500, true));
    let order = shop.call(&customer, "Order/GetOrder", json!({ "OrderId": order_id })).await.data;
    let refund = json!({ "OrderNumber": order["OrderNumber"], "Amount": "5.00", "Reason": "a test" });
    let refunded = shop.call(&operator, "Operator/RefundOrder", refund).await;
    assert_eq!(refunded.code, 1000, "{refunded:?}");
    assert_eq!(figures(&customer, &operator).await, (json!("0.00"), 0, false));
    shop.buys(&customer, order_for(&[("US", "new-york", 2)], "10.00")).await;
    assert_eq!(figures(&customer, &operator).await, (json!("10.00"), 1_000, true));
    shop.ledger_adds_up();
}
