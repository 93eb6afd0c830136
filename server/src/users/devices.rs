//! SQL about known devices. Of a device's id only the hash is stored.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::known_devices::dsl;
use crate::schema::users;
use crate::security::{new_token, sha256};
use chrono::NaiveDateTime;
use postern_core::account::{KNOWN_DEVICES_PER_USER, is_device_id};

/// The hash of a device's id if it has signed in with this address before. Runs the same query whether or not the address has an account, and for any
/// id.
pub fn known(conn: &mut Conn, email: &str, device_id: &str) -> Result<Option<String>, AppError> {
    let device = dsl::known_devices
        .inner_join(users::table.on(users::id.eq(dsl::user_id)))
        .filter(users::email.eq(email))
        .filter(dsl::device_sha256.eq(sha256(device_id)));
    Ok(device.select(dsl::device_sha256).first(conn).optional()?)
}

/// Whether the device with this id has not signed in to this user before.
pub fn is_new(conn: &mut Conn, user_id: i64, device_id: &str) -> Result<bool, AppError> {
    let found = dsl::known_devices.find((user_id, sha256(device_id))).select(dsl::user_id);
    Ok(found.first::<i64>(conn).optional()?.is_none())
}

/// Stores a device and returns its id: the one sent, or a new one if none or an invalid one was sent. An invalid id is not an error, because a
/// browser may have kept one from another shop.
pub fn remember(conn: &mut Conn, user_id: i64, device_id: &str, now: NaiveDateTime) -> Result<String, AppError> {
    let id = if is_device_id(device_id) { device_id.to_owned() } else { new_token() };
    let hash = sha256(&id);
    let seen = diesel::update(dsl::known_devices.find((user_id, &hash))).set(dsl::last_seen_at.eq(now));
    if seen.execute(conn)? == 1 {
        return Ok(id);
    }
    let row =
        (dsl::user_id.eq(user_id), dsl::device_sha256.eq(hash), dsl::first_seen_at.eq(now), dsl::last_seen_at.eq(now));
    // A browser may sign in twice concurrently.
    let insert = diesel::insert_into(dsl::known_devices).values(row).on_conflict_do_nothing();
    on_either!(conn, insert.execute(conn)?);
    let others: Vec<String> = dsl::known_devices
        .filter(dsl::user_id.eq(user_id))
        .order((dsl::last_seen_at.gt(dsl::first_seen_at).desc(), dsl::last_seen_at.desc()))
        .offset(KNOWN_DEVICES_PER_USER)
        .select(dsl::device_sha256)
        .load(conn)?;
    let too_many = dsl::known_devices.filter(dsl::user_id.eq(user_id)).filter(dsl::device_sha256.eq_any(others));
    diesel::delete(too_many).execute(conn)?;
    Ok(id)
}

/// Deletes all devices of a user whose password may be compromised, and returns how many.
pub fn forget_all(conn: &mut Conn, user_id: i64) -> Result<usize, AppError> {
    Ok(diesel::delete(dsl::known_devices.filter(dsl::user_id.eq(user_id))).execute(conn)?)
}
