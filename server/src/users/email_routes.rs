//! The calls of the group `User` about changing the e-mail address.
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn};
use crate::security_log;
use crate::security_log::visitor::Visitor;
use crate::state::App;
use crate::users::attempts::{check_burst_limit, check_password, hit_all};
use crate::users::email_changes::{self, Links};
use crate::users::email_types::*;
use crate::users::entered::still_current;
use crate::users::recovery;
use crate::users::types::Sent;
use actix_web::{post, web};
use postern_core::account::{EMAIL_CHANGES_PER_USER, MAILED_LINKS_PER_RECIPIENT};
use postern_core::field_errors::both;
use postern_core::profile::validate_entered_password;
use postern_core::security_log::SecurityKind;
use postern_core::sign_in::validate_email_change;

type AppData = web::Data<App>;

/// Requests a change of the user's e-mail address. Mails a link to the new address, which confirms the change, and one to the old address, which
/// stops it. The response does not reveal whether the new address has an account; the mail to its owner does. Replaces a pending request.
#[utoipa::path(request_body = RequestEmailChange, responses((status = 200, body = Answer<Sent>)))]
#[post("/User/RequestEmailChange")]
pub async fn request_email_change(
    app: AppData,
    who: SignedIn,
    visitor: Visitor,
    Body(form): Body<RequestEmailChange>,
) -> Answered<Sent> {
    let (email, ()) = both(validate_email_change(&form.email, &who.email), validate_entered_password(&form.password))?;
    let hash = check_password(&app, &who, form.password).await?;
    let user = (format!("e-mail change of {}", who.user_id), EMAIL_CHANGES_PER_USER);
    let recipient = (format!("mail to {}", email.inbox()), MAILED_LINKS_PER_RECIPIENT);
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
#[utoipa::path(request_body = ConfirmEmailChange, responses((status = 200, body = Answer<EmailChanged>)))]
#[post("/User/ConfirmEmailChange")]
pub async fn confirm_email_change(
    app: AppData,
    visitor: Visitor,
    Body(form): Body<ConfirmEmailChange>,
) -> Answered<EmailChanged> {
    check_burst_limit(&app, &visitor.sender)?;
    let now = app.clock.now();
    let confirmed = app.db.write(move |conn| email_changes::confirm(conn, &form.token, &visitor, now));
    answer(EmailChanged { email: confirmed.await? })
}

/// Stops or undoes a change of an e-mail address, with the token from the link to the old address. Whoever asked for the change knew the password, so it
/// becomes invalid, and all access ends: sessions, known devices, mailed links, API keys, the access token and list URLs; webhooks are paused, and
/// two-factor authentication is turned off if it was turned on after the request. Mails a password reset link to the old address.
#[utoipa::path(request_body = StopEmailChange, responses((status = 200, body = Answer<EmailChanged>)))]
#[post("/User/StopEmailChange")]
pub async fn stop_email_change(
    app: AppData,
    visitor: Visitor,
    Body(form): Body<StopEmailChange>,
) -> Answered<EmailChanged> {
    check_burst_limit(&app, &visitor.sender)?;
    let (now, key, public_url) = (app.clock.now(), app.key.clone(), app.config.public_url.clone());
    let stopped = app.db.write(move |conn| {
        recovery::stop_email_change(conn, &Links { key: &key, public_url: &public_url }, &form.token, &visitor, now)
    });
    answer(EmailChanged { email: stopped.await? })
}
