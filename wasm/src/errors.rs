//! Errors as JavaScript knows them: an `Error` with a code, and the fields that are at fault.
use postern_core::code::Code;
use postern_core::validate::FieldErrors;
use tsify::Tsify;
use wasm_bindgen::JsValue;

/// An `Error` with a `code`.
pub fn error(code: &str, message: &str) -> JsValue {
    let error = js_sys::Error::new(message);
    error.set_name("CoreError");
    // Setting a property of a fresh object does not fail.
    let _ = js_sys::Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}

/// A rule refuses what was asked; the code is the name of the answer's code, such as `SwitchQuotaUsed`.
pub fn refused(code: Code) -> JsValue {
    error(code.name(), "a rule refuses this")
}

/// Fields break rules.
pub fn invalid_fields(fields: &FieldErrors) -> JsValue {
    let error = error("InvalidFields", "some fields are invalid");
    if let Ok(fields) = fields.into_js() {
        let _ = js_sys::Reflect::set(&error, &"fields".into(), &fields);
    }
    error
}

/// What was passed in does not have the declared type.
pub fn wrong_argument(cause: impl std::fmt::Display) -> JsValue {
    error("WrongArgument", &cause.to_string())
}
