//! Checks that what gateways took back was posted once and in full, that nothing else was, and that it is no more than was credited.
use super::found::{CHUNK, Verification, money};
use crate::charges::arrivals;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::returns::rows::id_of_reference;
use crate::schema::payment_returns::dsl;
use crate::schema::{ledger_transactions, payments};
use postern_core::ledger::EntryKind;
use postern_core::order::PaymentState;
use std::collections::HashMap;

pub fn verify(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    let posted: Vec<(String, i64)> = ledger_transactions::table
        .filter(ledger_transactions::kind.eq_any([EntryKind::TakenBack, EntryKind::GivenBack]))
        .select((ledger_transactions::reference, ledger_transactions::wallet_change_minor))
        .load(conn)?;
    let mut taken: HashMap<i64, i64> = HashMap::new();
    for (reference, change) in posted {
        *taken.entry(id_of_reference(&reference).unwrap_or_default()).or_default() -= change;
    }
    let mut of_payments: HashMap<i64, i64> = HashMap::new();
    let mut last = 0;
    loop {
        let rows: Vec<(i64, i64, i64)> = dsl::payment_returns
            .filter(dsl::id.gt(last))
            .order(dsl::id)
            .limit(CHUNK)
            .select((dsl::id, dsl::payment_id, dsl::taken_minor))
            .load(conn)?;
        let Some(end) = rows.last() else { break };
        last = end.0;
        for (id, payment_id, amount) in rows {
            *of_payments.entry(payment_id).or_default() += amount;
            let posted = taken.remove(&id).unwrap_or_default();
            if posted != amount {
                let [posted, amount] = [posted, amount].map(money);
                found.problem(format!("return {id} has taken {amount}, the ledger {posted}"));
            }
        }
    }
    for (id, amount) in taken {
        found.problem(format!("the ledger has {} taken back by return {id}, which does not exist", money(amount)));
    }
    let ids: Vec<i64> = of_payments.keys().copied().collect();
    for ids in ids.chunks(usize::try_from(CHUNK).unwrap_or(1)) {
        let arrived = arrivals::credited(conn, ids)?;
        let settled: Vec<(i64, i64)> = payments::table
            .filter(payments::id.eq_any(ids))
            .filter(payments::state.eq(PaymentState::Succeeded))
            .select((payments::id, payments::amount_minor))
            .load(conn)?;
        let settled: HashMap<i64, i64> = settled.into_iter().collect();
        for id in ids {
            let credited = arrived.get(id).map_or(settled.get(id).copied().unwrap_or_default(), |money| money.minor());
            let back = of_payments.get(id).copied().unwrap_or_default();
            if back > credited {
                let [back, credited] = [back, credited].map(money);
                found.problem(format!("of payment {id} {back} was taken back, but only {credited} had been credited"));
            }
        }
    }
    Ok(())
}
