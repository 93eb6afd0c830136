//! The operator's calls about the limits on what an account may have open unpaid.
use crate::audit::Actor;
use crate::db::Conn;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, Operator};
use crate::order_rows::limits;
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::money::{Currency, Money};
use postern_core::unpaid::{HoldStepForm, Limit, LimitForm, validate_hold_step, validate_limit};
use serde::Serialize;
use utoipa::ToSchema;

/// The limits on what one account may have open unpaid.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct LimitsView {
    pub limits: Vec<LimitView>,
    /// How many IPs unpaid orders may hold, by the account's money; the lowest first.
    pub hold_steps: Vec<HoldStepView>,
    pub currency: Currency,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct LimitView {
    /// Which limit.
    pub limit: Limit,
    /// How many an account may have open.
    pub most: i32,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct HoldStepView {
    /// Counts for accounts with at least this much in wallet and paid orders together.
    pub from: Money,
    /// How many IPs its unpaid orders may hold.
    pub ips: u32,
}

fn view(conn: &mut Conn) -> Result<LimitsView, AppError> {
    let mut found = Vec::new();
    for limit in Limit::ALL {
        found.push(LimitView { limit: *limit, most: limits::most(conn, *limit)? });
    }
    let steps = limits::steps(conn)?.into_iter();
    let hold_steps = steps.map(|step| HoldStepView { from: step.min_standing, ips: step.max_ips }).collect();
    Ok(LimitsView { limits: found, hold_steps, currency: Currency::Usd })
}

fn signed(number: u32) -> Result<i32, AppError> {
    i32::try_from(number).map_err(|_| AppError::internal("a limit is too large"))
}

/// Returns the limits on what one account may have open unpaid.
#[utoipa::path(responses((status = 200, body = Answer<LimitsView>)))]
#[post("/Operator/GetLimits")]
pub async fn get_limits(app: web::Data<App>, _who: Operator) -> Answered<LimitsView> {
    answer(app.db.read(view).await?)
}

/// Changes how many unpaid orders, open top-ups or open card requests an account may have.
#[utoipa::path(request_body = LimitForm, responses((status = 200, body = Answer<LimitsView>)))]
#[post("/Operator/SetLimit")]
pub async fn set_limit(app: web::Data<App>, who: Operator, Body(form): Body<LimitForm>) -> Answered<LimitsView> {
    let most = signed(validate_limit(&form)?)?;
    changed(&app, who.actor.clone(), move |conn, actor, now| limits::set_limit(conn, form.limit, most, actor, now))
        .await
}

/// Sets how many IPs the unpaid orders of an account with at least this much money may hold, or removes the step.
#[utoipa::path(request_body = HoldStepForm, responses((status = 200, body = Answer<LimitsView>)))]
#[post("/Operator/SetHoldStep")]
pub async fn set_hold_step(app: web::Data<App>, who: Operator, Body(form): Body<HoldStepForm>) -> Answered<LimitsView> {
    let (from, ips) = validate_hold_step(&form)?;
    let ips = ips.map(signed).transpose()?;
    changed(&app, who.actor.clone(), move |conn, actor, now| limits::set_step(conn, from, ips, actor, now)).await
}

async fn changed(
    app: &App,
    actor: Actor,
    change: impl Fn(&mut Conn, &Actor, NaiveDateTime) -> Result<(), AppError> + Send + 'static,
) -> Answered<LimitsView> {
    let now = app.clock.now();
    let written = app.db.write(move |conn| {
        change(conn, &actor, now)?;
        view(conn)
    });
    answer(written.await?)
}
