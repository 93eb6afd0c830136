//! Records the queries that the database is asked, as text without values.
use diesel::connection::InstrumentationEvent;
use std::collections::BTreeSet;
use std::sync::Mutex;

pub static RECORDED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Records the text of a query, without its values and with lists of any length normalised.
pub fn record(event: InstrumentationEvent<'_>) {
    let InstrumentationEvent::StartQuery { query, .. } = event else { return };
    let text = query.to_string();
    let text = text.split(" -- binds:").next().unwrap_or_default().trim().to_owned();
    let is_planned = ["SELECT", "UPDATE", "DELETE", "WITH"].iter().any(|verb| text.starts_with(verb));
    // A condition that is always false reads nothing.
    let is_asked = is_planned && !text.contains("__diesel_schema_migrations") && !text.contains("(1=0)");
    if is_asked {
        RECORDED.lock().expect("the record").insert(lists_alike(&text));
    }
}

/// `IN (?, ?, ?)` as `IN (?)`.
fn lists_alike(text: &str) -> String {
    let mut parts = text.split("IN (?");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "IN (?" + part.trim_start_matches(", ?"))
}
