//! New passwords, and accounts that their owners recover from somebody else: other access ends by core's table; the security log and a mail say what.
use crate::db::Conn;
use crate::error::AppError;
use crate::mails;
use crate::security_log;
use crate::security_log::visitor::Visitor;
use crate::users::access::{Whose, end};
use crate::users::email_changes::{self, Links};
use crate::users::queries::{account_of, insert_reset, set_password};
use chrono::NaiveDateTime;
use postern_core::access::Ending;
use postern_core::mail::MailTemplate;

/// Matches no password: anyone who knew the old one is locked out until the next reset.
pub const NO_PASSWORD: &str = "";

/// Sets a password and ends other access. The caller holds the user's lock.
pub fn replace_password(
    conn: &mut Conn,
    whose: &Whose,
    hash: &str,
    ending: Ending,
    visitor: &Visitor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    set_password(conn, whose.user_id, hash)?;
    let ended = end(conn, whose, ending, now)?;
    security_log::note_ended(conn, whose.user_id, ending.logged_as(), visitor, &ended, now)
}

/// Stops or undoes a change of the e-mail address, and returns the address that the user has again. Whoever asked for the change knew the password
/// and had a session: the password becomes invalid, all access ends, and the address gets a link to choose another password.
pub fn stop_email_change(
    conn: &mut Conn,
    links: &Links<'_>,
    token: &str,
    visitor: &Visitor,
    now: NaiveDateTime,
) -> Result<String, AppError> {
    let stopped = email_changes::stop(conn, token, now)?;
    let user_id = stopped.user_id;
    let account_id = account_of(conn, user_id)?;
    let whose = Whose { account_id, user_id, but_session: None, since: Some(stopped.requested_at) };
    replace_password(conn, &whose, NO_PASSWORD, Ending::ChangeStopped, visitor, now)?;
    let token = insert_reset(conn, user_id, now)?;
    let link = format!("{}/password-reset?reset={token}", links.public_url);
    mails::queue_link(conn, links.key, &stopped.email, stopped.language, MailTemplate::ResetPassword, &link, now)?;
    Ok(stopped.email)
}
