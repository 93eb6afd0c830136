//! Coupons on the order form: discounts, refusals, and limits on their use.
use crate::shop::{CallAnswer, Customer, REGULAR, Shop, order_for};
use chrono::TimeDelta;
use postern_core::account::COUPON_ATTEMPTS;
use postern_core::operator_forms::CouponForm;
use postern_core::time::to_wire;
use postern_server::coupons;
use serde_json::{Value, json};
use std::sync::Arc;

fn percent(code: &str, percent: &str) -> CouponForm {
    CouponForm { code: code.to_owned(), percent: percent.to_owned(), ..CouponForm::default() }
}

fn amount(code: &str, amount: &str) -> CouponForm {
    CouponForm { code: code.to_owned(), amount: amount.to_owned(), ..CouponForm::default() }
}

fn with_coupon(quantity: u32, coupon: &str, total: &str) -> Value {
    let mut order = order_for(&[("US", "new-york", quantity)], total);
    order["Coupon"] = json!(coupon);
    order
}

async fn order(shop: &Shop, customer: &Customer, quantity: u32, coupon: &str, total: &str) -> CallAnswer {
    shop.call(customer, "Order/CreateOrder", with_coupon(quantity, coupon, total)).await
}

fn rule(answer: &CallAnswer) -> &str {
    assert_eq!(answer.code, 2001, "{answer:?}");
    answer.data["Fields"]["Coupon"][0]["Rule"].as_str().unwrap_or_default()
}

#[actix_web::test]
async fn an_unusable_coupon_is_refused_at_its_field_everywhere() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 9);
    let customer = shop.customer(10_000);
    let now = shop.app.clock.now();
    let at = |days| to_wire(now + TimeDelta::days(days));
    for form in [
        CouponForm { valid_from: at(1), ..percent("TOMORROW", "10") },
        CouponForm { valid_until: at(2), ..percent("SHORT", "10") },
        CouponForm { products: vec!["dedicated ISP proxies plan".to_owned()], ..percent("OTHERS", "10") },
        CouponForm { minimum: "15.01".to_owned(), ..percent("LARGE", "10") },
        CouponForm { valid_until: at(9), ..percent("ENDED", "10") },
    ] {
        coupons::add(&shop.app, &form).expect("a coupon");
    }
    coupons::end(&shop.app, "ended").expect("an end");
    for (code, broken, is_usable) in [
        ("", "required", false),
        ("a b", "couponCode", false),
        ("NOSUCH", "couponUnknown", false),
        ("TOMORROW", "couponNotYet", false),
        ("ENDED", "couponEnded", false),
        ("OTHERS", "couponOtherProducts", true),
        ("LARGE", "couponMinimum", true),
    ] {
        // The product is only checked with the quote: the check has no order.
        let checked = shop.call(&customer, "Order/CheckCoupon", json!({"Coupon": code})).await;
        if is_usable {
            assert_eq!(checked.code, 1000)
        } else {
            assert_eq!(rule(&checked), broken)
        }
        let quoted = shop.call(&customer, "Order/QuoteOrder", with_coupon(3, code, "")).await;
        assert_eq!(rule(&quoted), broken);
        shop.app.clock.advance(TimeDelta::minutes(COUPON_ATTEMPTS.window_minutes));
        assert_eq!(rule(&order(&shop, &customer, 3, code, "13.50").await), broken);
    }
    assert_eq!(shop.nodes_in_state("held"), 0);
    shop.app.clock.advance(TimeDelta::days(3));
    let customer = shop.signs_in(&customer);
    assert_eq!(rule(&order(&shop, &customer, 3, "SHORT", "13.50").await), "couponEnded");
    assert_eq!(order(&shop, &customer, 3, "tomorrow", "13.50").await.code, 1000);
}

