//! The audit log: every change by an operator leaves an entry, on screen, by an API key and by a command, and no entry changes.
use crate::shop::{Customer, PASSWORD, Shop, order_for};
use diesel::sql_query;
use postern_core::audit::AuditAction;
use postern_server::app::cli::all_commands;
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use postern_server::schema::audit_entries;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Commands that change nothing that an operator decides, with the reason.
const NOT_RECORDED: &[(&str, &str)] = &[
    ("serve", READS),
    ("migrate", "the program's own tables"),
    ("doctor", READS),
    ("demo", "fills an empty shop"),
    ("backup", READS),
    ("restore", "fills an empty shop with its own audit log"),
    ("openapi", READS),
    ("healthcheck", READS),
    ("inventory export", READS),
    ("coupon list", READS),
    ("order show", READS),
    ("account show", READS),
    ("limits show", READS),
    ("prices show", READS),
    ("proxy-server list", READS),
    ("referrals rules", READS),
    ("settings show", READS),
    ("ledger verify", READS),
];
const READS: &str = "reads";

/// A command, its arguments, a variable of its environment, and the action of its entry.
type Run<'a> = (&'a str, Vec<&'a str>, (&'a str, &'a str), &'a str);

fn last_entry(shop: &Shop) -> Option<(i64, AuditAction)> {
    let last = audit_entries::table.order(audit_entries::id.desc()).select((audit_entries::id, audit_entries::action));
    shop.app.db.read_blocking(|conn| Ok(last.first(conn).optional()?)).expect("the audit log")
}

async fn log(shop: &Shop, operator: &Customer, body: Value) -> Vec<Value> {
    let answer = shop.call(operator, "Operator/GetAuditLog", body).await;
    assert_eq!(answer.code, 1000, "{answer:?}");
    answer.data["Rows"].as_array().expect("rows").clone()
}

