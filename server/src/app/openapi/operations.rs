//! Parts shared by all operations: access, headers, error responses, summaries and descriptions.
use crate::app::openapi::examples;
use crate::app::openapi::refusals::REFUSAL;
use postern_core::calls::{Access, KeyUse, find};
use serde_json::{Value, json};

/// Completes every operation of the document.
pub fn complete(paths: &mut Value) {
    for (path, methods) in paths.as_object_mut().into_iter().flatten() {
        let call = path.trim_start_matches("/api/").to_owned();
        for operation in methods.as_object_mut().into_iter().flat_map(|methods| methods.values_mut()) {
            complete_call(&call, operation);
        }
    }
}

fn complete_call(call: &str, operation: &mut Value) {
    // The name from the specification: unique and stable.
    operation["operationId"] = call.replace('/', "_").into();
    operation["tags"] = json!([call.split('/').next()]);
    let needs_token = find(call).is_none_or(|call| call.access != Access::Public);
    if needs_token {
        operation["security"] = json!([{ "Token": [] }]);
    }
    let is_once = find(call).is_some_and(|call| call.takes_key);
    describe(call, is_once, operation);
    let parameters = ["AcceptLanguage", "IdempotencyKey"].into_iter().take(if is_once { 2 } else { 1 });
    let referred = parameters.map(|name| json!({ "$ref": format!("#/components/parameters/{name}") }));
    operation["parameters"] = referred.collect();
    if let Some(body) = operation.get_mut("requestBody")
        && let Some(example) = examples::request(call)
    {
        body["content"]["application/json"]["example"] = example;
    }
    let success = &mut operation["responses"]["200"];
    answer(success);
    if let Some(example) = examples::answer(call) {
        success["content"]["application/json"]["example"] = example;
    }
    let has_body = operation.get("requestBody").is_some();
    let refused = [
        ("401", "Unauthorized", needs_token),
        ("429", "TooManyRequests", needs_token),
        ("408", "BodyTooSlow", has_body),
        ("413", "BodyTooLarge", has_body),
        ("415", "CompressedBody", true),
        ("503", "Unavailable", true),
    ];
    for (status, name, _) in refused.iter().filter(|row| row.2) {
        operation["responses"][*status] = json!({ "$ref": format!("#/components/responses/{name}") });
    }
}

/// A JSON response is the result or a refusal. Where the result is a file, JSON is always a refusal.
fn answer(success: &mut Value) {
    let content = &mut success["content"];
    let is_file = content.as_object().is_some_and(|content| content.keys().any(|kind| kind != "application/json"));
    for kind in ["application/pdf", "image/png"] {
        if let Some(file) = content.get_mut(kind) {
            file["schema"] = json!({ "type": "string", "format": "binary" });
        }
    }
    let own = content["application/json"]["schema"].take();
    content["application/json"]["schema"] = match own {
        Value::Null => json!({ "$ref": REFUSAL }),
        own => json!({ "oneOf": [own, { "$ref": REFUSAL }] }),
    };
    let is_stream = content.get("application/x-ndjson").is_some();
    let description = if is_stream {
        "The lines, or a JSON refusal."
    } else if is_file {
        "The file, or a JSON refusal."
    } else {
        "The result, or a refusal."
    };
    success["description"] = description.into();
    success["headers"] = json!({ "X-Request-Id": { "$ref": "#/components/headers/RequestId" } });
}

/// The first sentence of the doc comment becomes the summary; the rest, and who may make the call, the description.
fn describe(call: &str, is_once: bool, operation: &mut Value) {
    let part = |name: &str| operation[name].as_str().unwrap_or_default().trim().to_owned();
    let (summary, rest) = first_sentence(&format!("{}\n{}", part("summary"), part("description")));
    let found = find(call);
    let is_left = found.is_some_and(|call| call.while_suspended);
    let suspended = if is_left { " Allowed for suspended accounts." } else { "" };
    let access = match found.map(|call| call.access) {
        Some(Access::Public) => "Requires no token.".to_owned(),
        Some(Access::SignedIn) => format!("Requires a token; acts on the account of the token.{suspended}"),
        Some(Access::Operator) | None => "For operators only.".to_owned(),
    };
    let key = match found.filter(|call| call.access != Access::Public).map(|call| call.key_use) {
        Some(KeyUse::With(scope)) => format!(" An API key needs the scope `{}`.", scope.as_str()),
        Some(KeyUse::SignedInOnly) => " Not for API keys.".to_owned(),
        None => String::new(),
    };
    let once = if is_once { " Accepts an `Idempotency-Key`." } else { "" };
    operation["description"] = format!("{rest}\n\n{access}{key}{once}").trim().into();
    operation["summary"] = summary.into();
}

/// Splits wrapped text into its first sentence, without the full stop, and the remaining paragraphs.
fn first_sentence(text: &str) -> (String, String) {
    let paragraphs: Vec<String> = text
        .trim()
        .split("\n\n")
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    let Some((first, others)) = paragraphs.split_first() else { return Default::default() };
    let (summary, rest) = first.split_once(". ").unwrap_or((first, ""));
    let summary = summary.trim_end_matches('.').to_owned();
    let rest = std::iter::once(rest.to_owned()).chain(others.iter().cloned()).filter(|part| !part.is_empty());
    (summary, rest.collect::<Vec<_>>().join("\n\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_a_sentence_and_the_paragraphs_after_it() {
        for (text, summary, rest) in [
            ("", "", ""),
            ("Signs in.", "Signs in", ""),
            ("Signs in. In the\nsame time.", "Signs in", "In the same time."),
            ("Signs\nin. Both.\n\nSorts by `A`,\n`B`.", "Signs in", "Both.\n\nSorts by `A`, `B`."),
        ] {
            assert_eq!(first_sentence(text), (summary.to_owned(), rest.to_owned()), "{text}");
        }
    }
}
