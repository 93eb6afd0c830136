//! Where the money of an order came from, how much of it can go back there, and the beginning of a refund to there.
use crate::charges::arrivals;
use crate::charges::payments::PaymentRow;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::gateways::refunds_of;
use crate::ledger::owed_by;
use crate::returns::apply::apply_in;
use crate::returns::rows::{self, ReturnRow};
use crate::returns::{source_rows, tell};
use crate::schema::payments;
use crate::security::random;
use chrono::NaiveDateTime;
use postern_core::money::{Currency, Money};
use postern_core::order::{PaymentMethod, PaymentState};
use postern_core::payment_case::PaymentCaseKind;
use postern_core::payment_return::{ReturnKind, ReturnReport, ReturnState, at_gateway};
use std::collections::HashMap;

/// A new id of a refund: the shop's, which gateways have as well, so that no refund is made twice.
pub fn new_reference() -> String {
    format!("RF{}", hex::encode_upper(random::<12>()))
}

/// A payment of which something can go back.
pub struct Source {
    pub payment: PaymentRow,
    /// The gateway's charge.
    charge: String,
    /// What is left of it, in the currency of the wallet.
    pub left: Money,
    /// The same in the currency of the charge.
    left_there: Money,
    /// Whether an operator has to send it.
    pub is_by_hand: bool,
    /// Whether the customer has to say where it goes.
    pub must_be_claimed: bool,
}

impl Source {
    pub fn gateway(&self) -> PaymentMethod {
        self.payment.payment_method
    }

    /// What `amount`, which is at most what is left, is in the currency of the charge.
    pub fn charged(&self, amount: Money) -> Result<(Money, Currency), AppError> {
        Ok((at_gateway(amount, self.left, self.left_there)?, self.payment.charged().1))
    }
}

/// The payment of an order of which most is left. `None` if nothing can go back: it was paid from the wallet, all of it went back, a part is disputed or
/// not valid, or its customer owes money.
pub fn of_order(conn: &mut Conn, order_id: i64) -> Result<Option<Source>, AppError> {
    let paid: Vec<PaymentRow> = payments::table
        .filter(payments::order_id.eq(order_id))
        .filter(payments::state.eq(PaymentState::Succeeded))
        .filter(payments::payment_method.ne(PaymentMethod::Wallet))
        .select(PaymentRow::as_select())
        .load(conn)?;
    let mut found: Option<Source> = None;
    for payment in paid {
        if !owed_by(conn, payment.account_id)?.is_zero() {
            return Ok(None);
        }
        let source = of_payment(conn, payment)?.filter(|source| !source.left.is_zero());
        if let Some(source) = source.filter(|source| found.as_ref().is_none_or(|before| before.left < source.left)) {
            found = Some(source);
        }
    }
    Ok(found)
}

fn of_payment(conn: &mut Conn, payment: PaymentRow) -> Result<Option<Source>, AppError> {
    let mut returns = rows::of_payment(conn, payment.id)?;
    returns.retain(|row| row.state.takes());
    if returns.iter().any(|row| matches!(row.kind, ReturnKind::Dispute | ReturnKind::Invalid)) {
        return Ok(None);
    }
    let arrived = arrivals::before(conn, &payment)?;
    let mut there = arrived.charges.clone();
    let refunds = source_rows::of_returns(conn, &returns.iter().map(|row| row.id).collect::<Vec<_>>())?;
    for row in &returns {
        let charge = refunds.get(&row.id).map(|refund| refund.charge.as_str());
        subtract(&mut there, charge, Money::from_minor(row.reported_minor))?;
    }
    let taken = Money::sum(returns.iter().map(ReturnRow::claim))?;
    let left = arrived.credited.checked_sub(taken)?.max(Money::ZERO);
    let left_in_all = Money::sum(there.values().copied())?;
    // Sorted, so that a preview and the refund choose the same.
    let most = there.into_iter().max_by(|one, other| (one.1, &other.0).cmp(&(other.1, &one.0)));
    let Some((charge, left_there)) = most.filter(|(_, amount)| !amount.is_zero()) else { return Ok(None) };
    // A customer may have paid twice: a refund is of one charge.
    let left = at_gateway(left_there, left_in_all, left)?;
    let refunds = refunds_of(payment.payment_method);
    let must_be_claimed = refunds.is_some_and(|refunds| refunds.must_be_claimed());
    Ok(Some(Source { payment, charge, left, left_there, is_by_hand: refunds.is_none(), must_be_claimed }))
}

/// Takes what went back from its charge; if that is not known, from the charge of which most is left.
fn subtract(there: &mut HashMap<String, Money>, charge: Option<&str>, amount: Money) -> Result<(), AppError> {
    let left = match charge.filter(|charge| there.contains_key(*charge)) {
        Some(charge) => there.get_mut(charge),
        None => there.values_mut().max(),
    };
    if let Some(left) = left {
        *left = left.checked_sub(amount)?.max(Money::ZERO);
    }
    Ok(())
}

/// A refund to where the money came from.
pub struct NewRefund<'a> {
    /// The shop's id of it.
    pub reference: &'a str,
    /// The refund of an order; a top-up has none.
    pub refund_id: Option<i64>,
    pub amount: Money,
    pub reason: &'a str,
}

/// Takes the money from the wallet, and has a job send it to the gateway, or an operator. The wallet and the order are locked, and the wallet has it.
pub fn begin(conn: &mut Conn, source: &Source, new: &NewRefund, now: NaiveDateTime) -> Result<(), AppError> {
    let payment = &source.payment;
    let (charged, currency) = source.charged(new.amount)?;
    let report = ReturnReport {
        reference: new.reference.to_owned(),
        kind: ReturnKind::ByShop,
        state: ReturnState::Open,
        amount: charged,
        currency: currency.as_str().to_owned(),
        reason: new.reason.to_owned(),
        due_at: None,
    };
    let id = rows::insert(conn, (payment.id, payment.account_id), &report, (currency, new.amount), now)?;
    source_rows::insert(conn, (id, new.refund_id), &source.charge, source.is_by_hand, now)?;
    apply_in(conn, payment.id, &[], now)?;
    if source.is_by_hand {
        tell::open_case(conn, payment, id, PaymentCaseKind::RefundByHand, now)?;
    }
    Ok(())
}
