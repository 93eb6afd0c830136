//! Money that arrives for an account after its owner has closed it: an alarm until an operator has returned it.
use crate::accounts::queries::{account_of, emails_of};
use crate::alarms::{mail_operators, problems_of, set};
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::ledger::{Movement, lock_wallet, move_money_of};
use crate::schema::{accounts, wallets};
use crate::wallet::verify::sentence;
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::ledger::{AlarmKind, Book, EntryKind};
use postern_core::mail::MailTemplate;
use postern_core::money::{Currency, Money};

fn is_closed(conn: &mut Conn, account_id: i64) -> Result<bool, AppError> {
    let closed_at: Option<NaiveDateTime> = accounts::table.find(account_id).select(accounts::closed_at).first(conn)?;
    Ok(closed_at.is_some())
}

/// What the alarm says of accounts other than this one.
fn others(conn: &mut Conn, account_id: i64) -> Result<Vec<String>, AppError> {
    let own = format!("account {account_id} ");
    let mut problems = problems_of(conn, AlarmKind::ClosedAccounts)?;
    problems.retain(|problem| !problem.starts_with(&own));
    Ok(problems)
}

/// Raises the alarm and mails operators if money has just arrived for a closed account.
pub fn note_arrival(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    if !is_closed(conn, account_id)? {
        return Ok(());
    }
    let wallet = wallets::table.find(account_id).select((wallets::balance_minor, wallets::currency));
    let (minor, currency): (i64, Currency) = wallet.first(conn)?;
    let name = emails_of(conn, &[account_id])?.remove(&account_id).unwrap_or_default();
    let own = vec![sentence(account_id, &name, Money::from_minor(minor), currency)];
    mail_operators(conn, MailTemplate::ClosedAccountMoney, own.len(), &own, now)?;
    let problems = [own, others(conn, account_id)?].concat();
    set(conn, AlarmKind::ClosedAccounts, &problems, now)
}

/// Records that the money of a closed account was returned outside of the shop: empties its wallet. Returns the account.
pub fn pay_back(conn: &mut Conn, name: &str, actor: &Actor, now: NaiveDateTime) -> Result<i64, AppError> {
    let account_id = account_of(conn, name)?;
    let wallet = lock_wallet(conn, account_id)?;
    if wallet.balance.is_zero() || !is_closed(conn, account_id)? {
        return Err(AppError::in_place("nothingToPayBack"));
    }
    let returned = Movement {
        account_id,
        kind: EntryKind::PaidBack,
        source: Book::Wallet,
        amount: wallet.balance,
        reference: format!("paid back to {account_id} at {}", now.and_utc().timestamp_millis()),
        order_id: None,
    };
    move_money_of(conn, wallet, &returned, now)?;
    let others = others(conn, account_id)?;
    set(conn, AlarmKind::ClosedAccounts, &others, now)?;
    let currency: Currency = wallets::table.find(account_id).select(wallets::currency).first(conn)?;
    let entry = Entry::new(AuditAction::WalletDebited).account(account_id);
    let entry = entry.changes([AuditChange::new(AuditField::Amount, returned.amount.display(currency))]);
    audit::record(conn, actor, entry, now)?;
    Ok(account_id)
}
