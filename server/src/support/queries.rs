//! SQL that reads conversations. Every message is found by its account's conversation.
use crate::accounts::queries as accounts_of;
use crate::accounts::search::{Matching, of_accounts};
use crate::accounts::types::AccountDetail;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, Page, page_of_rows, within};
use crate::schema::{accounts, support_attachments, support_conversations, support_messages};
use crate::support::conversations::{StoredConversation, find};
use crate::support::types::*;
use chrono::NaiveDateTime;
use postern_core::list::{CONVERSATIONS, CursorKey};
use postern_core::support::attachment::AttachmentKind;
use postern_core::support::{ConversationState, MESSAGES_PER_PAGE, MessageKind, Side, excerpt};
use postern_core::time::to_wire;
use std::collections::HashMap;

type MessageRow = (i64, MessageKind, Side, String, String, NaiveDateTime);
type AttachmentRow = (i64, Option<i64>, String, AttachmentKind, i64, Option<i32>, Option<i32>);

fn attachment((attachment_id, _, name, kind, bytes, width, height): AttachmentRow) -> AttachmentView {
    AttachmentView { attachment_id, name, kind, bytes, width, height }
}

/// The attachments of these messages, by message.
fn attachments(conn: &mut Conn, message_ids: &[i64]) -> Result<HashMap<i64, Vec<AttachmentView>>, AppError> {
    let rows: Vec<AttachmentRow> = support_attachments::table
        .filter(support_attachments::message_id.eq_any(message_ids))
        .order(support_attachments::id)
        .select((
            support_attachments::id,
            support_attachments::message_id,
            support_attachments::name,
            support_attachments::kind,
            support_attachments::size_bytes,
            support_attachments::width,
            support_attachments::height,
        ))
        .load(conn)?;
    let mut found: HashMap<i64, Vec<AttachmentView>> = HashMap::new();
    for row in rows {
        if let Some(message_id) = row.1 {
            found.entry(message_id).or_default().push(attachment(row));
        }
    }
    Ok(found)
}

/// Messages for display. An operator without a name is shown as the shop.
fn views(conn: &mut Conn, rows: Vec<MessageRow>, shop: &str) -> Result<Vec<MessageView>, AppError> {
    let ids: Vec<i64> = rows.iter().map(|row| row.0).collect();
    let mut attached = attachments(conn, &ids)?;
    let view = |(message_id, kind, side, author, text, sent_at): MessageRow| MessageView {
        message_id,
        kind,
        side,
        author: if side == Side::Operator && author.is_empty() { shop.to_owned() } else { author },
        text,
        attachments: attached.remove(&message_id).unwrap_or_default(),
        sent_at: to_wire(sent_at),
    };
    Ok(rows.into_iter().map(view).collect())
}

/// The number of messages from the other side that this one has not read.
fn unread(conn: &mut Conn, row: &StoredConversation, side: Side) -> Result<i64, AppError> {
    let read_id = row.reading(side).read_id;
    if row.last_of(side.other()) <= read_id {
        return Ok(0);
    }
    Ok(support_messages::table
        .filter(support_messages::conversation_id.eq(row.id))
        .filter(support_messages::id.gt(read_id))
        .filter(support_messages::side.eq(side.other()))
        .filter(support_messages::kind.eq(MessageKind::Text))
        .count()
        .get_result(conn)?)
}

/// The number of messages in the account's conversation that this side has not read.
pub fn unread_of(conn: &mut Conn, account_id: i64, side: Side) -> Result<i64, AppError> {
    match find(conn, account_id)? {
        Some(row) => unread(conn, &row, side),
        None => Ok(0),
    }
}

/// The account's conversation, or an empty one.
pub fn conversation(
    conn: &mut Conn,
    account_id: i64,
    side: Side,
    window: Window,
    shop: &str,
) -> Result<Conversation, AppError> {
    let Some(row) = find(conn, account_id)? else {
        return Ok(Conversation {
            state: ConversationState::Open,
            messages: Vec::new(),
            has_earlier: false,
            has_later: false,
            unread: 0,
            read_by_other: 0,
        });
    };
    let mut query = support_messages::table
        .filter(support_messages::conversation_id.eq(row.id))
        .select((
            support_messages::id,
            support_messages::kind,
            support_messages::side,
            support_messages::author,
            support_messages::text,
            support_messages::created_at,
        ))
        .limit(MESSAGES_PER_PAGE as i64 + 1)
        .into_boxed();
    query = match (window.after, window.before) {
        (Some(after), _) => query.filter(support_messages::id.gt(after)).order(support_messages::id.asc()),
        (None, Some(before)) => query.filter(support_messages::id.lt(before)).order(support_messages::id.desc()),
        (None, None) => query.order(support_messages::id.desc()),
    };
    let mut rows: Vec<MessageRow> = query.load(conn)?;
    let has_more = rows.len() > MESSAGES_PER_PAGE;
    rows.truncate(MESSAGES_PER_PAGE);
    if window.after.is_none() {
        rows.reverse();
    }
    Ok(Conversation {
        state: row.state,
        messages: views(conn, rows, shop)?,
        has_earlier: has_more && window.after.is_none(),
        has_later: has_more && window.after.is_some(),
        unread: unread(conn, &row, side)?,
        read_by_other: row.reading(side.other()).read_id,
    })
}

