//! Errors as JavaScript knows them: a `CoreError` with a code, and the fields that are at fault.
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

        /// The codes in TypeScript.
        pub const CODE_TYPE: &str = concat!(
            "/** Why a function of this package threw: the `code` of a {@link CoreError}. */\nexport type CoreErrorCode =",
            $("\n    /** ", $($doc,)+ " */\n    | '", stringify!($name), "'",)+
            ";\n",
        );
    };
}

codes! {
    /// Fields break rules: `fields` has them.
    InvalidFields
    /// An argument does not have its declared type or is out of its range; the message names the place.
    WrongArgument
    /// A text that should be JSON is not.
    NotJson
    /// A text that should be a decimal amount with at most two places is not, or is too large.
    NotAnAmount
    /// Not a currency that a shop can have.
    UnknownCurrency
    /// Not a language that the shop speaks.
    UnknownLanguage
    /// Not a format of endpoints.
    UnknownFormat
    /// Not a state, or not an event.
    UnknownState
    /// Not a kind of orders.
    UnknownKind
    /// A text that should be a time is not; the message names the place.
    NotATime
    /// Not a name of a time zone in the IANA table, such as `Asia/Shanghai`.
    UnknownTimeZone
    /// A rule refuses it: the free switches of the plan are used up.
    SwitchQuotaUsed
    /// A rule refuses it: not in this state.
    StateForbids
    /// Amounts or times that cannot be true.
    Internal
}

/// The error in TypeScript.
pub const ERROR_TYPE: &str = r"/**
 * What every function of this package throws, and nothing else: an `Error` with a stable `code`.
 * The message is for developers; people are shown a text of their language, chosen by `code` or by the rules in `fields`.
 */
export class CoreError extends Error {
    private constructor();
    readonly name: 'CoreError';
    readonly code: CoreErrorCode;
    /** The broken rules of each field when `code` is `InvalidFields`, else empty. */
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
    // Writing texts cannot fail; were it to, the error itself matters more than its fields.
    CoreError::new(code, message, to_js(fields).unwrap_or_default()).into()
}

/// A `CoreError` with this code.
pub fn error(code: ErrorCode, message: &str) -> JsValue {
    thrown(code.as_str(), message, &FieldErrors::default())
}

/// There is no such value of an argument.
#[cold]
#[inline(never)]
pub fn unknown(code: ErrorCode, argument: &str, value: &str) -> JsValue {
    error(code, &[argument, ": there is no ", value].concat())
}

/// A rule refuses what was asked; the code is the name of the answer's code, such as `SwitchQuotaUsed`.
pub fn refused(code: Code) -> JsValue {
    thrown(code.name(), "a rule refuses this", &FieldErrors::default())
}

/// Fields break rules.
pub fn invalid_fields(fields: &FieldErrors) -> JsValue {
    thrown(ErrorCode::InvalidFields.as_str(), "some fields are invalid", fields)
}

/// What was passed in does not have the declared type, or is out of its range.
pub fn wrong_argument(message: &str) -> JsValue {
    error(ErrorCode::WrongArgument, message)
}
