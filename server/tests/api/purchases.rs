//! What customers see of a purchase: in the order, the proxy list, mails, and refusals.
use crate::shop::{REGULAR, Shop, order_for};
use serde_json::{Value, json};

fn ips(rows: &Value) -> Vec<String> {
    let mut ips: Vec<String> =
        rows.as_array().into_iter().flatten().filter_map(|row| row["Ip"].as_str().map(str::to_owned)).collect();
    ips.sort();
    ips
}

#[actix_web::test]
async fn an_order_lists_its_ips_and_their_ends_as_does_the_proxy_list() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3);
    shop.stock("DE", "frankfurt", 2);
    let (customer, other) = (shop.customer(10_000), shop.customer(0));
    let first = shop.buys(&customer, order_for(&[("US", "new-york", 2)], "10.00")).await;
    let second = shop.buys(&customer, order_for(&[("DE", "frankfurt", 1), ("US", "new-york", 1)], "10.00")).await;

    let order = shop.call(&customer, "Order/GetOrder", json!({"OrderId": second})).await.data;
    assert_eq!(order["Nodes"].as_array().map(Vec::len), Some(2), "{order}");
    let until = order["Nodes"][0]["EndsAt"].as_str().expect("an end").to_owned();
    assert!(*until > *order["PaidAt"].as_str().expect("a time"));
    let number = order["OrderNumber"].as_str().expect("a number");
    let bought = json!({"Filter": {"OrderNumber": number}});
    let list = shop.call(&customer, "Ips/GetUserNodeList", bought.clone()).await.data;
    assert_eq!((&list["Total"], ips(&list["Rows"])), (&json!(2), ips(&order["Nodes"])));
    assert!(list["Rows"].as_array().expect("rows").iter().all(|row| row["ExpiresAt"] == until.as_str()));
    assert_eq!(shop.call(&other, "Ips/GetUserNodeList", bought.clone()).await.data["Total"], 0);

    // A filter of the list also works for bulk calls.
    let note = json!({"All": true, "Filter": {"OrderNumber": number}, "Note": "second"});
    assert_eq!(shop.call(&customer, "Ips/EditNodeNote", note).await.data["Changed"], 2);

    // A list of orders has no IPs, and is searched by part of the number, ignoring case.
    let asked = json!({"Search": number[3..8].to_lowercase()});
    let found = shop.call(&customer, "Order/GetOrderList", asked).await.data;
    assert_eq!((&found["Total"], &found["Rows"][0]["OrderId"]), (&json!(1), &json!(second)), "{found}");
    assert_eq!(found["Rows"][0]["Nodes"], json!([]));
    assert_eq!(shop.call(&customer, "Order/GetOrderList", json!({"Search": "%"})).await.data["Total"], 0);
    assert_eq!(shop.call(&other, "Order/GetOrderList", json!({"Search": number})).await.data["Total"], 0);

    // A renewal lists the IPs that it extended.
    let node = shop.call(&customer, "Order/GetOrder", json!({"OrderId": first})).await.data["Nodes"][0].clone();
    let node_id = &node["NodeId"];
    let renew = json!({"NodeIds": [node_id], "PeriodDays": 30, "ExpectedTotal": "5.00"});
    let renewal = shop.call(&customer, "Ips/IpsNoneRenew", renew).await.data;
    assert_eq!(renewal["Nodes"], json!([]), "nothing is bought before it is paid");
    shop.call(&customer, "Order/PayOrder", json!({"OrderId": renewal["OrderId"], "PaymentMethod": "wallet"})).await;
    let renewal = shop.call(&customer, "Order/GetOrder", json!({"OrderId": renewal["OrderId"]})).await.data;
    assert_eq!((&renewal["Nodes"][0]["NodeId"], &renewal["Nodes"][0]["StartsAt"]), (node_id, &node["EndsAt"]));
}

