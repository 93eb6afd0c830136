//! Closed accounts that have money in their wallets: it arrived after their owners had closed them.
use super::found::{CHUNK, Verification, money};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{accounts, users, wallets};
use postern_core::money::{Currency, Money};

pub fn find(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    let full: Vec<(i64, String, i64, Currency)> = wallets::table
        .inner_join(accounts::table.on(accounts::id.eq(wallets::account_id)))
        .inner_join(users::table.on(users::account_id.eq(accounts::id)))
        .filter(accounts::closed_at.is_not_null())
        .filter(wallets::balance_minor.gt(0))
        .order(wallets::account_id)
        .limit(CHUNK)
        .select((wallets::account_id, users::email, wallets::balance_minor, wallets::currency))
        .load(conn)?;
    let told = |(account_id, name, minor, currency): (i64, String, i64, Currency)| {
        sentence(account_id, &name, money(minor), currency)
    };
    found.closed_accounts = full.into_iter().map(told).collect();
    Ok(())
}

/// What an alarm says of a closed account with money. `name` stands for its address.
pub fn sentence(account_id: i64, name: &str, balance: Money, currency: Currency) -> String {
    format!("account {account_id} \"{name}\" is closed and has {balance} {}", currency.as_str())
}
