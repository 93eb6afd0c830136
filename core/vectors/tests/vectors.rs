//! Runs all test vectors.
use postern_vectors::table::{FILES, check};

#[test]
fn every_case_passes() {
    for (name, text) in FILES {
        let checked = check(text);
        assert!(checked.wrong.is_empty(), "{name}:\n{}", checked.wrong.join("\n"));
        assert!(checked.cases >= 9, "{name} has {} cases", checked.cases);
    }
}

#[test]
fn every_file_is_run() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .filter(|name| name.ends_with(".json"))
        .collect();
    names.sort();
    assert_eq!(names, FILES.map(|(name, _)| format!("{name}.json")));
}

#[test]
fn a_wrong_expectation_fails() {
    let case = |case: &str| check(&format!(r#"{{"Rules": {{"share": [{case}]}}}}"#)).wrong.len();
    let input = r#""Name": "a", "Input": {"Amount": "3.35", "BasisPoints": 1000}"#;
    assert_eq!(case(&format!(r#"{{{input}, "Output": "0.34"}}"#)), 0);
    for wrong in [
        format!(r#"{{{input}, "Output": "0.33"}}"#),
        format!(r#"{{{input}, "Output": 0.34}}"#),
        format!(r#"{{{input}, "Refused": "Overflow"}}"#),
        format!(r#"{{{input}}}"#),
        format!(r#"{{{input}, "Output": "0.34", "Refused": "Overflow"}}"#),
        r#"{"Name": "a", "Input": {"Amount": 3.35, "BasisPoints": 1000}, "Output": "0.34"}"#.to_owned(),
    ] {
        assert_eq!(case(&wrong), 1, "{wrong}");
    }
    let checked = check(r#"{"Rules": {"noSuchRule": [{"Name": "a", "Input": {}, "Output": null}]}}"#);
    assert_eq!((checked.cases, checked.wrong.len()), (1, 1));
}
