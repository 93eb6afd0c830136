//! Prices and limits changed by operators' calls, now or from a later time.
use crate::shop::{CallAnswer, Customer, REGULAR, Shop, order_for};
use chrono::TimeDelta;
use postern_core::time::to_wire;
use serde_json::{Value, json};
use std::sync::Arc;

async fn changes(shop: &Shop, operator: &Customer, form: Value) -> CallAnswer {
    shop.call(operator, "Operator/ChangePrice", form).await
}

async fn prices_at(shop: &Shop, operator: &Customer, at: &str) -> Value {
    let answer = shop.call(operator, "Operator/GetPrices", json!({ "At": at })).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data
}

fn tier(price: &str) -> Value {
    json!({"Action": "set_tier", "VerStr": REGULAR, "Price": price})
}

fn price_of(list: &Value) -> &Value {
    let tiers = list["Prices"]["Catalogue"]["Tiers"].as_array().expect("tiers");
    &tiers.iter().find(|tier| tier["VerStr"] == REGULAR).expect("the tier")["Price"]
}

async fn quoted(shop: &Shop, customer: &Customer) -> Value {
    let quote = shop.call(customer, "Order/QuoteOrder", order_for(&[("US", "new-york", 1)], "")).await;
    assert_eq!(quote.code, 1000, "{quote:?}");
    quote.data["Total"].clone()
}

async fn log(shop: &Shop, operator: &Customer) -> Vec<Value> {
    let operator = shop.signs_in(operator);
    let entries = shop.call(&operator, "Operator/GetAuditLog", json!({})).await.data;
    entries["Rows"].as_array().expect("rows").clone()
}

#[actix_web::test]
async fn a_price_changed_now_counts_at_once() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    let (customer, operator) = (shop.customer(0), shop.operator());
    let changed = changes(&shop, &operator, tier("6")).await;
    assert_eq!((changed.code, price_of(&changed.data)), (1000, &json!("6.00")), "{changed:?}");
    assert_eq!(quoted(&shop, &customer).await, "6.00");
    for form in [
        json!({"Action": "set_traffic", "Period": "7", "FromGb": "5", "Price": "2"}),
        json!({"Action": "remove_traffic", "Period": "7", "FromGb": "5"}),
        json!({"Action": "set_period", "Days": "60", "Discount": "10"}),
        json!({"Action": "remove_period", "Days": "60"}),
        json!({"Action": "set_step", "Min": "7", "Discount": "3"}),
        json!({"Action": "remove_step", "Min": "7"}),
    ] {
        let changed = changes(&shop, &operator, form.clone()).await;
        assert_eq!(changed.code, 1000, "{form}: {changed:?}");
    }
    for (form, field, rule) in [
        (tier("0"), "Price", "amountMin"),
        (json!({"Action": "set_tier", "VerStr": "gold", "Price": "5"}), "VerStr", "noSuchPrice"),
        (json!({"Action": "remove_period", "Days": "61"}), "Days", "noSuchPrice"),
        (json!({"Action": "set_step", "Min": "7", "Discount": "91"}), "Discount", "discount"),
    ] {
        let refused = changes(&shop, &operator, form.clone()).await;
        assert_eq!(refused.data["Fields"][field][0]["Rule"], rule, "{form}: {refused:?}");
    }
    assert_eq!(changes(&shop, &operator, json!({"Action": "give_away"})).await.code, 2001);
    assert_eq!(changes(&shop, &customer, tier("1")).await.code, 3003);
    let log = log(&shop, &operator).await;
    assert_eq!(log.len(), 7, "one entry for each change, none for a refusal");
    assert!(log.iter().all(|entry| entry["Action"] == "price_changed" && entry["Operator"] == json!(operator.email)));
    let change = &log[6]["Changes"][0];
    assert!(change["Before"].to_string().contains("5.00") && change["After"].to_string().contains("6.00"), "{change}");
}

