//! SQL about proxy users: the list, adding, editing, passwords, and changing several at once.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, Page, Total};
use crate::ledger::lock_wallet;
use crate::proxy_users::lifecycle::{self, Locked, zone_of};
use crate::proxy_users::types::{EditProxyUser, ProxyUserFilter, ProxyUserView, ProxyUsersChanged, SkippedProxyUser};
use crate::schema::{proxy_users, usage_days};
use crate::security::{SecretKey, random};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use postern_core::account::node_password;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::list::{Cursor, CursorKey, PROXY_USERS};
use postern_core::proxy_server::ProxyServerKind;
use postern_core::proxy_user::{LimitCycle, ProxyUserEvent, ProxyUserState, cycle_of};
use postern_core::proxy_user_form::{MAX_PROXY_USERS, ProxyUser, ProxyUserForm, validate_proxy_user};
use postern_core::rule::Rule;
use postern_core::time::{from_wire, to_wire};
use postern_core::usage::{UsageDimension, day_of};
use std::collections::HashMap;

/// The days of `DailyBytes`.
const DAYS: usize = postern_core::constants::PROXY_USER_SHOWN_DAYS as usize;

#[derive(Queryable, Selectable)]
#[diesel(table_name = proxy_users)]
pub struct Row {
    pub id: i64,
    pub name: String,
    note: String,
    pub state: ProxyUserState,
    pub limit_bytes: Option<i64>,
    pub limit_cycle: LimitCycle,
    pub used_bytes: i64,
    total_bytes: i64,
    cycle_starts_at: NaiveDateTime,
    cycle_ends_at: Option<NaiveDateTime>,
    expires_at: Option<NaiveDateTime>,
    countries: String,
    last_used_at: Option<NaiveDateTime>,
    created_at: NaiveDateTime,
    old_valid_until: Option<NaiveDateTime>,
    pub max_connections: Option<i32>,
    pub max_megabits: Option<i32>,
}

/// The proxy users of an account, oldest first.
pub fn all(conn: &mut Conn, account_id: i64) -> Result<Vec<Row>, AppError> {
    let own = proxy_users::table.filter(proxy_users::account_id.eq(account_id));
    let own = own.filter(proxy_users::deleted_at.is_null()).order(proxy_users::id);
    Ok(own.select(Row::as_select()).load(conn)?)
}

/// A page of the list. An account has at most a few hundred, so they are sorted and searched in memory.
pub fn list(
    conn: &mut Conn,
    account_id: i64,
    request: &ListRequest,
    now: NaiveDateTime,
) -> Result<Page<ProxyUserView>, AppError> {
    let filter: ProxyUserFilter = request.filters()?;
    let asked = request.asked(&PROXY_USERS)?;
    let search = request.search.trim().to_lowercase();
    let all = all(conn, account_id)?;
    let count = |rows: usize| i64::try_from(rows).unwrap_or(i64::MAX);
    let known = count(all.len());
    let mut rows: Vec<(Row, Cursor)> = Vec::new();
    for row in all {
        let is_found = search.is_empty() || row.name.contains(&search) || row.note.to_lowercase().contains(&search);
        let countries = row.countries()?;
        let may_use =
            |country: &String| countries.is_empty() || countries.iter().any(|one| one.eq_ignore_ascii_case(country));
        let is_state = filter.state.is_none_or(|state| row.state == state);
        if is_found && is_state && filter.country.as_ref().is_none_or(may_use) {
            let keys = asked.order.sorts.iter().map(|sort| row.key(sort.field)).collect();
            let cursor = Cursor { keys, number: row.id };
            rows.push((row, cursor));
        }
    }
    rows.sort_by(|(_, one), (_, other)| asked.order.compare(one, other));
    let total = Total::exact(count(rows.len()));
    let mut rows: Vec<Row> = rows
        .into_iter()
        .filter(|(_, cursor)| asked.after.as_ref().is_none_or(|after| asked.order.compare(cursor, after).is_gt()))
        .map(|(row, _)| row)
        .skip(usize::try_from(asked.offset()).unwrap_or(usize::MAX))
        .take(asked.limit())
        .collect();
    let next = asked.cut(&mut rows, |row, field| row.key(field), |row| row.id);
    let rows = views(conn, account_id, rows, now)?;
    Ok(asked.page(rows, next, total, known))
}

impl Row {
    pub fn countries(&self) -> Result<Vec<String>, AppError> {
        Ok(serde_json::from_str(&self.countries)?)
    }

