//! The state machine of proxy users and its only writer: a row is locked, moved by core's table, and written back.
use crate::db::prelude::*;
use crate::db::{CachedStatement, Conn, update_cached};
use crate::error::AppError;
use crate::schema::{endpoint_lists, proxy_user_addresses, proxy_users, users};
use chrono::{NaiveDateTime, SubsecRound, TimeDelta};
use chrono_tz::Tz;
use diesel::sql_query;
use diesel::sql_types::{BigInt, Text};
use postern_core::order::NotAllowed;
use postern_core::proxy_user::{
    LimitCycle, ProxyUserEvent, ProxyUserState, cycle_of, is_exhausted, next_proxy_user_state,
};
use postern_core::proxy_user_form::DELETED_KEPT_DAYS;
use postern_core::time::time_zone;
use postern_core::usage::add_bytes;
use serde::Serialize;

/// The fields of a proxy user that decide about its connections, locked until the transaction ends.
#[derive(Clone, PartialEq, Queryable, Selectable)]
#[diesel(table_name = proxy_users)]
pub struct Locked {
    pub id: i64,
    pub account_id: i64,
    pub name: String,
    pub state: ProxyUserState,
    pub limit_bytes: Option<i64>,
    pub limit_cycle: LimitCycle,
    pub used_bytes: i64,
    pub total_bytes: i64,
    pub cycle_starts_at: NaiveDateTime,
    pub cycle_ends_at: Option<NaiveDateTime>,
    pub expires_at: Option<NaiveDateTime>,
    pub last_used_at: Option<NaiveDateTime>,
    pub created_at: NaiveDateTime,
    pub changed_at: NaiveDateTime,
    pub deleted_at: Option<NaiveDateTime>,
}

/// Locks these proxy users in the order of their ids, including deleted ones. All code that locks several proxy users must use this.
pub fn lock(conn: &mut Conn, ids: &[i64]) -> Result<Vec<Locked>, AppError> {
    let rows = proxy_users::table.filter(proxy_users::id.eq_any(ids)).order(proxy_users::id);
    Ok(match conn {
        Conn::Postgres(conn) => rows.select(Locked::as_select()).for_update().load(conn)?,
        // On SQLite the write transaction already locks the whole database.
        Conn::Sqlite(conn) => rows.select(Locked::as_select()).load(conn)?,
    })
}

/// The time zone of the account's cycles: that of its first user.
pub fn zone_of(conn: &mut Conn, account_id: i64) -> Result<Tz, AppError> {
    let first = users::table.filter(users::account_id.eq(account_id)).order(users::id).select(users::time_zone);
    let name: Option<String> = first.first(conn).optional()?;
    Ok(name.and_then(|name| time_zone(&name)).unwrap_or(Tz::UTC))
}

impl Locked {
    /// Applies an event by core's table, then re-evaluates the limit if the event may have changed it.
    pub fn apply(&mut self, event: ProxyUserEvent) -> Result<(), NotAllowed<ProxyUserState>> {
        self.state = next_proxy_user_state(self.state, event)?;
        if event == ProxyUserEvent::Resume || event == ProxyUserEvent::Extend {
            self.apply_limit();
        }
        Ok(())
    }

    /// Sets the state to exhausted or active, depending on whether the limit is used up.
    pub fn apply_limit(&mut self) {
        let event = if self.is_used_up() { ProxyUserEvent::Exhaust } else { ProxyUserEvent::Reset };
        if matches!(self.state, ProxyUserState::Active | ProxyUserState::Exhausted)
            && let Ok(next) = next_proxy_user_state(self.state, event)
        {
            self.state = next;
        }
    }

    fn is_used_up(&self) -> bool {
        is_exhausted(self.limit_bytes.map(i64::unsigned_abs), self.used_bytes.unsigned_abs())
    }

    /// Starts the current cycle, if the stored one has ended.
    pub fn advance(&mut self, zone: Tz, now: NaiveDateTime) {
        if self.cycle_ends_at.is_some_and(|ends_at| ends_at <= now) {
            let cycle = cycle_of(self.limit_cycle, zone, self.created_at, now);
            (self.cycle_starts_at, self.cycle_ends_at) = (cycle.starts_at, cycle.ends_at);
            self.used_bytes = 0;
            self.apply_limit();
        }
    }

    /// Resets the usage to zero and starts a cycle now.
    pub fn reset(&mut self, zone: Tz, now: NaiveDateTime) {
        self.used_bytes = 0;
        self.cycle_starts_at = now;
        self.cycle_ends_at = cycle_of(self.limit_cycle, zone, self.created_at, now).ends_at;
    }

    /// Counts bytes used at this time. Late usage of an earlier cycle counts only towards the total.
    pub fn count(&mut self, bytes: i64, at: NaiveDateTime) {
        self.total_bytes = add_bytes(self.total_bytes, bytes);
        // Proxy servers report whole seconds, and their clocks may be slightly behind at the first use.
        if at >= self.cycle_starts_at.trunc_subsecs(0) || self.cycle_starts_at == self.created_at {
            self.used_bytes = add_bytes(self.used_bytes, bytes);
        }
        self.last_used_at = self.last_used_at.max(Some(at));
        self.apply_limit();
    }
}

