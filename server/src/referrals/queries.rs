//! SQL about a referrer's referrals and commissions. Every row is found by its referrer.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, Page, page_of_rows, within};
use crate::http::request::SignedIn;
use crate::referrals::moves::owed;
use crate::referrals::rules::{self, rate_of};
use crate::referrals::types::*;
use crate::schema::{
    accounts, commission_moves, commission_take_backs, commissions, orders, referral_rules, referrals, users, wallets,
};
use chrono::NaiveDateTime;
use diesel::dsl::{exists, sql};
use diesel::sql_types::BigInt;
use postern_core::ledger::bar_heights;
use postern_core::list::{COMMISSIONS, REFERRED};
use postern_core::money::{Currency, Money, display_percent};
use postern_core::order::OrderKind;
use postern_core::referral::{
    CHART_MONTHS, CommissionState, ReferralReview, masked_email, movable_amount, referral_link,
};
use postern_core::time::{latest_months, time_zone, to_wire};
use std::collections::{HashMap, HashSet};

/// The e-mail address of each account's first user, by account.
pub fn emails_of(conn: &mut Conn, account_ids: &[i64]) -> Result<HashMap<i64, String>, AppError> {
    let rows: Vec<(i64, String)> = users::table
        .filter(users::account_id.eq_any(account_ids))
        .order(users::id.desc())
        .select((users::account_id, users::email))
        .load(conn)?;
    Ok(rows.into_iter().collect())
}

pub fn currency_of(conn: &mut Conn, account_id: i64) -> Result<Currency, AppError> {
    Ok(wallets::table.find(account_id).select(wallets::currency).first(conn)?)
}

/// The sums of a referrer's commissions by state and review.
struct CommissionSums(Vec<(CommissionState, ReferralReview, i64)>);

impl CommissionSums {
    fn load(conn: &mut Conn, referrer_id: i64) -> Result<CommissionSums, AppError> {
        let sums = commissions::table
            .inner_join(referrals::table.on(referrals::account_id.eq(commissions::account_id)))
            .filter(commissions::referrer_id.eq(referrer_id))
            .group_by((commissions::state, referrals::review))
            .select((
                commissions::state,
                referrals::review,
                sql::<BigInt>("CAST(sum(commissions.amount_minor) AS BIGINT)"),
            ));
        Ok(CommissionSums(sums.load(conn)?))
    }

    fn of(&self, state: CommissionState, is_held: bool) -> Result<Money, AppError> {
        let these = self.0.iter().filter(|row| row.0 == state && row.1.holds() == is_held);
        Ok(Money::sum(these.map(|row| Money::from_minor(row.2)))?)
    }

    fn of_both(&self, state: CommissionState) -> Result<Money, AppError> {
        Ok(self.of(state, false)?.checked_add(self.of(state, true)?)?)
    }
}

