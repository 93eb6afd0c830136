//! Runs the fuzzing corpus as ordinary tests: see `scripts/fuzz.sh`.
#[path = "../../fuzz/checks.rs"]
mod checks;

fn check_all(target: &str, check: fn(&[u8])) {
    let folder = format!("{}/../fuzz/corpus/{target}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(folder).expect("a corpus");
    let mut count = 0;
    for file in files {
        let path = file.expect("a file").path();
        println!("{}", path.display());
        check(&std::fs::read(path).expect("its bytes"));
        count += 1;
    }
    assert!(count >= 10, "only {count} files for {target}");
}

#[test]
fn only_times_in_responses_change() {
    check_all("localize_response", checks::localize_response);
}

#[test]
fn scrubbed_parameters_have_no_empty_values() {
    check_all("scrub", checks::scrub);
}

#[test]
fn parsed_endpoints_can_be_formatted() {
    check_all("endpoints", checks::endpoints);
}

#[test]
fn networks_have_one_canonical_form() {
    check_all("network", checks::network);
}

#[test]
fn amounts_are_parsed_without_loss() {
    check_all("money", checks::money);
}
