//! The call that checks a coupon.
use crate::coupons::queries;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn};
use crate::state::App;
use crate::throttle;
use actix_web::{post, web};
use postern_core::account::COUPON_ATTEMPTS;
use postern_core::coupon::Coupon;
use serde::Deserialize;
use utoipa::ToSchema;

pub fn configure(config: &mut impl crate::http::routes::Routes) {
    config.service(check_coupon);
}

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct CheckCoupon {
    /// As typed, case-insensitive.
    pub coupon: String,
}

/// Counts an attempt to use a code, alone or with an order; too many are refused with code 4290. Runs in its own transaction, so that failed attempts
/// stay counted.
pub async fn check_throttle(app: &App, account_id: i64) -> Result<(), AppError> {
    let (now, bucket) = (app.clock.now(), format!("coupons {account_id}"));
    app.db.write(move |conn| throttle::hit(conn, &bucket, COUPON_ATTEMPTS, now)).await
}

/// Returns a coupon's terms if this account can use it now; otherwise an error at the field `Coupon`. The form uses the terms to update the price on
/// every keystroke.
#[utoipa::path(tag = "Order", request_body = CheckCoupon, responses((status = 200, body = Answer<Coupon>)), security(("Token" = [])))]
#[post("/Order/CheckCoupon")]
async fn check_coupon(app: web::Data<App>, who: SignedIn, Body(check): Body<CheckCoupon>) -> Answered<Coupon> {
    check_throttle(&app, who.account_id).await?;
    let now = app.clock.now();
    answer(app.db.read(move |conn| queries::usable(conn, who.account_id, &check.coupon, now)).await?)
}
