//! Codes of answers, and what a client does about each (specification, section 8).
use serde::{Deserialize, Serialize};

macro_rules! codes {
    ($($(#[$meta:meta])* $name:ident = $number:literal, $key:literal;)+) => {
        /// The `Code` of an answer.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        pub enum Code { $($(#[$meta])* $name),+ }

        impl Code {
            pub const ALL: &'static [Code] = &[$(Code::$name),+];

            pub fn number(self) -> u32 {
                match self { $(Code::$name => $number),+ }
            }

            pub fn from_number(number: u32) -> Option<Code> {
                match number { $($number => Some(Code::$name),)+ _ => None }
            }

            /// The key of its text in `locales/{language}/errors.json`.
            pub fn message_key(self) -> &'static str {
                match self { $(Code::$name => $key),+ }
            }
        }
    };
}

codes! {
    Success = 1000, "success";
    /// Fields are invalid. Data: `Fields`, each field's broken rules with their parameters.
    InvalidFields = 2001, "invalidFields";
    /// A list was asked to filter or sort by a field that it does not have. Data: `Field`.
    UnknownListField = 2002, "unknownListField";
    /// The same idempotency key came with another body.
    IdempotencyConflict = 2009, "idempotencyConflict";
    /// Somebody else edited it meanwhile.
    EditConflict = 2010, "editConflict";
    /// The session has expired or was revoked: sign in again.
    SignInAgain = 3001, "signInAgain";
    NotPermitted = 3003, "notPermitted";
    NotFound = 3004, "notFound";
    /// The form itself shows what is wrong, so no toast. Data: `Key`, a key of `locales/{language}/errors.json`.
    ShownInPlace = 3333, "shownInPlace";
    /// Data: `Balance`, `Needed`.
    BalanceTooLow = 4001, "balanceTooLow";
    /// Data: `Available`, and the `Country` and `City` that lack it.
    OutOfStock = 4002, "outOfStock";
    /// Data: `Limit`, `Used`, `ResetsAt`.
    SwitchQuotaUsed = 4003, "switchQuotaUsed";
    /// Data: `OldPrice`, `NewPrice`.
    PriceChanged = 4004, "priceChanged";
    /// Data: `State`.
    StateForbids = 4005, "stateForbids";
    /// Data: `RetryAfterMs`.
    TooManyRequests = 4290, "tooManyRequests";
    /// Data: `RequestId`, by which the operator finds the cause in the log.
    Internal = 5000, "internal";
}

/// How a call ended, as the client saw it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct Outcome {
    /// The caller gave it up.
    pub cancelled: bool,
    /// No answer came.
    pub network_failed: bool,
    pub http_status: u32,
    /// Absent where the answer was not one of ours.
    pub code: Option<u32>,
    pub message: Option<String>,
    /// The caller asked for silence about errors.
    pub suppress_toast: bool,
}

/// What the client does about it.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct Reaction {
    pub is_success: bool,
    /// The caller hears nothing at all: it cancelled the call itself.
    pub is_ignored: bool,
    pub go_to_login: bool,
    /// An error toast with this text from the server.
    pub toast_message: Option<String>,
    /// An error toast with this text of `locales/{language}/errors.json`, where the server sent none.
    pub toast_key: Option<String>,
}

/// Decides by the specification's catalogue: cancelled calls are ignored, 401 and 3001 lead to sign-in, 3333 and a
/// caller that asked for silence get no toast, everything else that is not 1000 gets one.
pub fn react(outcome: &Outcome) -> Reaction {
    let nothing =
        Reaction { is_success: false, is_ignored: false, go_to_login: false, toast_message: None, toast_key: None };
    if outcome.cancelled {
        return Reaction { is_ignored: true, ..nothing };
    }
    let toast = |key: &str| match (&outcome.message, outcome.suppress_toast) {
        (_, true) => nothing.clone(),
        (Some(message), false) if !message.is_empty() => {
            Reaction { toast_message: Some(message.clone()), ..nothing.clone() }
        }
        (_, false) => Reaction { toast_key: Some(key.to_owned()), ..nothing.clone() },
    };
    if outcome.network_failed {
        return toast("networkError");
    }
    if outcome.http_status == 401 {
        return Reaction { go_to_login: true, ..nothing };
    }
    match (outcome.code, outcome.code.and_then(Code::from_number)) {
        (_, Some(Code::Success)) => Reaction { is_success: true, ..nothing },
        (_, Some(Code::SignInAgain)) => Reaction { go_to_login: true, ..toast("requestFailed") },
        (_, Some(Code::ShownInPlace)) => nothing,
        (Some(_), _) => toast("requestFailed"),
        (None, _) => toast("unknownError"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_unique_and_read_back() {
        for code in Code::ALL {
            assert_eq!(Code::from_number(code.number()), Some(*code));
        }
        assert_eq!(Code::from_number(1), None);
    }

    #[test]
    fn the_client_does_what_the_catalogue_says() {
        let answer = |code, message: Option<&str>| Outcome {
            http_status: 200,
            code,
            message: message.map(str::to_owned),
            ..Outcome::default()
        };
        let say = |outcome: Outcome| {
            let reaction = react(&outcome);
            (
                reaction.is_success,
                reaction.go_to_login,
                reaction.toast_message.or(reaction.toast_key).unwrap_or_default(),
            )
        };
        assert_eq!(say(answer(Some(1000), Some("ok"))), (true, false, String::new()));
        assert_eq!(say(answer(Some(3001), Some("Sign in"))), (false, true, "Sign in".into()));
        assert_eq!(say(answer(Some(3333), Some("in place"))), (false, false, String::new()));
        assert_eq!(say(answer(Some(4001), Some("Too little"))), (false, false, "Too little".into()));
        assert_eq!(say(answer(Some(9999), Some("New"))), (false, false, "New".into()));
        assert_eq!(say(answer(Some(4001), None)), (false, false, "requestFailed".into()));
        assert_eq!(say(answer(Some(4001), Some(""))), (false, false, "requestFailed".into()));
        assert_eq!(say(answer(None, None)), (false, false, "unknownError".into()));
        assert_eq!(say(Outcome { http_status: 401, ..Outcome::default() }), (false, true, String::new()));
        assert_eq!(say(Outcome { network_failed: true, ..Outcome::default() }), (false, false, "networkError".into()));
        assert_eq!(
            say(Outcome { suppress_toast: true, ..answer(Some(4001), Some("x")) }),
            (false, false, String::new())
        );
        assert!(react(&Outcome { cancelled: true, network_failed: true, ..Outcome::default() }).is_ignored);
    }
}
