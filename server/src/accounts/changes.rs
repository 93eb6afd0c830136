//! Changes to an account by operators, other than its terms: suspension and account centre settings. Each change is recorded.
use crate::accounts::types::AccountChangeView;
use crate::api_keys::queries::{revoke_access_token, rotate_access_token};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::ledger::lock_wallet;
use crate::schema::{account_changes, accounts, users};
use crate::security::SecretKey;
use chrono::NaiveDateTime;
use postern_core::account::{AccountChange, AccountState};
use postern_core::code::Code;
use postern_core::time::to_wire;

/// Maximum number of changes shown with an account.
const SHOWN: i64 = 50;

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
    user_id: Option<i64>,
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
    if current.show_invitation_code != wanted.show_invitation_code {
        let shown = wanted.show_invitation_code;
        let change = if shown { AccountChange::InvitationCodeShown } else { AccountChange::InvitationCodeHidden };
        record(conn, account_id, change, "", user_id, now)?;
    }
    if current.show_access_token != wanted.show_access_token {
        let shown = wanted.show_access_token;
        if shown {
            rotate_access_token(conn, key, account_id, now)?;
        } else {
            revoke_access_token(conn, account_id, now)?;
        }
        let change = if shown { AccountChange::AccessTokenShown } else { AccountChange::AccessTokenHidden };
        record(conn, account_id, change, "", user_id, now)?;
    }
    Ok(())
}

/// Suspends or resumes an account, effective from its next request. Does nothing if the account is already in this state.
pub fn set_state(
    conn: &mut Conn,
    account_id: i64,
    state: AccountState,
    reason: &str,
    user_id: Option<i64>,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    refuse_closed(conn, account_id)?;
    let other = accounts::table.find(account_id).filter(accounts::state.ne(state));
    if diesel::update(other).set(accounts::state.eq(state)).execute(conn)? == 0 {
        return Ok(());
    }
    let change = match state {
        AccountState::Suspended => AccountChange::Suspended,
        AccountState::Active => AccountChange::Resumed,
    };
    record(conn, account_id, change, reason, user_id, now)
}

/// `changed_by` is `None` for a command on the server.
fn record(
    conn: &mut Conn,
    account_id: i64,
    change: AccountChange,
    reason: &str,
    user_id: Option<i64>,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    diesel::insert_into(account_changes::table)
        .values((
            account_changes::account_id.eq(account_id),
            account_changes::user_id.eq(user_id),
            account_changes::change.eq(change),
            account_changes::reason.eq(reason),
            account_changes::created_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

type Row = (NaiveDateTime, Option<String>, AccountChange, String);

/// The latest changes, newest first.
pub fn history(conn: &mut Conn, account_id: i64) -> Result<Vec<AccountChangeView>, AppError> {
    let rows: Vec<Row> = account_changes::table
        .left_join(users::table.on(users::id.nullable().eq(account_changes::user_id)))
        .filter(account_changes::account_id.eq(account_id))
        .order(account_changes::id.desc())
        .limit(SHOWN)
        .select((
            account_changes::created_at,
            users::email.nullable(),
            account_changes::change,
            account_changes::reason,
        ))
        .load(conn)?;
    let view = |(at, changed_by, change, reason): Row| AccountChangeView {
        changed_at: to_wire(at),
        changed_by,
        change,
        reason,
    };
    Ok(rows.into_iter().map(view).collect())
}