#[actix_web::test]
async fn a_planned_change_is_seen_before_and_counts_from_its_time() {
    let shop = Arc::new(Shop::open());
    shop.stock("US", "new-york", 2);
    let (customer, operator) = (shop.customer(0), shop.operator());
    let at = |hours| to_wire(shop.app.clock.now() + TimeDelta::hours(hours));
    let (first, second) = (at(1), at(2));
    let plans = |price: &str, from: &str| {
        let mut form = tier(price);
        form["ValidFrom"] = json!(from);
        form
    };
    for from in ["yesterday", "2001-01-01 00:00:00"] {
        let refused = changes(&shop, &operator, plans("6", from)).await;
        assert!(refused.data["Fields"]["ValidFrom"].is_array(), "{refused:?}");
    }
    assert_eq!(changes(&shop, &operator, plans("7", &second)).await.code, 1000);
    let list = changes(&shop, &operator, plans("6", &first)).await.data;
    assert_eq!((price_of(&list), list["Planned"].as_array().map(Vec::len)), (&json!("5.00"), Some(2)));
    assert_eq!(
        (&list["Planned"][0]["ValidFrom"], &list["Planned"][0]["Operator"]),
        (&json!(first), &json!(operator.email))
    );
    for (time, price) in [(String::new(), "5.00"), (first.clone(), "6.00"), (second, "7.00"), (at(500), "7.00")] {
        assert_eq!(price_of(&prices_at(&shop, &operator, &time).await), price, "{time}");
    }
    shop.run_jobs().await;
    assert_eq!(quoted(&shop, &customer).await, "5.00", "not yet");
    let open = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await.data;
    shop.app.clock.advance(TimeDelta::minutes(61));
    // Two servers at once make it once.
    let both = futures_util::future::join(shop.run_jobs(), shop.run_jobs());
    both.await;
    let (customer, operator) = (shop.signs_in(&customer), shop.signs_in(&operator));
    assert_eq!(quoted(&shop, &customer).await, "6.00");
    let order = shop.call(&customer, "Order/GetOrder", json!({"OrderId": open["OrderId"]})).await.data;
    assert_eq!(order["Total"], "5.00", "an order keeps its price");
    let list = prices_at(&shop, &operator, "").await;
    assert_eq!(list["Planned"].as_array().map(Vec::len), Some(1));
    let plan = json!({"PlanId": list["Planned"][0]["PlanId"]});
    assert_eq!(shop.call(&operator, "Operator/CancelPriceChange", plan.clone()).await.data["Planned"], json!([]));
    assert_eq!(shop.call(&operator, "Operator/CancelPriceChange", plan).await.code, 3004);
    shop.app.clock.advance(TimeDelta::hours(3));
    shop.run_jobs().await;
    assert_eq!(price_of(&prices_at(&shop, &shop.signs_in(&operator), "").await), "6.00");
    let actions: Vec<String> = log(&shop, &operator)
        .await
        .iter()
        .map(|entry| entry["Action"].as_str().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(actions, ["price_plan_cancelled", "price_changed", "price_planned", "price_planned"]);
}

#[actix_web::test]
async fn a_planned_change_that_is_no_longer_possible_is_cancelled_and_recorded() {
    let shop = Shop::open();
    let operator = shop.operator();
    let later = to_wire(shop.app.clock.now() + TimeDelta::hours(1));
    let planned = json!({"Action": "remove_period", "Days": "90", "ValidFrom": later});
    assert_eq!(changes(&shop, &operator, planned).await.code, 1000);
    let list = changes(&shop, &operator, json!({"Action": "remove_period", "Days": "90"})).await.data;
    assert_eq!(list["Planned"][0]["IsPossible"], false, "{list}");
    shop.app.clock.advance(TimeDelta::hours(2));
    shop.run_jobs().await;
    let log = log(&shop, &operator).await;
    assert_eq!((&log[0]["Action"], log.len()), (&json!("price_plan_cancelled"), 3));
    assert!(log[0]["Reason"].to_string().contains("noSuchPrice"), "{}", log[0]);
    assert_eq!(prices_at(&shop, &shop.signs_in(&operator), "").await["Planned"], json!([]));
}

#[actix_web::test]
async fn no_more_changes_can_be_planned_than_anyone_oversees() {
    let shop = Shop::open();
    let operator = shop.operator();
    let at = |hours: usize| to_wire(shop.app.clock.now() + TimeDelta::hours(i64::try_from(hours).expect("hours")));
    for hours in 1..=postern_core::price_forms::MAX_PLANNED_PRICES {
        let mut form = tier("6");
        form["ValidFrom"] = json!(at(hours));
        assert_eq!(changes(&shop, &operator, form).await.code, 1000);
    }
    let mut form = tier("6");
    form["ValidFrom"] = json!(at(1));
    let refused = changes(&shop, &operator, form).await;
    assert_eq!(refused.data["Fields"]["ValidFrom"][0]["Rule"], "tooManyItems", "{refused:?}");
}

#[actix_web::test]
async fn limits_are_changed_by_operators() {
    let shop = Shop::open();
    let operator = shop.operator();
    let before = shop.call(&operator, "Operator/GetLimits", json!({})).await.data;
    assert_eq!(before["Limits"].as_array().map(Vec::len), Some(5));
    let set = async |call: &str, body: Value| shop.call(&operator, call, body).await;
    let limit = set("Operator/SetLimit", json!({"Limit": "unpaid_orders", "Most": "1"})).await.data;
    assert_eq!(limit["Limits"][0], json!({"Limit": "unpaid_orders", "Most": 1}));
    let step = set("Operator/SetHoldStep", json!({"From": "77", "Ips": "70"})).await.data;
    assert!(step["HoldSteps"].as_array().expect("steps").contains(&json!({"From": "77.00", "Ips": 70})), "{step}");
    let gone = set("Operator/SetHoldStep", json!({"From": "77", "Ips": ""})).await.data;
    assert_eq!(gone["HoldSteps"], before["HoldSteps"]);
    for (call, body, field) in [
        ("Operator/SetLimit", json!({"Limit": "unpaid_orders", "Most": "0"}), "Most"),
        ("Operator/SetHoldStep", json!({"From": "0", "Ips": ""}), "Ips"),
        ("Operator/SetHoldStep", json!({"From": "-1", "Ips": "5"}), "From"),
    ] {
        assert!(set(call, body.clone()).await.data["Fields"][field].is_array(), "{body}");
    }
    shop.stock("US", "new-york", 2);
    let customer = shop.customer(0);
    let order = || order_for(&[("US", "new-york", 1)], "5.00");
    assert_eq!(shop.call(&customer, "Order/CreateOrder", order()).await.code, 1000);
    let second = shop.call(&customer, "Order/CreateOrder", order()).await;
    assert_eq!((second.code, &second.data["Max"]), (3333, &json!(1)), "{second:?}");
}

#[actix_web::test]
async fn changes_at_once_add_a_step_once_and_leave_a_period() {
    let shop = Arc::new(Shop::open());
    let operator = shop.operator();
    let at_once = async |forms: Vec<Value>| {
        let mut tasks = Vec::new();
        for form in forms {
            let (shop, operator) = (shop.clone(), operator.clone());
            tasks.push(actix_web::rt::spawn(async move { changes(&shop, &operator, form).await }));
        }
        let mut answers = Vec::new();
        for task in tasks {
            answers.push(task.await.expect("an answer"));
        }
        answers
    };
    let steps = (1..=6).map(|discount| json!({"Action": "set_step", "Min": "7", "Discount": discount.to_string()}));
    for answer in at_once(steps.collect()).await {
        assert_eq!(answer.code, 1000, "{answer:?}");
    }
    let periods = ["30", "90", "180", "360"].map(|days| json!({"Action": "remove_period", "Days": days}));
    let answers = at_once(periods.to_vec()).await;
    let left: Vec<_> = answers.iter().filter(|answer| answer.code != 1000).collect();
    assert_eq!(left.len(), 1, "{answers:?}");
    assert_eq!(left[0].data["Fields"]["Days"][0]["Rule"], "lastPrice");
}
