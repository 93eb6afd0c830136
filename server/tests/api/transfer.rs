//! Top-ups by bank transfer: the page with the bank details, and the operator's confirmation.
use crate::shop::{Customer, Shop, order_for};
use chrono::TimeDelta;
use postern_core::order::Verdict;
use postern_server::db::prelude::*;
use postern_server::schema::gateway_callbacks;
use serde_json::{Value, json};
use std::sync::Arc;

fn shop() -> Shop {
    Shop::open_with(&[("POSTERN_TRANSFER_DETAILS", r"Example Bank <Main>\nIBAN XX00 1234")])
}

async fn transfer(shop: &Shop, customer: &Customer, amount: &str) -> Value {
    let answer =
        shop.call(customer, "Wallet/CreateTopUp", json!({"Amount": amount, "PaymentMethod": "transfer"})).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data
}

fn log(shop: &Shop) -> Vec<(String, Option<String>)> {
    let query = gateway_callbacks::table
        .order(gateway_callbacks::id)
        .select((gateway_callbacks::beginning, gateway_callbacks::verdict));
    let rows = shop.app.db.read_blocking(|conn| Ok(query.load::<(String, Option<Verdict>)>(conn)?)).expect("callbacks");
    rows.into_iter().map(|(body, verdict)| (body, verdict.map(|verdict| verdict.as_str().to_owned()))).collect()
}

#[actix_web::test]
async fn it_is_offered_for_top_ups_alone_and_only_with_details() {
    let plain = Shop::open();
    let body = json!({"Amount": "50", "PaymentMethod": "transfer"});
    let answer = plain.call(&plain.customer(0), "Wallet/CreateTopUp", body).await;
    assert!(answer.data["Fields"]["PaymentMethod"].is_array());

    let shop = shop();
    let customer = shop.customer(0);
    for (kind, is_offered) in [("top_up", true), ("purchase", false), ("renewal", false)] {
        let list = shop.call(&customer, "Order/GetPaymentMethodList", json!({"Kind": kind})).await.data;
        assert_eq!(list.to_string().contains("transfer"), is_offered, "{kind}");
    }
    shop.stock("US", "new-york", 1);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "transfer"});
    assert!(shop.call(&customer, "Order/PayOrder", pay).await.data["Fields"]["PaymentMethod"].is_array());
}

#[actix_web::test]
async fn the_page_tells_in_both_languages_where_to_send_what() {
    let shop = shop();
    let started = transfer(&shop, &shop.customer(0), "50").await;
    let url = started["Payment"]["PayUrl"].as_str().unwrap_or_default();
    for (language, word) in [("en", "Pay by bank transfer"), ("zh", "银行转账支付")] {
        let url = url.replace("lang=en", &format!("lang={language}"));
        let page = shop.open_page(&url).await.text().await.expect("text");
        let number = started["Order"]["OrderNumber"].as_str().unwrap_or_default();
        for part in [word, number, "$50.00", "Example Bank &lt;Main&gt;\nIBAN XX00 1234"] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("pay:"), "every text is there: {page}");
    }
    assert_eq!(shop.open_page("/pay/transfer/nobody").await.status(), 404);
}

#[actix_web::test]
async fn another_amount_is_refused_with_the_one_that_is_due_and_the_right_one_is_credited_once() {
    let shop = Arc::new(shop());
    let (customer, operator) = (shop.customer(0), shop.operator());
    let started = transfer(&shop, &customer, "50").await;
    let payment_id = started["Payment"]["PaymentId"].clone();
    let settle = |amount: &str| json!({"PaymentId": payment_id, "Amount": amount});
    assert_eq!(shop.call(&customer, "Order/SettlePayment", settle("50")).await.code, 3003);
    let answer = shop.call(&operator, "Order/SettlePayment", settle("49.99")).await;
    assert_eq!(answer.data["Fields"]["Amount"][0]["Rule"], "amountDue", "{answer:?}");
    assert!(answer.data.to_string().contains("50.00"));
    assert_eq!(shop.call(&operator, "Order/SettlePayment", settle("much")).await.code, 2001);
    let unknown = json!({"PaymentId": "nobody", "Amount": "50"});
    assert_eq!(shop.call(&operator, "Order/SettlePayment", unknown).await.code, 3004);
    assert_eq!(shop.balance(&customer).await, "0.00");

    let mut tasks = Vec::new();
    for index in 0..10 {
        let (shop, operator, body) = (shop.clone(), operator.clone(), settle("50.00"));
        tasks.push(actix_web::rt::spawn(async move {
            shop.call_once(&operator, &format!("settle-{}", index / 2), "Order/SettlePayment", body).await.data
        }));
    }
    for task in tasks {
        assert_eq!(task.await.expect("an answer")["State"], "succeeded");
    }
    assert_eq!(shop.balance(&customer).await, "50.00");
    shop.ledger_adds_up();
    let log = log(&shop);
    let count = |verdict: &str| log.iter().filter(|row| row.1.as_deref() == Some(verdict)).count();
    assert_eq!([count("wrong_amount"), count("settle"), count("repeat")], [1, 1, 4], "one for each key");
    assert!(log.iter().all(|row| row.0.contains(&operator.email)), "who did it is noted");
}

