//! Requests and answers: parameters cleaned, times localised, reactions decided.
use crate::errors::{ErrorCode, error};
use crate::values::{read, write, write_as};
use postern_core::code::{self, Outcome, Reaction, react};
use postern_core::{params, time};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// Cleans a request's parameters, given and returned as JSON text: empty strings, null and `NULL` are dropped, date ranges go
/// from the time zone to UTC, and `StartAndEndTime` becomes `StartTime` and `EndTime`. Throws `NotJson`.
#[wasm_bindgen(js_name = scrubParams)]
pub fn scrub_params(parameters: &str, time_zone: &str) -> Result<String, JsValue> {
    params::scrub(parameters, time::time_zone(time_zone))
        .ok_or_else(|| error(ErrorCode::NotJson, "the parameters are not JSON"))
}

/// Turns every time in a response's JSON text from UTC to the time zone, shown as `YYYY-MM-DD HH:mm:ss`.
#[wasm_bindgen(js_name = localizeResponse)]
pub fn localize_response(text: &str, time_zone: &str) -> String {
    postern_hot::localize_response(text, time::time_zone(time_zone))
}

/// What a client does about the way a call ended.
#[wasm_bindgen(js_name = judgeAnswer)]
pub fn judge_answer(outcome: Ts<Outcome>) -> Result<Ts<Reaction>, JsValue> {
    write_as(&react(&read(outcome)?))
}

/// All codes of answers with their names and the keys of their texts.
#[wasm_bindgen(js_name = codes, unchecked_return_type = "CodeRow[]")]
pub fn codes() -> Result<JsValue, JsValue> {
    write(&code::codes())
}