#[actix_web::test]
async fn purchases_are_confirmed_by_mail_in_the_last_used_language() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3);
    let customer = shop.customer(10_000);
    shop.buys(&customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    shop.run_jobs().await;
    let mail = shop.last_mail_to(&customer.email).expect("a mail");
    for words in
        ["Your proxy is ready", "New York, United States × 1", "Regular, 30 days, until ", " UTC", "Total: $5.00"]
    {
        assert!(mail.contains(words), "{words}: {mail}");
    }

    // The page requests Chinese; a program that states no language changes nothing.
    let token: (&str, &str) = ("Token", &customer.token);
    shop.send("User/GetUserInfo", json!({}), &[token, ("Accept-Language", "zh-CN")]).await;
    shop.send("User/GetUserInfo", json!({}), &[token]).await;
    shop.buys(&customer, order_for(&[("US", "new-york", 2)], "10.00")).await;
    shop.run_jobs().await;
    let mail = shop.last_mail_to(&customer.email).expect("a mail");
    for words in ["您的 2 个代理已可使用", "美国·纽约 × 2", "普通，30 天", "（UTC）", "合计：$10.00", "/order?OrderId="]
    {
        assert!(mail.contains(words), "{words}: {mail}");
    }
    assert!(!mail.contains("{{"), "{mail}");
    assert_eq!(shop.mails_about(&customer.email, "ready") + shop.mails_about(&customer.email, "已可使用"), 2);
}

#[actix_web::test]
async fn a_refund_mail_lists_the_ips_that_ended() {
    let shop = Shop::open();
    let customer = shop.owner_of(2, 0).await;
    let operator = shop.operator();
    let order = shop.call(&customer, "Order/GetOrderList", json!({})).await.data["Rows"][0].clone();
    let node = shop.nodes_of(&customer).await[0].clone();
    let refund = json!({"OrderNumber": order["OrderNumber"], "NodeIds": [node["NodeId"]], "Reason": "as agreed"});
    let preview = shop.call(&operator, "Operator/RefundOrder", refund.clone()).await;
    assert_eq!(preview.code, 1000, "{preview:?}");
    shop.run_jobs().await;
    let mail = shop.last_mail_to(&customer.email).expect("a mail");
    assert!(mail.contains(&format!("\n{}\n", node["Ip"].as_str().expect("an address"))), "{mail}");
    assert!(mail.contains("as agreed"), "{mail}");
}

#[actix_web::test]
async fn refusals_name_the_city_the_currency_and_the_zone() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 1);
    let customer = shop.customer(184);
    let token: (&str, &str) = ("Token", &customer.token);
    let message = async |call: &str, body: Value, language: &str| {
        shop.send(call, body, &[token, ("Accept-Language", language)]).await.message
    };
    let two = order_for(&[("US", "new-york", 2)], "10.00");
    assert_eq!(message("Order/CreateOrder", two.clone(), "en-US").await, "Only 1 left in New York");
    assert_eq!(message("Order/CreateOrder", two, "zh-CN").await, "纽约仅剩 1 个");
    let none = order_for(&[("DE", "frankfurt", 1)], "5.00");
    assert_eq!(message("Order/CreateOrder", none, "en-US").await, "Frankfurt is sold out");
    let mut bought = order_for(&[("US", "new-york", 1)], "5.00");
    bought["PayFromWallet"] = json!(true);
    assert_eq!(
        message("Order/CreateOrder", bought, "en-US").await,
        "Your balance of $1.84 is too low: $5.00 is needed. Top up your wallet first"
    );
    let dearer = order_for(&[("US", "new-york", 1)], "4.00");
    assert_eq!(message("Order/CreateOrder", dearer, "zh-CN").await, "价格已由 $4.00 变为 $5.00");

    let owner = shop.owner_of(2, 0).await;
    shop.stock("US", "new-york", 2);
    let nodes = shop.nodes_of(&owner).await;
    let first = json!({"NodeIds": [nodes[0]["NodeId"]]});
    assert_eq!(shop.call(&owner, "Ips/SwitchNode", first).await.code, 1000);
    let again = json!({"NodeIds": [nodes[1]["NodeId"]], "DryRun": true});
    let refused = shop.call(&owner, "Ips/SwitchNode", again).await;
    assert_eq!(refused.code, 4003, "{refused:?}");
    assert!(refused.message.contains("(1 of 1)") && refused.message.ends_with(" UTC"), "{}", refused.message);
}

#[actix_web::test]
async fn a_plan_shows_its_next_charge() {
    let shop = Shop::open();
    let customer = shop.owner_of(3, 10_000).await;
    let plan = async || shop.call(&customer, "Ips/GetUserVerPlan", json!({})).await.data[0].clone();
    assert_eq!(plan().await["NextCharge"], Value::Null);
    let nodes = shop.nodes_of(&customer).await;
    let two = json!({"NodeIds": [nodes[0]["NodeId"], nodes[1]["NodeId"]], "AutoRenew": true});
    shop.call(&customer, "Ips/SetAutoRenew", two).await;
    let next = plan().await["NextCharge"].clone();
    assert_eq!((&next["IpsCount"], &next["Amount"], &next["Currency"]), (&json!(2), &json!("10.00"), &json!("USD")));
    // Three days before their end.
    assert!(next["At"].as_str() < nodes[0]["ExpiresAt"].as_str(), "{next}");
    shop.call(&customer, "Ips/SetAutoRenew", json!({"VerStr": REGULAR, "AutoRenew": true})).await;
    assert_eq!(plan().await["NextCharge"]["IpsCount"], 3);
}

