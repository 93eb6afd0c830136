//! The calls of the group `User` about passwords, two-factor authentication, sessions and the security log.
use crate::db::Conn;
use crate::error::AppError;
use crate::events;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, SignedIn, Write, once, once_sealed};
use crate::security::random;
use crate::security_log;
use crate::security_log::types::SecurityEntry;
use crate::security_log::visitor::Visitor;
use crate::state::App;
use crate::users::access::Whose;
use crate::users::attempts::{check_password, hash_new_password, limit_new_passwords};
use crate::users::entered::{WRONG_CODE, read_entered_code, still_current};
use crate::users::recovery::replace_password;
use crate::users::security_types::*;
use crate::users::two_factor::{self, ReadCode};
use crate::users::{devices, queries, sessions};
use actix_web::{post, web};
use chrono::TimeDelta;
use postern_core::access::Ending;
use postern_core::account::is_device_id;
use postern_core::code::Code;
use postern_core::event::EventKind;
use postern_core::profile::{PasswordChangeForm, validate_password_change};
use postern_core::security_log::SecurityKind;
use postern_core::time::to_wire;
use postern_core::two_factor::{
    CONFIRMED_MINUTES, CodeBuckets, RECOVERY_CODES, confirmed_until, otpauth_uri, recovery_code, secret_text,
    validate_entered_code,
};
use serde_json::Value;

type AppData = web::Data<App>;

/// Changes the password. Ends all other sessions, removes all other known devices, and invalidates mailed reset links and a pending change of the e-mail
/// address. A wrong current password is
/// refused with code 3333 and the key `wrongPassword`.
#[utoipa::path(request_body = ChangePassword, responses((status = 200, body = Answer<Done>)))]
#[post("/User/ChangePassword")]
pub async fn change_password(
    app: AppData,
    who: SignedIn,
    visitor: Visitor,
    Body(form): Body<ChangePassword>,
) -> Answered<Done> {
    let ChangePassword { current_password, new_password, device_id } = form;
    let form = PasswordChangeForm { current_password, new_password };
    validate_password_change(&form, &who.email)?;
    let old_hash = check_password(&app, &who, form.current_password).await?;
    limit_new_passwords(&app, who.user_id, &visitor.sender).await?;
    let share = app.costly.passwords.of_account(who.account_id);
    let hash = hash_new_password(&app, &share, "NewPassword", &form.new_password, &who.email).await?;
    let now = app.clock.now();
    let changed = app.db.write(move |conn| {
        still_current(conn, who.user_id, &old_hash)?;
        let keeps_device = is_device_id(&device_id) && !devices::is_new(conn, who.user_id, &device_id)?;
        let (account_id, user_id, but_session) = (who.account_id, who.user_id, Some(who.session_id()?));
        let whose = Whose { account_id, user_id, but_session, since: None };
        replace_password(conn, &whose, &hash, Ending::PasswordChanged, &visitor, now)?;
        events::known_to(conn, user_id, account_id, EventKind::SecurityChanged, 1)?;
        if keeps_device {
            devices::remember(conn, who.user_id, &device_id, now)?;
        }
        Ok(())
    });
    changed.await?;
    answer(Done { done: true })
}

/// Returns whether two-factor authentication is on, the number of unused recovery codes, and until when this session is confirmed.
#[utoipa::path(responses((status = 200, body = Answer<TwoFactorStatus>)))]
#[post("/User/GetTwoFactor")]
pub async fn get_two_factor(app: AppData, who: SignedIn) -> Answered<TwoFactorStatus> {
    let now = app.clock.now();
    let status = app.db.read(move |conn| {
        let turned_on_at = two_factor::in_force(conn, who.user_id)?.and_then(|found| found.turned_on_at);
        Ok(TwoFactorStatus {
            is_on: turned_on_at.is_some(),
            turned_on_at: turned_on_at.map(to_wire),
            recovery_codes_left: two_factor::recovery_codes_left(conn, who.user_id)?,
            confirmed_until: confirmed_until(who.confirmed_at, now).map(to_wire),
        })
    });
    answer(status.await?)
}

/// Begins to turn two-factor authentication on: returns a secret for an authenticator app, which `User/TurnOnTwoFactor` confirms with a first code.
/// Another call replaces the secret. Refused with code 4005 if it is already on.
#[utoipa::path(request_body = BeginTwoFactor, responses((status = 200, body = Answer<TwoFactorBegun>)))]
#[post("/User/BeginTwoFactor")]
pub async fn begin_two_factor(app: AppData, who: SignedIn, write: Write<BeginTwoFactor>) -> Answered<Value> {
    let hash = check_password(&app, &who, write.body.password).await?;
    let (now, key, shop) = (app.clock.now(), app.key.clone(), app.config.shop_name.clone());
    let begun = app.db.write(move |conn| {
        once_sealed(conn, &key, who.account_id, &write.repeat, now, |conn| {
            still_current(conn, who.user_id, &hash)?;
            refuse_if_on(conn, who.user_id)?;
            let secret = random();
            two_factor::begin(conn, &key, who.user_id, &secret, now)?;
            Ok(TwoFactorBegun { secret: secret_text(&secret), uri: otpauth_uri(&shop, &who.email, &secret) })
        })
    });
    answer(begun.await?)
}

