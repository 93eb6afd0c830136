//! Notifications: reading, marking, settings and unsubscribing, per user.
use crate::shop::{CallAnswer, Customer, Shop, order_for};
use chrono::TimeDelta;
use postern_core::notification::EVENTS_KEPT_DAYS;
use postern_server::db::prelude::*;
use postern_server::schema::{events, notification_reads};
use serde_json::{Value, json};

async fn list(shop: &Shop, customer: &Customer) -> Vec<Value> {
    let answer = shop.call(customer, "Notifications/GetNotificationList", json!({})).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data["Rows"].as_array().cloned().unwrap_or_default()
}

async fn unread(shop: &Shop, customer: &Customer) -> i64 {
    let answer = shop.call(customer, "Notifications/GetUnread", json!({})).await;
    answer.data["Unread"].as_i64().unwrap_or(-1)
}

async fn marks(shop: &Shop, customer: &Customer, body: Value) -> i64 {
    let answer = shop.call(customer, "Notifications/MarkRead", body).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data["Unread"].as_i64().unwrap_or(-1)
}

async fn chooses(shop: &Shop, customer: &Customer, kind: &str, on_screen: bool, by_mail: bool) -> CallAnswer {
    let settings = json!({"Settings": [{"Kind": kind, "OnScreen": on_screen, "ByMail": by_mail}]});
    shop.call(customer, "Notifications/SetSettings", settings).await
}

/// The setting of a kind: on screen, by mail, and whether mail can be changed.
async fn choice(shop: &Shop, customer: &Customer, kind: &str) -> (bool, bool, bool) {
    let answer = shop.call(customer, "Notifications/GetSettings", json!({})).await.data;
    let found = answer["Settings"].as_array().expect("settings").iter().find(|setting| setting["Kind"] == kind);
    let found = found.unwrap_or_else(|| panic!("no setting of {kind}"));
    ["OnScreen", "ByMail", "CanChooseMail"].map(|name| found[name].as_bool().expect("a choice")).into()
}

/// Buys as a program would: what a person buys in a session rings no bell, and is marked at once.
async fn buys(shop: &Shop, customer: &Customer) {
    let marked = || -> Vec<i64> {
        let marked = notification_reads::table.select(notification_reads::event_id);
        shop.app.db.read_blocking(|conn| Ok(marked.load(conn)?)).expect("marks")
    };
    let before = marked();
    shop.stock("US", "new-york", 1);
    shop.buys(customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    shop.run_jobs().await;
    let own: Vec<i64> = marked().into_iter().filter(|id| !before.contains(id)).collect();
    assert_eq!(own.len(), 1, "the purchase of a person");
    let own = notification_reads::table.filter(notification_reads::event_id.eq_any(own));
    shop.app.db.write_blocking(|conn| Ok(diesel::delete(own.clone()).execute(conn)?)).expect("unmarked");
}

#[actix_web::test]
async fn what_a_person_has_just_done_rings_no_bell_and_is_listed() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 4);
    let customer = shop.customer(5_000);
    shop.buys(&customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
    let node = shop.nodes_of(&customer).await[0]["NodeId"].clone();
    for call in ["Ips/SwitchNodeByUnitPrice", "Ips/SwitchNode"] {
        let node =
            if call == "Ips/SwitchNode" { shop.nodes_of(&customer).await[0]["NodeId"].clone() } else { node.clone() };
        shop.app.clock.advance(TimeDelta::hours(2));
        let switched = shop.call(&customer, call, json!({"NodeIds": [node], "Reason": ""})).await;
        assert_eq!(switched.code, 1000, "{switched:?}");
    }
    let started = shop.call(&customer, "Wallet/CreateTopUp", json!({"Amount": "20", "PaymentMethod": "sandbox"})).await;
    shop.post_form(started.data["Payment"]["PayUrl"].as_str().unwrap_or_default(), "action=approve").await;
    let key = json!({"Name": "script", "Scopes": ["billing:read", "billing:write"], "Addresses": [], "ExpiresAt": ""});
    let key = shop.call(&customer, "ApiKeys/AddApiKey", key).await.data["Secret"].clone();
    let kinds: Vec<Value> = list(&shop, &customer).await.iter().map(|row| row["Kind"].clone()).collect();
    assert_eq!(
        kinds,
        ["security.changed", "wallet.topped_up", "proxies.switched", "proxies.switched", "order.paid", "order.paid"]
    );
    assert_eq!(unread(&shop, &customer).await, 0);
    assert!(list(&shop, &customer).await.iter().all(|row| row["IsRead"] == true));
    shop.run_jobs().await;
    assert_eq!(shop.mails_about(&customer.email, "API key created"), 1, "mails are as they were");

    // What a program does, and what arrives later, is news.
    let program = Customer { token: key.as_str().unwrap_or_default().to_owned(), ..customer.clone() };
    shop.buys(&program, order_for(&[("US", "new-york", 1)], "5.00")).await;
    assert_eq!(unread(&shop, &customer).await, 1);
    let late = shop.call(&customer, "Wallet/CreateTopUp", json!({"Amount": "20", "PaymentMethod": "sandbox"})).await;
    shop.app.clock.advance(TimeDelta::minutes(16));
    shop.post_form(late.data["Payment"]["PayUrl"].as_str().unwrap_or_default(), "action=approve").await;
    assert!(unread(&shop, &customer).await >= 1);
}

