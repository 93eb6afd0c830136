//! Prepares a shop's database for serving: the catalogue, and a check that the secret key belongs to it.
use crate::catalogue::seed_catalogue;
use crate::db::Conn;
use crate::db::Database;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{secret_checks, sellers, tiers};
use crate::security::SecretKey;
use anyhow::Context;
use diesel::connection::SimpleConnection;
use postern_core::invoice::Party;
use postern_core::tier::Catalogue;

/// The id of the table's only row.
pub const SELLER: i16 = 1;

const PURPOSE: &str = "node passwords";
const KEY_CHECK: &str = "postern";

/// Initialises a new shop's catalogue and seller, and refuses to start with a key that does not belong to the database: passwords encrypted with one
/// key cannot be decrypted with another.
pub fn prepare(db: &Database, key: &SecretKey, seller: &Party) -> anyhow::Result<()> {
    let wrong = |error: AppError| anyhow::anyhow!("preparing the database: {error}");
    if db.read_blocking(|conn| Ok(tiers::table.count().get_result::<i64>(conn)?)).map_err(wrong)? == 0 {
        db.write_blocking(first_catalogue).map_err(wrong)?;
    }
    if db.read_blocking(|conn| Ok(sellers::table.count().get_result::<i64>(conn)?)).map_err(wrong)? == 0 {
        db.write_blocking(|conn| update_seller(conn, seller)).map_err(wrong)?;
    }
    let sealed = match db.read_blocking(key_check_value).map_err(wrong)? {
        Some(sealed) => sealed,
        None => {
            let draft = key.seal(KEY_CHECK)?;
            db.write_blocking(|conn| insert_key_check(conn, &draft)).map_err(wrong)?;
            db.read_blocking(key_check_value).map_err(wrong)?.context("the check of the secret key was not stored")?
        }
    };
    anyhow::ensure!(
        key.open(&sealed).is_ok_and(|value| value == KEY_CHECK),
        "the database was set up with another secret key: restore its secret.key, or set POSTERN_SECRET_KEY"
    );
    Ok(())
}

/// Writes the first catalogue. If several processes start at once, one writes it and the others find it.
fn first_catalogue(conn: &mut Conn) -> Result<(), AppError> {
    if let Conn::Postgres(conn) = &mut *conn {
        conn.batch_execute("LOCK TABLE tiers IN SHARE ROW EXCLUSIVE MODE")?;
    }
    seed_catalogue(conn, &Catalogue::default())
}

fn key_check_value(conn: &mut Conn) -> Result<Option<String>, AppError> {
    Ok(secret_checks::table.find(PURPOSE).select(secret_checks::sealed).first(conn).optional()?)
}

/// If several processes start at once, the first one wins.
fn insert_key_check(conn: &mut Conn, sealed: &str) -> Result<(), AppError> {
    let row = (secret_checks::purpose.eq(PURPOSE), secret_checks::sealed.eq(sealed));
    let insert = diesel::insert_into(secret_checks::table).values(row).on_conflict_do_nothing();
    match conn {
        Conn::Postgres(conn) => insert.execute(conn)?,
        Conn::Sqlite(conn) => insert.execute(conn)?,
    };
    Ok(())
}

/// Stores the configured seller, for invoices issued from now on. Called when a server starts to serve.
pub fn update_seller(conn: &mut Conn, seller: &Party) -> Result<(), AppError> {
    let row = (
        sellers::name.eq(&seller.name),
        sellers::address.eq(serde_json::to_string(&seller.address)?),
        sellers::tax_number.eq(&seller.tax_number),
        sellers::email.eq(&seller.email),
    );
    if diesel::update(sellers::table.find(SELLER)).set(row.clone()).execute(conn)? == 0 {
        let insert = diesel::insert_into(sellers::table).values((sellers::id.eq(SELLER), row)).on_conflict_do_nothing();
        match conn {
            Conn::Postgres(conn) => insert.execute(conn)?,
            Conn::Sqlite(conn) => insert.execute(conn)?,
        };
    }
    Ok(())
}

/// The seller.
#[derive(Queryable, Selectable)]
#[diesel(table_name = sellers)]
pub struct SellerRow {
    name: String,
    address: String,
    tax_number: String,
    email: String,
}

impl SellerRow {
    pub fn party(self) -> Result<Party, AppError> {
        let SellerRow { name, address, tax_number, email } = self;
        Ok(Party { name, address: serde_json::from_str(&address)?, country: String::new(), tax_number, email })
    }
}
