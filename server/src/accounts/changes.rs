//! Changes to an account by operators, other than its terms: suspension, account centre settings and the operators' note. Each change is
//! recorded in the audit log.
use crate::api_keys::queries::{revoke_access_token, rotate_access_token};
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::ledger::lock_wallet;
use crate::schema::accounts;
use crate::security::SecretKey;
use chrono::NaiveDateTime;
use postern_core::account::AccountState;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;

/// The account centre settings.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Flags {
    pub show_invitation_code: bool,
    pub show_access_token: bool,
}

pub fn flags_of(conn: &mut Conn, account_id: i64) -> Result<Flags, AppError> {
    let shown = accounts::table.find(account_id).select((accounts::show_invitation_code, accounts::show_access_token));
    let found: Option<(bool, bool)> = shown.first(conn).optional()?;
    let (show_invitation_code, show_access_token) = found.ok_or_else(|| AppError::code(Code::NotFound))?;
    Ok(Flags { show_invitation_code, show_access_token })
}

/// Refuses a closed account. Locks its wallet, as closing does, so that the two cannot overlap.
pub fn refuse_closed(conn: &mut Conn, account_id: i64) -> Result<(), AppError> {
    lock_wallet(conn, account_id)?;
    let closed_at: Option<NaiveDateTime> = accounts::table.find(account_id).select(accounts::closed_at).first(conn)?;
    if closed_at.is_some() { Err(AppError::in_place("accountClosed")) } else { Ok(()) }
}

/// Sets the account centre settings. Showing the access token creates it, and hiding it ends it.
pub fn set_flags(
    conn: &mut Conn,
    key: &SecretKey,
    account_id: i64,
    wanted: Flags,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    flags_of(conn, account_id)?;
    refuse_closed(conn, account_id)?;
    // Read again under the lock.
    let current = flags_of(conn, account_id)?;
    let shown = (
        accounts::show_invitation_code.eq(wanted.show_invitation_code),
        accounts::show_access_token.eq(wanted.show_access_token),
    );
    diesel::update(accounts::table.find(account_id)).set(shown).execute(conn)?;
    match (current.show_access_token, wanted.show_access_token) {
        (false, true) => drop(rotate_access_token(conn, key, account_id, now)?),
        (true, false) => drop(revoke_access_token(conn, account_id, now)?),
        _ => {}
    }
    let changes: Vec<AuditChange> = [
        AuditChange::between(AuditField::InvitationCode, current.show_invitation_code, wanted.show_invitation_code),
        AuditChange::between(AuditField::AccessToken, current.show_access_token, wanted.show_access_token),
    ]
    .into_iter()
    .flatten()
    .collect();
    if changes.is_empty() {
        return Ok(());
    }
    audit::record(conn, actor, Entry::new(AuditAction::AccountCenter).account(account_id).changes(changes), now)
}

/// Suspends or resumes an account, effective from its next request. Does nothing if the account is already in this state.
pub fn set_state(
    conn: &mut Conn,
    account_id: i64,
    state: AccountState,
    reason: &str,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    refuse_closed(conn, account_id)?;
    let other = accounts::table.find(account_id).filter(accounts::state.ne(state));
    if diesel::update(other).set(accounts::state.eq(state)).execute(conn)? == 0 {
        return Ok(());
    }
    let action = match state {
        AccountState::Suspended => AuditAction::AccountSuspended,
        AccountState::Active => AuditAction::AccountResumed,
    };
    audit::record(conn, actor, Entry::new(action).account(account_id).reason(reason), now)
}

/// Saves the operators' note about an account. Its text is not in the audit log, from which closing the account could not delete it.
pub fn set_note(
    conn: &mut Conn,
    account_id: i64,
    note: &str,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    refuse_closed(conn, account_id)?;
    let before: String = accounts::table.find(account_id).select(accounts::note).first(conn)?;
    if before == note {
        return Ok(());
    }
    diesel::update(accounts::table.find(account_id)).set(accounts::note.eq(note)).execute(conn)?;
    audit::record(conn, actor, Entry::new(AuditAction::AccountNote).account(account_id), now)
}
