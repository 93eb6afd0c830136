//! Ends what customers who owe have bought.
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::ledger::lock_wallet;
use crate::order_rows::rows::lock;
use crate::refunds::execute::refund_unused;
use crate::returns::debts::bought;
use crate::schema::{users, wallets};
use crate::state::App;
use diesel::dsl::sql;
use diesel::sql_types::Bool;
use postern_core::language::Language;
use postern_core::money::Money;
use postern_core::payment_return::WhenOwed;
use serde_json::Value;

/// Wallets in one run of the job.
const AT_ONCE: i64 = 50;

/// Ends what customers who owe have bought, if the seller wants that: order by order, until what is unused of it covers the debt.
pub async fn end_bought(app: &App) -> Result<(), AppError> {
    if app.config.when_owed != WhenOwed::End {
        return Ok(());
    }
    let mut result = Ok(());
    let due = |conn: &mut Conn| {
        // Written as in the condition of the partial index.
        let owing = wallets::table.filter(sql::<Bool>("owed_minor > 0"));
        Ok(owing.filter(wallets::is_to_end.eq(true)).select(wallets::account_id).limit(AT_ONCE).load::<i64>(conn)?)
    };
    for account_id in app.db.read(due).await? {
        if let Err(error) = end_bought_by(app, account_id).await {
            tracing::error!(account_id, %error, "what a customer who owes has bought could not be ended");
            result = Err(error);
        }
    }
    result
}

async fn end_bought_by(app: &App, account_id: i64) -> Result<(), AppError> {
    let now = app.clock.now();
    let (sales, language) = app
        .db
        .read(move |conn| {
            let language: Language =
                users::table.filter(users::account_id.eq(account_id)).select(users::language).first(conn)?;
            Ok((bought(conn, account_id)?, language))
        })
        .await?;
    let reason = app.texts.get(language, "invoices:notPaid", &Value::Null);
    let mut left = None;
    // One transaction for each order: issuing a credit note blocks all other issuing until its transaction ends.
    for sale in sales {
        let reason = reason.clone();
        let end = move |conn: &mut Conn| {
            if lock_wallet(conn, account_id)?.owed.is_zero() {
                return Ok(Money::ZERO);
            }
            let sale = lock(conn, sale.id)?;
            refund_unused(conn, &sale, &reason, RowLock::ForUpdate, now)?;
            Ok(lock_wallet(conn, account_id)?.owed)
        };
        let owed = app.db.write(end).await?;
        left = Some(owed);
        if owed.is_zero() {
            break;
        }
    }
    let done = move |conn: &mut Conn| {
        // More may be owed by now, for which there is something else to end; not for a customer who has bought nothing that is left.
        let owed = lock_wallet(conn, account_id)?.owed;
        if left.is_some_and(|left| owed > left) {
            return Ok(());
        }
        diesel::update(wallets::table.find(account_id)).set(wallets::is_to_end.eq(false)).execute(conn)?;
        Ok(())
    };
    app.db.write(done).await
}
