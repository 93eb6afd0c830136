//! Limits on unpaid things of an account: held IPs, orders, top-ups, card requests.
use crate::shop::{CallAnswer, Customer, Shop, order_for};
use chrono::TimeDelta;
use postern_core::money::Money;
use postern_core::unpaid::Limit;
use postern_server::audit::Actor;
use postern_server::order_rows::limits::{set_limit, set_step};
use serde_json::{Value, json};
use std::sync::Arc;

/// Orders this number of IPs in New York, to be paid later or from the wallet at once.
async fn order(shop: &Shop, customer: &Customer, quantity: u32, pay_from_wallet: bool) -> CallAnswer {
    let mut body = order_for(&[("US", "new-york", quantity)], "0.00");
    let quote = shop.call(customer, "Order/QuoteOrder", body.clone()).await;
    body["ExpectedTotal"] = quote.data["Total"].clone();
    body["PayFromWallet"] = json!(pay_from_wallet);
    shop.call(customer, "Order/CreateOrder", body).await
}

fn refusal(answer: &CallAnswer) -> (u64, &Value, &Value) {
    let broken = &answer.data["Fields"]["Lines"][0];
    (answer.code, &broken["Rule"], &broken["Params"])
}

async fn hold_limit(shop: &Shop, customer: &Customer) -> Value {
    shop.call(customer, "Order/GetHoldLimit", json!({})).await.data
}

#[actix_web::test]
async fn accounts_without_money_cannot_hold_the_whole_stock() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 60);
    let (first, second) = (shop.customer(0), shop.customer(0));
    let answer = order(&shop, &first, 60, false).await;
    let expected = json!({"Max": "20", "Held": "0", "Missing": "50.00", "NextMax": "100"});
    assert_eq!(refusal(&answer), (2001, &json!("tooManyHeld"), &expected));
    assert_eq!(shop.nodes_in_state("held"), 0);
    // Small orders add up.
    assert_eq!(order(&shop, &first, 12, false).await.code, 1000);
    assert_eq!(refusal(&order(&shop, &first, 9, false).await).2["Held"], "12");
    assert_eq!(order(&shop, &first, 8, false).await.code, 1000);
    assert_eq!(refusal(&order(&shop, &first, 1, false).await).2["Held"], "20");
    assert_eq!(order(&shop, &second, 20, false).await.code, 1000);
    assert_eq!(order(&shop, &second, 1, false).await.code, 2001);
    assert_eq!((shop.nodes_in_state("held"), shop.nodes_in_state("available")), (40, 20));
    // Expired holds make room.
    shop.app.clock.advance(TimeDelta::minutes(16));
    shop.run_jobs().await;
    assert_eq!(order(&shop, &first, 20, false).await.code, 1000);
}

#[actix_web::test]
async fn picked_ips_are_limited_too_and_concurrent_requests_serialised() {
    let shop = Arc::new(Shop::open());
    shop.stock("US", "new-york", 60);
    let customer = shop.customer(0);
    let shelf = shop.call(&customer, "Ips/GetMyPurchasableNodeList", json!({"PageSize": 50})).await;
    let ids: Vec<_> = shelf.data["Rows"].as_array().expect("rows").iter().map(|row| row["NodeId"].clone()).collect();
    let mut picked = order_for(&[], "105.00");
    picked["NodeIds"] = json!(ids[..21]);
    let quote = shop.call(&customer, "Order/QuoteOrder", order_for(&[("US", "new-york", 21)], "0.00")).await;
    picked["ExpectedTotal"] = quote.data["Total"].clone();
    assert_eq!(refusal(&shop.call(&customer, "Order/CreateOrder", picked).await).1, "tooManyHeld");
    shop.app
        .db
        .write_blocking(|conn| set_limit(conn, Limit::UnpaidOrders, 50, &Actor::command(), shop.app.clock.now()))
        .expect("a limit");
    let attempts: Vec<_> = (0..10)
        .map(|_| {
            let (shop, customer) = (shop.clone(), customer.clone());
            actix_web::rt::spawn(async move { order(&shop, &customer, 3, false).await.code })
        })
        .collect();
    let mut done = 0;
    for attempt in attempts {
        done += u32::from(attempt.await.expect("a code") == 1000);
    }
    assert_eq!((done, shop.nodes_in_state("held")), (6, 18));
}

#[actix_web::test]
async fn money_and_paid_orders_raise_the_hold_limit() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 200);
    let new = shop.customer(0);
    let expected = json!({
        "MaxIps": 20, "HeldIps": 0, "MaxOrders": 3, "NextMaxIps": 100, "Missing": "50.00", "Currency": "USD",
    });
    assert_eq!(hold_limit(&shop, &new).await, expected);
    let with_money = shop.customer(5_000);
    assert_eq!(order(&shop, &with_money, 60, false).await.code, 1000);
    let told = hold_limit(&shop, &with_money).await;
    assert_eq!((&told["MaxIps"], &told["HeldIps"], &told["Missing"]), (&json!(100), &json!(60), &json!("450.00")));
    // Ten IPs for 50.00, and an empty wallet: paid orders count like balance.
    let with_history = shop.owner_of(10, 0).await;
    assert_eq!(shop.balance(&with_history).await, "0.00");
    assert_eq!(order(&shop, &with_history, 60, false).await.code, 1000);
    let top = shop.customer(200_000);
    let told = hold_limit(&shop, &top).await;
    assert_eq!((&told["MaxIps"], &told["NextMaxIps"], &told["Missing"]), (&json!(5_000), &Value::Null, &Value::Null));
}

