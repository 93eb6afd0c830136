//! The OpenAPI document: complete, and correct for the server that serves it.
use crate::shop::{Customer, Shop, clients};
use postern_core::calls::calls;
use serde_json::{Value, json};
use std::collections::BTreeSet;

async fn document(shop: &Shop) -> Value {
    let answer = clients::get(format!("{}/api/openapi.json", shop.url)).await.expect("an answer");
    answer.json().await.expect("JSON")
}

/// Each call with its method and operation.
fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let calls = paths.iter().filter_map(|(path, methods)| Some((path.strip_prefix("/api/")?, methods)));
    calls
        .flat_map(|(call, methods)| {
            methods
                .as_object()
                .expect("methods")
                .iter()
                .map(move |(method, operation)| (call, method.as_str(), operation))
        })
        .collect()
}

fn example(operation: &Value) -> Option<&Value> {
    operation["requestBody"]["content"]["application/json"].get("example")
}

/// Collects all `$ref` values under a value.
fn references<'a>(value: &'a Value, found: &mut BTreeSet<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

#[actix_web::test]
async fn the_document_names_only_the_authors() {
    let document = document(&Shop::open()).await;
    assert_eq!(document["openapi"].as_str().and_then(|version| version.get(..3)), Some("3.1"));
    assert_eq!(document["info"]["title"], "Postern API");
    assert_eq!(document["info"]["license"], json!({"name": "MIT", "identifier": "MIT"}));
    assert_eq!(document["info"]["contact"], json!({"name": "The Postern authors"}));
    assert_eq!(document["servers"][0]["url"], "/");
    let scheme = &document["components"]["securitySchemes"]["Token"];
    assert!(scheme["name"] == "Token" && scheme["description"].is_string(), "{scheme}");
}

/// Others reach the browser as they are, in UTC.
#[actix_web::test]
async fn what_is_named_as_a_time_is_converted_to_the_readers_zone() {
    let document = document(&Shop::open()).await;
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let properties = schemas.values().filter_map(|schema| schema["properties"].as_object()).flatten();
    let is_text = |schema: &Value| schema["type"].to_string().contains("string");
    let texts = properties.filter(|(_, schema)| is_text(schema)).map(|(name, _)| name.as_str());
    let named: BTreeSet<_> =
        texts.filter(|name| ["At", "Since", "Time", "Until"].iter().any(|ending| name.ends_with(ending))).collect();
    assert!(named.contains("OldPasswordUntil") && named.contains("DownSince"), "{named:?}");
    for name in named {
        assert!(postern_core::time::is_time_field(name), "{name}");
    }
}

#[actix_web::test]
async fn every_call_is_described_with_its_refusals_and_an_example() {
    let document = document(&Shop::open()).await;
    let all = operations(&document);
    let tags: BTreeSet<_> =
        document["tags"].as_array().expect("tags").iter().map(|tag| &tag["name"]).map(Value::to_string).collect();
    let mut ids = BTreeSet::new();
    for (call, _, operation) in &all {
        let text = |name: &str| operation[name].as_str().unwrap_or_default();
        assert!(text("summary").len() > 5 && !text("summary").ends_with('.'), "{call}: {}", text("summary"));
        assert!(text("description").len() > 10, "{call}");
        assert_eq!(text("operationId"), call.replace('/', "_"));
        assert!(ids.insert(text("operationId")), "{call}: its id is another's too");
        assert!(
            operation["tags"].as_array().is_some_and(|of| of.iter().all(|tag| tags.contains(&tag.to_string()))),
            "{call}"
        );
        assert!(operation["responses"]["200"]["description"].is_string(), "{call}");
        let answer = operation["responses"]["200"]["content"]["application/json"]["schema"].to_string();
        assert!(answer.contains("schemas/Refusal"), "{call}: {answer}");
        let needs_token = operation.get("security").is_some();
        assert_eq!(operation["responses"].get("401").is_some(), needs_token, "{call}");
        assert!(operation["responses"].get("415").is_some(), "{call}");
        let has_body = operation.get("requestBody").is_some();
        for status in ["408", "413"] {
            assert_eq!(operation["responses"].get(status).is_some(), has_body, "{call}: {status}");
        }
        let is_upload = !operation["requestBody"]["content"]["multipart/form-data"].is_null();
        assert_eq!(has_body && !is_upload, example(operation).is_some(), "{call} has no example");
    }
    assert!(all.len() > 80, "{}", all.len());
    let mut named = BTreeSet::new();
    references(&document, &mut named);
    for name in named {
        assert!(document.pointer(name.trim_start_matches('#')).is_some(), "{name} leads nowhere");
    }
}

