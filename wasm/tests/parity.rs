//! Native and wasm builds give the same answers, in Node. `scripts/wasm.sh test` puts the native build's digests and their
//! count into the environment of the build.
use postern_vectors::digest;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn both_builds_answer_generated_inputs_alike() {
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
fn the_fixed_table_of_inputs_and_answers_holds() {
    for (name, text) in postern_vectors::table::FILES {
        let checked = postern_vectors::table::check(text);
        assert!(checked.wrong.is_empty() && checked.cases > 0, "{name}: {:?}", checked.wrong);
    }
}
