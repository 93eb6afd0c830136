//! Webhooks: signed deliveries of events, retries, and access to them.
use crate::receiver::{Manner, Receiver};
use crate::shop::{CallAnswer, Customer, Shop, order_for};
use chrono::TimeDelta;
use postern_core::event::EventKind;
use postern_core::webhook_delivery::{DISABLED_AFTER_DAYS, max_attempts};
use postern_server::db::prelude::*;
use postern_server::events;
use postern_server::schema::{events as event_rows, mails, webhook_attempts, webhook_deliveries, webhooks};
use postern_server::webhooks::{deliver, dispatch};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn open() -> Shop {
    Shop::open_with(&[("POSTERN_WEBHOOK_TEST_HOSTS", "127.0.0.1")])
}

impl Shop {
    async fn adds_webhook(&self, customer: &Customer, form: Value) -> (i64, String) {
        let added = self.call(customer, "Webhooks/AddWebhook", form).await;
        assert_eq!(added.code, 1000, "{added:?}");
        let secret = added.data["Secret"].as_str().expect("a secret").to_owned();
        (added.data["WebhookId"].as_i64().expect("an id"), secret)
    }

    /// Records an event of an account.
    fn records_event(&self, customer: &Customer, kind: EventKind, data: &Value) {
        let now = self.app.clock.now();
        self.app
            .db
            .write_blocking(|conn| events::record(conn, customer.account_id, kind, data, now))
            .expect("an event");
    }

    /// Runs one round of the webhook jobs.
    async fn delivers(&self) {
        dispatch::dispatch(&self.app).await.expect("dispatched");
        deliver::deliver(&self.app).await.expect("delivered");
    }

    async fn webhook(&self, customer: &Customer) -> Value {
        self.call(customer, "Webhooks/GetWebhookList", json!({})).await.data["Webhooks"][0].clone()
    }

    async fn deliveries(&self, customer: &Customer) -> Vec<Value> {
        let list = self.call(customer, "Webhooks/GetDeliveryList", json!({"PageSize": 200})).await;
        list.data["Rows"].as_array().cloned().expect("rows")
    }

    async fn webhook_call(&self, customer: &Customer, call: &str, id: i64) -> CallAnswer {
        self.call(customer, &format!("Webhooks/{call}"), json!({ "WebhookId": id })).await
    }
}

#[actix_web::test]
async fn forbidden_urls_are_refused_when_saved() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    for (url, rule) in [
        ("", "required"),
        ("http://hooks.example.com/", "webhookHttps"),
        ("https://127.0.0.1/", "webhookPrivate"),
        ("https://[::1]/", "webhookPrivate"),
        ("https://0.0.0.0/", "webhookPrivate"),
        ("https://169.254.169.254/latest/meta-data", "webhookPrivate"),
        ("https://10.0.0.1/", "webhookPrivate"),
        ("https://2130706433/", "webhookAddress"),
        ("https://0177.0.0.1/", "webhookAddress"),
        ("https://0x7f000001/", "webhookAddress"),
        ("https://[::ffff:127.0.0.1]/", "webhookPrivate"),
        ("https://[64:ff9b::7f00:1]/", "webhookPrivate"),
        ("https://localhost/", "webhookPrivate"),
        ("https://user:password@hooks.example.com/", "webhookCredentials"),
    ] {
        let answer = shop.call(&customer, "Webhooks/AddWebhook", json!({ "Url": url })).await;
        assert_eq!((answer.code, &answer.data["Fields"]["Url"][0]["Rule"]), (2001, &json!(rule)), "{url}: {answer:?}");
    }
    let none = json!({"Url": "https://hooks.example.com/", "Events": []});
    let answer = shop.call(&customer, "Webhooks/AddWebhook", none).await;
    assert_eq!(answer.data["Fields"]["Events"][0]["Rule"], "chooseAnEvent", "{answer:?}");
    let test = json!({"Url": "https://hooks.example.com/", "Events": ["webhook.test"]});
    let answer = shop.call(&customer, "Webhooks/AddWebhook", test).await;
    assert_eq!(answer.data["Fields"]["Events"][0]["Rule"], "eventNotForWebhooks", "{answer:?}");
    let list = shop.call(&customer, "Webhooks/GetWebhookList", json!({})).await;
    assert_eq!((&list.data["Webhooks"], &list.data["TestHosts"]), (&json!([]), &json!([])));
}

