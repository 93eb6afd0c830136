//! Commission rules as rows, each with its start. Rules are added and never changed.
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::referrals::types::RuleView;
use crate::schema::{referral_rules, users};
use chrono::NaiveDateTime;
use diesel::result::DatabaseErrorKind;
use diesel::result::Error::DatabaseError;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::money::display_percent;
use postern_core::referral::{PENDING_DAYS, ReferralRule};
use postern_core::time::to_wire;

/// Maximum rules in the list.
const SHOWN: i64 = 100;

pub struct RuleRow {
    pub id: i64,
    pub rate_basis_points: u32,
    pub valid_from: NaiveDateTime,
}

impl RuleRow {
    pub fn view(&self) -> RuleView {
        RuleView {
            rate_basis_points: self.rate_basis_points,
            rate: display_percent(self.rate_basis_points),
            pending_days: PENDING_DAYS,
            valid_from: to_wire(self.valid_from),
            is_in_force: false,
            added_by: None,
        }
    }
}

/// A stored rate.
pub fn rate_of(stored: i32) -> Result<u32, AppError> {
    u32::try_from(stored).map_err(|_| AppError::internal("a commission rate below zero"))
}

fn row((id, rate, valid_from): (i64, i32, NaiveDateTime)) -> Result<RuleRow, AppError> {
    Ok(RuleRow { id, rate_basis_points: rate_of(rate)?, valid_from })
}

macro_rules! columns {
    () => {
        (referral_rules::id, referral_rules::rate_basis_points, referral_rules::valid_from)
    };
}

/// The rule for accounts that sign up at this time.
pub fn in_force(conn: &mut Conn, at: NaiveDateTime) -> Result<Option<RuleRow>, AppError> {
    let begun = referral_rules::table.filter(referral_rules::valid_from.le(at));
    let latest = begun.order(referral_rules::valid_from.desc()).select(columns!());
    latest.first(conn).optional()?.map(row).transpose()
}

/// The next rule, if one has been added.
pub fn next(conn: &mut Conn, at: NaiveDateTime) -> Result<Option<RuleRow>, AppError> {
    let later = referral_rules::table.filter(referral_rules::valid_from.gt(at));
    later.order(referral_rules::valid_from).select(columns!()).first(conn).optional()?.map(row).transpose()
}

/// The rules, newest first.
pub fn list(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<RuleView>, AppError> {
    let in_force = in_force(conn, now)?.map(|rule| rule.id);
    let rows: Vec<((i64, i32, NaiveDateTime), Option<String>)> = referral_rules::table
        .left_join(users::table.on(users::id.nullable().eq(referral_rules::user_id)))
        .order(referral_rules::valid_from.desc())
        .limit(SHOWN)
        .select((columns!(), users::email.nullable()))
        .load(conn)?;
    let view = |(columns, added_by): ((i64, i32, NaiveDateTime), Option<String>)| {
        let rule = row(columns)?;
        Ok(RuleView { is_in_force: Some(rule.id) == in_force, added_by, ..rule.view() })
    };
    rows.into_iter().map(view).collect()
}

/// Adds a rule; `user_id` is `None` for a command on the server.
pub fn add(conn: &mut Conn, rule: &ReferralRule, actor: &Actor, now: NaiveDateTime) -> Result<(), AppError> {
    let row = (
        referral_rules::rate_basis_points.eq(i32::try_from(rule.rate_basis_points).unwrap_or(i32::MAX)),
        referral_rules::valid_from.eq(rule.valid_from),
        referral_rules::user_id.eq(actor.user_id),
        referral_rules::created_at.eq(now),
    );
    match diesel::insert_into(referral_rules::table).values(row).execute(conn) {
        Ok(_) => {
            let rate = AuditChange::new(AuditField::Rate, display_percent(rule.rate_basis_points));
            let from = AuditChange::new(AuditField::ValidFrom, to_wire(rule.valid_from));
            audit::record(conn, actor, Entry::new(AuditAction::ReferralRuleAdded).changes([rate, from]), now)
        }
        Err(DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Err(AppError::code(Code::EditConflict)),
        Err(error) => Err(error.into()),
    }
}
