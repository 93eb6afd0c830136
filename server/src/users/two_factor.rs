//! SQL about two-factor authentication, and the check of codes. A code works once: the step of a one-time code is stored, and a recovery code is
//! marked as used, in the transaction that it authorises.
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{recovery_codes, two_factors, users};
use crate::security::{SecretKey, equal, hash_with_salt, hmac_sha1, new_salt};
use crate::security_log;
use crate::security_log::visitor::Visitor;
use crate::state::App;
use crate::state::costly::Share;
use crate::throttle;
use crate::users::attempts::hit_all;
use crate::users::queries::{find_credentials, lock_user};
use crate::users::sessions;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::audit::AuditAction;
use postern_core::code::Code;
use postern_core::security_log::SecurityKind;
use postern_core::two_factor::{CodeBuckets, PENDING_MINUTES, SECRET_BYTES, TypedCode, accepted_steps, one_time_code};

/// A user's two-factor authentication: on, or being set up.
#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = two_factors)]
pub struct TwoFactor {
    secret_sealed: String,
    begun_at: NaiveDateTime,
    pub turned_on_at: Option<NaiveDateTime>,
    recovery_salt: String,
}

impl TwoFactor {
    fn secret(&self, key: &SecretKey) -> Result<[u8; SECRET_BYTES], AppError> {
        let bytes = hex::decode(key.open(&self.secret_sealed).map_err(AppError::Internal)?);
        bytes
            .ok()
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or_else(|| AppError::internal("an invalid two-factor secret"))
    }

    /// Whether the secret was shown recently enough to be confirmed.
    pub fn is_pending(&self, now: NaiveDateTime) -> bool {
        self.turned_on_at.is_none() && self.begun_at + TimeDelta::minutes(PENDING_MINUTES) > now
    }

    /// The time step of this code, if it is currently accepted.
    fn step_of(&self, key: &SecretKey, code: &str, now: NaiveDateTime) -> Result<Option<i64>, AppError> {
        let secret = self.secret(key)?;
        // Compare all steps, so that the duration does not reveal which one matched.
        let steps = accepted_steps(now).map(|step| (step, one_time_code(&hmac_sha1(&secret, &step.to_be_bytes()))));
        let is_right = |right: &str| equal(right.as_bytes(), code.as_bytes());
        Ok(steps.fold(None, |found, (step, right)| if is_right(&right) { Some(step) } else { found }))
    }
}

/// A user's two-factor authentication, on or being set up.
pub fn find(conn: &mut Conn, user_id: i64) -> Result<Option<TwoFactor>, AppError> {
    Ok(two_factors::table.find(user_id).select(TwoFactor::as_select()).first(conn).optional()?)
}

/// The same, only if it is on.
pub fn in_force(conn: &mut Conn, user_id: i64) -> Result<Option<TwoFactor>, AppError> {
    Ok(find(conn, user_id)?.filter(|found| found.turned_on_at.is_some()))
}

pub fn recovery_codes_left(conn: &mut Conn, user_id: i64) -> Result<i64, AppError> {
    let unused = recovery_codes::table.filter(recovery_codes::user_id.eq(user_id));
    Ok(unused.filter(recovery_codes::used_at.is_null()).count().get_result(conn)?)
}

/// Stores a new secret, to be confirmed by a first code.
pub fn begin(
    conn: &mut Conn,
    key: &SecretKey,
    user_id: i64,
    secret: &[u8; SECRET_BYTES],
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let pending = two_factors::table.find(user_id).filter(two_factors::turned_on_at.is_null());
    diesel::delete(pending).execute(conn)?;
    let sealed = key.seal(&hex::encode(secret)).map_err(AppError::Internal)?;
    let row = (two_factors::user_id.eq(user_id), two_factors::secret_sealed.eq(sealed), two_factors::begun_at.eq(now));
    diesel::insert_into(two_factors::table).values(row).execute(conn)?;
    Ok(())
}

