//! The shop's secret key at start-up: passwords encrypted with one key cannot be decrypted with another, so it is compared with the database.
use crate::config::Config;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::db::{Conn, Database};
use crate::error::AppError;
use crate::schema::secret_checks;
use crate::security::SecretKey;
use anyhow::{Context, bail, ensure};
use std::path::PathBuf;

const PURPOSE: &str = "node passwords";
const KEY_CHECK: &str = "postern";

/// The file of the key, unless it is in the environment.
pub fn file(config: &Config) -> PathBuf {
    config.var_dir.join("secret.key")
}

/// The key from the environment or its file, if there is one.
pub fn given(config: &Config) -> anyhow::Result<Option<SecretKey>> {
    match &config.secret_key {
        Some(key) => Ok(Some(key.clone())),
        None => SecretKey::load(&file(config)),
    }
}

/// The key of this shop. Only a new shop gets a new one; a wrong or missing key is refused, and leaves no file behind.
pub fn find(db: &Database, config: &Config) -> anyhow::Result<SecretKey> {
    let given = given(config)?;
    if check_value(db)?.is_none() {
        return first(db, config, given);
    }
    let path = file(config);
    let Some(key) = given else {
        bail!(
            "the secret key of this database is missing: {} does not exist, and POSTERN_SECRET_KEY is not set. Restore one of them. \
             If the key is lost, `postern secret-key replace` makes a new one, and everything anew that was encrypted with it",
            path.display()
        );
    };
    ensure_fits(db, &key)?;
    Ok(key)
}

fn first(db: &Database, config: &Config, given: Option<SecretKey>) -> anyhow::Result<SecretKey> {
    let is_new = given.is_none();
    let key = given.map_or_else(|| SecretKey::load_or_create(&file(config)), Ok)?;
    db.write_blocking(|conn| insert_check(conn, &key)).context("storing the check of the secret key")?;
    // Of several servers that start on a new database, the first one's key is the shop's.
    let fits = ensure_fits(db, &key);
    if fits.is_err() && is_new {
        std::fs::remove_file(file(config)).context("removing the new secret key")?;
    }
    fits.map(|()| key)
}

/// Whether this key is the database's; `None` if it has none yet.
pub fn fits(db: &Database, key: &SecretKey) -> anyhow::Result<Option<bool>> {
    Ok(check_value(db)?.map(|sealed| opens(key, &sealed)))
}

/// Whether this key, if there is one, is the database's; `None` if the database has none yet.
pub fn given_fits(conn: &mut Conn, key: Option<&SecretKey>) -> Result<Option<bool>, AppError> {
    Ok(check_on(conn)?.map(|sealed| key.is_some_and(|key| opens(key, &sealed))))
}

fn opens(key: &SecretKey, sealed: &str) -> bool {
    key.open(sealed).is_ok_and(|value| value == KEY_CHECK)
}

fn ensure_fits(db: &Database, key: &SecretKey) -> anyhow::Result<()> {
    ensure!(
        fits(db, key)? == Some(true),
        "the database was set up with another secret key: restore its secret.key, or set POSTERN_SECRET_KEY. \
         If the key is lost, see `postern secret-key replace`"
    );
    Ok(())
}

fn check_value(db: &Database) -> anyhow::Result<Option<String>> {
    db.read_blocking(check_on).context("reading the check of the secret key")
}

fn check_on(conn: &mut Conn) -> Result<Option<String>, AppError> {
    let sealed = secret_checks::table.find(PURPOSE).select(secret_checks::sealed);
    Ok(sealed.first(conn).optional()?)
}

/// If several processes start at once, the first one wins.
fn insert_check(conn: &mut Conn, key: &SecretKey) -> Result<(), AppError> {
    let sealed = key.seal(KEY_CHECK).map_err(AppError::Internal)?;
    let row = (secret_checks::purpose.eq(PURPOSE), secret_checks::sealed.eq(sealed));
    let insert = diesel::insert_into(secret_checks::table).values(row).on_conflict_do_nothing();
    on_either!(conn, insert.execute(conn)?);
    Ok(())
}

/// Makes this key the database's.
pub fn replace_check(conn: &mut Conn, key: &SecretKey) -> Result<(), AppError> {
    diesel::delete(secret_checks::table.find(PURPOSE)).execute(conn)?;
    insert_check(conn, key)
}
