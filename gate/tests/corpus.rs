//! Runs the fuzzing corpus of the gate's parsers as ordinary tests: see `scripts/fuzz.sh`.
#[path = "../../fuzz/gate_checks.rs"]
mod gate_checks;

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
fn destinations_are_written_as_they_are_read() {
    check_all("host_port", gate_checks::host_port);
}

#[test]
fn origins_get_one_host_and_one_length() {
    check_all("http_request", gate_checks::http_request);
}

#[test]
fn socks5_clients_ask_for_one_destination() {
    check_all("socks_handshake", gate_checks::socks_handshake);
}

#[test]
fn user_names_for_upstreams_are_their_templates_filled_in() {
    check_all("upstream_template", gate_checks::upstream_template);
}

#[test]
fn files_of_upstreams_are_usable_or_refused_without_their_passwords() {
    check_all("upstream_file", gate_checks::upstream_file);
}

#[test]
fn lines_of_address_maps_do_not_depend_on_each_other() {
    check_all("address_map", gate_checks::address_map);
}

#[test]
fn the_shop_counts_what_the_spool_holds() {
    check_all("spool_report", gate_checks::spool_report);
}
