//! Operators look at the shop as a customer, in a session that only reads, and turn off a lost second factor.
use crate::shop::{Customer, PASSWORD, Shop};
use chrono::TimeDelta;
use postern_core::calls::{self, Access};
use serde_json::json;

async fn views(shop: &Shop, operator: &Customer, customer: &Customer) -> Customer {
    let about = json!({ "AccountId": customer.account_id });
    let view = shop.call(operator, "Operator/ViewAsCustomer", about).await;
    assert_eq!((view.code, &view.data["Email"]), (1000, &json!(customer.email)), "{view:?}");
    Customer { token: view.data["Token"].as_str().expect("a token").to_owned(), ..customer.clone() }
}

#[actix_web::test]
async fn a_view_sees_what_the_customer_sees_and_changes_nothing() {
    let shop = Shop::open();
    let operator = shop.operator();
    let ann = shop.owner_of(2, 1_000).await;
    let view = views(&shop, &operator, &ann).await;
    for call in ["Ips/GetUserNodeList", "User/GetWallet", "Order/GetOrderList", "User/GetSessionList"] {
        let seen = shop.call(&view, call, json!({})).await;
        assert_eq!(seen.code, 1000, "{call}: {seen:?}");
    }
    let info = shop.send("User/GetUserInfo", json!({}), &[("Token", &view.token), ("Accept-Language", "zh")]).await;
    assert_eq!((&info.data["Email"], &info.data["IsView"]), (&json!(ann.email), &json!(true)));
    let own = shop.call(&ann, "User/GetUserInfo", json!({})).await.data;
    assert_eq!(
        (&own["Language"], &own["IsView"]),
        (&json!("en"), &json!(false)),
        "a view does not choose the language"
    );
    for call in calls::calls().iter().filter(|call| call.access != Access::Public && !call.is_open_to_views()) {
        // None of them is allowed yet: `view_changes` is 0.
        let refused = shop.call(&view, call.name, json!({})).await;
        let is_refused = match call.access {
            Access::Operator => refused.code == 3003,
            _ => refused.code == 3333 && refused.data["Key"] == "viewOnly",
        };
        assert!(is_refused || refused.code == 2010, "{}: {refused:?}", call.name);
    }
    let sessions = shop.call(&ann, "User/GetSessionList", json!({})).await.data["Sessions"].clone();
    assert_eq!(sessions.as_array().map(Vec::len), Some(1), "a view is no session of the customer's: {sessions}");
    let log = shop.call(&operator, "Operator/GetAuditLog", json!({"Filter": {"Action": "account_viewed"}})).await.data;
    assert_eq!((&log["Total"], &log["Rows"][0]["AccountId"]), (&json!(1), &json!(ann.account_id)));
    let security = shop.call(&ann, "User/GetSecurityLog", json!({})).await.data["Total"].clone();
    assert_eq!(shop.call(&view, "User/Logout", json!({})).await.code, 1000);
    assert_eq!(shop.call(&view, "User/GetWallet", json!({})).await.code, 3001, "the view has ended");
    assert_eq!(shop.call(&ann, "User/GetSecurityLog", json!({})).await.data["Total"], security);
}

#[actix_web::test]
async fn a_view_makes_as_many_changes_as_the_seller_allows_and_each_is_recorded() {
    let shop = Shop::open();
    let operator = shop.operator();
    let ann = shop.owner_of(2, 1_000).await;
    let node_id = shop.nodes_of(&ann).await[0]["NodeId"].clone();
    let allow = async |most: &str| {
        let set = shop.call(&operator, "Operator/SetLimit", json!({"Limit": "view_changes", "Most": most})).await;
        assert_eq!(set.code, 1000, "{set:?}");
    };
    let note = |text: &str| json!({"NodeIds": [node_id], "Note": text});
    let view = views(&shop, &operator, &ann).await;
    let refused = shop.call(&view, "Ips/EditNodeNote", note("a")).await;
    assert_eq!((refused.code, &refused.data["Key"]), (3333, &json!("viewOnly")), "none until the seller allows it");
    allow("3").await;
    assert_eq!(shop.call(&view, "Ips/EditNodeNote", note("b")).await.code, 1000);
    assert_eq!(shop.nodes_of(&ann).await[0]["Note"], "b");
    let (one, other) = (note("c"), note("d"));
    let three = tokio::join!(
        shop.call(&view, "Ips/EditNodeNote", one),
        shop.call(&view, "Ips/EditNodeNote", other),
        shop.call(&view, "Ips/AddUserPlanGroup", json!({"Name": "ours", "Colour": "", "Note": ""})),
    );
    let codes = [three.0, three.1, three.2].map(|answer| (answer.code, answer.data["Max"].clone()));
    assert_eq!(codes.iter().filter(|code| code.0 == 1000).count(), 2, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == (3333, json!(3))).count(), 1, "{codes:?}");
    for call in [
        "Ips/SwitchNode",
        "ProxyUsers/EditProxyUser",
        "ProxyUsers/ExportProxyUsers",
        "ProxyUsers/RevealProxyUserPassword",
        "Order/PayOrder",
    ] {
        let refused = shop.call(&view, call, json!({"NodeIds": [node_id], "ProxyUserId": 1, "OrderId": 1})).await;
        assert_eq!((refused.code, &refused.data["Key"]), (3333, &json!("viewOnly")), "{call}");
    }
    let log = shop.call(&operator, "Operator/GetAuditLog", json!({"Filter": {"Action": "changed_as_customer"}})).await;
    assert_eq!((log.code, &log.data["Total"]), (1000, &json!(3)), "{log:?}");
    for entry in log.data["Rows"].as_array().expect("rows") {
        assert_eq!((&entry["AccountId"], &entry["Operator"]), (&json!(ann.account_id), &json!(operator.email)));
    }
    assert_eq!(log.data["Rows"][2]["Subject"], "Ips/EditNodeNote");
    // Another view begins from none again, and the customer's own changes count for nothing.
    let again = views(&shop, &operator, &ann).await;
    shop.app.clock.advance(TimeDelta::seconds(1));
    assert_eq!(shop.call(&ann, "Ips/EditNodeNote", note("own")).await.code, 1000);
    allow("0").await;
    assert_eq!(shop.call(&again, "Ips/EditNodeNote", note("e")).await.code, 3333);
}

