//! The operator's calls about accounts.
use crate::accounts::queries::{find, list, set_terms, terms_of};
use crate::accounts::types::{Account, AccountDetail, AccountRef, SetAccountTerms};
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, Operator, Write, once};
use crate::ledger::lock_wallet;
use crate::state::App;
use actix_web::{post, web};
use postern_core::code::Code;
use postern_core::operator_forms::validate_account_terms;
use postern_core::reseller::operator_can_grant;
use serde_json::Value;

pub fn configure(config: &mut utoipa_actix_web::service_config::ServiceConfig) {
    config.service(get_account_list).service(get_account).service(set_account_terms);
}

type AppData = web::Data<App>;

/// Everybody's accounts, newest first. `Search` is a part of an e-mail address; filters by `Level`, `State` and time; sorts by
/// `CreatedAt`.
#[utoipa::path(tag = "Operator", request_body = ListRequest, responses((status = 200, body = Answer<Page<Account>>)), security(("Token" = [])))]
#[post("/Operator/GetAccountList")]
async fn get_account_list(app: AppData, _who: Operator, Body(asked): Body<ListRequest>) -> Answered<Page<Account>> {
    answer(app.db.read(move |conn| list(conn, &asked)).await?)
}

/// Somebody's account with the changes of what it is granted.
#[utoipa::path(tag = "Operator", request_body = AccountRef, responses((status = 200, body = Answer<AccountDetail>)), security(("Token" = [])))]
#[post("/Operator/GetAccount")]
async fn get_account(app: AppData, _who: Operator, Body(asked): Body<AccountRef>) -> Answered<AccountDetail> {
    answer(app.db.read(move |conn| find(conn, asked.account_id)).await?)
}

/// Makes an account a customer's or a reseller's, and sets a reseller's wholesale discount: for what is ordered and renewed from now
/// on. Refused with 3003 for the accounts of operators, and for making any: that is a command on the server.
#[utoipa::path(
    tag = "Operator", request_body = SetAccountTerms, responses((status = 200, body = Answer<AccountDetail>)), security(("Token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the stored answer"))
)]
#[post("/Operator/SetAccountTerms")]
async fn set_account_terms(app: AppData, who: Operator, write: Write<SetAccountTerms>) -> Answered<Value> {
    let terms = validate_account_terms(&write.body.terms)?;
    let (now, account_id) = (app.clock.now(), write.body.account_id);
    let set = app.db.write(move |conn| {
        terms_of(conn, account_id)?;
        // The wallet first, as whoever orders for the account locks it first.
        lock_wallet(conn, account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            if !operator_can_grant(terms_of(conn, account_id)?.level, terms.level) {
                return Err(AppError::code(Code::NotPermitted));
            }
            set_terms(conn, account_id, terms, Some(who.user_id), now)?;
            find(conn, account_id)
        })
    });
    answer(set.await?)
}
