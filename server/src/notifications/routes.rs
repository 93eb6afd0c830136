//! The calls of the group `Notifications`.
use crate::db::Conn;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, SignedIn};
use crate::notifications::types::*;
use crate::notifications::unsubscribe::follow;
use crate::notifications::{choices, queries};
use crate::state::App;
use actix_web::{post, web};
use postern_core::notification::{NotificationChoice, can_unsubscribe};

type AppData = web::Data<App>;

/// Lists the account's events, newest first, without the kinds that the user turned off. Filters by time; sorts by `CreatedAt`. `Data` has the same
/// fields as in a webhook of this kind. API keys without `billing:read` do not see kinds that tell amounts.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<NotificationView>>)))]
#[post("/Notifications/GetNotificationList")]
pub async fn get_notification_list(
    app: AppData,
    who: SignedIn,
    Body(asked): Body<ListRequest>,
) -> Answered<Page<NotificationView>> {
    answer(app.db.read(move |conn| queries::list(conn, &who, &asked)).await?)
}

/// Returns the number of unread notifications.
#[utoipa::path(responses((status = 200, body = Answer<Unread>)))]
#[post("/Notifications/GetUnread")]
pub async fn get_unread(app: AppData, who: SignedIn) -> Answered<Unread> {
    answer(app.db.read(move |conn| queries::unread(conn, &who)).await?)
}

/// Marks single notifications, or all up to a given one, as read. The read state is per user.
#[utoipa::path(request_body = MarkRead, responses((status = 200, body = Answer<Unread>)))]
#[post("/Notifications/MarkRead")]
pub async fn mark_read(app: AppData, who: SignedIn, Body(marks): Body<MarkRead>) -> Answered<Unread> {
    let marked = app.db.write(move |conn| {
        queries::mark_read(conn, &who, &marks)?;
        queries::unread(conn, &who)
    });
    answer(marked.await?)
}

fn settings(conn: &mut Conn, user_id: i64) -> Result<NotificationSettings, AppError> {
    let choices = choices::choices(conn, user_id)?;
    let setting =
        |choice: NotificationChoice| NotificationSetting { can_choose_mail: can_unsubscribe(choice.kind), choice };
    Ok(NotificationSettings { settings: choices.into_iter().map(setting).collect() })
}

/// Returns, for each kind of event, whether the user gets it on screen and by mail.
#[utoipa::path(responses((status = 200, body = Answer<NotificationSettings>)))]
#[post("/Notifications/GetSettings")]
pub async fn get_settings(app: AppData, who: SignedIn) -> Answered<NotificationSettings> {
    answer(app.db.read(move |conn| settings(conn, who.user_id)).await?)
}

/// Sets which kinds of events the user gets on screen and by mail. Security events are always mailed.
#[utoipa::path(request_body = SetNotificationSettings, responses((status = 200, body = Answer<NotificationSettings>)))]
#[post("/Notifications/SetSettings")]
pub async fn set_settings(
    app: AppData,
    who: SignedIn,
    Body(wanted): Body<SetNotificationSettings>,
) -> Answered<NotificationSettings> {
    let set = app.db.write(move |conn| {
        for choice in &wanted.settings {
            choices::choose(conn, who.user_id, *choice)?;
        }
        settings(conn, who.user_id)
    });
    answer(set.await?)
}

/// Unsubscribes a user from mails of one kind, with the link from such a mail. The link can be used repeatedly and changes nothing else.
#[utoipa::path(request_body = Unsubscribe, responses((status = 200, body = Answer<Unsubscribed>)))]
#[post("/Notifications/Unsubscribe")]
pub async fn unsubscribe(app: AppData, Body(asked): Body<Unsubscribe>) -> Answered<Unsubscribed> {
    answer(follow(&app, asked).await?)
}