/// Turns two-factor authentication on with a first code of the app, ends all other sessions, and returns ten recovery codes. A wrong code
/// is refused with code 3333 and the key `twoFactorWrong`.
#[utoipa::path(request_body = EnteredCode, responses((status = 200, body = Answer<RecoveryCodes>)))]
#[post("/User/TurnOnTwoFactor")]
pub async fn turn_on_two_factor(
    app: AppData,
    who: SignedIn,
    visitor: Visitor,
    write: Write<EnteredCode>,
) -> Answered<Value> {
    let (user_id, now, key) = (who.user_id, app.clock.now(), app.key.clone());
    let buckets = CodeBuckets::of_session(who.session_id()?);
    let pending = app.db.read(move |conn| two_factor::find(conn, user_id)).await?;
    let share = app.costly.passwords.of_account(who.account_id);
    let code = match pending.filter(|found| found.is_pending(now)) {
        Some(pending) => {
            validate_entered_code(&write.body.code)?;
            two_factor::read_code(&app, &share, &buckets, &pending, &write.body.code).await?
        }
        // A request repeated at the same time gets its stored response below.
        None => ReadCode::Wrong,
    };
    let codes = new_codes(matches!(code, ReadCode::Wrong));
    let hashed = two_factor::hash_codes(&share, &codes).await?;
    let turned_on = app.db.write(move |conn| {
        once_sealed(conn, &key, who.account_id, &write.repeat, now, |conn| {
            queries::lock_user(conn, user_id)?;
            refuse_if_on(conn, user_id)?;
            let is_pending = two_factor::find(conn, user_id)?.is_some_and(|found| found.is_pending(now));
            if !is_pending {
                return Err(AppError::in_place("twoFactorNotBegun"));
            }
            if !two_factor::turn_on(conn, user_id, &code, now)? {
                return Err(AppError::in_place(WRONG_CODE));
            }
            two_factor::reset_attempts(conn, &buckets)?;
            two_factor::replace_codes(conn, user_id, &hashed)?;
            sessions::confirm(conn, who.session_id()?, now)?;
            sessions::revoke_others(conn, user_id, Some(who.session_id()?), now)?;
            security_log::note_own(conn, &who, SecurityKind::TwoFactorOn, &visitor, "", now)?;
            Ok(RecoveryCodes { recovery_codes: codes.clone() })
        })
    });
    answer(turned_on.await?)
}

/// Turns two-factor authentication off, with the password and a code. The recovery codes are deleted.
#[utoipa::path(request_body = TurnOffTwoFactor, responses((status = 200, body = Answer<Done>)))]
#[post("/User/TurnOffTwoFactor")]
pub async fn turn_off_two_factor(
    app: AppData,
    who: SignedIn,
    visitor: Visitor,
    Body(form): Body<TurnOffTwoFactor>,
) -> Answered<Done> {
    let hash = check_password(&app, &who, form.password).await?;
    let entered = read_entered_code(&app, &who, &form.code).await?;
    let (user_id, now) = (who.user_id, app.clock.now());
    let turned_off = app.db.write(move |conn| {
        still_current(conn, user_id, &hash)?;
        entered.use_up(conn, &who, &visitor, now)?;
        two_factor::turn_off(conn, user_id)?;
        security_log::note_own(conn, &who, SecurityKind::TwoFactorOff, &visitor, "", now)
    });
    turned_off.await?;
    answer(Done { done: true })
}

/// Replaces all recovery codes with ten new ones. Requires a code.
#[utoipa::path(request_body = EnteredCode, responses((status = 200, body = Answer<RecoveryCodes>)))]
#[post("/User/ReplaceRecoveryCodes")]
pub async fn replace_recovery_codes(
    app: AppData,
    who: SignedIn,
    visitor: Visitor,
    write: Write<EnteredCode>,
) -> Answered<Value> {
    let entered = read_entered_code(&app, &who, &write.body.code).await?;
    let (user_id, now, key) = (who.user_id, app.clock.now(), app.key.clone());
    let codes = new_codes(entered.is_wrong());
    let hashed = two_factor::hash_codes(&app.costly.passwords.of_account(who.account_id), &codes).await?;
    let replaced = app.db.write(move |conn| {
        once_sealed(conn, &key, who.account_id, &write.repeat, now, |conn| {
            queries::lock_user(conn, user_id)?;
            entered.use_up(conn, &who, &visitor, now)?;
            two_factor::replace_codes(conn, user_id, &hashed)?;
            security_log::note_own(conn, &who, SecurityKind::RecoveryCodesReplaced, &visitor, "", now)?;
            Ok(RecoveryCodes { recovery_codes: codes.clone() })
        })
    });
    answer(replaced.await?)
}

