//! Checks that every succeeded payment was posted once and in full, and that nothing else was posted as received.
use super::found::{CHUNK, Verification, money};
use crate::charges::arrivals;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::ledger_transactions;
use crate::schema::payments::dsl;
use postern_core::order::{PaymentMethod, PaymentState};
use std::collections::{HashMap, HashSet};

pub fn verify(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    let mut last = 0;
    loop {
        let succeeded: Vec<(i64, i64)> = dsl::payments
            .filter(dsl::id.gt(last))
            .filter(dsl::state.eq(PaymentState::Succeeded))
            .filter(dsl::payment_method.ne(PaymentMethod::Wallet))
            .order(dsl::id)
            .limit(CHUNK)
            .select((dsl::id, dsl::amount_minor))
            .load(conn)?;
        let Some(end) = succeeded.last() else { return Ok(()) };
        last = end.0;
        found.payments += succeeded.len();
        let ids: Vec<i64> = succeeded.iter().map(|payment| payment.0).collect();
        let mut due: HashMap<String, (i64, i64)> =
            succeeded.iter().map(|(id, amount)| (arrivals::reference(*id, 0), (*id, *amount))).collect();
        // What arrived counts, where that is recorded.
        for (id, reference, credited) in arrivals::references(conn, &ids)? {
            if credited.is_zero() {
                // Less than a cent is not posted.
                due.remove(&reference);
            } else {
                due.insert(reference, (id, credited.minor()));
            }
        }
        let references: Vec<&String> = due.keys().collect();
        let received: Vec<(String, i64)> = ledger_transactions::table
            .filter(ledger_transactions::reference.eq_any(references))
            .select((ledger_transactions::reference, ledger_transactions::wallet_change_minor))
            .load(conn)?;
        let received: HashMap<String, i64> = received.into_iter().collect();
        for (reference, (id, amount)) in due {
            let came_in = received.get(&reference).copied();
            if came_in != Some(amount) {
                let came_in = came_in.map_or("nothing".to_owned(), |came_in| money(came_in).to_string());
                found.problem(format!("payment {id} of {} succeeded, and {came_in} came in", money(amount)));
            }
        }
    }
}

/// Every posting of received money must belong to a succeeded payment.
pub fn verify_received(conn: &mut Conn, found: &mut Verification, received: &[(String, i64)]) -> Result<(), AppError> {
    let ids: Vec<i64> = received.iter().filter_map(|(reference, _)| arrivals::id_of_reference(reference)).collect();
    if received.is_empty() {
        return Ok(());
    }
    let succeeded: Vec<i64> = dsl::payments
        .filter(dsl::id.eq_any(ids))
        .filter(dsl::state.eq(PaymentState::Succeeded))
        .filter(dsl::payment_method.ne(PaymentMethod::Wallet))
        .select(dsl::id)
        .load(conn)?;
    let succeeded: HashSet<i64> = succeeded.into_iter().collect();
    for (reference, amount) in received {
        if !arrivals::id_of_reference(reference).is_some_and(|id| succeeded.contains(&id)) {
            found.problem(format!("{} came in as \"{reference}\", which did not succeed", money(*amount)));
        }
    }
    Ok(())
}