#[actix_web::test]
async fn every_command_that_changes_something_leaves_an_entry() {
    let shop = Shop::open_with(&[("POSTERN_TRANSFER_DETAILS", "Example Bank")]);
    shop.stock("US", "new-york", 3);
    let (ann, gone, operator) = (shop.customer(10_000), shop.customer(0), shop.operator());
    let email = ann.email.clone();
    let bought = shop.buys(&ann, order_for(&[("US", "new-york", 1)], "5.00")).await;
    let order = shop.call(&ann, "Order/GetOrder", json!({ "OrderId": bought })).await.data["OrderNumber"].clone();
    let order = order.as_str().expect("an order").to_owned();
    let transfer = json!({"Amount": "50", "PaymentMethod": "transfer"});
    let mut payments = Vec::new();
    for who in [&ann, &gone] {
        let started = shop.call(who, "Wallet/CreateTopUp", transfer.clone()).await.data;
        payments.push(started["Payment"]["PaymentId"].as_str().expect("a payment").to_owned());
        if who.account_id == gone.account_id {
            let cancel = json!({"OrderId": started["Order"]["OrderId"]});
            assert_eq!(shop.call(who, "Order/CancelOrder", cancel).await.code, 1000);
        }
    }
    let closing = json!({"Password": PASSWORD, "GiveUpBalance": true});
    assert_eq!(shop.call(&gone, "User/CloseAccount", closing).await.code, 1000);
    let closed = format!("closed {}", gone.account_id);
    let begun = shop.call(&ann, "User/BeginTwoFactor", json!({"Password": PASSWORD})).await.data;
    let code = shop.code_of(begun["Secret"].as_str().expect("a secret"), 0);
    assert_eq!(shop.call(&ann, "User/TurnOnTwoFactor", json!({ "Code": code })).await.code, 1000);
    let file = shop.app.config.var_dir.join("nodes.csv");
    let header = "ip,http_port,socks5_port,country,city,isp,asn,ver_str,supplier,cost\n";
    std::fs::write(
        &file,
        format!("{header}203.0.113.77,8000,1080,US,new-york,Example,64500,{},Acme,1.20\n", crate::shop::REGULAR),
    )
    .expect("a file");
    let file = file.to_str().expect("a path").to_owned();
    let settings = shop.app.config.var_dir.join("postern.env").display().to_string();
    let (other_name, other_key) = (("POSTERN_SHOP_NAME", "Other"), ("POSTERN_SECRET_KEY", "ab".repeat(32)));
    let none = ("RUST_LOG", "warn");
    let commands: Vec<Run> = vec![
        (
            "init",
            vec!["--operator", "first@example.com", "--public-url", "http://127.0.0.1:8080", "--file", &settings],
            ("POSTERN_ENV", "development"),
            "account_terms",
        ),
        ("inventory import", vec![&file], none, "nodes_imported"),
        ("inventory retire", vec!["203.0.113.77"], none, "nodes_retired"),
        ("coupon add", vec!["TEN", "--percent", "10"], none, "coupon_added"),
        ("coupon end", vec!["ten"], none, "coupon_ended"),
        ("order refund", vec![&order, "--reason", "slow", "--amount", "1", "--yes"], none, "order_refunded"),
        ("order settle", vec![&payments[0], "--amount", "50"], none, "payment_settled"),
        ("account level", vec![&email, "reseller", "--discount", "10"], none, "account_terms"),
        ("account turn-off-two-factor", vec![&email], none, "two_factor_off"),
        ("account show-token", vec![&email, "on"], none, "account_center"),
        ("account show-invite", vec![&email, "off"], none, "account_center"),
        ("account suspend", vec![&email, "--reason", "fraud"], none, "account_suspended"),
        ("account resume", vec![&email], none, "account_resumed"),
        ("order settle", vec![&payments[1], "--amount", "50"], none, "payment_settled"),
        ("account paid-back", vec![&closed], none, "wallet_debited"),
        ("limits set", vec!["unpaid_orders", "7"], none, "limit_changed"),
        ("limits hold", vec!["--from", "100", "--ips", "70"], none, "limit_changed"),
        ("prices set-traffic", vec!["30", "5", "3.10"], none, "price_changed"),
        ("prices set-traffic", vec!["30", "6", "3"], none, "price_changed"),
        ("prices remove-traffic", vec!["30", "6"], none, "price_changed"),
        ("prices set-tier", vec![crate::shop::REGULAR, "6"], none, "price_changed"),
        ("prices pause-tier", vec![crate::shop::REGULAR], none, "price_changed"),
        ("prices limit-tier", vec![crate::shop::REGULAR, "--connections", "100"], none, "price_changed"),
        ("prices sell-tier", vec![crate::shop::REGULAR], none, "price_changed"),
        ("prices set-period", vec!["60", "10"], none, "price_changed"),
        ("prices remove-period", vec!["60"], none, "price_changed"),
        ("prices set-step", vec!["500", "50"], none, "price_changed"),
        ("prices remove-step", vec!["500"], none, "price_changed"),
        (
            "proxy-server add",
            vec!["s1", "--kind", "static", "--host", "s1.example.com", "--http-port", "8000"],
            none,
            "proxy_server_added",
        ),
        ("proxy-server assign", vec!["203.0.113.0/24", "--server", "s1"], none, "nodes_assigned"),
        ("proxy-server rotate", vec!["s1"], none, "proxy_server_rotated"),
        ("proxy-server remove", vec!["s1"], none, "proxy_server_removed"),
        ("referrals rule", vec!["--rate", "11"], none, "referral_rule_added"),
        ("settings adopt", vec!["--yes"], other_name, "settings_adopted"),
        ("secret-key replace", vec!["--yes"], (other_key.0, &other_key.1), "secret_key_replaced"),
    ];
    for (command, arguments, (name, value), action) in &commands {
        let before = last_entry(&shop).map(|entry| entry.0);
        let mut words = command.split(' ');
        let mut running = shop.command(words.next().expect("a word"));
        if *command == "secret-key replace" {
            running.env("POSTERN_SHOP_NAME", "Other");
        }
        let done =
            running.args(words).args(arguments).env(name, value).env("USER", "root").output().expect("a command");
        assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
        let (id, last) = last_entry(&shop).expect("an entry");
        assert!(Some(id) > before && last.as_str() == *action, "{command} left {last:?}, not {action}");
    }
    let named: BTreeSet<&str> = commands.iter().map(|row| row.0).chain(NOT_RECORDED.iter().map(|row| row.0)).collect();
    let all = all_commands();
    assert_eq!(named, all.iter().map(String::as_str).collect(), "every command is recorded or has a reason");
    let operator = shop.signs_in(&operator);
    let rows = log(&shop, &operator, json!({"Filter": {"Channel": "command"}, "PageSize": 100})).await;
    assert!(rows.len() >= commands.len());
    assert!(
        rows.iter().all(|row| row["Operator"].is_null() && row["Actor"] == "root" && row["Address"] == ""),
        "{rows:?}"
    );
    let priced =
        rows.iter().find(|row| row["Action"] == "price_changed" && row["Changes"].to_string().contains("5.00"));
    let change = &priced.expect("a price")["Changes"][0];
    assert!(change["After"].as_str().is_some_and(|line| line.contains("6.00")), "{change}");
}

