//! The operators' calls of the support chat: conversations and replies.
use crate::audit::{self, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::events;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, Operator, Write, once};
use crate::schema::accounts;
use crate::state::App;
use crate::support::conversations::{self, NewMessage};
use crate::support::queries;
use crate::support::routes::tell_streams;
use crate::support::types::*;
use crate::throttle;
use actix_web::{post, web};
use postern_core::audit::AuditAction;
use postern_core::code::Code;
use postern_core::event::EventKind;
use postern_core::support::{ConversationState, MessageKind, OPERATOR_MESSAGES, Side, validate_message_with};
use serde_json::{Value, json};

type AppData = web::Data<App>;

fn check_account(conn: &mut Conn, account_id: i64) -> Result<(), AppError> {
    let found = accounts::table.find(account_id).select(accounts::id).first::<i64>(conn).optional()?;
    found.map(drop).ok_or_else(|| AppError::code(Code::NotFound))
}

/// Lists the conversations of all customers. `Search` matches part of an e-mail address; filters by `State` and `IsWaiting`; sorts by `LastMessageAt`
/// and `WaitingSince`. Sorting by `WaitingSince` lists only conversations that are waiting.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<ConversationRow>>)))]
#[post("/Operator/GetConversationList")]
pub async fn get_conversation_list(
    app: AppData,
    _who: Operator,
    Body(asked): Body<ListRequest>,
) -> Answered<Page<ConversationRow>> {
    answer(app.db.read(move |conn| queries::list(conn, &asked)).await?)
}

/// Returns an account's conversation with information about the customer: its newest 50 messages, or those next to `Before` or `After`.
#[utoipa::path(request_body = GetConversation, responses((status = 200, body = Answer<OperatorConversation>)))]
#[post("/Operator/GetConversation")]
pub async fn get_conversation(
    app: AppData,
    who: Operator,
    Body(asked): Body<GetConversation>,
) -> Answered<OperatorConversation> {
    let shop = app.config.shop_name.clone();
    let GetConversation { account_id, before, after } = asked;
    let read = app.db.read(move |conn| {
        let customer = queries::facts(conn, account_id)?;
        let conversation = queries::conversation(conn, account_id, Side::Operator, Window { before, after }, &shop)?;
        let own = queries::operator_name(conn, who.account_id)?;
        let operator_name = if own.is_empty() { shop } else { own };
        Ok(OperatorConversation { conversation, customer, operator_name })
    });
    answer(read.await?)
}

/// Sends a message to a customer, as a reply or on the operator's own initiative. The customer sees the operator's first name, or the shop's name if
/// there is none.
#[utoipa::path(request_body = SendReply, responses((status = 200, body = Answer<MessageView>)))]
#[post("/Operator/SendReply")]
pub async fn send_reply(app: AppData, who: Operator, write: Write<SendReply>) -> Answered<Value> {
    let text = validate_message_with(&write.body.text, write.body.attachment_ids.len())?;
    let (now, shop) = (app.clock.now(), app.config.shop_name.clone());
    let sent = app.db.write(move |conn| {
        let account_id = write.body.account_id;
        check_account(conn, account_id)?;
        let mut row = conversations::lock_or_begin(conn, account_id, now)?;
        let mut changed = None;
        let sent = once(conn, who.account_id, &write.repeat, now, |conn| {
            throttle::hit(conn, &format!("replies of {}", who.user_id), OPERATOR_MESSAGES, now)?;
            let new = NewMessage {
                kind: MessageKind::Text,
                side: Side::Operator,
                user_id: who.user_id,
                author: &queries::operator_name(conn, who.account_id)?,
                text: &text,
                attachment_ids: &write.body.attachment_ids,
            };
            let message_id = conversations::add(conn, &mut row, &new, now)?;
            changed = Some(conversations::save(conn, &row, now)?);
            audit::record(conn, &who.actor, Entry::new(AuditAction::ReplySent).account(account_id), now)?;
            events::record(conn, account_id, EventKind::SupportAnswered, &json!({ "MessageId": message_id }), now)?;
            queries::message(conn, message_id, &shop)
        })?;
        Ok((sent, changed))
    });
    let (sent, changed) = sent.await?;
    tell_streams(&app, changed);
    answer(sent)
}

/// Marks a customer's messages up to the given one as read.
#[utoipa::path(request_body = MarkConversationRead, responses((status = 200, body = Answer<UnreadMessages>)))]
#[post("/Operator/MarkConversationRead")]
pub async fn mark_conversation_read(
    app: AppData,
    _who: Operator,
    Body(read): Body<MarkConversationRead>,
) -> Answered<UnreadMessages> {
    let (now, MarkConversationRead { account_id, message_id }) = (app.clock.now(), read);
    let marked = app.db.write(move |conn| {
        check_account(conn, account_id)?;
        let changed = conversations::mark_read(conn, account_id, Side::Operator, message_id, now)?;
        Ok((queries::unread_of(conn, account_id, Side::Operator)?, changed))
    });
    let (unread, changed) = marked.await?;
    tell_streams(&app, changed);
    answer(UnreadMessages { unread })
}

/// Closes a conversation: the customer is no longer waiting for a reply. The next message reopens it.
#[utoipa::path(request_body = ConversationRef, responses((status = 200, body = Answer<Conversation>)))]
#[post("/Operator/CloseConversation")]
pub async fn close_conversation(
    app: AppData,
    who: Operator,
    Body(closed): Body<ConversationRef>,
) -> Answered<Conversation> {
    let (now, shop, account_id) = (app.clock.now(), app.config.shop_name.clone(), closed.account_id);
    let closed = app.db.write(move |conn| {
        let mut row = conversations::lock(conn, account_id)?.ok_or_else(|| AppError::code(Code::NotFound))?;
        let mut changed = None;
        if row.state != ConversationState::Closed {
            let new = NewMessage {
                kind: MessageKind::Closed,
                side: Side::Operator,
                user_id: who.user_id,
                author: &queries::operator_name(conn, who.account_id)?,
                text: "",
                attachment_ids: &[],
            };
            conversations::add(conn, &mut row, &new, now)?;
            // The operator who closes it has read it.
            let read = row.reading(Side::Operator).after_reading(row.last_id, row.customer_last_id);
            row.set_reading(Side::Operator, read);
            changed = Some(conversations::save(conn, &row, now)?);
            audit::record(conn, &who.actor, Entry::new(AuditAction::ConversationClosed).account(account_id), now)?;
        }
        Ok((queries::conversation(conn, account_id, Side::Operator, Window::default(), &shop)?, changed))
    });
    let (conversation, changed) = closed.await?;
    tell_streams(&app, changed);
    answer(conversation)
}