#[actix_web::test]
async fn the_calls_with_an_idempotency_key_are_those_of_the_table() {
    let document = document(&Shop::open()).await;
    let is_key = |parameter: &Value| parameter.to_string().contains("dempotency");
    let described: BTreeSet<&str> = operations(&document)
        .into_iter()
        .filter(|(_, _, operation)| operation["parameters"].as_array().is_some_and(|all| all.iter().any(is_key)))
        .map(|(call, _, _)| call)
        .collect();
    let keyed: BTreeSet<&str> = calls().iter().filter(|call| call.takes_key).map(|call| call.name).collect();
    assert_eq!(described, keyed);
}

#[actix_web::test]
async fn every_request_and_response_type_describes_its_fields() {
    let document = document(&Shop::open()).await;
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let is_described = |field: &Value| field.get("description").is_some() || field.to_string().contains("$ref");
    let bare: Vec<String> = schemas
        .iter()
        .flat_map(|(name, schema)| {
            let fields = schema["properties"].as_object().into_iter().flatten();
            fields.filter(|(_, field)| !is_described(field)).map(move |(field, _)| format!("{name}.{field}"))
        })
        .collect();
    assert_eq!(bare, Vec::<String>::new(), "describe them in the code, or in server/src/app/openapi/fields.rs");
}

/// The enum values of a schema, through references, arrays and optional types.
fn values<'a>(document: &'a Value, schema: &'a Value) -> Option<&'a Vec<Value>> {
    if let Some(name) = schema["$ref"].as_str() {
        return values(document, document.pointer(name.trim_start_matches('#'))?);
    }
    let parts = schema["oneOf"].as_array().into_iter().flatten();
    let found = parts.filter(|part| part["type"] != "null").find_map(|part| values(document, part));
    found
        .or_else(|| schema["enum"].as_array())
        .or_else(|| schema.get("items").and_then(|items| values(document, items)))
}

/// Fields with enum values, in any type.
const CHOICES: [&str; 28] = [
    "Action",
    "Adjustment",
    "Channel",
    "AccessMode",
    "Alarm",
    "Becomes",
    "Currency",
    "Direction",
    "EndpointFormat",
    "Event",
    "Failure",
    "Format",
    "Gateway",
    "Kind",
    "LastSide",
    "Language",
    "Level",
    "Methods",
    "Mode",
    "NodeType",
    "OrderKind",
    "PaymentMethod",
    "Problem",
    "Protocol",
    "Protocols",
    "Side",
    "State",
    "Verdict",
];

#[actix_web::test]
async fn every_enum_field_lists_its_values() {
    let document = document(&Shop::open()).await;
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let (mut bare, mut seen) = (Vec::new(), BTreeSet::new());
    // In a refusal `State` is the state of any object; in endpoint settings and for proxy servers it is a place.
    let is_checked = |name: &str| !["RefusalData", "EndpointSettings", "Authorization"].contains(&name);
    for (name, schema) in schemas.iter().filter(|(name, _)| is_checked(name)) {
        let parts = schema["allOf"].as_array().into_iter().flatten().chain([schema]);
        for (field, schema) in parts.filter_map(|part| part["properties"].as_object()).flatten() {
            if CHOICES.contains(&field.as_str()) {
                seen.insert(field.as_str());
                if values(&document, schema).is_none_or(Vec::is_empty) {
                    bare.push(format!("{name}.{field}"));
                }
            }
        }
    }
    assert_eq!(bare, Vec::<String>::new(), "their types are enums of core");
    assert_eq!(seen.len(), CHOICES.len(), "{seen:?}");
    let states = json!(["unpaid", "paid", "fulfilled", "partly_fulfilled", "cancelled", "expired", "refunded"]);
    assert_eq!(schemas["OrderState"]["enum"], states);
    assert_eq!(schemas["Level"]["enum"], json!([0, 1, 2]));
}

