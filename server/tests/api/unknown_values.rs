//! An invalid enum value in the database is an error of the call that reads it, never a default. (How each column is read, and what is logged, is
//! tested in `columns.rs`.)
use crate::shop::Shop;
use diesel::connection::SimpleConnection;
use diesel::sql_query;
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use serde_json::json;

/// Changes all rows of a table, with the database's own checks of these columns disabled.
fn set(shop: &Shop, column: &str, value: &str) {
    let (table, column) = column.split_once('.').expect("a table and a column");
    let update = format!("UPDATE {table} SET {column} = {value}");
    let changed = shop.app.db.write_blocking(|conn| match conn {
        Conn::Sqlite(conn) => {
            conn.batch_execute("PRAGMA ignore_check_constraints = ON")?;
            let changed = sql_query(&update).execute(conn);
            conn.batch_execute("PRAGMA ignore_check_constraints = OFF")?;
            Ok(changed?)
        }
        Conn::Postgres(conn) => {
            conn.batch_execute(&format!(
                "DO $$ DECLARE one record; BEGIN FOR one IN SELECT conname FROM pg_constraint \
                 WHERE conrelid = '{table}'::regclass AND contype = 'c' \
                 LOOP EXECUTE format('ALTER TABLE {table} DROP CONSTRAINT %I', one.conname); END LOOP; END $$"
            ))?;
            Ok(sql_query(&update).execute(conn)?)
        }
    });
    assert!(changed.expect("an update") > 0, "{table} has no rows");
}

