//! Referrals: commissions on a referred account's orders, their availability, moves, reversals by refunds, and review.
use crate::shop::{CallAnswer, Customer, Shop, order_for};
use chrono::TimeDelta;
use postern_core::event::EventKind;
use postern_core::time::to_wire;
use postern_server::db::prelude::*;
use postern_server::schema::{accounts, known_devices, referral_rules, users};
use serde_json::{Value, json};
use std::sync::Arc;

/// A customer with an invitation code, who signs in from an address of their own.
fn referrer(shop: &Shop, balance_minor: i64) -> (Customer, String) {
    let referrer = shop.customer_invited_by("", "203.0.113.1", balance_minor);
    let code = shop.invite_code_of(&referrer);
    (referrer, code)
}

/// A customer who signed up with this code, from a distinct address.
fn friend(shop: &Shop, code: &str, balance_minor: i64) -> Customer {
    use std::sync::atomic::{AtomicU8, Ordering};
    static NUMBER: AtomicU8 = AtomicU8::new(10);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    shop.customer_invited_by(code, &format!("203.0.113.{number}"), balance_minor)
}

/// Buys IPs for 5.00 each, in an order of at most nine.
async fn buys(shop: &Shop, customer: &Customer, count: u32) -> i64 {
    shop.stock("US", "new-york", count);
    shop.buys(customer, order_for(&[("US", "new-york", count)], &format!("{}.00", 5 * count))).await
}

async fn figures(shop: &Shop, referrer: &Customer) -> Value {
    let answer = shop.call(referrer, "Referrals/GetReferrals", json!({})).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data
}

/// Pending, held, available, owed, movable, moved, taken back.
async fn amounts(shop: &Shop, referrer: &Customer) -> [String; 7] {
    let figures = figures(shop, referrer).await;
    ["Pending", "Held", "Available", "Owed", "Movable", "Moved", "TakenBack"]
        .map(|name| figures[name].as_str().unwrap_or_default().to_owned())
}

async fn moves(shop: &Shop, referrer: &Customer) -> CallAnswer {
    shop.call(referrer, "Referrals/MoveToWallet", json!({})).await
}

/// Lets the pending time of all commissions pass.
async fn matures(shop: &Shop, referrer: &Customer) -> Customer {
    shop.app.clock.advance(TimeDelta::days(31));
    shop.run_jobs().await;
    shop.signs_in(referrer)
}

async fn refunds(shop: &Shop, operator: &Customer, order_id: i64, customer: &Customer, amount: &str) {
    let operator = shop.signs_in(operator);
    let order = shop.call(&shop.signs_in(customer), "Order/GetOrder", json!({"OrderId": order_id})).await.data;
    let number = &order["OrderNumber"];
    let body = json!({"OrderNumber": number, "Amount": amount, "Reason": "It was slow"});
    let answer = shop.call(&operator, "Operator/RefundOrder", body).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
}

async fn commissions(shop: &Shop, referrer: &Customer) -> Vec<Value> {
    let answer = shop.call(referrer, "Referrals/GetCommissionList", json!({})).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data["Rows"].as_array().cloned().unwrap_or_default()
}

