//! The operator's calls about mails.
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, Operator};
use crate::mail_queue::types::{MailIds, MailPreview, MailView, MailsResent, PreviewMail};
use crate::mail_queue::{list, preview};
use crate::state::App;
use actix_web::{post, web};

/// Lists the mails of the last 30 days, newest first, without their content. `Search` matches part of an address; filters by `State`, `Template` and
/// time.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<MailView>>)))]
#[post("/Operator/GetMailList")]
pub async fn get_mail_list(
    app: web::Data<App>,
    _who: Operator,
    Body(asked): Body<ListRequest>,
) -> Answered<Page<MailView>> {
    answer(app.db.read(move |conn| list::list(conn, &asked)).await?)
}

/// Sends mails again: those that wait after a failure are tried at once, those that were given up begin anew. Sent ones are left, and links that
/// grant access are gone with their last attempt.
#[utoipa::path(request_body = MailIds, responses((status = 200, body = Answer<MailsResent>)))]
#[post("/Operator/ResendMails")]
pub async fn resend_mails(app: web::Data<App>, who: Operator, Body(asked): Body<MailIds>) -> Answered<MailsResent> {
    let now = app.clock.now();
    answer(app.db.write(move |conn| list::resend(conn, &asked.mail_ids, &who.actor, now)).await?)
}

/// Returns a mail with made-up values, as its reader sees it.
#[utoipa::path(request_body = PreviewMail, responses((status = 200, body = Answer<MailPreview>)))]
#[post("/Operator/PreviewMail")]
pub async fn preview_mail(
    app: web::Data<App>,
    _who: Operator,
    Body(asked): Body<PreviewMail>,
) -> Answered<MailPreview> {
    let preview = web::block(move || preview::preview(&app, asked.template, asked.language)).await;
    answer(preview.map_err(|error| crate::error::AppError::Internal(error.into()))??)
}
