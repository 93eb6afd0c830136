//! Checks that what went back of payments was posted as recorded, that nothing else was, and that it is no more than was credited.
use super::found::{CHUNK, Verification, money};
use crate::charges::arrivals;
use crate::charges::payments::PaymentRow;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::returns::rows::{id_of_reference, reference};
use crate::schema::payment_returns::dsl;
use crate::schema::{ledger_transactions, payments};
use postern_core::ledger::EntryKind;
use std::collections::{BTreeSet, HashMap};

const KINDS: [EntryKind; 3] = [EntryKind::TakenBack, EntryKind::SentBack, EntryKind::GivenBack];

pub fn verify(conn: &mut Conn, found: &mut Verification) -> Result<(), AppError> {
    let (mut last, mut count) = (0, 0);
    loop {
        let rows: Vec<(i64, i64, i64, i32)> = dsl::payment_returns
            .filter(dsl::id.gt(last))
            .order(dsl::id)
            .limit(CHUNK)
            .select((dsl::id, dsl::payment_id, dsl::taken_minor, dsl::postings))
            .load(conn)?;
        let Some(end) = rows.last() else { break };
        last = end.0;
        let references: Vec<String> =
            rows.iter().flat_map(|row| (1..=row.3).map(|number| reference(row.0, number))).collect();
        count += references.len() as i64;
        let posted: Vec<(String, i64)> = ledger_transactions::table
            .filter(ledger_transactions::reference.eq_any(references))
            .filter(ledger_transactions::kind.eq_any(KINDS))
            .select((ledger_transactions::reference, ledger_transactions::wallet_change_minor))
            .load(conn)?;
        let mut taken: HashMap<i64, i64> = HashMap::new();
        for (reference, change) in posted {
            *taken.entry(id_of_reference(&reference).unwrap_or_default()).or_default() -= change;
        }
        for (id, _, amount, _) in &rows {
            let posted = taken.get(id).copied().unwrap_or_default();
            if posted != *amount {
                let [posted, amount] = [posted, *amount].map(money);
                found.problem(format!("return {id} has taken {amount}, the ledger {posted}"));
            }
        }
        verify_payments(conn, found, rows.iter().map(|row| row.1).collect())?;
    }
    let posted: i64 =
        ledger_transactions::table.filter(ledger_transactions::kind.eq_any(KINDS)).count().get_result(conn)?;
    if posted != count {
        found.problem(format!("the ledger has {posted} postings of money that went back, the returns {count}"));
    }
    Ok(())
}

/// Of each payment no more was taken back than was credited.
fn verify_payments(conn: &mut Conn, found: &mut Verification, ids: BTreeSet<i64>) -> Result<(), AppError> {
    for id in ids {
        let back = dsl::payment_returns.filter(dsl::payment_id.eq(id)).select(dsl::taken_minor);
        let back: i64 = back.load::<i64>(conn)?.into_iter().sum();
        let payment = payments::table.find(id).select(PaymentRow::as_select()).first(conn)?;
        let credited = arrivals::before(conn, &payment)?.credited.minor();
        if back > credited {
            let [back, credited] = [back, credited].map(money);
            found.problem(format!("of payment {id} {back} was taken back, but only {credited} had been credited"));
        }
    }
    Ok(())
}