#[actix_web::test]
async fn every_example_is_a_valid_request() {
    let shop = Shop::open();
    let document = document(&shop).await;
    let (customer, operator) = (shop.customer(10_000), shop.operator());
    let mut sent = 0;
    for (call, _, operation) in operations(&document) {
        let Some(example) = example(operation) else { continue };
        let unknown =
            unknown_fields(&document, &operation["requestBody"]["content"]["application/json"]["schema"], example);
        assert_eq!(unknown, Vec::<String>::new(), "{call}");
        let for_operators = operation["description"].as_str().is_some_and(|text| text.contains("For operators only."));
        let who: &Customer = if for_operators { &operator } else { &customer };
        // A file is not JSON, and fine.
        let text = shop.download(who, call, example.clone()).await;
        let answer: Value = serde_json::from_str(&text).unwrap_or(json!({"Code": 1000}));
        let is_refused = [2002, 3003, 5000].iter().any(|code| answer["Code"] == *code);
        assert!(answer["Code"].is_u64() && !is_refused && !text.contains("malformed"), "{call}: {text}");
        sent += 1;
    }
    assert!(sent > 50, "{sent}");
}

/// Fields of an example that its schema lacks; filters are those of the list.
fn unknown_fields(document: &Value, schema: &Value, example: &Value) -> Vec<String> {
    let Some(fields) = example.as_object() else { return Vec::new() };
    let mut known = BTreeSet::new();
    fields_of(document, schema, &mut known);
    fields.keys().filter(|field| !known.contains(field.as_str())).cloned().collect()
}

fn fields_of<'a>(document: &'a Value, schema: &'a Value, known: &mut BTreeSet<&'a str>) {
    if let Some(name) = schema["$ref"].as_str() {
        let named = document.pointer(name.trim_start_matches('#')).expect("a schema");
        fields_of(document, named, known);
    }
    known.extend(schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()));
    for part in schema["allOf"].as_array().into_iter().flatten() {
        fields_of(document, part, known);
    }
}

#[actix_web::test]
async fn files_and_responses_with_credentials_are_not_cached() {
    let shop = Shop::open();
    let owner = shop.owner_of(1, 10_000).await;
    for (call, body) in [
        ("Ips/ExportNodes", json!({"All": true, "Format": "csv"})),
        ("Ips/ExportNodes", json!({"All": true, "Format": "txt"})),
        ("Ips/ExportSwitchRecording", json!({"Format": "json"})),
        ("Wallet/ExportTransactions", json!({})),
        ("Order/ExportOrders", json!({})),
        ("Ips/GetUserNodeList", json!({})),
        ("User/GetCenter", json!({})),
    ] {
        let request = clients::new().post(format!("{}/api/{call}", shop.url)).json(&body);
        let answer = request.header("Token", &owner.token).send().await.expect("an answer");
        assert_eq!(
            answer.headers().get("cache-control").map(|value| value.as_bytes()),
            Some(&b"no-store"[..]),
            "{call}"
        );
    }
    let invoice = shop.call(&owner, "Billing/GetInvoiceList", json!({})).await.data["Rows"][0]["InvoiceNumber"].clone();
    let request = clients::new().post(format!("{}/api/Billing/GetInvoicePdf", shop.url));
    let request = request.json(&json!({"InvoiceNumber": invoice})).header("Token", &owner.token);
    let answer = request.send().await.expect("an answer");
    assert_eq!(answer.headers()["content-type"], "application/pdf");
    assert_eq!(answer.headers()["cache-control"], "no-store");
}

#[actix_web::test]
async fn crawlers_may_only_read_the_login_page() {
    let web_dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../frontend/public");
    let shop = Shop::open_with(&[("POSTERN_WEB_DIR", web_dir)]);
    let answer = shop.open_page("/robots.txt").await;
    let kind = answer.headers()["content-type"].to_str().expect("a text").to_owned();
    assert!(kind.starts_with("text/plain"), "{kind}");
    let text = answer.text().await.expect("a text");
    assert!(text.contains("User-agent: *") && text.lines().any(|line| line == "Disallow: /"), "{text}");
    assert!(text.lines().any(|line| line == "Allow: /login"), "{text}");
}
