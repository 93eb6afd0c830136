//! The operators' calls about a customer's access: turning off a lost second factor, and looking at the shop as the customer.
use crate::accounts::changes::refuse_closed;
use crate::accounts::queries::{find, terms_of};
use crate::accounts::types::{AccountDetail, AccountRef};
use crate::audit::{self, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, Operator, Write, once};
use crate::schema::users;
use crate::security_log;
use crate::security_log::visitor::Visitor;
use crate::state::App;
use crate::users::attempts::hit_all;
use crate::users::email_changes::{self, Links};
use crate::users::queries::lock_user;
use crate::users::types::Sent;
use crate::users::{sessions, two_factor};
use actix_web::{post, web};
use chrono::TimeDelta;
use postern_core::account::{EMAIL_CHANGES_BY_OPERATOR, MAILED_LINKS_PER_RECIPIENT, VIEW_MINUTES, operator_can_change};
use postern_core::audit::AuditAction;
use postern_core::code::Code;
use postern_core::field_errors::both;
use postern_core::operator_forms::validate_reason;
use postern_core::security_log::SecurityKind;
use postern_core::sign_in::validate_email_change;
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Turns off a customer's second factor.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct TurnOffTwoFactorOf {
    pub account_id: i64,
    /// How the customer was recognised; for the audit log.
    pub reason: String,
}

/// A session that looks at the shop as a customer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CustomerView {
    /// A session token that only reads: calls that change anything are refused with `viewOnly`.
    pub token: String,
    pub email: String,
    pub expires_at: String,
}

/// The first user of an account that operators may change.
fn changeable(conn: &mut Conn, account_id: i64) -> Result<(i64, String), AppError> {
    if !operator_can_change(terms_of(conn, account_id)?.level) {
        return Err(AppError::code(Code::NotPermitted));
    }
    refuse_closed(conn, account_id)?;
    first_user(conn, account_id)
}

/// The id and the address of an account's first user.
fn first_user(conn: &mut Conn, account_id: i64) -> Result<(i64, String), AppError> {
    let user = users::table.filter(users::account_id.eq(account_id)).order(users::id);
    let user = user.select((users::id, users::email)).first(conn).optional()?;
    user.ok_or_else(|| AppError::code(Code::NotFound))
}

/// Turns off two-factor authentication for a customer who has lost the app and all recovery codes, ends all of their sessions, and notifies them.
/// Refused with 3003 for operators' accounts, and with `accountClosed` for a closed account.
#[utoipa::path(request_body = TurnOffTwoFactorOf, responses((status = 200, body = Answer<AccountDetail>)))]
#[post("/Operator/TurnOffTwoFactor")]
pub async fn turn_off_two_factor_of(
    app: web::Data<App>,
    who: Operator,
    write: Write<TurnOffTwoFactorOf>,
) -> Answered<Value> {
    let (now, account_id) = (app.clock.now(), write.body.account_id);
    let reason = validate_reason(&write.body.reason)?;
    let turned_off = app.db.write(move |conn| {
        let (user_id, _) = changeable(conn, account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            two_factor::turn_off_as_operator(conn, user_id, &reason, &who.actor, now)?;
            find(conn, account_id)
        })
    });
    answer(turned_off.await?)
}

/// Has a link to another e-mail address sent for a customer.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ChangeEmailOf {
    pub account_id: i64,
    /// The new address.
    pub email: String,
    /// How the customer was recognised; for the audit log.
    pub reason: String,
}

/// Requests a change of a customer's e-mail address, for one who mistyped it or has lost the mailbox, as `User/RequestEmailChange` does without the
/// password: a link to the new address confirms the change, and one to the old address stops it. Replaces a pending request. Refused with 3003 for
/// accounts of staff, and with `accountClosed` for a closed account.
#[utoipa::path(request_body = ChangeEmailOf, responses((status = 200, body = Answer<Sent>)))]
#[post("/Operator/RequestEmailChange")]
pub async fn request_email_change_of(
    app: web::Data<App>,
    who: Operator,
    write: Write<ChangeEmailOf>,
) -> Answered<Value> {
    let (now, account_id) = (app.clock.now(), write.body.account_id);
    let (_, current) = app.db.read(move |conn| first_user(conn, account_id)).await?;
    let (email, reason) =
        both(validate_email_change(&write.body.email, &current), validate_reason(&write.body.reason))?;
    let recipient = (format!("mail to {}", email.inbox()), MAILED_LINKS_PER_RECIPIENT);
    hit_all(&app, vec![(format!("e-mail changes by {}", who.user_id), EMAIL_CHANGES_BY_OPERATOR), recipient]).await?;
    let (key, public_url) = (app.key.clone(), app.config.public_url.clone());
    let requested = app.db.write(move |conn| {
        let (user_id, _) = changeable(conn, account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            lock_user(conn, user_id)?;
            let links = Links { key: &key, public_url: &public_url };
            email_changes::request(conn, &links, user_id, email.as_str(), now)?;
            // The address is not in the audit log, from which closing the account could not delete it.
            let entry = Entry::new(AuditAction::EmailChangeRequested).account(account_id).reason(&reason);
            audit::record(conn, &who.actor, entry, now)?;
            let kind = SecurityKind::EmailChangeRequested;
            security_log::note(conn, user_id, kind, &Visitor::command(), email.as_str(), now)?;
            Ok(Sent { sent: true })
        })
    });
    answer(requested.await?)
}

/// Starts a session of an hour that shows the shop as a customer sees it, and changes nothing. It is recorded in the audit log, and does not appear
/// among the customer's sessions. Refused with 3003 for operators' accounts, and with `accountClosed` for a closed account.
#[utoipa::path(request_body = AccountRef, responses((status = 200, body = Answer<CustomerView>)))]
#[post("/Operator/ViewAsCustomer")]
pub async fn view_as_customer(
    app: web::Data<App>,
    who: Operator,
    visitor: Visitor,
    Body(asked): Body<AccountRef>,
) -> Answered<CustomerView> {
    let now = app.clock.now();
    let viewed = app.db.write(move |conn| {
        let (user_id, email) = changeable(conn, asked.account_id)?;
        let begun = sessions::start(conn, user_id, (&visitor.address, &visitor.user_agent), None, now)?;
        let expires_at = now + TimeDelta::minutes(VIEW_MINUTES);
        sessions::make_view(conn, &begun, who.user_id, expires_at)?;
        let entry = Entry::new(AuditAction::AccountViewed).account(asked.account_id);
        audit::record(conn, &who.actor, entry, now)?;
        Ok(CustomerView { token: begun, email, expires_at: to_wire(expires_at) })
    });
    answer(viewed.await?)
}