#[actix_web::test]
async fn notifications_are_unread_until_marked_by_their_owner() {
    let shop = Shop::open();
    let (customer, stranger) = (shop.customer(5_000), shop.customer(5_000));
    assert_eq!((list(&shop, &customer).await.len(), unread(&shop, &customer).await), (0, 0));
    for _ in 0..3 {
        buys(&shop, &customer).await;
    }
    buys(&shop, &stranger).await;
    let rows = list(&shop, &customer).await;
    assert_eq!((rows.len(), unread(&shop, &customer).await), (3, 3));
    assert_eq!((&rows[0]["Kind"], &rows[0]["Data"]["Total"]), (&json!("order.paid"), &json!("5.00")));
    let ids: Vec<i64> = rows.iter().filter_map(|row| row["NotificationId"].as_i64()).collect();
    assert!(ids.is_sorted_by(|one, next| one > next), "newest first");

    // Marks by another account and unknown ids change nothing.
    assert_eq!(marks(&shop, &stranger, json!({"NotificationIds": ids})).await, 1);
    assert_eq!(marks(&shop, &stranger, json!({"NotificationIds": [-1, 999_999]})).await, 1);
    assert_eq!(unread(&shop, &customer).await, 3);
    for _ in 0..2 {
        assert_eq!(marks(&shop, &customer, json!({"NotificationIds": [ids[1]]})).await, 2);
    }
    let read: Vec<_> = list(&shop, &customer).await.iter().map(|row| row["IsRead"].clone()).collect();
    assert_eq!(read, [false, true, false]);
    assert_eq!(marks(&shop, &customer, json!({"UpTo": ids[1]})).await, 1);
    let kept: i64 =
        shop.app.db.read_blocking(|conn| Ok(notification_reads::table.count().get_result(conn)?)).expect("rows");
    assert_eq!(kept, 0, "what is before is not marked twice");
    // Later events stay unread, and nothing becomes unread again.
    assert_eq!(marks(&shop, &customer, json!({"UpTo": i64::MAX})).await, 0);
    assert_eq!(marks(&shop, &customer, json!({"UpTo": ids[2]})).await, 0);
    buys(&shop, &customer).await;
    assert_eq!(unread(&shop, &customer).await, 1);
    let many: Vec<i64> = (0..101).collect();
    assert_eq!(shop.call(&customer, "Notifications/MarkRead", json!({"NotificationIds": many})).await.code, 2001);
}

#[actix_web::test]
async fn pages_are_consecutive_and_the_unread_count_ends_at_99() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    let now = shop.app.clock.now();
    shop.app
        .db
        .write_blocking(|conn| {
            for number in 0..120 {
                let data = json!({"OldIp": number.to_string(), "NewIp": "b"});
                let kind = postern_core::event::EventKind::ProxiesSwitched;
                postern_server::events::record(conn, customer.account_id, kind, &data, now)?;
            }
            Ok(())
        })
        .expect("events");
    let answer = shop.call(&customer, "Notifications/GetUnread", json!({})).await.data;
    assert_eq!(answer, json!({"Unread": 99, "HasMore": true}));
    let first = shop.call(&customer, "Notifications/GetNotificationList", json!({"PageSize": 100})).await.data;
    let next = json!({"PageSize": 100, "After": first["Next"]});
    let second = shop.call(&customer, "Notifications/GetNotificationList", next).await.data;
    assert_eq!(
        (first["Rows"].as_array().map(Vec::len), second["Rows"].as_array().map(Vec::len)),
        (Some(100), Some(20))
    );
    assert_eq!((&second["Rows"][19]["Data"]["OldIp"], &second["Next"]), (&json!("0"), &Value::Null));
}

