//! The operators' accounts: few among many, found by a partial index.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{accounts, users};
use diesel::dsl::sql;
use diesel::sql_types::Bool;
use postern_core::account::AccountState;
use postern_core::language::Language;
use postern_core::staff::StaffRole;

/// Operators' accounts, written as in the partial index.
macro_rules! staff {
    () => {
        accounts::table.filter(sql::<Bool>("level = 2"))
    };
}

/// Whether somebody can run the shop.
pub fn has_operator(conn: &mut Conn) -> Result<bool, AppError> {
    let operators = staff!().filter(accounts::staff_role.eq(StaffRole::Operator));
    Ok(operators.select(accounts::id).first::<i64>(conn).optional()?.is_some())
}

/// The accounts that may do everything.
pub fn operators(conn: &mut Conn) -> Result<Vec<i64>, AppError> {
    let active = staff!().filter(accounts::state.eq(AccountState::Active));
    Ok(active.filter(accounts::staff_role.eq(StaffRole::Operator)).select(accounts::id).load(conn)?)
}

/// The addresses and languages of those who may make an operators' call: whom to tell of what it is about.
pub fn who_may(conn: &mut Conn, call: &str) -> Result<Vec<(String, Language)>, AppError> {
    let active = staff!().filter(accounts::state.eq(AccountState::Active));
    let roles: Vec<(i64, StaffRole)> = active.select((accounts::id, accounts::staff_role)).load(conn)?;
    let allowed: Vec<i64> = roles.into_iter().filter(|(_, role)| role.may_call(call)).map(|(id, _)| id).collect();
    let found = users::table.filter(users::account_id.eq_any(allowed)).order(users::id);
    Ok(found.select((users::email, users::language)).load(conn)?)
}
