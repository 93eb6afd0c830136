//! The secret key: a start without it leaves no other behind, and a lost one is replaced with all that it encrypted.
use crate::shop::{Customer, PASSWORD, Shop, clients};
use crate::start_up::{Serving, command, said};
use diesel::connection::SimpleConnection;
use diesel::sql_query;
use diesel::sql_types::Text;
use postern_core::language::Language;
use postern_core::mail::MailTemplate;
use postern_server::app::open;
use postern_server::db::prelude::*;
use postern_server::jobs;
use postern_server::mails::queue_link;
use postern_server::security::SecretKey;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;

fn key_file(shop: &Shop) -> PathBuf {
    shop.app.config.var_dir.join("secret.key")
}

#[actix_web::test]
async fn a_start_without_the_right_key_is_refused_and_leaves_no_key_behind() {
    let shop = Shop::open();
    let empty = shop.app.config.var_dir.join("elsewhere");
    let elsewhere = empty.display().to_string();
    let refusal = Serving::start(&shop, &[("POSTERN_VAR_DIR", &elsewhere)]).err().expect("a refusal");
    let told = command(&shop, &["prices", "show"]).env("POSTERN_VAR_DIR", &elsewhere).output().expect("the binary");
    assert!(!told.status.success());
    for said in [refusal, said(&told)] {
        assert!(said.contains("secret key") && said.contains("postern secret-key replace"), "{said}");
    }
    assert!(!empty.join("secret.key").exists());
    let wrong = "0f".repeat(32);
    std::fs::write(empty.join("secret.key"), &wrong).expect("a wrong key");
    assert!(Serving::start(&shop, &[("POSTERN_VAR_DIR", &elsewhere)]).is_err());
    assert_eq!(std::fs::read_to_string(empty.join("secret.key")).expect("the file"), wrong);
    assert!(Serving::start(&shop, &[]).is_ok(), "with the right one it starts");
}

#[derive(QueryableByName)]
struct Sealed {
    #[diesel(sql_type = Text)]
    value: String,
}

/// All encrypted values, by table and column: of every column of the schema that has `sealed` in its name.
fn sealed_values(shop: &Shop) -> BTreeMap<String, Vec<String>> {
    let mut table = "";
    let mut columns = Vec::new();
    for line in include_str!("../../src/schema.rs").lines() {
        match line.trim().split_once(' ') {
            Some((name, rest)) if rest.starts_with('(') && rest.ends_with('{') => table = name,
            Some((column, rest)) if rest.starts_with("->") && column.contains("sealed") => {
                columns.push((table, column))
            }
            _ => {}
        }
    }
    assert!(columns.len() >= 13, "{columns:?}");
    let values = |(table, column): &(&str, &str)| {
        let query = format!("SELECT {column} AS value FROM {table} WHERE {column} IS NOT NULL AND {column} <> ''");
        let rows = shop.app.db.read_blocking(|conn| Ok(sql_query(query).load::<Sealed>(conn)?)).expect("rows");
        (format!("{table}.{column}"), rows.into_iter().map(|row| row.value).collect())
    };
    columns.iter().map(values).collect()
}

/// A customer with something encrypted in every table.
async fn filled(shop: &Shop) -> Customer {
    let customer = shop.owner_of(3, 0).await;
    let shared = json!({"VerStr": crate::shop::REGULAR, "UserName": "shared_name", "Password": "sharedpass1"});
    assert_eq!(shop.call(&customer, "Ips/UpdateVerUserPass", shared).await.code, 1000);
    let own = shop.nodes_of(&customer).await[0]["NodeId"].clone();
    let edit = json!({"NodeIds": [own], "Generate": true});
    assert_eq!(shop.call(&customer, "Ips/UserEditNodeAccount", edit).await.code, 1000);
    shop.adds_proxy_user(&customer, json!({"Name": "scraper_1"})).await;
    let webhook = json!({"Url": "https://hooks.example.com/in"});
    let added = shop.call_once(&customer, "webhook-1", "Webhooks/AddWebhook", webhook).await;
    assert_eq!(added.code, 1000, "{added:?}");
    crate::two_factor::turn_on(shop, &customer).await;
    let shown = shop.runs("account", &["show-token", &customer.email, "on"]);
    assert!(shown.status.success(), "{}", said(&shown));
    let (key, now) = (shop.app.key.clone(), shop.app.clock.now());
    let card = key.seal("cus_1 pm_1").expect("sealed");
    let by_hand = format!(
        "UPDATE nodes SET old_user_name = user_name, old_password_sealed = password_sealed, old_valid_until = '2100-01-01'
         WHERE account_id IS NOT NULL;
         UPDATE plans SET old_user_name = user_name, old_password_sealed = password_sealed, old_valid_until = '2100-01-01';
         UPDATE proxy_users SET old_password_sealed = password_sealed, old_valid_until = '2100-01-01';
         UPDATE webhooks SET old_secret_sealed = secret_sealed, old_secret_until = '2100-01-01';
         INSERT INTO remembered_cards (account_id, payment_method, reference_sealed, brand, last_four, expires_month, expires_year, created_at)
         VALUES ({}, 'sandbox', '{card}', 'visa', '4242', 1, 2030, '2026-01-01')",
        customer.account_id
    );
    let template = MailTemplate::ResetPassword;
    let fill = shop.app.db.write_blocking(|conn| {
        conn.batch_execute(&by_hand)?;
        queue_link(conn, &key, &customer.email, Language::En, template, "http://shop.example/reset", now)
    });
    fill.expect("rows");
    customer
}

