//! Re-evaluates wallets whose balance has changed: low-balance alerts and automatic top-ups.
//!
//! This is a job rather than a step of each transaction: money that arrives for an order and is spent at once is not a drop in balance.
use crate::db::Conn;
use crate::error::AppError;
use crate::ledger::lock_wallet;
use crate::payments::auto_top_ups;
use crate::state::App;
use crate::wallet::{low_balance, watching};
use chrono::NaiveDateTime;

/// One transaction per wallet, so that a failing one does not block the others.
pub async fn check_balances(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let mut result = Ok(());
    for account_id in app.db.read(move |conn| watching::due(conn, now)).await? {
        if let Err(error) = app.db.write(move |conn| alert_if_low(conn, account_id, now)).await {
            tracing::error!(account_id, %error, "a balance could not be checked");
            result = Err(error);
        }
    }
    result
}

/// The wallet's lock serialises processes; the second one finds nothing left to do.
fn alert_if_low(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let wallet = lock_wallet(conn, account_id)?;
    low_balance::update_alert(conn, account_id, wallet.balance, now)?;
    let again_at = auto_top_ups::begin_if_due(conn, account_id, &wallet, now)?;
    watching::record_evaluation(conn, account_id, again_at)
}