#[actix_web::test]
async fn disabled_kinds_are_neither_shown_nor_mailed_except_security() {
    let shop = Shop::open();
    let customer = shop.customer(5_000);
    let mails = || shop.mails_about(&customer.email, "ready");
    assert_eq!(choice(&shop, &customer, "order.paid").await, (true, true, true));
    assert_eq!(choice(&shop, &customer, "proxies.switched").await, (true, false, false));
    assert_eq!(choice(&shop, &customer, "security.new_device").await, (true, true, false));
    buys(&shop, &customer).await;
    assert_eq!((unread(&shop, &customer).await, mails()), (1, 1));

    assert_eq!(chooses(&shop, &customer, "order.paid", false, false).await.code, 1000);
    assert_eq!((list(&shop, &customer).await.len(), unread(&shop, &customer).await), (0, 0));
    buys(&shop, &customer).await;
    assert_eq!((unread(&shop, &customer).await, mails()), (0, 1));
    chooses(&shop, &customer, "order.paid", true, true).await;
    assert_eq!(unread(&shop, &customer).await, 2, "nothing was lost");

    chooses(&shop, &customer, "security.new_device", false, false).await;
    assert_eq!(choice(&shop, &customer, "security.new_device").await, (false, true, false));
    chooses(&shop, &customer, "proxies.switched", true, true).await;
    assert_eq!(choice(&shop, &customer, "proxies.switched").await, (true, false, false));
    assert_eq!(chooses(&shop, &customer, "order.lost", true, true).await.code, 2001);
}

#[actix_web::test]
async fn the_unsubscribe_link_ends_mails_of_its_kind_and_can_be_repeated() {
    let shop = Shop::open();
    let (customer, other) = (shop.customer(5_000), shop.customer(5_000));
    buys(&shop, &customer).await;
    let mail = shop.last_mail_to(&customer.email).unwrap_or_default();
    let link = mail.lines().find_map(|line| line.strip_prefix("http://shop.example/unsubscribe?token="));
    let token = link.expect("a link").to_owned();
    assert!(mail.contains(&format!("List-Unsubscribe: <http://shop.example/unsubscribe?token={token}>\n")), "{mail}");
    let follows = async |token: &str, dry_run: bool| {
        shop.send("Notifications/Unsubscribe", json!({"Token": token, "DryRun": dry_run}), &[]).await
    };
    let masked = format!("{}•••@example.com", &customer.email[..1]);
    let told = |by_mail: bool| json!({"Kind": "order.paid", "Email": masked, "ByMail": by_mail});
    assert_eq!(follows(&token, true).await.data, told(true));
    assert!(choice(&shop, &customer, "order.paid").await.1, "asking ends nothing");
    for _ in 0..2 {
        let answer = follows(&token, false).await;
        assert_eq!((answer.code, answer.data), (1000, told(false)));
    }
    assert_eq!(choice(&shop, &customer, "order.paid").await, (true, false, true));
    assert!(choice(&shop, &customer, "wallet.low").await.1);
    assert!(choice(&shop, &other, "order.paid").await.1);
    buys(&shop, &customer).await;
    assert_eq!((shop.mails_about(&customer.email, "ready"), unread(&shop, &customer).await), (1, 2));
    for wrong in ["", "1.order.paid", &token.replacen("order.paid", "wallet.low", 1), &format!("9{token}")] {
        assert_eq!(follows(wrong, false).await.code, 3004, "{wrong}");
    }

    // The one-click request of a mail client.
    chooses(&shop, &customer, "order.paid", true, true).await;
    let path = format!("/unsubscribe?token={token}");
    assert_eq!(shop.post_form(&path, "List-Unsubscribe=One-Click").await.status().as_u16(), 200);
    assert_eq!(choice(&shop, &customer, "order.paid").await, (true, false, true));
    assert_eq!(shop.post_form("/unsubscribe?token=x", "List-Unsubscribe=One-Click").await.status().as_u16(), 404);
    assert_eq!(shop.post_form("/unsubscribe", "").await.status().as_u16(), 404);
}

#[actix_web::test]
async fn requested_mails_have_no_unsubscribe_link() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    shop.run_jobs().await;
    let mail = shop.last_mail_to(&customer.email).unwrap_or_default();
    assert!(mail.contains("password-reset") && !mail.to_lowercase().contains("unsubscribe"), "{mail}");
}

#[actix_web::test]
async fn old_events_are_deleted_with_their_marks() {
    let shop = Shop::open();
    let customer = shop.customer(5_000);
    buys(&shop, &customer).await;
    let id = list(&shop, &customer).await[0]["NotificationId"].clone();
    marks(&shop, &customer, json!({"NotificationIds": [id]})).await;
    let rows = || {
        let count = |conn: &mut postern_server::db::Conn| {
            let old = events::kind.eq(postern_core::event::EventKind::OrderPaid);
            let kept: i64 = events::table.filter(old).count().get_result(conn)?;
            Ok((kept, notification_reads::table.count().get_result::<i64>(conn)?))
        };
        shop.app.db.read_blocking(count).expect("numbers")
    };
    shop.app.clock.advance(TimeDelta::days(EVENTS_KEPT_DAYS - 1));
    shop.run_jobs().await;
    assert_eq!(rows(), (1, 1));
    shop.app.clock.advance(TimeDelta::days(2));
    shop.run_jobs().await;
    assert_eq!(rows(), (0, 0));
}
