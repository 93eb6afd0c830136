//! The calls of the group `User` about changing the e-mail address.
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn};
use crate::state::App;
use crate::users::attempts::{check_burst_limit, check_password, hit_all};
use crate::users::email_changes::{self, Links};
use crate::users::email_types::*;
use crate::users::entered::still_current;
use crate::users::security_log;
use crate::users::types::Sent;
use crate::users::visitor::Visitor;
use actix_web::{post, web};
use postern_core::account::{EMAIL_CHANGES_PER_USER, MAILED_LINKS_PER_RECIPIENT};
use postern_core::security_log::SecurityKind;
use postern_core::sign_in::validate_email_change;

pub fn configure(config: &mut impl crate::http::routes::Routes) {
    config.service(request_email_change).service(confirm_email_change).service(stop_email_change);
}

type AppData = web::Data<App>;

/// Requests a change of the user's e-mail address. Mails a link to the new address, which confirms the change, and one to the old address, which
/// stops it. The response does not reveal whether the new address has an account; the mail to its owner does. Replaces a pending request.
#[utoipa::path(tag = "User", request_body = RequestEmailChange, responses((status = 200, body = Answer<Sent>)), security(("Token" = [])))]
#[post("/User/RequestEmailChange")]
async fn request_email_change(
    app: AppData,
    who: SignedIn,
    visitor: Visitor,
    Body(form): Body<RequestEmailChange>,
) -> Answered<Sent> {
    let email = validate_email_change(&form.email, &who.email)?;
    let hash = check_password(&app, &who, form.password).await?;
    let user = (format!("e-mail change of {}", who.user_id), EMAIL_CHANGES_PER_USER);
    let recipient = (format!("mail to {}", email.as_str()), MAILED_LINKS_PER_RECIPIENT);
    hit_all(&app, vec![user, recipient]).await?;
    let (now, key, public_url) = (app.clock.now(), app.key.clone(), app.config.public_url.clone());
    let requested = app.db.write(move |conn| {
        still_current(conn, who.user_id, &hash)?;
        let links = Links { key: &key, public_url: &public_url };
        email_changes::request(conn, &links, who.user_id, email.as_str(), now)?;
        let kind = SecurityKind::EmailChangeRequested;
        security_log::note(conn, who.user_id, kind, &visitor, email.as_str(), now)
    });
    requested.await?;
    answer(Sent { sent: true })
}

/// Confirms a change of an e-mail address with the token from the link to the new address: from now on the user signs in with it. The old address is
/// notified, and can undo the change with its own link.
#[utoipa::path(tag = "User", request_body = ConfirmEmailChange, responses((status = 200, body = Answer<EmailChanged>)))]
#[post("/User/ConfirmEmailChange")]
async fn confirm_email_change(
    app: AppData,
    visitor: Visitor,
    Body(form): Body<ConfirmEmailChange>,
) -> Answered<EmailChanged> {
    check_burst_limit(&app, &visitor.sender)?;
    let now = app.clock.now();
    let confirmed = app.db.write(move |conn| email_changes::confirm(conn, &form.token, &visitor, now));
    answer(EmailChanged { email: confirmed.await? })
}

/// Stops or undoes a change of an e-mail address, with the token from the link to the old address. Ends all sessions, makes the password invalid, and
/// mails a password reset link to the old address.
#[utoipa::path(tag = "User", request_body = StopEmailChange, responses((status = 200, body = Answer<EmailChanged>)))]
#[post("/User/StopEmailChange")]
async fn stop_email_change(
    app: AppData,
    visitor: Visitor,
    Body(form): Body<StopEmailChange>,
) -> Answered<EmailChanged> {
    check_burst_limit(&app, &visitor.sender)?;
    let (now, key, public_url) = (app.clock.now(), app.key.clone(), app.config.public_url.clone());
    let stopped = app.db.write(move |conn| {
        email_changes::stop(conn, &Links { key: &key, public_url: &public_url }, &form.token, &visitor, now)
    });
    answer(EmailChanged { email: stopped.await? })
}
