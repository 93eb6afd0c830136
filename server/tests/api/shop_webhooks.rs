//! Webhooks of the shop: an operator's own systems receive the events of all accounts.
use crate::receiver::{Manner, Receiver};
use crate::shop::{Customer, Shop};
use chrono::TimeDelta;
use postern_core::event::EventKind;
use postern_core::staff::StaffRole;
use postern_server::events;
use postern_server::webhooks::{deliver, dispatch};
use serde_json::{Value, json};

fn open() -> Shop {
    Shop::open_with(&[("POSTERN_WEBHOOK_TEST_HOSTS", "127.0.0.1")])
}

async fn happens(shop: &Shop, to: &Customer, kind: EventKind, data: Value) {
    let (now, account_id) = (shop.app.clock.now(), to.account_id);
    shop.app.db.write_blocking(|conn| events::record(conn, account_id, kind, &data, now)).expect("an event");
    dispatch::dispatch(&shop.app).await.expect("dispatched");
    deliver::deliver(&shop.app).await.expect("delivered");
}

async fn adds(shop: &Shop, who: &Customer, form: Value) -> i64 {
    let added = shop.call(who, "Webhooks/AddWebhook", form).await;
    assert_eq!(added.code, 1000, "{added:?}");
    added.data["WebhookId"].as_i64().expect("an id")
}

#[actix_web::test]
async fn it_receives_the_events_of_all_accounts_with_the_account_and_the_owner_its_own() {
    let shop = open();
    let (operator, ann, bob) = (shop.operator(), shop.customer(0), shop.customer(0));
    let (seller, customer) = (Receiver::open(Manner::Answers(200)), Receiver::open(Manner::Answers(200)));
    adds(&shop, &operator, json!({"Url": seller.url, "IsOfShop": true})).await;
    adds(&shop, &ann, json!({"Url": customer.url})).await;
    happens(&shop, &ann, EventKind::OrderPaid, json!({"OrderNumber": "PO-1"})).await;
    happens(&shop, &bob, EventKind::WalletLow, json!({"Balance": "1.00"})).await;
    happens(&shop, &bob, EventKind::SecurityChanged, json!({"Change": "password_changed"})).await;
    let told: Vec<Value> = seller.received().iter().map(|one| one.json()).collect();
    assert_eq!(told.len(), 2, "nothing about the security of accounts: {told:?}");
    assert_eq!(told[0]["type"], "order.paid");
    let data = json!({"OrderNumber": "PO-1", "AccountId": ann.account_id, "Email": ann.email});
    assert_eq!(told[0]["data"], data);
    assert_eq!(told[1]["data"]["Email"], json!(bob.email));
    let own = customer.received();
    assert_eq!((own.len(), &own[0].json()["data"]), (1, &json!({"OrderNumber": "PO-1"})));
    assert_ne!(own[0].message_id(), seller.received()[0].message_id(), "two messages, as they say different things");
    let of_ann = shop.call(&ann, "Webhooks/GetDeliveryList", json!({})).await.data;
    assert_eq!(of_ann["Total"], 1, "a customer does not see the seller's deliveries");
    let of_seller = shop.call(&operator, "Webhooks/GetDeliveryList", json!({})).await.data;
    assert_eq!(of_seller["Total"], 2);
}

