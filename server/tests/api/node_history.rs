//! One proxy with its history, and the proxy list narrowed to several countries or to pasted addresses.
use crate::shop::{Customer, Shop, order_for};
use chrono::TimeDelta;
use serde_json::{Value, json};

async fn details(shop: &Shop, customer: &Customer, node_id: &Value) -> Value {
    let answer = shop.call(customer, "Ips/GetUserNode", json!({"NodeId": node_id})).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data
}

fn kinds(details: &Value) -> Vec<&str> {
    let history = details["History"].as_array().expect("a history");
    history.iter().filter_map(|event| event["Kind"].as_str()).collect()
}

async fn renews_all(shop: &Shop, customer: &Customer) {
    let body = json!({"All": true, "PeriodDays": 30, "ExpectedTotal": "5.00"});
    let order = shop.call(customer, "Ips/IpsNoneRenew", body).await;
    assert_eq!(order.code, 1000, "{order:?}");
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(customer, "Order/PayOrder", pay).await.code, 1000);
}

#[actix_web::test]
async fn a_proxys_history_follows_it_through_its_addresses() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 10_000).await;
    let first = shop.nodes_of(&customer).await.remove(0);
    let bought = details(&shop, &customer, &first["NodeId"]).await;
    assert_eq!(bought["Node"], first, "the same as in the list");
    assert_eq!(kinds(&bought), ["bought"]);
    assert_eq!(bought["History"][0]["Amount"], "5.00");
    assert_eq!(bought["History"][0]["EndsAt"], first["ExpiresAt"]);

    shop.app.clock.advance(TimeDelta::days(1));
    let customer = shop.signs_in(&customer);
    renews_all(&shop, &customer).await;
    shop.app.clock.advance(TimeDelta::hours(1));
    shop.stock("US", "new-york", 1);
    let switch = json!({"NodeIds": [first["NodeId"]], "Reason": "blocked"});
    assert_eq!(shop.call(&customer, "Ips/SwitchNode", switch).await.code, 1000);
    shop.app.clock.advance(TimeDelta::hours(1));
    renews_all(&shop, &customer).await;

    let second = shop.nodes_of(&customer).await.remove(0);
    assert_ne!(second["Ip"], first["Ip"]);
    let answer = details(&shop, &customer, &second["NodeId"]).await;
    assert_eq!(kinds(&answer), ["renewed", "switched", "renewed", "bought"]);
    let [renewed, switched, _, bought] = [0, 1, 2, 3].map(|index| &answer["History"][index]);
    assert_eq!((&renewed["Ip"], &renewed["EndsAt"]), (&second["Ip"], &second["ExpiresAt"]));
    assert!(renewed["OrderNumber"].as_str().is_some_and(|number| !number.is_empty()), "{renewed}");
    assert_eq!((&switched["OldIp"], &switched["Ip"]), (&first["Ip"], &second["Ip"]));
    assert_eq!(
        (&switched["Mode"], &switched["Reason"], &switched["Amount"]),
        (&json!("quota"), &json!("blocked"), &json!("0.00"))
    );
    assert_eq!(switched["OrderId"], Value::Null, "a free switch has no order");
    assert_eq!(bought["Ip"], first["Ip"]);

    // The previous address is no longer visible to the customer, nor to a stranger.
    let old = json!({"NodeId": first["NodeId"]});
    assert_eq!(shop.call(&customer, "Ips/GetUserNode", old).await.code, 3004);
    let stranger = shop.customer(0);
    let own = json!({"NodeId": second["NodeId"]});
    assert_eq!(shop.call(&stranger, "Ips/GetUserNode", own).await.code, 3004);
}

