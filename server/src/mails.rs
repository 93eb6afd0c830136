//! Queues mails in the transaction that caused them; a job sends them.
use crate::db::Conn;
use crate::error::AppError;
use crate::schema::mails::dsl;
use crate::schema::users;
use crate::security::SecretKey;
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_core::language::Language;
use postern_core::mail::MailTemplate;
use serde_json::{Value, json};

/// The parameters of a mail that has none, or has them encrypted.
pub const NONE: &str = "{}";

pub fn queue(
    conn: &mut Conn,
    recipient: &str,
    language: Language,
    template: MailTemplate,
    parameters: &Value,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    diesel::insert_into(dsl::mails)
        .values((
            dsl::recipient.eq(recipient),
            dsl::language.eq(language),
            dsl::template.eq(template),
            dsl::parameters.eq(parameters.to_string()),
            dsl::next_attempt_at.eq(now),
            dsl::created_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// Queues a mail whose link grants access. The link is encrypted until it is sent, and deleted afterwards.
pub fn queue_link(
    conn: &mut Conn,
    key: &SecretKey,
    recipient: &str,
    language: Language,
    template: MailTemplate,
    link: &str,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let parameters = json!({ "Link": link }).to_string();
    diesel::insert_into(dsl::mails)
        .values((
            dsl::recipient.eq(recipient),
            dsl::language.eq(language),
            dsl::template.eq(template),
            dsl::parameters.eq(NONE),
            dsl::parameters_sealed.eq(key.seal(&parameters).map_err(AppError::Internal)?),
            dsl::next_attempt_at.eq(now),
            dsl::created_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// Queues the same mail for all users of an account, each in their language.
pub fn queue_for_account(
    conn: &mut Conn,
    account_id: i64,
    template: MailTemplate,
    parameters: &Value,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let readers: Vec<(String, Language)> =
        users::table.filter(users::account_id.eq(account_id)).select((users::email, users::language)).load(conn)?;
    for (email, language) in readers {
        queue(conn, &email, language, template, parameters, now)?;
    }
    Ok(())
}
