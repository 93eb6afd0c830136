//! The schemas of the document: named where possible, without internal defaults, and with every field described.
use crate::app::openapi::fields;
use postern_core::tier::{DEDICATED_NODE_TYPE, SHARED_NODE_TYPE};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Completes the schemas of all types.
pub fn complete(schemas: &mut Value) {
    if let Some(schemas) = schemas.as_object_mut() {
        schemas.remove("Money");
    }
    for (name, schema) in schemas.as_object_mut().into_iter().flatten() {
        each_schema(schema, &mut complete_one);
        if name.starts_with("Answer_") {
            schema["description"] = "A successful answer.".into();
            schema["properties"]["Code"] = json!({
                "type": "integer", "format": "int32", "const": 1000, "description": "Success.",
            });
        }
    }
}

fn complete_one(schema: &mut Map<String, Value>) {
    inline_money(schema);
    // Defaults beside a `$ref` are whole objects, and an absent field means null everywhere.
    let is_noise = |default: &Value| default.is_null() || default.is_object() || default.is_array();
    if schema.get("default").is_some_and(is_noise) {
        schema.remove("default");
    }
    // Keys of JSON objects are always strings.
    schema.remove("propertyNames");
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    bound(schema);
    for (name, field) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        let Some(field) = field.as_object_mut() else { continue };
        if name == "NodeType" {
            field.insert("enum".to_owned(), json!([DEDICATED_NODE_TYPE, SHARED_NODE_TYPE]));
        }
        if let Some(description) = fields::description(name).filter(|_| !field.contains_key("description")) {
            field.insert("description".to_owned(), description.into());
        }
    }
}

/// Amounts are texts like others: readers of the document need not look them up.
fn inline_money(schema: &mut Map<String, Value>) {
    if schema.get("$ref").is_some_and(|name| name == "#/components/schemas/Money") {
        schema.remove("$ref");
        schema.insert("type".to_owned(), "string".into());
    }
    let Some([amount, null]) = schema.get("oneOf").and_then(Value::as_array).map(Vec::as_slice) else { return };
    if amount["type"] == "string" && null["type"] == "null" {
        *schema = amount.as_object().cloned().unwrap_or_default();
        schema.insert("type".to_owned(), json!(["string", "null"]));
    }
}

/// Adds the bounds that a number's format implies: JSON Schema readers need not know the formats.
fn bound(schema: &mut Map<String, Value>) {
    let is_unsigned = schema.get("minimum").is_some_and(|least| least == 0);
    let most = match (schema.get("format").and_then(Value::as_str), is_unsigned) {
        (Some("int32"), true) => json!(u32::MAX),
        (Some("int32"), false) => json!(i32::MAX),
        _ => return,
    };
    schema.entry("maximum").or_insert(most);
    // OpenAPI's int32 is signed.
    if is_unsigned {
        schema.insert("format".to_owned(), "int64".into());
    }
}

/// Replaces every nested schema that equals a named one by a `$ref`: utoipa inlines the arguments of generic
/// types.
pub fn reference_named_schemas(document: &mut Value) {
    let is_named = |(name, schema): &(&String, &Value)| {
        !name.starts_with("Answer_") && schema.get("properties").is_some_and(|fields| fields.is_object())
    };
    let named: BTreeMap<String, String> = document["components"]["schemas"]
        .as_object()
        .into_iter()
        .flatten()
        .filter(is_named)
        .map(|(name, schema)| (key(schema), name.clone()))
        .collect();
    for schema in document["components"]["schemas"].as_object_mut().into_iter().flat_map(|all| all.values_mut()) {
        each_below(schema, &mut |below| {
            let name = below.get("properties").and_then(|_| named.get(&key(&Value::Object(below.clone()))));
            if let Some(name) = name {
                let reference = json!({ "$ref": format!("#/components/schemas/{name}") });
                *below = reference.as_object().cloned().unwrap_or_default();
            }
        });
    }
}

/// Gives each list's page a schema of its own (`Page_OwnedNode` for the data of `Answer_Page_OwnedNode`) and describes its fields.
pub fn name_pages(schemas: &mut Value) {
    let mut pages = Map::new();
    for (name, schema) in schemas.as_object_mut().into_iter().flatten() {
        let Some(page) = name.strip_prefix("Answer_").filter(|name| name.starts_with("Page_")) else { continue };
        let data = schema["properties"]["Data"].take();
        schema["properties"]["Data"] = json!({ "$ref": format!("#/components/schemas/{page}") });
        // Already named if another type contains it.
        if data.get("$ref").is_none() {
            pages.insert(page.to_owned(), data);
        }
    }
    schemas.as_object_mut().into_iter().for_each(|schemas| schemas.append(&mut pages));
    let named = schemas.as_object_mut().into_iter().flatten();
    for (_, page) in named.filter(|(name, _)| name.starts_with("Page_")) {
        for (field, description) in [
            ("Rows", "The rows of this page."),
            ("Total", "The total number of rows on all pages."),
            ("TotalIsAtLeast", "Whether there are more rows than `Total`: rows are counted up to 10,000."),
            (
                "Next",
                "The cursor of the next page, to send as `After`; absent on the last page and in lists without keyset pagination.",
            ),
            ("SortableFields", "The fields this list can be sorted by; long lists support fewer."),
            ("Page", "The number of this page, from 1."),
            ("PageSize", "The number of rows per page."),
        ] {
            page["properties"][field]["description"] = description.into();
        }
    }
}

/// A schema without its description, for comparison.
fn key(schema: &Value) -> String {
    let mut schema = schema.clone();
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("description");
    }
    schema.to_string()
}

/// Visits every nested schema, innermost first, then this one.
fn each_schema(schema: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    each_below(schema, change);
    if let Some(schema) = schema.as_object_mut() {
        change(schema);
    }
}

fn each_below(schema: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    let Some(schema) = schema.as_object_mut() else { return };
    for (word, value) in schema.iter_mut() {
        match (word.as_str(), value) {
            ("properties", Value::Object(fields)) => fields.values_mut().for_each(|field| each_schema(field, change)),
            ("items" | "additionalProperties", value) => each_schema(value, change),
            ("allOf" | "oneOf" | "anyOf", Value::Array(parts)) => {
                parts.iter_mut().for_each(|part| each_schema(part, change));
            }
            _ => {}
        }
    }
}
