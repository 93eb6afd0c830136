//! Compares what gateways list with the books, each night: what was missed is credited, and what still differs becomes a case.
use crate::catalogue::catalogue;
use crate::charges::arrivals;
use crate::charges::cases::{self, NewCase};
use crate::charges::payments::{self, PaymentRow};
use crate::daily;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::gateways::{self, Gateway, Listed, Span};
use crate::payments::poll::settle_polled;
use crate::payments::settle::settle;
use crate::returns;
use crate::returns::apply::apply;
use crate::schema::payments::dsl;
use crate::security::SecretKey;
use crate::state::App;
use chrono::{Days, NaiveDateTime, NaiveTime, TimeDelta};
use postern_core::ledger::next_check;
use postern_core::money::{Currency, Money};
use postern_core::order::PaymentState;
use postern_core::payment_case::PaymentCaseKind;
use std::collections::HashSet;

/// A top-up can be taken to the gateway for a day after it began.
const DAYS: u64 = 2;

/// What was taken back in this time is asked about each night: longer than gateways repeat their callbacks.
const RETURNS: TimeDelta = TimeDelta::days(7);

/// When a gateway that did not answer is asked again.
const AGAIN: TimeDelta = TimeDelta::hours(1);

/// Compares the payments of the day before yesterday with each gateway that lists its charges.
pub async fn compare_due(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let mut result = Ok(());
    for gateway in gateways::offered(&app.config) {
        let job = format!("compare {}", gateway.method().as_str());
        let named = job.clone();
        if !app.db.read(move |conn| daily::is_due(conn, &named, now)).await? {
            continue;
        }
        let named = job.clone();
        if !app.db.write(move |conn| daily::claim(conn, &named, next_check(now), now)).await? {
            continue;
        }
        let compared = compare(app, gateway, now).await;
        if let Err(error) = compared.and(compare_returns(app, gateway, now).await) {
            tracing::error!(gateway = gateway.method().as_str(), %error, "a gateway could not be compared with the books");
            app.db.write(move |conn| daily::run_at(conn, &job, now + AGAIN)).await?;
            result = Err(error);
        }
    }
    result
}

async fn compare(app: &App, gateway: &'static dyn Gateway, now: NaiveDateTime) -> Result<(), AppError> {
    let day = now.date().checked_sub_days(Days::new(DAYS)).unwrap_or_default();
    let from = day.and_time(NaiveTime::MIN);
    let Some(listing) = gateway.list(app, Span { from, until: from + TimeDelta::days(2) }) else { return Ok(()) };
    let listed = listing.await?;
    let (count, mut credited) = (listed.len(), 0);
    let known: HashSet<String> = listed.iter().map(|one| one.public_id.clone()).collect();
    for one in listed {
        let key = app.key.clone();
        let (returns, public_id) = (one.returns.clone(), one.public_id.clone());
        credited += usize::from(app.db.write(move |conn| compare_one(conn, &key, gateway, &one, now)).await?);
        if !returns.is_empty() {
            let payment = app.db.read(move |conn| payments::by_public_id(conn, &public_id)).await?;
            if let Some(payment) = payment.filter(|payment| payment.payment_method == gateway.method()) {
                apply(app, payment.id, returns).await?;
            }
        }
    }
    let span = Span { from, until: from + TimeDelta::days(1) };
    let missing = app.db.write(move |conn| find_missing(conn, gateway, span, &known, now)).await?;
    tracing::info!(
        gateway = gateway.method().as_str(),
        count,
        credited,
        missing,
        "a gateway was compared with the books"
    );
    Ok(())
}

