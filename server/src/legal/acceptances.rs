//! Who accepted which version of the seller's legal texts.
use crate::db::prelude::*;
use crate::db::{Conn, on_either};
use crate::error::AppError;
use crate::legal::rows::current;
use crate::legal::types::{AcceptedText, LegalTextRef};
use crate::schema::{legal_acceptances, legal_texts};
use chrono::NaiveDateTime;
use postern_core::legal::{LegalKind, check_acceptance, not_accepted};
use postern_core::time::to_wire;

/// Refuses a sign-up that does not accept every current text.
pub fn check(conn: &mut Conn, accepted: &[i64]) -> Result<(), AppError> {
    let current: Vec<i64> = current(conn)?.iter().map(|text| text.legal_text_id).collect();
    Ok(check_acceptance(&current, accepted)?)
}

/// The current texts that a user has still to accept.
pub fn missing(conn: &mut Conn, user_id: i64) -> Result<Vec<LegalTextRef>, AppError> {
    let mut texts = current(conn)?;
    if texts.is_empty() {
        return Ok(texts);
    }
    let ids: Vec<i64> = texts.iter().map(|text| text.legal_text_id).collect();
    let own = legal_acceptances::table.filter(legal_acceptances::user_id.eq(user_id));
    let accepted = own.filter(legal_acceptances::legal_text_id.eq_any(&ids)).select(legal_acceptances::legal_text_id);
    let missing = not_accepted(&ids, &accepted.load(conn)?);
    texts.retain(|text| missing.contains(&text.legal_text_id));
    Ok(texts)
}

/// Records that a user accepts these texts. Those accepted before keep their time; ids without a text are ignored.
pub fn accept(conn: &mut Conn, user_id: i64, texts: &[i64], address: &str, now: NaiveDateTime) -> Result<(), AppError> {
    let known: Vec<i64> =
        legal_texts::table.filter(legal_texts::id.eq_any(texts)).select(legal_texts::id).load(conn)?;
    for id in known {
        let row = (
            legal_acceptances::legal_text_id.eq(id),
            legal_acceptances::user_id.eq(user_id),
            legal_acceptances::accepted_at.eq(now),
            legal_acceptances::address.eq(address),
        );
        let insert = diesel::insert_into(legal_acceptances::table).values(row).on_conflict_do_nothing();
        on_either!(conn, insert.execute(conn)?);
    }
    Ok(())
}

/// What these users have accepted, the newest first.
pub fn of_users(conn: &mut Conn, user_ids: &[i64]) -> Result<Vec<AcceptedText>, AppError> {
    let rows: Vec<(LegalKind, i32, NaiveDateTime)> = legal_acceptances::table
        .inner_join(legal_texts::table.on(legal_texts::id.eq(legal_acceptances::legal_text_id)))
        .filter(legal_acceptances::user_id.eq_any(user_ids))
        .order((legal_acceptances::accepted_at.desc(), legal_texts::id.desc()))
        .select((legal_texts::kind, legal_texts::version, legal_acceptances::accepted_at))
        .load(conn)?;
    let view = |(kind, version, at)| AcceptedText { kind, version, accepted_at: to_wire(at) };
    Ok(rows.into_iter().map(view).collect())
}
