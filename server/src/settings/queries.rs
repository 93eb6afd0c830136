//! SQL about the shop as a whole: its first catalogue, and its seller.
use crate::catalogue::seed_catalogue;
use crate::db::Conn;
use crate::db::Database;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{sellers, tiers};
use diesel::connection::SimpleConnection;
use postern_core::invoice::Party;
use postern_core::tier::Catalogue;

/// The id of the table's only row.
pub const SELLER: i16 = 1;

/// Initialises a new shop's catalogue and seller.
pub fn prepare(db: &Database, seller: &Party) -> anyhow::Result<()> {
    let wrong = |error: AppError| anyhow::anyhow!("preparing the database: {error}");
    if db.read_blocking(|conn| Ok(tiers::table.count().get_result::<i64>(conn)?)).map_err(wrong)? == 0 {
        db.write_blocking(first_catalogue).map_err(wrong)?;
    }
    if db.read_blocking(|conn| Ok(sellers::table.count().get_result::<i64>(conn)?)).map_err(wrong)? == 0 {
        db.write_blocking(|conn| update_seller(conn, seller)).map_err(wrong)?;
    }
    Ok(())
}

/// Writes the first catalogue. If several processes start at once, one writes it and the others find it.
fn first_catalogue(conn: &mut Conn) -> Result<(), AppError> {
    if let Conn::Postgres(conn) = &mut *conn {
        conn.batch_execute("LOCK TABLE tiers IN SHARE ROW EXCLUSIVE MODE")?;
    }
    seed_catalogue(conn, &Catalogue::of_new_shop())
}

/// Stores the seller, for invoices issued from now on.
pub fn update_seller(conn: &mut Conn, seller: &Party) -> Result<(), AppError> {
    let row = (
        sellers::name.eq(&seller.name),
        sellers::address.eq(serde_json::to_string(&seller.address)?),
        sellers::tax_number.eq(&seller.tax_number),
        sellers::email.eq(&seller.email),
    );
    if diesel::update(sellers::table.find(SELLER)).set(row.clone()).execute(conn)? == 0 {
        let insert = diesel::insert_into(sellers::table).values((sellers::id.eq(SELLER), row)).on_conflict_do_nothing();
        on_either!(conn, insert.execute(conn)?);
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
