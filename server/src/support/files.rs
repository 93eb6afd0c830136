//! SQL about attachments. Their content is stored in the database, so that every server and every backup has it, and it is deleted with its row. Like
//! messages, it is not encrypted; anyone with access to the database's files can read both.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::support_attachments::{self, dsl};
use crate::schema::{support_conversations, support_messages};
use crate::support::types::AttachmentView;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::sql;
use diesel::sql_types::Binary;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use postern_core::support::attachment::{Attachment, AttachmentKind, MAX_UNSENT, UNSENT_HOURS};

/// The user who requests a file.
#[derive(Clone, Copy)]
pub struct Reader {
    pub user_id: i64,
    /// Whose conversation's files they may read; `None` for all conversations.
    pub only: Option<i64>,
}

/// Stores a file until it is sent.
pub fn insert(
    conn: &mut Conn,
    user_id: i64,
    file: &Attachment,
    content: &[u8],
    now: NaiveDateTime,
) -> Result<AttachmentView, AppError> {
    let unsent = dsl::support_attachments.filter(dsl::user_id.eq(user_id)).filter(dsl::message_id.is_null());
    if unsent.count().get_result::<i64>(conn)? >= MAX_UNSENT {
        return Err(FieldErrors::one("File", Rule::TooManyItems, &[("Max", MAX_UNSENT.to_string())]).into());
    }
    let side = |pixels: u32| i32::try_from(pixels).ok();
    let (width, height) = (file.pixels.and_then(|size| side(size.0)), file.pixels.and_then(|size| side(size.1)));
    let bytes = content.len() as i64;
    let row = (
        dsl::user_id.eq(user_id),
        dsl::name.eq(&file.name),
        dsl::kind.eq(file.kind),
        dsl::size_bytes.eq(bytes),
        dsl::width.eq(width),
        dsl::height.eq(height),
        dsl::created_at.eq(now),
        dsl::content.eq(content),
    );
    let attachment_id =
        diesel::insert_into(dsl::support_attachments).values(row).returning(dsl::id).get_result(conn)?;
    Ok(AttachmentView { attachment_id, name: file.name.clone(), kind: file.kind, bytes, width, height })
}

/// Attaches a user's files to a message, and returns their total bytes. A file of another user, one that was sent before, or a missing one is an
/// error.
pub fn send(conn: &mut Conn, user_id: i64, ids: &[i64], message_id: i64) -> Result<i64, AppError> {
    if ids.is_empty() {
        return Ok(0);
    }
    let own = dsl::support_attachments
        .filter(dsl::id.eq_any(ids))
        .filter(dsl::user_id.eq(user_id))
        .filter(dsl::message_id.is_null());
    let sent: Vec<i64> =
        diesel::update(own).set(dsl::message_id.eq(message_id)).returning(dsl::size_bytes).get_results(conn)?;
    if sent.len() != ids.len() {
        return Err(FieldErrors::one("AttachmentIds", Rule::UnknownAttachment, &[]).into());
    }
    Ok(sent.iter().sum())
}

/// These columns of a file that this user may read: a sent one of a conversation that they may see, or an unsent one of their own.
macro_rules! readable {
    ($conn:expr, $who:expr, $attachment_id:expr, $columns:expr) => {{
        let mut own = support_attachments::table
            .left_join(support_messages::table.on(support_messages::id.nullable().eq(support_attachments::message_id)))
            .left_join(
                support_conversations::table
                    .on(support_conversations::id.nullable().eq(support_messages::conversation_id.nullable())),
            )
            .filter(support_attachments::id.eq($attachment_id))
            .select($columns)
            .into_boxed();
        let is_unsent = support_attachments::user_id
            .eq($who.user_id)
            .nullable()
            .and(support_attachments::message_id.is_null().nullable());
        own = match $who.only {
            None => own.filter(support_attachments::message_id.is_not_null().nullable().or(is_unsent)),
            Some(account_id) => own.filter(support_conversations::account_id.nullable().eq(account_id).or(is_unsent)),
        };
        own.first($conn).optional()?.ok_or_else(|| AppError::code(Code::NotFound))
    }};
}

/// The name, kind and size of a file.
pub fn about(conn: &mut Conn, who: &Reader, attachment_id: i64) -> Result<(String, AttachmentKind, i64), AppError> {
    let columns = (support_attachments::name, support_attachments::kind, support_attachments::size_bytes);
    readable!(conn, who, attachment_id, columns)
}

/// The bytes of a file from an offset on, at most `length`.
pub fn piece(
    conn: &mut Conn,
    who: &Reader,
    attachment_id: i64,
    offset: u64,
    length: usize,
) -> Result<Vec<u8>, AppError> {
    let bytes = sql::<Binary>(&format!("substr(support_attachments.content, {}, {length})", offset + 1));
    readable!(conn, who, attachment_id, bytes)
}

/// Deletes files that were never sent.
pub fn forget_unsent(conn: &mut Conn, now: NaiveDateTime) -> Result<usize, AppError> {
    let old = dsl::support_attachments
        .filter(dsl::message_id.is_null())
        .filter(dsl::created_at.lt(now - TimeDelta::hours(UNSENT_HOURS)));
    Ok(diesel::delete(old).execute(conn)?)
}
