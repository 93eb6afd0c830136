//! SQL about coupons and their uses.
use crate::coupons::types::{CouponFilter, CouponView};
use crate::db::on_either;
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::http::list::{ListRequest, Page, containing, unknown_sort};
use crate::nodes::CHUNK;
use crate::schema::{coupons, orders, users};
use chrono::NaiveDateTime;
use diesel::dsl::{count, exists};
use postern_core::coupon::coupon_error_fields;
use postern_core::coupon::{Benefit, Coupon, CouponError, CouponState, CouponUses, counts_as_use};
use postern_core::money::Money;
use postern_core::order::{OrderKind, OrderState};
use postern_core::wallet_forms::validate_coupon_code;
use std::collections::HashMap;

#[derive(Clone, Queryable, Selectable)]
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
    total_uses: Option<i32>,
    first_order_only: bool,
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
            total_uses: self.total_uses.map(unsigned).transpose()?,
            first_order_only: self.first_order_only,
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
        coupons::total_uses.eq(coupon.total_uses.map(signed).transpose()?),
        coupons::first_order_only.eq(coupon.first_order_only),
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
    let rows: Vec<CouponRow> =
        coupons::table.order((coupons::created_at.desc(), coupons::code)).select(CouponRow::as_select()).load(conn)?;
    let mut found = Vec::with_capacity(rows.len());
    for rows in rows.chunks(CHUNK) {
        let codes: Vec<&str> = rows.iter().map(|row| row.code.as_str()).collect();
        let uses = uses_of(conn, &codes)?;
        for row in rows {
            found.push((row.clone().coupon()?, uses.get(&row.code).copied().unwrap_or_default()));
        }
    }
    Ok(found)
}

/// A page of coupons with their uses, newest first.
pub fn page(conn: &mut Conn, list: &ListRequest, now: NaiveDateTime) -> Result<Page<CouponView>, AppError> {
    if let Some(sort) = list.sort.first() {
        return Err(unknown_sort(&sort.field));
    }
    let filter: CouponFilter = list.filters()?;
    let search = list.search.trim().to_uppercase();
    let narrowed = || {
        let mut query = coupons::table.into_boxed();
        if !search.is_empty() {
            query = query.filter(coupons::code.like(containing(&search)).escape('\\'));
        }
        let has_begun = || coupons::valid_from.is_null().or(coupons::valid_from.le(now));
        let has_not_ended = || coupons::valid_until.is_null().or(coupons::valid_until.gt(now));
        match filter.state {
            Some(CouponState::Planned) => query.filter(coupons::valid_from.gt(now)).filter(has_not_ended()),
            Some(CouponState::Usable) => query.filter(has_begun()).filter(has_not_ended()),
            Some(CouponState::Ended) => query.filter(coupons::valid_until.le(now)),
            None => query,
        }
    };
    let total: i64 = narrowed().count().get_result(conn)?;
    let rows: Vec<(CouponRow, NaiveDateTime)> = narrowed()
        .order((coupons::created_at.desc(), coupons::code))
        .limit(list.limit())
        .offset(list.offset())
        .select((CouponRow::as_select(), coupons::created_at))
        .load(conn)?;
    let codes: Vec<&str> = rows.iter().map(|(row, _)| row.code.as_str()).collect();
    let uses = uses_of(conn, &codes)?;
    let view = |(row, created_at): (CouponRow, NaiveDateTime)| {
        let orders = uses.get(&row.code).copied().unwrap_or_default();
        Ok(CouponView::of(row.coupon()?, orders, created_at, now))
    };
    let views = rows.into_iter().map(view).collect::<Result<_, AppError>>()?;
    Ok(list.page_of(views, total, Vec::new()))
}

/// How many orders use these coupons, unpaid ones included.
fn uses_of(conn: &mut Conn, codes: &[&str]) -> Result<HashMap<String, i64>, AppError> {
    let uses: Vec<(Option<String>, i64)> = orders::table
        .filter(orders::coupon.eq_any(codes))
        .filter(orders::state.eq_any(using_states()))
        .group_by(orders::coupon)
        .select((orders::coupon, count(orders::id)))
        .load(conn)?;
    Ok(uses.into_iter().filter_map(|(code, uses)| Some((code?, uses))).collect())
}

/// The coupon with this code, if this account can use it now. Who creates an order with it locks a coupon whose uses are limited, so that no two
/// concurrent orders both take the last use.
pub fn usable(
    conn: &mut Conn,
    account_id: i64,
    typed: &str,
    lock: RowLock,
    now: NaiveDateTime,
) -> Result<Coupon, AppError> {
    let code = validate_coupon_code(typed)?;
    let find = coupons::table.find(&code);
    let row = find.select(CouponRow::as_select()).first(conn).optional()?;
    let coupon = row.ok_or_else(|| coupon_error_fields(CouponError::Unknown))?.coupon()?;
    let is_counted = coupon.uses_per_account.is_some() || coupon.total_uses.is_some();
    if is_counted && lock == RowLock::ForUpdate {
        find.select(coupons::code).locked().get_result::<String>(conn)?;
    }
    let inboxes = users::table.filter(users::account_id.eq(account_id)).select(users::inbox);
    let inboxes: Vec<String> = inboxes.load(conn)?;
    // Accounts with aliases of one inbox are one customer.
    let accounts: Vec<i64> = users::table.filter(users::inbox.eq_any(inboxes)).select(users::account_id).load(conn)?;
    let uses: i64 = orders::table
        .filter(orders::account_id.eq_any(&accounts))
        .filter(orders::coupon.eq(&code))
        .filter(orders::state.eq_any(using_states()))
        .count()
        .get_result(conn)?;
    let in_total = match coupon.total_uses {
        Some(_) => uses_of(conn, &[&code])?.into_values().sum(),
        None => 0,
    };
    let counted = |uses: i64| u32::try_from(uses).unwrap_or(u32::MAX);
    let used = CouponUses {
        by_account: counted(uses),
        in_total: counted(in_total),
        has_paid_order: coupon.first_order_only && has_paid_order(conn, &accounts)?,
    };
    coupon.check(now, used).map_err(coupon_error_fields)?;
    Ok(coupon)
}

fn has_paid_order(conn: &mut Conn, accounts: &[i64]) -> Result<bool, AppError> {
    let paid = orders::table
        .filter(orders::account_id.eq_any(accounts))
        .filter(orders::paid_at.is_not_null())
        .filter(orders::kind.ne(OrderKind::TopUp));
    Ok(diesel::select(exists(paid)).get_result(conn)?)
}

fn using_states() -> Vec<OrderState> {
    OrderState::ALL.iter().copied().filter(|state| counts_as_use(*state)).collect()
}
