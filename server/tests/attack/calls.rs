//! The attack surface, read from the OpenAPI document: every call with a valid body, and each field that can be wrong.
use serde_json::{Value, json};

pub struct Call {
    /// `Group/Call`.
    pub name: String,
    pub method: String,
    pub needs_token: bool,
    pub is_for_operators: bool,
    pub is_once: bool,
    /// Whether it takes a form with a file.
    pub is_upload: bool,
    /// A valid body.
    pub example: Value,
    pub fields: Vec<Field>,
    /// The words in backticks in the call's description, such as filters and columns.
    pub words: Vec<String>,
}

/// A field of a body.
#[derive(Clone)]
pub struct Field {
    /// Its path of names and array indexes, from the outside in.
    pub way: Vec<String>,
    pub is_list: bool,
}

/// The calls of a document.
pub fn calls(document: &Value) -> Vec<Call> {
    let paths = document["paths"].as_object().expect("paths");
    let mut calls = Vec::new();
    for (name, methods) in paths.iter().filter_map(|(path, methods)| Some((path.strip_prefix("/api/")?, methods))) {
        for (method, operation) in methods.as_object().expect("methods") {
            let body = &operation["requestBody"]["content"]["application/json"];
            let description = operation["description"].as_str().unwrap_or_default();
            let mut fields = Vec::new();
            fields_of(document, &body["schema"], &mut Vec::new(), &mut fields);
            calls.push(Call {
                name: name.to_owned(),
                method: method.to_uppercase(),
                needs_token: operation.get("security").is_some(),
                is_for_operators: description.contains("For operators only."),
                is_once: operation["parameters"].to_string().contains("IdempotencyKey"),
                is_upload: operation["requestBody"]["content"].get("multipart/form-data").is_some(),
                example: body.get("example").cloned().unwrap_or(json!({})),
                fields,
                words: description.split('`').skip(1).step_by(2).map(str::to_owned).collect(),
            });
        }
    }
    calls
}

/// Every field of a schema, recursively; the first element stands for an array.
fn fields_of(document: &Value, schema: &Value, way: &mut Vec<String>, fields: &mut Vec<Field>) {
    if way.len() > 4 {
        return;
    }
    if let Some(name) = schema["$ref"].as_str() {
        fields_of(document, document.pointer(name.trim_start_matches('#')).expect("a schema"), way, fields);
    }
    for part in ["allOf", "oneOf", "anyOf"].iter().flat_map(|word| schema[*word].as_array().into_iter().flatten()) {
        fields_of(document, part, way, fields);
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        way.push(name.clone());
        fields.push(Field { way: way.clone(), is_list: field["type"] == "array" });
        fields_of(document, field, way, fields);
        if field["type"] == "array" {
            way.push("0".to_owned());
            fields.push(Field { way: way.clone(), is_list: false });
            fields_of(document, &field["items"], way, fields);
            way.pop();
        }
        way.pop();
    }
}

impl Call {
    pub fn path(&self) -> String {
        format!("/api/{}", self.name)
    }

    /// The example's body with this JSON text in a field, valid or not.
    pub fn body_with(&self, field: &Field, text: &str) -> String {
        const HERE: &str = "what is put here";
        let mut body = self.example.clone();
        put(&mut body, &field.way, HERE);
        body.to_string().replacen(&format!("\"{HERE}\""), text, 1)
    }

    /// Whether it is a list that can be filtered and sorted.
    pub fn is_list(&self) -> bool {
        self.fields.iter().any(|field| field.way == ["Sort"])
    }
}

fn put(at: &mut Value, way: &[String], value: &str) {
    let Some((next, rest)) = way.split_first() else {
        *at = value.into();
        return;
    };
    if next == "0" {
        if at.as_array().is_none_or(|items| items.is_empty()) {
            *at = json!([{}]);
        }
        put(&mut at[0], rest, value);
    } else {
        if !at.is_object() {
            *at = json!({});
        }
        put(&mut at[next.as_str()], rest, value);
    }
}
