//! Rate limits shared by all processes: a number of hits per bucket and window.
use crate::db::on_either;
use crate::db::prelude::*;
use crate::db::{Conn, Database};
use crate::error::AppError;
use crate::schema::throttles::dsl;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::account::Throttle;
use std::future::Future;

/// Counts a hit; above the limit it is refused with the time to wait. The count is exact: concurrent hits are serialised.
pub fn hit(conn: &mut Conn, bucket: &str, throttle: Throttle, now: NaiveDateTime) -> Result<(), AppError> {
    loop {
        let running = dsl::throttles.filter(dsl::bucket.eq(bucket)).filter(dsl::window_ends_at.gt(now));
        let counted: Option<(i32, NaiveDateTime)> = diesel::update(running)
            .set(dsl::hits.eq(dsl::hits + 1))
            .returning((dsl::hits, dsl::window_ends_at))
            .get_result(conn)
            .optional()?;
        if let Some((hits, window_ends_at)) = counted {
            if hits <= throttle.hits {
                return Ok(());
            }
            let retry_after_ms = (window_ends_at - now).num_milliseconds();
            return Err(AppError::too_many(retry_after_ms));
        }
        if open_window(conn, bucket, now + TimeDelta::minutes(throttle.window_minutes), now)? {
            return Ok(());
        }
    }
}

/// Starts a new window with one hit; false if a concurrent hit has just started one.
fn open_window(conn: &mut Conn, bucket: &str, ends_at: NaiveDateTime, now: NaiveDateTime) -> Result<bool, AppError> {
    let over = dsl::throttles.filter(dsl::bucket.eq(bucket)).filter(dsl::window_ends_at.le(now));
    diesel::delete(over).execute(conn)?;
    let row = (dsl::bucket.eq(bucket), dsl::hits.eq(1), dsl::window_ends_at.eq(ends_at));
    let insert = diesel::insert_into(dsl::throttles).values(row).on_conflict_do_nothing();
    let inserted = on_either!(conn, insert.execute(conn)?);
    Ok(inserted == 1)
}

/// Does work that counts only if it fails like this. It counts before the work, so that concurrent calls count too, and takes the hit back otherwise.
pub async fn counting<T>(
    db: &Database,
    bucket: String,
    throttle: Throttle,
    now: NaiveDateTime,
    counts: impl Fn(&AppError) -> bool,
    work: impl Future<Output = Result<T, AppError>>,
) -> Result<T, AppError> {
    let counted = bucket.clone();
    db.write(move |conn| hit(conn, &counted, throttle, now)).await?;
    let done = work.await;
    if !done.as_ref().is_err_and(counts) {
        db.write(move |conn| undo_hit(conn, &bucket)).await?;
    }
    done
}

/// Resets a bucket.
pub fn clear(conn: &mut Conn, bucket: &str) -> Result<(), AppError> {
    diesel::delete(dsl::throttles.find(bucket)).execute(conn)?;
    Ok(())
}

/// Undoes one hit.
pub fn undo_hit(conn: &mut Conn, bucket: &str) -> Result<(), AppError> {
    let counted = dsl::throttles.filter(dsl::bucket.eq(bucket)).filter(dsl::hits.gt(0));
    diesel::update(counted).set(dsl::hits.eq(dsl::hits - 1)).execute(conn)?;
    Ok(())
}
