//! SQL about changes of a user's e-mail address. A link to the new address confirms a change; for some days after the request, a link to the old
//! address can stop or undo it. Only hashes of the tokens are stored.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::mails;
use crate::schema::email_changes::{self, dsl};
use crate::schema::users;
use crate::security::{SecretKey, new_token, sha256};
use crate::security_log;
use crate::security_log::visitor::Visitor;
use crate::users::queries::{find_credentials, lock_user, use_up_resets};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use postern_core::account::{EMAIL_CHANGE_HOURS, EMAIL_CHANGE_STOP_HOURS, EmailChangeState};
use postern_core::language::Language;
use postern_core::mail::MailTemplate;
use postern_core::security_log::SecurityKind;
use postern_core::sign_in::inbox_of;
use serde_json::json;

/// The base URL of mailed links, and the key to encrypt them with.
pub struct Links<'a> {
    pub key: &'a SecretKey,
    pub public_url: &'a str,
}

/// Records a request and mails both addresses. A pending request is replaced. Runs the same statements whether or not the new address has an account.
/// The caller holds the user's lock.
pub fn request(
    conn: &mut Conn,
    links: &Links<'_>,
    user_id: i64,
    new_email: &str,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let (old_email, language): (String, Language) =
        users::table.find(user_id).select((users::email, users::language)).first(conn)?;
    end_waiting(conn, user_id)?;
    let (confirm, stop) = (new_token(), new_token());
    let row = (
        dsl::user_id.eq(user_id),
        dsl::old_email.eq(&old_email),
        dsl::new_email.eq(new_email),
        dsl::confirm_sha256.eq(sha256(&confirm)),
        dsl::stop_sha256.eq(sha256(&stop)),
        dsl::created_at.eq(now),
    );
    diesel::insert_into(dsl::email_changes).values(row).execute(conn)?;
    let is_taken = find_credentials(conn, new_email)?.is_some();
    let template = if is_taken { MailTemplate::EmailChangeTaken } else { MailTemplate::EmailChangeConfirm };
    let link = format!("{}/email-change?confirm={confirm}", links.public_url);
    mails::queue_sealed(conn, links.key, new_email, language, template, &json!({ "Link": link }), now)?;
    let link = format!("{}/email-change?stop={stop}", links.public_url);
    let notice = json!({ "Link": link, "NewEmail": new_email });
    mails::queue_sealed(conn, links.key, &old_email, language, MailTemplate::EmailChangeNotice, &notice, now)
}

/// Ends the pending changes of these addresses: their notice, with the link to stop the change, will not be sent.
pub fn end_unannounced(conn: &mut Conn, old_emails: &[String]) -> Result<(), AppError> {
    let waiting = dsl::email_changes.filter(dsl::state.eq(EmailChangeState::Waiting));
    let unannounced = waiting.filter(dsl::old_email.eq_any(old_emails));
    diesel::update(unannounced).set(dsl::state.eq(EmailChangeState::Replaced)).execute(conn)?;
    Ok(())
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = email_changes)]
struct Change {
    id: i64,
    user_id: i64,
    old_email: String,
    new_email: String,
    created_at: NaiveDateTime,
}

fn expired() -> AppError {
    AppError::in_place("linkExpired")
}

/// Activates the new address. Each link works once; reset links mailed to the old address no longer work.
pub fn confirm(conn: &mut Conn, token: &str, visitor: &Visitor, now: NaiveDateTime) -> Result<String, AppError> {
    let waiting = dsl::email_changes
        .filter(dsl::confirm_sha256.eq(sha256(token)))
        .filter(dsl::state.eq(EmailChangeState::Waiting))
        .filter(dsl::created_at.gt(now - TimeDelta::hours(EMAIL_CHANGE_HOURS)));
    let change: Option<Change> = waiting.select(Change::as_select()).first(conn).optional()?;
    let change = change.ok_or_else(expired)?;
    lock_user(conn, change.user_id)?;
    let still = dsl::email_changes.find(change.id).filter(dsl::state.eq(EmailChangeState::Waiting));
    if diesel::update(still).set(dsl::state.eq(EmailChangeState::Confirmed)).execute(conn)? == 0 {
        return Err(expired());
    }
    let (email, language): (String, Language) =
        users::table.find(change.user_id).select((users::email, users::language)).first(conn)?;
    if email != change.old_email {
        return Err(expired());
    }
    set_email(conn, change.user_id, &change.new_email)?;
    use_up_resets(conn, change.user_id, now)?;
    security_log::note(conn, change.user_id, SecurityKind::EmailChanged, visitor, &change.new_email, now)?;
    let told = security_log::parameters(SecurityKind::EmailChanged, visitor, now);
    mails::queue(conn, &change.old_email, language, MailTemplate::SecurityChanged, &told, now)?;
    Ok(change.new_email)
}

/// A change that its old address has stopped.
pub struct Stopped {
    pub user_id: i64,
    /// The address that the user has again.
    pub email: String,
    pub language: Language,
    pub requested_at: NaiveDateTime,
}

/// Stops a change and all later ones, and restores the old address if one of them was confirmed. Takes the user's lock.
pub fn stop(conn: &mut Conn, token: &str, now: NaiveDateTime) -> Result<Stopped, AppError> {
    let open = dsl::email_changes
        .filter(dsl::stop_sha256.eq(sha256(token)))
        .filter(dsl::state.ne(EmailChangeState::Stopped))
        .filter(dsl::created_at.gt(now - TimeDelta::hours(EMAIL_CHANGE_STOP_HOURS)));
    let change: Option<Change> = open.select(Change::as_select()).first(conn).optional()?;
    let change = change.ok_or_else(expired)?;
    let user_id = change.user_id;
    lock_user(conn, user_id)?;
    let still = dsl::email_changes.find(change.id).filter(dsl::state.ne(EmailChangeState::Stopped));
    if diesel::update(still).set(dsl::state.eq(EmailChangeState::Stopped)).execute(conn)? == 0 {
        return Err(expired());
    }
    let later = dsl::email_changes.filter(dsl::user_id.eq(user_id)).filter(dsl::id.gt(change.id));
    diesel::update(later).set(dsl::state.eq(EmailChangeState::Stopped)).execute(conn)?;
    let (email, language): (String, Language) =
        users::table.find(user_id).select((users::email, users::language)).first(conn)?;
    if email != change.old_email {
        set_email(conn, user_id, &change.old_email)?;
    }
    Ok(Stopped { user_id, email: change.old_email, language, requested_at: change.created_at })
}

/// Ends the change that waits for its confirmation, if there is one, and returns its address. The old address can still stop it.
pub fn end_waiting(conn: &mut Conn, user_id: i64) -> Result<Vec<String>, AppError> {
    let waiting = dsl::email_changes.filter(dsl::user_id.eq(user_id)).filter(dsl::state.eq(EmailChangeState::Waiting));
    let ended = diesel::update(waiting).set(dsl::state.eq(EmailChangeState::Replaced));
    Ok(ended.returning(dsl::new_email).get_results(conn)?)
}

/// Refuses an address that another user has by now.
fn set_email(conn: &mut Conn, user_id: i64, email: &str) -> Result<(), AppError> {
    let taken = || AppError::in_place("emailTaken");
    if find_credentials(conn, email)?.is_some() {
        return Err(taken());
    }
    let change = (users::email.eq(email), users::inbox.eq(inbox_of(email)));
    match diesel::update(users::table.find(user_id)).set(change).execute(conn) {
        Ok(_) => Ok(()),
        // Someone signed up with it concurrently.
        Err(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Err(taken()),
        Err(error) => Err(error.into()),
    }
}
