//! The operator's call that closes a customer's account, or merges it into the customer's other one.
use crate::accounts::changes::refuse_closed;
use crate::accounts::queries::{find, terms_of};
use crate::accounts::types::AccountDetail;
use crate::audit::{self, Actor, Entry};
use crate::closing::queries::{self, refuse_losses};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Operator, Write, once};
use crate::ledger::lock_wallet;
use crate::schema::{users, wallets};
use crate::state::App;
use crate::users::queries::lock_user;
use crate::wallet::adjustments::adjust;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::account::operator_can_change;
use postern_core::audit::AuditAction;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::ledger::Adjustment;
use postern_core::money::{Currency, Money};
use postern_core::operator_forms::validate_reason;
use postern_core::rule::Rule;
use postern_core::sign_in::EmailAddress;
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
    /// For a customer with two accounts: the e-mail address of the other one, which gets the balance. Empty for none.
    #[serde(default)]
    #[schema(required = false)]
    pub balance_to: String,
}

/// Closes a customer's account immediately and permanently, as the customer could: its proxies, traffic, sessions and links end, and personal data is
/// deleted except where invoices and the ledger need it. The e-mail address can sign up again.
///
/// With `BalanceTo`, the balance is moved to the customer's other account first, with the reason, which the customer sees there. Refused at this field
/// unless it is another open account of a customer in the same currency.
///
/// Refused with code 3333 and the key `closingUnpaidOrders` or `closingLeaves` as of `User/CloseAccount`, or `accountClosed`; with 3003 for accounts
/// of staff.
#[utoipa::path(request_body = CloseAccountOf, responses((status = 200, body = Answer<AccountDetail>)))]
#[post("/Operator/CloseAccount")]
pub async fn close_account_of(app: web::Data<App>, who: Operator, write: Write<CloseAccountOf>) -> Answered<Value> {
    let reason = validate_reason(&write.body.reason)?;
    let CloseAccountOf { account_id, give_up_balance: gives_up, balance_to, .. } = write.body.clone();
    let now = app.clock.now();
    let closed = app.db.write(move |conn| {
        terms_of(conn, account_id)?;
        let other = match balance_to.trim() {
            "" => None,
            email => Some(other_account(conn, account_id, email)?),
        };
        // Transactions that move money or create orders lock the wallet first; of two, the one with the lower id.
        let mut both: Vec<i64> = other.into_iter().chain([account_id]).collect();
        both.sort_unstable();
        for account_id in both {
            lock_wallet(conn, account_id)?;
        }
        once(conn, who.account_id, &write.repeat, now, |conn| {
            if !operator_can_change(terms_of(conn, account_id)?.level) {
                return Err(AppError::code(Code::NotPermitted));
            }
            refuse_closed(conn, account_id)?;
            let owners = users::table.filter(users::account_id.eq(account_id)).order(users::id).select(users::id);
            for user_id in owners.load::<i64>(conn)? {
                lock_user(conn, user_id)?;
            }
            if let Some(other) = other {
                move_balance(conn, (account_id, other), &reason, &who.actor, now)?;
            }
            refuse_losses(conn, account_id, gives_up, now)?;
            let wallet = lock_wallet(conn, account_id)?;
            queries::close(conn, account_id, wallet, now)?;
            let entry = Entry::new(AuditAction::AccountClosed).account(account_id).reason(&reason);
            audit::record(conn, &who.actor, entry, now)?;
            find(conn, account_id)
        })
    });
    answer(closed.await?)
}

/// The account with this address, if the balance can be moved there.
fn other_account(conn: &mut Conn, account_id: i64, email: &str) -> Result<i64, AppError> {
    let refused = || AppError::from(FieldErrors::one("BalanceTo", Rule::NoOtherAccount, &[]));
    let email = EmailAddress::parse(email).ok_or_else(refused)?;
    let found = users::table.filter(users::email.eq(email.as_str())).select(users::account_id);
    let other: i64 = found.first(conn).optional()?.ok_or_else(refused)?;
    let accounts = [account_id, other];
    let currencies = wallets::table.filter(wallets::account_id.eq_any(accounts)).select(wallets::currency);
    let currencies: Vec<Currency> = currencies.load(conn)?;
    let is_other = other != account_id && currencies[..].windows(2).all(|pair| pair[0] == pair[1]);
    if is_other && operator_can_change(terms_of(conn, other)?.level) { Ok(other) } else { Err(refused()) }
}

/// Takes the balance from one wallet and adds it to the other, as operators' changes of both. The caller holds the locks of both.
fn move_balance(
    conn: &mut Conn,
    (from, to): (i64, i64),
    reason: &str,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let balance = lock_wallet(conn, from)?.balance;
    if balance == Money::ZERO {
        return Ok(());
    }
    adjust(conn, from, Adjustment::Returned, (balance, reason), actor, now)?;
    adjust(conn, to, Adjustment::Received, (balance, reason), actor, now)
}
