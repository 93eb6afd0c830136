//! The operator's rules in the browser: refunds, credits, coupons, accounts' terms, proxy servers, referrals. A separate wasm file, because
//! customers do not need it.
use postern_core::account::AccountState;
use postern_core::field_errors::FieldErrors;
use postern_core::money;
use postern_core::operator_forms::{self, AccountTermsForm, CouponForm, ReasonedAmountForm};
use postern_core::proxy_server::{self, ProxyServerForm};
use postern_core::referral::{self, ReferralRuleForm};
use postern_core::refund::{self, CreditNote, RefundRequest};
use postern_core::tier::Catalogue;
use postern_core::time::from_wire;
use postern_face::errors::{ErrorCode, error, refused};
use postern_face::forms::{broken_rules, check, limit};
use postern_face::values::{read, whole, write_as};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The credit note for refunding these lines. Throws `InvalidFields` without lines, and `Internal` for inconsistent amounts or times.
#[wasm_bindgen(js_name = refundPreview)]
pub fn refund_preview(request: Ts<RefundRequest>) -> Result<Ts<CreditNote>, JsValue> {
    write_as(&refund::refund_unused(&read(request)?).map_err(|error| refused(error.code()))?)
}

/// Validates a coupon, as entered by an operator.
#[wasm_bindgen(js_name = validateCoupon)]
pub fn validate_coupon(form: Ts<CouponForm>, catalogue: Ts<Catalogue>) -> Result<Ts<FieldErrors>, JsValue> {
    let catalogue = read(catalogue)?;
    check(form, |form| operator_forms::validate_coupon(form, &catalogue))
}

/// Validates a credit to a wallet.
#[wasm_bindgen(js_name = validateCredit)]
pub fn validate_credit(form: Ts<ReasonedAmountForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check(form, operator_forms::validate_credit)
}

/// Validates a refund of an order with total `paid`, of which `refunded` was refunded before. Throws `NotAnAmount`.
#[wasm_bindgen(js_name = validateRefund)]
pub fn validate_refund(form: Ts<ReasonedAmountForm>, paid: &str, refunded: &str) -> Result<Ts<FieldErrors>, JsValue> {
    let (paid, refunded) = (limit(paid)?, limit(refunded)?);
    check(form, |form| operator_forms::validate_refund(form, paid, refunded))
}

/// Validates an account's terms: its level and a reseller's discount.
#[wasm_bindgen(js_name = validateAccountTerms)]
pub fn validate_account_terms(form: Ts<AccountTermsForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check(form, operator_forms::validate_account_terms)
}

/// Validates a new commission rule at `now`, `YYYY-MM-DD HH:mm:ss` in UTC. Throws `NotATime`.
#[wasm_bindgen(js_name = validateReferralRule)]
pub fn validate_referral_rule(form: Ts<ReferralRuleForm>, now: &str) -> Result<Ts<FieldErrors>, JsValue> {
    let now = from_wire(now).ok_or_else(|| error(ErrorCode::NotATime, "not a time in UTC, YYYY-MM-DD HH:mm:ss"))?;
    check(form, |form| referral::validate_referral_rule(form, now))
}

/// Validates the reason for suspending an account.
#[wasm_bindgen(js_name = validateSuspension)]
pub fn validate_suspension(reason: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(operator_forms::validate_state_reason(AccountState::Suspended, reason))
}

/// A reseller's discount in hundredths of a percent, as entered into the form: `12.5`.
#[wasm_bindgen(js_name = plainPercent)]
pub fn plain_percent(
    #[wasm_bindgen(unchecked_param_type = "number")] basis_points: JsValue,
) -> Result<String, JsValue> {
    Ok(money::plain_percent(whole("basisPoints", &basis_points, 0, u32::MAX.into())? as u32))
}

/// Validates a proxy server, as entered by an operator. Only the server can check that its name is unique.
#[wasm_bindgen(js_name = validateProxyServer)]
pub fn validate_proxy_server(form: Ts<ProxyServerForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check(form, proxy_server::validate_proxy_server)
}