#[actix_web::test]
async fn a_lost_key_is_replaced_with_all_that_it_encrypted_and_customers_are_told() {
    let shop = Shop::open();
    let customer = filled(&shop).await;
    let bystander = shop.customer(0);
    let before = sealed_values(&shop);
    for (column, values) in &before {
        assert!(!values.is_empty(), "{column}: the test has nothing encrypted there");
    }
    std::fs::remove_file(key_file(&shop)).expect("the key is lost");

    let preview = shop.runs("secret-key", &["replace"]);
    assert!(preview.status.success() && said(&preview).contains("Nothing was changed"), "{}", said(&preview));
    assert!(sealed_values(&shop) == before && !key_file(&shop).exists(), "it was a preview");

    let done = shop.runs("secret-key", &["replace", "--yes"]);
    assert!(done.status.success(), "{}", said(&done));
    for line in [
        "3 static proxies with a new password",
        "1 plans with a new shared password",
        "1 proxy users with a new password",
        "1 webhooks with a new secret",
        "1 access tokens replaced",
        "1 users whose two-factor authentication was turned off",
        "1 saved cards removed",
        "1 unsent mails with a link dropped",
        "1 stored responses with secrets deleted",
        "1 users mailed",
    ] {
        assert!(said(&done).contains(line) && said(&preview).contains(line), "{line}: {}", said(&done));
    }
    let key = SecretKey::load(&key_file(&shop)).expect("a file").expect("a new key");
    for (column, values) in sealed_values(&shop) {
        assert!(values.iter().all(|value| key.open(value).is_ok()), "{column}: {values:?}");
    }

    // The shop works again: the customer signs in without a code, and sees new passwords, shared where they were shared.
    let mut app = open((*shop.app.config).clone()).expect("a start with the new key");
    app.clock = shop.app.clock.clone();
    jobs::mails::send(&app).await.expect("mails");
    assert_eq!(shop.mails_about(&customer.email, "were replaced"), 1);
    let mail = shop.last_mail_to(&customer.email).expect("a mail");
    for line in ["Static proxies with a new password: 3", "Two-factor authentication was turned off", "Webhooks"] {
        assert!(mail.contains(line), "{mail}");
    }
    assert_eq!(shop.mails_about(&bystander.email, "were replaced"), 0);
    let server = Serving::start(&shop, &[]).expect("a server");
    let url = format!("http://127.0.0.1:{}/api", server.port);
    let client = clients::new();
    let login = json!({"Email": customer.email, "Password": PASSWORD});
    let login = client.post(format!("{url}/User/Login")).json(&login).send().await.expect("an answer");
    let login: serde_json::Value = login.json().await.expect("JSON");
    assert_eq!(login["Code"], 1000, "{login}");
    let list = client
        .post(format!("{url}/Ips/GetUserNodeList"))
        .header("Token", login["Data"]["Token"].as_str().expect("a token"));
    let list: serde_json::Value = list.json(&json!({})).send().await.expect("an answer").json().await.expect("JSON");
    let passwords: Vec<&str> =
        list["Data"]["Rows"].as_array().expect("rows").iter().filter_map(|row| row["Password"].as_str()).collect();
    assert_eq!(passwords.len(), 3, "{list}");
    assert!(passwords.iter().all(|password| !password.is_empty() && *password != "sharedpass1"), "{passwords:?}");
    let shared = passwords.iter().filter(|one| passwords.iter().filter(|other| other == one).count() == 2).count();
    assert_eq!(shared, 2, "two shared the plan's password: {passwords:?}");

    let again = shop.runs("secret-key", &["replace", "--yes"]);
    assert!(!again.status.success() && said(&again).contains("nothing to replace"), "{}", said(&again));
}

#[actix_web::test]
async fn a_replacement_that_fails_changes_nothing() {
    let shop = Shop::open();
    filled(&shop).await;
    std::fs::remove_file(key_file(&shop)).expect("the key is lost");
    let before = sealed_values(&shop);
    let late_failure = "ALTER TABLE idempotency_keys RENAME TO gone";
    shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(late_failure)?)).expect("a table less");
    let done = shop.runs("secret-key", &["replace", "--yes"]);
    assert!(!done.status.success() && said(&done).contains("nothing was replaced"), "{}", said(&done));
    assert!(sealed_values(&shop) == before && !key_file(&shop).exists());
}
