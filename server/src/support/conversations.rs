//! The row of a conversation and its only writer. Changes require its lock, so messages are ordered by id.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::support_conversations::{self, dsl};
use crate::schema::support_messages;
use crate::state::streams::Changed;
use crate::support::files;
use chrono::NaiveDateTime;
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use postern_core::support::attachment::MAX_CONVERSATION_BYTES;
use postern_core::support::{ConversationState, MAX_MESSAGES, MessageKind, Reading, Side};

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = support_conversations)]
pub struct StoredConversation {
    pub id: i64,
    pub account_id: i64,
    pub state: ConversationState,
    pub version: i64,
    pub message_count: i64,
    pub attachment_bytes: i64,
    pub last_id: i64,
    pub customer_last_id: i64,
    pub operator_last_id: i64,
    pub customer_read_id: i64,
    pub customer_told_id: i64,
    pub customer_mail_at: Option<NaiveDateTime>,
    pub operator_read_id: i64,
    pub operator_told_id: i64,
    pub operator_mail_at: Option<NaiveDateTime>,
    pub waiting_since: Option<NaiveDateTime>,
    pub last_message_at: NaiveDateTime,
}

impl StoredConversation {
    pub fn reading(&self, side: Side) -> Reading {
        let (read_id, mailed_id, mail_at) = match side {
            Side::Customer => (self.customer_read_id, self.customer_told_id, self.customer_mail_at),
            Side::Operator => (self.operator_read_id, self.operator_told_id, self.operator_mail_at),
        };
        Reading { read_id, mailed_id, mail_at }
    }

    pub fn set_reading(&mut self, side: Side, reading: Reading) {
        let Reading { read_id, mailed_id, mail_at } = reading;
        match side {
            Side::Customer => {
                (self.customer_read_id, self.customer_told_id, self.customer_mail_at) = (read_id, mailed_id, mail_at);
            }
            Side::Operator => {
                (self.operator_read_id, self.operator_told_id, self.operator_mail_at) = (read_id, mailed_id, mail_at);
            }
        }
    }

    /// The newest message that this side wrote; 0 for none.
    pub fn last_of(&self, side: Side) -> i64 {
        match side {
            Side::Customer => self.customer_last_id,
            Side::Operator => self.operator_last_id,
        }
    }
}

/// A message to add.
pub struct NewMessage<'a> {
    pub kind: MessageKind,
    pub side: Side,
    pub user_id: i64,
    pub author: &'a str,
    pub text: &'a str,
    pub attachment_ids: &'a [i64],
}

/// The account's conversation, if it has one.
pub fn find(conn: &mut Conn, account_id: i64) -> Result<Option<StoredConversation>, AppError> {
    let row = dsl::support_conversations.filter(dsl::account_id.eq(account_id)).select(StoredConversation::as_select());
    Ok(row.first(conn).optional()?)
}

/// Locks the account's conversation, if it has one.
pub fn lock(conn: &mut Conn, account_id: i64) -> Result<Option<StoredConversation>, AppError> {
    let row = dsl::support_conversations.filter(dsl::account_id.eq(account_id));
    Ok(row.select(StoredConversation::as_select()).locked().get_result(conn).optional()?)
}

