//! Views: sessions in which an operator sees the shop as a customer. They only read, unless the seller allows some changes in each.
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::order_rows::limits;
use crate::schema::{accounts, audit_entries, sessions, users};
use chrono::NaiveDateTime;
use postern_core::account::AccountState;
use postern_core::audit::AuditAction;
use postern_core::calls::{self, Call};
use postern_core::code::Code;
use postern_core::permission::Level;
use postern_core::staff::StaffRole;
use postern_core::unpaid::Limit;
use serde_json::json;

/// The role of a user who may look at the shop as a customer; without one, their views end.
pub fn viewer_role(conn: &mut Conn, user_id: i64) -> Result<Option<StaffRole>, AppError> {
    let account = users::table.inner_join(accounts::table.on(accounts::id.eq(users::account_id)));
    let account = account.filter(users::id.eq(user_id));
    let found: Option<(Level, StaffRole, AccountState)> =
        account.select((accounts::level, accounts::staff_role, accounts::state)).first(conn).optional()?;
    let view = calls::find("Operator/ViewAsCustomer");
    let is_open =
        |level, role, state| view.is_some_and(|view| view.is_open_to(level, role, state != AccountState::Active));
    Ok(found.filter(|(level, role, state)| is_open(*level, *role, *state)).map(|(_, role, _)| role))
}

/// Records a call that changes something for the customer, before it is made. Refused with `viewOnly` if the seller allows no changes in views, and
/// with `viewChangesUsed` if this view has made all that he allows.
pub fn record_change(
    conn: &mut Conn,
    (session_id, account_id): (i64, i64),
    call: &Call,
    address: &str,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let most = limits::most(conn, Limit::ViewChanges)?;
    if most == 0 {
        return Err(AppError::in_place("viewOnly"));
    }
    // The second of two changes at once counts the first one.
    let view = sessions::table.find(session_id).select((sessions::operator_id, sessions::created_at)).locked();
    let (operator_id, begun): (Option<i64>, NaiveDateTime) = view.get_result(conn)?;
    let operator_id = operator_id.ok_or_else(|| AppError::internal("a view without an operator"))?;
    let made: i64 = audit_entries::table
        .filter(audit_entries::account_id.eq(account_id))
        .filter(audit_entries::user_id.eq(operator_id))
        .filter(audit_entries::action.eq(AuditAction::ChangedAsCustomer))
        .filter(audit_entries::at.ge(begun))
        .count()
        .get_result(conn)?;
    if made >= i64::from(most) {
        return Err(AppError::with(Code::ShownInPlace, json!({ "Key": Limit::ViewChanges.refusal(), "Max": most })));
    }
    let role = viewer_role(conn, operator_id)?.ok_or_else(|| AppError::code(Code::SignInAgain))?;
    let actor = Actor::operator(operator_id, role, None, address.to_owned());
    audit::record(conn, &actor, Entry::new(AuditAction::ChangedAsCustomer).account(account_id).subject(call.name), now)
}
