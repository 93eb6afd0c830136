//! Referrals as rows: created at sign-up, marked for review, approved or refused.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::referrals::rules;
use crate::schema::referrals;
use chrono::NaiveDateTime;
use postern_core::referral::{ReferralDoubt, ReferralReview};

/// Records that an account signed up with another's invitation code, under the current rule.
pub fn insert(conn: &mut Conn, account_id: i64, referrer_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let rule_id = rules::in_force(conn, now)?.map(|rule| rule.id);
    let row = (
        referrals::account_id.eq(account_id),
        referrals::referrer_id.eq(referrer_id),
        referrals::rule_id.eq(rule_id),
        referrals::created_at.eq(now),
    );
    diesel::insert_into(referrals::table).values(row).execute(conn)?;
    Ok(())
}

/// Locks a referral until the transaction ends, and returns its referrer and its review.
pub fn lock(conn: &mut Conn, account_id: i64) -> Result<Option<(i64, ReferralReview)>, AppError> {
    let row = referrals::table.find(account_id).select((referrals::referrer_id, referrals::review));
    Ok(match conn {
        // Does not block inserts of commissions, which reference this row.
        Conn::Postgres(conn) => row.for_no_key_update().first(conn).optional()?,
        Conn::Sqlite(conn) => row.first(conn).optional()?,
    })
}

/// Marks a referral for review, unless it was marked before.
pub fn mark(conn: &mut Conn, account_id: i64, doubts: &[ReferralDoubt]) -> Result<(), AppError> {
    let unmarked = referrals::table.find(account_id).filter(referrals::review.eq(ReferralReview::None));
    let marked = (referrals::review.eq(ReferralReview::ToReview), referrals::doubts.eq(serde_json::to_string(doubts)?));
    diesel::update(unmarked).set(marked).execute(conn)?;
    Ok(())
}

/// Records an operator's decision. The referral must be locked.
pub fn decide(
    conn: &mut Conn,
    account_id: i64,
    review: ReferralReview,
    note: &str,
    user_id: i64,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let decided = (
        referrals::review.eq(review),
        referrals::note.eq(note),
        referrals::reviewed_by.eq(user_id),
        referrals::reviewed_at.eq(now),
    );
    diesel::update(referrals::table.find(account_id)).set(decided).execute(conn)?;
    Ok(())
}
