//! Response codes, and the client's reaction to each (specification, section 8).
use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($($(#[doc = $meaning:literal])+ $name:ident = $number:literal, $key:literal;)+) => {
        /// The `Code` of a response.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        pub enum Code { $($(#[doc = $meaning])+ $name),+ }

        impl Code {
            pub const ALL: &'static [Code] = &[$(Code::$name),+];

            /// The value on the wire.
            pub fn number(self) -> u32 {
                match self { $(Code::$name => $number),+ }
            }

            pub fn from_number(number: u32) -> Option<Code> {
                match number { $($number => Some(Code::$name),)+ _ => None }
            }

            /// The code's name in programs: `BalanceTooLow`.
            pub fn name(self) -> &'static str {
                match self { $(Code::$name => stringify!($name)),+ }
            }

            /// Its meaning for API clients, in English.
            pub fn meaning(self) -> &'static str {
                match self { $(Code::$name => concat!($($meaning),+).trim_ascii()),+ }
            }

            /// The key of its message in `locales/{language}/errors.json`.
            pub fn message_key(self) -> &'static str {
                match self { $(Code::$name => $key),+ }
            }
        }
    };
}

codes! {
    /// Success.
    Success = 1000, "success";
    /// Fields are invalid. Data: `Fields`, the broken rules of each field with their parameters.
    InvalidFields = 2001, "invalidFields";
    /// The list does not have the field to filter or sort by. Data: `Field`.
    UnknownListField = 2002, "unknownListField";
    /// The idempotency key was used before with another body.
    IdempotencyConflict = 2009, "idempotencyConflict";
    /// Concurrent edit: it was changed in the meantime.
    EditConflict = 2010, "editConflict";
    /// The session has expired or was revoked: sign in again.
    SignInAgain = 3001, "signInAgain";
    /// Permission denied: the account's level is too low, or it is suspended. For an API key, Data: `Needed`, the scope that it lacks or
    /// `person`, or `Address`, from which it may not be used.
    NotPermitted = 3003, "notPermitted";
    /// Not found, or it belongs to another account.
    NotFound = 3004, "notFound";
    /// An error to show in the form, not as a toast. Data: `Key`, the error's identifier.
    ShownInPlace = 3333, "shownInPlace";
    /// The wallet balance is too low. Data: `Balance`, `Needed` and their `Currency`.
    BalanceTooLow = 4001, "balanceTooLow";
    /// Out of stock. Data: `Available`, and the `Country` and `City` that are short of stock.
    OutOfStock = 4002, "outOfStock";
    /// The quota of free switches is used up. Data: `Limit`, `Used`, `ResetsAt`.
    SwitchQuotaUsed = 4003, "switchQuotaUsed";
    /// The total differs from the expected one. Data: `OldPrice`, `NewPrice` and their `Currency`.
    PriceChanged = 4004, "priceChanged";
    /// The current state does not allow this. Data: `State`.
    StateForbids = 4005, "stateForbids";
    /// Wrong HTTP method. HTTP 405. Data: `Allow`.
    MethodNotAllowed = 4050, "methodNotAllowed";
    /// The body did not arrive in time. HTTP 408.
    BodyTooSlow = 4080, "bodyTooSlow";
    /// The body is longer than this call accepts. HTTP 413. Data: `MaxBytes`.
    BodyTooLarge = 4130, "bodyTooLarge";
    /// The body is compressed, which no call accepts. HTTP 415. Data: `Encoding`.
    CompressedBody = 4150, "compressedBody";
    /// Rate limit exceeded: wait and retry. HTTP 429 for an API key. Data: `RetryAfterMs`.
    TooManyRequests = 4290, "tooManyRequests";
    /// A database statement exceeded the time limit of requests.
    StatementTooSlow = 4291, "statementTooSlow";
    /// Internal server error. Data: `RequestId`, under which the operator finds the cause in the log.
    Internal = 5000, "internal";
    /// The database cannot be reached: retry. HTTP 503. Data: `RetryAfterMs`.
    Unavailable = 5030, "unavailable";
}

