//! The operator's rules in the browser: refunds, credits, coupons, what accounts are granted. A file of its own, as customers need none of it.
use postern_core::field_errors::FieldErrors;
use postern_core::operator_forms::{self, AccountTermsForm, CouponForm, ReasonedAmountForm};
use postern_core::refund::{self, CreditNote, RefundRequest};
use postern_core::tier::Catalogue;
use postern_face::errors::refused;
use postern_face::forms::{check, limit};
use postern_face::values::{read, write_as};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The credit note that giving back these lines would make. Throws `InvalidFields` without lines, and `Internal` for amounts or times
/// that cannot be true.
#[wasm_bindgen(js_name = refundPreview)]
pub fn refund_preview(request: Ts<RefundRequest>) -> Result<Ts<CreditNote>, JsValue> {
    write_as(&refund::refund_unused(&read(request)?).map_err(|error| refused(error.code()))?)
}

/// A coupon as the operator types it in.
#[wasm_bindgen(js_name = validateCoupon)]
pub fn validate_coupon(form: Ts<CouponForm>, catalogue: Ts<Catalogue>) -> Result<Ts<FieldErrors>, JsValue> {
    let catalogue = read(catalogue)?;
    check(form, |form| operator_forms::validate_coupon(form, &catalogue))
}

/// A credit that the operator gives.
#[wasm_bindgen(js_name = validateCredit)]
pub fn validate_credit(form: Ts<ReasonedAmountForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check(form, operator_forms::validate_credit)
}

/// A refund of an order that cost so much, of which so much was given back before. Throws `NotAnAmount`.
#[wasm_bindgen(js_name = validateRefund)]
pub fn validate_refund(form: Ts<ReasonedAmountForm>, paid: &str, refunded: &str) -> Result<Ts<FieldErrors>, JsValue> {
    let (paid, refunded) = (limit(paid)?, limit(refunded)?);
    check(form, |form| operator_forms::validate_refund(form, paid, refunded))
}

/// What an account is to be granted: its level and a reseller's discount.
#[wasm_bindgen(js_name = validateAccountTerms)]
pub fn validate_account_terms(form: Ts<AccountTermsForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check(form, operator_forms::validate_account_terms)
}
