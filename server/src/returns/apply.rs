//! Applies what went back of payments, as gateways report it, any number of times and in any order: the only writer of the ledger about it.
use crate::charges::arrivals;
use crate::charges::payments::{PaymentRow, poll_at};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::ledger::{Movement, lock_wallet, move_money_of};
use crate::order_rows::rows::{OrderRow, lock};
use crate::returns::debts::{lose_sales, mark};
use crate::returns::rows::{self, ReturnRow};
use crate::returns::source_rows;
use crate::returns::tell::{self, Change};
use crate::schema::payments;
use crate::state::App;
use chrono::NaiveDateTime;
use postern_core::exchange::credit;
use postern_core::ledger::{Book, EntryKind};
use postern_core::money::Money;
use postern_core::payment_return::{ReturnKind, ReturnReport, ReturnState, return_advances, shared_in_turn};

/// Applies reports of returns of a payment, in a transaction of its own.
pub async fn apply(app: &App, payment_id: i64, reports: Vec<ReturnReport>) -> Result<(), AppError> {
    let now = app.clock.now();
    app.db.write(move |conn| apply_in(conn, payment_id, &reports, now)).await
}

/// Applies reports of returns of a payment, and those that came before its money did. To be called in the transaction that credits the money: after a crash in
/// between, nobody would ask again.
pub fn apply_known(
    conn: &mut Conn,
    payment_id: i64,
    reports: &[ReturnReport],
    now: NaiveDateTime,
) -> Result<(), AppError> {
    if reports.is_empty() && !rows::exist(conn, payment_id)? {
        return Ok(());
    }
    apply_in(conn, payment_id, reports, now)
}

/// Records the reports, and moves what follows: together no more than was credited for the payment. If that has not arrived yet, the rest follows when
/// the gateway is polled after its arrival.
pub fn apply_in(
    conn: &mut Conn,
    payment_id: i64,
    reports: &[ReturnReport],
    now: NaiveDateTime,
) -> Result<(), AppError> {
    // Fixed lock order against deadlocks: wallet, order, payment.
    let (account_id, order_id): (i64, i64) =
        payments::table.find(payment_id).select((payments::account_id, payments::order_id)).first(conn)?;
    lock_wallet(conn, account_id)?;
    let order = lock(conn, order_id)?;
    let payment: PaymentRow = payments::table.find(payment_id).select(PaymentRow::as_select()).first(conn)?;
    let known = rows::of_payment(conn, payment_id)?;
    for report in reports {
        record(conn, &payment, report, now)?;
    }
    let credited = arrivals::before(conn, &payment)?.credited;
    let returns = rows::of_payment(conn, payment_id)?;
    let taken = shared_in_turn(credited, returns.iter().map(ReturnRow::claim))?;
    let mut changed: Vec<(ReturnRow, Money)> = returns.into_iter().zip(taken).collect();
    // What comes back covers what is taken.
    changed.sort_by_key(|(row, taken)| taken.minor() > row.taken_minor);
    for (row, taken) in changed {
        let before = known.iter().find(|before| before.id == row.id);
        let is_news = before.is_none_or(|before| before.state != row.state);
        let change = post(conn, &row, taken, &order, now)?;
        // Two answers about what the gateway holds may be applied in another order than they were given: the next one is of after this.
        if row.kind == ReturnKind::Invalid && change != Change::None {
            poll_at(conn, payment_id, now)?;
        }
        if row.state == ReturnState::Final {
            let seen = if is_news { 0 } else { row.uncovered_minor };
            lose_sales(conn, row.id, seen, &order, now)?;
        }
        // Of what was undone before it was known, nobody has to be told.
        let is_over = before.is_none() && row.state == ReturnState::Undone;
        if (is_news && !is_over) || change != Change::None {
            tell::tell(conn, (&payment, &order), row.id, is_news, change, now)?;
        }
    }
    Ok(())
}