/// Writes a locked row back. `before` is the row as locked. If fields that decide about connections changed, `changed_at` moves, and always forward,
/// so that caches notice it.
pub fn write(conn: &mut Conn, before: &Locked, after: &Locked, now: NaiveDateTime) -> Result<(), AppError> {
    let decides = |row: &Locked| (row.state, row.expires_at, row.name.clone());
    let changed_at = if decides(before) == decides(after) { before.changed_at } else { moved(before.changed_at, now) };
    let is_deleted = after.state == ProxyUserState::Deleted;
    let change = diesel::update(proxy_users::table.find(after.id)).set((
        proxy_users::state.eq(after.state),
        proxy_users::name.eq(&after.name),
        proxy_users::limit_bytes.eq(after.limit_bytes),
        proxy_users::limit_cycle.eq(after.limit_cycle),
        proxy_users::used_bytes.eq(after.used_bytes),
        proxy_users::total_bytes.eq(after.total_bytes),
        proxy_users::cycle_starts_at.eq(after.cycle_starts_at),
        proxy_users::cycle_ends_at.eq(after.cycle_ends_at),
        proxy_users::expires_at.eq(after.expires_at),
        proxy_users::last_used_at.eq(after.last_used_at),
        proxy_users::changed_at.eq(changed_at),
        proxy_users::deleted_at.eq(is_deleted.then(|| after.deleted_at.unwrap_or(now))),
    ));
    update_cached(conn, change.returning(proxy_users::id))?;
    Ok(())
}

/// A row as `write_counted` writes it.
#[derive(Serialize)]
struct CountedRow {
    i: i64,
    u: i64,
    t: i64,
    /// In the time format of the database.
    l: Option<String>,
}

#[derive(QueryableByName)]
struct Written {
    #[diesel(sql_type = BigInt)]
    #[allow(dead_code)]
    id: i64,
}

const COUNTED_ON_SQLITE: &str = "UPDATE proxy_users SET used_bytes = json_extract(value, '$.u'), \
    total_bytes = json_extract(value, '$.t'), last_used_at = json_extract(value, '$.l') FROM json_each(?) \
    WHERE proxy_users.id = json_extract(value, '$.i') RETURNING proxy_users.id";

const COUNTED_ON_POSTGRES: &str = "UPDATE proxy_users SET used_bytes = u, total_bytes = t, last_used_at = l \
    FROM json_to_recordset(CAST($1 AS json)) AS line (i bigint, u bigint, t bigint, l timestamp) \
    WHERE proxy_users.id = i RETURNING proxy_users.id";

/// Writes locked rows back, each given as locked and as changed. Rows in which only the bytes have changed, which are most, take one statement.
pub fn write_counted(conn: &mut Conn, rows: Vec<(Locked, Locked)>, now: NaiveDateTime) -> Result<(), AppError> {
    let counted = |row: &Locked| Locked { used_bytes: 0, total_bytes: 0, last_used_at: None, ..row.clone() };
    let (same, moved): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|(before, after)| counted(before) == counted(after));
    for (before, after) in &moved {
        write(conn, before, after, now)?;
    }
    if same.is_empty() {
        return Ok(());
    }
    let line = |(_, row): &(Locked, Locked)| CountedRow {
        i: row.id,
        u: row.used_bytes,
        t: row.total_bytes,
        l: row.last_used_at.map(|at| at.format("%Y-%m-%d %H:%M:%S%.f").to_string()),
    };
    let lines = serde_json::to_string(&same.iter().map(line).collect::<Vec<_>>())?;
    match conn {
        Conn::Postgres(conn) => {
            CachedStatement(sql_query(COUNTED_ON_POSTGRES).bind::<Text, _>(lines)).load::<Written>(conn)?
        }
        Conn::Sqlite(conn) => {
            CachedStatement(sql_query(COUNTED_ON_SQLITE).bind::<Text, _>(lines)).load::<Written>(conn)?
        }
    };
    Ok(())
}

/// The new time of change, later than the previous one.
pub fn moved(before: NaiveDateTime, now: NaiveDateTime) -> NaiveDateTime {
    now.max(before + TimeDelta::milliseconds(1))
}

/// Marks a locked proxy user as changed after a change outside its row that affects its connections.
pub fn touch(conn: &mut Conn, row: &Locked, now: NaiveDateTime) -> Result<(), AppError> {
    let row =
        diesel::update(proxy_users::table.find(row.id)).set(proxy_users::changed_at.eq(moved(row.changed_at, now)));
    update_cached(conn, row.returning(proxy_users::id))?;
    Ok(())
}

/// Deletes a locked proxy user with its addresses and lists. The row stays for some days, for usage that is reported late.
pub fn delete(conn: &mut Conn, row: &Locked, now: NaiveDateTime) -> Result<(), AppError> {
    diesel::delete(proxy_user_addresses::table.filter(proxy_user_addresses::proxy_user_id.eq(row.id))).execute(conn)?;
    diesel::delete(endpoint_lists::table.filter(endpoint_lists::proxy_user_id.eq(row.id))).execute(conn)?;
    let deleted = Locked { state: ProxyUserState::Deleted, ..row.clone() };
    write(conn, row, &deleted, now)
}

/// Deletes the rows of proxy users that were deleted long enough ago.
pub fn purge(conn: &mut Conn, now: NaiveDateTime) -> Result<usize, AppError> {
    let old = proxy_users::table.filter(proxy_users::deleted_at.lt(now - TimeDelta::days(DELETED_KEPT_DAYS)));
    Ok(diesel::delete(old).execute(conn)?)
}

/// The state of a new proxy user.
pub fn newly_active() -> diesel::dsl::Eq<proxy_users::state, ProxyUserState> {
    proxy_users::state.eq(ProxyUserState::Active)
}
