//! Display and comparison of amounts.
use postern_core::exchange::Rate;
use postern_core::money::{self, Currency, Money};
use postern_core::reseller;
use postern_face::errors::{ErrorCode, error, not_an_amount, unknown};
use postern_face::values::whole_u32;
use wasm_bindgen::prelude::*;

fn parse(name: &str, amount: &str) -> Result<Money, JsValue> {
    Money::parse(amount).map_err(|_| not_an_amount(name))
}

/// Formats an amount for display: `$1,234.50`. Throws `NotAnAmount` and `UnknownCurrency`.
#[wasm_bindgen(js_name = displayMoney)]
pub fn display_money(
    amount: &str,
    #[wasm_bindgen(unchecked_param_type = "Currency")] currency: &str,
) -> Result<String, JsValue> {
    let currency =
        Currency::from_wire(currency).ok_or_else(|| unknown(ErrorCode::UnknownCurrency, "currency", currency))?;
    Ok(parse("amount", amount)?.display(currency))
}

/// The first amount minus the second: the balance after a purchase, negative if it does not suffice.
#[wasm_bindgen(js_name = subtractMoney)]
pub fn subtract_money(amount: &str, less: &str) -> Result<String, JsValue> {
    written(parse("amount", amount)?.checked_sub(parse("less", less)?))
}

fn written(amount: Result<Money, money::MoneyError>) -> Result<String, JsValue> {
    amount
        .map(|money| money.to_string())
        .map_err(|_| error(ErrorCode::NotAnAmount, "the result is not an amount, or too large"))
}

/// The shortfall of a balance for an amount; `0.00` if it suffices.
#[wasm_bindgen(js_name = shortfall)]
pub fn shortfall(balance: &str, needed: &str) -> Result<String, JsValue> {
    written(money::shortfall(parse("balance", balance)?, parse("needed", needed)?))
}

/// The amount to charge through a gateway when the wallet pays as much of an order as it can: the shortfall, but at least `'0.50'`, the minimum
/// charge of gateways, or the whole total if that is less; `'0.00'` if the balance suffices. Throws `NotAnAmount`.
#[wasm_bindgen(js_name = gatewayPart)]
pub fn gateway_part(balance: &str, total: &str) -> Result<String, JsValue> {
    written(money::gateway_part(parse("balance", balance)?, parse("total", total)?))
}

/// The top-up needed to pay an amount: the shortfall, but at least the minimum top-up.
#[wasm_bindgen(js_name = topUpFor)]
pub fn top_up_for(balance: &str, needed: &str, least: &str) -> Result<String, JsValue> {
    written(money::top_up_for(parse("balance", balance)?, parse("needed", needed)?, parse("least", least)?))
}

/// What an amount costs in the currency of a gateway at its rate, such as `'7.125'`, rounded up to a cent. Throws `NotAnAmount`.
#[wasm_bindgen(js_name = chargedAmount)]
pub fn charged_amount(amount: &str, rate: &str) -> Result<String, JsValue> {
    let rate = Rate::parse(rate).ok_or_else(|| not_an_amount("rate"))?;
    written(rate.charge(parse("amount", amount)?))
}

/// Hundredths of a percent for display: `2.5%`.
#[wasm_bindgen(js_name = displayPercent)]
pub fn display_percent(
    #[wasm_bindgen(js_name = basisPoints, unchecked_param_type = "number")] basis_points: JsValue,
) -> Result<String, JsValue> {
    Ok(money::display_percent(whole_u32("basisPoints", &basis_points)?))
}

/// The price of an account with a wholesale discount for this list price. Throws `NotAnAmount`, also for a discount above 100 %.
#[wasm_bindgen(js_name = resellerPrice)]
pub fn reseller_price(
    #[wasm_bindgen(js_name = listPrice)] list_price: &str,
    #[wasm_bindgen(js_name = basisPoints, unchecked_param_type = "number")] basis_points: JsValue,
) -> Result<String, JsValue> {
    written(reseller::reseller_price(parse("listPrice", list_price)?, whole_u32("basisPoints", &basis_points)?))
}

/// Whether the amount is below zero.
#[wasm_bindgen(js_name = isNegative)]
pub fn is_negative(amount: &str) -> Result<bool, JsValue> {
    Ok(parse("amount", amount)?.is_negative())
}