    pub fn note(&self) -> &str {
        &self.note
    }

    pub fn expires_at(&self) -> Option<NaiveDateTime> {
        self.expires_at
    }

    /// The sort key: never used sorts first, never expiring sorts last.
    fn key(&self, field: &str) -> CursorKey {
        let never = |text: &str| from_wire(text).unwrap_or_default();
        match field {
            "Name" => CursorKey::Text(self.name.clone()),
            "UsedBytes" => CursorKey::Integer(self.used_bytes),
            "LastUsedAt" => CursorKey::Time(self.last_used_at.unwrap_or_else(|| never("0001-01-01 00:00:00"))),
            _ => CursorKey::Time(self.expires_at.unwrap_or_else(|| never("9999-12-31 23:59:59"))),
        }
    }
}

fn views(conn: &mut Conn, account_id: i64, rows: Vec<Row>, now: NaiveDateTime) -> Result<Vec<ProxyUserView>, AppError> {
    let names: Vec<String> = rows.iter().map(|row| row.id.to_string()).collect();
    let today = day_of(now);
    let first = today - TimeDelta::days(DAYS as i64 - 1);
    let days: Vec<(String, NaiveDateTime, i64, i64)> = usage_days::table
        .filter(usage_days::account_id.eq(account_id))
        .filter(usage_days::kind.eq(ProxyServerKind::Residential))
        .filter(usage_days::dimension.eq(UsageDimension::User))
        .filter(usage_days::starts_at.between(first, today))
        .filter(usage_days::name.eq_any(&names))
        .select((usage_days::name, usage_days::starts_at, usage_days::upload_bytes, usage_days::download_bytes))
        .load(conn)?;
    let mut daily: HashMap<String, Vec<i64>> = HashMap::new();
    for (name, day, upload, download) in days {
        let index = usize::try_from((day - first).num_days()).unwrap_or(DAYS);
        if let Some(bytes) = daily.entry(name).or_insert_with(|| vec![0; DAYS]).get_mut(index) {
            *bytes = upload.saturating_add(download);
        }
    }
    rows.into_iter()
        .map(|row| {
            let daily_bytes = daily.remove(&row.id.to_string()).unwrap_or_else(|| vec![0; DAYS]);
            Ok(ProxyUserView {
                proxy_user_id: row.id,
                countries: row.countries()?,
                left_bytes: row.limit_bytes.map(|limit| (limit - row.used_bytes).max(0)),
                name: row.name,
                note: row.note,
                state: row.state,
                limit_bytes: row.limit_bytes,
                limit_cycle: row.limit_cycle,
                used_bytes: row.used_bytes,
                total_bytes: row.total_bytes,
                cycle_starts_at: to_wire(row.cycle_starts_at),
                cycle_ends_at: row.cycle_ends_at.map(to_wire),
                expires_at: row.expires_at.map(to_wire),
                max_connections: row.max_connections,
                max_megabits: row.max_megabits,
                last_used_at: row.last_used_at.map(to_wire),
                created_at: to_wire(row.created_at),
                old_password_until: row.old_valid_until.filter(|until| *until > now).map(to_wire),
                daily_bytes,
            })
        })
        .collect()
}

/// One proxy user of the account.
pub fn view(conn: &mut Conn, account_id: i64, id: i64, now: NaiveDateTime) -> Result<ProxyUserView, AppError> {
    let own = proxy_users::table.find(id).filter(proxy_users::account_id.eq(account_id));
    let row = own.filter(proxy_users::deleted_at.is_null()).select(Row::as_select()).first(conn).optional()?;
    let row = row.ok_or_else(|| AppError::code(Code::NotFound))?;
    views(conn, account_id, vec![row], now)?.pop().ok_or_else(|| AppError::code(Code::NotFound))
}

/// The current password of a proxy user of the account.
pub fn password_of(conn: &mut Conn, account_id: i64, id: i64, key: &SecretKey) -> Result<String, AppError> {
    let own = proxy_users::table.find(id).filter(proxy_users::account_id.eq(account_id));
    let own = own.filter(proxy_users::deleted_at.is_null()).select(proxy_users::password_sealed);
    let sealed: Option<String> = own.first(conn).optional()?;
    key.open(&sealed.ok_or_else(|| AppError::code(Code::NotFound))?).map_err(AppError::Internal)
}

fn signed(bytes: Option<u64>) -> Result<Option<i64>, AppError> {
    let convert = |bytes| i64::try_from(bytes).map_err(|_| AppError::internal("a limit of too many bytes"));
    bytes.map(convert).transpose()
}