#[actix_web::test]
async fn a_commission_is_pending_then_available_then_moved_once() {
    let shop = Shop::open();
    let (referrer, code) = referrer(&shop, 0);
    assert_eq!(moves(&shop, &referrer).await.data["Key"], "nothingToMove");
    let friend = friend(&shop, &code.to_lowercase(), 10_000);
    let stranger = shop.customer(10_000);
    buys(&shop, &stranger, 1).await;
    buys(&shop, &friend, 3).await;
    assert_eq!(amounts(&shop, &referrer).await, ["1.50", "0.00", "0.00", "0.00", "0.00", "0.00", "0.00"]);
    assert_eq!(moves(&shop, &referrer).await.data["Key"], "nothingToMove", "a pending commission stays where it is");
    let earned = json!({"Amount": "1.50", "Currency": "USD"});
    assert_eq!(shop.events_of(&referrer, EventKind::CommissionEarned), [earned]);

    let answer = figures(&shop, &referrer).await;
    assert_eq!(answer["Link"], format!("http://shop.example/?r={code}"));
    assert_eq!((&answer["Rule"]["Rate"], &answer["Rule"]["PendingDays"]), (&json!("10%"), &json!(30)));
    assert_eq!((&answer["SignedUp"], &answer["Bought"]), (&json!(1), &json!(1)));
    let months = answer["Months"].as_array().expect("months");
    assert_eq!((months.len(), &months[11]["Earned"], &months[11]["Height"]), (12, &json!("1.50"), &json!(1_000)));

    let referred = shop.call(&referrer, "Referrals/GetReferredList", json!({})).await.data;
    let row = &referred["Rows"][0];
    let masked = format!("{}•••@example.com", &friend.email[..1]);
    assert_eq!((&referred["Total"], &row["Email"], &row["Earned"]), (&json!(1), &json!(masked), &json!("1.50")));
    assert!(!referred.to_string().contains(&friend.email), "{referred}");
    let row = commissions(&shop, &referrer).await.remove(0);
    assert_eq!((&row["Email"], &row["State"], &row["IsHeld"]), (&json!(masked), &json!("pending"), &json!(false)));

    shop.app.clock.advance(TimeDelta::days(29));
    shop.run_jobs().await;
    let referrer = shop.signs_in(&referrer);
    assert_eq!(amounts(&shop, &referrer).await[0], "1.50");
    let referrer = matures(&shop, &referrer).await;
    assert_eq!(amounts(&shop, &referrer).await, ["0.00", "0.00", "1.50", "0.00", "1.50", "0.00", "0.00"]);
    let moved = moves(&shop, &referrer).await;
    assert_eq!(moved.data, json!({"Amount": "1.50", "Owed": "0.00", "Balance": "1.50", "Currency": "USD"}));
    assert_eq!(amounts(&shop, &referrer).await, ["0.00", "0.00", "0.00", "0.00", "0.00", "1.50", "0.00"]);
    assert_eq!(shop.balance(&referrer).await, "1.50");
    assert_eq!(moves(&shop, &referrer).await.code, 3333);
    assert!(commissions(&shop, &referrer).await[0]["MovedAt"].is_string());
    let list = shop.call(&referrer, "Wallet/GetTransactionList", json!({"Filter": {"Kind": "commission"}})).await;
    assert_eq!((&list.data["Total"], &list.data["Rows"][0]["Amount"]), (&json!(1), &json!("1.50")));
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn top_ups_earn_no_commission_and_traffic_does() {
    let shop = Shop::open_with_traffic();
    let (referrer, code) = referrer(&shop, 0);
    let friend = friend(&shop, &code, 0);
    let top_up = shop.call(&friend, "Wallet/CreateTopUp", json!({"Amount": "100", "PaymentMethod": "sandbox"})).await;
    let pay_url = top_up.data["Payment"]["PayUrl"].as_str().unwrap_or_default().to_owned();
    shop.post_form(&pay_url, "action=approve").await;
    shop.run_jobs().await;
    assert_eq!((shop.balance(&friend).await.as_str(), amounts(&shop, &referrer).await[0].as_str()), ("100.00", "0.00"));
    assert_eq!(figures(&shop, &referrer).await["Bought"], 0);
    crate::traffic::buys(&shop, &friend, 10, 30, "35.00").await;
    assert_eq!(amounts(&shop, &referrer).await[0], "3.50");
    // The same through a gateway as from the wallet.
    shop.stock("US", "new-york", 1);
    let order = shop.call(&friend, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    let pay = json!({"OrderId": order.data["OrderId"], "PaymentMethod": "sandbox"});
    let payment = shop.call(&friend, "Order/PayOrder", pay).await.data["Payment"].clone();
    let pay_url = payment["PayUrl"].as_str().unwrap_or_default().to_owned();
    for _ in 0..2 {
        shop.post_form(&pay_url, "action=approve").await;
        shop.run_jobs().await;
    }
    assert_eq!(amounts(&shop, &referrer).await[0], "4.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn a_refund_reverses_commissions_in_every_state() {
    let shop = Shop::open();
    let (referrer, code) = referrer(&shop, 0);
    let (friend, operator) = (friend(&shop, &code, 50_000), shop.operator());
    let [first, second] = [buys(&shop, &friend, 8).await, buys(&shop, &friend, 4).await];
    // Pending: 4.00 and 2.00.
    refunds(&shop, &operator, first, &friend, "10.00").await;
    assert_eq!(amounts(&shop, &referrer).await, ["5.00", "0.00", "0.00", "0.00", "0.00", "0.00", "1.00"]);
    // Available.
    let referrer = matures(&shop, &referrer).await;
    refunds(&shop, &operator, second, &friend, "20.00").await;
    assert_eq!(amounts(&shop, &referrer).await, ["0.00", "0.00", "3.00", "0.00", "3.00", "0.00", "3.00"]);
    let states: Vec<_> = commissions(&shop, &referrer).await.iter().map(|row| row["State"].clone()).collect();
    assert_eq!(states, ["taken_back", "available"]);
    // Moved, and still in the wallet.
    assert_eq!(moves(&shop, &referrer).await.data["Amount"], "3.00");
    refunds(&shop, &operator, first, &friend, "10.00").await;
    assert_eq!(shop.balance(&referrer).await, "2.00");
    // Moved, and mostly spent.
    let credit = |minor: i64| {
        let movement = postern_server::ledger::Movement {
            account_id: referrer.account_id,
            kind: postern_core::ledger::EntryKind::Credit,
            source: postern_core::ledger::Book::Gateway,
            amount: postern_core::money::Money::from_minor(minor),
            reference: format!("credit of {minor}"),
            order_id: None,
        };
        let now = shop.app.clock.now();
        shop.app.db.write_blocking(|conn| postern_server::ledger::move_money(conn, &movement, now)).expect("a credit");
    };
    credit(350);
    buys(&shop, &referrer, 1).await;
    assert_eq!(shop.balance(&referrer).await, "0.50");
    refunds(&shop, &operator, first, &friend, "20.00").await;
    assert_eq!(shop.balance(&referrer).await, "0.00");
    assert_eq!(amounts(&shop, &referrer).await, ["0.00", "0.00", "0.00", "1.50", "0.00", "3.00", "6.00"]);
    shop.ledger_adds_up();
    // New commissions pay it off first.
    buys(&shop, &shop.signs_in(&friend), 2).await;
    let referrer = matures(&shop, &referrer).await;
    assert_eq!(amounts(&shop, &referrer).await[2..5], ["1.00", "1.50", "0.00"]);
    assert_eq!(moves(&shop, &referrer).await.data["Key"], "nothingToMove");
    buys(&shop, &shop.signs_in(&friend), 4).await;
    let referrer = matures(&shop, &referrer).await;
    let moved = moves(&shop, &referrer).await;
    assert_eq!(moved.data, json!({"Amount": "1.50", "Owed": "1.50", "Balance": "1.50", "Currency": "USD"}));
    assert_eq!(amounts(&shop, &referrer).await[3], "0.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn concurrent_moves_execute_once() {
    let shop = Arc::new(Shop::open());
    let (referrer, code) = referrer(&shop, 0);
    buys(&shop, &friend(&shop, &code, 10_000), 8).await;
    let referrer = matures(&shop, &referrer).await;
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let (shop, referrer) = (shop.clone(), referrer.clone());
            actix_web::rt::spawn(async move { moves(&shop, &referrer).await.code })
        })
        .collect();
    let mut codes = Vec::new();
    for task in tasks {
        codes.push(task.await.expect("a code"));
    }
    codes.sort_unstable();
    assert_eq!((codes[0], codes[1]), (1000, 3333), "{codes:?}");
    assert_eq!(shop.balance(&referrer).await, "4.00");

    buys(&shop, &friend(&shop, &code, 10_000), 8).await;
    let referrer = matures(&shop, &referrer).await;
    let once = async || shop.call_once(&referrer, "once", "Referrals/MoveToWallet", json!({})).await;
    let first = once().await;
    assert_eq!((first.code, &first.data), (1000, &once().await.data));
    assert_eq!(shop.balance(&referrer).await, "8.00");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn concurrent_refund_and_move_are_consistent_in_any_order() {
    for _ in 0..5 {
        let shop = Arc::new(Shop::open());
        let (referrer, code) = referrer(&shop, 0);
        let (friend, operator) = (friend(&shop, &code, 10_000), shop.operator());
        let order_id = buys(&shop, &friend, 8).await;
        let referrer = matures(&shop, &referrer).await;
        let moving = {
            let (shop, referrer) = (shop.clone(), referrer.clone());
            actix_web::rt::spawn(async move { moves(&shop, &referrer).await.code })
        };
        refunds(&shop, &operator, order_id, &friend, "30.00").await;
        assert_eq!(moving.await.expect("a code"), 1000);
        assert_eq!((shop.balance(&referrer).await.as_str(), &amounts(&shop, &referrer).await[6][..]), ("1.00", "3.00"));
        shop.ledger_adds_up();
    }
}

#[actix_web::test]
async fn a_rule_applies_to_later_sign_ups_only() {
    let shop = Shop::open();
    let (referrer, code) = referrer(&shop, 0);
    let operator = shop.operator();
    let early = friend(&shop, &code, 10_000);
    for (body, field) in [
        (json!({"RatePercent": "20", "ValidFrom": "2020-01-01 00:00:00"}), "ValidFrom"),
        (json!({"RatePercent": "51"}), "RatePercent"),
        (json!({"RatePercent": ""}), "RatePercent"),
    ] {
        let answer = shop.call(&operator, "Operator/AddReferralRule", body).await;
        assert_eq!((answer.code, answer.data["Fields"][field].is_array()), (2001, true), "{answer:?}");
    }
    let soon = to_wire(shop.app.clock.now() + TimeDelta::hours(1));
    let rule = json!({"RatePercent": "20", "ValidFrom": soon});
    let answer = shop.call(&operator, "Operator/AddReferralRule", rule.clone()).await;
    assert_eq!((answer.code, answer.data.as_array().map(Vec::len)), (1000, Some(2)), "{answer:?}");
    assert_eq!((&answer.data[0]["IsInForce"], &answer.data[1]["IsInForce"]), (&json!(false), &json!(true)));
    assert_eq!(shop.call(&operator, "Operator/AddReferralRule", rule).await.code, 2010, "two from the same time");
    let answer = figures(&shop, &referrer).await;
    assert_eq!((&answer["Rule"]["Rate"], &answer["NextRule"]["Rate"]), (&json!("10%"), &json!("20%")));
    let before = friend(&shop, &code, 10_000);
    shop.app.clock.advance(TimeDelta::hours(1) + TimeDelta::seconds(1));
    let after = friend(&shop, &code, 10_000);
    for (customer, pending) in [(&early, "0.50"), (&before, "1.00"), (&after, "2.00")] {
        buys(&shop, customer, 1).await;
        assert_eq!(amounts(&shop, &referrer).await[0], pending);
    }
    assert_eq!(figures(&shop, &referrer).await["Rule"]["Rate"], "20%");
    let rates: Vec<_> = commissions(&shop, &referrer).await.iter().map(|row| row["Rate"].clone()).collect();
    assert_eq!(rates, ["20%", "10%", "10%"]);
    assert_eq!(shop.call(&referrer, "Operator/GetReferralRuleList", json!({})).await.code, 3003);
}

#[actix_web::test]
async fn sign_ups_before_the_first_rule_earn_no_commission() {
    let shop = Shop::open();
    let (referrer, code) = referrer(&shop, 0);
    let emptied = shop.app.db.write_blocking(|conn| Ok(diesel::delete(referral_rules::table).execute(conn)?));
    emptied.expect("no rules");
    buys(&shop, &friend(&shop, &code, 10_000), 2).await;
    let answer = figures(&shop, &referrer).await;
    assert_eq!((&answer["Rule"], &answer["Pending"], &answer["Bought"]), (&Value::Null, &json!("0.00"), &json!(1)));
    assert_eq!(shop.call(&referrer, "Referrals/GetReferredList", json!({})).await.data["Rows"][0]["Rate"], Value::Null);
}

#[actix_web::test]
async fn self_referrals_are_held_until_reviewed() {
    let shop = Shop::open();
    let (referrer, code) = referrer(&shop, 0);
    let operator = shop.operator();
    let honest = friend(&shop, &code, 10_000);
    // The same address as the referrer's; a device that signs in later; and the same tax number.
    let neighbour = shop.customer_invited_by(&code, "203.0.113.1", 10_000);
    let (twin, same) = (friend(&shop, &code, 10_000), friend(&shop, &code, 10_000));
    for customer in [&referrer, &same] {
        let given = shop.app.db.write_blocking(|conn| {
            let number = accounts::tax_number.eq("DE 123456789");
            Ok(diesel::update(accounts::table.find(customer.account_id)).set(number).execute(conn)?)
        });
        given.expect("a tax number");
    }
    for customer in [&honest, &neighbour, &twin, &same] {
        buys(&shop, customer, 2).await;
    }
    assert_eq!(amounts(&shop, &referrer).await[..2], ["2.00", "2.00"], "what tells of the twin comes later");
    let now = shop.app.clock.now();
    for customer in [&referrer, &twin] {
        shop.app
            .db
            .write_blocking(|conn| {
                let user_id: i64 =
                    users::table.filter(users::account_id.eq(customer.account_id)).select(users::id).first(conn)?;
                let device = (
                    known_devices::user_id.eq(user_id),
                    known_devices::device_sha256.eq("a device"),
                    known_devices::first_seen_at.eq(now),
                    known_devices::last_seen_at.eq(now),
                );
                Ok(diesel::insert_into(known_devices::table).values(device).execute(conn)?)
            })
            .expect("a device");
    }
    let referrer = matures(&shop, &referrer).await;
    assert_eq!(amounts(&shop, &referrer).await[..3], ["0.00", "3.00", "1.00"]);
    let held: Vec<_> = commissions(&shop, &referrer).await.iter().map(|row| row["IsHeld"].clone()).collect();
    assert_eq!(held, [true, true, true, false]);
    shop.run_jobs().await;
    assert_eq!(amounts(&shop, &referrer).await[1], "3.00", "nothing but an operator releases it");

    let operator = shop.signs_in(&operator);
    let list = shop.call(&operator, "Operator/GetReferralReviewList", json!({})).await.data;
    let doubts: Vec<_> = list["Rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| (row["Email"].clone(), row["Doubts"].clone()))
        .collect();
    assert_eq!(
        doubts,
        [
            (json!(same.email), json!(["same_details"])),
            (json!(twin.email), json!(["same_device"])),
            (json!(neighbour.email), json!(["same_address"])),
        ]
    );
    assert_eq!((&list["Rows"][0]["ReferrerEmail"], &list["Rows"][0]["Held"]), (&json!(referrer.email), &json!("1.00")));
    let review = async |who: &Customer, customer: &Customer, decision: &str| {
        let body = json!({"AccountId": customer.account_id, "Decision": decision, "Note": "asked them"});
        shop.call(who, "Operator/ReviewReferral", body).await.code
    };
    assert_eq!(review(&referrer, &neighbour, "approve").await, 3003);
    assert_eq!(review(&operator, &honest, "refuse").await, 4005, "nothing to review");
    assert_eq!(review(&operator, &operator, "refuse").await, 3004);
    assert_eq!(review(&operator, &neighbour, "approve").await, 1000);
    assert_eq!(review(&operator, &twin, "refuse").await, 1000);
    assert_eq!(review(&operator, &neighbour, "refuse").await, 4005, "decided once");
    shop.run_jobs().await;
    assert_eq!(amounts(&shop, &referrer).await[..3], ["0.00", "1.00", "2.00"]);
    // Orders of the approved account earn commission, those of the refused one do not.
    for (customer, pending) in [(&twin, "0.00"), (&neighbour, "0.50")] {
        buys(&shop, &shop.signs_in(customer), 1).await;
        assert_eq!(amounts(&shop, &referrer).await[0], pending);
    }
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn other_accounts_referrals_are_invisible_and_hidden_codes_have_no_link() {
    let shop = Shop::open();
    let (referrer, code) = referrer(&shop, 0);
    let stranger = shop.customer(0);
    buys(&shop, &friend(&shop, &code, 10_000), 1).await;
    assert_eq!(figures(&shop, &stranger).await["SignedUp"], 0);
    for call in ["Referrals/GetReferredList", "Referrals/GetCommissionList"] {
        assert_eq!(shop.call(&stranger, call, json!({})).await.data["Total"], 0, "{call}");
        assert_eq!(shop.call(&referrer, call, json!({})).await.data["Total"], 1, "{call}");
    }
    let filtered = json!({"Filter": {"State": "moved"}});
    assert_eq!(shop.call(&referrer, "Referrals/GetCommissionList", filtered).await.data["Total"], 0);
    let hidden = shop.app.db.write_blocking(|conn| {
        let account = accounts::table.find(referrer.account_id);
        Ok(diesel::update(account).set(accounts::show_invitation_code.eq(false)).execute(conn)?)
    });
    hidden.expect("an update");
    let answer = figures(&shop, &referrer).await;
    assert_eq!((&answer["Link"], &answer["InvitationCode"]), (&Value::Null, &Value::Null));
}
