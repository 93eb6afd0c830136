//! The protocol of proxy servers in the document. Unlike calls, they send a secret of their own, and get plain JSON with HTTP statuses.
use postern_core::proxy_protocol::{
    Authorization, Authorizations, Connection, Connections, Heartbeat, Registration, ReportOutcome, ServedNodes,
    ServedNodesRequest,
};
use postern_core::usage::UsageRecord;
use serde_json::{Value, json};
use utoipa::OpenApi;

#[derive(OpenApi)]
#[openapi(components(schemas(
    Authorization,
    Authorizations,
    Connection,
    Connections,
    Heartbeat,
    Registration,
    ReportOutcome,
    ServedNodes,
    ServedNodesRequest,
    UsageRecord
)))]
struct Types;

pub const TAG: (&str, &str) = (
    "ProxyServer",
    "The protocol of proxy servers: with the secret of a registered server, for those who connect other software than the gate.",
);

/// The types of requests and responses.
pub fn schemas() -> Value {
    serde_json::to_value(Types::openapi()).expect("a document is JSON")["components"]["schemas"].take()
}

/// Adds the paths and how their senders are identified.
pub fn add_to(document: &mut Value) {
    let described: Value =
        serde_json::from_str(include_str!("proxy_servers.json")).expect("the protocol's description is JSON");
    for (path, described) in described.as_object().into_iter().flatten() {
        document["paths"][path] = json!({ "post": operation(path, described) });
    }
    document["components"]["securitySchemes"]["ProxyServerSecret"] = json!({
        "type": "http", "scheme": "bearer", "description": "The secret of a registered proxy server.",
    });
}

fn operation(path: &str, described: &Value) -> Value {
    let json_of =
        |schema: &Value, example: &Value| json!({ "application/json": { "schema": schema, "example": example } });
    let refused = |description: &str| json!({ "description": description });
    let mut operation = json!({
        "operationId": path.trim_start_matches('/').replace(['/', '-'], "_"),
        "tags": [TAG.0],
        "summary": described["summary"],
        "description": described["description"],
        "security": [{ "ProxyServerSecret": [] }],
        "responses": {
            "200": { "description": "The answer.", "content": json_of(&described["answer"], &described["answerExample"]) },
            "401": refused("No registered server has this secret."),
            "503": refused("The database does not respond: ask again after `Retry-After`."),
        },
    });
    if let Some(request) = described.get("request") {
        let content = json_of(request, &described["requestExample"]);
        operation["requestBody"] = json!({ "required": true, "content": content });
        operation["responses"]["400"] = refused("The body is malformed or too long: `Error` says which.");
        for (status, name) in [("408", "BodyTooSlow"), ("413", "BodyTooLarge"), ("415", "CompressedBody")] {
            operation["responses"][status] = json!({ "$ref": format!("#/components/responses/{name}") });
        }
    }
    operation
}