/// The same; creates the conversation if there is none.
pub fn lock_or_begin(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<StoredConversation, AppError> {
    if let Some(row) = lock(conn, account_id)? {
        return Ok(row);
    }
    let row = (
        dsl::account_id.eq(account_id),
        dsl::last_message_at.eq(now),
        dsl::changed_at.eq(now),
        dsl::created_at.eq(now),
    );
    // The second of two concurrent inserts waits here for the first.
    let insert = diesel::insert_into(dsl::support_conversations).values(row).on_conflict_do_nothing();
    on_either!(conn, insert.execute(conn)?);
    lock(conn, account_id)?.ok_or_else(AppError::concurrent_change)
}

/// Adds a message to a locked conversation and returns its id.
pub fn add(
    conn: &mut Conn,
    row: &mut StoredConversation,
    new: &NewMessage,
    now: NaiveDateTime,
) -> Result<i64, AppError> {
    if row.message_count >= MAX_MESSAGES && new.kind == MessageKind::Text {
        let max = [("Max", MAX_MESSAGES.to_string())];
        return Err(FieldErrors::one("Text", Rule::ConversationFull, &max).into());
    }
    let values = (
        support_messages::conversation_id.eq(row.id),
        support_messages::kind.eq(new.kind),
        support_messages::side.eq(new.side),
        support_messages::user_id.eq(new.user_id),
        support_messages::author.eq(new.author),
        support_messages::text.eq(new.text),
        support_messages::created_at.eq(now),
    );
    let insert = diesel::insert_into(support_messages::table).values(values);
    let message_id: i64 = insert.returning(support_messages::id).get_result(conn)?;
    row.attachment_bytes += files::send(conn, new.user_id, new.attachment_ids, message_id)?;
    if row.attachment_bytes > MAX_CONVERSATION_BYTES && !new.attachment_ids.is_empty() {
        let max = [("Max", (MAX_CONVERSATION_BYTES >> 20).to_string())];
        return Err(FieldErrors::one("AttachmentIds", Rule::AttachmentsFull, &max).into());
    }
    row.message_count += 1;
    (row.last_id, row.last_message_at) = (message_id, now);
    if new.kind == MessageKind::Closed {
        row.state = ConversationState::Closed;
        row.waiting_since = None;
        return Ok(message_id);
    }
    row.state = ConversationState::Open;
    // The sender has read the earlier messages.
    let own = row.reading(new.side).after_reading(message_id, row.last_of(new.side.other()));
    row.set_reading(new.side, own);
    match new.side {
        Side::Customer => {
            row.customer_last_id = message_id;
            row.waiting_since = row.waiting_since.or(Some(now));
        }
        Side::Operator => {
            row.operator_last_id = message_id;
            row.waiting_since = None;
        }
    }
    let reader = new.side.other();
    row.set_reading(reader, row.reading(reader).after_message(reader, now));
    Ok(message_id)
}

/// Writes a locked conversation back.
pub fn save(conn: &mut Conn, row: &StoredConversation, now: NaiveDateTime) -> Result<Changed, AppError> {
    let version = row.version + 1;
    diesel::update(dsl::support_conversations.find(row.id))
        .set((
            (
                dsl::state.eq(row.state),
                dsl::version.eq(version),
                dsl::message_count.eq(row.message_count),
                dsl::attachment_bytes.eq(row.attachment_bytes),
                dsl::last_id.eq(row.last_id),
                dsl::customer_last_id.eq(row.customer_last_id),
                dsl::operator_last_id.eq(row.operator_last_id),
                dsl::last_message_at.eq(row.last_message_at),
                dsl::changed_at.eq(now),
            ),
            (
                dsl::customer_read_id.eq(row.customer_read_id),
                dsl::customer_told_id.eq(row.customer_told_id),
                dsl::customer_mail_at.eq(row.customer_mail_at),
                dsl::operator_read_id.eq(row.operator_read_id),
                dsl::operator_told_id.eq(row.operator_told_id),
                dsl::operator_mail_at.eq(row.operator_mail_at),
                dsl::waiting_since.eq(row.waiting_since),
            ),
        ))
        .execute(conn)?;
    Ok(Changed { conversation_id: row.id, account_id: row.account_id, version })
}

/// Records that a side has read up to a message. `None` if nothing changed.
pub fn mark_read(
    conn: &mut Conn,
    account_id: i64,
    side: Side,
    message_id: i64,
    now: NaiveDateTime,
) -> Result<Option<Changed>, AppError> {
    let Some(mut row) = lock(conn, account_id)? else { return Ok(None) };
    let before = row.reading(side);
    let after = before.after_reading(message_id.min(row.last_id), row.last_of(side.other()));
    if after == before {
        return Ok(None);
    }
    row.set_reading(side, after);
    Ok(Some(save(conn, &row, now)?))
}
