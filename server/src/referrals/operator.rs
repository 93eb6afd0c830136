//! The operator-only calls about referrals: commission rules, and the review of possible self-referrals.
use crate::audit::{self, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page, page_of_rows};
use crate::http::request::{Body, Operator, Write, once};
use crate::ledger::lock_wallet;
use crate::referrals::queries::{currency_of, emails_of};
use crate::referrals::types::*;
use crate::referrals::{commissions as earned, rows, rules};
use crate::schema::{commissions, referrals};
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::list::REFERRAL_REVIEWS;
use postern_core::money::Money;
use postern_core::referral::{CommissionState, ReferralReview, validate_referral_rule, validate_review_note};
use postern_core::time::to_wire;
use serde_json::Value;
use std::collections::HashMap;

type AppData = web::Data<App>;

/// Lists the commission rules, newest first.
#[utoipa::path(responses((status = 200, body = Answer<Vec<RuleView>>)))]
#[post("/Operator/GetReferralRuleList")]
pub async fn get_rule_list(app: AppData, _who: Operator) -> Answered<Vec<RuleView>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| rules::list(conn, now)).await?)
}

/// Adds a commission rule for accounts that sign up from now on, or from a time in the future. Existing accounts keep their rule.
#[utoipa::path(request_body = AddReferralRule, responses((status = 200, body = Answer<Vec<RuleView>>)))]
#[post("/Operator/AddReferralRule")]
pub async fn add_rule(app: AppData, who: Operator, write: Write<AddReferralRule>) -> Answered<Value> {
    let now = app.clock.now();
    let added = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            rules::add(conn, &validate_referral_rule(&write.body.rule, now)?, &who.actor, now)?;
            rules::list(conn, now)
        })
    });
    answer(added.await?)
}

/// Lists referrals whose commissions are held because both accounts may belong to the same person. Sorts by `SignedUpAt`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<ReferralToReview>>)))]
#[post("/Operator/GetReferralReviewList")]
pub async fn get_review_list(
    app: AppData,
    _who: Operator,
    Body(asked): Body<ListRequest>,
) -> Answered<Page<ReferralToReview>> {
    answer(app.db.read(move |conn| to_review(conn, &asked)).await?)
}

fn to_review(conn: &mut Conn, list: &ListRequest) -> Result<Page<ReferralToReview>, AppError> {
    let asked = list.asked(&REFERRAL_REVIEWS)?;
    // Written as in the condition of the partial index.
    let marked = || referrals::table.filter(sql::<diesel::sql_types::Bool>("review = 'to_review'")).into_boxed();
    type Row = (i64, i64, String, NaiveDateTime);
    let page = page_of_rows!(
        conn, asked, |row: Row| marked().select((
            referrals::account_id,
            referrals::referrer_id,
            referrals::doubts,
            referrals::created_at,
        )),
        counted: marked().select(referrals::account_id), number: referrals::account_id => row.0, fields: {}
    );
    let ids: Vec<i64> = page.rows.iter().map(|row| row.0).collect();
    let both: Vec<i64> = page.rows.iter().flat_map(|row| [row.0, row.1]).collect();
    let emails = emails_of(conn, &both)?;
    let email = |id: i64| emails.get(&id).cloned().unwrap_or_default();
    let held: Vec<(i64, i64)> = commissions::table
        .filter(commissions::account_id.eq_any(&ids))
        .filter(commissions::state.eq(CommissionState::Pending))
        .group_by(commissions::account_id)
        .select((commissions::account_id, sql::<BigInt>("CAST(sum(amount_minor) AS BIGINT)")))
        .load(conn)?;
    let held: HashMap<i64, i64> = held.into_iter().collect();
    let view = |(account_id, referrer_id, doubts, created_at): Row| {
        Ok(ReferralToReview {
            account_id,
            email: email(account_id),
            referrer_id,
            referrer_email: email(referrer_id),
            doubts: serde_json::from_str(&doubts)?,
            signed_up_at: to_wire(created_at),
            held: Money::from_minor(held.get(&account_id).copied().unwrap_or_default()),
            currency: currency_of(conn, referrer_id)?,
        })
    };
    page.views(|rows| rows.into_iter().map(view).collect())
}

/// Approves or refuses a referral that is held for review. If approved, its commissions become available as usual; if refused, its pending
/// commissions are refused, and further orders earn none.
#[utoipa::path(request_body = ReviewReferral, responses((status = 200, body = Answer<Reviewed>)))]
#[post("/Operator/ReviewReferral")]
pub async fn review(app: AppData, who: Operator, write: Write<ReviewReferral>) -> Answered<Value> {
    let note = validate_review_note(&write.body.note)?;
    let (now, account_id, decision) = (app.clock.now(), write.body.account_id, write.body.decision);
    let reviewed = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let (referrer_id, before) = rows::lock(conn, account_id)?.ok_or_else(|| AppError::code(Code::NotFound))?;
            let review = before.decided(decision).map_err(|refused| AppError::state_forbids(refused.state.as_str()))?;
            rows::decide(conn, account_id, review, &note, who.user_id, now)?;
            if review == ReferralReview::Refused {
                earned::refuse(conn, account_id)?;
            }
            let change = AuditChange::between(AuditField::Review, before.as_str(), review.as_str());
            let entry = Entry::new(AuditAction::ReferralReviewed).account(account_id).reason(&note);
            let referrer = emails_of(conn, &[referrer_id])?.remove(&referrer_id).unwrap_or_default();
            audit::record(conn, &who.actor, entry.subject(referrer).changes(change), now)?;
            Ok(Reviewed { account_id, review })
        })
    });
    answer(reviewed.await?)
}