type Limits = (
    diesel::dsl::Eq<proxy_users::max_connections, Option<i32>>,
    diesel::dsl::Eq<proxy_users::max_megabits, Option<i32>>,
);

fn limits_of(user: &ProxyUser) -> Result<Limits, AppError> {
    let number = |limit: Option<u32>| limit.map(i32::try_from).transpose();
    let convert = |_| AppError::internal("a limit that is too large");
    Ok((
        proxy_users::max_connections.eq(number(user.max_connections).map_err(convert)?),
        proxy_users::max_megabits.eq(number(user.max_megabits).map_err(convert)?),
    ))
}

pub fn name_taken(field: &str) -> AppError {
    FieldErrors::one(field, Rule::NameTaken, &[]).into()
}

/// Refuses more proxy users than an account may have. The wallet's lock serialises concurrent calls.
pub fn check_room(conn: &mut Conn, account_id: i64, more: usize, field: &str) -> Result<(), AppError> {
    lock_wallet(conn, account_id)?;
    let own = proxy_users::table.filter(proxy_users::account_id.eq(account_id));
    let present: i64 = own.filter(proxy_users::deleted_at.is_null()).count().get_result(conn)?;
    if present + i64::try_from(more).unwrap_or(i64::MAX) > i64::from(MAX_PROXY_USERS) {
        let max = [("Max", MAX_PROXY_USERS.to_string())];
        return Err(FieldErrors::one(field, Rule::TooManyProxyUsers, &max).into());
    }
    Ok(())
}

/// Adds a proxy user with its password, or a generated one; `None` if the name is taken in the shop.
pub fn insert(
    conn: &mut Conn,
    account_id: i64,
    user: &ProxyUser,
    key: &SecretKey,
    now: NaiveDateTime,
) -> Result<Option<i64>, AppError> {
    let cycle = cycle_of(user.limit_cycle, zone_of(conn, account_id)?, now, now);
    let password = user.password.clone().unwrap_or_else(|| node_password(random()));
    let row = (
        proxy_users::account_id.eq(account_id),
        proxy_users::name.eq(&user.name),
        proxy_users::password_sealed.eq(key.seal(&password).map_err(AppError::Internal)?),
        proxy_users::note.eq(&user.note),
        proxy_users::limit_bytes.eq(signed(user.limit_bytes)?),
        proxy_users::limit_cycle.eq(user.limit_cycle),
        (
            proxy_users::cycle_starts_at.eq(cycle.starts_at),
            proxy_users::cycle_ends_at.eq(cycle.ends_at),
            proxy_users::expires_at.eq(user.expires_at),
            proxy_users::countries.eq(serde_json::to_string(&user.countries)?),
            proxy_users::created_at.eq(now),
            proxy_users::changed_at.eq(now),
            limits_of(user)?,
            lifecycle::newly_active(),
        ),
    );
    let insert = diesel::insert_into(proxy_users::table).values(row).on_conflict_do_nothing();
    let insert = insert.returning(proxy_users::id);
    Ok(on_either!(conn, insert.get_result(conn).optional()?))
}

pub fn add(
    conn: &mut Conn,
    account_id: i64,
    user: &ProxyUser,
    key: &SecretKey,
    now: NaiveDateTime,
) -> Result<i64, AppError> {
    check_room(conn, account_id, 1, "Name")?;
    insert(conn, account_id, user, key, now)?.ok_or_else(|| name_taken("Name"))
}

/// A proxy user of the account, locked.
pub fn lock_own(conn: &mut Conn, account_id: i64, id: i64) -> Result<Locked, AppError> {
    let row = lifecycle::lock(conn, &[id])?.pop();
    let row = row.filter(|row| row.account_id == account_id && row.state != ProxyUserState::Deleted);
    row.ok_or_else(|| AppError::code(Code::NotFound))
}

