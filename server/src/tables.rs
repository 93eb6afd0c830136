//! The tables of `schema.rs`, for tests that compare them with other lists.

/// Every table with its columns and their SQL types.
pub fn tables() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    let mut found: Vec<(&str, Vec<(&str, &str)>)> = Vec::new();
    let body = include_str!("schema.rs").split("allow_tables_to_appear_in_same_query!").next().unwrap_or_default();
    for line in body.lines().map(str::trim) {
        if let Some((name, _)) = line.strip_suffix('{').and_then(|head| head.split_once(" (")) {
            found.push((name, Vec::new()));
        } else if let (Some((column, kind)), Some(table)) = (line.split_once(" -> "), found.last_mut()) {
            table.1.push((column, kind.trim_end_matches(',')));
        }
    }
    assert!(found.len() > 70 && found.iter().all(|(_, columns)| !columns.is_empty()), "{found:?}");
    found
}
