//! Price commands: show, change and remove; and their effect on forms and orders.
use crate::shop::{REGULAR, Shop, order_for};
use crate::traffic::{buys, traffic_for};
use postern_server::app::prices::{PricesCommand, run_prices_command};
use serde_json::json;

fn set_traffic(period: &str, from_gb: &str, price: &str) -> PricesCommand {
    PricesCommand::SetTraffic { period: period.to_owned(), from_gb: from_gb.to_owned(), price: price.to_owned() }
}

fn changed(shop: &Shop, command: PricesCommand) -> Vec<String> {
    run_prices_command(&shop.app, command).expect("a change")
}

fn refused(shop: &Shop, command: PricesCommand) -> String {
    run_prices_command(&shop.app, command).expect_err("a refusal").to_string()
}

#[actix_web::test]
async fn a_changed_price_applies_to_new_quotes_not_open_orders() {
    let shop = Shop::open_with_traffic();
    shop.stock("US", "new-york", 30);
    let customer = shop.customer(100_000);
    let open = shop.call(&customer, "Traffic/CreateTrafficOrder", traffic_for(10, 30, "35.00")).await.data;
    changed(&shop, set_traffic("30", "10", "3.20"));
    changed(&shop, set_traffic("7", "5", "2"));
    let answer = shop.call(&customer, "Traffic/CreateTrafficOrder", traffic_for(10, 30, "35.00")).await;
    assert_eq!((answer.code, &answer.data["NewPrice"]), (4004, &json!("32.00")));
    buys(&shop, &customer, 5, 7, "10.00").await;
    let pay = json!({"OrderId": open["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(&customer, "Order/PayOrder", pay).await.data["Order"]["Total"], "35.00");
    changed(&shop, PricesCommand::RemoveTraffic { period: "7".to_owned(), from_gb: "5".to_owned() });
    let answer = shop.call(&customer, "Traffic/QuoteTraffic", traffic_for(5, 7, "")).await;
    assert_eq!(answer.data["Fields"]["PeriodDays"][0]["Rule"], "unknownPeriod");

    changed(&shop, PricesCommand::SetTier { ver_str: REGULAR.to_owned(), price: "6".to_owned() });
    changed(&shop, PricesCommand::SetPeriod { days: "60".to_owned(), discount: "10".to_owned() });
    changed(&shop, PricesCommand::SetStep { min: "5".to_owned(), discount: "50".to_owned() });
    let mut order = order_for(&[("US", "new-york", 5)], "27.00");
    order["PeriodDays"] = json!(60);
    order["PayFromWallet"] = json!(true);
    assert_eq!(shop.call(&customer, "Order/CreateOrder", order).await.code, 1000);
    let lines = changed(&shop, PricesCommand::RemoveStep { min: "5".to_owned() });
    assert!(!lines.iter().any(|line| line.contains("50%")), "{lines:?}");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn invalid_prices_are_named_and_nothing_changes() {
    let shop = Shop::open();
    let before = changed(&shop, PricesCommand::Show);
    assert_eq!(before.len(), 3 + 4 + 4 + 12, "{before:#?}");
    assert!(before.contains(&"traffic  never expires  from      1 GB     5.00 USD per GB".to_owned()), "{before:#?}");
    let wrong = refused(&shop, set_traffic("month", "0", "free"));
    for words in ["Period is `month`", "FromGb is `0`", "Price is `free`", "from 0 to 3650", "from 1 to 100000"] {
        assert!(wrong.contains(words), "{wrong}");
    }
    let gone = refused(&shop, PricesCommand::SetTier { ver_str: "gold".to_owned(), price: "5".to_owned() });
    assert!(gone.contains("The shop has no price for gold"), "{gone}");
    assert_eq!(changed(&shop, PricesCommand::Show), before);
}

#[actix_web::test]
async fn a_period_used_by_automatic_renewals_cannot_be_removed() {
    let shop = Shop::open();
    let owner = shop.owner_of(2, 0).await;
    let node_ids: Vec<_> = shop.nodes_of(&owner).await.iter().map(|node| node["NodeId"].clone()).collect();
    let renews = async |auto_renew: bool| {
        let body = json!({"NodeIds": node_ids, "AutoRenew": auto_renew});
        assert_eq!(shop.call(&owner, "Ips/SetAutoRenew", body).await.code, 1000);
    };
    let remove = PricesCommand::RemovePeriod { days: "30".to_owned() };
    renews(true).await;
    assert!(refused(&shop, remove.clone()).contains("IPs that renew automatically for this period: 2"));
    renews(false).await;
    assert!(!changed(&shop, remove).iter().any(|line| line.starts_with("period      30")));
}
