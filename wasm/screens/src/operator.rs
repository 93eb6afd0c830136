//! The operator's rules in the browser: refunds, credits, coupons, accounts' terms, proxy servers, referrals.
use postern_core::announcement::{self, AnnouncementForm};
use postern_core::exchange::{self, ExchangeRateForm};
use postern_core::field_errors::{FieldErrors, both};
use postern_core::legal::{self, LegalTextForm};
use postern_core::money;
use postern_core::operator_forms::{self, AccountTermsForm, CouponForm, ReasonedAmountForm};
use postern_core::payment_case::{self, CloseCaseForm};
use postern_core::price_forms::{self, PriceForm, Prices};
use postern_core::proxy_server::{self, ProxyServerForm};
use postern_core::referral::{self, ReferralRuleForm};
use postern_core::refund::{self, CreditNote, RefundError, RefundRequest};
use postern_core::tier::Catalogue;
use postern_core::unpaid::{self, HoldStepForm, LimitForm};
use postern_core::use_case::{self, UseCaseForm};
use postern_core::webhook::Reach;
use postern_face::errors::{invalid_fields, refused};
use postern_face::forms::{broken_rules, check, limit, time};
use postern_face::values::{read, whole_u32, write_as};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The credit note for refunding these lines. Throws `InvalidFields` at `Lines` without lines, and `Internal` for inconsistent amounts or times.
#[wasm_bindgen(js_name = refundPreview)]
pub fn refund_preview(request: Ts<RefundRequest>) -> Result<Ts<CreditNote>, JsValue> {
    write_as(&refund::refund_unused(&read("request", request)?).map_err(refund_refused)?)
}

fn refund_refused(error: RefundError) -> JsValue {
    error.fields().map_or_else(|| refused(error.code()), |fields| invalid_fields(&fields))
}

/// Validates a coupon, as entered by an operator. Only the server can check that its code is not taken.
#[wasm_bindgen(js_name = validateCoupon)]
pub fn validate_coupon(form: Ts<CouponForm>, catalogue: Ts<Catalogue>) -> Result<Ts<FieldErrors>, JsValue> {
    let catalogue = read("catalogue", catalogue)?;
    check("form", form, |form| operator_forms::validate_coupon(form, &catalogue))
}

/// Validates a change of a price that counts from `validFrom`, or from now if that is empty, against the prices of that time. Throws `NotATime`.
#[wasm_bindgen(js_name = validatePriceChange)]
pub fn validate_price_change(
    form: Ts<PriceForm>,
    #[wasm_bindgen(js_name = validFrom)] valid_from: &str,
    prices: Ts<Prices>,
    now: &str,
) -> Result<Ts<FieldErrors>, JsValue> {
    let (prices, now) = (read("prices", prices)?, time("now", now)?);
    let when = price_forms::validate_price_time(valid_from, now);
    check("form", form, |form| both(price_forms::validate_price(form, &prices), when))
}

/// Validates an announcement at `now`, `YYYY-MM-DD HH:mm:ss` in UTC. Throws `NotATime`.
#[wasm_bindgen(js_name = validateAnnouncement)]
pub fn validate_announcement(form: Ts<AnnouncementForm>, now: &str) -> Result<Ts<FieldErrors>, JsValue> {
    let now = time("now", now)?;
    check("form", form, |form| announcement::validate_announcement(form, now))
}

/// Validates an exchange rate. Only the server can check that its feed answers.
#[wasm_bindgen(js_name = validateExchangeRate)]
pub fn validate_exchange_rate(form: Ts<ExchangeRateForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, |form| exchange::validate_exchange_rate(form, Reach::Internet))
}

/// Validates the note that closes a payment's case.
#[wasm_bindgen(js_name = validateCloseCase)]
pub fn validate_close_case(form: Ts<CloseCaseForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, payment_case::validate_close_case)
}

/// Validates a use case. Only the server knows which keys are taken.
#[wasm_bindgen(js_name = validateUseCase)]
pub fn validate_use_case(form: Ts<UseCaseForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, use_case::validate_use_case)
}

/// Validates a legal text to publish. Only the server can check that it differs from the current one.
#[wasm_bindgen(js_name = validateLegalText)]
pub fn validate_legal_text(form: Ts<LegalTextForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, |form| legal::validate_legal_text(form, None))
}

/// Validates the new value of a limit on what an account may have open unpaid.
#[wasm_bindgen(js_name = validateLimit)]
pub fn validate_limit(form: Ts<LimitForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, unpaid::validate_limit)
}

/// Validates a step of the limit on IPs in unpaid orders; an empty number removes the step.
#[wasm_bindgen(js_name = validateHoldStep)]
pub fn validate_hold_step(form: Ts<HoldStepForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, unpaid::validate_hold_step)
}

/// Validates an amount that has arrived, as an operator enters it.
#[wasm_bindgen(js_name = validateReceived)]
pub fn validate_received(amount: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(operator_forms::validate_received(amount))
}

/// Validates a change of a wallet: its amount and its reason.
#[wasm_bindgen(js_name = validateCredit)]
pub fn validate_credit(form: Ts<ReasonedAmountForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, operator_forms::validate_credit)
}

/// Validates a refund of an order with total `paid`, of which `refunded` was refunded before. Throws `NotAnAmount`.
#[wasm_bindgen(js_name = validateRefund)]
pub fn validate_refund(form: Ts<ReasonedAmountForm>, paid: &str, refunded: &str) -> Result<Ts<FieldErrors>, JsValue> {
    let (paid, refunded) = (limit("paid", paid)?, limit("refunded", refunded)?);
    check("form", form, |form| operator_forms::validate_refund(form, paid, refunded))
}

/// Validates an account's terms: its level and a reseller's discount.
#[wasm_bindgen(js_name = validateAccountTerms)]
pub fn validate_account_terms(form: Ts<AccountTermsForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, operator_forms::validate_account_terms)
}

/// Validates a new commission rule at `now`, `YYYY-MM-DD HH:mm:ss` in UTC. Throws `NotATime`.
#[wasm_bindgen(js_name = validateReferralRule)]
pub fn validate_referral_rule(form: Ts<ReferralRuleForm>, now: &str) -> Result<Ts<FieldErrors>, JsValue> {
    let now = time("now", now)?;
    check("form", form, |form| referral::validate_referral_rule(form, now))
}

/// Validates the reason that an operator gives, which the customer sees.
#[wasm_bindgen(js_name = validateReason)]
pub fn validate_reason(reason: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(operator_forms::validate_reason(reason))
}

/// Validates the operators' note about an account.
#[wasm_bindgen(js_name = validateAccountNote)]
pub fn validate_account_note(note: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(operator_forms::validate_account_note(note))
}

/// A reseller's discount in hundredths of a percent, as entered into the form: `12.5`.
#[wasm_bindgen(js_name = plainPercent)]
pub fn plain_percent(
    #[wasm_bindgen(js_name = basisPoints, unchecked_param_type = "number")] basis_points: JsValue,
) -> Result<String, JsValue> {
    Ok(money::plain_percent(whole_u32("basisPoints", &basis_points)?))
}

/// Validates a proxy server, as entered by an operator. Only the server can check that its name is unique.
#[wasm_bindgen(js_name = validateProxyServer)]
pub fn validate_proxy_server(form: Ts<ProxyServerForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, proxy_server::validate_proxy_server)
}