#[actix_web::test]
async fn an_order_with_a_coupon_costs_what_the_quote_says_and_keeps_its_discount() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 9);
    let customer = shop.customer(10_000);
    coupons::add(&shop.app, &percent("TEN", "10")).expect("a coupon");
    coupons::add(&shop.app, &amount("FOUR", "4")).expect("a coupon");
    let checked = shop.call(&customer, "Order/CheckCoupon", json!({"Coupon": " ten "})).await;
    let terms = json!({"Code": "TEN", "Benefit": {"Percent": 1000}, "Minimum": "0.00", "Products": []});
    assert_eq!((checked.code, checked.data), (1000, terms));
    let without = order(&shop, &customer, 3, "ten", "15.00").await;
    assert_eq!(
        (without.code, without.data),
        (4004, json!({"OldPrice": "15.00", "NewPrice": "13.50", "Currency": "USD"}))
    );
    for (code, total, basis_points, off) in [("ten", "13.50", 1_000, "1.50"), ("Four", "11.00", 0, "4.00")] {
        let ordered = order(&shop, &customer, 3, code, total).await;
        assert_eq!(ordered.code, 1000, "{ordered:?}");
        let discount = json!([{"Kind": "coupon", "BasisPoints": basis_points, "Amount": off}]);
        assert_eq!((&ordered.data["Discounts"], &ordered.data["DiscountTotal"]), (&discount, &json!(off)));
        assert_eq!((&ordered.data["Total"], &ordered.data["Coupon"]), (&json!(total), &json!(code.to_uppercase())));
        let pay = json!({"OrderId": ordered.data["OrderId"], "PaymentMethod": "wallet"});
        assert_eq!(shop.call(&customer, "Order/PayOrder", pay).await.code, 1000);
    }
    assert_eq!(shop.balance(&customer).await, "75.50");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn the_last_use_of_a_coupon_is_taken_once_and_returned_by_ended_orders() {
    let shop = Arc::new(Shop::open());
    shop.stock("US", "new-york", 20);
    coupons::add(&shop.app, &CouponForm { uses_per_account: "1".to_owned(), ..percent("ONCE", "50") })
        .expect("a coupon");
    let (customer, other) = (shop.customer(10_000), shop.customer(10_000));
    let orders: Vec<_> = (0..2)
        .map(|_| {
            let (shop, customer) = (shop.clone(), customer.clone());
            actix_web::rt::spawn(async move { order(&shop, &customer, 2, "ONCE", "5.00").await })
        })
        .collect();
    let mut answers = Vec::new();
    for order in orders {
        answers.push(order.await.expect("an answer"));
    }
    answers.sort_by_key(|answer| answer.code);
    assert_eq!((answers[0].code, rule(&answers[1])), (1000, "couponUsedUp"));
    assert_eq!(answers[1].data["Fields"]["Coupon"][0]["Params"], json!({"Limit": "1"}));
    assert_eq!(order(&shop, &other, 2, "ONCE", "5.00").await.code, 1000, "each account has its own uses");

    shop.call(&customer, "Order/CancelOrder", json!({"OrderId": answers[0].data["OrderId"]})).await;
    let again = order(&shop, &customer, 2, "ONCE", "5.00").await;
    assert_eq!(again.code, 1000, "{again:?}");
    assert_eq!(rule(&order(&shop, &customer, 2, "ONCE", "5.00").await), "couponUsedUp");
    shop.app.clock.advance(TimeDelta::minutes(16));
    shop.run_jobs().await;
    let paid = order(&shop, &customer, 2, "ONCE", "5.00").await;
    let pay = json!({"OrderId": paid.data["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(&customer, "Order/PayOrder", pay).await.code, 1000);
    let used = shop.call(&customer, "Order/CheckCoupon", json!({"Coupon": "ONCE"})).await;
    assert_eq!(rule(&used), "couponUsedUp");
}

#[actix_web::test]
async fn accounts_with_aliases_of_one_inbox_share_the_uses_of_a_coupon() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 9);
    let welcome = CouponForm { uses_per_account: "1".to_owned(), ..percent("WELCOME", "10") };
    coupons::add(&shop.app, &welcome).expect("a coupon");
    let named = |email: &str| shop.customer_named(email, "", "127.0.0.1", 10_000);
    let (first, other) = (named("ann.smith+1@gmail.com"), named("ann.smith@example.com"));
    assert_eq!(order(&shop, &first, 1, "welcome", "4.50").await.code, 1000);
    for alias in ["annsmith@googlemail.com", "a.n.n.smith+shop@gmail.com"] {
        let alias = named(alias);
        let checked = shop.call(&alias, "Order/CheckCoupon", json!({"Coupon": "welcome"})).await;
        assert_eq!(
            (rule(&checked), rule(&order(&shop, &alias, 1, "welcome", "4.50").await)),
            ("couponUsedUp", "couponUsedUp")
        );
    }
    assert_eq!(order(&shop, &other, 1, "welcome", "4.50").await.code, 1000, "another inbox");
}

#[actix_web::test]
async fn a_free_order_is_fulfilled_once_without_payment() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 5);
    let customer = shop.customer(0);
    coupons::add(&shop.app, &amount("GIFT", "100")).expect("a coupon");
    let body = with_coupon(2, "GIFT", "0.00");
    let first = shop.call_once(&customer, "a-gift", "Order/CreateOrder", body.clone()).await;
    let second = shop.call_once(&customer, "a-gift", "Order/CreateOrder", body).await;
    assert_eq!((first.code, &first.data), (1000, &second.data));
    assert_eq!((&first.data["State"], &first.data["Total"]), (&json!("fulfilled"), &json!("0.00")));
    assert_eq!((&first.data["Payments"], &first.data["CanPay"]), (&json!([]), &json!(false)));
    assert_eq!(shop.nodes_of(&customer).await.len(), 2);
    let pay = json!({"OrderId": first.data["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(&customer, "Order/PayOrder", pay).await.code, 4005);
    let transactions = shop.call(&customer, "Wallet/GetTransactionList", json!({})).await;
    assert_eq!(transactions.data["Total"], 0);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn codes_cannot_be_guessed_neither_by_checking_nor_by_ordering() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 5);
    coupons::add(&shop.app, &percent("SECRET", "10")).expect("a coupon");
    let customer = shop.customer(10_000);
    for number in 0..COUPON_ATTEMPTS.hits {
        let guess = format!("GUESS{number}");
        let answer = match number % 3 {
            0 => shop.call(&customer, "Order/CheckCoupon", json!({"Coupon": guess})).await,
            1 => shop.call(&customer, "Order/QuoteOrder", with_coupon(1, &guess, "")).await,
            _ => order(&shop, &customer, 1, &guess, "4.50").await,
        };
        assert_eq!(rule(&answer), "couponUnknown");
    }
    let late = shop.call(&customer, "Order/CheckCoupon", json!({"Coupon": "SECRET"})).await;
    assert!(late.code == 4290 && late.data["RetryAfterMs"].as_i64().is_some_and(|wait| wait > 0), "{late:?}");
    assert_eq!(order(&shop, &customer, 1, "SECRET", "4.50").await.code, 4290);
    let plain = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    assert_eq!(plain.code, 1000, "an order without a code is no guess");
    shop.app.clock.advance(TimeDelta::minutes(COUPON_ATTEMPTS.window_minutes));
    assert_eq!(order(&shop, &customer, 1, "SECRET", "4.50").await.code, 1000);
}

#[actix_web::test]
async fn coupons_that_exist_are_no_guesses_and_a_repeated_order_is_answered_though_guesses_are_used_up() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 5);
    coupons::add(&shop.app, &percent("SECRET", "10")).expect("a coupon");
    coupons::add(&shop.app, &CouponForm { minimum: "500".to_owned(), ..percent("LARGE", "10") }).expect("a coupon");
    let customer = shop.customer(10_000);
    for _ in 0..COUPON_ATTEMPTS.hits {
        assert_eq!(shop.call(&customer, "Order/QuoteOrder", with_coupon(1, "SECRET", "")).await.code, 1000);
        assert_eq!(rule(&shop.call(&customer, "Order/QuoteOrder", with_coupon(1, "LARGE", "")).await), "couponMinimum");
    }
    let mut bought = with_coupon(1, "SECRET", "4.50");
    bought["PayFromWallet"] = json!(true);
    let first = shop.call_once(&customer, "one-order", "Order/CreateOrder", bought.clone()).await;
    assert_eq!((first.code, &first.data["State"]), (1000, &json!("fulfilled")), "{first:?}");
    for number in 0..COUPON_ATTEMPTS.hits {
        let guess = shop.call(&customer, "Order/CheckCoupon", json!({ "Coupon": format!("GUESS{number}") })).await;
        assert_eq!(rule(&guess), "couponUnknown");
    }
    assert_eq!(order(&shop, &customer, 1, "SECRET", "4.50").await.code, 4290);
    let again = shop.call_once(&customer, "one-order", "Order/CreateOrder", bought).await;
    assert_eq!((again.code, &again.data), (1000, &first.data), "{again:?}");
    let other = shop.call_once(&customer, "one-order", "Order/CreateOrder", with_coupon(2, "SECRET", "9.00")).await;
    assert_eq!(other.code, 2009, "{other:?}");
    assert_eq!(shop.balance(&customer).await, "95.50");
}

