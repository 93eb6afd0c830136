//! What every call may answer beside success: its shape, and the codes with what they mean.
use postern_core::code::Code;
use postern_core::rule::Rule;
use serde_json::{Value, json};

pub const REFUSAL: &str = "#/components/schemas/Refusal";

/// The codes as a table, for readers.
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

/// What a program needs to act on a refusal, by the code's name for it.
fn data() -> Value {
    json!({
        "type": "object",
        "description": "What a program needs to act on a refusal; which of these depends on the code.",
        "properties": {
            "Fields": {
                "type": "object",
                "description": "2001: the broken rules of each field, by the field's name. `Body` is the request as a whole.",
                "additionalProperties": { "type": "array", "items": { "$ref": "#/components/schemas/Broken" } },
            },
            "Field": text("2002: the field that the list does not have, or what is wrong with it."),
            "Key": text("3333: what is wrong, as a word for programs, such as `signInFailed`."),
            "Balance": text("4001: what the wallet has."),
            "Needed": text("4001: what it would need."),
            "Available": number("4002: how many there are."),
            "Country": text("4002: where they are lacking, as a two-letter code."),
            "City": text("4002: the city where they are lacking."),
            "Limit": number("4003: how many switches are free in 30 days."),
            "Used": number("4003: how many of them are used."),
            "ResetsAt": {
                "type": ["string", "null"],
                "description": "4003: when the next one is free, in UTC: `YYYY-MM-DD HH:mm:ss`.",
            },
            "OldPrice": text("4004: the total that was expected."),
            "NewPrice": text("4004: the total as it is now."),
            "State": text("4005: the state that it is in."),
            "Allow": text("4050: the method that the call has."),
            "MaxBytes": number("4130: how long a body of this call may be."),
            "Encoding": text("4150: what the body is encoded with."),
            "RetryAfterMs": number("4290: after how many milliseconds to try again."),
            "RequestId": text("5000: by this the shop's operator finds the cause in the log."),
        },
    })
}

/// Adds the shape of refusals, the answer to a request without a valid token, and how to send a token.
pub fn add_to(components: &mut Value) {
    let refusing = Code::ALL.iter().filter(|code| **code != Code::Success);
    let codes: Vec<u32> = refusing.map(|code| code.number()).collect();
    components["schemas"]["Broken"] = json!({
        "type": "object",
        "description": "One rule that a field breaks.",
        "required": ["Rule", "Params"],
        "properties": {
            "Rule": {
                "type": "string",
                "description": "The rule, as a word for programs.",
                "enum": Rule::ALL.iter().map(|rule| rule.as_str()).collect::<Vec<_>>(),
            },
            "Params": {
                "type": "object",
                "description": "What the rule's text speaks of, such as the least and the most.",
                "additionalProperties": { "type": "string" },
            },
        },
    });
    components["schemas"]["RefusalData"] = data();
    components["schemas"]["Refusal"] = json!({
        "type": "object",
        "description": "Why a call did not do what it was asked to. Nothing has happened.",
        "required": ["Code", "Message", "Data"],
        "properties": {
            "Code": {
                "type": "integer",
                "format": "int32",
                "description": "Why; the list of codes is in the introduction.",
                "enum": codes,
            },
            "Message": text("Why, for people, in the language of `Accept-Language`."),
            "Data": {
                "description": "What a program needs to act on it; null where the code says it all.",
                "oneOf": [{ "$ref": "#/components/schemas/RefusalData" }, { "type": "null" }],
            },
        },
    });
    components["headers"]["RequestId"] = json!({
        "description": "By this the shop's operator finds the request in the log.",
        "schema": { "type": "string" },
    });
    for (name, description, example) in [
        (
            "Unauthorized",
            "No token was sent, or one that nobody knows.",
            json!({ "Code": Code::SignInAgain.number(), "Message": "Your session has ended. Please sign in again", "Data": null }),
        ),
        (
            "BodyTooSlow",
            "The body did not arrive in time.",
            json!({ "Code": Code::BodyTooSlow.number(), "Message": "The request took too long to arrive. Please check your connection and try again", "Data": null }),
        ),
        (
            "BodyTooLarge",
            "The body is longer than the call takes.",
            json!({ "Code": Code::BodyTooLarge.number(), "Message": "The request is too large: at most 16384 bytes", "Data": { "MaxBytes": 16_384 } }),
        ),
        (
            "CompressedBody",
            "The body is compressed, which no call takes.",
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
        "description": "The token that `User/Login` answers. It is a session's, and ends with it: after 30 days, by `User/Logout`, or by a new password.",
    } });
    components["parameters"] = json!({
        "AcceptLanguage": {
            "name": "Accept-Language",
            "in": "header",
            "required": false,
            "description": "The language of `Message` and of files: Chinese where it prefers `zh`, else English.",
            "schema": { "type": "string", "default": "en-US", "examples": ["en-US", "zh-CN"] },
        },
        "IdempotencyKey": {
            "name": "Idempotency-Key",
            "in": "header",
            "required": false,
            "description": "Of your own choice, a new one for each thing to be done. The same key with the same body answers what it answered \
                before; with another body it is refused with 2009.",
            "schema": { "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$", "examples": ["order-2026-11-22-0001"] },
        },
    });
}