#[actix_web::test]
async fn invalid_stored_values_are_errors_in_every_call() {
    let shop = Shop::open();
    let (owner, operator) = (shop.owner_of(1, 10_000).await, shop.operator());
    shop.stock("US", "new-york", 1);
    let node = shop.nodes_of(&owner).await[0]["NodeId"].clone();
    assert_eq!(shop.call(&owner, "Ips/SwitchNode", json!({"NodeIds": [node]})).await.code, 1000);
    let order = shop.call(&owner, "Order/GetOrderList", json!({})).await.data["Rows"][0].clone();
    let order = json!({"OrderId": order["OrderId"], "PaymentId": order["Payments"][0]["PaymentId"]});
    let card = shop.call(&owner, "Wallet/RememberCard", json!({"PaymentMethod": "sandbox"})).await.data;
    shop.post_form(card["CardUrl"].as_str().expect("an address"), "action=good").await;
    let card = json!({"CardRequestId": card["CardRequestId"]});
    assert_eq!(shop.call(&owner, "Wallet/GetCardRequest", card.clone()).await.data["State"], "succeeded");
    let limits = json!({"IsOn": true, "Threshold": "5", "Amount": "20", "MonthlyLimit": "50"});
    assert_eq!(shop.call(&owner, "Wallet/SetAutoTopUp", limits).await.code, 1000);
    let top_up = shop.call(&owner, "Wallet/CreateTopUp", json!({"Amount": "30", "PaymentMethod": "sandbox"})).await;
    let pay_url = top_up.data["Payment"]["PayUrl"].as_str().expect("an address").to_owned();
    shop.post_form(&pay_url, "action=approve").await;
    let alarm = "INSERT INTO alarms (alarm, problems, raised_at, checked_at) \
                 VALUES ('books', 'wrong', '2026-11-22 10:00:00', '2026-11-22 10:00:00')";
    shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(alarm)?)).expect("an alarm");
    let tier = json!({"VerStr": crate::shop::REGULAR});
    let none = json!({});
    for (column, known, who, call, body) in [
        ("orders.kind", "'purchase'", &owner, "Order/GetOrderList", &none),
        ("orders.state", "'fulfilled'", &owner, "Order/GetOrder", &order),
        ("orders.currency", "'USD'", &operator, "Operator/GetOrderList", &none),
        ("payments.payment_method", "'wallet'", &owner, "Order/GetPayment", &order),
        ("payments.state", "'succeeded'", &owner, "Order/GetOrder", &order),
        ("payments.currency", "'USD'", &owner, "Order/GetOrderList", &none),
        ("payments.language", "'en'", &owner, "Order/GetPayment", &order),
        ("nodes.state", "'assigned'", &owner, "Ips/GetUserNodeList", &none),
        ("node_switches.mode", "'quota'", &owner, "Ips/UserGetSwitchRecording", &none),
        ("node_switches.currency", "'USD'", &owner, "Ips/UserGetSwitchRecording", &none),
        ("plans.access_mode", "'password'", &owner, "Ips/UserGetVerAuth", &tier),
        ("wallets.currency", "'USD'", &owner, "User/GetWallet", &none),
        ("wallets.currency", "'USD'", &owner, "Wallet/GetLowBalanceAlert", &none),
        ("wallets.currency", "'USD'", &owner, "Order/GetHoldLimit", &none),
        ("wallets.currency", "'USD'", &operator, "Operator/GetAccountList", &none),
        ("ledger_transactions.kind", "'credit'", &owner, "Wallet/GetTransactionList", &none),
        ("ledger_transactions.currency", "'USD'", &owner, "Wallet/GetTransactionList", &none),
        ("invoices.kind", "'invoice'", &owner, "Billing/GetInvoiceList", &none),
        ("invoices.currency", "'USD'", &owner, "Billing/GetInvoiceList", &none),
        ("remembered_cards.payment_method", "'sandbox'", &owner, "Wallet/GetAutoTopUp", &none),
        ("auto_top_ups.failure", "NULL", &owner, "Wallet/GetAutoTopUp", &none),
        ("card_requests.payment_method", "'sandbox'", &owner, "Wallet/GetCardRequest", &card),
        ("card_requests.state", "'succeeded'", &owner, "Wallet/GetCardRequest", &card),
        ("card_requests.language", "'en'", &owner, "Wallet/GetCardRequest", &card),
        ("gateway_callbacks.gateway", "'sandbox'", &operator, "Order/GetCallbackList", &none),
        ("gateway_callbacks.verdict", "'settle'", &operator, "Order/GetCallbackList", &none),
        ("alarms.alarm", "'books'", &operator, "Operator/GetAlarmList", &none),
        ("accounts.state", "'active'", &owner, "User/GetUserInfo", &none),
        ("accounts.level", "2", &owner, "User/GetUserInfo", &none),
        ("users.language", "'en'", &owner, "User/GetUserInfo", &none),
    ] {
        let known_to = |what: &'static str| format!("{column}, {call}: {what}");
        assert_eq!(shop.call(who, call, body.clone()).await.code, 1000, "{}", known_to("before"));
        set(&shop, column, if column.ends_with("level") { "9" } else { "'Nonsense'" });
        let refused = shop.call(who, call, body.clone()).await;
        assert_eq!(refused.code, 5000, "{}: {refused:?}", known_to("unknown"));
        assert!(!format!("{refused:?}").contains("Nonsense"), "{refused:?}");
        set(&shop, column, known);
    }
    for (column, known) in [("sandbox_charges.outcome", "'open'"), ("sandbox_charges.currency", "'USD'")] {
        set(&shop, column, "'Nonsense'");
        let page = shop.open_page(&pay_url).await.text().await.expect("a text");
        assert!(page.contains("5000"), "{column}: {page}");
        set(&shop, column, known);
    }
}

#[actix_web::test]
async fn filters_with_unknown_values_are_refused() {
    let shop = Shop::open();
    let owner = shop.owner_of(1, 10_000).await;
    for (call, filter) in [
        ("Order/GetOrderList", json!({"State": "payed"})),
        ("Order/GetOrderList", json!({"Kind": "Purchase"})),
        ("Ips/GetUserNodeList", json!({"State": "gone"})),
        ("Ips/UserGetSwitchRecording", json!({"Mode": "free"})),
        ("Wallet/GetTransactionList", json!({"Kind": ""})),
        ("Billing/GetInvoiceList", json!({"Kind": "bill"})),
    ] {
        let refused = shop.call(&owner, call, json!({"Filter": filter})).await;
        assert_eq!(refused.code, 2002, "{call}: {refused:?}");
    }
}