#[actix_web::test]
async fn coupon_errors_are_shown_as_text() {
    let shop = Shop::open();
    let wrong = |form: &CouponForm| coupons::add(&shop.app, form).expect_err("a refusal").to_string();
    assert_eq!(wrong(&CouponForm { products: vec!["gold".to_owned()], ..percent("A", "10") }).matches("; ").count(), 1);
    coupons::add(&shop.app, &CouponForm { products: vec![REGULAR.to_owned()], ..percent("TEN", "10") }).expect("one");
    assert!(wrong(&percent("ten", "20")).contains("TEN already"));
    assert!(coupons::end(&shop.app, "nosuch").is_err());
    coupons::end(&shop.app, "ten").expect("an end");
    assert!(coupons::end(&shop.app, "ten").is_err(), "an end is an end");
    let lines = coupons::list(&shop.app).expect("a list");
    assert!(lines.len() == 1 && lines[0].starts_with("TEN") && lines[0].ends_with("0 orders; ended"), "{lines:?}");
}

#[actix_web::test]
async fn operators_add_list_and_end_coupons() {
    let shop = Shop::open();
    let (customer, operator) = (shop.customer(10_000), shop.operator());
    let add = async |who: &Customer, form: Value| shop.call(who, "Operator/AddCoupon", form).await;
    let tomorrow = to_wire(shop.app.clock.now() + TimeDelta::days(1));
    let added = add(&operator, json!({"Code": "spring", "Percent": "10", "TotalUses": "5"})).await;
    assert_eq!((added.code, &added.data["Coupon"]["Code"]), (1000, &json!("SPRING")), "{added:?}");
    assert_eq!(added.data["State"], "usable");
    assert_eq!(
        add(&operator, json!({"Code": "LATER", "Amount": "5", "ValidFrom": tomorrow})).await.data["State"],
        "planned"
    );
    let taken = add(&operator, json!({"Code": "Spring", "Percent": "20"})).await;
    assert_eq!(taken.data["Fields"]["Code"][0]["Rule"], "couponTaken", "{taken:?}");
    let wrong = add(&operator, json!({"Code": "x", "TotalUses": "0"})).await;
    for field in ["Code", "Percent", "TotalUses"] {
        assert!(wrong.data["Fields"][field].is_array(), "{field}: {wrong:?}");
    }
    assert_eq!(add(&customer, json!({"Code": "MINE", "Percent": "100"})).await.code, 3003);
    shop.stock("US", "new-york", 1);
    assert_eq!(order(&shop, &customer, 1, "SPRING", "4.50").await.code, 1000);
    let list = async |body: Value| {
        let answer = shop.call(&operator, "Operator/GetCouponList", body).await;
        let rows = answer.data["Rows"].as_array().expect("rows");
        rows.iter()
            .map(|row| format!("{} {}", row["Coupon"]["Code"].as_str().expect("a code"), row["Orders"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(list(json!({"Search": "spr"})).await, ["SPRING 1"]);
    assert_eq!(list(json!({"Filter": {"State": "planned"}})).await, ["LATER 0"]);
    assert_eq!(list(json!({"Filter": {"State": "usable"}})).await, ["SPRING 1"]);
    assert_eq!(list(json!({"PageSize": 1, "Page": 2})).await.len(), 1);
    for wrong in [json!({"Filter": {"Code": "x"}}), json!({"Sort": [{"Field": "Code"}]})] {
        assert_eq!(shop.call(&operator, "Operator/GetCouponList", wrong).await.code, 2002);
    }
    for code in [1000, 3004] {
        assert_eq!(shop.call(&operator, "Operator/EndCoupon", json!({"Code": "later"})).await.code, code);
    }
    assert_eq!(list(json!({"Filter": {"State": "ended"}})).await, ["LATER 0"]);
}

#[actix_web::test]
async fn the_last_use_in_total_is_taken_once() {
    let shop = Arc::new(Shop::open());
    shop.stock("US", "new-york", 9);
    coupons::add(&shop.app, &CouponForm { total_uses: "2".to_owned(), ..percent("TWICE", "50") }).expect("a coupon");
    let mut tasks = Vec::new();
    for _ in 0..6 {
        let (shop, customer) = (shop.clone(), shop.customer(1_000));
        tasks.push(actix_web::rt::spawn(async move { order(&shop, &customer, 1, "TWICE", "2.50").await }));
    }
    let mut taken = 0;
    for task in tasks {
        let answer = task.await.expect("an answer");
        if answer.code == 1000 {
            taken += 1;
        } else {
            assert_eq!(rule(&answer), "couponAllUsed");
        }
    }
    assert_eq!(taken, 2);
}

#[actix_web::test]
async fn a_coupon_for_first_orders_is_refused_after_a_paid_order_but_not_after_a_top_up() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 9);
    coupons::add(&shop.app, &CouponForm { first_order_only: true, ..percent("HELLO", "50") }).expect("a coupon");
    let customer = shop.customer(10_000);
    let check = async || shop.call(&customer, "Order/CheckCoupon", json!({"Coupon": "hello"})).await;
    assert_eq!(check().await.data["FirstOrderOnly"], true);
    assert_eq!(
        shop.call(&customer, "Wallet/CreateTopUp", json!({"Amount": "50", "PaymentMethod": "sandbox"})).await.code,
        1000
    );
    assert_eq!(order(&shop, &customer, 1, "HELLO", "2.50").await.code, 1000, "an unpaid order is none yet");
    shop.buys(&customer, with_coupon(1, "HELLO", "2.50")).await;
    assert_eq!(rule(&check().await), "couponFirstOrder");
    assert_eq!(rule(&order(&shop, &customer, 1, "HELLO", "2.50").await), "couponFirstOrder");
}
