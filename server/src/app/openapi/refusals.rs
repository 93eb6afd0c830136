//! Refusals: the error schema that every call can return, and the codes with their meanings.
use postern_core::code::Code;
use postern_core::rule::Rule;
use serde_json::{Value, json};

pub const REFUSAL: &str = "#/components/schemas/Refusal";

/// The codes as a Markdown table.
pub fn table_of_codes() -> String {
    let row = |code: &Code| format!("| {} | {} | {} |\n", code.number(), code.name(), code.meaning());
    format!("| Code | Name | Meaning |\n|---|---|---|\n{}", Code::ALL.iter().map(row).collect::<String>())
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn number(description: &str) -> Value {
    json!({ "type": "integer", "format": "int64", "description": description })
}

/// The schema of `RefusalData`: the fields that the codes carry.
fn data() -> Value {
    json!({
        "type": "object",
        "description": "Machine-readable details of a refusal. Which fields are set depends on the code.",
        "properties": {
            "Fields": {
                "type": "object",
                "description": "2001: the rules broken by each field, by field name. `Body` stands for the request as a whole.",
                "additionalProperties": { "type": "array", "items": { "$ref": "#/components/schemas/Broken" } },
            },
            "Field": text("2002: the field that the list does not have, or what is wrong with it."),
            "Key": text("3333: the error, as an identifier, such as `signInFailed`."),
            "Balance": text("4001: the wallet balance."),
            "Needed": text("4001: the balance required."),
            "Available": number("4002: the number of IPs in stock."),
            "Country": text("4002: the country that is short of stock, as a two-letter code."),
            "City": text("4002: the city that is short of stock."),
            "Limit": number("4003: the number of free switches in 30 days."),
            "Used": number("4003: the number of free switches used."),
            "ResetsAt": {
                "type": ["string", "null"],
                "description": "4003: when the next free switch becomes available, in UTC: `YYYY-MM-DD HH:mm:ss`.",
            },
            "OldPrice": text("4004: the expected total."),
            "NewPrice": text("4004: the current total."),
            "State": text("4005: the current state."),
            "Allow": text("4050: the HTTP method of the call."),
            "MaxBytes": number("4130: the maximum length of a body of this call, in bytes."),
            "Encoding": text("4150: the `Content-Encoding` of the body."),
            "RetryAfterMs": number("4290 and 5030: how long to wait before retrying, in milliseconds."),
            "RequestId": text("5000: the id under which the operator finds the cause in the log."),
        },
    })
}

/// Adds the schema of refusals, the shared error responses and headers, and the security scheme.
pub fn add_to(components: &mut Value) {
    let refusing = Code::ALL.iter().filter(|code| **code != Code::Success);
    let codes: Vec<u32> = refusing.map(|code| code.number()).collect();
    components["schemas"]["Broken"] = json!({
        "type": "object",
        "description": "A validation rule that a field breaks.",
        "required": ["Rule", "Params"],
        "properties": {
            "Rule": {
                "type": "string",
                "description": "The rule, as an identifier.",
                "enum": Rule::ALL.iter().map(|rule| rule.as_str()).collect::<Vec<_>>(),
            },
            "Params": {
                "type": "object",
                "description": "The parameters of the rule's text, such as its minimum and maximum.",
                "additionalProperties": { "type": "string" },
            },
        },
    });
    components["schemas"]["RefusalData"] = data();
    components["schemas"]["Refusal"] = json!({
        "type": "object",
        "description": "Why the call was refused. Nothing was changed.",
        "required": ["Code", "Message", "Data"],
        "properties": {
            "Code": {
                "type": "integer",
                "format": "int32",
                "description": "The code of the refusal; the introduction lists all codes.",
                "enum": codes,
            },
            "Message": text("The reason, for people, in the language of `Accept-Language`."),
            "Data": {
                "description": "Machine-readable details; null where the code needs none.",
                "oneOf": [{ "$ref": "#/components/schemas/RefusalData" }, { "type": "null" }],
            },
        },
    });
    components["headers"]["RequestId"] = json!({
        "description": "The id under which the operator finds the request in the log: 32 hexadecimal digits, those of the request's own header of this name if it has one.",
        "schema": { "type": "string", "pattern": "^[0-9a-f]{32}$" },
    });
    for (name, description, example) in [
        (
            "Unauthorized",
            "The token is missing or invalid.",
            json!({ "Code": Code::SignInAgain.number(), "Message": "Your session has ended. Please sign in again", "Data": null }),
        ),
        (
            "TooManyRequests",
            "The API key has used up its rate limit: retry after as many seconds as `Retry-After` says.",
            json!({ "Code": Code::TooManyRequests.number(), "Message": "Too many attempts. Please wait a moment and try again", "Data": { "RetryAfterMs": 12_000 } }),
        ),
        (
            "Unavailable",
            "The database cannot be reached: retry after as many seconds as `Retry-After` says.",
            json!({ "Code": Code::Unavailable.number(), "Message": "The shop cannot be reached at the moment. Please try again in a few seconds", "Data": { "RetryAfterMs": 2_000 } }),
        ),
        (
            "BodyTooSlow",
            "The body did not arrive in time.",
            json!({ "Code": Code::BodyTooSlow.number(), "Message": "The request took too long to arrive. Please check your connection and try again", "Data": null }),
        ),
        (
            "BodyTooLarge",
            "The body is longer than the call accepts.",
            json!({ "Code": Code::BodyTooLarge.number(), "Message": "The request is too large: at most 16384 bytes", "Data": { "MaxBytes": 16_384 } }),
        ),
        (
            "CompressedBody",
            "The body is compressed, which no call accepts.",
            json!({ "Code": Code::CompressedBody.number(), "Message": "Send the request without compression (Content-Encoding: gzip is not accepted)", "Data": { "Encoding": "gzip" } }),
        ),
    ] {
        components["responses"][name] = json!({
            "description": description,
            "headers": { "X-Request-Id": { "$ref": "#/components/headers/RequestId" } },
            "content": { "application/json": { "schema": { "$ref": REFUSAL }, "example": example } },
        });
    }
    components["securitySchemes"] = json!({ "Token": {
        "type": "apiKey",
        "in": "header",
        "name": "Token",
        "description": "The session token returned by `User/Login`. It expires after 30 days and is revoked by `User/Logout` or a password change.",
    } });
    components["parameters"] = json!({
        "AcceptLanguage": {
            "name": "Accept-Language",
            "in": "header",
            "required": false,
            "description": "The language of `Message` and of files: Chinese if `zh` is preferred, otherwise English.",
            "schema": { "type": "string", "default": "en-US", "examples": ["en-US", "zh-CN"] },
        },
        "IdempotencyKey": {
            "name": "Idempotency-Key",
            "in": "header",
            "required": false,
            "description": "A key chosen by the client, new for each operation. Repeating the same key and body returns the stored response; the \
                same key with another body is refused with 2009.",
            "schema": { "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$", "examples": ["order-2026-11-22-0001"] },
        },
    });
}
