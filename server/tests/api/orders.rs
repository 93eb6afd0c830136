//! Orders: created, paid, cancelled, expired; concurrently and repeatedly.
use crate::shop::{REGULAR, Shop, order_for};
use chrono::TimeDelta;
use serde_json::json;
use std::sync::Arc;

#[actix_web::test]
async fn invalid_orders_are_refused_at_the_right_field() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    for (body, field) in [
        (order_for(&[], "0.00"), "Lines"),
        (order_for(&[("US", "new-york", 0)], "0.00"), "Lines.0.Quantity"),
        (
            json!({"VerStr": "gold", "PeriodDays": 30, "Lines": [{"Country": "US", "City": "new-york", "Quantity": 1}], "ExpectedTotal": "5"}),
            "VerStr",
        ),
        (
            json!({"VerStr": REGULAR, "PeriodDays": 7, "Lines": [{"Country": "US", "City": "new-york", "Quantity": 1}], "ExpectedTotal": "5"}),
            "PeriodDays",
        ),
    ] {
        let answer = shop.call(&customer, "Order/CreateOrder", body).await;
        assert_eq!(answer.code, 2001);
        assert!(answer.data["Fields"][field].is_array(), "{field}: {:?}", answer.data);
    }
}

#[actix_web::test]
async fn a_changed_price_is_refused_with_both_prices() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 2);
    let customer = shop.customer(0);
    let answer = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 2)], "9.00")).await;
    assert_eq!((answer.code, answer.data), (4004, json!({"OldPrice": "9.00", "NewPrice": "10.00", "Currency": "USD"})));
    assert_eq!(shop.nodes_in_state("held"), 0);
}

#[actix_web::test]
async fn a_shortage_in_one_city_holds_nothing_in_the_other() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 2);
    shop.stock("DE", "frankfurt", 1);
    let customer = shop.customer(0);
    let answer = shop
        .call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 2), ("DE", "frankfurt", 2)], "20.00"))
        .await;
    assert_eq!((answer.code, &answer.data["City"], &answer.data["Available"]), (4002, &json!("frankfurt"), &json!(1)));
    assert_eq!((shop.nodes_in_state("available"), shop.nodes_in_state("held")), (3, 0));
}

