//! The operator's calls about coupons.
use crate::catalogue::catalogue;
use crate::coupons::types::{CouponCode, CouponView};
use crate::coupons::{end_as, queries, store};
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, Operator, Write, once};
use crate::state::App;
use actix_web::{post, web};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::operator_forms::{CouponForm, validate_coupon};
use postern_core::rule::Rule;
use postern_core::wallet_forms::validate_coupon_code;
use serde_json::Value;

/// Lists coupons with their number of uses, newest first. `Search` matches part of a code; filters by `State`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<CouponView>>)))]
#[post("/Operator/GetCouponList")]
pub async fn get_coupon_list(
    app: web::Data<App>,
    _who: Operator,
    Body(list): Body<ListRequest>,
) -> Answered<Page<CouponView>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| queries::page(conn, &list, now)).await?)
}

/// Adds a coupon. Refused at `Code` if there is one with this code.
#[utoipa::path(request_body = CouponForm, responses((status = 200, body = Answer<CouponView>)))]
#[post("/Operator/AddCoupon")]
pub async fn add_coupon(app: web::Data<App>, who: Operator, write: Write<CouponForm>) -> Answered<Value> {
    let now = app.clock.now();
    let added = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let coupon = validate_coupon(&write.body, &catalogue(conn)?)?;
            if !store(conn, &coupon, &who.actor, now)? {
                return Err(FieldErrors::one("Code", Rule::CouponTaken, &[]).into());
            }
            Ok(CouponView::of(coupon, 0, now, now))
        })
    });
    answer(added.await?)
}

/// Ends a coupon now. Orders that use it keep it. 3004 if no coupon with this code can be used, now or later.
#[utoipa::path(request_body = CouponCode, responses((status = 200, body = Answer<CouponCode>)))]
#[post("/Operator/EndCoupon")]
pub async fn end_coupon(app: web::Data<App>, who: Operator, Body(asked): Body<CouponCode>) -> Answered<CouponCode> {
    let now = app.clock.now();
    // What is no code is none of a coupon.
    let code = validate_coupon_code(&asked.code).map_err(|_| AppError::code(Code::NotFound))?;
    let ended = app.db.write(move |conn| {
        if !end_as(conn, &code, &who.actor, now)? {
            return Err(AppError::code(Code::NotFound));
        }
        Ok(CouponCode { code: code.clone() })
    });
    answer(ended.await?)
}
