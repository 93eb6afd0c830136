//! The operator-only calls about accounts.
use crate::accounts::changes::{Flags, set_flags, set_note, set_state};
use crate::accounts::queries::{find, list, set_terms, terms_of};
use crate::accounts::types::{
    Account, AccountDetail, AccountRef, SaveAccountNote, SetAccountFlags, SetAccountState, SetAccountTerms,
};
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, Operator, Write, once};
use crate::ledger::lock_wallet;
use crate::state::App;
use actix_web::{post, web};
use postern_core::account::operator_can_change;
use postern_core::code::Code;
use postern_core::operator_forms::{validate_account_note, validate_account_terms, validate_state_reason};
use postern_core::reseller::operator_can_grant;
use serde_json::Value;

type AppData = web::Data<App>;

/// Lists all accounts, newest first. `Search` matches part of an e-mail address; filters by `Level`, `State` and time; sorts by
/// `CreatedAt`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<Account>>)))]
#[post("/Operator/GetAccountList")]
pub async fn get_account_list(app: AppData, _who: Operator, Body(asked): Body<ListRequest>) -> Answered<Page<Account>> {
    answer(app.db.read(move |conn| list(conn, &asked)).await?)
}

/// Returns an account with its account centre settings and the changes made by operators.
#[utoipa::path(request_body = AccountRef, responses((status = 200, body = Answer<AccountDetail>)))]
#[post("/Operator/GetAccount")]
pub async fn get_account(app: AppData, _who: Operator, Body(asked): Body<AccountRef>) -> Answered<AccountDetail> {
    answer(app.db.read(move |conn| find(conn, asked.account_id)).await?)
}

/// Makes an account a customer, a reseller with a wholesale discount for future orders and renewals, or one of support or an accountant (level 2 with
/// a `Role`). Refused with 3003 for accounts that may do everything and for appointing them, which only a command on the server does, and with
/// `accountClosed` for a closed account.
#[utoipa::path(request_body = SetAccountTerms, responses((status = 200, body = Answer<AccountDetail>)))]
#[post("/Operator/SetAccountTerms")]
pub async fn set_account_terms(app: AppData, who: Operator, write: Write<SetAccountTerms>) -> Answered<Value> {
    let terms = validate_account_terms(&write.body.terms)?;
    let (now, account_id) = (app.clock.now(), write.body.account_id);
    let set = app.db.write(move |conn| {
        terms_of(conn, account_id)?;
        // Lock the wallet first: the same lock order as in orders.
        lock_wallet(conn, account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            if !operator_can_grant(terms_of(conn, account_id)?, terms) {
                return Err(AppError::code(Code::NotPermitted));
            }
            set_terms(conn, account_id, terms, &who.actor, now)?;
            find(conn, account_id)
        })
    });
    answer(set.await?)
}

/// Sets whether an account's centre shows the invitation code and the access token. The access token is created when it is first shown. Refused with
/// `accountClosed` for a closed account.
#[utoipa::path(request_body = SetAccountFlags, responses((status = 200, body = Answer<AccountDetail>)))]
#[post("/Operator/SetAccountFlags")]
pub async fn set_account_flags(app: AppData, who: Operator, write: Write<SetAccountFlags>) -> Answered<Value> {
    let now = app.clock.now();
    let key = app.key.clone();
    let set = app.db.write(move |conn| {
        let SetAccountFlags { account_id, show_invitation_code, show_access_token } = write.body;
        terms_of(conn, account_id)?;
        lock_wallet(conn, account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let wanted = Flags { show_invitation_code, show_access_token };
            set_flags(conn, &key, account_id, wanted, &who.actor, now)?;
            find(conn, account_id)
        })
    });
    answer(set.await?)
}

/// Suspends an account with a reason, or resumes it. A suspended account has access to billing and support only; its proxies and API keys are
/// refused. Refused with 3003 for operators' accounts, which only a command on the server can suspend, and with `accountClosed` for a closed account.
#[utoipa::path(request_body = SetAccountState, responses((status = 200, body = Answer<AccountDetail>)))]
#[post("/Operator/SetAccountState")]
pub async fn set_account_state(app: AppData, who: Operator, write: Write<SetAccountState>) -> Answered<Value> {
    let SetAccountState { account_id, state, reason } = write.body.clone();
    let reason = validate_state_reason(state, &reason)?;
    let now = app.clock.now();
    let set = app.db.write(move |conn| {
        terms_of(conn, account_id)?;
        lock_wallet(conn, account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            if !operator_can_change(terms_of(conn, account_id)?.level) {
                return Err(AppError::code(Code::NotPermitted));
            }
            set_state(conn, account_id, state, &reason, &who.actor, now)?;
            find(conn, account_id)
        })
    });
    answer(set.await?)
}

/// Saves the operators' note about a customer, who never sees it. Refused with `accountClosed` for a closed account.
#[utoipa::path(request_body = SaveAccountNote, responses((status = 200, body = Answer<AccountDetail>)))]
#[post("/Operator/SaveAccountNote")]
pub async fn save_account_note(
    app: AppData,
    who: Operator,
    Body(saved): Body<SaveAccountNote>,
) -> Answered<AccountDetail> {
    let (now, account_id, note) = (app.clock.now(), saved.account_id, validate_account_note(&saved.note)?);
    let saved = app.db.write(move |conn| {
        terms_of(conn, account_id)?;
        set_note(conn, account_id, &note, &who.actor, now)?;
        find(conn, account_id)
    });
    answer(saved.await?)
}