#[actix_web::test]
async fn three_ips_in_two_cities_are_bought_from_the_wallet() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 5);
    shop.stock("DE", "frankfurt", 5);
    let customer = shop.customer(10_000);
    let order = shop
        .call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 2), ("DE", "frankfurt", 1)], "15.00"))
        .await;
    assert_eq!((order.code, &order.data["State"], &order.data["CanPay"]), (1000, &json!("unpaid"), &json!(true)));
    assert_eq!(shop.nodes_in_state("held"), 3);
    let unpaid = shop.call(&customer, "Order/GetUnpaidOrderList", json!({})).await;
    assert_eq!(unpaid.data.as_array().map(Vec::len), Some(1));

    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"});
    let paid = shop.call(&customer, "Order/PayOrder", pay.clone()).await;
    assert_eq!((paid.code, &paid.data["Order"]["State"]), (1000, &json!("fulfilled")));
    assert_eq!(shop.balance(&customer).await, "85.00");
    assert_eq!(shop.call(&customer, "Order/PayOrder", pay).await.code, 4005, "paid once");

    let list =
        shop.call(&customer, "Ips/GetUserNodeList", json!({"Sort": [{"Field": "City", "Direction": "asc"}]})).await;
    assert_eq!(list.data["Total"], 3);
    assert_eq!(list.data["Rows"][0]["City"], "frankfurt");
    assert_eq!(list.data["Rows"][0]["Password"].as_str().map(str::len), Some(16));
    let owned = shop.call(&customer, "Ips/UserGetNodeTable", json!({})).await;
    assert_eq!((&owned.data["Rows"][0]["VerStr"], &owned.data["Rows"][0]["IpsCount"]), (&json!(REGULAR), &json!(3)));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_ip_whose_city_is_corrected_before_it_is_paid_is_delivered() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 2);
    shop.stock("DE", "frankfurt", 1);
    let (customer, operator) = (shop.customer(10_000), shop.operator());
    let lines = order_for(&[("US", "new-york", 2), ("DE", "frankfurt", 1)], "15.00");
    let order = shop.call(&customer, "Order/CreateOrder", lines).await.data;
    let held = json!({"Filter": {"City": "new-york", "State": "held"}});
    let held = shop.call(&operator, "Operator/GetInventory", held).await.data;
    let edit = json!({"NodeIds": [held["Rows"][0]["NodeId"]], "Country": "United States", "City": "Boston"});
    assert_eq!(shop.call(&operator, "Operator/EditNodes", edit).await.data["Changed"], 1, "{held}");
    let pay = json!({"OrderId": order["OrderId"], "PaymentMethod": "wallet"});
    let paid = shop.call(&customer, "Order/PayOrder", pay).await;
    assert_eq!((paid.code, &paid.data["Order"]["State"]), (1000, &json!("fulfilled")), "{paid:?}");
    assert_eq!((shop.balance(&customer).await.as_str(), shop.nodes_of(&customer).await.len()), ("85.00", 3));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_wallet_with_too_little_pays_nothing() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    let customer = shop.customer(499);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"});
    let answer = shop.call(&customer, "Order/PayOrder", pay).await;
    assert_eq!((answer.code, answer.data), (4001, json!({"Balance": "4.99", "Needed": "5.00", "Currency": "USD"})));
    assert_eq!((shop.balance(&customer).await.as_str(), shop.nodes_in_state("held")), ("4.99", 1));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn an_immediate_purchase_succeeds_or_changes_nothing() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 7);
    let customer = shop.customer(2_499);
    let buy = |quantity: u32, total: &str| {
        let mut order = order_for(&[("US", "new-york", quantity)], total);
        order["PayFromWallet"] = json!(true);
        order
    };
    let answer = shop.call(&customer, "Order/CreateOrder", buy(5, "25.00")).await;
    assert_eq!((answer.code, answer.data), (4001, json!({"Balance": "24.99", "Needed": "25.00", "Currency": "USD"})));
    let answer = shop.call(&customer, "Order/CreateOrder", buy(3, "14.00")).await;
    assert_eq!(
        (answer.code, answer.data),
        (4004, json!({"OldPrice": "14.00", "NewPrice": "15.00", "Currency": "USD"}))
    );
    let answer = shop.call(&shop.customer(100_000), "Order/CreateOrder", buy(8, "40.00")).await;
    assert_eq!((answer.code, &answer.data["Available"]), (4002, &json!(7)));
    assert_eq!(shop.nodes_in_state("available"), 7);
    let orders = shop.call(&customer, "Order/GetOrderList", json!({})).await;
    assert_eq!((&orders.data["Total"], shop.balance(&customer).await.as_str()), (&json!(0), "24.99"));

    // Three unpaid orders do not prevent a purchase.
    for _ in 0..3 {
        shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    }
    let bought = shop.call_once(&customer, "at-once", "Order/CreateOrder", buy(2, "10.00")).await;
    let again = shop.call_once(&customer, "at-once", "Order/CreateOrder", buy(2, "10.00")).await;
    assert_eq!((bought.code, &bought.data), (1000, &again.data));
    let order = &bought.data;
    assert_eq!(
        (&order["State"], &order["CanPay"], &order["Quantity"]),
        (&json!("fulfilled"), &json!(false), &json!(2))
    );
    let (payment, invoice) = (&order["Payments"][0], &order["Invoices"][0]);
    assert_eq!((&payment["PaymentMethod"], &payment["State"]), (&json!("wallet"), &json!("succeeded")));
    assert_eq!((&payment["Amount"], &invoice["Total"]), (&json!("10.00"), &json!("10.00")));
    assert_eq!(invoice["OrderNumber"], order["OrderNumber"]);
    // The response equals the order as loaded later, except for the IPs.
    let mut found = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order["OrderId"]})).await;
    assert_eq!(found.data["Nodes"].as_array().map(Vec::len), Some(2));
    found.data["Nodes"] = json!([]);
    assert_eq!(&found.data, order);
    assert_eq!((shop.balance(&customer).await.as_str(), shop.nodes_in_state("assigned")), ("14.99", 2));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_hundred_buyers_of_ten_nodes_get_ten_in_total() {
    let shop = Arc::new(Shop::open());
    shop.stock("US", "new-york", 10);
    let buyers: Vec<_> = (0..100).map(|number| (number, shop.customer(1_000))).collect();
    let attempts = buyers.into_iter().map(|(number, buyer)| {
        let shop = shop.clone();
        actix_web::rt::spawn(async move {
            let mut order = order_for(&[("US", "new-york", 1)], "5.00");
            order["PayFromWallet"] = json!(number % 2 == 0);
            let order = shop.call(&buyer, "Order/CreateOrder", order).await;
            if order.code != 1000 || order.data["State"] == "fulfilled" {
                return order.code;
            }
            let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"});
            shop.call(&buyer, "Order/PayOrder", pay).await.code
        })
    });
    let mut codes = Vec::new();
    for attempt in attempts.collect::<Vec<_>>() {
        codes.push(attempt.await.expect("an answer"));
    }
    let count = |code| codes.iter().filter(|one| **one == code).count();
    assert_eq!((count(1000), count(4002)), (10, 90), "{codes:?}");
    assert_eq!(
        (shop.nodes_in_state("assigned"), shop.nodes_in_state("available"), shop.nodes_in_state("held")),
        (10, 0, 0)
    );
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn the_same_purchase_sent_twice_with_one_key_is_one_order() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 5);
    let customer = shop.customer(10_000);
    let body = order_for(&[("US", "new-york", 2)], "10.00");
    let first = shop.call_once(&customer, "key-1", "Order/CreateOrder", body.clone()).await;
    let second = shop.call_once(&customer, "key-1", "Order/CreateOrder", body).await;
    assert_eq!((first.code, &first.data), (1000, &second.data));
    let other = order_for(&[("US", "new-york", 1)], "5.00");
    assert_eq!(shop.call_once(&customer, "key-1", "Order/CreateOrder", other).await.code, 2009);
    let pay = json!({"OrderId": first.data["OrderId"], "PaymentMethod": "wallet"});
    let paid = shop.call_once(&customer, "key-2", "Order/PayOrder", pay.clone()).await;
    let again = shop.call_once(&customer, "key-2", "Order/PayOrder", pay).await;
    assert_eq!((paid.code, &paid.data), (1000, &again.data));
    assert_eq!((shop.balance(&customer).await.as_str(), shop.nodes_in_state("assigned")), ("90.00", 2));
}

