//! A database of the first migration, filled by a shop, still works after all later migrations.
use crate::shop::{Customer, PASSWORD, Shop, order_for};
use diesel::connection::SimpleConnection;
use postern_core::sign_in::inbox_of;
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use postern_server::error::AppError;
use postern_server::schema::users;
use postern_server::security::{hash_password, sha256};
use postern_server::settings::shared::stored;
use serde_json::json;
use std::collections::BTreeSet;

/// The first migration is frozen, because shops have run it. A change of tables is a new migration.
const FIRST: [(&str, &str, &str); 2] = [
    (
        "sqlite",
        include_str!("../../../migrations/sqlite/0001_first/up.sql"),
        "5ed437779ef0488e427a7ea0527e94ffc8a0223f8bcac8bf2aa495f3c9dcc9b4",
    ),
    (
        "postgres",
        include_str!("../../../migrations/postgres/0001_first/up.sql"),
        "cfa6ea5bdc8f9b4901ca3a2c21287a91be38a4a52ec9cf249b5511265c3a8dff",
    ),
];

/// diesel's record of a migration that has run.
const NOTED: &str = "CREATE TABLE __diesel_schema_migrations (version VARCHAR(50) PRIMARY KEY NOT NULL, \
    run_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP); INSERT INTO __diesel_schema_migrations (version) VALUES ('0001');";

#[test]
fn the_first_migration_is_unchanged() {
    for (database, text, expected) in FIRST {
        assert_eq!(sha256(text), expected, "{database}: write a new migration instead");
    }
}

#[actix_web::test]
async fn a_database_of_the_first_migration_is_upgraded_and_works() {
    let token = "a-token-from-before";
    let shop = Shop::open_prepared(&[], |conn| {
        let [sqlite, postgres] = FIRST;
        let tables = if matches!(conn, Conn::Sqlite(_)) { sqlite.1 } else { postgres.1 };
        let rows = include_str!("first_database.sql")
            .replace("{password_hash}", &hash_password(PASSWORD).map_err(AppError::Internal)?)
            .replace("{token_sha256}", &sha256(token));
        conn.batch_execute(tables)?;
        conn.batch_execute(NOTED)?;
        Ok(conn.batch_execute(&rows)?)
    });
    let owner = Customer { email: "old@example.com".to_owned(), account_id: 1, token: token.to_owned() };

    // Nothing is lost, and the old session is still valid.
    assert_eq!(shop.balance(&owner).await, "90.00");
    let nodes = shop.nodes_of(&owner).await;
    let ips: Vec<_> = nodes.iter().map(|node| node["Ip"].as_str().unwrap_or_default()).collect();
    assert_eq!(ips, ["8.8.1.1", "8.8.1.2"]);
    assert_eq!((nodes[0]["Note"].as_str(), nodes[0]["GroupName"].as_str()), (Some("first"), Some("Shops")));
    let list = shop.call(&owner, "Ips/GetUserNodeList", json!({})).await;
    assert_eq!(list.data["Total"], 2, "kept totals are filled in");
    shop.totals_add_up();
    for (text, total) in [("8.8.1.", 2), ("8.1.2", 1), ("FIRST", 1), ("nothing like it", 0)] {
        let found = shop.call(&owner, "Ips/GetUserNodeList", json!({"Search": text})).await;
        assert_eq!(found.data["Total"], total, "the parts of {text} are in the index");
    }
    for (call, count) in [("Wallet/GetTransactionList", 2), ("Order/GetOrderList", 2), ("Ips/GetUserPlanGroupList", 1)]
    {
        let said = shop.call(&owner, call, json!({})).await;
        let rows = said.data.get("Rows").unwrap_or(&said.data).as_array().map(Vec::len);
        assert_eq!((said.code, rows), (1000, Some(count)), "{call}: {said:?}");
    }

    // The seller is taken over, so that a server without these settings does not replace it.
    let settings = shop.app.db.read_blocking(stored).expect("settings");
    let seller = ["NAME", "ADDRESS", "TAX_NUMBER"].map(|part| settings[&format!("POSTERN_SELLER_{part}")].clone());
    assert_eq!(seller, ["Old Seller Ltd", "1 Old Road|Cork", "IE 1"]);
    assert_eq!(shop.app.config.support_email, "old@example.com");

    // Pending work continues: the queued mail is sent with its link.
    shop.run_jobs().await;
    assert_eq!(shop.mailed_token(&owner.email, "reset"), "an-old-token");

    // The user signs in and buys, and the books add up.
    let signed_in = shop.send("User/Login", json!({"Email": owner.email, "Password": PASSWORD}), &[]).await;
    assert_eq!(signed_in.code, 1000, "{signed_in:?}");
    shop.stock("US", "new-york", 2);
    shop.buys(&owner, order_for(&[("US", "new-york", 3)], "15.00")).await;
    assert_eq!((shop.nodes_of(&owner).await.len(), shop.balance(&owner).await), (5, "75.00".to_owned()));

    let operator = shop.operator();
    let callbacks = shop.call(&operator, "Order/GetCallbackList", json!({})).await;
    assert_eq!(callbacks.code, 1000, "{callbacks:?}");
    assert!(callbacks.data.to_string().contains("\"settle\""), "{callbacks:?}");
}

