//! SQL about coupons and their uses.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{coupons, orders, users};
use chrono::NaiveDateTime;
use diesel::dsl::count;
use postern_core::coupon::coupon_error_fields;
use postern_core::coupon::{Benefit, Coupon, CouponError, counts_as_use};
use postern_core::money::Money;
use postern_core::order::OrderState;
use postern_core::wallet_forms::validate_coupon_code;
use std::collections::HashMap;

#[derive(Queryable, Selectable)]
#[diesel(table_name = coupons)]
struct CouponRow {
    code: String,
    basis_points: Option<i32>,
    amount_minor: Option<i64>,
    minimum_minor: i64,
    products: String,
    uses_per_account: Option<i32>,
    valid_from: Option<NaiveDateTime>,
    valid_until: Option<NaiveDateTime>,
}

impl CouponRow {
    fn coupon(self) -> Result<Coupon, AppError> {
        let unsigned = |number: i32| u32::try_from(number).map_err(|_| AppError::internal("a coupon below zero"));
        let benefit = match (self.basis_points, self.amount_minor) {
            (Some(basis_points), None) => Benefit::Percent(unsigned(basis_points)?),
            (None, Some(amount)) => Benefit::Amount(Money::from_minor(amount)),
            _ => return Err(AppError::internal("a coupon takes off a percentage or an amount")),
        };
        Ok(Coupon {
            code: self.code,
            benefit,
            minimum: Money::from_minor(self.minimum_minor),
            products: serde_json::from_str(&self.products)?,
            uses_per_account: self.uses_per_account.map(unsigned).transpose()?,
            valid_from: self.valid_from,
            valid_until: self.valid_until,
        })
    }
}

/// Stores a coupon; false if its code is taken.
pub fn insert(conn: &mut Conn, coupon: &Coupon, now: NaiveDateTime) -> Result<bool, AppError> {
    let signed = |number: u32| i32::try_from(number).map_err(|_| AppError::internal("a coupon's number is too large"));
    let (basis_points, amount) = match coupon.benefit {
        Benefit::Percent(basis_points) => (Some(signed(basis_points)?), None),
        Benefit::Amount(amount) => (None, Some(amount.minor())),
    };
    let row = (
        coupons::code.eq(&coupon.code),
        coupons::basis_points.eq(basis_points),
        coupons::amount_minor.eq(amount),
        coupons::minimum_minor.eq(coupon.minimum.minor()),
        coupons::products.eq(serde_json::to_string(&coupon.products)?),
        coupons::uses_per_account.eq(coupon.uses_per_account.map(signed).transpose()?),
        coupons::valid_from.eq(coupon.valid_from),
        coupons::valid_until.eq(coupon.valid_until),
        coupons::created_at.eq(now),
    );
    let insert = diesel::insert_into(coupons::table).values(row).on_conflict_do_nothing();
    let inserted = on_either!(conn, insert.execute(conn)?);
    Ok(inserted == 1)
}

/// Ends a coupon; false if no usable coupon has this code.
pub fn end(conn: &mut Conn, code: &str, now: NaiveDateTime) -> Result<bool, AppError> {
    let usable = coupons::table
        .filter(coupons::code.eq(code))
        .filter(coupons::valid_until.is_null().or(coupons::valid_until.gt(now)));
    Ok(diesel::update(usable).set(coupons::valid_until.eq(now)).execute(conn)? == 1)
}

/// All coupons, newest first, each with its number of uses.
pub fn all(conn: &mut Conn) -> Result<Vec<(Coupon, i64)>, AppError> {
    let uses: Vec<(Option<String>, i64)> = orders::table
        .filter(orders::coupon.is_not_null())
        .filter(orders::state.eq_any(using_states()))
        .group_by(orders::coupon)
        .select((orders::coupon, count(orders::id)))
        .load(conn)?;
    let uses: HashMap<String, i64> = uses.into_iter().filter_map(|(code, uses)| Some((code?, uses))).collect();
    let rows: Vec<CouponRow> =
        coupons::table.order((coupons::created_at.desc(), coupons::code)).select(CouponRow::as_select()).load(conn)?;
    rows.into_iter()
        .map(|row| {
            let uses = uses.get(&row.code).copied().unwrap_or_default();
            Ok((row.coupon()?, uses))
        })
        .collect()
}

/// The coupon with this code, if this account can use it now. Creating an order with it holds the wallet's lock,
/// so that two concurrent orders cannot both take the last use.
pub fn usable(conn: &mut Conn, account_id: i64, typed: &str, now: NaiveDateTime) -> Result<Coupon, AppError> {
    let code = validate_coupon_code(typed)?;
    let row = coupons::table.find(&code).select(CouponRow::as_select()).first(conn).optional()?;
    let row = row.ok_or_else(|| coupon_error_fields(CouponError::Unknown))?;
    let inboxes = users::table.filter(users::account_id.eq(account_id)).select(users::inbox);
    let inboxes: Vec<String> = inboxes.load(conn)?;
    // Accounts with aliases of one inbox are one customer.
    let accounts: Vec<i64> = users::table.filter(users::inbox.eq_any(inboxes)).select(users::account_id).load(conn)?;
    let uses: i64 = orders::table
        .filter(orders::account_id.eq_any(accounts))
        .filter(orders::coupon.eq(&code))
        .filter(orders::state.eq_any(using_states()))
        .count()
        .get_result(conn)?;
    let coupon = row.coupon()?;
    coupon.check(now, u32::try_from(uses).unwrap_or(u32::MAX)).map_err(coupon_error_fields)?;
    Ok(coupon)
}

fn using_states() -> Vec<OrderState> {
    OrderState::ALL.iter().copied().filter(|state| counts_as_use(*state)).collect()
}
