//! The same in a real browser.
use postern_vectors::digest;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Lets the page answer the driver, which gives up on one that is busy for long.
async fn rest() {
    let timeout = js_sys::Function::new_with_args("resolve", "setTimeout(resolve, 0)");
    let rest = js_sys::Promise::new(&mut |resolve, _| {
        timeout.call1(&wasm_bindgen::JsValue::NULL, &resolve).expect("a timer");
    });
    JsFuture::from(rest).await.expect("a timer is never refused");
}

#[wasm_bindgen_test]
async fn a_browser_answers_generated_inputs_as_the_native_build_does() {
    let count = env!("POSTERN_DIGEST_COUNT").parse().expect("a number");
    for pair in env!("POSTERN_DIGESTS").split(',') {
        let (group, expected) = pair.split_once(' ').expect("a group and its digest");
        assert_eq!(format!("{:016x}", digest(group, 20_251_012, count)), expected, "{group}");
        rest().await;
    }
}
