//! Free text arrives exactly as typed in any time zone, even if it looks like a time.
use crate::shop::{Customer, REGULAR, Shop, order_for};
use postern_core::time::{localize_response, time_zone};
use serde_json::{Value, json};

const WORDS: &str = "2026-11-21 10:00:00";

/// The response of a call after localisation to Shanghai.
async fn reads(shop: &Shop, who: &Customer, call: &str, body: Value) -> Value {
    let text = shop.download(who, call, body).await;
    let answer: Value =
        serde_json::from_str(&localize_response(text, time_zone("Asia/Shanghai").expect("a zone"))).expect("JSON");
    assert_eq!(answer["Code"], 1000, "{call}: {answer}");
    answer["Data"].clone()
}

#[actix_web::test]
async fn a_group_keeps_its_text_through_many_edits() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let mut form = json!({"Name": WORDS, "Colour": "", "Note": WORDS});
    let group = reads(&shop, &customer, "Ips/AddUserPlanGroup", form.clone()).await;
    form["GroupId"] = group["GroupId"].clone();
    for _ in 0..20 {
        let edited = reads(&shop, &customer, "Ips/EditUserPlanGroup", form.clone()).await;
        form["Name"] = edited["Name"].clone();
        form["Note"] = edited["Note"].clone();
    }
    let groups = reads(&shop, &customer, "Ips/GetUserPlanGroupList", json!({})).await;
    assert_eq!((&groups[0]["Name"], &groups[0]["Note"]), (&json!(WORDS), &json!(WORDS)));
}

#[actix_web::test]
async fn every_free_text_field_keeps_time_like_text() {
    let shop = Shop::open();
    let (customer, operator) = (shop.owner_of(2, 1_000).await, shop.operator());
    let ids: Vec<Value> = shop.nodes_of(&customer).await.iter().map(|node| node["NodeId"].clone()).collect();

    let group = reads(&shop, &customer, "Ips/AddUserPlanGroup", json!({"Name": WORDS, "Colour": "", "Note": ""})).await;
    reads(&shop, &customer, "Ips/AddToGroup", json!({"GroupId": group["GroupId"], "NodeIds": ids})).await;
    reads(&shop, &customer, "Ips/EditNodeNote", json!({"NodeIds": ids, "Note": WORDS})).await;
    let list = reads(&shop, &customer, "Ips/GetUserNodeList", json!({})).await;
    let node = &list["Rows"][0];
    assert_eq!((&node["GroupName"], &node["Note"]), (&json!(WORDS), &json!(WORDS)));
    let utc = shop.call(&customer, "Ips/GetUserNodeList", json!({})).await.data;
    assert_ne!(node["ExpiresAt"], utc["Rows"][0]["ExpiresAt"], "times are turned");

    let entry = json!({"VerStr": REGULAR, "Address": "8.8.8.8", "Label": WORDS});
    assert_eq!(reads(&shop, &customer, "Ips/AddWhiteList", entry).await["Label"], WORDS);
    let whitelist = reads(&shop, &customer, "Ips/GetMyWhiteList", json!({})).await;
    assert_eq!(whitelist["Rows"][0]["Label"], WORDS);

    shop.stock("US", "new-york", 1);
    reads(&shop, &customer, "Ips/SwitchNode", json!({"NodeIds": [ids[0]], "Reason": WORDS})).await;
    let records = reads(&shop, &customer, "Ips/UserGetSwitchRecording", json!({})).await;
    assert_eq!(records["Rows"][0]["Reason"], WORDS);

    let names = ["FirstName", "LastName", "CompanyName", "Address", "City", "Messenger"];
    let details: Value = names.map(|name| (name, WORDS)).into_iter().collect();
    let kept = reads(&shop, &customer, "User/UpdateAccountDetails", details).await;
    let read = reads(&shop, &customer, "User/GetAccountDetails", json!({})).await;
    for name in names {
        assert_eq!((&kept[name], &read[name]), (&json!(WORDS), &json!(WORDS)), "{name}");
    }

    shop.stock("US", "new-york", 1);
    let order = shop.buys(&customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    let order = shop.call(&customer, "Order/GetOrder", json!({"OrderId": order})).await.data;
    let refund = json!({"OrderNumber": order["OrderNumber"], "Amount": "1.00", "Reason": WORDS});
    reads(&shop, &operator, "Operator/RefundOrder", refund).await;
    let refunded = reads(&shop, &customer, "Order/GetOrder", json!({"OrderId": order["OrderId"]})).await;
    assert_eq!(refunded["Refunds"][0]["Reason"], WORDS);
}

#[actix_web::test]
async fn a_repeated_request_gets_an_identical_response() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 0).await;
    let entry = json!({"VerStr": REGULAR, "Address": "8.8.4.4", "Label": WORDS});
    let headers = [("Token", customer.token.as_str()), ("Idempotency-Key", "the-same")];
    let mut answers = Vec::new();
    for _ in 0..2 {
        let answer = shop.post_raw("/api/Ips/AddWhiteList", entry.to_string(), &headers).await;
        let text = answer.text().await.expect("a text");
        let shown = localize_response(text, time_zone("Asia/Shanghai").expect("a zone"));
        answers.push(serde_json::from_str::<Value>(&shown).expect("JSON")["Data"].clone());
    }
    assert_eq!(answers[0]["Label"], WORDS);
    assert_eq!(answers[0], answers[1]);
}
