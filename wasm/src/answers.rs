//! Requests and responses: cleaning parameters, localising times, deciding reactions.
use chrono_tz::Tz;
use js_sys::{ArrayBuffer, JsString, Uint8Array};
use postern_core::code::{self, Outcome, Reaction, react};
use postern_core::params::{self, ScrubError};
use postern_core::time;
use postern_core::time::Localizer;
use postern_face::errors::{ErrorCode, error, invalid_fields, unknown, wrong_argument};
use postern_face::values::{read, write, write_as};
use tsify::Ts;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

/// Cleans a request's parameters, passed and returned as JSON text: empty strings, null and `NULL` are dropped, date ranges are converted
/// from the time zone to UTC, and `StartAndEndTime` becomes `StartTime` and `EndTime`. Throws `NotJson`, `UnknownTimeZone`, `NotATime` for an
/// end of `StartAndEndTime` that is neither empty nor a date or time, and `InvalidFields` if it ends before it begins.
#[wasm_bindgen(js_name = scrubParams)]
pub fn scrub_params(parameters: &str, #[wasm_bindgen(js_name = timeZone)] time_zone: &str) -> Result<String, JsValue> {
    params::scrub(parameters, zone(time_zone)?).map_err(|refused| match (refused.fields(), refused) {
        (Some(fields), _) => invalid_fields(&fields),
        (_, ScrubError::NotATime { at }) => error(ErrorCode::NotATime, &format!("{at}: expected a date or a time")),
        _ => error(ErrorCode::NotJson, "parameters: expected JSON"),
    })
}

fn zone(name: &str) -> Result<Tz, JsValue> {
    time::time_zone(name).ok_or_else(|| unknown(ErrorCode::UnknownTimeZone, "timeZone", name))
}

/// Whether the other functions know this time zone. Browsers may know newer ones.
#[wasm_bindgen(js_name = isTimeZone)]
pub fn is_time_zone(name: &str) -> bool {
    time::is_time_zone(name)
}

#[wasm_bindgen]
extern "C" {
    /// The platform's decoder, which decodes bytes like `Response.text`: it drops the byte order mark, and replaces invalid UTF-8 by
    /// replacement characters.
    type TextDecoder;

    #[wasm_bindgen(constructor)]
    fn new() -> TextDecoder;

    #[wasm_bindgen(method)]
    fn decode(this: &TextDecoder, bytes: &[u8]) -> JsString;

    type TextEncoder;

    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;

    #[wasm_bindgen(method)]
    fn encode(this: &TextEncoder, text: &JsValue) -> Uint8Array;
}

/// The JSON text of a response, with every time in it converted from UTC to the time zone and formatted as `YYYY-MM-DD HH:mm:ss`. Accepts
/// the response's bytes, which is faster, or its text. Throws `UnknownTimeZone`.
///
/// ```ts
/// const answer = JSON.parse(localizeResponse(await response.arrayBuffer(), 'Asia/Shanghai'));
/// ```
#[wasm_bindgen(js_name = localizeResponse, unchecked_return_type = "string")]
pub fn localize_response(
    #[wasm_bindgen(unchecked_param_type = "ArrayBuffer | Uint8Array | string")] answer: JsValue,
    #[wasm_bindgen(js_name = timeZone)] time_zone: &str,
) -> Result<JsString, JsValue> {
    let mut localizer = Localizer::new(zone(time_zone)?);
    let localized = postern_hot::localize(&mut localizer, bytes_of(&answer)?);
    Ok(TextDecoder::new().decode(&localized))
}

fn bytes_of(answer: &JsValue) -> Result<Vec<u8>, JsValue> {
    if let Some(bytes) = answer.dyn_ref::<Uint8Array>() {
        return Ok(bytes.to_vec());
    }
    if let Some(buffer) = answer.dyn_ref::<ArrayBuffer>() {
        return Ok(Uint8Array::new(buffer).to_vec());
    }
    if answer.is_string() {
        return Ok(TextEncoder::new().encode(answer).to_vec());
    }
    Err(wrong_argument("answer: expected an ArrayBuffer, a Uint8Array or a string"))
}

/// The client's reaction to the outcome of a call.
#[wasm_bindgen(js_name = judgeAnswer)]
pub fn judge_answer(outcome: Ts<Outcome>) -> Result<Ts<Reaction>, JsValue> {
    write_as(&react(&read("outcome", outcome)?))
}

/// All response codes with their names and message keys.
#[wasm_bindgen(js_name = codes, unchecked_return_type = "CodeRow[]")]
pub fn codes() -> Result<JsValue, JsValue> {
    write(&code::codes())
}