#[actix_web::test]
async fn webhooks_of_other_accounts_are_not_found() {
    let shop = open();
    let (owner, other) = (shop.customer(0), shop.customer(0));
    let receiver = Receiver::open(Manner::Answers(200));
    let (id, _) = shop.adds_webhook(&owner, json!({ "Url": receiver.url })).await;
    shop.webhook_call(&owner, "SendTestEvent", id).await;
    let delivery = shop.deliveries(&owner).await[0]["DeliveryId"].clone();
    for call in ["DeleteWebhook", "RotateWebhookSecret", "SendTestEvent"] {
        assert_eq!(shop.webhook_call(&other, call, id).await.code, 3004, "{call}");
    }
    for (call, body) in [
        ("EditWebhook", json!({"WebhookId": id, "Url": receiver.url})),
        ("EnableWebhook", json!({"WebhookId": id, "IsEnabled": false})),
        ("GetDelivery", json!({ "DeliveryId": delivery })),
        ("ResendDelivery", json!({ "DeliveryId": delivery })),
    ] {
        assert_eq!(shop.call(&other, &format!("Webhooks/{call}"), body).await.code, 3004, "{call}");
    }
    assert_eq!(shop.deliveries(&other).await, Vec::<Value>::new());
    let of_owner = json!({"Filter": {"WebhookId": id}});
    assert_eq!(shop.call(&other, "Webhooks/GetDeliveryList", of_owner).await.data["Rows"], json!([]));
    assert_eq!(shop.webhook(&owner).await["State"], "enabled");
}

