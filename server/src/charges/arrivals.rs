//! What arrived for payments, as rows: one for each posting of received money. Money arrives in pieces where a customer pays too little, and then the
//! rest, or pays twice.
use crate::charges::payments::PaymentRow;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::payment_arrivals::dsl;
use chrono::NaiveDateTime;
use postern_core::money::Money;
use postern_core::order::PaymentState;
use std::collections::HashMap;

/// What arrived for a payment before. Its wallet must be locked.
pub struct Arrived {
    /// By charge: how much, in the currency of the charge.
    pub charges: HashMap<String, Money>,
    /// What was credited for it.
    pub credited: Money,
    count: usize,
}

impl Arrived {
    pub fn of_charge(&self, charge: &str) -> Money {
        self.charges.get(charge).copied().unwrap_or_default()
    }

    /// By all charges together.
    pub fn in_all(&self) -> Result<Money, AppError> {
        Ok(Money::sum(self.charges.values().copied())?)
    }
}

/// A payment that a version without these rows settled has none: all that was due arrived by its only charge.
pub fn before(conn: &mut Conn, payment: &PaymentRow) -> Result<Arrived, AppError> {
    let rows: Vec<(String, i64, i64)> = dsl::payment_arrivals
        .filter(dsl::payment_id.eq(payment.id))
        .select((dsl::charge, dsl::arrived_minor, dsl::credited_minor))
        .load(conn)?;
    let mut before = Arrived { charges: HashMap::new(), credited: Money::ZERO, count: rows.len() };
    if rows.is_empty() && payment.state == PaymentState::Succeeded {
        before.charges.insert(String::new(), payment.charged().0);
        before.credited = Money::from_minor(payment.amount_minor);
        before.count = 1;
    }
    for (charge, arrived, credited) in rows {
        let sum = before.charges.entry(charge).or_default();
        *sum = sum.checked_add(Money::from_minor(arrived))?;
        before.credited = before.credited.checked_add(Money::from_minor(credited))?;
    }
    Ok(before)
}

/// Records what arrived beyond `before`; returns the reference of its posting.
pub fn record(
    conn: &mut Conn,
    payment_id: i64,
    before: &Arrived,
    charge: &str,
    (arrived, credited): (Money, Money),
    now: NaiveDateTime,
) -> Result<String, AppError> {
    let reference = reference(payment_id, before.count);
    diesel::insert_into(dsl::payment_arrivals)
        .values((
            dsl::payment_id.eq(payment_id),
            dsl::charge.eq(charge),
            dsl::arrived_minor.eq(arrived.minor()),
            dsl::credited_minor.eq(credited.minor()),
            dsl::reference.eq(&reference),
            dsl::created_at.eq(now),
        ))
        .execute(conn)?;
    Ok(reference)
}

/// The reference of a payment's posting, after this many.
pub fn reference(payment_id: i64, earlier: usize) -> String {
    match earlier {
        0 => format!("payment {payment_id} received"),
        _ => format!("payment {payment_id} received, {}", earlier + 1),
    }
}

/// The payment with this reference, if it is a payment's.
pub fn id_of_reference(reference: &str) -> Option<i64> {
    reference.strip_prefix("payment ")?.split_once(" received")?.0.parse().ok()
}

/// What was credited for each of these payments for which something has arrived.
pub fn credited(conn: &mut Conn, ids: &[i64]) -> Result<HashMap<i64, Money>, AppError> {
    let mut credited: HashMap<i64, Money> = HashMap::new();
    for (id, _, amount) in references(conn, ids)? {
        let sum = credited.entry(id).or_default();
        *sum = sum.checked_add(amount)?;
    }
    Ok(credited)
}

/// What was credited for these payments, by reference.
pub fn references(conn: &mut Conn, ids: &[i64]) -> Result<Vec<(i64, String, Money)>, AppError> {
    let rows: Vec<(i64, String, i64)> = dsl::payment_arrivals
        .filter(dsl::payment_id.eq_any(ids))
        .select((dsl::payment_id, dsl::reference, dsl::credited_minor))
        .load(conn)?;
    Ok(rows.into_iter().map(|(id, reference, credited)| (id, reference, Money::from_minor(credited))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_names_its_payment() {
        for (earlier, text) in [(0, "payment 7 received"), (1, "payment 7 received, 2")] {
            assert_eq!((reference(7, earlier).as_str(), id_of_reference(text)), (text, Some(7)));
        }
        assert_eq!(id_of_reference("refund 7"), None);
    }
}