/// Edits a proxy user. If the new limit is at or below the usage, it is exhausted at once; a higher limit reactivates it. Changing the cycle starts a
/// new one and resets the usage; a later expiry reactivates an expired one.
pub fn edit(conn: &mut Conn, account_id: i64, edit: &EditProxyUser, now: NaiveDateTime) -> Result<(), AppError> {
    let before = lock_own(conn, account_id, edit.proxy_user_id)?;
    // An unchanged expiry may be in the past.
    let is_same_expiry = before.expires_at.map(to_wire).as_deref() == Some(edit.form.expires_at.trim());
    let cleared = ProxyUserForm { password: String::new(), ..edit.form.clone() };
    let cleared = if is_same_expiry { ProxyUserForm { expires_at: String::new(), ..cleared } } else { cleared };
    let user = validate_proxy_user(&cleared, now)?;
    let mut after = before.clone();
    let zone = zone_of(conn, account_id)?;
    after.advance(zone, now);
    after.name.clone_from(&user.name);
    after.limit_bytes = signed(user.limit_bytes)?;
    if after.limit_cycle != user.limit_cycle {
        after.limit_cycle = user.limit_cycle;
        after.reset(zone, now);
    }
    if !is_same_expiry {
        after.expires_at = user.expires_at;
        if after.state == ProxyUserState::Expired {
            after.apply(ProxyUserEvent::Extend).map_err(|refused| AppError::state_forbids(refused.state.as_str()))?;
        }
    }
    after.apply_limit();
    lifecycle::write(conn, &before, &after, now).map_err(|error| match error {
        AppError::Database(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => name_taken("Name"),
        other => other,
    })?;
    let changed = (
        proxy_users::note.eq(&user.note),
        proxy_users::countries.eq(serde_json::to_string(&user.countries)?),
        limits_of(&user)?,
        // The countries and limits also decide about connections.
        proxy_users::changed_at.eq(lifecycle::moved(before.changed_at, now)),
    );
    diesel::update(proxy_users::table.find(after.id)).set(changed).execute(conn)?;
    Ok(())
}

/// Replaces the password; the old one keeps working until `old_valid_until`.
pub fn set_password(
    conn: &mut Conn,
    row: &Locked,
    password: &str,
    old_until: Option<NaiveDateTime>,
    key: &SecretKey,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let sealed = key.seal(password).map_err(AppError::Internal)?;
    let this = proxy_users::table.find(row.id);
    let old: String = this.select(proxy_users::password_sealed).first(conn)?;
    diesel::update(this)
        .set((
            proxy_users::password_sealed.eq(sealed),
            proxy_users::old_password_sealed.eq(old_until.map(|_| old)),
            proxy_users::old_valid_until.eq(old_until),
            proxy_users::changed_at.eq(lifecycle::moved(row.changed_at, now)),
        ))
        .execute(conn)?;
    Ok(())
}

/// Replaces the passwords of all proxy users of the shop, after its secret key was lost; old passwords that were still valid end. Returns the account of
/// each that is not deleted.
pub fn replace_all_passwords(conn: &mut Conn, key: &SecretKey, now: NaiveDateTime) -> Result<Vec<i64>, AppError> {
    let mut owners = Vec::new();
    let ids: Vec<i64> = proxy_users::table.order(proxy_users::id).select(proxy_users::id).load(conn)?;
    for ids in ids.chunks(1_000) {
        for row in lifecycle::lock(conn, ids)? {
            set_password(conn, &row, &node_password(random()), None, key, now)?;
            if row.state != ProxyUserState::Deleted {
                owners.push(row.account_id);
            }
        }
    }
    Ok(owners)
}

/// Applies an event to several proxy users of the account; those whose state does not allow it are skipped.
pub fn change(
    conn: &mut Conn,
    account_id: i64,
    ids: &[i64],
    event: ProxyUserEvent,
    now: NaiveDateTime,
) -> Result<ProxyUsersChanged, AppError> {
    let zone = zone_of(conn, account_id)?;
    let own = |row: &Locked| row.account_id == account_id && row.state != ProxyUserState::Deleted;
    let rows: Vec<Locked> = lifecycle::lock(conn, ids)?.into_iter().filter(own).collect();
    if rows.is_empty() {
        return Err(AppError::code(Code::NotFound));
    }
    let mut done = ProxyUsersChanged { changed: 0, skipped: Vec::new() };
    for before in rows {
        let mut after = before.clone();
        after.advance(zone, now);
        if let Err(refused) = after.apply(event) {
            done.skipped.push(SkippedProxyUser { proxy_user_id: before.id, state: refused.state });
            continue;
        }
        match event {
            ProxyUserEvent::Delete => lifecycle::delete(conn, &before, now)?,
            ProxyUserEvent::Reset => {
                after.reset(zone, now);
                lifecycle::write(conn, &before, &after, now)?;
            }
            _ => lifecycle::write(conn, &before, &after, now)?,
        }
        done.changed += 1;
    }
    Ok(done)
}
