//! Amounts, as screens show and compare them.
use crate::errors::error;
use postern_core::money::{Currency, Money};
use wasm_bindgen::prelude::*;

fn parse(amount: &str) -> Result<Money, JsValue> {
    Money::parse(amount).map_err(|_| error("NotAnAmount", "not a decimal amount"))
}

/// A decimal amount for a screen: `$1,234.50`. Throws `NotAnAmount` and `UnknownCurrency`.
#[wasm_bindgen(js_name = displayMoney)]
pub fn display_money(amount: &str, currency: &str) -> Result<String, JsValue> {
    let currency =
        Currency::from_code(currency).ok_or_else(|| error("UnknownCurrency", "not a currency of the shop"))?;
    Ok(parse(amount)?.display(currency))
}

/// One amount less another: the balance after a purchase, below zero when it does not suffice.
#[wasm_bindgen(js_name = subtractMoney)]
pub fn subtract_money(amount: &str, less: &str) -> Result<String, JsValue> {
    let difference = parse(amount)?.checked_sub(parse(less)?);
    difference.map(|money| money.to_string()).map_err(|_| error("NotAnAmount", "the amount is too large"))
}

/// What is missing of an amount that is needed; `0.00` when nothing is.
#[wasm_bindgen(js_name = shortfall)]
pub fn shortfall(balance: &str, needed: &str) -> Result<String, JsValue> {
    let missing =
        parse(needed)?.checked_sub(parse(balance)?).map_err(|_| error("NotAnAmount", "the amount is too large"))?;
    Ok(if missing.is_negative() { Money::ZERO } else { missing }.to_string())
}

/// Is the amount below zero?
#[wasm_bindgen(js_name = isNegative)]
pub fn is_negative(amount: &str) -> Result<bool, JsValue> {
    Ok(parse(amount)?.is_negative())
}