#[actix_web::test]
async fn entries_say_who_did_what_about_whom() {
    let shop = Shop::open();
    let (ann, bob, operator) = (shop.customer(1_000), shop.customer(0), shop.operator());
    let suspend = json!({"AccountId": ann.account_id, "State": "suspended", "Reason": "=chargebacks"});
    assert_eq!(shop.call(&operator, "Operator/SetAccountState", suspend).await.code, 1000);
    let key = json!({"Name": "bookkeeping", "Scopes": ["operator"]});
    let key = shop.call(&operator, "ApiKeys/AddApiKey", key).await.data["Secret"].as_str().expect("a key").to_owned();
    let program = Customer { token: key, ..operator.clone() };
    let terms = json!({"AccountId": bob.account_id, "Level": 1, "Discount": "12.5"});
    assert_eq!(shop.call(&program, "Operator/SetAccountTerms", terms).await.code, 1000);
    let rows = log(&shop, &operator, json!({})).await;
    assert_eq!(rows.len(), 2, "{rows:?}");
    let [by_key, in_person] = [&rows[0], &rows[1]];
    assert_eq!((&by_key["Channel"], &by_key["Actor"]), (&json!("api_key"), &json!("bookkeeping")));
    assert_eq!((&by_key["Operator"], &by_key["Email"]), (&json!(operator.email), &json!(bob.email)));
    assert_eq!(by_key["Changes"][1], json!({"Field": "discount", "Before": "0", "After": "1250"}));
    assert_eq!((&in_person["Channel"], &in_person["Address"]), (&json!("screen"), &json!("127.0.0.1")));
    assert_eq!((&in_person["AccountId"], &in_person["Reason"]), (&json!(ann.account_id), &json!("=chargebacks")));
    for (body, found) in [
        (json!({"Filter": {"Action": "account_terms"}}), vec![by_key]),
        (json!({"Filter": {"Channel": "screen"}}), vec![in_person]),
        (json!({"Filter": {"AccountId": bob.account_id}}), vec![by_key]),
        (json!({"Search": ann.email.to_uppercase()}), vec![in_person]),
        (json!({"Search": operator.email}), vec![by_key, in_person]),
        (json!({"Search": "nobody"}), vec![]),
        (json!({"Sort": [{"Field": "At", "Direction": "asc"}]}), vec![in_person, by_key]),
        (json!({"StartTime": "2000-01-01 00:00:00", "EndTime": "2001-01-01 00:00:00"}), vec![]),
    ] {
        assert_eq!(log(&shop, &operator, body.clone()).await.iter().collect::<Vec<_>>(), found, "{body}");
    }
    let unknown = shop.call(&operator, "Operator/GetAuditLog", json!({"Filter": {"Action": "nothing"}})).await;
    assert_eq!(unknown.code, 2002, "{unknown:?}");
    assert_eq!(shop.call(&bob, "Operator/GetAuditLog", json!({})).await.code, 3003);
    let file = shop.download(&operator, "Operator/ExportAuditLog", json!({})).await;
    let lines: Vec<&str> = file.lines().collect();
    assert_eq!(lines.len(), 3, "{file}");
    assert!(lines[1].contains("account_suspended") && lines[1].contains("'=chargebacks"), "no formula: {file}");
    assert!(lines[2].contains("level: 0 -> 1; discount: 0 -> 1250"), "{file}");
}

#[actix_web::test]
async fn the_database_refuses_to_change_an_entry() {
    let shop = Shop::open();
    let (ann, operator) = (shop.customer(0), shop.operator());
    let note = json!({"AccountId": ann.account_id, "Note": "pays late"});
    assert_eq!(shop.call(&operator, "Operator/SaveAccountNote", note.clone()).await.code, 1000);
    assert_eq!(shop.call(&operator, "Operator/SaveAccountNote", note).await.code, 1000);
    assert_eq!(log(&shop, &operator, json!({})).await.len(), 1, "what stays as it is is no change");
    for statement in ["UPDATE audit_entries SET reason = 'x'", "DELETE FROM audit_entries"] {
        let refused = shop.app.db.write_blocking(|conn| match conn {
            Conn::Postgres(conn) => Ok(sql_query(statement).execute(conn)?),
            Conn::Sqlite(conn) => Ok(sql_query(statement).execute(conn)?),
        });
        let error = refused.expect_err("a refusal").to_string();
        assert!(error.contains("append-only"), "{statement}: {error}");
    }
    assert_eq!(log(&shop, &operator, json!({})).await.len(), 1);
}

#[actix_web::test]
async fn what_is_refused_leaves_no_entry() {
    let shop = Shop::open();
    let (ann, operator) = (shop.customer(100), shop.operator());
    let about = |fields: Value| {
        let mut body = json!({ "AccountId": ann.account_id });
        body.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        body
    };
    for (call, body) in [
        ("Operator/AdjustWallet", about(json!({"Adjustment": "correction", "Amount": "1.01", "Reason": "r"}))),
        ("Operator/AdjustWallet", about(json!({"Adjustment": "goodwill", "Amount": "1", "Reason": " "}))),
        ("Operator/SetAccountTerms", about(json!({"Level": 2, "Discount": ""}))),
        ("Operator/SetAccountState", about(json!({"State": "suspended", "Reason": ""}))),
        ("Operator/TurnOffTwoFactor", about(json!({"Reason": "lost"}))),
        ("Operator/ViewAsCustomer", json!({"AccountId": operator.account_id})),
        ("Operator/ViewAsCustomer", json!({"AccountId": 999_999})),
        ("Operator/SaveAccountNote", about(json!({"Note": "n".repeat(2_001)}))),
        ("Operator/SaveAccountNote", json!({"AccountId": 999_999, "Note": "n"})),
    ] {
        let answer = shop.call(&operator, call, body.clone()).await;
        assert_ne!(answer.code, 1000, "{call} {body}");
    }
    assert_eq!(last_entry(&shop), None);
}