/// Confirms this session with a code. Until the confirmation expires, calls that move money or grant access are not refused with code 3333 and the
/// key `twoFactorConfirm`.
#[utoipa::path(request_body = EnteredCode, responses((status = 200, body = Answer<Confirmed>)))]
#[post("/User/ConfirmTwoFactor")]
pub async fn confirm_two_factor(
    app: AppData,
    who: SignedIn,
    visitor: Visitor,
    Body(form): Body<EnteredCode>,
) -> Answered<Confirmed> {
    let entered = read_entered_code(&app, &who, &form.code).await?;
    let now = app.clock.now();
    let (noted, session) = (who.clone(), visitor.clone());
    let confirmed = app.db.write(move |conn| {
        queries::lock_user(conn, who.user_id)?;
        entered.use_up(conn, &who, &visitor, now)?;
        sessions::confirm(conn, who.session_id()?, now)
    });
    let confirmed = confirmed.await;
    if noted.has_two_factor && matches!(&confirmed, Err(AppError::Answer(_))) {
        let note = move |conn: &mut Conn| {
            security_log::note(conn, noted.user_id, SecurityKind::CodeRefused, &session, "", now)
        };
        app.db.write(note).await?;
    }
    confirmed?;
    answer(Confirmed { confirmed_until: to_wire(now + TimeDelta::minutes(CONFIRMED_MINUTES)) })
}

/// Lists the user's active sessions, with device, address and last use.
#[utoipa::path(responses((status = 200, body = Answer<SessionList>)))]
#[post("/User/GetSessionList")]
pub async fn get_session_list(app: AppData, who: SignedIn) -> Answered<SessionList> {
    let (now, locations) = (app.clock.now(), app.locations.clone());
    answer(SessionList { sessions: app.db.read(move |conn| sessions::list(conn, &who, &locations, now)).await? })
}

/// Ends a session of the user: its token is refused from now on.
#[utoipa::path(request_body = RevokeSession, responses((status = 200, body = Answer<SessionsRevoked>)))]
#[post("/User/RevokeSession")]
pub async fn revoke_session(
    app: AppData,
    who: SignedIn,
    visitor: Visitor,
    write: Write<RevokeSession>,
) -> Answered<Value> {
    let now = app.clock.now();
    let revoked = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let ended = sessions::revoke(conn, who.user_id, write.body.session_id, now)?;
            let (device, address) = ended.ok_or_else(|| AppError::code(Code::NotFound))?;
            let detail = [device, address].join(" ").trim().to_owned();
            security_log::note(conn, who.user_id, SecurityKind::SessionRevoked, &visitor, &detail, now)?;
            Ok(SessionsRevoked { revoked: 1 })
        })
    });
    answer(revoked.await?)
}

/// Ends all sessions of the user except the current one.
#[utoipa::path(responses((status = 200, body = Answer<SessionsRevoked>)))]
#[post("/User/RevokeOtherSessions")]
pub async fn revoke_other_sessions(app: AppData, who: SignedIn, visitor: Visitor) -> Answered<SessionsRevoked> {
    let now = app.clock.now();
    let revoked = app.db.write(move |conn| {
        let revoked = sessions::revoke_others(conn, who.user_id, Some(who.session_id()?), now)?;
        if revoked > 0 {
            let detail = revoked.to_string();
            security_log::note(conn, who.user_id, SecurityKind::SessionRevoked, &visitor, &detail, now)?;
        }
        Ok(SessionsRevoked { revoked })
    });
    answer(revoked.await?)
}

/// Lists the user's security log, newest first. Filters by `Kind` and time; sorts by `At`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<SecurityEntry>>)))]
#[post("/User/GetSecurityLog")]
pub async fn get_security_log(
    app: AppData,
    who: SignedIn,
    Body(asked): Body<ListRequest>,
) -> Answered<Page<SecurityEntry>> {
    let locations = app.locations.clone();
    answer(app.db.read(move |conn| security_log::list(conn, &who, &locations, &asked)).await?)
}

fn refuse_if_on(conn: &mut Conn, user_id: i64) -> Result<(), AppError> {
    if two_factor::in_force(conn, user_id)?.is_some() { Err(AppError::state_forbids("on")) } else { Ok(()) }
}

/// None for a request that will be refused, or gets its stored response: hashing them takes long.
fn new_codes(is_refused: bool) -> Vec<String> {
    let count = if is_refused { 0 } else { RECOVERY_CODES };
    (0..count).map(|_| recovery_code(random())).collect()
}
