//! Returns as rows: one for each refund, dispute or invalidity. SQL only, and their only writer.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::payment_returns::{self, dsl};
use crate::schema::payments;
use chrono::NaiveDateTime;
use diesel::dsl::sql;
use diesel::sql_types::Bool;
use postern_core::money::{Currency, Money};
use postern_core::order::PaymentMethod;
use postern_core::payment_return::{ReturnKind, ReturnReport, ReturnState};

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = payment_returns)]
pub struct ReturnRow {
    pub id: i64,
    pub payment_id: i64,
    pub account_id: i64,
    pub reference: String,
    pub kind: ReturnKind,
    pub state: ReturnState,
    /// In the currency of the charge.
    pub reported_minor: i64,
    pub reported_currency: Currency,
    /// In the currency of the wallet.
    pub claimed_minor: i64,
    pub taken_minor: i64,
    pub uncovered_minor: i64,
    pub postings: i32,
    pub reason: String,
    pub due_at: Option<NaiveDateTime>,
    pub opened_at: NaiveDateTime,
    pub changed_at: NaiveDateTime,
}

impl ReturnRow {
    /// What the gateway claims now.
    pub fn claim(&self) -> Money {
        if self.state.takes() { Money::from_minor(self.claimed_minor) } else { Money::ZERO }
    }

    /// The ledger's reference of its next posting.
    pub fn next_reference(&self) -> String {
        reference(self.id, self.postings + 1)
    }
}

/// The ledger's reference of a return's posting of this number.
pub fn reference(return_id: i64, number: i32) -> String {
    format!("return {return_id}, {number}")
}

/// The return with this reference, if it is a return's.
pub fn id_of_reference(reference: &str) -> Option<i64> {
    reference.strip_prefix("return ")?.split_once(", ")?.0.parse().ok()
}

/// The returns of a payment, oldest first. Its wallet must be locked.
pub fn of_payment(conn: &mut Conn, payment_id: i64) -> Result<Vec<ReturnRow>, AppError> {
    let of_payment = dsl::payment_returns.filter(dsl::payment_id.eq(payment_id)).order(dsl::id);
    Ok(of_payment.select(ReturnRow::as_select()).load(conn)?)
}

/// The return of a payment with this id of the gateway's.
pub fn by_reference(conn: &mut Conn, payment_id: i64, reference: &str) -> Result<Option<ReturnRow>, AppError> {
    let same = dsl::payment_returns.filter(dsl::payment_id.eq(payment_id)).filter(dsl::reference.eq(reference));
    Ok(same.select(ReturnRow::as_select()).first(conn).optional()?)
}

pub fn exist(conn: &mut Conn, payment_id: i64) -> Result<bool, AppError> {
    let first = dsl::payment_returns.filter(dsl::payment_id.eq(payment_id)).select(dsl::id);
    Ok(first.first::<i64>(conn).optional()?.is_some())
}

pub fn insert(
    conn: &mut Conn,
    (payment_id, account_id): (i64, i64),
    report: &ReturnReport,
    (currency, claimed): (Currency, Money),
    now: NaiveDateTime,
) -> Result<i64, AppError> {
    let row = (
        dsl::payment_id.eq(payment_id),
        dsl::account_id.eq(account_id),
        dsl::reference.eq(&report.reference),
        dsl::kind.eq(report.kind),
        dsl::state.eq(report.state),
        dsl::reported_minor.eq(report.amount.minor()),
        dsl::reported_currency.eq(currency),
        dsl::claimed_minor.eq(claimed.minor()),
        dsl::reason.eq(&report.reason),
        dsl::due_at.eq(report.due_at),
        dsl::opened_at.eq(now),
        dsl::changed_at.eq(now),
    );
    Ok(diesel::insert_into(dsl::payment_returns).values(row).returning(dsl::id).get_result(conn)?)
}

/// Records a later report of a return.
pub fn advance(
    conn: &mut Conn,
    return_id: i64,
    report: &ReturnReport,
    claimed: Money,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let changes = (
        dsl::state.eq(report.state),
        dsl::reported_minor.eq(report.amount.minor()),
        dsl::claimed_minor.eq(claimed.minor()),
        dsl::changed_at.eq(now),
    );
    diesel::update(dsl::payment_returns.find(return_id)).set(changes).execute(conn)?;
    Ok(())
}

/// Records until when evidence can be handed in, which the first report may not say.
pub fn set_due(conn: &mut Conn, return_id: i64, due_at: NaiveDateTime) -> Result<(), AppError> {
    diesel::update(dsl::payment_returns.find(return_id)).set(dsl::due_at.eq(due_at)).execute(conn)?;
    Ok(())
}

/// Records a posting: what is taken now, and what of it the wallet has not covered.
pub fn record_posting(conn: &mut Conn, row: &ReturnRow, taken: Money, uncovered: Money) -> Result<(), AppError> {
    let changes = (
        dsl::taken_minor.eq(taken.minor()),
        dsl::uncovered_minor.eq(uncovered.minor()),
        dsl::postings.eq(row.postings + 1),
    );
    diesel::update(dsl::payment_returns.find(row.id)).set(changes).execute(conn)?;
    Ok(())
}

/// The payments of a gateway with a dispute that is not decided.
pub fn undecided(conn: &mut Conn, gateway: PaymentMethod) -> Result<Vec<i64>, AppError> {
    let open = dsl::payment_returns
        .inner_join(payments::table.on(payments::id.eq(dsl::payment_id)))
        // Written as in the condition of the partial index.
        .filter(sql::<Bool>("payment_returns.state = 'open'"))
        .filter(payments::payment_method.eq(gateway));
    Ok(open.select(dsl::payment_id).distinct().load(conn)?)
}