#[actix_web::test]
async fn it_can_be_settled_by_the_reference_that_the_customer_wrote() {
    let shop = shop();
    let (customer, operator) = (shop.customer(0), shop.operator());
    let started = transfer(&shop, &customer, "75").await;
    let body = json!({"PaymentId": started["Order"]["OrderNumber"], "Amount": "75"});
    assert_eq!(shop.call(&operator, "Order/SettlePayment", body).await.data["State"], "succeeded");
    assert_eq!(shop.balance(&customer).await, "75.00");
    let url = started["Payment"]["PayUrl"].as_str().unwrap_or_default();
    assert!(shop.open_page(url).await.text().await.expect("text").contains("Your transfer has arrived"));
}

#[actix_web::test]
async fn it_waits_two_weeks_ends_with_its_order_and_late_money_is_still_credited() {
    let shop = shop();
    let customer = shop.customer(0);
    let started = transfer(&shop, &customer, "50").await;
    let payment_id = started["Payment"]["PaymentId"].clone();
    shop.app.clock.advance(TimeDelta::hours(14 * 24 - 1));
    shop.run_jobs().await;
    let customer = shop.signs_in(&customer);
    let state = shop.call(&customer, "Order/GetPayment", json!({"PaymentId": payment_id})).await.data["State"].clone();
    assert_eq!(state, "pending");
    shop.app.clock.advance(TimeDelta::hours(2));
    shop.run_jobs().await;
    let state = shop.call(&customer, "Order/GetPayment", json!({"PaymentId": payment_id})).await.data["State"].clone();
    assert_eq!(state, "expired");
    let operator = shop.operator();
    shop.call(&operator, "Order/SettlePayment", json!({"PaymentId": payment_id, "Amount": "50"})).await;
    assert_eq!(shop.balance(&customer).await, "50.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_amount_that_differs_is_credited_as_it_came_if_the_operator_accepts_it() {
    let shop = Arc::new(shop());
    let operator = shop.operator();
    for (received, key) in [("49.98", "short"), ("50.02", "over")] {
        let customer = shop.customer(0);
        let started = transfer(&shop, &customer, "50").await;
        let payment_id = started["Payment"]["PaymentId"].clone();
        let settle = |amount: &str| json!({"PaymentId": payment_id, "Amount": amount, "AcceptDifference": true});
        for wrong in ["0", "-5", "much", "1000000.01"] {
            let answer = shop.call(&operator, "Order/SettlePayment", settle(wrong)).await;
            assert!(answer.data["Fields"]["Amount"].is_array(), "{wrong}: {answer:?}");
        }
        let mut tasks = Vec::new();
        for index in 0..4 {
            let (shop, operator, body) = (shop.clone(), operator.clone(), settle(received));
            let key = format!("{key}-{}", index / 2);
            tasks.push(actix_web::rt::spawn(async move {
                shop.call_once(&operator, &key, "Order/SettlePayment", body).await.data
            }));
        }
        for task in tasks {
            let told = task.await.expect("an answer");
            assert_eq!((&told["State"], &told["Amount"]), (&json!("succeeded"), &json!(received)));
        }
        assert_eq!(shop.balance(&customer).await, received);
        let order = json!({"OrderId": started["Order"]["OrderId"]});
        let order = shop.call(&customer, "Order/GetOrder", order).await.data;
        assert_eq!((&order["Total"], &order["State"]), (&json!(received), &json!("fulfilled")));
        let again = shop.call(&operator, "Order/SettlePayment", settle("12")).await.data;
        assert_eq!(again["Amount"], received, "a settled payment keeps its amount");
        assert_eq!(shop.balance(&customer).await, received);
    }
    let entries =
        shop.call(&operator, "Operator/GetAuditLog", json!({"Filter": {"Action": "payment_settled"}})).await.data;
    let change = json!({"Field": "amount", "Before": "$50.00", "After": "$50.02"});
    let rows = entries["Rows"].as_array().expect("rows");
    assert!(rows.iter().any(|row| row["Changes"][0] == change), "{entries}");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn late_money_of_another_amount_goes_to_the_wallet_as_it_came() {
    let shop = shop();
    let (customer, operator) = (shop.customer(0), shop.operator());
    let started = transfer(&shop, &customer, "50").await;
    shop.app.clock.advance(TimeDelta::days(15));
    shop.run_jobs().await;
    let (customer, operator) = (shop.signs_in(&customer), shop.signs_in(&operator));
    let order = json!({"OrderId": started["Order"]["OrderId"]});
    assert_eq!(shop.call(&customer, "Order/GetOrder", order.clone()).await.data["State"], "expired");
    let settle = json!({"PaymentId": started["Payment"]["PaymentId"], "Amount": "20", "AcceptDifference": true});
    assert_eq!(shop.call(&operator, "Order/SettlePayment", settle).await.data["State"], "succeeded");
    assert_eq!(shop.balance(&customer).await, "20.00");
    assert_eq!(
        shop.call(&customer, "Order/GetOrder", order).await.data["Total"],
        "50.00",
        "the order stays as it ended"
    );
    shop.ledger_adds_up();
}