#[actix_web::test]
async fn a_view_does_not_show_the_access_token() {
    let shop = Shop::open();
    let (ann, operator) = (shop.customer(0), shop.operator());
    assert!(shop.runs("account", &["show-token", &ann.email, "on"]).status.success());
    let view = views(&shop, &operator, &ann).await;
    let own = shop.call(&ann, "User/GetCenter", json!({})).await.data;
    let seen = shop.call(&view, "User/GetCenter", json!({})).await.data;
    assert!(own["AccessToken"].is_string() && own["HasAccessToken"] == true, "{own}");
    assert_eq!((&seen["AccessToken"], &seen["HasAccessToken"]), (&json!(null), &json!(true)));
}

#[actix_web::test]
async fn a_view_ends_after_an_hour_and_with_the_operator() {
    let shop = Shop::open();
    let (ann, operator) = (shop.customer(0), shop.operator());
    assert_eq!(shop.call(&ann, "Operator/ViewAsCustomer", json!({"AccountId": ann.account_id})).await.code, 3003);
    let view = views(&shop, &operator, &ann).await;
    shop.app.clock.advance(TimeDelta::minutes(59));
    assert_eq!(shop.call(&view, "User/GetWallet", json!({})).await.code, 1000);
    shop.app.clock.advance(TimeDelta::minutes(1));
    assert_eq!(shop.call(&view, "User/GetWallet", json!({})).await.code, 3001);
    let view = views(&shop, &operator, &ann).await;
    assert!(shop.runs("account", &["level", &operator.email, "customer"]).status.success());
    assert_eq!(shop.call(&view, "User/GetWallet", json!({})).await.code, 3001, "no operator any more");
}

#[actix_web::test]
async fn a_lost_second_factor_is_turned_off_with_a_reason() {
    let shop = Shop::open();
    let (ann, operator) = (shop.customer(0), shop.operator());
    let body = json!({"AccountId": ann.account_id, "Reason": "recognised by two invoices"});
    let off = shop.call(&operator, "Operator/TurnOffTwoFactor", body.clone()).await;
    assert_ne!(off.code, 1000, "it is off");
    let begun = shop.call(&ann, "User/BeginTwoFactor", json!({"Password": PASSWORD})).await.data;
    let code = shop.code_of(begun["Secret"].as_str().expect("a secret"), 0);
    assert_eq!(shop.call(&ann, "User/TurnOnTwoFactor", json!({ "Code": code })).await.code, 1000);
    let found = shop.call(&operator, "Operator/GetAccount", json!({"AccountId": ann.account_id})).await.data;
    assert_eq!(found["Facts"]["HasTwoFactor"], true);
    let done = shop.call_once(&operator, "k1", "Operator/TurnOffTwoFactor", body.clone()).await;
    assert_eq!((done.code, &done.data["Facts"]["HasTwoFactor"]), (1000, &json!(false)));
    assert_eq!(done.data["History"][0]["Reason"], "recognised by two invoices");
    assert_eq!(shop.call_once(&operator, "k1", "Operator/TurnOffTwoFactor", body).await.code, 1000, "a repeat");
    assert_eq!(shop.call(&ann, "User/GetWallet", json!({})).await.code, 3001, "all sessions have ended");
    let login = json!({"Email": ann.email, "Password": PASSWORD});
    assert_eq!(shop.send("User/Login", login, &[]).await.code, 1000);
    shop.run_jobs().await;
    assert!(shop.last_mail_about(&ann.email, "").is_some());
    let own = json!({"AccountId": operator.account_id, "Reason": "mine"});
    assert_eq!(shop.call(&operator, "Operator/TurnOffTwoFactor", own).await.code, 3003);
}
