//! Files on disk and their permissions.
use crate::shop::Shop;
use crate::start_up::said;
use diesel::connection::{Connection, SimpleConnection};
use postern_server::wallet::verify;
use serde_json::json;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder and all that is in it.
fn everything_in(folder: &Path) -> Vec<PathBuf> {
    let mut all = vec![folder.to_owned()];
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { all.extend(everything_in(&path)) } else { all.push(path) }
    }
    all
}

fn open_to_others(folder: &Path) -> Vec<PathBuf> {
    let mode = |path: &PathBuf| std::fs::metadata(path).expect("a file").permissions().mode();
    everything_in(folder).into_iter().filter(|path| mode(path) & 0o077 != 0).collect()
}

#[actix_web::test]
async fn files_of_a_shop_are_readable_by_their_owner_only() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    assert!(shop.last_mail_to(&customer.email).is_some());
    assert_eq!(open_to_others(&shop.app.config.var_dir), Vec::<PathBuf>::new());
}

#[actix_web::test]
async fn open_permissions_are_tightened_at_start_up() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    shop.send("User/RequestPasswordReset", json!({"Email": customer.email}), &[]).await;
    shop.run_jobs().await;
    let folder = &shop.app.config.var_dir;
    std::fs::write(folder.join("demo-accounts.json"), "{}").expect("a file");
    let all = everything_in(folder);
    for path in &all {
        let mode = if path.is_dir() { 0o755 } else { 0o644 };
        std::fs::set_permissions(path, Permissions::from_mode(mode)).expect("open to all");
    }
    assert_eq!(open_to_others(folder), all);
    postern_server::app::open((*shop.app.config).clone()).expect("a second start");
    assert_eq!(open_to_others(folder), Vec::<PathBuf>::new());
}

#[test]
fn commands_write_private_files_regardless_of_the_umask() {
    let folder = std::env::temp_dir().join(format!("postern-files-{}", std::process::id()));
    let command =
        format!("umask 000; exec {} inventory export {}/nodes.csv", env!("CARGO_BIN_EXE_postern"), folder.display());
    let done = Command::new("sh")
        .args(["-c", &command])
        .env_remove("DATABASE_URL")
        .env("POSTERN_VAR_DIR", &folder)
        .env("POSTERN_LOCALES_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/../locales"))
        .env("POSTERN_FONTS_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/fonts"))
        .output()
        .expect("the command");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(everything_in(&folder).contains(&folder.join("nodes.csv")));
    assert_eq!(open_to_others(&folder), Vec::<PathBuf>::new());
    std::fs::remove_dir_all(folder).expect("gone");
}

#[actix_web::test]
async fn a_database_that_was_restored_beside_a_newer_wal_does_not_add_up() {
    // SQLite, whatever the other tests run on.
    let folder = std::env::temp_dir().join(format!("postern-restored-{}", std::process::id()));
    let file = |name: &str| folder.join(name);
    let shop = Shop::open_with(&[("DATABASE_URL", &format!("sqlite:{}", file("postern.db").display()))]);
    let fill = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) \
        INSERT INTO throttles (bucket, hits, window_ends_at) SELECT hex(randomblob(60)), 1, '2030-01-01' FROM n";
    let run = |sql: &str| shop.app.db.write_blocking(|conn| Ok(conn.batch_execute(sql)?)).expect("SQL");
    let checkpoint = || {
        let mut conn = diesel::sqlite::SqliteConnection::establish(&file("postern.db").display().to_string());
        let conn = conn.as_mut().expect("a connection");
        conn.batch_execute("PRAGMA busy_timeout = 5000; PRAGMA wal_checkpoint(TRUNCATE)").expect("a checkpoint");
    };
    checkpoint();
    std::fs::copy(file("postern.db"), file("older.db")).expect("a backup of the file alone");
    run(fill);
    checkpoint();
    run(fill);
    let restored = folder.join("restored");
    std::fs::create_dir(&restored).expect("a folder");
    std::fs::copy(file("older.db"), restored.join("postern.db")).expect("the older file");
    std::fs::copy(file("postern.db-wal"), restored.join("postern.db-wal")).expect("the newer -wal");

    let verified = |path: &Path| {
        Command::new(env!("CARGO_BIN_EXE_postern"))
            .args(["ledger", "verify"])
            .env("DATABASE_URL", format!("sqlite:{}", path.display()))
            .env("POSTERN_VAR_DIR", &shop.app.config.var_dir)
            .env("POSTERN_LOCALES_DIR", &shop.app.config.locales_dir)
            .env("POSTERN_FONTS_DIR", &shop.app.config.fonts_dir)
            .output()
            .expect("the command")
    };
    let intact = verified(&file("postern.db"));
    assert!(intact.status.success() && said(&intact).contains("adds up"), "{}", said(&intact));
    assert_eq!(verify::check(&shop.app.db).problem_count, 0);
    let damaged = verified(&restored.join("postern.db"));
    assert!(!damaged.status.success() && said(&damaged).contains("the database file is damaged"), "{}", said(&damaged));

    // The nightly check finds it too, and what cannot be read at all is a problem, not an error that nobody is told.
    std::fs::write(file("postern.db-wal"), b"").expect("an empty -wal");
    std::fs::write(file("postern.db"), vec![7; 100_000]).expect("an overwritten file");
    assert!(verify::check(&shop.app.db).problem_count > 0);
    drop(shop);
    std::fs::remove_dir_all(folder).expect("gone");
}