/// Asks about payments with an open dispute, and about those of which something was taken back in these days: the callbacks may have been lost.
async fn compare_returns(app: &App, gateway: &'static dyn Gateway, now: NaiveDateTime) -> Result<(), AppError> {
    let span = Span { from: now - RETURNS, until: now };
    let listed = match gateway.list_returned(app, span) {
        Some(listing) => listing.await?,
        None => Vec::new(),
    };
    let asked = app.db.read(move |conn| {
        let mut asked = Vec::new();
        for id in returns::rows::undecided(conn, gateway.method())? {
            asked.push(dsl::payments.find(id).select(PaymentRow::as_select()).first(conn)?);
        }
        for public_id in listed {
            let payment = payments::by_public_id(conn, &public_id)?;
            asked.extend(payment.filter(|payment| payment.payment_method == gateway.method()));
        }
        Ok::<Vec<PaymentRow>, AppError>(asked)
    });
    for payment in asked.await? {
        let payment_id = payment.id;
        let polled = match gateway.query(app, &payment).await {
            Ok(Some(polled)) => settle_polled(app, payment, polled).await,
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        // One that the gateway no longer knows does not hold up the others.
        if let Err(error) = polled {
            tracing::error!(payment_id, %error, "a gateway could not be asked what it took back");
        }
    }
    Ok(())
}

/// Compares one charge. Returns whether something was credited that had been missed.
fn compare_one(
    conn: &mut Conn,
    key: &SecretKey,
    gateway: &dyn Gateway,
    listed: &Listed,
    now: NaiveDateTime,
) -> Result<bool, AppError> {
    let method = gateway.method();
    let reported = Currency::from_wire(&listed.report.currency).map(|currency| (listed.report.amount, currency));
    let payment = payments::by_public_id(conn, &listed.public_id)?;
    let Some(payment) = payment.filter(|payment| payment.payment_method == method) else {
        if listed.is_marked && listed.report.succeeded {
            let currency = catalogue(conn)?.currency;
            let (kind, about) = (PaymentCaseKind::NotInShop, Err(listed.charge_id.as_str()));
            cases::open(conn, &NewCase { kind, gateway: method, about, currency, credited: None, reported }, now)?;
        }
        return Ok(false);
    };
    let before = arrived(conn, &payment, listed)?;
    settle(conn, key, payment.id, &listed.report, None, now)?;
    let payment = payments::by_public_id(conn, &listed.public_id)?.unwrap_or(payment);
    let after = arrived(conn, &payment, listed)?;
    let is_taken_back = !listed.report.succeeded || returns::rows::exist(conn, payment.id)?;
    if is_taken_back {
        return Ok(after > before);
    }
    if after != listed.report.amount || payment.charged().1.as_str() != listed.report.currency {
        let case = NewCase {
            kind: PaymentCaseKind::Unequal,
            gateway: method,
            about: Ok(&payment),
            currency: payment.currency,
            credited: Some(arrivals::before(conn, &payment)?.credited),
            reported,
        };
        cases::open(conn, &case, now)?;
    }
    Ok(after > before)
}

fn arrived(conn: &mut Conn, payment: &PaymentRow, listed: &Listed) -> Result<Money, AppError> {
    Ok(arrivals::before(conn, payment)?.of_charge(&listed.report.charge))
}

/// Opens a case for each payment of the span that was credited, and that the gateway does not list. Returns how many there are.
fn find_missing(
    conn: &mut Conn,
    gateway: &dyn Gateway,
    span: Span,
    known: &HashSet<String>,
    now: NaiveDateTime,
) -> Result<usize, AppError> {
    // Saved cards are charged without a page, which is what is listed.
    let credited: Vec<PaymentRow> = dsl::payments
        .filter(dsl::state.eq(PaymentState::Succeeded))
        .filter(dsl::payment_method.eq(gateway.method()))
        .filter(dsl::created_at.ge(span.from))
        .filter(dsl::created_at.lt(span.until))
        .filter(dsl::card_id.is_null())
        .select(PaymentRow::as_select())
        .load(conn)?;
    let missing: Vec<PaymentRow> = credited.into_iter().filter(|payment| !known.contains(&payment.public_id)).collect();
    for payment in &missing {
        let case = NewCase {
            kind: PaymentCaseKind::NotAtGateway,
            gateway: gateway.method(),
            about: Ok(payment),
            currency: payment.currency,
            credited: Some(arrivals::before(conn, payment)?.credited),
            reported: None,
        };
        cases::open(conn, &case, now)?;
    }
    Ok(missing.len())
}
