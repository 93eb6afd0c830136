//! The calls about announcements.
use crate::announcements::queries::{all, delete, save, shown};
use crate::announcements::types::{AnnouncementRef, AnnouncementView, SaveAnnouncement, ShownAnnouncement};
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, Operator, SignedIn, Write, once};
use crate::state::App;
use actix_web::{post, web};
use postern_core::announcement::validate_announcement;
use serde_json::Value;

type AppData = web::Data<App>;

/// Returns the announcements that customers see now, at most three, the newest first.
#[utoipa::path(responses((status = 200, body = Answer<Vec<ShownAnnouncement>>)))]
#[post("/SystemSettings/GetAnnouncementList")]
pub async fn get_shown_announcement_list(app: AppData, _who: SignedIn) -> Answered<Vec<ShownAnnouncement>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| shown(conn, now)).await?)
}

/// Lists all announcements: those that are shown, those to come and those that are over.
#[utoipa::path(responses((status = 200, body = Answer<Vec<AnnouncementView>>)))]
#[post("/Operator/GetAnnouncementList")]
pub async fn get_announcement_list(app: AppData, _who: Operator) -> Answered<Vec<AnnouncementView>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| all(conn, now)).await?)
}

/// Saves an announcement, or adds one if there is no `AnnouncementId`; customers see it within a minute of its start.
#[utoipa::path(request_body = SaveAnnouncement, responses((status = 200, body = Answer<Vec<AnnouncementView>>)))]
#[post("/Operator/SaveAnnouncement")]
pub async fn save_announcement(app: AppData, who: Operator, write: Write<SaveAnnouncement>) -> Answered<Value> {
    let now = app.clock.now();
    let wanted = validate_announcement(&write.body.form, now)?;
    let saved = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            save(conn, write.body.announcement_id, &wanted, (who.user_id, &who.actor), now)?;
            all(conn, now)
        })
    });
    answer(saved.await?)
}

/// Deletes an announcement.
#[utoipa::path(request_body = AnnouncementRef, responses((status = 200, body = Answer<Vec<AnnouncementView>>)))]
#[post("/Operator/DeleteAnnouncement")]
pub async fn delete_announcement(
    app: AppData,
    who: Operator,
    Body(asked): Body<AnnouncementRef>,
) -> Answered<Vec<AnnouncementView>> {
    let now = app.clock.now();
    let deleted = app.db.write(move |conn| -> Result<_, AppError> {
        delete(conn, asked.announcement_id, &who.actor, now)?;
        all(conn, now)
    });
    answer(deleted.await?)
}