/// Turns it on, and marks the step of the first code as used.
pub fn turn_on(conn: &mut Conn, user_id: i64, code: &ReadCode, now: NaiveDateTime) -> Result<bool, AppError> {
    let ReadCode::OneTime(step) = code else { return Ok(false) };
    let pending = two_factors::table.find(user_id).filter(two_factors::turned_on_at.is_null());
    let change = (two_factors::turned_on_at.eq(now), two_factors::last_step.eq(step));
    Ok(diesel::update(pending).set(change).execute(conn)? == 1)
}

pub fn turn_off(conn: &mut Conn, user_id: i64) -> Result<(), AppError> {
    diesel::delete(recovery_codes::table.filter(recovery_codes::user_id.eq(user_id))).execute(conn)?;
    diesel::delete(two_factors::table.find(user_id)).execute(conn)?;
    Ok(())
}

/// Turns it off if it was turned on at this time or later, or always without one; returns whether it was on.
pub fn turn_off_since(conn: &mut Conn, user_id: i64, since: Option<NaiveDateTime>) -> Result<bool, AppError> {
    let Some(found) = find(conn, user_id)? else { return Ok(false) };
    if found.turned_on_at.zip(since).is_some_and(|(turned_on_at, since)| turned_on_at < since) {
        return Ok(false);
    }
    turn_off(conn, user_id)?;
    Ok(found.turned_on_at.is_some())
}

/// Turns it off for the user with this e-mail address, as a command on the server.
pub fn turn_off_of(conn: &mut Conn, email: &str, actor: &Actor, now: NaiveDateTime) -> Result<(), AppError> {
    let found = find_credentials(conn, &email.trim().to_lowercase())?;
    let user_id = found.ok_or_else(|| AppError::code(Code::NotFound))?.user_id;
    turn_off_as_operator(conn, user_id, "", actor, now)
}

/// Turns it off for a user who has lost the app and all recovery codes. Ends all sessions and notifies the user.
pub fn turn_off_as_operator(
    conn: &mut Conn,
    user_id: i64,
    reason: &str,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    lock_user(conn, user_id)?;
    if in_force(conn, user_id)?.is_none() {
        return Err(AppError::state_forbids("off"));
    }
    turn_off(conn, user_id)?;
    sessions::revoke_others(conn, user_id, None, now)?;
    let account_id = users::table.find(user_id).select(users::account_id).first(conn)?;
    audit::record(conn, actor, Entry::new(AuditAction::TwoFactorOff).account(account_id).reason(reason), now)?;
    security_log::note(conn, user_id, SecurityKind::TwoFactorOff, &Visitor::command(), "", now)
}

