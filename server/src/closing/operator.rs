//! The operator's call that closes a customer's account.
use crate::accounts::changes::refuse_closed;
use crate::accounts::queries::{find, terms_of};
use crate::accounts::types::AccountDetail;
use crate::audit::{self, Entry};
use crate::closing::queries::{self, refuse_losses};
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Operator, Write, once};
use crate::ledger::lock_wallet;
use crate::schema::users;
use crate::state::App;
use crate::users::queries::lock_user;
use actix_web::{post, web};
use postern_core::account::operator_can_change;
use postern_core::audit::AuditAction;
use postern_core::code::Code;
use postern_core::operator_forms::validate_reason;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Closes a customer's account.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CloseAccountOf {
    pub account_id: i64,
    /// Why, for the audit log, where it stays: it should not name the customer.
    pub reason: String,
    /// Accepts the loss of any remaining balance, proxies, traffic and commissions.
    #[serde(default)]
    #[schema(required = false)]
    pub give_up_balance: bool,
}

/// Closes a customer's account immediately and permanently, as the customer could: its proxies, traffic, sessions and links end, and personal data is
/// deleted except where invoices and the ledger need it. The e-mail address can sign up again.
///
/// Refused with code 3333 and the key `closingUnpaidOrders` or `closingLeaves` as of `User/CloseAccount`, or `accountClosed`; with 3003 for accounts
/// of staff.
#[utoipa::path(request_body = CloseAccountOf, responses((status = 200, body = Answer<AccountDetail>)))]
#[post("/Operator/CloseAccount")]
pub async fn close_account_of(app: web::Data<App>, who: Operator, write: Write<CloseAccountOf>) -> Answered<Value> {
    let reason = validate_reason(&write.body.reason)?;
    let (now, account_id, gives_up) = (app.clock.now(), write.body.account_id, write.body.give_up_balance);
    let closed = app.db.write(move |conn| {
        terms_of(conn, account_id)?;
        // Transactions that move money or create orders lock the wallet first.
        let wallet = lock_wallet(conn, account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            if !operator_can_change(terms_of(conn, account_id)?.level) {
                return Err(AppError::code(Code::NotPermitted));
            }
            refuse_closed(conn, account_id)?;
            let owners = users::table.filter(users::account_id.eq(account_id)).order(users::id).select(users::id);
            for user_id in owners.load::<i64>(conn)? {
                lock_user(conn, user_id)?;
            }
            refuse_losses(conn, account_id, gives_up, now)?;
            queries::close(conn, account_id, wallet, now)?;
            let entry = Entry::new(AuditAction::AccountClosed).account(account_id).reason(&reason);
            audit::record(conn, &who.actor, entry, now)?;
            find(conn, account_id)
        })
    });
    answer(closed.await?)
}