#[actix_web::test]
async fn an_address_that_comes_back_to_an_account_begins_a_history_of_its_own() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 10_000).await;
    shop.stock("US", "new-york", 1);
    let first = shop.nodes_of(&customer).await.remove(0);
    assert_eq!(shop.call(&customer, "Ips/SwitchNode", json!({"NodeIds": [first["NodeId"]]})).await.code, 1000);
    let second = shop.nodes_of(&customer).await.remove(0);
    // The first address leaves quarantine, is sold again, and replaces the second one.
    shop.app.clock.advance(TimeDelta::days(8));
    let customer = shop.signs_in(&customer);
    shop.run_jobs().await;
    let switch = json!({"NodeIds": [second["NodeId"]]});
    let answer = shop.call(&customer, "Ips/SwitchNodeByUnitPrice", switch).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    let third = shop.nodes_of(&customer).await.remove(0);
    assert_eq!(third["NodeId"], first["NodeId"], "the only one in stock");
    let answer = details(&shop, &customer, &third["NodeId"]).await;
    assert_eq!(kinds(&answer), ["switched", "switched", "bought"]);
    assert_eq!(answer["History"][0]["Amount"], "5.00");
}

#[actix_web::test]
async fn the_list_is_narrowed_to_several_countries_and_to_addresses() {
    let shop = Shop::open();
    let customer = shop.owner_of(3, 1_000).await;
    for (country, city) in [("DE", "frankfurt"), ("JP", "tokyo")] {
        shop.stock(country, city, 1);
        shop.buys(&customer, order_for(&[(country, city, 1)], "5.00")).await;
    }
    let list = async |filter: Value| {
        let answer = shop.call(&customer, "Ips/GetUserNodeList", json!({"Filter": filter})).await;
        (answer.code, answer.data["Total"].as_i64())
    };
    for (countries, total) in [("DE", 1), ("DE,JP", 2), (" JP , US,JP", 4), ("QX", 0), ("QX,DE", 1), ("", 0)] {
        assert_eq!(list(json!({"Country": countries})).await, (1000, Some(total)), "{countries:?}");
    }
    let nodes = shop.nodes_of(&customer).await;
    let ip = |index: usize| nodes[index]["Ip"].clone();
    assert_eq!(list(json!({"Ips": [ip(0), ip(4), "192.0.2.1"]})).await, (1000, Some(2)));
    assert_eq!(list(json!({"Ips": [ip(0), ip(4)], "Country": nodes[0]["Country"]})).await, (1000, Some(1)));
    assert_eq!(list(json!({"Ips": ["192.0.2.1"]})).await, (1000, Some(0)));
    assert_eq!(list(json!({"Ips": ["'; DROP TABLE nodes; --", ""]})).await, (1000, Some(0)));
    assert_eq!(list(json!({"Ips": ["\u{0}"]})).await.0, 2001, "no text has this character");
    assert_eq!(list(json!({"Ips": []})).await, (1000, Some(5)));
    assert_eq!(list(json!({"Ips": vec!["192.0.2.1"; 1_001]})).await.0, 2001);
    // A bulk call takes the same filter, and another account's address matches nothing.
    let note = json!({"All": true, "Filter": {"Ips": [ip(1), ip(2)]}, "Note": "pasted"});
    assert_eq!(shop.call(&customer, "Ips/EditNodeNote", note).await.data["Changed"], 2);
    let stranger = shop.customer(0);
    let foreign = shop.call(&stranger, "Ips/GetUserNodeList", json!({"Filter": {"Ips": [ip(0)]}})).await;
    assert_eq!(foreign.data["Total"], 0);
}

#[actix_web::test]
async fn the_catalogue_says_in_which_region_a_country_is_and_what_is_bought_most() {
    let shop = Shop::open();
    let customer = shop.owner_of(2, 1_000).await;
    shop.stock("JP", "tokyo", 2);
    shop.buys(&customer, order_for(&[("JP", "tokyo", 1)], "5.00")).await;
    shop.stock("DE", "frankfurt", 1);
    let places = shop.call(&customer, "Ips/GetCountryList", json!({})).await.data;
    let found = |country: &str| places.as_array().and_then(|all| all.iter().find(|one| one["Country"] == country));
    let of = |country: &str| found(country).map(|one| (one["Region"].clone(), one["Cities"][0]["Popularity"].clone()));
    assert_eq!(of("US"), Some((json!("north_america"), json!(1))));
    assert_eq!(of("JP"), Some((json!("asia"), json!(2))));
    assert_eq!(of("DE"), Some((json!("europe"), Value::Null)), "nobody has bought there");
}
