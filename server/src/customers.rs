//! The customer of an order with all data that an order needs, loaded by one statement.
use crate::accounts::queries::granted;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{accounts, plans, sellers, users};
use crate::settings::queries::{SELLER, SellerRow};
use crate::users::queries::DetailsRow;
use chrono::NaiveDateTime;
use postern_core::invoice::Party;
use postern_core::permission::Level;
use postern_core::reseller::AccountTerms;
use postern_core::staff::StaffRole;

/// The customer of an order. Creating an order and changing the terms both lock the account's wallet, so they cannot overlap.
pub struct Customer {
    /// The account-specific inputs to prices.
    pub terms: AccountTerms,
    pub parties: Parties,
    /// The account's plan of the requested tier.
    pub plan: Option<PlanRow>,
    /// Whether it signed up with another account's invite code.
    pub is_referred: bool,
}

/// Seller and buyer as shown on invoices; the buyer's e-mail address is that of the account's first user.
pub struct Parties {
    pub seller: Party,
    pub buyer: Party,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = plans)]
pub struct PlanRow {
    pub id: i64,
    pub auto_renew: bool,
    pub user_name: Option<String>,
    pub password_sealed: Option<String>,
}

/// Loads an account as the customer of an order; its plan only if a tier is given.
pub fn customer(conn: &mut Conn, account_id: i64, ver_str: Option<&str>) -> Result<Customer, AppError> {
    type Row = ((Level, i32, StaffRole), DetailsRow, String, SellerRow, Option<PlanRow>, Option<i64>);
    let of_tier = plans::account_id.eq(accounts::id).and(plans::ver_str.eq(ver_str.unwrap_or_default()));
    let row: Option<Row> = accounts::table
        .inner_join(users::table.on(users::account_id.eq(accounts::id)))
        .inner_join(sellers::table.on(sellers::id.eq(SELLER)))
        .left_join(plans::table.on(of_tier))
        .filter(accounts::id.eq(account_id))
        .order(users::id)
        .select((
            (accounts::level, accounts::reseller_basis_points, accounts::staff_role),
            DetailsRow::as_select(),
            users::email,
            SellerRow::as_select(),
            Option::<PlanRow>::as_select(),
            accounts::invited_by,
        ))
        .first(conn)
        .optional()?;
    let ((level, basis_points, role), details, email, seller, plan, invited_by) =
        row.ok_or_else(|| AppError::internal("the account or the seller is missing"))?;
    let parties = Parties { seller: seller.party()?, buyer: Party::buyer(&details.into(), &email) };
    Ok(Customer { terms: granted(level, basis_points, role)?, parties, plan, is_referred: invited_by.is_some() })
}

/// Creates the account's plan of a tier, with its first purchase. The wallet's lock prevents duplicates.
pub fn insert_plan(conn: &mut Conn, account_id: i64, ver_str: &str, now: NaiveDateTime) -> Result<PlanRow, AppError> {
    let row = (plans::account_id.eq(account_id), plans::ver_str.eq(ver_str), plans::created_at.eq(now));
    let columns = (plans::id, plans::auto_renew, plans::user_name, plans::password_sealed);
    Ok(diesel::insert_into(plans::table).values(row).returning(columns).get_result(conn)?)
}
