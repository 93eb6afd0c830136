//! See `checks::json`.
#![no_main]
#[allow(dead_code, reason = "each target has one check")]
#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::json(data));
