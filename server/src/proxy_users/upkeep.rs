//! Jobs about proxy users: new cycles, expiry, and deletion of old passwords and rows.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::proxy_users::lifecycle::{self, zone_of};
use crate::schema::proxy_users;
use crate::state::App;
use chrono::NaiveDateTime;
use chrono_tz::Tz;
use diesel::dsl::sql;
use diesel::sql_types::Bool;
use postern_core::proxy_user::{ProxyUserEvent, ProxyUserState};
use std::collections::HashMap;

/// Rows changed per transaction.
const CHUNK: i64 = 200;

/// Starts the cycles that are due, and expires proxy users.
pub async fn move_on(app: &App) -> Result<(), AppError> {
    loop {
        // Of each chunk: caches look for changes of the last minute only.
        let now = app.clock.now();
        let due = app.db.read(move |conn| due(conn, now)).await?;
        if due.is_empty() {
            return Ok(());
        }
        app.db.write(move |conn| move_these(conn, &due, now)).await?;
    }
}

fn due(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<i64>, AppError> {
    let live = proxy_users::table.filter(proxy_users::deleted_at.is_null());
    let over = live.filter(proxy_users::cycle_ends_at.le(now)).order(proxy_users::cycle_ends_at).limit(CHUNK);
    let mut ids: Vec<i64> = over.select(proxy_users::id).load(conn)?;
    // Written as in the condition of the partial index.
    let expired = live.filter(proxy_users::expires_at.le(now)).filter(sql::<Bool>("state <> 'expired'"));
    ids.extend(expired.order(proxy_users::expires_at).limit(CHUNK).select(proxy_users::id).load::<i64>(conn)?);
    Ok(ids)
}

fn move_these(conn: &mut Conn, ids: &[i64], now: NaiveDateTime) -> Result<(), AppError> {
    let mut zones: HashMap<i64, Tz> = HashMap::new();
    for before in lifecycle::lock(conn, ids)? {
        if before.state == ProxyUserState::Deleted {
            continue;
        }
        let zone = match zones.get(&before.account_id) {
            Some(zone) => *zone,
            None => *zones.entry(before.account_id).or_insert(zone_of(conn, before.account_id)?),
        };
        let mut after = before.clone();
        after.advance(zone, now);
        if after.expires_at.is_some_and(|expires_at| expires_at <= now)
            && let Err(refused) = after.apply(ProxyUserEvent::Expire)
        {
            tracing::debug!(state = refused.state.as_str(), "a proxy user has already expired");
        }
        lifecycle::write(conn, &before, &after, now)?;
    }
    Ok(())
}

/// Deletes old passwords that no longer work, and rows of proxy users deleted long ago.
pub async fn forget(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let forgotten = app.db.write(move |conn| {
        let outlived = proxy_users::table.filter(proxy_users::old_valid_until.le(now));
        diesel::update(outlived)
            .set((
                proxy_users::old_password_sealed.eq(None::<String>),
                proxy_users::old_valid_until.eq(None::<NaiveDateTime>),
            ))
            .execute(conn)?;
        lifecycle::purge(conn, now)
    });
    forgotten.await?;
    Ok(())
}
