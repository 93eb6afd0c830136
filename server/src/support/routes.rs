//! The customer's calls of the support chat: the account's own conversation.
use crate::db::Conn;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn, Write, once};
use crate::state::App;
use crate::state::streams::Changed;
use crate::support::conversations::{self, NewMessage};
use crate::support::queries;
use crate::support::types::*;
use crate::throttle;
use actix_web::{post, web};
use postern_core::support::{CUSTOMER_MESSAGES, CUSTOMER_MESSAGES_PER_DAY, MessageKind, Side, validate_message_with};
use serde_json::Value;

type AppData = web::Data<App>;

/// Returns the account's conversation with support: its newest 50 messages, or those next to `Before` or `After`.
#[utoipa::path(request_body = Window, responses((status = 200, body = Answer<Conversation>)))]
#[post("/Support/GetConversation")]
pub async fn get_conversation(app: AppData, who: SignedIn, Body(window): Body<Window>) -> Answered<Conversation> {
    let shop = app.config.shop_name.clone();
    let read = app.db.read(move |conn| queries::conversation(conn, who.account_id, Side::Customer, window, &shop));
    answer(read.await?)
}

/// Returns the number of unread messages from support.
#[utoipa::path(responses((status = 200, body = Answer<UnreadMessages>)))]
#[post("/Support/GetUnread")]
pub async fn get_unread(app: AppData, who: SignedIn) -> Answered<UnreadMessages> {
    let unread = app.db.read(move |conn| queries::unread_of(conn, who.account_id, Side::Customer)).await?;
    answer(UnreadMessages { unread })
}

/// Sends a message to support. This reopens a closed conversation.
#[utoipa::path(request_body = SendMessage, responses((status = 200, body = Answer<MessageView>)))]
#[post("/Support/SendMessage")]
pub async fn send_message(app: AppData, who: SignedIn, write: Write<SendMessage>) -> Answered<Value> {
    let SendMessage { text, attachment_ids } = &write.body;
    let text = validate_message_with(text, attachment_ids.len())?;
    let (now, shop, account_id) = (app.clock.now(), app.config.shop_name.clone(), who.account_id);
    let sent = app.db.write(move |conn| {
        let mut row = conversations::lock_or_begin(conn, account_id, now)?;
        let mut changed = None;
        let sent = once(conn, account_id, &write.repeat, now, |conn| {
            throttle::hit(conn, &format!("messages of {account_id}"), CUSTOMER_MESSAGES, now)?;
            throttle::hit(conn, &format!("messages of {account_id} in a day"), CUSTOMER_MESSAGES_PER_DAY, now)?;
            let new = NewMessage {
                kind: MessageKind::Text,
                side: Side::Customer,
                user_id: who.user_id,
                author: "",
                text: &text,
                attachment_ids: &write.body.attachment_ids,
            };
            let message_id = conversations::add(conn, &mut row, &new, now)?;
            changed = Some(conversations::save(conn, &row, now)?);
            queries::message(conn, message_id, &shop)
        })?;
        Ok((sent, changed))
    });
    let (sent, changed) = sent.await?;
    tell_streams(&app, changed);
    answer(sent)
}

/// Marks the messages up to the given one as read.
#[utoipa::path(request_body = MarkMessagesRead, responses((status = 200, body = Answer<UnreadMessages>)))]
#[post("/Support/MarkRead")]
pub async fn mark_read(app: AppData, who: SignedIn, Body(read): Body<MarkMessagesRead>) -> Answered<UnreadMessages> {
    let (now, account_id) = (app.clock.now(), who.account_id);
    let marked = app.db.write(move |conn: &mut Conn| {
        let changed = conversations::mark_read(conn, account_id, Side::Customer, read.message_id, now)?;
        Ok((queries::unread_of(conn, account_id, Side::Customer)?, changed))
    });
    let (unread, changed) = marked.await?;
    tell_streams(&app, changed);
    answer(UnreadMessages { unread })
}

/// Notifies the streams of this process at once; other processes poll the database every second.
pub fn tell_streams(app: &App, changed: Option<Changed>) {
    if let Some(changed) = changed {
        app.support.signal(changed);
    }
}
