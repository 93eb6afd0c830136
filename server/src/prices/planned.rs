//! Changes of prices that count from a later time: planned by operators, made by a job.
use crate::audit::{self, Actor, Entry};
use crate::db::prelude::*;
use crate::db::{Conn, one_at_a_time};
use crate::error::AppError;
use crate::prices::types::PlannedPrice;
use crate::prices::{PRICES_LOCK, change, differences, prices};
use crate::schema::{planned_prices, users};
use crate::state::App;
use chrono::NaiveDateTime;
use postern_core::audit::AuditAction;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::price_forms::{MAX_PLANNED_PRICES, PriceForm, Prices, validate_price};
use postern_core::rule::Rule;
use postern_core::staff::StaffRole;
use postern_core::time::to_wire;
use std::collections::HashMap;

/// A planned change.
struct Planned {
    id: i64,
    form: PriceForm,
    valid_from: NaiveDateTime,
    user_id: i64,
}

fn planned(conn: &mut Conn) -> Result<Vec<Planned>, AppError> {
    let rows: Vec<(i64, String, NaiveDateTime, i64)> = planned_prices::table
        .order((planned_prices::valid_from, planned_prices::id))
        .select((planned_prices::id, planned_prices::form, planned_prices::valid_from, planned_prices::user_id))
        .load(conn)?;
    let row = |(id, form, valid_from, user_id): (i64, String, NaiveDateTime, i64)| {
        Ok(Planned { id, form: serde_json::from_str(&form)?, valid_from, user_id })
    };
    rows.into_iter().map(row).collect()
}

/// The prices from this time on: those of today with the changes planned until then. Impossible changes are left out.
pub fn prices_at(conn: &mut Conn, at: NaiveDateTime) -> Result<Prices, AppError> {
    let mut shop = prices(conn)?;
    for one in planned(conn)?.into_iter().filter(|one| one.valid_from <= at) {
        if let Ok(change) = validate_price(&one.form, &shop) {
            shop = shop.after(&change);
        }
    }
    Ok(shop)
}

/// All planned changes, the next one first.
pub fn list(conn: &mut Conn) -> Result<Vec<PlannedPrice>, AppError> {
    let mut shop = prices(conn)?;
    let planned = planned(conn)?;
    let user_ids: Vec<i64> = planned.iter().map(|one| one.user_id).collect();
    let operators: HashMap<i64, String> = users::table
        .filter(users::id.eq_any(user_ids))
        .select((users::id, users::email))
        .load::<(i64, String)>(conn)?
        .into_iter()
        .collect();
    let mut listed = Vec::new();
    for one in planned {
        let possible = validate_price(&one.form, &shop);
        let is_possible = possible.is_ok();
        if let Ok(change) = possible {
            shop = shop.after(&change);
        }
        let operator = operators.get(&one.user_id).cloned().unwrap_or_default();
        let Planned { id: plan_id, form, .. } = one;
        let valid_from = to_wire(one.valid_from);
        listed.push(PlannedPrice { plan_id, form, valid_from, operator, is_possible });
    }
    Ok(listed)
}

/// Plans a change. It is validated against the prices of its time.
pub fn plan(
    conn: &mut Conn,
    form: &PriceForm,
    valid_from: NaiveDateTime,
    (user_id, actor): (i64, &Actor),
    now: NaiveDateTime,
) -> Result<(), AppError> {
    one_at_a_time(conn, PRICES_LOCK)?;
    let count: i64 = planned_prices::table.count().get_result(conn)?;
    if usize::try_from(count).is_ok_and(|count| count >= MAX_PLANNED_PRICES) {
        let max = [("Max", MAX_PLANNED_PRICES.to_string())];
        return Err(FieldErrors::one("ValidFrom", Rule::TooManyItems, &max).into());
    }
    let before = prices_at(conn, valid_from)?;
    let change = validate_price(form, &before)?;
    let changes = differences(&before, &before.clone().after(&change));
    let row = (
        planned_prices::form.eq(serde_json::to_string(form)?),
        planned_prices::valid_from.eq(valid_from),
        planned_prices::user_id.eq(user_id),
        planned_prices::created_at.eq(now),
    );
    diesel::insert_into(planned_prices::table).values(row).execute(conn)?;
    let entry = Entry::new(AuditAction::PricePlanned).subject(to_wire(valid_from)).changes(changes);
    audit::record(conn, actor, entry, now)
}

/// Cancels a planned change; not found once it has been made.
pub fn cancel(conn: &mut Conn, plan_id: i64, actor: &Actor, now: NaiveDateTime) -> Result<(), AppError> {
    let row = planned_prices::table.find(plan_id).select(planned_prices::valid_from);
    let valid_from: Option<NaiveDateTime> = row.first(conn).optional()?;
    let valid_from = valid_from.ok_or_else(|| AppError::code(Code::NotFound))?;
    if diesel::delete(planned_prices::table.find(plan_id)).execute(conn)? == 0 {
        return Err(AppError::code(Code::NotFound));
    }
    audit::record(conn, actor, Entry::new(AuditAction::PricePlanCancelled).subject(to_wire(valid_from)), now)
}

/// Makes the changes whose time has come, in the name of who planned them. One that is no longer possible is cancelled, with the reason in the audit
/// log.
pub async fn make_due(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let due = app.db.read(planned).await?.into_iter().filter(move |one| one.valid_from <= now);
    for one in due {
        app.db.write(move |conn| make(conn, &one, now)).await?;
    }
    Ok(())
}

fn make(conn: &mut Conn, one: &Planned, now: NaiveDateTime) -> Result<(), AppError> {
    // Another process may have made it, or an operator cancelled it.
    if diesel::delete(planned_prices::table.find(one.id)).execute(conn)? == 0 {
        return Ok(());
    }
    let actor = Actor::operator(one.user_id, StaffRole::Operator, None, String::new());
    match change(conn, &one.form, &actor, now) {
        Err(AppError::Answer(refusal)) if refusal.code == Code::InvalidFields => {
            let reason = refusal.data["Fields"].to_string();
            let entry = Entry::new(AuditAction::PricePlanCancelled).subject(to_wire(one.valid_from));
            audit::record(conn, &actor, entry.reason(&reason), now)
        }
        done => done,
    }
}
