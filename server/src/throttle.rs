//! Throttles that all processes share: so many hits per bucket and window.
use crate::db::Conn;
use crate::error::AppError;
use crate::schema::throttles::dsl;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use postern_core::account::Throttle;
use postern_core::code::Code;
use serde_json::json;

/// Counts a hit; too many are refused with the time to wait. Two hits at once can at worst both count.
pub fn hit(conn: &mut Conn, bucket: &str, throttle: Throttle, now: NaiveDateTime) -> Result<(), AppError> {
    let row: Option<(i32, NaiveDateTime)> =
        dsl::throttles.find(bucket).select((dsl::hits, dsl::window_ends_at)).first(conn).optional()?;
    match row.filter(|(_, window_ends_at)| *window_ends_at > now) {
        Some((hits, window_ends_at)) if hits >= throttle.hits => {
            let retry_after_ms = (window_ends_at - now).num_milliseconds();
            Err(AppError::with(Code::TooManyRequests, json!({ "RetryAfterMs": retry_after_ms })))
        }
        Some(_) => {
            diesel::update(dsl::throttles.find(bucket)).set(dsl::hits.eq(dsl::hits + 1)).execute(conn)?;
            Ok(())
        }
        None => {
            diesel::delete(dsl::throttles.find(bucket)).execute(conn)?;
            let window_ends_at = now + TimeDelta::minutes(throttle.window_minutes);
            let row = (dsl::bucket.eq(bucket), dsl::hits.eq(1), dsl::window_ends_at.eq(window_ends_at));
            let insert = diesel::insert_into(dsl::throttles).values(row).on_conflict_do_nothing();
            match conn {
                Conn::Postgres(conn) => insert.execute(conn)?,
                Conn::Sqlite(conn) => insert.execute(conn)?,
            };
            Ok(())
        }
    }
}
