//! Native and wasm builds give the same results, in Node. `scripts/wasm.sh test` passes the native build's digests and their count in the
//! environment of the build.
use postern_vectors::digest;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn both_builds_agree_on_generated_inputs() {
    let count = env!("POSTERN_DIGEST_COUNT").parse().expect("a number");
    let native = env!("POSTERN_DIGESTS").split(',');
    let mut groups = 0;
    for pair in native {
        let (group, expected) = pair.split_once(' ').expect("a group and its digest");
        assert_eq!(format!("{:016x}", digest(group, 20_251_012, count)), expected, "{group}");
        groups += 1;
    }
    assert_eq!(groups, postern_vectors::GROUPS.len());
}

#[wasm_bindgen_test]
fn all_test_vectors_pass() {
    for (name, text) in postern_vectors::table::FILES {
        let checked = postern_vectors::table::check(text);
        assert!(checked.wrong.is_empty() && checked.cases > 0, "{name}: {:?}", checked.wrong);
    }
}
