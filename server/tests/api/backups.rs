//! `postern backup` and `postern restore`: a backup of a shop that is selling is whole, and of one moment.
use crate::shop::{Shop, databases, order_for};
use diesel::connection::SimpleConnection;
use postern_server::db::prelude::*;
use postern_server::schema::{accounts, ledger_entries, orders};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The folder of PostgreSQL's programs.
fn programs() -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/env.sh");
    let found = Command::new("bash").args(["-c", &format!(". {script}; postgres_bin")]).output().expect("a folder");
    String::from_utf8(found.stdout).expect("a path").trim().to_owned()
}

/// A command with the programs of PostgreSQL, and the file of a passphrase if there is one.
fn run(mut command: Command, arguments: &[&str], passphrase: Option<&Path>) -> Output {
    command.args(arguments).args(["--programs", &programs()]).env("RUST_LOG", "warn");
    if let Some(file) = passphrase {
        command.arg("--passphrase-file").arg(file);
    }
    command.output().expect("a command")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn succeeds(done: &Output) -> String {
    assert!(done.status.success(), "{}{}", text(&done.stdout), text(&done.stderr));
    text(&done.stdout)
}

fn fails(done: &Output) -> String {
    assert!(!done.status.success(), "{}", text(&done.stdout));
    text(&done.stderr)
}

/// An empty place beside a shop, to restore into: the folder and the URL of a database.
struct Elsewhere {
    folder: PathBuf,
    url: String,
}

impl Elsewhere {
    fn beside(shop: &Shop, name: &str) -> Elsewhere {
        let folder = shop.app.config.var_dir.join(name);
        let server = std::env::var("TEST_DATABASE_URL").ok();
        let database = format!("{}_{name}", shop.app.config.var_dir.file_name().expect("a name").to_string_lossy());
        std::fs::create_dir_all(&folder).expect("a folder");
        let url = databases::create(server.as_deref(), &database, &folder, false);
        Elsewhere { url: url.unwrap_or_else(|| format!("sqlite:{}", folder.join("postern.db").display())), folder }
    }

    fn command(&self, shop: &Shop, command: &str) -> Command {
        let mut postern = shop.command(command);
        postern.env("DATABASE_URL", &self.url).env("POSTERN_VAR_DIR", &self.folder);
        postern
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        if let (Ok(server), Some((_, name))) = (std::env::var("TEST_DATABASE_URL"), self.url.rsplit_once('/')) {
            let name = name.split('?').next().unwrap_or(name);
            let _ = databases::administer(&server, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        }
    }
}

/// The rows of a shop that a backup counts, too.
fn rows(shop: &Shop) -> BTreeMap<&'static str, i64> {
    let counted = shop.app.db.snapshot_blocking(|conn| {
        Ok(BTreeMap::from([
            ("accounts", accounts::table.count().get_result::<i64>(conn)?),
            ("ledger_entries", ledger_entries::table.count().get_result::<i64>(conn)?),
            ("orders", orders::table.count().get_result::<i64>(conn)?),
        ]))
    });
    counted.expect("the rows")
}

/// Waits until there are this many orders.
async fn sold_at_least(shop: &Shop, orders: i64) {
    let begin = Instant::now();
    while rows(shop)["orders"] < orders {
        assert!(begin.elapsed() < Duration::from_secs(30), "nothing is sold");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The manifest of a backup that is not encrypted, as `tar` reads it.
fn manifest(backup: &Path) -> Value {
    let read = Command::new("tar").arg("-xOf").arg(backup).arg("manifest.json").output().expect("tar");
    serde_json::from_slice(&read.stdout).expect("a manifest")
}

#[actix_web::test]
async fn a_backup_of_a_selling_shop_is_restored_elsewhere_with_the_rows_of_its_moment() {
    let shop = Shop::open();
    shop.stock("US", "new-york", 3_000);
    let customers = [shop.customer(10_000_000), shop.customer(10_000_000)];
    shop.buys(&customers[0], order_for(&[("US", "new-york", 1)], "5.00")).await;
    let before = rows(&shop);
    let file = shop.app.config.var_dir.join("shop.tar");
    let is_over = AtomicBool::new(false);
    let backup = async {
        // Sales go on before, while and after it is written.
        sold_at_least(&shop, before["orders"] + 4).await;
        let mut command = shop.command("backup");
        command.arg(&file);
        let written = actix_web::web::block(move || run(command, &[], None)).await.expect("a command");
        sold_at_least(&shop, rows(&shop)["orders"] + 4).await;
        is_over.store(true, Ordering::Relaxed);
        written
    };
    let selling = async |customer| {
        while !is_over.load(Ordering::Relaxed) {
            shop.buys(customer, order_for(&[("US", "new-york", 1)], "5.00")).await;
        }
    };
    let (written, (), ()) = tokio::join!(backup, selling(&customers[0]), selling(&customers[1]));
    assert!(succeeds(&written).contains("was written and read back"));
    let counted = manifest(&file);
    let (taken, after) = (counted["Rows"]["orders"].as_i64().expect("a number"), rows(&shop));
    assert!(before["orders"] + 4 <= taken && taken + 4 <= after["orders"], "{before:?} {counted} {after:?}");
    let place = Elsewhere::beside(&shop, "elsewhere");
    let said = succeeds(&run(place.command(&shop, "restore"), &[file.to_str().expect("a path")], None));
    assert!(said.contains("with all rows of the backup") && said.contains("The ledger adds up"), "{said}");
    let verified = place.command(&shop, "ledger").arg("verify").output().expect("a command");
    assert!(succeeds(&verified).contains(&format!("{taken} orders")), "{}", text(&verified.stdout));
    // The key came with it: what is encrypted opens.
    let key = std::fs::read_to_string(place.folder.join("secret.key")).expect("the key");
    let own = std::fs::read_to_string(shop.app.config.var_dir.join("secret.key")).expect("the key");
    assert_eq!(key, own);
    let settings = std::fs::read_to_string(place.folder.join("restored/settings.env")).expect("the settings");
    assert!(settings.contains("POSTERN_LOCALES_DIR="), "{settings}");
    // There is a shop now.
    let again = fails(&run(place.command(&shop, "restore"), &[file.to_str().expect("a path")], None));
    assert!(again.contains("is restored into an empty shop"), "{again}");
    // Nothing is left of the work, and operators see the backup.
    let names = |folder: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    };
    let left = [names(&shop.app.config.var_dir), names(&place.folder)].concat();
    assert!(!left.iter().any(|name| name.contains("shop.tar.") || name.contains("restoring")), "{left:?}");
    let operator = shop.operator();
    let listed = shop.call(&operator, "Operator/GetBackupList", json!({})).await.data;
    let size = std::fs::metadata(&file).expect("the file").len();
    assert_eq!(listed["Backups"][0]["FileName"], "shop.tar");
    assert_eq!((&listed["Backups"][0]["Bytes"], &listed["IsRecent"]), (&json!(size), &json!(true)), "{listed}");
    shop.ledger_adds_up();
}

#[actix_web::test]
async fn damaged_encrypted_newer_and_foreign_backups_are_refused_and_change_nothing() {
    let shop = Shop::open();
    shop.customer(5_000);
    let folder = shop.app.config.var_dir.clone();
    let at = |name: &str| folder.join(name).to_str().expect("a path").to_owned();
    let [right, wrong] =
        [("right", "correct horse battery"), ("wrong", "another horse battery")].map(|(name, words)| {
            std::fs::write(at(name), format!("{words}\nnot this line\n")).expect("a file");
            PathBuf::from(at(name))
        });
    let (plain, locked) = (at("plain.tar"), at("locked.tar"));
    succeeds(&run(shop.command("backup"), &[&plain], None));
    succeeds(&run(shop.command("backup"), &[&locked], Some(&right)));
    assert!(fails(&run(shop.command("backup"), &[&plain], None)).contains("exists already"));
    let place = Elsewhere::beside(&shop, "nowhere_yet");
    let restore = |file: &str, passphrase: Option<&Path>| run(place.command(&shop, "restore"), &[file], passphrase);
    // A bit anywhere: in the manifest, in the database, in the end.
    for (file, passphrase) in [(&plain, None), (&locked, Some(right.as_path()))] {
        let bytes = std::fs::read(file).expect("a backup");
        for place in [600, bytes.len() / 3, bytes.len() - 9] {
            let mut flipped = bytes.clone();
            flipped[place] ^= 4;
            std::fs::write(at("flipped.tar"), flipped).expect("a file");
            let said = fails(&restore(&at("flipped.tar"), passphrase));
            assert!(said.contains("damaged"), "{said}");
        }
        std::fs::write(at("cut.tar"), &bytes[..bytes.len() - 100]).expect("a file");
        assert!(fails(&restore(&at("cut.tar"), passphrase)).contains("cut off"));
    }
    assert!(fails(&restore(&locked, None)).contains("is encrypted"));
    assert!(fails(&restore(&locked, Some(&wrong))).contains("passphrase is wrong"));
    std::fs::write(at("short"), "secret\n").expect("a file");
    assert!(
        fails(&run(shop.command("backup"), &[&at("x.tar")], Some(Path::new(&at("short"))))).contains("12 characters")
    );
    // Of a newer version: it has a migration that nobody here knows.
    shop.app
        .db
        .write_blocking(|conn| {
            Ok(conn.batch_execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('9901')")?)
        })
        .expect("a migration");
    let newer = succeeds(&run(shop.command("backup"), &[&at("newer.tar")], None));
    assert!(newer.contains("was not told of it"), "{newer}");
    assert!(fails(&restore(&at("newer.tar"), None)).contains("has the schema 9901"));
    // Of another kind of database.
    let mut other = place.command(&shop, "restore");
    match std::env::var("TEST_DATABASE_URL") {
        Ok(_) => other.env("DATABASE_URL", format!("sqlite:{}", at("other.db"))),
        Err(_) => other.env("DATABASE_URL", "postgres://nobody@127.0.0.1:9/shop"),
    };
    assert!(fails(&run(other, &[&plain], None)).contains("DATABASE_URL is of"));
    // Another shop's key is not written over.
    std::fs::write(place.folder.join("secret.key"), "cd".repeat(32)).expect("a key");
    assert!(fails(&restore(&plain, None)).contains("the key of another shop"));
    std::fs::remove_file(place.folder.join("secret.key")).expect("a key");
    let mut other = place.command(&shop, "restore");
    other.env("POSTERN_SECRET_KEY", "cd".repeat(32));
    assert!(fails(&run(other, &[&plain], None)).contains("the key of another shop"));
    // None of it has begun a shop.
    assert_eq!(
        std::fs::read_dir(&place.folder)
            .expect("a folder")
            .filter(|entry| {
                let name = entry.as_ref().expect("an entry").file_name();
                name != "postern.db" && name != "restored"
            })
            .count(),
        0
    );
    let checked = run(place.command(&shop, "restore"), &[&locked, "--check"], Some(&right));
    assert!(succeeds(&checked).contains("is whole"));
    succeeds(&restore(&locked, Some(&right)));
}

#[actix_web::test]
async fn a_folder_of_backups_keeps_the_last_ones() {
    let shop = Shop::open();
    let folder = shop.app.config.var_dir.join("backups");
    std::fs::create_dir_all(&folder).expect("a folder");
    for name in ["postern-20250101-000000.tar", "postern-20250102-000000.tar", "notes.txt"] {
        std::fs::write(folder.join(name), "x").expect("a file");
    }
    let path = folder.to_str().expect("a path");
    let said = succeeds(&run(shop.command("backup"), &[path, "--keep", "2"], None));
    assert!(said.contains("postern-20250101-000000.tar was deleted"), "{said}");
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 3);
    let file = folder.join("one.tar");
    assert!(
        fails(&run(shop.command("backup"), &[file.to_str().expect("a path"), "--keep", "2"], None)).contains("--keep")
    );
    // A full disk, or a folder that cannot be written: nothing is left behind.
    let nowhere = fails(&run(shop.command("backup"), &["/proc/postern.tar"], None));
    assert!(nowhere.contains("/proc"), "{nowhere}");
}

#[actix_web::test]
async fn a_backup_has_the_key_of_its_database_or_is_refused() {
    let shop = Shop::open();
    let folder = shop.app.config.var_dir.clone();
    let (file, key) = (folder.join("shop.tar"), folder.join("secret.key"));
    let path = file.to_str().expect("a path");
    let own = std::fs::read_to_string(&key).expect("the key");
    std::fs::rename(&key, folder.join("lost.key")).expect("a lost key");
    assert!(fails(&run(shop.command("backup"), &[path], None)).contains("secret key of the database is missing"));
    let mut with_another = shop.command("backup");
    with_another.env("POSTERN_SECRET_KEY", "cd".repeat(32));
    assert!(fails(&run(with_another, &[path], None)).contains("or another one"));
    assert!(!file.exists());
    std::fs::rename(folder.join("lost.key"), &key).expect("the key");
    // An empty setting is none.
    let mut with_empty = shop.command("backup");
    with_empty.env("POSTERN_SECRET_KEY", "");
    succeeds(&run(with_empty, &[path], None));
    let read = Command::new("tar").arg("-xOf").arg(&file).arg("secret.key").output().expect("tar");
    assert_eq!(text(&read.stdout), own.trim());
}
