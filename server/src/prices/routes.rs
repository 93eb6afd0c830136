//! The operator's calls about prices.
use crate::db::Conn;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, Operator, Write, once};
use crate::prices::types::{ChangePrice, PlannedPriceRef, PriceList, PricesAt};
use crate::prices::{change, planned};
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::bounds::is_time;
use postern_core::field_errors::FieldErrors;
use postern_core::price_forms::validate_price_time;
use postern_core::rule::Rule;
use postern_core::time::{from_wire, to_wire};
use serde_json::Value;

type AppData = web::Data<App>;

fn price_list(conn: &mut Conn, at: NaiveDateTime) -> Result<PriceList, AppError> {
    Ok(PriceList { at: to_wire(at), prices: planned::prices_at(conn, at)?, planned: planned::list(conn)? })
}

/// Returns the shop's prices and discounts, now or at a later time with the changes planned until then, and all planned changes.
#[utoipa::path(request_body = PricesAt, responses((status = 200, body = Answer<PriceList>)))]
#[post("/Operator/GetPrices")]
pub async fn get_prices(app: AppData, _who: Operator, Body(asked): Body<PricesAt>) -> Answered<PriceList> {
    let at = match asked.at.trim() {
        "" => app.clock.now(),
        text => {
            let at = from_wire(text).filter(|at| is_time(*at));
            at.ok_or_else(|| FieldErrors::one("At", Rule::Time, &[]))?
        }
    };
    answer(app.db.read(move |conn| price_list(conn, at)).await?)
}

/// Changes a price or a discount, now or from a later time. Open orders keep the price at which they were created.
#[utoipa::path(request_body = ChangePrice, responses((status = 200, body = Answer<PriceList>)))]
#[post("/Operator/ChangePrice")]
pub async fn change_price(app: AppData, who: Operator, write: Write<ChangePrice>) -> Answered<Value> {
    let now = app.clock.now();
    let valid_from = validate_price_time(&write.body.valid_from, now)?;
    let changed = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let form = &write.body.form;
            match valid_from {
                None => change(conn, form, &who.actor, now)?,
                Some(from) => planned::plan(conn, form, from, (who.user_id, &who.actor), now)?,
            }
            price_list(conn, now)
        })
    });
    answer(changed.await?)
}

/// Cancels a planned change; 3004 once it has been made.
#[utoipa::path(request_body = PlannedPriceRef, responses((status = 200, body = Answer<PriceList>)))]
#[post("/Operator/CancelPriceChange")]
pub async fn cancel_price_change(
    app: AppData,
    who: Operator,
    Body(asked): Body<PlannedPriceRef>,
) -> Answered<PriceList> {
    let now = app.clock.now();
    let cancelled = app.db.write(move |conn| {
        planned::cancel(conn, asked.plan_id, &who.actor, now)?;
        price_list(conn, now)
    });
    answer(cancelled.await?)
}