/// A message by its id, for display.
pub fn message(conn: &mut Conn, message_id: i64, shop: &str) -> Result<MessageView, AppError> {
    let row: MessageRow = support_messages::table
        .find(message_id)
        .select((
            support_messages::id,
            support_messages::kind,
            support_messages::side,
            support_messages::author,
            support_messages::text,
            support_messages::created_at,
        ))
        .first(conn)?;
    views(conn, vec![row], shop)?.pop().ok_or_else(|| AppError::internal("a message without a view"))
}

/// An operator's display name: the first name in the account's details, or empty for the shop's name.
pub fn operator_name(conn: &mut Conn, account_id: i64) -> Result<String, AppError> {
    Ok(accounts::table.find(account_id).select(accounts::first_name).first(conn)?)
}

/// Information about the customer for operators; not found if the account does not exist.
pub fn facts(conn: &mut Conn, account_id: i64) -> Result<CustomerFacts, AppError> {
    let AccountDetail { account, facts, note, .. } = accounts_of::find(conn, account_id)?;
    Ok(CustomerFacts { account, facts, note })
}

/// One page of all conversations.
pub fn list(conn: &mut Conn, list: &ListRequest) -> Result<Page<ConversationRow>, AppError> {
    use support_conversations as c;
    let filter: ConversationFilter = list.filters()?;
    let between = list.between()?;
    let search = list.search.trim();
    let matching = if search.is_empty() { None } else { Some(Matching::of(conn, search)?) };
    let asked = list.asked(&CONVERSATIONS)?;
    let is_by_waiting = asked.order.sorts.iter().any(|sort| sort.field == "WaitingSince");
    let narrowed = || {
        let mut query = within(c::table.into_boxed(), c::last_message_at, between);
        if let Some(matching) = &matching {
            query = of_accounts!(matching, |ids| query.filter(c::account_id.eq_any(ids)));
        }
        if let Some(state) = filter.state {
            query = query.filter(c::state.eq(state));
        }
        match filter.is_waiting {
            Some(false) => query.filter(c::waiting_since.is_null()),
            // Only waiting conversations have a value in this order.
            Some(true) => query.filter(c::waiting_since.is_not_null()),
            None if is_by_waiting => query.filter(c::waiting_since.is_not_null()),
            None => query,
        }
    };
    let page = page_of_rows!(
        conn, asked, |row: StoredConversation| narrowed().select(StoredConversation::as_select()),
        counted: narrowed().select(c::id), number: c::id => row.id,
        fields: {
            "LastMessageAt" => c::last_message_at, time, CursorKey::Time(row.last_message_at);
            "WaitingSince" => c::waiting_since, time, CursorKey::Time(row.waiting_since.unwrap_or_default());
        }
    );
    page.views(|rows| list_rows(conn, rows))
}

fn list_rows(conn: &mut Conn, rows: Vec<StoredConversation>) -> Result<Vec<ConversationRow>, AppError> {
    let accounts: Vec<i64> = rows.iter().map(|row| row.account_id).collect();
    let mut names = accounts_of::names(conn, &accounts)?;
    let last_ids: Vec<i64> = rows.iter().map(|row| row.last_id).collect();
    let last: Vec<(i64, Side, String)> = support_messages::table
        .filter(support_messages::id.eq_any(last_ids))
        .select((support_messages::id, support_messages::side, support_messages::text))
        .load(conn)?;
    let mut last: HashMap<i64, (Side, String)> = last.into_iter().map(|(id, side, text)| (id, (side, text))).collect();
    let view = |row: StoredConversation| {
        let (email, name) = names.remove(&row.account_id).unwrap_or_default();
        let (last_side, text) = last.remove(&row.last_id).unwrap_or((Side::Customer, String::new()));
        Ok(ConversationRow {
            account_id: row.account_id,
            email,
            name,
            state: row.state,
            unread: unread(conn, &row, Side::Operator)?,
            waiting_since: row.waiting_since.map(to_wire),
            last_message_at: to_wire(row.last_message_at),
            last_text: excerpt(&text),
            last_side,
        })
    };
    rows.into_iter().map(view).collect()
}
