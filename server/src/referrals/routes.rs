//! The calls of the group `Referrals`.
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, SignedIn, Write, once};
use crate::ledger::lock_wallet;
use crate::referrals::types::*;
use crate::referrals::{moves, queries};
use crate::state::App;
use actix_web::{post, web};
use serde_json::Value;

type AppData = web::Data<App>;

/// Returns the referral link, the commission rule for new sign-ups, and the totals of the account's referrals.
#[utoipa::path(responses((status = 200, body = Answer<Referrals>)))]
#[post("/Referrals/GetReferrals")]
pub async fn get_referrals(app: AppData, who: SignedIn) -> Answered<Referrals> {
    let (now, public_url) = (app.clock.now(), app.config.public_url.clone());
    answer(app.db.read(move |conn| queries::overview(conn, &who, &public_url, now)).await?)
}

/// Lists the accounts that signed up with the account's invitation code, newest first, with masked addresses. Filters by time; sorts by `SignedUpAt`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<ReferredView>>)))]
#[post("/Referrals/GetReferredList")]
pub async fn get_referred_list(
    app: AppData,
    who: SignedIn,
    Body(asked): Body<ListRequest>,
) -> Answered<Page<ReferredView>> {
    answer(app.db.read(move |conn| queries::referred(conn, who.account_id, &asked)).await?)
}

/// Lists the commissions on the orders of referred accounts, newest first. Filters by `State` and time; sorts by `EarnedAt`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<CommissionView>>)))]
#[post("/Referrals/GetCommissionList")]
pub async fn get_commission_list(
    app: AppData,
    who: SignedIn,
    Body(asked): Body<ListRequest>,
) -> Answered<Page<CommissionView>> {
    answer(app.db.read(move |conn| queries::commission_list(conn, who.account_id, &asked)).await?)
}

/// Moves all available commissions to the wallet. The amount owed for commissions that were reversed after they had been moved and spent is deducted.
/// Refused with code 3333 and the key `nothingToMove` if nothing is left to move.
#[utoipa::path(request_body = MoveToWallet, responses((status = 200, body = Answer<Moved>)))]
#[post("/Referrals/MoveToWallet")]
pub async fn move_to_wallet(app: AppData, who: SignedIn, write: Write<MoveToWallet>) -> Answered<Value> {
    let now = app.clock.now();
    let moved = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| moves::move_to_wallet(conn, who.account_id, now))
    });
    answer(moved.await?)
}
