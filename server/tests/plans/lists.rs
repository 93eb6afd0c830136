//! Requests for lists.
use serde_json::{Value, json};

/// A list's body for each filter alone, each sort in both directions, and a search.
pub fn lists(call: &'static str, filters: &[(&str, Value)], sorts: &[&str]) -> Vec<(&'static str, Value)> {
    let mut all = vec![(call, json!({"PageSize": 1})), (call, json!({"Search": "1", "Page": 2}))];
    all.extend(filters.iter().map(|(name, value)| (call, json!({"Filter": {(*name): value}}))));
    for field in sorts {
        for direction in ["asc", "desc"] {
            all.push((call, json!({"PageSize": 1, "Sort": [{"Field": field, "Direction": direction}]})));
        }
    }
    all.push((call, json!({"StartTime": "2026-01-01 00:00:00", "EndTime": "2027-01-01 00:00:00"})));
    all
}
