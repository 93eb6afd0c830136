//! The operators' calls about legal texts.
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, Operator, Write, once};
use crate::legal::rows;
use crate::legal::types::{LegalText, LegalTextId, LegalTextView, PublishLegalText};
use crate::state::App;
use actix_web::{post, web};
use serde_json::Value;

type AppData = web::Data<App>;

/// Lists all versions of the terms and of the privacy policy, the newest first, with how many users accepted each.
#[utoipa::path(responses((status = 200, body = Answer<Vec<LegalTextView>>)))]
#[post("/Operator/GetLegalTextList")]
pub async fn get_legal_text_list(app: AppData, _who: Operator) -> Answered<Vec<LegalTextView>> {
    answer(app.db.read(rows::all).await?)
}

/// Returns a version as it was entered: a text is empty if it was written in the other language only.
#[utoipa::path(request_body = LegalTextId, responses((status = 200, body = Answer<LegalText>)))]
#[post("/Operator/GetLegalText")]
pub async fn get_legal_text(app: AppData, _who: Operator, Body(asked): Body<LegalTextId>) -> Answered<LegalText> {
    answer(app.db.read(move |conn| rows::version(conn, asked.legal_text_id)).await?)
}

/// Publishes a new version of the terms or of the privacy policy. From now on sign-ups accept it, and customers are asked to at their next visit.
#[utoipa::path(request_body = PublishLegalText, responses((status = 200, body = Answer<Vec<LegalTextView>>)))]
#[post("/Operator/PublishLegalText")]
pub async fn publish_legal_text(app: AppData, who: Operator, write: Write<PublishLegalText>) -> Answered<Value> {
    let now = app.clock.now();
    let published = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            rows::publish(conn, &write.body.form, (who.user_id, &who.actor), now)?;
            rows::all(conn)
        })
    });
    answer(published.await?)
}