/// Message keys in `locales/{language}/errors.json` for failures without a code: no response; a response that is not from Postern; a
/// response from Postern without a message.
pub const NETWORK_ERROR_KEY: &str = "networkError";
pub const UNKNOWN_ERROR_KEY: &str = "unknownError";
pub const REQUEST_FAILED_KEY: &str = "requestFailed";

/// One row of the catalogue of codes.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[serde(rename_all = "PascalCase")]
pub struct CodeRow {
    pub code: u32,
    pub name: &'static str,
    /// A key of `locales/{language}/errors.json`.
    pub message_key: &'static str,
}

/// All codes, in numerical order.
pub fn codes() -> Vec<CodeRow> {
    let row = |code: &Code| CodeRow { code: code.number(), name: code.name(), message_key: code.message_key() };
    Code::ALL.iter().map(row).collect()
}

/// The outcome of a call, as seen by the client.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct Outcome {
    /// The caller cancelled the request.
    pub cancelled: bool,
    /// There was no response.
    pub network_failed: bool,
    pub http_status: u32,
    /// Absent if the response is not from Postern.
    pub code: Option<u32>,
    pub message: Option<String>,
    /// The caller suppresses error toasts.
    pub suppress_toast: bool,
}

/// The client's reaction.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Reaction {
    pub is_success: bool,
    /// The caller gets no result, because it cancelled the request.
    pub is_ignored: bool,
    pub go_to_login: bool,
    /// The message of an error toast, from the server.
    pub toast_message: Option<String>,
    /// The key of an error toast's message in `locales/{language}/errors.json`, if the server sent none.
    pub toast_key: Option<String>,
}

