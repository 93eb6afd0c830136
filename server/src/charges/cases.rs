//! Cases of payments, as rows: what operators have to look at, because gateway and books would otherwise disagree.
use crate::charges::payments::PaymentRow;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::payment_cases::dsl;
use chrono::NaiveDateTime;
use postern_core::money::{Currency, Money};
use postern_core::order::PaymentMethod;
use postern_core::payment_case::PaymentCaseKind;

/// What is to be looked at.
pub struct NewCase<'a> {
    pub kind: PaymentCaseKind,
    pub gateway: PaymentMethod,
    /// The payment; if the shop does not know it, the gateway's id.
    pub about: Result<&'a PaymentRow, &'a str>,
    /// The shop's currency.
    pub currency: Currency,
    pub credited: Option<Money>,
    /// What the gateway says, in its currency.
    pub reported: Option<(Money, Currency)>,
}

/// Opens a case, or opens it again if the amounts are others than before, or it is about another refund. A difference that an operator has seen stays
/// closed.
pub fn open(conn: &mut Conn, new: &NewCase, now: NaiveDateTime) -> Result<(), AppError> {
    let subject = new.about.map_or_else(|id| id, |payment| payment.public_id.as_str());
    let amounts = (
        dsl::credited_minor.eq(new.credited.map(Money::minor)),
        dsl::reported_minor.eq(new.reported.map(|reported| reported.0.minor())),
    );
    let same = dsl::payment_cases.filter(dsl::kind.eq(new.kind)).filter(dsl::subject.eq(subject));
    let known: Option<(Option<i64>, Option<i64>)> =
        same.select((dsl::credited_minor, dsl::reported_minor)).first(conn).optional()?;
    let opened =
        (dsl::opened_at.eq(now), dsl::closed_at.eq(None::<NaiveDateTime>), dsl::closed_by.eq(""), dsl::note.eq(""));
    match known {
        Some(known)
            if !new.kind.is_of_refund()
                && known == (new.credited.map(Money::minor), new.reported.map(|one| one.0.minor())) => {}
        Some(_) => {
            diesel::update(same).set((amounts, opened)).execute(conn)?;
        }
        None => {
            let payment = new.about.ok();
            let row = (
                dsl::gateway.eq(new.gateway),
                dsl::kind.eq(new.kind),
                dsl::subject.eq(subject),
                dsl::payment_id.eq(payment.map(|payment| payment.id)),
                dsl::due_minor.eq(payment.map(|payment| payment.amount_minor)),
                dsl::currency.eq(new.currency),
                dsl::reported_currency.eq(new.reported.map(|reported| reported.1)),
            );
            diesel::insert_into(dsl::payment_cases).values((row, amounts, opened)).execute(conn)?;
        }
    }
    Ok(())
}

/// Closes a case that was settled elsewhere, if it is open.
pub fn close(
    conn: &mut Conn,
    payment: &PaymentRow,
    kind: PaymentCaseKind,
    (email, note): (&str, &str),
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let open = dsl::payment_cases.filter(dsl::kind.eq(kind)).filter(dsl::subject.eq(&payment.public_id));
    let closed = (dsl::closed_at.eq(now), dsl::closed_by.eq(email), dsl::note.eq(note));
    diesel::update(open.filter(dsl::closed_at.is_null())).set(closed).execute(conn)?;
    Ok(())
}

/// Notes that all of what was due has arrived in the end; an operator may have to deliver what it was paid for.
pub fn note_rest(conn: &mut Conn, payment_id: i64, credited: Money, reported: Money) -> Result<(), AppError> {
    let same = dsl::payment_cases.filter(dsl::payment_id.eq(payment_id));
    let same = same.filter(dsl::kind.eq(PaymentCaseKind::OtherAmount));
    let amounts = (dsl::credited_minor.eq(credited.minor()), dsl::reported_minor.eq(reported.minor()));
    diesel::update(same).set(amounts).execute(conn)?;
    Ok(())
}
