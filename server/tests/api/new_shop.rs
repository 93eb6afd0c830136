//! A new shop sells nothing before its operator has chosen it, and a tier has a switch.
use crate::legal::public_config;
use crate::shop::{REGULAR, Shop, order_for};
use crate::traffic::traffic_for;
use postern_server::app::prices::{PricesCommand, run_prices_command};
use serde_json::{Value, json};

fn on_sale(catalogue: &Value) -> Vec<bool> {
    let tiers = catalogue["Tiers"].as_array().expect("tiers");
    tiers.iter().map(|tier| tier["IsSold"].as_bool().expect("a flag")).collect()
}

#[actix_web::test]
async fn a_new_shop_sells_nothing_until_its_operator_has_chosen_it() {
    let shop = Shop::open_new();
    shop.stock("US", "new-york", 3);
    let (operator, customer) = (shop.operator(), shop.customer(100_000));
    let change = async |form: Value| assert_eq!(shop.call(&operator, "Operator/ChangePrice", form).await.code, 1000);

    // Static proxies: the tiers are there, with suggested prices.
    let catalogue = shop.call(&customer, "Ips/GetServerVer", json!({})).await.data;
    assert_eq!(on_sale(&catalogue), [false; 3]);
    let order = order_for(&[("US", "new-york", 1)], "5.00");
    let refused = shop.call(&customer, "Order/CreateOrder", order.clone()).await;
    assert_eq!((refused.code, &refused.data["Fields"]["VerStr"][0]["Rule"]), (2001, &json!("tierNotSold")));
    assert_eq!(shop.call(&customer, "Order/QuoteOrder", order.clone()).await.code, 2001);
    change(json!({"Action": "sell_tier", "VerStr": REGULAR})).await;
    let catalogue = shop.call(&customer, "Ips/GetServerVer", json!({})).await.data;
    assert_eq!(on_sale(&catalogue), [true, false, false]);
    assert_eq!(shop.call(&customer, "Order/CreateOrder", order).await.code, 1000);

    // Traffic: neither a price nor a server alone sells it.
    let offers = async || {
        let answer = shop.call(&customer, "Traffic/GetTrafficCatalogue", json!({})).await.data;
        answer["Offers"].as_array().expect("offers").len()
    };
    assert_eq!(offers().await, 0);
    let price = json!({"Action": "set_traffic", "Period": "30", "FromGb": "1", "Price": "4"});
    change(price).await;
    assert_eq!(offers().await, 0, "there is no server");
    let wanted = traffic_for(1, 30, "4.00");
    let refused = shop.call(&customer, "Traffic/CreateTrafficOrder", wanted.clone()).await;
    assert_eq!((refused.code, &refused.data["Fields"]["PeriodDays"][0]["Rule"]), (2001, &json!("unknownPeriod")));
    let server = json!({"Name": "one", "Kind": "residential", "Host": "proxy.example", "HttpPort": "8000"});
    let server = shop.call(&operator, "Operator/AddProxyServer", server).await;
    assert_eq!((server.code, offers().await), (1000, 1));
    assert_eq!(shop.call(&customer, "Traffic/CreateTrafficOrder", wanted.clone()).await.code, 1000);
    change(json!({"Action": "remove_traffic", "Period": "30", "FromGb": "1"})).await;
    assert_eq!(offers().await, 0, "the last price ends the sale");
    assert_eq!(shop.call(&customer, "Traffic/QuoteTraffic", wanted).await.code, 2001);

    // Referrals earn nothing without a rule.
    let referrals = shop.call(&customer, "Referrals/GetReferrals", json!({})).await.data;
    assert_eq!((&referrals["Rule"], &referrals["NextRule"]), (&Value::Null, &Value::Null));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_paused_tier_is_renewed_and_switched_but_not_ordered() {
    let shop = Shop::open();
    let owner = shop.owner_of(2, 100_000).await;
    shop.stock("US", "new-york", 3);
    let open = shop.call(&owner, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    let lines = run_prices_command(&shop.app, PricesCommand::PauseTier { ver_str: REGULAR.to_owned() });
    let lines = lines.expect("a change");
    assert!(lines[0].ends_with("per IP and 30 days, not sold"), "{lines:?}");

    let refused = shop.call(&owner, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    assert_eq!((refused.code, &refused.data["Fields"]["VerStr"][0]["Rule"]), (2001, &json!("tierNotSold")));
    let pay = json!({"OrderId": open.data["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(&owner, "Order/PayOrder", pay).await.code, 1000, "an open order keeps its word");
    let node_ids: Vec<Value> = shop.nodes_of(&owner).await.iter().map(|node| node["NodeId"].clone()).collect();
    assert_eq!(node_ids.len(), 3);
    let renewal = json!({"NodeIds": node_ids, "PeriodDays": 30, "ExpectedTotal": "15.00"});
    let renewed = shop.call(&owner, "Ips/IpsNoneRenew", renewal).await;
    assert_eq!(renewed.code, 1000, "{:?}", renewed.data);
    let switched = shop.call(&owner, "Ips/SwitchNode", json!({"NodeIds": [node_ids[0]]})).await;
    assert_eq!(switched.code, 1000, "{:?}", switched.data);

    let sell = PricesCommand::SellTier { ver_str: REGULAR.to_owned() };
    run_prices_command(&shop.app, sell).expect("a change");
    assert_eq!(shop.call(&owner, "Order/QuoteOrder", order_for(&[("US", "new-york", 1)], "5.00")).await.code, 1000);
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_shop_without_operator_says_so_before_sign_in() {
    let shop = Shop::open_new();
    let needs = async || public_config(&shop).await["NeedsOperator"].clone();
    shop.customer(0);
    assert_eq!(needs().await, json!(true));
    shop.operator();
    assert_eq!(needs().await, json!(false));
}
