//! Deletes expired data: ended sessions and links, unused devices, the security log, stored responses of idempotency keys, revoked API keys, old
//! credentials, old mails, old events, attachments that were never sent, unsigned callbacks.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::notifications;
use crate::payments::stored::forget_forged;
use crate::proxy_servers::health::forget_outages;
use crate::schema::{
    api_keys, email_changes, idempotency_keys, known_devices, mails, nodes, password_resets, security_log, sessions,
    sign_ups, throttles,
};
use crate::state::App;
use crate::support;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::account::{IDEMPOTENCY_KEY_HOURS, KEEP_ENDED_DAYS, KNOWN_DEVICE_DAYS};
use postern_core::api_key::REVOKED_KEPT_DAYS;
use postern_core::mail::{self, MailState};
use postern_core::security_log as log;

pub async fn forget(app: &App) -> Result<(), AppError> {
    app.burst_limit.retain_recent();
    let now = app.clock.now();
    let forgotten = app.db.write(move |conn| forget_rows(conn, now)).await?;
    while app.db.write(move |conn| notifications::forget(conn, now)).await? {}
    if forgotten > 0 {
        tracing::debug!(rows = forgotten, "deleted expired rows");
    }
    Ok(())
}

fn forget_rows(conn: &mut Conn, now: NaiveDateTime) -> Result<usize, AppError> {
    let ended = now - TimeDelta::days(KEEP_ENDED_DAYS);
    let revoked = now - TimeDelta::days(REVOKED_KEPT_DAYS);
    let answered = now - TimeDelta::hours(IDEMPOTENCY_KEY_HOURS);
    let logged = now - TimeDelta::days(log::KEEP_DAYS);
    let sent = now - TimeDelta::days(mail::KEEP_DAYS);
    let old_mails = mails::table.filter(mails::state.ne(MailState::Queued)).filter(mails::next_attempt_at.lt(sent));
    let unseen = known_devices::table.filter(known_devices::last_seen_at.lt(now - TimeDelta::days(KNOWN_DEVICE_DAYS)));
    let outlived = nodes::table.filter(nodes::old_valid_until.lt(now));
    diesel::update(outlived)
        .set((
            nodes::old_user_name.eq(None::<String>),
            nodes::old_password_sealed.eq(None::<String>),
            nodes::old_valid_until.eq(None::<NaiveDateTime>),
        ))
        .execute(conn)?;
    Ok(diesel::delete(sessions::table.filter(sessions::expires_at.lt(ended))).execute(conn)?
        + diesel::delete(api_keys::table.filter(api_keys::revoked_at.lt(revoked))).execute(conn)?
        + diesel::delete(sign_ups::table.filter(sign_ups::expires_at.lt(ended))).execute(conn)?
        + diesel::delete(password_resets::table.filter(password_resets::expires_at.lt(ended))).execute(conn)?
        + diesel::delete(email_changes::table.filter(email_changes::created_at.lt(ended))).execute(conn)?
        + diesel::delete(security_log::table.filter(security_log::created_at.lt(logged))).execute(conn)?
        + diesel::delete(throttles::table.filter(throttles::window_ends_at.lt(now))).execute(conn)?
        + diesel::delete(idempotency_keys::table.filter(idempotency_keys::created_at.lt(answered))).execute(conn)?
        + diesel::delete(unseen).execute(conn)?
        + diesel::delete(old_mails).execute(conn)?
        + forget_outages(conn, now)?
        + support::files::forget_unsent(conn, now)?
        + forget_forged(conn, now)?)
}
