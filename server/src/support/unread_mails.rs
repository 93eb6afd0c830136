//! Mails about messages that a side has not read for some minutes: one mail for all of them.
use crate::accounts::queries::names;
use crate::accounts::staff::who_may;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::mails;
use crate::schema::support_conversations::dsl;
use crate::schema::support_messages;
use crate::state::App;
use crate::support::conversations::{self, StoredConversation};
use chrono::NaiveDateTime;
use postern_core::event::EventKind;
use postern_core::mail::MailTemplate;
use postern_core::support::{MessageKind, Side, excerpt};
use serde_json::json;

/// Conversations per query, to bound a backlog.
const AT_ONCE: i64 = 100;

pub async fn queue_due(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let mut result = Ok(());
    for (account_id, side) in app.db.read(move |conn| due(conn, now)).await? {
        if let Err(error) = app.db.write(move |conn| queue_mail(conn, account_id, side, now)).await {
            tracing::error!(account_id, %error, "mails about unread messages could not be queued");
            result = Err(error);
        }
    }
    result
}

/// The conversations and sides that are due for a mail.
fn due(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<(i64, Side)>, AppError> {
    let customers = dsl::support_conversations.filter(dsl::customer_mail_at.le(now)).order(dsl::customer_mail_at);
    let operators = dsl::support_conversations.filter(dsl::operator_mail_at.le(now)).order(dsl::operator_mail_at);
    let customers: Vec<i64> = customers.limit(AT_ONCE).select(dsl::account_id).load(conn)?;
    let operators: Vec<i64> = operators.limit(AT_ONCE).select(dsl::account_id).load(conn)?;
    let of = |side: Side| move |account_id: i64| (account_id, side);
    Ok(customers.into_iter().map(of(Side::Customer)).chain(operators.into_iter().map(of(Side::Operator))).collect())
}

/// The row's lock serialises processes; the second one finds nothing left to do.
fn queue_mail(conn: &mut Conn, account_id: i64, side: Side, now: NaiveDateTime) -> Result<(), AppError> {
    let Some(mut row) = conversations::lock(conn, account_id)? else { return Ok(()) };
    if row.reading(side).mail_at.is_none_or(|mail_at| mail_at > now) {
        return Ok(());
    }
    match side {
        Side::Customer => mail_customer(conn, &row, now)?,
        Side::Operator => mail_operators(conn, &row, now)?,
    }
    row.set_reading(side, row.reading(side).after_mail(row.last_of(side.other())));
    conversations::save(conn, &row, now).map(drop)
}

/// The first unread message of the side, and the number of unread messages.
fn unread(conn: &mut Conn, row: &StoredConversation, side: Side) -> Result<(String, usize), AppError> {
    let texts: Vec<String> = support_messages::table
        .filter(support_messages::conversation_id.eq(row.id))
        .filter(support_messages::id.gt(row.reading(side).read_id))
        .filter(support_messages::side.eq(side.other()))
        .filter(support_messages::kind.eq(MessageKind::Text))
        .order(support_messages::id)
        .limit(AT_ONCE)
        .select(support_messages::text)
        .load(conn)?;
    let first = texts.iter().find(|text| !text.is_empty()).map(|text| excerpt(text));
    // Attachments alone have no text to quote.
    Ok((first.unwrap_or_else(|| "📎".to_owned()), texts.len()))
}

fn mail_customer(conn: &mut Conn, row: &StoredConversation, now: NaiveDateTime) -> Result<(), AppError> {
    let (text, count) = unread(conn, row, Side::Customer)?;
    let parameters = json!({ "Text": text, "Count": count });
    mails::queue_for_account(
        conn,
        row.account_id,
        EventKind::SupportAnswered,
        MailTemplate::SupportAnswer,
        &parameters,
        now,
    )
}

fn mail_operators(conn: &mut Conn, row: &StoredConversation, now: NaiveDateTime) -> Result<(), AppError> {
    let (text, count) = unread(conn, row, Side::Operator)?;
    let (email, name) = names(conn, &[row.account_id])?.remove(&row.account_id).unwrap_or_default();
    let parameters =
        json!({ "Customer": name, "Email": email, "AccountId": row.account_id, "Text": text, "Count": count });
    for (email, language) in who_may(conn, "Operator/SendReply")? {
        mails::queue(conn, &email, language, MailTemplate::SupportMessage, &parameters, now)?;
    }
    Ok(())
}
