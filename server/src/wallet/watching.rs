//! Watched wallets: a job re-evaluates them whenever their balance changes.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{auto_top_ups, wallets};
use chrono::NaiveDateTime;

/// Starts watching the wallet if its customer has configured an alert or automatic top-ups, otherwise stops. Call it, with the wallet locked, after
/// any change of these settings.
pub fn begin_or_end(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let wallet = wallets::table.find(account_id);
    let has_alert: bool = wallet.select(wallets::low_balance_minor.is_not_null()).first(conn)?;
    let tops_up: Option<bool> =
        auto_top_ups::table.find(account_id).select(auto_top_ups::is_on).first(conn).optional()?;
    let is_watched = has_alert || tops_up == Some(true);
    let watched = (wallets::is_watched.eq(is_watched), wallets::next_look_at.eq(is_watched.then_some(now)));
    diesel::update(wallet).set(watched).execute(conn)?;
    Ok(())
}

/// Wallets that are due for evaluation.
pub fn due(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<i64>, AppError> {
    let due = wallets::table.filter(wallets::next_look_at.le(now)).order(wallets::next_look_at);
    Ok(due.select(wallets::account_id).limit(500).load(conn)?)
}

/// Records an evaluation; the next one is at `again_at`, or when the balance changes. The wallet must be locked.
pub fn record_evaluation(conn: &mut Conn, account_id: i64, again_at: Option<NaiveDateTime>) -> Result<(), AppError> {
    diesel::update(wallets::table.find(account_id)).set(wallets::next_look_at.eq(again_at)).execute(conn)?;
    Ok(())
}
