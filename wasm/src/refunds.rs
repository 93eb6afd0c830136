//! Refunds: what a cancellation gives back.
use crate::errors::{refused, wrong_argument};
use postern_core::refund::{self, CreditNote, RefundRequest};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// The credit note that giving back these lines would make. Throws `InvalidFields` without lines, and `Internal` for amounts or times
/// that cannot be true.
#[wasm_bindgen(js_name = refundPreview)]
pub fn refund_preview(request: Ts<RefundRequest>) -> Result<Ts<CreditNote>, JsValue> {
    let request = request.to_rust().map_err(wrong_argument)?;
    refund::refund_unused(&request).map_err(|error| refused(error.code()))?.into_ts().map_err(wrong_argument)
}
