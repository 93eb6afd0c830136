//! See `gate_checks::http_request`.
#![no_main]
#[allow(dead_code, reason = "each target has one check")]
#[path = "../gate_checks.rs"]
mod gate_checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| gate_checks::http_request(data));
