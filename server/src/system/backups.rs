//! The rows of backups: which were written, and when.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::backups::dsl;
use crate::system::types::BackupView;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::business::BACKUP_DAYS;
use postern_core::time::to_wire;

const SHOWN: i64 = 30;

/// A backup that was written and read back.
pub struct Written {
    pub began_at: NaiveDateTime,
    pub took_ms: i64,
    pub bytes: i64,
    pub is_encrypted: bool,
    pub file_name: String,
}

pub fn record(conn: &mut Conn, backup: &Written) -> Result<(), AppError> {
    let row = (
        dsl::began_at.eq(backup.began_at),
        dsl::took_ms.eq(backup.took_ms),
        dsl::bytes.eq(backup.bytes),
        dsl::is_encrypted.eq(backup.is_encrypted),
        dsl::file_name.eq(&backup.file_name),
    );
    diesel::insert_into(dsl::backups).values(row).execute(conn)?;
    Ok(())
}

/// When the last backup began.
pub fn last(conn: &mut Conn) -> Result<Option<NaiveDateTime>, AppError> {
    Ok(dsl::backups.order(dsl::id.desc()).select(dsl::began_at).first(conn).optional()?)
}

/// Whether the last backup is no older than it may be.
pub fn is_recent(conn: &mut Conn, now: NaiveDateTime) -> Result<bool, AppError> {
    Ok(last(conn)?.is_some_and(|at| now - at <= TimeDelta::days(BACKUP_DAYS)))
}

/// The last backups, newest first.
pub fn list(conn: &mut Conn) -> Result<Vec<BackupView>, AppError> {
    let rows: Vec<(NaiveDateTime, i64, i64, bool, String)> = dsl::backups
        .order(dsl::id.desc())
        .limit(SHOWN)
        .select((dsl::began_at, dsl::took_ms, dsl::bytes, dsl::is_encrypted, dsl::file_name))
        .load(conn)?;
    let view = |(began_at, took_ms, bytes, is_encrypted, file_name)| BackupView {
        began_at: to_wire(began_at),
        took_ms,
        bytes,
        is_encrypted,
        file_name,
    };
    Ok(rows.into_iter().map(view).collect())
}