#[actix_web::test]
async fn only_operators_have_one_and_its_changes_are_in_the_audit_log() {
    let shop = open();
    let (operator, customer, support) = (shop.operator(), shop.customer(0), shop.customer(0));
    shop.appoints(&support, StaffRole::Support);
    let seller = Receiver::open(Manner::Answers(200));
    let form = json!({"Url": format!("{}?token=s3cret-way", seller.url), "IsOfShop": true});
    for who in [&customer, &support] {
        assert_eq!(shop.call(who, "Webhooks/AddWebhook", form.clone()).await.code, 3003);
    }
    let key = json!({"Name": "k", "Scopes": ["account:read", "account:write", "billing:read"], "Addresses": [], "ExpiresAt": ""});
    let key = shop.call(&operator, "ApiKeys/AddApiKey", key).await.data["Secret"].clone();
    let by_key = Customer { token: key.as_str().expect("a key").to_owned(), ..operator.clone() };
    assert_eq!(shop.call(&by_key, "Webhooks/AddWebhook", form.clone()).await.code, 3003, "a key without that scope");
    let id = adds(&shop, &operator, form).await;
    happens(&shop, &customer, EventKind::WalletLow, json!({})).await;
    let delivery =
        shop.call(&operator, "Webhooks/GetDeliveryList", json!({})).await.data["Rows"][0]["DeliveryId"].clone();
    let calls = [
        ("EditWebhook", json!({"WebhookId": id, "Url": seller.url, "Description": "ours"})),
        ("RotateWebhookSecret", json!({ "WebhookId": id })),
        ("SendTestEvent", json!({ "WebhookId": id })),
        ("GetDelivery", json!({ "DeliveryId": delivery })),
        ("ResendDelivery", json!({ "DeliveryId": delivery })),
        ("EnableWebhook", json!({"WebhookId": id, "IsEnabled": false})),
    ];
    for (call, body) in &calls {
        let call = format!("Webhooks/{call}");
        assert_eq!(shop.call(&by_key, &call, body.clone()).await.code, 3003, "{call} with a key without that scope");
        assert_eq!(shop.call(&operator, &call, body.clone()).await.code, 1000, "{call}");
    }
    assert_eq!(shop.call(&operator, "Webhooks/DeleteWebhook", json!({ "WebhookId": id })).await.code, 1000);
    let log = shop.call(&operator, "Operator/GetAuditLog", json!({})).await.data;
    let actions: Vec<&str> =
        log["Rows"].as_array().expect("rows").iter().filter_map(|row| row["Action"].as_str()).collect();
    let expected = ["webhook_deleted", "webhook_changed", "webhook_changed", "webhook_changed", "webhook_added"];
    assert_eq!(actions[..5], expected, "switched, rotated, edited");
    assert!(!log.to_string().contains("whsec_") && !log.to_string().contains("s3cret-way"), "{log}");
    assert_eq!(log["Rows"][0]["Subject"], "127.0.0.1", "{log}");
}

#[actix_web::test]
async fn it_is_silent_once_its_owner_is_no_operator_any_more() {
    let shop = open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    let seller = Receiver::open(Manner::Answers(200));
    adds(&shop, &operator, json!({"Url": seller.url, "IsOfShop": true})).await;
    shop.appoints(&operator, StaffRole::Support);
    happens(&shop, &customer, EventKind::OrderPaid, json!({})).await;
    happens(&shop, &operator, EventKind::OrderPaid, json!({})).await;
    assert_eq!(seller.received().len(), 0);
    shop.appoints(&operator, StaffRole::Operator);
    happens(&shop, &customer, EventKind::OrderPaid, json!({})).await;
    assert_eq!(seller.received().len(), 1, "events meanwhile are not told later");
}

#[actix_web::test]
async fn what_is_queued_is_not_for_an_owner_who_is_no_operator_any_more() {
    let shop = open();
    let (operator, customer) = (shop.operator(), shop.customer(0));
    let seller = Receiver::open(Manner::Answers(500));
    adds(&shop, &operator, json!({"Url": seller.url, "IsOfShop": true})).await;
    happens(&shop, &customer, EventKind::OrderPaid, json!({})).await;
    assert_eq!(seller.received().len(), 1, "to be tried again");
    shop.appoints(&operator, StaffRole::Support);
    seller.becomes(Manner::Answers(200));
    for _ in 0..3 {
        shop.app.clock.advance(TimeDelta::hours(1));
        deliver::deliver(&shop.app).await.expect("delivered");
    }
    assert_eq!(seller.received().len(), 1);
    let operator = shop.signs_in(&operator);
    shop.appoints(&operator, StaffRole::Operator);
    let list = shop.call(&operator, "Webhooks/GetDeliveryList", json!({})).await.data;
    assert_eq!(list["Rows"][0]["State"], "cancelled", "{list}");
}

#[actix_web::test]
async fn a_thousand_events_of_many_accounts_reach_it_once_each() {
    let shop = open();
    let operator = shop.operator();
    let seller = Receiver::open(Manner::Answers(200));
    adds(&shop, &operator, json!({"Url": seller.url, "IsOfShop": true, "Events": ["order.paid"]})).await;
    let customers: Vec<Customer> = (0..5).map(|_| shop.customer(0)).collect();
    let now = shop.app.clock.now();
    let recorded = shop.app.db.write_blocking(|conn| {
        (0..1_200).try_for_each(|number| {
            let customer = &customers[number % customers.len()];
            let kind = if number % 2 == 0 { EventKind::OrderPaid } else { EventKind::WalletLow };
            events::record(conn, customer.account_id, kind, &json!({ "Number": number }), now)
        })
    });
    recorded.expect("events");
    dispatch::dispatch(&shop.app).await.expect("dispatched");
    let list = shop.call(&operator, "Webhooks/GetDeliveryList", json!({})).await.data;
    assert_eq!(list["Total"], 600, "{}", list["Total"]);
    dispatch::dispatch(&shop.app).await.expect("dispatched");
    assert_eq!(shop.call(&operator, "Webhooks/GetDeliveryList", json!({})).await.data["Total"], 600);
}
