//! A database of the first migration, filled by a shop, still works after all later migrations.
use crate::shop::{Customer, PASSWORD, Shop, order_for};
use diesel::connection::SimpleConnection;
use postern_server::db::Conn;
use postern_server::error::AppError;
use postern_server::security::{hash_password, sha256};
use serde_json::json;

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
