//! Requests for a mailed link, to sign up or to reset a password.
//!
//! Timing must not reveal whether an address has an account. So a request always inserts the same row and returns; a job looks the address up later,
//! creates the token and queues the mail.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::mails;
use crate::schema::link_requests::dsl;
use crate::security::SecretKey;
use crate::users::queries::{PendingSignUp, find_credentials, insert_reset, insert_sign_up};
use chrono::NaiveDateTime;
use postern_core::account::LinkKind;
use postern_core::language::Language;
use postern_core::mail::MailTemplate;

/// Requests processed per transaction.
pub const AT_ONCE: usize = 50;

#[derive(Queryable)]
struct LinkRequest {
    id: i64,
    email: String,
    language: Language,
    newcomer: Option<String>,
}

pub fn request_sign_up(conn: &mut Conn, newcomer: &PendingSignUp, now: NaiveDateTime) -> Result<(), AppError> {
    let row = (
        dsl::kind.eq(LinkKind::SignUp),
        dsl::email.eq(&newcomer.email),
        dsl::language.eq(newcomer.language),
        dsl::newcomer.eq(serde_json::to_string(newcomer)?),
        dsl::created_at.eq(now),
    );
    diesel::insert_into(dsl::link_requests).values(row).execute(conn)?;
    Ok(())
}

pub fn request_reset(conn: &mut Conn, email: &str, language: Language, now: NaiveDateTime) -> Result<(), AppError> {
    let row = (
        dsl::kind.eq(LinkKind::PasswordReset),
        dsl::email.eq(email),
        dsl::language.eq(language),
        dsl::created_at.eq(now),
    );
    diesel::insert_into(dsl::link_requests).values(row).execute(conn)?;
    Ok(())
}

pub fn is_any_waiting(conn: &mut Conn) -> Result<bool, AppError> {
    Ok(dsl::link_requests.select(dsl::id).first::<i64>(conn).optional()?.is_some())
}

/// Processes the oldest requests and returns how many; concurrent processes take different rows.
pub fn answer_waiting(
    conn: &mut Conn,
    key: &SecretKey,
    public_url: &str,
    now: NaiveDateTime,
) -> Result<usize, AppError> {
    let oldest = dsl::link_requests.order(dsl::id).limit(AT_ONCE as i64).select((
        dsl::id,
        dsl::email,
        dsl::language,
        dsl::newcomer,
    ));
    let taken: Vec<LinkRequest> = oldest.locked_if_free().load(conn)?;
    for request in &taken {
        if let Some((template, link)) = link_for(conn, request, public_url, now)? {
            mails::queue_link(conn, key, &request.email, request.language, template, &link, now)?;
        }
    }
    let ids: Vec<i64> = taken.iter().map(|request| request.id).collect();
    diesel::delete(dsl::link_requests.filter(dsl::id.eq_any(ids))).execute(conn)?;
    Ok(taken.len())
}

/// The mail for a request, with its link. A password reset for an unknown address gets no mail.
fn link_for(
    conn: &mut Conn,
    request: &LinkRequest,
    public_url: &str,
    now: NaiveDateTime,
) -> Result<Option<(MailTemplate, String)>, AppError> {
    let credentials = find_credentials(conn, &request.email)?;
    Ok(match (&request.newcomer, credentials) {
        (Some(_), Some(_)) => Some((MailTemplate::AlreadySignedUp, format!("{public_url}/login"))),
        (Some(newcomer), None) => {
            let token = insert_sign_up(conn, &serde_json::from_str(newcomer)?, now)?;
            Some((MailTemplate::ConfirmSignUp, format!("{public_url}/sign-up?verify={token}")))
        }
        (None, Some(credentials)) => {
            let token = insert_reset(conn, credentials.user_id, now)?;
            Some((MailTemplate::ResetPassword, format!("{public_url}/password-reset?reset={token}")))
        }
        (None, None) => None,
    })
}