/// Turns it off for all users of the shop, after its secret key was lost: no code could be compared any more. Returns the account of each.
pub fn turn_off_all(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<i64>, AppError> {
    let on = two_factors::table.inner_join(users::table.on(users::id.eq(two_factors::user_id)));
    let on = on.filter(two_factors::turned_on_at.is_not_null()).order(users::id);
    let on: Vec<(i64, i64)> = on.select((users::id, users::account_id)).load(conn)?;
    for (user_id, _) in &on {
        turn_off(conn, *user_id)?;
        security_log::write(conn, *user_id, SecurityKind::TwoFactorOff, &Visitor::command(), "", now)?;
    }
    // Those that were being set up.
    diesel::delete(two_factors::table).execute(conn)?;
    Ok(on.into_iter().map(|user| user.1).collect())
}

/// Hashed recovery codes. Each has 50 bits, so the hash must be a slow one (ASVS 5.0, 6.5.2); one salt per set allows a check with a single hash.
#[derive(Default)]
pub struct HashedCodes {
    salt: String,
    hashes: Vec<String>,
}

pub async fn hash_codes(share: &Share<'_>, codes: &[String]) -> Result<HashedCodes, AppError> {
    let codes = codes.to_vec();
    if codes.is_empty() {
        return Ok(HashedCodes::default());
    }
    let hash = move || {
        let salt = new_salt();
        let plain = codes.iter().filter_map(|code| match TypedCode::parse(code) {
            Some(TypedCode::Recovery(code)) => Some(code),
            _ => None,
        });
        let hashes: Result<Vec<String>, _> = plain.map(|code| hash_with_salt(&code, &salt)).collect();
        Ok(HashedCodes { salt, hashes: hashes? })
    };
    share.run(hash).await?
}

/// Replaces all recovery codes.
pub fn replace_codes(conn: &mut Conn, user_id: i64, codes: &HashedCodes) -> Result<(), AppError> {
    diesel::delete(recovery_codes::table.filter(recovery_codes::user_id.eq(user_id))).execute(conn)?;
    let salt = two_factors::recovery_salt.eq(&codes.salt);
    diesel::update(two_factors::table.find(user_id)).set(salt).execute(conn)?;
    for hash in &codes.hashes {
        let row = (recovery_codes::user_id.eq(user_id), recovery_codes::code_hash.eq(hash));
        diesel::insert_into(recovery_codes::table).values(row).execute(conn)?;
    }
    Ok(())
}

/// A code that was compared with the secret, or hashed, before the transaction that consumes it.
#[derive(Clone, Debug)]
pub enum ReadCode {
    /// The time step of the code.
    OneTime(i64),
    /// The hash of a possible recovery code.
    Recovery(String),
    Wrong,
}

/// Counts an attempt and reads the code. Attempts above the limits are refused without a comparison. A recovery code is hashed within this share.
pub async fn read_code(
    app: &App,
    share: &Share<'_>,
    buckets: &CodeBuckets,
    two_factor: &TwoFactor,
    text: &str,
) -> Result<ReadCode, AppError> {
    hit_all(app, buckets.limits.clone()).await?;
    match TypedCode::parse(text) {
        Some(TypedCode::OneTime(code)) => {
            let step = two_factor.step_of(&app.key, &code, app.clock.now())?;
            Ok(step.map_or(ReadCode::Wrong, ReadCode::OneTime))
        }
        Some(TypedCode::Recovery(code)) => {
            let salt = two_factor.recovery_salt.clone();
            if salt.is_empty() {
                return Ok(ReadCode::Wrong);
            }
            Ok(ReadCode::Recovery(share.run(move || hash_with_salt(&code, &salt)).await??))
        }
        None => Ok(ReadCode::Wrong),
    }
}

/// Consumes a code; false if it is wrong or was used before. Of two concurrent requests with the same code, one succeeds. Call it in the transaction
/// that the code authorises.
pub fn use_code(
    conn: &mut Conn,
    user_id: i64,
    code: &ReadCode,
    buckets: &CodeBuckets,
    now: NaiveDateTime,
) -> Result<bool, AppError> {
    let used = match code {
        ReadCode::OneTime(step) => {
            let newer = two_factors::table.find(user_id).filter(two_factors::turned_on_at.is_not_null());
            let newer = newer.filter(two_factors::last_step.lt(step));
            diesel::update(newer).set(two_factors::last_step.eq(step)).execute(conn)?
        }
        ReadCode::Recovery(hash) => {
            let unused = recovery_codes::table.find((user_id, hash)).filter(recovery_codes::used_at.is_null());
            diesel::update(unused).set(recovery_codes::used_at.eq(now)).execute(conn)?
        }
        ReadCode::Wrong => 0,
    };
    if used == 1 {
        reset_attempts(conn, buckets)?;
    }
    Ok(used == 1)
}

/// Resets the attempt counts after a correct code.
pub fn reset_attempts(conn: &mut Conn, buckets: &CodeBuckets) -> Result<(), AppError> {
    throttle::clear(conn, buckets.bucket_to_reset())?;
    buckets.bucket_to_undo().map_or(Ok(()), |bucket| throttle::undo_hit(conn, bucket))
}
