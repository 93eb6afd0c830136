//! Refunds to where the money came from, as rows beside those of returns. SQL only, and their only writer.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::returns::rows::ReturnRow;
use crate::schema::{payment_returns, payments, source_refunds};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::sql;
use diesel::sql_types::Bool;
use postern_core::money::{Currency, Money};
use postern_core::order::PaymentMethod;
use postern_core::payment_return::{RefundProgress, ReturnKind, ReturnState};
use postern_core::time::to_wire;
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;

/// Longer than an attempt takes, and than a gateway works on a request whose answer was lost: whoever looks for the refund after that finds it.
const CLAIMED: TimeDelta = TimeDelta::minutes(5);

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = source_refunds)]
pub struct SourceRefundRow {
    pub return_id: i64,
    /// The refund of an order; a top-up has none.
    pub refund_id: Option<i64>,
    /// The gateway's charge that it is of.
    pub charge: String,
    pub gateway_reference: Option<String>,
    pub claim_url: Option<String>,
    pub is_by_hand: bool,
    /// Whether an attempt may have reached the gateway.
    pub may_be_sent: bool,
    /// Why the last attempt failed.
    pub trouble: String,
    pub created_at: NaiveDateTime,
}

impl SourceRefundRow {
    pub fn progress(&self, state: ReturnState) -> RefundProgress {
        match state {
            ReturnState::Final => RefundProgress::Arrived,
            ReturnState::Undone => RefundProgress::Failed,
            ReturnState::Open if self.is_by_hand => RefundProgress::ByHand,
            ReturnState::Open if self.claim_url.is_some() => RefundProgress::ToBeClaimed,
            ReturnState::Open if self.gateway_reference.is_some() => RefundProgress::OnItsWay,
            ReturnState::Open => RefundProgress::Requested,
        }
    }
}

/// A refund that went back to where the money came from.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SourceRefund {
    pub return_id: i64,
    pub gateway: PaymentMethod,
    pub progress: RefundProgress,
    pub amount: Money,
    /// The same in the currency that the gateway charged.
    pub charged: Money,
    pub charged_currency: Currency,
    /// The gateway's id of it, once known.
    pub reference: Option<String>,
    pub changed_at: String,
}

/// Inserts the refund of a new return. One that is not sent by hand is due at once.
pub fn insert(
    conn: &mut Conn,
    (return_id, refund_id): (i64, Option<i64>),
    charge: &str,
    is_by_hand: bool,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let row = (
        source_refunds::return_id.eq(return_id),
        source_refunds::refund_id.eq(refund_id),
        source_refunds::charge.eq(charge),
        source_refunds::is_by_hand.eq(is_by_hand),
        source_refunds::next_try_at.eq((!is_by_hand).then_some(now)),
        source_refunds::created_at.eq(now),
    );
    diesel::insert_into(source_refunds::table).values(row).execute(conn)?;
    Ok(())
}

pub fn of_return(conn: &mut Conn, return_id: i64) -> Result<Option<SourceRefundRow>, AppError> {
    let row = source_refunds::table.find(return_id).select(SourceRefundRow::as_select());
    Ok(row.first(conn).optional()?)
}

/// Those of these returns that the shop made, by return.
pub fn of_returns(conn: &mut Conn, return_ids: &[i64]) -> Result<HashMap<i64, SourceRefundRow>, AppError> {
    let rows = source_refunds::table.filter(source_refunds::return_id.eq_any(return_ids));
    let rows: Vec<SourceRefundRow> = rows.select(SourceRefundRow::as_select()).load(conn)?;
    Ok(rows.into_iter().map(|row| (row.return_id, row)).collect())
}

/// A refund of an order that went back to where its money came from.
pub struct OfOrder {
    pub order_id: i64,
    pub refund_id: Option<i64>,
    pub reason: String,
    pub created_at: NaiveDateTime,
    pub view: SourceRefund,
}

/// Those of these orders, oldest first.
pub fn of_orders(conn: &mut Conn, order_ids: &[i64]) -> Result<Vec<OfOrder>, AppError> {
    let paid: Vec<(i64, i64, PaymentMethod)> = payments::table
        .filter(payments::order_id.eq_any(order_ids))
        .filter(payments::payment_method.ne(PaymentMethod::Wallet))
        .select((payments::id, payments::order_id, payments::payment_method))
        .load(conn)?;
    if paid.is_empty() {
        return Ok(Vec::new());
    }
    let paid: HashMap<i64, (i64, PaymentMethod)> =
        paid.into_iter().map(|(id, order_id, method)| (id, (order_id, method))).collect();
    let returns = payment_returns::table
        .filter(payment_returns::payment_id.eq_any(paid.keys().copied().collect::<Vec<_>>()))
        .filter(payment_returns::kind.eq(ReturnKind::ByShop));
    let returns: Vec<ReturnRow> = returns.select(ReturnRow::as_select()).load(conn)?;
    let mut refunds = of_returns(conn, &returns.iter().map(|row| row.id).collect::<Vec<_>>())?;
    let view = |row: ReturnRow| {
        let (order_id, gateway) = *paid.get(&row.payment_id)?;
        let refund = refunds.remove(&row.id)?;
        let view = SourceRefund {
            return_id: row.id,
            gateway,
            progress: refund.progress(row.state),
            amount: Money::from_minor(row.claimed_minor),
            charged: Money::from_minor(row.reported_minor),
            charged_currency: row.reported_currency,
            reference: refund.gateway_reference,
            changed_at: to_wire(row.changed_at),
        };
        let (refund_id, created_at) = (refund.refund_id, refund.created_at);
        Some(OfOrder { order_id, refund_id, reason: row.reason, created_at, view })
    };
    let mut found: Vec<OfOrder> = returns.into_iter().filter_map(view).collect();
    found.sort_by_key(|one| one.view.return_id);
    Ok(found)
}

