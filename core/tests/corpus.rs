//! What fuzzing found worth keeping, as ordinary tests: see `scripts/fuzz.sh`.
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
fn responses_change_in_their_times_only() {
    check_all("localize_response", checks::localize_response);
}

#[test]
fn scrubbed_parameters_have_nothing_empty() {
    check_all("scrub", checks::scrub);
}

#[test]
fn json_is_read_as_a_full_parser_reads_it() {
    check_all("json", checks::json);
}

#[test]
fn endpoints_that_were_read_can_be_written() {
    check_all("endpoints", checks::endpoints);
}

#[test]
fn networks_have_one_text_each() {
    check_all("network", checks::network);
}

#[test]
fn amounts_are_read_without_loss() {
    check_all("money", checks::money);
}
