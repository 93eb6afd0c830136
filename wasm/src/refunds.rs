//! Refunds: what a cancellation gives back.
use crate::errors::refused;
use crate::values::{read, write_as};
use postern_core::refund::{self, CreditNote, RefundRequest};
use tsify::Ts;
use wasm_bindgen::prelude::*;

/// The credit note that giving back these lines would make. Throws `InvalidFields` without lines, and `Internal` for amounts or times
/// that cannot be true.
#[wasm_bindgen(js_name = refundPreview)]
pub fn refund_preview(request: Ts<RefundRequest>) -> Result<Ts<CreditNote>, JsValue> {
    write_as(&refund::refund_unused(&read(request)?).map_err(|error| refused(error.code()))?)
}
