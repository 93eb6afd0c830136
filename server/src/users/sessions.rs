//! SQL about sessions: starting, listing, using, confirming and revoking them.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::request::SignedIn;
use crate::locations::Locations;
use crate::schema::sessions::{self, dsl};
use crate::security::{new_token, sha256};
use crate::users::security_types::Session;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::account::SESSION_DAYS;
use postern_core::security_log::{USER_AGENT_MAX_LENGTH, device_name};
use postern_core::time::to_wire;

/// Maximum sessions shown: the most recently used.
const SHOWN: i64 = 200;

/// Starts a session and returns its token, which is not stored. `confirmed_at` is when a code was entered for it.
pub fn start(
    conn: &mut Conn,
    user_id: i64,
    (address, user_agent): (&str, &str),
    confirmed_at: Option<NaiveDateTime>,
    now: NaiveDateTime,
) -> Result<String, AppError> {
    let token = new_token();
    let row = (
        dsl::user_id.eq(user_id),
        dsl::token_sha256.eq(sha256(&token)),
        dsl::address.eq(address),
        dsl::user_agent.eq(user_agent.chars().take(USER_AGENT_MAX_LENGTH).collect::<String>()),
        dsl::created_at.eq(now),
        dsl::expires_at.eq(now + TimeDelta::days(SESSION_DAYS)),
        dsl::confirmed_at.eq(confirmed_at),
    );
    diesel::insert_into(dsl::sessions).values(row).execute(conn)?;
    Ok(token)
}

/// Makes a new session a view of this operator, which only reads.
pub fn make_view(conn: &mut Conn, token: &str, operator_id: i64, expires_at: NaiveDateTime) -> Result<(), AppError> {
    let begun = dsl::sessions.filter(dsl::token_sha256.eq(sha256(token)));
    let view = (dsl::operator_id.eq(operator_id), dsl::expires_at.eq(expires_at));
    diesel::update(begun).set(view).execute(conn)?;
    Ok(())
}

/// Whether a sign-in is unfamiliar: not the user's first, and no stored session has this address and program. (Programs that send no device id would
/// otherwise be new each time.)
pub fn is_unfamiliar(conn: &mut Conn, user_id: i64, address: &str, user_agent: &str) -> Result<bool, AppError> {
    let own = dsl::sessions.filter(dsl::user_id.eq(user_id)).filter(dsl::operator_id.is_null()).select(dsl::id);
    let alike = own.filter(dsl::address.eq(address)).filter(dsl::user_agent.eq(user_agent));
    let is_first = own.first::<i64>(conn).optional()?.is_none();
    Ok(!is_first && alike.first::<i64>(conn).optional()?.is_none())
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = sessions)]
struct SessionRow {
    id: i64,
    address: String,
    user_agent: String,
    created_at: NaiveDateTime,
    last_used_at: Option<NaiveDateTime>,
    expires_at: NaiveDateTime,
}

/// The active sessions, most recently used first.
pub fn list(
    conn: &mut Conn,
    who: &SignedIn,
    locations: &Locations,
    now: NaiveDateTime,
) -> Result<Vec<Session>, AppError> {
    let alive = dsl::sessions.filter(dsl::user_id.eq(who.user_id)).filter(dsl::revoked_at.is_null());
    // An operator's view is no session of the customer's own.
    let alive = alive.filter(dsl::operator_id.is_null());
    let alive = alive.filter(dsl::expires_at.gt(now)).select(SessionRow::as_select());
    let mut rows: Vec<SessionRow> = alive.order(dsl::id.desc()).limit(SHOWN).load(conn)?;
    let own_id = who.session_id()?;
    rows.sort_by_key(|row| std::cmp::Reverse((row.id == own_id, row.last_used_at.unwrap_or(row.created_at))));
    let view = |row: SessionRow| Session {
        session_id: row.id,
        device: device_name(&row.user_agent),
        place: locations.name(&row.address, who.language),
        address: row.address,
        created_at: to_wire(row.created_at),
        last_used_at: to_wire(row.last_used_at.unwrap_or(row.created_at)),
        expires_at: to_wire(row.expires_at),
        is_current: row.id == own_id,
    };
    Ok(rows.into_iter().map(view).collect())
}

/// Records that a code was entered in a session.
pub fn confirm(conn: &mut Conn, session_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    diesel::update(dsl::sessions.find(session_id)).set(dsl::confirmed_at.eq(now)).execute(conn)?;
    Ok(())
}

/// Ends a session of this user, and returns its device and address; `None` if there is no such session.
pub fn revoke(
    conn: &mut Conn,
    user_id: i64,
    session_id: i64,
    now: NaiveDateTime,
) -> Result<Option<(String, String)>, AppError> {
    let alive = dsl::sessions.find(session_id).filter(dsl::user_id.eq(user_id)).filter(dsl::revoked_at.is_null());
    let ended = diesel::update(alive).set(dsl::revoked_at.eq(now)).returning((dsl::user_agent, dsl::address));
    let ended: Option<(String, String)> = ended.get_result(conn).optional()?;
    Ok(ended.map(|(user_agent, address)| (device_name(&user_agent), address)))
}

/// Ends all sessions of a user except this one, and returns how many.
pub fn revoke_others(conn: &mut Conn, user_id: i64, but: Option<i64>, now: NaiveDateTime) -> Result<usize, AppError> {
    let others = dsl::sessions.filter(dsl::user_id.eq(user_id)).filter(dsl::revoked_at.is_null());
    let others = others.filter(dsl::id.ne(but.unwrap_or_default()));
    Ok(diesel::update(others).set(dsl::revoked_at.eq(now)).execute(conn)?)
}
