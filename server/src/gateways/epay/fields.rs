//! The fields of messages to and from an EPay gateway.

/// Names and values of a request, an answer or a callback.
pub type Fields = Vec<(String, String)>;

pub fn value<'a>(fields: &'a Fields, name: &str) -> &'a str {
    fields.iter().find(|field| field.0 == name).map_or("", |field| field.1.as_str())
}