#[actix_web::test]
async fn the_inboxes_of_users_from_before_are_those_that_core_names() {
    let emails =
        ["ann@example.com", "ann+a+b@example.com", "+ann@example.com", "a.n.n+1@gmail.com", "a.nn@googlemail.com"];
    let shop = Shop::open_prepared(&[], |conn| {
        let [sqlite, postgres] = FIRST;
        conn.batch_execute(if matches!(conn, Conn::Sqlite(_)) { sqlite.1 } else { postgres.1 })?;
        conn.batch_execute(NOTED)?;
        for (number, email) in emails.iter().chain(&["closed 7"]).enumerate() {
            let account = format!(
                "INSERT INTO accounts (invite_code, created_at) VALUES ('CODE000{number}', '2026-01-01 00:00:00');
                 INSERT INTO users (account_id, email, password_hash, language, time_zone, created_at)
                 VALUES ({}, '{email}', '', 'en', 'UTC', '2026-01-01 00:00:00');",
                number + 1
            );
            conn.batch_execute(&account)?;
        }
        Ok(())
    });
    let read = shop
        .app
        .db
        .read_blocking(|conn| Ok(users::table.select((users::email, users::inbox)).load::<(String, String)>(conn)?));
    for (email, inbox) in read.expect("users") {
        assert_eq!(inbox, inbox_of(&email), "{email}");
    }
}

/// Runs the migrations before this one, and notes that they have run.
fn migrate_until(conn: &mut Conn, version: &str) -> Result<(), AppError> {
    let database = if matches!(conn, Conn::Sqlite(_)) { "sqlite" } else { "postgres" };
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations").join(database);
    let names = std::fs::read_dir(&folder).expect("migrations").map(|entry| entry.expect("one").file_name());
    let names: BTreeSet<String> = names.filter_map(|name| name.into_string().ok()).collect();
    for name in names.iter().filter(|name| name.as_str() < version) {
        let text = std::fs::read_to_string(folder.join(name).join("up.sql")).expect("a migration");
        conn.batch_execute(&text)?;
        if name.starts_with("0001") {
            conn.batch_execute(NOTED)?;
        } else {
            let number = &name[..4];
            conn.batch_execute(&format!("INSERT INTO __diesel_schema_migrations (version) VALUES ('{number}')"))?;
        }
    }
    Ok(())
}

#[actix_web::test]
async fn changes_from_before_the_audit_log_are_its_first_entries() {
    let shop = Shop::open_prepared(&[], |conn| {
        migrate_until(conn, "0025")?;
        for number in 1..=2 {
            conn.batch_execute(&format!(
                "INSERT INTO accounts (invite_code, created_at) VALUES ('CODE000{number}', '2026-01-01 00:00:00');
                 INSERT INTO users (account_id, email, inbox, password_hash, language, time_zone, created_at)
                 VALUES ({number}, 'u{number}@example.com', 'u{number}@example.com', '', 'en', 'UTC', '2026-01-01 00:00:00');
                 INSERT INTO wallets (account_id, currency) VALUES ({number}, 'USD');"
            ))?;
        }
        Ok(conn.batch_execute(
            "INSERT INTO account_changes (account_id, user_id, change, reason, created_at) VALUES
               (1, 2, 'suspended', 'it''s \"fraud\"', '2026-02-01 00:00:00'), (1, NULL, 'resumed', '', '2026-02-03 00:00:00'),
               (1, 2, 'access_token_shown', '', '2026-02-05 00:00:00');
             INSERT INTO account_terms_changes
               (account_id, user_id, from_level, from_basis_points, to_level, to_basis_points, created_at) VALUES
               (1, 2, 0, 0, 1, 1500, '2026-02-02 00:00:00'), (1, NULL, 1, 1500, 1, 1250, '2026-02-04 00:00:00');",
        )?)
    });
    let operator = shop.operator();
    let log = shop.call(&operator, "Operator/GetAuditLog", json!({"Filter": {"AccountId": 1}})).await.data;
    let entry = |row: &serde_json::Value| {
        let changes = row["Changes"].as_array().expect("changes").iter();
        let change =
            |change: &serde_json::Value| format!("{} {} {}", change["Field"], change["Before"], change["After"]);
        let changes: Vec<String> = changes.map(change).collect();
        format!("{} {} {} {}", row["At"], row["Action"], row["Channel"], changes.join(", ")).replace('"', "")
    };
    let entries: Vec<String> = log["Rows"].as_array().expect("rows").iter().map(entry).collect();
    assert_eq!(
        entries,
        [
            "2026-02-05 00:00:00 account_center screen access_token false true",
            "2026-02-04 00:00:00 account_terms command discount 1500 1250",
            "2026-02-03 00:00:00 account_resumed command ",
            "2026-02-02 00:00:00 account_terms screen level 0 1, discount 0 1500",
            "2026-02-01 00:00:00 account_suspended screen ",
        ]
    );
    assert_eq!(
        (&log["Rows"][4]["Reason"], &log["Rows"][4]["Operator"]),
        (&json!("it's \"fraud\""), &json!("u2@example.com"))
    );
}
