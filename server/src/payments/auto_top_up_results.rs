//! Handles the outcome of charging a saved card for an automatic top-up.
use crate::charges::cards;
use crate::charges::payments::PaymentRow;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::events;
use crate::ledger::lock_wallet;
use crate::mails;
use crate::schema::auto_top_ups;
use crate::wallet::watching;
use chrono::NaiveDateTime;
use postern_core::auto_top_up::AutoTopUp;
use postern_core::auto_top_up::{CardFailure, next_attempt};
use postern_core::event::EventKind;
use postern_core::mail::MailTemplate;
use postern_core::money::Money;
use serde_json::json;

#[derive(Queryable, Selectable)]
#[diesel(table_name = auto_top_ups)]
pub struct Row {
    pub is_on: bool,
    pub threshold_minor: i64,
    pub amount_minor: i64,
    pub monthly_limit_minor: i64,
    pub failures: i32,
    pub failure: Option<CardFailure>,
    pub failed_at: Option<NaiveDateTime>,
    pub limit_told_at: Option<NaiveDateTime>,
}

impl Row {
    pub fn settings(&self) -> AutoTopUp {
        AutoTopUp {
            threshold: Money::from_minor(self.threshold_minor),
            amount: Money::from_minor(self.amount_minor),
            monthly_limit: Money::from_minor(self.monthly_limit_minor),
        }
    }

    pub fn failure(&self) -> Option<CardFailure> {
        self.failure.filter(|_| self.failures > 0)
    }

    pub fn next_attempt(&self) -> Option<NaiveDateTime> {
        next_attempt(self.failures, self.failure()?, self.failed_at?)
    }
}

pub fn find(conn: &mut Conn, account_id: i64) -> Result<Option<Row>, AppError> {
    Ok(auto_top_ups::table.find(account_id).select(Row::as_select()).first(conn).optional()?)
}

/// Resets the failure count after an action of the customer.
pub fn reset_failures(conn: &mut Conn, account_id: i64) -> Result<(), AppError> {
    let anew = (
        auto_top_ups::failures.eq(0),
        auto_top_ups::failure.eq(None::<CardFailure>),
        auto_top_ups::failed_at.eq(None::<NaiveDateTime>),
    );
    diesel::update(auto_top_ups::table.find(account_id)).set(anew).execute(conn)?;
    Ok(())
}

/// The name of the card that a payment charges.
fn card_name(conn: &mut Conn, payment: &PaymentRow) -> Result<String, AppError> {
    let card = payment.card_id.ok_or_else(|| AppError::internal("an automatic top-up without a card"))?;
    Ok(cards::find(conn, card)?.view().name)
}

/// Handles a successful charge. The wallet must be locked.
pub fn note_success(conn: &mut Conn, payment: &PaymentRow, now: NaiveDateTime) -> Result<(), AppError> {
    let (account_id, currency) = (payment.account_id, payment.currency);
    reset_failures(conn, account_id)?;
    let (amount, card) = (Money::from_minor(payment.amount_minor), card_name(conn, payment)?);
    let balance = lock_wallet(conn, account_id)?.balance;
    let data = json!({ "Amount": amount, "Balance": balance, "Currency": currency, "Card": card });
    events::record(conn, account_id, EventKind::AutoTopUpDone, &data, now)?;
    let parameters = json!({ "Amount": amount.display(currency), "Balance": balance.display(currency), "Card": card });
    mails::queue_for_account(conn, account_id, EventKind::AutoTopUpDone, MailTemplate::AutoTopUpDone, &parameters, now)
}

/// Handles a failed charge: schedules a retry in a day, or pauses automatic top-ups. The customer is mailed about the first failure and
/// the pause. The wallet must be locked.
pub fn note_failure(
    conn: &mut Conn,
    payment: &PaymentRow,
    failure: CardFailure,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let account_id = payment.account_id;
    let Some(row) = find(conn, account_id)?.filter(|row| row.is_on) else { return Ok(()) };
    let card = cards::current(conn, account_id)?;
    if card.map(|card| card.id) != payment.card_id {
        // Another card was saved meanwhile: charge that one next.
        return watching::record_evaluation(conn, account_id, Some(now));
    }
    let failures = row.failures.saturating_add(1);
    let noted =
        (auto_top_ups::failures.eq(failures), auto_top_ups::failure.eq(failure), auto_top_ups::failed_at.eq(now));
    diesel::update(auto_top_ups::table.find(account_id)).set(noted).execute(conn)?;
    let next_attempt_at = next_attempt(failures, failure, now);
    watching::record_evaluation(conn, account_id, next_attempt_at)?;
    let template = match next_attempt_at {
        None => MailTemplate::AutoTopUpPaused,
        Some(_) if failures == 1 => MailTemplate::AutoTopUpFailed,
        Some(_) => return Ok(()),
    };
    let (amount, card) = (Money::from_minor(payment.amount_minor), card_name(conn, payment)?);
    let data = json!({
        "Amount": amount,
        "Currency": payment.currency,
        "Card": card,
        "Reason": failure,
        "IsPaused": next_attempt_at.is_none(),
    });
    events::record(conn, account_id, EventKind::AutoTopUpFailed, &data, now)?;
    let parameters = json!({
        "Amount": amount.display(payment.currency),
        "Card": card,
        "ReasonKey": format!("billing:autoTopUp.failure.{}", failure.as_str()),
    });
    mails::queue_for_account(conn, account_id, EventKind::AutoTopUpFailed, template, &parameters, now)
}
