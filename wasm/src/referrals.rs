//! Referrals: the commission on a referred account's orders.
use postern_core::money::Money;
use postern_core::order::OrderKind;
use postern_core::referral;
use postern_face::errors::{ErrorCode, error, not_an_amount, unknown};
use postern_face::values::whole_u32;
use wasm_bindgen::prelude::*;

/// The commission on an order of this kind (`purchase`, `renewal`, `switch`, `top_up`), from the amounts paid and refunded, at a rate in
/// hundredths of a percent. Throws `UnknownKind` and `NotAnAmount`.
#[wasm_bindgen(js_name = commission)]
pub fn commission(
    #[wasm_bindgen(unchecked_param_type = "OrderKind")] kind: &str,
    paid: &str,
    refunded: &str,
    #[wasm_bindgen(js_name = rateBasisPoints, unchecked_param_type = "number")] rate_basis_points: JsValue,
) -> Result<String, JsValue> {
    let rate_basis_points = whole_u32("rateBasisPoints", &rate_basis_points)?;
    let kind = OrderKind::from_wire(kind).ok_or_else(|| unknown(ErrorCode::UnknownKind, "kind", kind))?;
    let amount = |name: &str, text: &str| Money::parse(text).map_err(|_| not_an_amount(name));
    let (paid, refunded) = (amount("paid", paid)?, amount("refunded", refunded)?);
    let commission = referral::commission(kind, paid, refunded, rate_basis_points);
    let wrong = |_| error(ErrorCode::NotAnAmount, "refunded: more than paid, or the rate is too high");
    commission.map(|money| money.to_string()).map_err(wrong)
}
