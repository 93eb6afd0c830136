//! SQL about account pictures.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::avatars;
use chrono::NaiveDateTime;

/// Stores a picture, replacing the previous one.
pub fn keep(conn: &mut Conn, account_id: i64, png: &[u8], now: NaiveDateTime) -> Result<(), AppError> {
    let row = (avatars::account_id.eq(account_id), avatars::png.eq(png), avatars::changed_at.eq(now));
    let insert = diesel::insert_into(avatars::table)
        .values(row)
        .on_conflict(avatars::account_id)
        .do_update()
        .set((avatars::png.eq(png), avatars::changed_at.eq(now)));
    on_either!(conn, insert.execute(conn)?);
    Ok(())
}

pub fn find(conn: &mut Conn, account_id: i64) -> Result<Option<Vec<u8>>, AppError> {
    Ok(avatars::table.find(account_id).select(avatars::png).first(conn).optional()?)
}

pub fn delete(conn: &mut Conn, account_id: i64) -> Result<(), AppError> {
    diesel::delete(avatars::table.find(account_id)).execute(conn)?;
    Ok(())
}

/// When the account's picture was last changed, if it has one.
pub fn changed_at(conn: &mut Conn, account_id: i64) -> Result<Option<NaiveDateTime>, AppError> {
    Ok(avatars::table.find(account_id).select(avatars::changed_at).first(conn).optional()?)
}