/// Records one report, if it is news.
fn record(conn: &mut Conn, payment: &PaymentRow, report: &ReturnReport, now: NaiveDateTime) -> Result<(), AppError> {
    let (charged, currency) = payment.charged();
    if report.currency != currency.as_str() || report.amount.is_negative() {
        tracing::error!(payment_id = payment.id, currency = report.currency, "a return has another currency or amount");
        return Ok(());
    }
    let before = rows::by_reference(conn, payment.id, &report.reference)?;
    let mut report = report.clone();
    let amount = match report.kind {
        ReturnKind::Refund | ReturnKind::Dispute | ReturnKind::ByShop => report.amount,
        // Reports of this kind say what the gateway holds.
        ReturnKind::Invalid => arrivals::before(conn, payment)?.in_all()?.checked_sub(report.amount)?.max(Money::ZERO),
    };
    if report.kind == ReturnKind::Invalid {
        report.state = if amount.is_zero() { ReturnState::Undone } else { ReturnState::Final };
    }
    let mut claimed = credit(amount, charged, Money::from_minor(payment.amount_minor))?;
    match before {
        None if claimed.is_zero() => Ok(()),
        None => rows::insert(conn, (payment.id, payment.account_id), &report, (currency, claimed), now).map(drop),
        Some(row) => {
            if row.kind == ReturnKind::ByShop && row.reported_minor == report.amount.minor() {
                // To the cent what was taken from the wallet for it.
                claimed = Money::from_minor(row.claimed_minor);
            }
            let is_other = match row.kind {
                ReturnKind::Invalid => row.claimed_minor != claimed.minor(),
                // It was given up, and the gateway has it after all.
                ReturnKind::ByShop => row.state == ReturnState::Undone && is_unknown(conn, &row)?,
                ReturnKind::Refund | ReturnKind::Dispute => false,
            };
            if return_advances(report.kind, row.state, report.state) || is_other {
                rows::advance(conn, row.id, &report, claimed, now)?;
            }
            match report.due_at.filter(|due| row.due_at != Some(*due)) {
                Some(due) => rows::set_due(conn, row.id, due),
                None => Ok(()),
            }
        }
    }
}

/// Whether a refund of the shop was never known to its gateway.
fn is_unknown(conn: &mut Conn, row: &ReturnRow) -> Result<bool, AppError> {
    Ok(source_rows::of_return(conn, row.id)?.is_some_and(|refund| refund.gateway_reference.is_none()))
}

/// Moves the difference to what was taken before.
fn post(
    conn: &mut Conn,
    row: &ReturnRow,
    taken: Money,
    order: &OrderRow,
    now: NaiveDateTime,
) -> Result<Change, AppError> {
    let before = Money::from_minor(row.taken_minor);
    let difference = taken.checked_sub(before)?;
    if difference.is_zero() {
        return Ok(Change::None);
    }
    let mut uncovered = Money::from_minor(row.uncovered_minor).min(taken);
    let (kind, source, change) = if difference.is_negative() {
        (EntryKind::GivenBack, Book::Gateway, Change::GivenBack(difference.negated()?))
    } else {
        let wallet = lock_wallet(conn, row.account_id)?;
        let short = difference.checked_sub(wallet.balance)?.max(Money::ZERO);
        if !short.is_zero() {
            let movement = Movement {
                account_id: row.account_id,
                kind: EntryKind::Owed,
                source: Book::Owed,
                amount: short,
                reference: format!("{}, owed", row.next_reference()),
                order_id: Some(order.id),
            };
            move_money_of(conn, wallet, &movement, now)?;
            mark(conn, row.account_id)?;
            uncovered = uncovered.checked_add(short)?;
        }
        let kind = if row.kind == ReturnKind::ByShop { EntryKind::SentBack } else { EntryKind::TakenBack };
        (kind, Book::Wallet, Change::TakenBack(difference))
    };
    let movement = Movement {
        account_id: row.account_id,
        kind,
        source,
        amount: Money::from_minor(difference.minor().abs()),
        reference: row.next_reference(),
        order_id: Some(order.id),
    };
    let wallet = lock_wallet(conn, row.account_id)?;
    move_money_of(conn, wallet, &movement, now)?;
    rows::record_posting(conn, row, taken, uncovered)?;
    Ok(change)
}
