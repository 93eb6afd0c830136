//! Queues mails in the transaction that caused them; a job sends them.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::notifications::choices::{Reader, mail_readers};
use crate::schema::mails::{self, dsl};
use crate::security::SecretKey;
use chrono::NaiveDateTime;
use postern_core::event::EventKind;
use postern_core::language::Language;
use postern_core::mail::{MailState, MailTemplate};
use serde_json::{Value, json};

/// The parameters of a mail without any, or with encrypted ones.
pub const NONE: &str = "{}";

/// A mail in the queue.
#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = mails)]
pub struct QueuedMail {
    pub id: i64,
    pub recipient: String,
    pub language: Language,
    pub template: MailTemplate,
    pub parameters: String,
    pub parameters_sealed: Option<String>,
    pub attempts: i32,
    pub user_id: Option<i64>,
    pub event_kind: Option<EventKind>,
}

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

/// Queues a mail whose link grants access. The link is stored encrypted, and deleted once the mail is sent.
pub fn queue_link(
    conn: &mut Conn,
    key: &SecretKey,
    recipient: &str,
    language: Language,
    template: MailTemplate,
    link: &str,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    queue_sealed(conn, key, recipient, language, template, &json!({ "Link": link }), now)
}

/// Queues a mail with a link that grants access and further parameters, all encrypted.
pub fn queue_sealed(
    conn: &mut Conn,
    key: &SecretKey,
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
            dsl::parameters.eq(NONE),
            dsl::parameters_sealed.eq(key.seal(&parameters.to_string()).map_err(AppError::Internal)?),
            dsl::next_attempt_at.eq(now),
            dsl::created_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// Gives up all queued mails with encrypted parameters, after the shop's secret key was lost. Returns the template and recipient of each.
pub fn drop_sealed(conn: &mut Conn) -> Result<Vec<(MailTemplate, String)>, AppError> {
    let sealed = dsl::mails.filter(dsl::parameters_sealed.is_not_null());
    let dropped = sealed.order(dsl::id).select((dsl::template, dsl::recipient)).load(conn)?;
    let given_up = (dsl::state.eq(MailState::Failed), dsl::parameters_sealed.eq(None::<String>));
    diesel::update(sealed).set(given_up).execute(conn)?;
    Ok(dropped)
}

/// Queues a mail about an event for all users of an account who have such mails turned on, each in their language.
pub fn queue_for_account(
    conn: &mut Conn,
    account_id: i64,
    kind: EventKind,
    template: MailTemplate,
    parameters: &Value,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    for Reader { user_id, email, language } in mail_readers(conn, account_id, kind)? {
        let row = (
            dsl::recipient.eq(email),
            dsl::language.eq(language),
            dsl::template.eq(template),
            dsl::parameters.eq(parameters.to_string()),
            dsl::next_attempt_at.eq(now),
            dsl::created_at.eq(now),
            dsl::user_id.eq(user_id),
            dsl::event_kind.eq(kind),
        );
        diesel::insert_into(dsl::mails).values(row).execute(conn)?;
    }
    Ok(())
}