/// The totals of an account's referrals, and the rule for new sign-ups.
pub fn overview(conn: &mut Conn, who: &SignedIn, public_url: &str, now: NaiveDateTime) -> Result<Referrals, AppError> {
    let account_id = who.account_id;
    let (code, is_shown): (String, bool) =
        accounts::table.find(account_id).select((accounts::invite_code, accounts::show_invitation_code)).first(conn)?;
    let of_referrer = referrals::table.filter(referrals::referrer_id.eq(account_id));
    let paid = orders::table
        .filter(orders::account_id.eq(referrals::account_id))
        .filter(orders::paid_at.is_not_null())
        .filter(orders::kind.ne(OrderKind::TopUp));
    let signed_up: i64 = of_referrer.count().get_result(conn)?;
    let bought: i64 = of_referrer.filter(exists(paid)).count().get_result(conn)?;
    let moved: i64 = commission_moves::table
        .filter(commission_moves::account_id.eq(account_id))
        .select(sql::<BigInt>("CAST(coalesce(sum(amount_minor), 0) AS BIGINT)"))
        .first(conn)?;
    let taken_back: i64 = commissions::table
        .inner_join(commission_take_backs::table.on(commission_take_backs::commission_id.eq(commissions::id)))
        .filter(commissions::referrer_id.eq(account_id))
        .select(sql::<BigInt>(
            "CAST(coalesce(sum(commission_take_backs.from_commission_minor + commission_take_backs.from_wallet_minor \
             + commission_take_backs.owed_minor), 0) AS BIGINT)",
        ))
        .first(conn)?;
    let sums = CommissionSums::load(conn, account_id)?;
    let (available, owed) = (sums.of_both(CommissionState::Available)?, owed(conn, account_id)?);
    let rule = rules::in_force(conn, now)?.map(|rule| RuleView { is_in_force: true, ..rule.view() });
    Ok(Referrals {
        link: is_shown.then(|| referral_link(public_url, &code)),
        invitation_code: is_shown.then_some(code),
        rule,
        next_rule: rules::next(conn, now)?.map(|rule| rule.view()),
        currency: currency_of(conn, account_id)?,
        signed_up,
        bought,
        pending: sums.of(CommissionState::Pending, false)?,
        held: sums.of(CommissionState::Pending, true)?,
        available,
        owed,
        movable: movable_amount(available, owed)?,
        moved: Money::from_minor(moved),
        taken_back: Money::from_minor(taken_back),
        months: months(conn, account_id, &who.time_zone, now)?,
    })
}

fn months(conn: &mut Conn, referrer_id: i64, zone: &str, now: NaiveDateTime) -> Result<Vec<MonthEarned>, AppError> {
    let zone = time_zone(zone).ok_or_else(|| AppError::internal(&format!("an account in the time zone {zone}")))?;
    let months = latest_months(now, zone, CHART_MONTHS);
    let mut sums = Vec::with_capacity(months.len());
    for (index, month) in months.iter().enumerate() {
        let ends_at = months.get(index + 1).map(|next| next.starts_at);
        let mut earned = commissions::table
            .filter(commissions::referrer_id.eq(referrer_id))
            .filter(commissions::created_at.ge(month.starts_at))
            .filter(commissions::state.ne(CommissionState::Refused))
            .select(sql::<BigInt>("CAST(coalesce(sum(amount_minor), 0) AS BIGINT)"))
            .into_boxed();
        if let Some(ends_at) = ends_at {
            earned = earned.filter(commissions::created_at.lt(ends_at));
        }
        sums.push(Money::from_minor(earned.first::<i64>(conn)?));
    }
    let heights = bar_heights(&sums);
    let bars = months.into_iter().zip(sums).zip(heights);
    Ok(bars.map(|((month, earned), height)| MonthEarned { month: month.name, earned, height }).collect())
}