#[actix_web::test]
async fn immediate_purchases_hold_nothing_and_the_steps_are_configurable() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 10);
    let customer = shop.customer(10_000);
    let set = |from: i64, ips| {
        shop.app.db.write_blocking(|conn| {
            set_step(conn, Money::from_minor(from), ips, &Actor::command(), shop.app.clock.now())
        })
    };
    set(0, Some(1)).expect("a step");
    for from in [5_000, 50_000, 200_000] {
        set(from, None).expect("a step less");
    }
    assert_eq!(refusal(&order(&shop, &customer, 2, false).await).1, "tooManyHeldAtMost");
    assert_eq!(order(&shop, &customer, 5, true).await.code, 1000);
    assert_eq!(order(&shop, &customer, 1, false).await.code, 1000);
}

#[actix_web::test]
async fn open_top_ups_are_limited() {
    let shop = Arc::new(Shop::open());
    let customer = shop.customer(0);
    shop.app
        .db
        .write_blocking(|conn| set_limit(conn, Limit::OpenTopUps, 4, &Actor::command(), shop.app.clock.now()))
        .expect("a limit");
    let top_up = |key: usize| {
        let (shop, customer) = (shop.clone(), customer.clone());
        let body = json!({"Amount": "30", "PaymentMethod": "sandbox"});
        async move { shop.call_once(&customer, &format!("top-up-{key}"), "Wallet/CreateTopUp", body).await }
    };
    let attempts: Vec<_> = (0..12).map(|key| actix_web::rt::spawn(top_up(key))).collect();
    let mut begun = Vec::new();
    for attempt in attempts {
        let answer = attempt.await.expect("an answer");
        if answer.code == 1000 {
            begun.push(answer.data["Order"]["OrderId"].clone());
        } else {
            assert_eq!((answer.code, &answer.data), (3333, &json!({"Key": "tooManyTopUps", "Max": 4})));
            assert!(answer.message.contains("4 unpaid top-ups"), "{}", answer.message);
        }
    }
    assert_eq!(begun.len(), 4);
    shop.call(&customer, "Order/CancelOrder", json!({"OrderId": begun[0]})).await;
    assert_eq!(top_up(20).await.code, 1000, "one less leaves room for another");
    assert_eq!(top_up(21).await.code, 3333);
    shop.app.clock.advance(TimeDelta::hours(25));
    assert_eq!(top_up(22).await.code, 1000, "nor do those count whose time is over");
}

#[actix_web::test]
async fn open_card_requests_are_limited() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let save = async || shop.call(&customer, "Wallet/RememberCard", json!({"PaymentMethod": "sandbox"})).await;
    let first = save().await.data;
    for _ in 1..10 {
        assert_eq!(save().await.code, 1000);
    }
    let answer = save().await;
    assert_eq!((answer.code, &answer.data), (3333, &json!({"Key": "tooManyCardRequests", "Max": 10})));
    // A card request that was completed or cancelled is no longer open.
    shop.post_form(first["CardUrl"].as_str().unwrap_or_default(), "action=cancelled").await;
    shop.call(&customer, "Wallet/GetCardRequest", json!({"CardRequestId": first["CardRequestId"]})).await;
    assert_eq!(save().await.code, 1000);
}

#[actix_web::test]
async fn unpaid_orders_are_limited_by_the_sellers_setting() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 5);
    let customer = shop.customer(0);
    shop.app
        .db
        .write_blocking(|conn| set_limit(conn, Limit::UnpaidOrders, 2, &Actor::command(), shop.app.clock.now()))
        .expect("a limit");
    for _ in 0..2 {
        assert_eq!(order(&shop, &customer, 1, false).await.code, 1000);
    }
    let answer = order(&shop, &customer, 1, false).await;
    assert_eq!((answer.code, &answer.data), (3333, &json!({"Key": "tooManyUnpaidOrders", "Max": 2})));
    assert!(answer.message.contains('2'), "{}", answer.message);
}

#[actix_web::test]
async fn the_command_shows_and_changes_the_limits() {
    let shop = Shop::open();
    let run = |arguments: &[&str]| {
        let output = shop.runs("limits", arguments);
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (is_done, shown) = run(&["show"]);
    assert!(is_done && shown.contains("unpaid_orders        3\n"), "{shown}");
    assert!(shown.contains("held IPs from       0.00 20\nheld IPs from      50.00 100\n"), "{shown}");
    assert!(run(&["set", "open_top_ups", "7"]).1.contains("open_top_ups         7\n"));
    let (_, shown) = run(&["hold", "--from", "0", "--ips", "5"]);
    assert!(shown.contains("held IPs from       0.00 5\n"), "{shown}");
    assert!(!run(&["hold", "--from", "50"]).1.contains("50.00 100"));
    for wrong in [&["set", "orders", "7"][..], &["set", "open_top_ups", "0"], &["hold", "--from", "0"]] {
        assert!(!run(wrong).0, "{wrong:?}");
    }
    let customer = shop.customer(0);
    assert_eq!(hold_limit(&shop, &customer).await["MaxIps"], 5);
}
