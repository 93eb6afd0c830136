//! Errors in JavaScript: a `CoreError` with a code, and the invalid fields.
use crate::js::to_js;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident)+) => {
        /// The `code` of an error.
        #[derive(Clone, Copy)]
        #[allow(dead_code, reason = "those that rules refuse with are named by the codes of answers")]
        pub enum ErrorCode { $($(#[doc = $doc])+ $name),+ }

        impl ErrorCode {
            fn as_str(self) -> &'static str {
                match self { $(ErrorCode::$name => stringify!($name)),+ }
            }
        }

        /// The codes as a TypeScript type.
        pub const CODE_TYPE: &str = concat!(
            "/** Why a function of this package threw: the `code` of a {@link CoreError}. */\nexport type CoreErrorCode =",
            $("\n    /** ", $($doc,)+ " */\n    | '", stringify!($name), "'",)+
            ";\n",
        );
    };
}

codes! {
    /// Fields are invalid; `fields` contains the broken rules.
    InvalidFields
    /// An argument does not have its declared type or is out of range; the message contains the path.
    WrongArgument
    /// A text is not valid JSON.
    NotJson
    /// A text is not a decimal amount with at most two places, or is too large.
    NotAnAmount
    /// Not a supported currency.
    UnknownCurrency
    /// Not a supported language.
    UnknownLanguage
    /// Not an endpoint format.
    UnknownFormat
    /// Not a known state or event.
    UnknownState
    /// Not a kind of order.
    UnknownKind
    /// A text is not a time; the message contains the path.
    NotATime
    /// Not the name of a time zone in the IANA table, such as `Asia/Shanghai`.
    UnknownTimeZone
    /// Refused: the free switches of the plan are used up.
    SwitchQuotaUsed
    /// Refused: the state does not allow it.
    StateForbids
    /// Inconsistent amounts or times.
    Internal
}

/// The error as a TypeScript type.
pub const ERROR_TYPE: &str = r"/**
 * The only error that functions of this package throw: an `Error` with a stable `code`.
 * The message is for developers; show users a localised text, selected by `code` or by the rules in `fields`.
 */
export class CoreError extends Error {
    private constructor();
    readonly name: 'CoreError';
    readonly code: CoreErrorCode;
    /** The broken rules of each field if `code` is `InvalidFields`, otherwise empty. */
    readonly fields: FieldErrors;
}
";

#[wasm_bindgen(module = "/js/errors.js")]
extern "C" {
    type CoreError;

    #[wasm_bindgen(constructor)]
    fn new(code: &str, message: &str, fields: JsValue) -> CoreError;
}

fn thrown(code: &str, message: &str, fields: &FieldErrors) -> JsValue {
    // Serialising strings cannot fail; if it did, the error itself would matter more than its fields.
    CoreError::new(code, message, to_js(fields).unwrap_or_default()).into()
}

/// A `CoreError` with this code.
pub fn error(code: ErrorCode, message: &str) -> JsValue {
    thrown(code.as_str(), message, &FieldErrors::default())
}

/// An argument has an unknown value.
#[cold]
#[inline(never)]
pub fn unknown(code: ErrorCode, argument: &str, value: &str) -> JsValue {
    error(code, &format!("{argument}: there is no {value}"))
}

/// The argument of this name is not an amount, or too large.
#[cold]
#[inline(never)]
pub fn not_an_amount(argument: &str) -> JsValue {
    error(
        ErrorCode::NotAnAmount,
        &format!("{argument}: expected a decimal amount with at most two places, not too large"),
    )
}

/// A rule refuses the request; the code is the name of the response code, such as `SwitchQuotaUsed`.
pub fn refused(code: Code) -> JsValue {
    thrown(code.name(), "a rule refuses this", &FieldErrors::default())
}

/// Fields are invalid.
pub fn invalid_fields(fields: &FieldErrors) -> JsValue {
    thrown(ErrorCode::InvalidFields.as_str(), "some fields are invalid", fields)
}

/// An argument does not have its declared type, or is out of range.
pub fn wrong_argument(message: &str) -> JsValue {
    error(ErrorCode::WrongArgument, message)
}