/// Decides by the specification's table:
///
/// | outcome | reaction |
/// |---|---|
/// | cancelled by the caller | none |
/// | no response | toast `networkError` |
/// | HTTP 401 | go to sign-in |
/// | 1000 | success |
/// | 3001 | go to sign-in, toast |
/// | 3333 | no toast: the form shows it |
/// | any other code, known or not | toast |
/// | a response without a code | toast; `unknownError` if it has no message |
///
/// A toast shows the server's message, or `requestFailed` if there is none. If the caller suppresses toasts, only the one that explains the
/// redirect to sign-in (3001) is shown.
pub fn react(outcome: &Outcome) -> Reaction {
    let nothing =
        Reaction { is_success: false, is_ignored: false, go_to_login: false, toast_message: None, toast_key: None };
    if outcome.cancelled {
        return Reaction { is_ignored: true, ..nothing };
    }
    let toast_key = |key: &str| Reaction { toast_key: Some(key.to_owned()), ..nothing.clone() };
    let toast = |key: &str| match &outcome.message {
        Some(message) if !message.is_empty() => Reaction { toast_message: Some(message.clone()), ..nothing.clone() },
        _ => toast_key(key),
    };
    let unless_suppressed = |reaction: Reaction| if outcome.suppress_toast { nothing.clone() } else { reaction };
    if outcome.network_failed {
        return unless_suppressed(toast_key(NETWORK_ERROR_KEY));
    }
    if outcome.http_status == 401 {
        return Reaction { go_to_login: true, ..nothing };
    }
    match (outcome.code, outcome.code.and_then(Code::from_number)) {
        (_, Some(Code::Success)) => Reaction { is_success: true, ..nothing },
        (_, Some(Code::SignInAgain)) => Reaction { go_to_login: true, ..toast(REQUEST_FAILED_KEY) },
        (_, Some(Code::ShownInPlace)) => nothing,
        (Some(_), _) => unless_suppressed(toast(REQUEST_FAILED_KEY)),
        (None, _) => unless_suppressed(toast(UNKNOWN_ERROR_KEY)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_match_the_specification() {
        let rows: Vec<_> = codes().into_iter().map(|row| (row.code, row.name, row.message_key)).collect();
        assert_eq!(
            rows,
            [
                (1000, "Success", "success"),
                (2001, "InvalidFields", "invalidFields"),
                (2002, "UnknownListField", "unknownListField"),
                (2009, "IdempotencyConflict", "idempotencyConflict"),
                (2010, "EditConflict", "editConflict"),
                (3001, "SignInAgain", "signInAgain"),
                (3003, "NotPermitted", "notPermitted"),
                (3004, "NotFound", "notFound"),
                (3333, "ShownInPlace", "shownInPlace"),
                (4001, "BalanceTooLow", "balanceTooLow"),
                (4002, "OutOfStock", "outOfStock"),
                (4003, "SwitchQuotaUsed", "switchQuotaUsed"),
                (4004, "PriceChanged", "priceChanged"),
                (4005, "StateForbids", "stateForbids"),
                (4050, "MethodNotAllowed", "methodNotAllowed"),
                (4080, "BodyTooSlow", "bodyTooSlow"),
                (4130, "BodyTooLarge", "bodyTooLarge"),
                (4150, "CompressedBody", "compressedBody"),
                (4290, "TooManyRequests", "tooManyRequests"),
                (4291, "StatementTooSlow", "statementTooSlow"),
                (5000, "Internal", "internal"),
                (5030, "Unavailable", "unavailable"),
            ]
        );
        for number in 0..10_000 {
            let code = Code::from_number(number);
            assert_eq!(code.map(Code::number), rows.iter().find(|row| row.0 == number).map(|row| row.0));
        }
    }

    /// The reaction on one line: `ok`, `ignored`, `login`, and the toast's message or, in brackets, its key.
    fn summary(outcome: Outcome) -> String {
        let reaction = react(&outcome);
        let mut summary = Vec::new();
        for (word, applies) in
            [("ok", reaction.is_success), ("ignored", reaction.is_ignored), ("login", reaction.go_to_login)]
        {
            summary.extend(applies.then(|| word.to_owned()));
        }
        summary.extend(reaction.toast_message);
        summary.extend(reaction.toast_key.map(|key| format!("[{key}]")));
        summary.join(" ")
    }

    #[test]
    fn reactions_match_the_specification() {
        // Code and message from the server; the reaction, and the reaction with toasts suppressed.
        for (code, message, loud, silent) in [
            (Some(1000), Some("ok"), "ok", "ok"),
            (Some(1000), None, "ok", "ok"),
            (Some(3001), Some("Sign in"), "login Sign in", "login Sign in"),
            (Some(3001), None, "login [requestFailed]", "login [requestFailed]"),
            (Some(3333), Some("In place"), "", ""),
            (Some(3333), None, "", ""),
            (Some(4001), Some("Too little"), "Too little", ""),
            (Some(4001), Some(""), "[requestFailed]", ""),
            (Some(4001), None, "[requestFailed]", ""),
            (Some(5000), Some("Broken"), "Broken", ""),
            (Some(9999), Some("New"), "New", ""),
            (Some(0), None, "[requestFailed]", ""),
            (None, Some("Strange"), "Strange", ""),
            (None, None, "[unknownError]", ""),
        ] {
            for (suppress_toast, expected) in [(false, loud), (true, silent)] {
                for http_status in [200, 400, 404, 500, 502] {
                    let message = message.map(str::to_owned);
                    let outcome = Outcome { http_status, code, message, suppress_toast, ..Outcome::default() };
                    assert_eq!(summary(outcome.clone()), expected, "{outcome:?}");
                    assert_eq!(summary(Outcome { http_status: 401, ..outcome.clone() }), "login", "{outcome:?}");
                    let lost = if suppress_toast { "" } else { "[networkError]" };
                    assert_eq!(summary(Outcome { network_failed: true, ..outcome.clone() }), lost, "{outcome:?}");
                    assert_eq!(summary(Outcome { cancelled: true, ..outcome.clone() }), "ignored", "{outcome:?}");
                }
            }
        }
        let both = Outcome { cancelled: true, network_failed: true, http_status: 401, ..Outcome::default() };
        assert_eq!(summary(both), "ignored");
    }
}
