//! An example of every call's request, and of the answers that are worth one: `examples.json`, each sent to a shop by a test.
use serde_json::Value;
use std::sync::LazyLock;

static EXAMPLES: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).expect("examples are JSON"));

pub fn request(call: &str) -> Option<Value> {
    EXAMPLES.get(call)?.get("Request").cloned()
}

/// The whole answer around the example's data.
pub fn answer(call: &str) -> Option<Value> {
    let data = EXAMPLES.get(call)?.get("Data")?.clone();
    Some(serde_json::json!({ "Code": 1000, "Message": "Success", "Data": data }))
}
