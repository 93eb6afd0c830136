//! The same in a real browser.
use postern_core::vectors::digest;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn a_browser_answers_generated_inputs_as_the_native_build_does() {
    let count = env!("POSTERN_DIGEST_COUNT").parse().expect("a number");
    for pair in env!("POSTERN_DIGESTS").split(',') {
        let (group, expected) = pair.split_once(' ').expect("a group and its digest");
        assert_eq!(format!("{:016x}", digest(group, 20_251_012, count)), expected, "{group}");
    }
}
