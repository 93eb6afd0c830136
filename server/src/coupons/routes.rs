//! The call that checks a coupon.
use crate::coupons::queries;
use crate::db::RowLock;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn};
use crate::state::App;
use crate::throttle;
use actix_web::{post, web};
use postern_core::account::COUPON_ATTEMPTS;
use postern_core::coupon::Coupon;
use postern_core::rule::Rule;
use serde::Deserialize;
use std::future::Future;
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct CheckCoupon {
    /// As typed, case-insensitive.
    pub coupon: String,
}

/// Does work that may use a code. Unknown codes are guesses, and too many of them are refused with code 4290; a coupon that exists is none, whether it
/// can be used or not. Failed guesses stay counted: each has its own transaction.
pub async fn counting_guesses<T>(
    app: &App,
    account_id: i64,
    has_code: bool,
    work: impl Future<Output = Result<T, AppError>>,
) -> Result<T, AppError> {
    if !has_code {
        return work.await;
    }
    let bucket = format!("coupons {account_id}");
    let is_guess = |error: &AppError| error.breaks(Rule::CouponUnknown);
    throttle::counting(&app.db, bucket, COUPON_ATTEMPTS, app.clock.now(), is_guess, work).await
}

/// Returns a coupon's terms if this account can use it now; otherwise an error at the field `Coupon`. The form uses the terms to update the price on
/// every keystroke.
#[utoipa::path(request_body = CheckCoupon, responses((status = 200, body = Answer<Coupon>)))]
#[post("/Order/CheckCoupon")]
pub async fn check_coupon(app: web::Data<App>, who: SignedIn, Body(check): Body<CheckCoupon>) -> Answered<Coupon> {
    let now = app.clock.now();
    let found = app.db.read(move |conn| queries::usable(conn, who.account_id, &check.coupon, RowLock::None, now));
    answer(counting_guesses(&app, who.account_id, true, found).await?)
}
