//! Example requests of every call and selected responses, from `examples.json`. A test sends each request to a shop.
use serde_json::Value;
use std::sync::LazyLock;

static EXAMPLES: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("examples.json")).expect("examples are JSON"));

pub fn request(call: &str) -> Option<Value> {
    EXAMPLES.get(call)?.get("Request").cloned()
}

/// The example's data in the response envelope.
pub fn answer(call: &str) -> Option<Value> {
    let data = EXAMPLES.get(call)?.get("Data")?.clone();
    Some(serde_json::json!({ "Code": 1000, "Message": "Success", "Data": data }))
}