pub fn has_due(conn: &mut Conn, now: NaiveDateTime) -> Result<bool, AppError> {
    let due = source_refunds::table.filter(source_refunds::next_try_at.le(now)).select(source_refunds::return_id);
    Ok(due.first::<i64>(conn).optional()?.is_some())
}

/// Claims the refund that is longest overdue, right before it is sent, so that several processes share the work. Nobody else touches it for `CLAIMED`; from
/// then on an attempt may have reached the gateway. The row says whether an earlier one may have.
pub fn claim_next(conn: &mut Conn, now: NaiveDateTime) -> Result<Option<SourceRefundRow>, AppError> {
    // Written as in the condition of the partial index.
    let due = source_refunds::table.filter(sql::<Bool>("next_try_at IS NOT NULL"));
    let due = due.filter(source_refunds::next_try_at.le(now)).order(source_refunds::next_try_at);
    let due: Option<i64> = due.select(source_refunds::return_id).limit(1).locked_if_free().load(conn)?.pop();
    let Some(return_id) = due else { return Ok(None) };
    let row = of_return(conn, return_id)?;
    let claimed = (source_refunds::next_try_at.eq(now + CLAIMED), source_refunds::may_be_sent.eq(true));
    diesel::update(source_refunds::table.find(return_id)).set(claimed).execute(conn)?;
    Ok(row)
}

/// Records what an attempt found. A refund that is over is not asked about again.
pub fn record_known(
    conn: &mut Conn,
    return_id: i64,
    gateway_reference: &str,
    claim_url: Option<&str>,
    next_try_at: Option<NaiveDateTime>,
) -> Result<(), AppError> {
    let known = (
        source_refunds::gateway_reference.eq(gateway_reference),
        source_refunds::claim_url.eq(claim_url),
        source_refunds::trouble.eq(""),
        source_refunds::next_try_at.eq(next_try_at),
    );
    diesel::update(source_refunds::table.find(return_id)).set(known).execute(conn)?;
    Ok(())
}

pub fn stop(conn: &mut Conn, return_id: i64) -> Result<(), AppError> {
    let never = source_refunds::next_try_at.eq(None::<NaiveDateTime>);
    diesel::update(source_refunds::table.find(return_id)).set(never).execute(conn)?;
    Ok(())
}

pub fn record_trouble(conn: &mut Conn, return_id: i64, trouble: &str) -> Result<(), AppError> {
    let trouble = source_refunds::trouble.eq(trouble);
    diesel::update(source_refunds::table.find(return_id)).set(trouble).execute(conn)?;
    Ok(())
}

/// Records that the attempt that claimed it cannot have reached the gateway, so that the next one need not wait.
pub fn record_unsent(conn: &mut Conn, row: &SourceRefundRow, next_try_at: NaiveDateTime) -> Result<(), AppError> {
    let unsent = (source_refunds::may_be_sent.eq(row.may_be_sent), source_refunds::next_try_at.eq(next_try_at));
    let return_id = row.return_id;
    diesel::update(source_refunds::table.find(return_id)).set(unsent).execute(conn)?;
    Ok(())
}

/// Leaves a refund to an operator.
pub fn leave_to_operator(conn: &mut Conn, return_id: i64) -> Result<(), AppError> {
    diesel::update(source_refunds::table.find(return_id)).set(source_refunds::is_by_hand.eq(true)).execute(conn)?;
    stop(conn, return_id)
}

/// Whether refunds of a payment wait for an operator.
pub fn are_by_hand(conn: &mut Conn, payment_id: i64) -> Result<bool, AppError> {
    let waiting = source_refunds::table
        .inner_join(payment_returns::table.on(payment_returns::id.eq(source_refunds::return_id)))
        .filter(payment_returns::payment_id.eq(payment_id))
        .filter(payment_returns::state.eq(ReturnState::Open))
        .filter(source_refunds::is_by_hand.eq(true));
    Ok(waiting.select(source_refunds::return_id).first::<i64>(conn).optional()?.is_some())
}

/// Records the id that an operator entered.
pub fn record_reference(conn: &mut Conn, return_id: i64, reference: Option<&str>) -> Result<(), AppError> {
    let known = source_refunds::gateway_reference.eq(reference);
    diesel::update(source_refunds::table.find(return_id)).set(known).execute(conn)?;
    Ok(())
}