#[actix_web::test]
async fn an_order_event_is_delivered_once_signed_and_only_to_its_account() {
    let shop = open();
    let receiver = Receiver::open(Manner::Answers(204));
    let other = shop.customer(0);
    let (_, others_secret) = shop.adds_webhook(&other, json!({ "Url": receiver.url })).await;
    let buyer = shop.customer(1_000);
    let (id, secret) = shop.adds_webhook(&buyer, json!({"Url": receiver.url, "Description": "shop"})).await;
    shop.stock("US", "new-york", 1);
    let order_id = shop.buys(&buyer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    shop.run_jobs().await;
    shop.run_jobs().await;
    let received: Vec<_> = receiver.received().into_iter().filter(|one| one.json()["type"] == "order.paid").collect();
    assert_eq!(received.len(), 1);
    let (told, body) = (&received[0], received[0].json());
    assert_eq!((told.signatures_by(&secret), told.signatures_by(&others_secret)), (1, 0));
    assert_eq!(body["data"]["OrderId"], order_id);
    assert_eq!(body["data"]["Total"], "5.00");
    let time = body["timestamp"].as_str().expect("a time");
    assert!(chrono::DateTime::parse_from_rfc3339(time).is_ok() && time.ends_with('Z'), "{time}");
    assert_eq!(told.headers["content-type"], "application/json");
    let row = shop.webhook(&buyer).await;
    assert_eq!(
        (&row["State"], &row["LastStatus"], &row["RecentFailures"]),
        (&json!("enabled"), &json!(204), &json!(0))
    );
    let delivery =
        shop.deliveries(&buyer).await.into_iter().find(|row| row["Kind"] == "order.paid").expect("a delivery");
    assert_eq!((&delivery["State"], &delivery["MessageId"]), (&json!("delivered"), &json!(told.message_id())));
    let detail = shop.call(&buyer, "Webhooks/GetDelivery", json!({ "DeliveryId": delivery["DeliveryId"] })).await.data;
    assert_eq!((&detail["Body"], &detail["Url"]), (&json!(told.body), &json!(receiver.url)));
    let attempt = &detail["Attempts"][0];
    assert_eq!((&attempt["Status"], &attempt["Answer"]), (&json!(204), &json!("")));
    let sent = attempt["RequestHeaders"].as_array().expect("headers");
    let sent = |name: &str| sent.iter().find(|header| header["Name"] == name).map(|header| header["Value"].clone());
    assert_eq!(sent("webhook-signature"), Some(json!(told.headers["webhook-signature"])));
    assert_eq!(delivery["WebhookId"], id);
}

#[actix_web::test]
async fn a_webhook_gets_its_chosen_events_since_its_creation() {
    let shop = open();
    let customer = shop.customer(0);
    let (all, chosen) = (Receiver::open(Manner::Answers(200)), Receiver::open(Manner::Answers(200)));
    shop.records_event(&customer, EventKind::WalletLow, &json!({"Balance": "1.00"}));
    shop.app.clock.advance(TimeDelta::seconds(1));
    shop.adds_webhook(&customer, json!({ "Url": all.url })).await;
    shop.adds_webhook(&customer, json!({"Url": chosen.url, "Events": ["wallet.low"]})).await;
    for kind in [EventKind::WalletLow, EventKind::ProxiesEnded, EventKind::WebhookDisabled] {
        shop.records_event(&customer, kind, &json!({"Count": 1}));
    }
    let alone = shop.customer(0);
    shop.records_event(&alone, EventKind::WalletLow, &json!({}));
    shop.delivers().await;
    let kinds = |receiver: &Receiver| {
        let mut kinds: Vec<_> = receiver.received().iter().map(|one| one.json()["type"].clone()).collect();
        kinds.sort_by_key(ToString::to_string);
        kinds
    };
    assert_eq!(kinds(&all), ["proxies.ended", "wallet.low"]);
    assert_eq!(kinds(&chosen), ["wallet.low"]);
    // Both get the same message: its id is the same.
    let id_of = |receiver: &Receiver| {
        let all = receiver.received();
        let low = all.iter().find(|one| one.json()["type"] == "wallet.low").expect("an event");
        low.message_id().to_owned()
    };
    assert_eq!(id_of(&all), id_of(&chosen));
    let waiting = shop.app.db.read_blocking(|conn| {
        Ok(event_rows::table.filter(event_rows::is_dispatched.eq(false)).count().get_result::<i64>(conn)?)
    });
    assert_eq!(waiting.expect("a number"), 0);
}

#[actix_web::test]
async fn a_rotated_secret_signs_for_a_day_with_the_new_one() {
    let shop = open();
    let customer = shop.customer(0);
    let receiver = Receiver::open(Manner::Answers(200));
    let form = json!({ "Url": receiver.url });
    let added = shop.call_once(&customer, "k", "Webhooks/AddWebhook", form.clone()).await.data;
    assert_eq!(shop.call_once(&customer, "k", "Webhooks/AddWebhook", form).await.data, added, "the same key");
    let (id, first) = (added["WebhookId"].as_i64().expect("an id"), added["Secret"].as_str().expect("a secret"));
    let rotated = shop.webhook_call(&customer, "RotateWebhookSecret", id).await.data;
    let second = rotated["Secret"].as_str().expect("a secret");
    assert_eq!(shop.webhook(&customer).await["OldSecretUntil"], rotated["OldSecretUntil"]);
    shop.webhook_call(&customer, "SendTestEvent", id).await;
    shop.delivers().await;
    shop.app.clock.advance(TimeDelta::hours(24));
    shop.webhook_call(&customer, "SendTestEvent", id).await;
    shop.delivers().await;
    let tests: Vec<_> = receiver.received().into_iter().filter(|one| one.json()["type"] == "webhook.test").collect();
    let signed: Vec<_> = tests
        .iter()
        .map(|one| {
            (one.signatures_by(first), one.signatures_by(second), one.headers["webhook-signature"].split(' ').count())
        })
        .collect();
    assert_eq!(signed, [(1, 1, 2), (0, 1, 1)]);
    assert!(shop.webhook(&customer).await["OldSecretUntil"].is_null());
    let log = shop.call(&customer, "User/GetSecurityLog", json!({})).await.data;
    let noted = log["Rows"].as_array().expect("rows").iter().find(|row| row["Kind"] == "webhook_secret_rotated");
    assert_eq!(noted.map(|row| &row["Detail"]), Some(&json!(receiver.url)), "{log}");
    let kept: Vec<String> = shop
        .app
        .db
        .read_blocking(|conn| Ok(webhooks::table.select(webhooks::secret_sealed).load(conn)?))
        .expect("secrets");
    assert!(kept.iter().all(|sealed| !sealed.contains(second) && !sealed.contains("whsec_")));
}

#[actix_web::test]
async fn failed_deliveries_are_retried_for_three_days_and_can_be_resent() {
    let shop = open();
    let customer = shop.customer(0);
    let receiver = Receiver::open(Manner::Answers(500));
    let (id, secret) = shop.adds_webhook(&customer, json!({ "Url": receiver.url })).await;
    shop.webhook_call(&customer, "SendTestEvent", id).await;
    let mut attempts = 0;
    while shop.deliveries(&customer).await[0]["State"] == "pending" {
        shop.delivers().await;
        attempts += 1;
        let row = &shop.deliveries(&customer).await[0];
        assert_eq!(
            (&row["Attempts"], &row["Status"], &row["Problem"]),
            (&json!(attempts), &json!(500), &json!("bad_status"))
        );
        // Not before it is due.
        shop.delivers().await;
        assert_eq!(receiver.received().len(), attempts);
        shop.app.clock.advance(TimeDelta::hours(25));
    }
    assert_eq!(attempts, max_attempts().min(DISABLED_AFTER_DAYS as usize + 1), "it is left alone after some days");
    let row = shop.webhook(&customer).await;
    assert_eq!((&row["State"], &row["RecentFailures"]), (&json!("failed"), &json!(attempts)));
    let delivery = json!({ "DeliveryId": shop.deliveries(&customer).await[0]["DeliveryId"] });
    let refused = shop.call(&customer, "Webhooks/ResendDelivery", delivery.clone()).await;
    assert_eq!((refused.code, &refused.data["State"]), (4005, &json!("failed")));
    receiver.becomes(Manner::Answers(200));
    shop.call(&customer, "Webhooks/EnableWebhook", json!({"WebhookId": id, "IsEnabled": true})).await;
    assert_eq!(shop.call(&customer, "Webhooks/ResendDelivery", delivery).await.code, 1000);
    shop.delivers().await;
    let row = &shop.deliveries(&customer).await[0];
    assert_eq!((&row["State"], &row["Attempts"]), (&json!("delivered"), &json!(attempts + 1)));
    let received = receiver.received();
    assert!(received.iter().all(|one| one.message_id() == received[0].message_id() && one.signatures_by(&secret) == 1));
    assert!(shop.webhook(&customer).await["FailingSince"].is_null());
}

#[actix_web::test]
async fn a_delivery_is_given_up_after_ten_attempts_while_others_get_through() {
    let shop = open();
    let customer = shop.customer(0);
    let receiver = Receiver::open(Manner::Answers(503));
    let (id, _) = shop.adds_webhook(&customer, json!({ "Url": receiver.url })).await;
    let first = shop.webhook_call(&customer, "SendTestEvent", id).await.data["DeliveryId"].clone();
    for _ in 0..max_attempts() {
        shop.delivers().await;
        // Another delivery succeeds in between, so that the webhook stays enabled.
        receiver.becomes(Manner::Answers(200));
        shop.app.clock.advance(TimeDelta::seconds(2));
        shop.webhook_call(&customer, "SendTestEvent", id).await;
        shop.delivers().await;
        receiver.becomes(Manner::Answers(503));
        shop.app.clock.advance(TimeDelta::hours(25));
    }
    let detail = shop.call(&customer, "Webhooks/GetDelivery", json!({ "DeliveryId": first })).await.data;
    assert_eq!((&detail["Delivery"]["State"], &detail["Delivery"]["NextAttemptAt"]), (&json!("failed"), &Value::Null));
    assert_eq!(detail["Attempts"].as_array().map(Vec::len), Some(max_attempts()));
    assert_eq!(shop.webhook(&customer).await["State"], "enabled");
}

#[actix_web::test]
async fn a_webhook_that_fails_for_days_is_disabled_and_its_owner_notified() {
    let shop = open();
    let customer = shop.customer(0);
    let (failing, gone) = (Receiver::open(Manner::Answers(500)), Receiver::open(Manner::Answers(410)));
    let (id, _) = shop.adds_webhook(&customer, json!({ "Url": failing.url })).await;
    shop.webhook_call(&customer, "SendTestEvent", id).await;
    shop.delivers().await;
    shop.app.clock.advance(TimeDelta::days(DISABLED_AFTER_DAYS - 1));
    shop.delivers().await;
    assert_eq!(shop.webhook(&customer).await["State"], "enabled");
    shop.webhook_call(&customer, "SendTestEvent", id).await;
    shop.app.clock.advance(TimeDelta::days(1));
    shop.delivers().await;
    assert_eq!(shop.webhook(&customer).await["State"], "failed");
    // Pending deliveries are not sent any more.
    let requests = failing.received().len();
    shop.app.clock.advance(TimeDelta::days(1));
    shop.delivers().await;
    assert_eq!(failing.received().len(), requests);
    assert!(shop.deliveries(&customer).await.iter().all(|row| row["State"] == "cancelled"));
    let other = shop.customer(0);
    let (gone_id, _) = shop.adds_webhook(&other, json!({ "Url": gone.url })).await;
    shop.webhook_call(&other, "SendTestEvent", gone_id).await;
    shop.delivers().await;
    assert_eq!(shop.webhook(&other).await["State"], "failed", "its endpoint is gone");
    for told in [&customer, &other] {
        let mailed = shop.app.db.read_blocking(|conn| {
            let of_webhooks = mails::table.filter(mails::recipient.eq(&told.email));
            Ok(of_webhooks.select(mails::template).load::<postern_core::mail::MailTemplate>(conn)?)
        });
        assert_eq!(mailed.expect("mails"), [postern_core::mail::MailTemplate::WebhookDisabled]);
        let happened = shop.app.db.read_blocking(|conn| {
            let own = event_rows::table.filter(event_rows::account_id.eq(told.account_id));
            Ok(own.filter(event_rows::kind.eq(EventKind::WebhookDisabled)).count().get_result::<i64>(conn)?)
        });
        assert_eq!(happened.expect("a number"), 1);
    }
}

#[actix_web::test]
async fn disabling_a_webhook_cancels_pending_deliveries() {
    let shop = open();
    let customer = shop.customer(0);
    let receiver = Receiver::open(Manner::Answers(200));
    let (id, _) = shop.adds_webhook(&customer, json!({ "Url": receiver.url })).await;
    shop.webhook_call(&customer, "SendTestEvent", id).await;
    let off = shop.call(&customer, "Webhooks/EnableWebhook", json!({"WebhookId": id, "IsEnabled": false})).await;
    assert_eq!(off.data["Webhooks"][0]["State"], "paused");
    shop.records_event(&customer, EventKind::WalletLow, &json!({}));
    shop.delivers().await;
    assert_eq!(receiver.received().len(), 0);
    assert_eq!(
        shop.deliveries(&customer).await.iter().map(|row| row["State"].clone()).collect::<Vec<_>>(),
        ["cancelled"]
    );
    assert_eq!(shop.webhook_call(&customer, "SendTestEvent", id).await.code, 4005);
    shop.call(&customer, "Webhooks/EnableWebhook", json!({"WebhookId": id, "IsEnabled": true})).await;
    shop.records_event(&customer, EventKind::WalletLow, &json!({}));
    shop.delivers().await;
    assert_eq!(receiver.received().len(), 1);
}

#[actix_web::test]
async fn a_deleted_webhook_is_not_found_and_leaves_nothing() {
    let shop = open();
    let customer = shop.customer(0);
    let receiver = Receiver::open(Manner::Answers(200));
    let (id, _) = shop.adds_webhook(&customer, json!({ "Url": receiver.url })).await;
    shop.webhook_call(&customer, "SendTestEvent", id).await;
    shop.delivers().await;
    shop.webhook_call(&customer, "SendTestEvent", id).await;
    assert_eq!(shop.webhook_call(&customer, "DeleteWebhook", id).await.data["Webhooks"], json!([]));
    assert_eq!(shop.webhook_call(&customer, "DeleteWebhook", id).await.code, 3004);
    shop.records_event(&customer, EventKind::WalletLow, &json!({}));
    shop.delivers().await;
    assert_eq!(receiver.received().len(), 1);
    shop.app.clock.advance(TimeDelta::hours(1));
    shop.run_jobs().await;
    let left = shop.app.db.read_blocking(|conn| {
        Ok((
            webhooks::table.count().get_result::<i64>(conn)?,
            webhook_deliveries::table.count().get_result::<i64>(conn)?,
            webhook_attempts::table.count().get_result::<i64>(conn)?,
        ))
    });
    assert_eq!(left.expect("numbers"), (0, 0, 0));
}

#[actix_web::test]
async fn an_account_has_ten_webhooks_at_most() {
    let shop = open();
    let customer = shop.customer(0);
    for number in 0..10 {
        shop.adds_webhook(&customer, json!({"Url": format!("http://127.0.0.1:9/{number}")})).await;
    }
    let answer = shop.call(&customer, "Webhooks/AddWebhook", json!({"Url": "http://127.0.0.1:9/10"})).await;
    let broken = &answer.data["Fields"]["Url"][0];
    assert_eq!((&broken["Rule"], &broken["Params"]["Max"]), (&json!("tooManyItems"), &json!("10")), "{answer:?}");
    let list = shop.call(&customer, "Webhooks/GetWebhookList", json!({})).await.data;
    assert_eq!(list["Webhooks"].as_array().map(Vec::len), Some(10));
    let edit = json!({"WebhookId": list["Webhooks"][0]["WebhookId"], "Url": "http://127.0.0.1:9/new", "Events": ["order.paid"]});
    let edited = shop.call(&customer, "Webhooks/EditWebhook", edit).await.data;
    assert_eq!(edited["Webhooks"][0]["Url"], "http://127.0.0.1:9/new");
    assert_eq!(edited["Webhooks"][0]["Events"], json!(["order.paid"]));
}

#[actix_web::test]
async fn an_endpoint_that_hangs_delays_no_other() {
    let shop = open();
    let (slow, quick) = (shop.customer(0), shop.customer(0));
    let (hanging, answering) = (Receiver::open(Manner::Hangs), Receiver::open(Manner::Answers(200)));
    let (slow_id, _) = shop.adds_webhook(&slow, json!({ "Url": hanging.url })).await;
    let (quick_id, _) = shop.adds_webhook(&quick, json!({ "Url": answering.url })).await;
    for _ in 0..20 {
        shop.webhook_call(&slow, "SendTestEvent", slow_id).await;
    }
    shop.delivers().await;
    let began = Instant::now();
    shop.webhook_call(&quick, "SendTestEvent", quick_id).await;
    shop.delivers().await;
    assert_eq!(answering.received().len(), 1);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert!((1..=8).contains(&hanging.received().len()), "{}", hanging.received().len());
}

#[actix_web::test]
async fn another_process_takes_over_from_a_crashed_one() {
    let shop = open();
    let customer = shop.customer(0);
    let receiver = Receiver::open(Manner::Answers(200));
    let (id, _) = shop.adds_webhook(&customer, json!({ "Url": receiver.url })).await;
    shop.webhook_call(&customer, "SendTestEvent", id).await;
    let until = shop.app.clock.now() + TimeDelta::seconds(60);
    let held = shop.app.db.write_blocking(|conn| {
        let held = (webhooks::held_until.eq(until), webhooks::next_look_at.eq(until));
        Ok(diesel::update(webhooks::table.find(id)).set(held).execute(conn)?)
    });
    assert_eq!(held.expect("an update"), 1);
    // Another event does not release the lease.
    shop.webhook_call(&customer, "SendTestEvent", id).await;
    shop.delivers().await;
    assert_eq!(receiver.received().len(), 0);
    shop.app.clock.advance(TimeDelta::seconds(61));
    shop.delivers().await;
    assert_eq!(receiver.received().len(), 2);
}

#[actix_web::test]
async fn concurrent_processes_send_each_event_once() {
    let shop = open();
    let customer = shop.customer(0);
    let receiver = Receiver::open(Manner::Answers(200));
    shop.adds_webhook(&customer, json!({ "Url": receiver.url })).await;
    for _ in 0..50 {
        shop.records_event(&customer, EventKind::WalletLow, &json!({}));
    }
    let rounds: Vec<_> = (0..4)
        .map(|_| {
            let app = shop.app.clone();
            actix_web::rt::spawn(async move {
                dispatch::dispatch(&app).await.expect("dispatched");
                deliver::deliver(&app).await.expect("delivered");
            })
        })
        .collect();
    for round in rounds {
        round.await.expect("a round");
    }
    while shop.deliveries(&customer).await.iter().any(|row| row["State"] == "pending") {
        shop.delivers().await;
    }
    let received = receiver.received();
    let ids: std::collections::BTreeSet<_> = received.iter().map(|one| one.message_id().to_owned()).collect();
    assert_eq!((received.len(), ids.len()), (50, 50));
}

#[actix_web::test]
async fn test_hosts_are_returned_to_forms() {
    let shop = open();
    let customer = shop.customer(0);
    let list = shop.call(&customer, "Webhooks/GetWebhookList", json!({})).await.data;
    assert_eq!((&list["TestHosts"], &list["MaxWebhooks"]), (&json!(["127.0.0.1"]), &json!(10)));
    let filtered = shop.call(&customer, "Webhooks/GetDeliveryList", json!({"Filter": {"State": "failed"}})).await;
    assert_eq!(filtered.code, 1000);
    let unknown = shop.call(&customer, "Webhooks/GetDeliveryList", json!({"Filter": {"Nonsense": 1}})).await;
    assert_eq!(unknown.code, 2002);
}