#[actix_web::test]
async fn twenty_repeats_at_once_are_one_order() {
    let shop = Arc::new(Shop::open());
    shop.stock("US", "new-york", 50);
    let customer = shop.customer(10_000);
    let attempts: Vec<_> = (0..20)
        .map(|_| {
            let (shop, customer) = (shop.clone(), customer.clone());
            actix_web::rt::spawn(async move {
                shop.call_once(&customer, "one-key", "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00"))
                    .await
            })
        })
        .collect();
    let mut numbers = std::collections::HashSet::new();
    for attempt in attempts {
        let answer = attempt.await.expect("an answer");
        assert_eq!(answer.code, 1000);
        numbers.insert(answer.data["OrderNumber"].to_string());
    }
    assert_eq!((numbers.len(), shop.nodes_in_state("held")), (1, 1));
}

#[actix_web::test]
async fn a_refused_purchase_leaves_its_key_free() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let body = order_for(&[("US", "new-york", 1)], "5.00");
    assert_eq!(shop.call_once(&customer, "key", "Order/CreateOrder", body.clone()).await.code, 4002);
    shop.stock("US", "new-york", 1);
    assert_eq!(shop.call_once(&customer, "key", "Order/CreateOrder", body).await.code, 1000);
}

#[actix_web::test]
async fn a_cancelled_order_frees_its_nodes_and_cannot_be_paid() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    let customer = shop.customer(10_000);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    let id = json!({"OrderId": order.data["OrderId"]});
    assert_eq!(shop.call(&customer, "Order/CancelOrder", id.clone()).await.data["State"], "cancelled");
    assert_eq!(shop.call(&customer, "Order/CancelOrder", id).await.code, 4005);
    assert_eq!(shop.nodes_in_state("available"), 1);
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(&customer, "Order/PayOrder", pay).await.code, 4005);
}

#[actix_web::test]
async fn no_hold_outlives_its_order() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    let customer = shop.customer(10_000);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    shop.app.clock.advance(TimeDelta::minutes(15));
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(&customer, "Order/PayOrder", pay).await.code, 4005, "not even before the job ran");
    shop.run_jobs().await;
    assert_eq!((shop.nodes_in_state("available"), shop.nodes_in_state("held")), (1, 0));
    let expired = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order.data["OrderId"]})).await;
    assert_eq!(expired.data["State"], "expired");
}

#[actix_web::test]
async fn nobody_empties_the_shelves_by_holding() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 9);
    let customer = shop.customer(0);
    let order = || order_for(&[("US", "new-york", 1)], "5.00");
    for _ in 0..3 {
        assert_eq!(shop.call(&customer, "Order/CreateOrder", order()).await.code, 1000);
    }
    let answer = shop.call(&customer, "Order/CreateOrder", order()).await;
    assert_eq!((answer.code, &answer.data["Key"]), (3333, &json!("tooManyUnpaidOrders")));
}

#[actix_web::test]
async fn another_customers_order_does_not_exist() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    let (owner, stranger) = (shop.customer(0), shop.customer(10_000));
    let order = shop.call(&owner, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    let id = &order.data["OrderId"];
    for (call, body) in [
        ("Order/GetOrder", json!({"OrderId": id})),
        ("Order/CancelOrder", json!({"OrderId": id})),
        ("Order/PayOrder", json!({"OrderId": id, "PaymentMethod": "wallet"})),
    ] {
        assert_eq!(shop.call(&stranger, call, body).await.code, 3004, "{call}");
    }
    assert_eq!(shop.call(&stranger, "Order/GetOrderList", json!({})).await.data["Total"], 0);
    assert_eq!(shop.call(&owner, "Order/GetOrder", json!({"OrderId": id})).await.data["State"], "unpaid");
}

#[actix_web::test]
async fn an_expired_node_goes_through_grace_and_quarantine_back_to_the_shelf() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    let customer = shop.customer(500);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    shop.call(&customer, "Order/PayOrder", json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"})).await;
    for (wait, state) in [
        (TimeDelta::days(30) - TimeDelta::minutes(5), "assigned"),
        (TimeDelta::minutes(6), "grace"),
        (TimeDelta::hours(72), "quarantined"),
        (TimeDelta::hours(25), "available"),
    ] {
        shop.app.clock.advance(wait);
        shop.run_jobs().await;
        assert_eq!(shop.nodes_in_state(state), 1, "{state}");
    }
}