#[actix_web::test]
async fn files_are_readable_in_excel_and_state_the_time_zone_of_their_times() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    let files = [
        ("Ips/ExportNodes", json!({"All": true, "Format": "csv"}), ",AssignedAt (UTC),ExpiresAt (UTC),"),
        ("Ips/ExportSwitchRecording", json!({"Format": "csv"}), "CreatedAt (UTC),OldIp"),
        ("Wallet/ExportTransactions", json!({}), "CreatedAt (UTC),Kind"),
        ("Order/ExportOrders", json!({}), "CreatedAt (UTC),OrderNumber,Kind,State"),
        (
            "Usage/ExportUsage",
            json!({"Kind": "residential", "StartTime": "2026-01-01 00:00:00", "EndTime": "2026-02-01 00:00:00"}),
            "StartsAt (UTC),UploadBytes",
        ),
        ("ProxyUsers/ExportProxyUsers", json!({}), ",expires_at,"),
    ];
    for (call, body, head) in files {
        let file = shop.download_bytes(&customer, call, body).await;
        // The mark by which Excel recognises UTF-8: without it, Chinese is garbled.
        let file = String::from_utf8(file).expect("UTF-8");
        assert!(file.starts_with('\u{feff}'), "{call}: {file}");
        assert!(file.lines().next().unwrap_or_default().contains(head), "{call}: {file}");
    }
}

#[actix_web::test]
async fn bought_ips_join_the_chosen_group_and_renew_as_chosen() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 9);
    let customer = shop.customer(10_000);
    let group = shop.call(&customer, "Ips/AddUserPlanGroup", json!({"Name": "Scrapers"})).await.data["GroupId"].clone();
    let chosen = |group: &Value, auto_renew: Value, is_paid: bool| {
        let mut order = order_for(&[("US", "new-york", 2)], "10.00");
        order["GroupId"] = group.clone();
        order["AutoRenew"] = auto_renew;
        order["PayFromWallet"] = json!(is_paid);
        order
    };
    let look = |nodes: &[Value]| -> Vec<(Value, Value)> {
        nodes.iter().map(|node| (node["GroupName"].clone(), node["AutoRenew"].clone())).collect()
    };
    // At once, and after the payment of an order.
    let bought = shop.call(&customer, "Order/CreateOrder", chosen(&group, json!(true), true)).await;
    assert_eq!(bought.code, 1000, "{bought:?}");
    assert_eq!(look(&shop.nodes_of(&customer).await), vec![(json!("Scrapers"), json!(true)); 2]);
    let next = shop.call(&customer, "Ips/userGetUserVerPlan", json!({})).await;
    assert_eq!(next.data[0]["NextCharge"]["IpsCount"], 2, "{next:?}");
    shop.buys(&customer, chosen(&group, json!(false), false)).await;
    assert_eq!(look(&shop.nodes_of(&customer).await)[2..], vec![(json!("Scrapers"), json!(false)); 2]);
    // Without a choice, as the plan says.
    shop.buys(&customer, chosen(&Value::Null, Value::Null, false)).await;
    assert_eq!(look(&shop.nodes_of(&customer).await)[4..], vec![(Value::Null, json!(false)); 2]);
    // A group that is deleted before the payment is none; another account's is refused.
    let order = shop.call(&customer, "Order/CreateOrder", chosen(&group, json!(true), false)).await;
    assert_eq!(shop.call(&customer, "Ips/DeleteUserPlanGroup", json!({"GroupId": group})).await.code, 1000);
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "wallet"});
    assert_eq!(shop.call(&customer, "Order/PayOrder", pay).await.code, 1000);
    assert_eq!(look(&shop.nodes_of(&customer).await)[6..], vec![(Value::Null, json!(true)); 2]);
    let other = shop.customer(10_000);
    let theirs = shop.call(&other, "Ips/AddUserPlanGroup", json!({"Name": "Theirs"})).await.data["GroupId"].clone();
    let refused = shop.call(&customer, "Order/CreateOrder", chosen(&theirs, Value::Null, true)).await;
    assert_eq!(refused.code, 3004, "{refused:?}");
    shop.ledger_adds_up();
}
