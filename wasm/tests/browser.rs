//! The parity test in a real browser.
use postern_vectors::digest;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Yields to the page, because the WebDriver times out on one that is busy for long.
async fn rest() {
    let timeout = js_sys::Function::new_with_args("resolve", "setTimeout(resolve, 0)");
    let rest = js_sys::Promise::new(&mut |resolve, _| {
        timeout.call1(&wasm_bindgen::JsValue::NULL, &resolve).expect("a timer");
    });
    JsFuture::from(rest).await.expect("a timer never fails");
}

#[wasm_bindgen_test]
async fn the_browser_agrees_with_the_native_build_on_generated_inputs() {
    let count = env!("POSTERN_DIGEST_COUNT").parse().expect("a number");
    for pair in env!("POSTERN_DIGESTS").split(',') {
        let (group, expected) = pair.split_once(' ').expect("a group and its digest");
        assert_eq!(format!("{:016x}", digest(group, 20_251_012, count)), expected, "{group}");
        rest().await;
    }
}