/// The accounts that an account referred, newest first.
pub fn referred(conn: &mut Conn, referrer_id: i64, list: &ListRequest) -> Result<Page<ReferredView>, AppError> {
    let between = list.between()?;
    let asked = list.asked(&REFERRED)?;
    let narrowed = || {
        let query = referrals::table
            .left_join(referral_rules::table.on(referral_rules::id.nullable().eq(referrals::rule_id)))
            .filter(referrals::referrer_id.eq(referrer_id));
        within(query.into_boxed(), referrals::created_at, between)
    };
    type Row = (i64, ReferralReview, NaiveDateTime, Option<i32>);
    let page = page_of_rows!(
        conn, asked, |row: Row| narrowed().select((
            referrals::account_id,
            referrals::review,
            referrals::created_at,
            referral_rules::rate_basis_points.nullable(),
        )),
        counted: narrowed().select(referrals::account_id), number: referrals::account_id => row.0, fields: {}
    );
    let ids: Vec<i64> = page.rows.iter().map(|row| row.0).collect();
    let emails = emails_of(conn, &ids)?;
    let buyers = orders::table
        .filter(orders::account_id.eq_any(&ids))
        .filter(orders::paid_at.is_not_null())
        .filter(orders::kind.ne(OrderKind::TopUp));
    let buyers: Vec<i64> = buyers.select(orders::account_id).distinct().load(conn)?;
    let buyers: HashSet<i64> = buyers.into_iter().collect();
    let earned: Vec<(i64, i64)> = commissions::table
        .filter(commissions::account_id.eq_any(&ids))
        .filter(commissions::state.ne(CommissionState::Refused))
        .group_by(commissions::account_id)
        .select((commissions::account_id, sql::<BigInt>("CAST(sum(amount_minor) AS BIGINT)")))
        .load(conn)?;
    let earned: HashMap<i64, i64> = earned.into_iter().collect();
    let currency = currency_of(conn, referrer_id)?;
    let view = |(id, review, created_at, rate): Row| {
        let rate = rate.map(rate_of).transpose()?;
        Ok(ReferredView {
            referral_id: id,
            email: masked_email(emails.get(&id).map_or("", String::as_str)),
            signed_up_at: to_wire(created_at),
            has_bought: buyers.contains(&id),
            rate_basis_points: rate,
            rate: rate.map(display_percent),
            earned: Money::from_minor(earned.get(&id).copied().unwrap_or_default()),
            currency,
            review,
        })
    };
    page.views(|rows| rows.into_iter().map(view).collect())
}

#[derive(Queryable)]
struct CommissionRow {
    id: i64,
    account_id: i64,
    rate: i32,
    earned: i64,
    amount: i64,
    currency: Currency,
    state: CommissionState,
    available_at: NaiveDateTime,
    created_at: NaiveDateTime,
    review: ReferralReview,
    moved_at: Option<NaiveDateTime>,
}

/// The commissions of a referrer, newest first.
pub fn commission_list(
    conn: &mut Conn,
    referrer_id: i64,
    list: &ListRequest,
) -> Result<Page<CommissionView>, AppError> {
    let filter: CommissionFilter = list.filters()?;
    let between = list.between()?;
    let asked = list.asked(&COMMISSIONS)?;
    let narrowed = || {
        let query = commissions::table
            .inner_join(referrals::table.on(referrals::account_id.eq(commissions::account_id)))
            .left_join(commission_moves::table.on(commission_moves::id.nullable().eq(commissions::move_id)))
            .filter(commissions::referrer_id.eq(referrer_id));
        let mut query = within(query.into_boxed(), commissions::created_at, between);
        if let Some(state) = filter.state {
            query = query.filter(commissions::state.eq(state));
        }
        query
    };
    let page = page_of_rows!(
        conn, asked, |row: CommissionRow| narrowed().select((
            commissions::id,
            commissions::account_id,
            commissions::rate_basis_points,
            commissions::earned_minor,
            commissions::amount_minor,
            commissions::currency,
            commissions::state,
            commissions::available_at,
            commissions::created_at,
            referrals::review,
            commission_moves::created_at.nullable(),
        )),
        counted: narrowed().select(commissions::id), number: commissions::id => row.id, fields: {}
    );
    let ids: Vec<i64> = page.rows.iter().map(|row| row.account_id).collect();
    let emails = emails_of(conn, &ids)?;
    let view = |row: CommissionRow| {
        Ok(CommissionView {
            commission_id: row.id,
            email: masked_email(emails.get(&row.account_id).map_or("", String::as_str)),
            rate: display_percent(rate_of(row.rate)?),
            earned: Money::from_minor(row.earned),
            amount: Money::from_minor(row.amount),
            currency: row.currency,
            state: row.state,
            is_held: row.state == CommissionState::Pending && row.review.holds(),
            earned_at: to_wire(row.created_at),
            available_at: to_wire(row.available_at),
            moved_at: row.moved_at.map(to_wire),
        })
    };
    page.views(|rows| rows.into_iter().map(view).collect())
}
