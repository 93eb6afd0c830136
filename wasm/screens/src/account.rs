//! The rules for a user's own account: details on invoices, API keys, webhooks and event kinds, messages, passwords.
use postern_core::addresses::{self, PastedAddresses};
use postern_core::api_key::{self, ApiKeyForm};
use postern_core::avatar;
use postern_core::calls::Scope;
use postern_core::event::{self, EventKindRow};
use postern_core::field_errors::FieldErrors;
use postern_core::permission::Level;
use postern_core::profile::{self, AccountDetails, PasswordChangeForm};
use postern_core::sign_in;
use postern_core::support;
use postern_core::support::attachment::{accepted_extensions, validate_attachment};
use postern_core::support::canned::{self, CannedAnswerForm, Placeholders};
use postern_core::two_factor;
use postern_core::webhook::{self, WebhookForm};
use postern_face::errors::wrong_argument;
use postern_face::forms::{broken_rules, check, time};
use postern_face::values::{MAX_SAFE, read, read_list, whole, whole_u32, write, write_as};
use tsify::Ts;
use wasm_bindgen::prelude::*;

fn level_of(level: &JsValue) -> Result<Level, JsValue> {
    let number = whole("level", level, 0, Level::Operator.number().into())?;
    Level::from_number(number as u8).ok_or_else(|| wrong_argument("level: there is no such level"))
}

/// The scopes that a key of an account of this level may have: 0 is a customer, 1 a reseller, 2 an operator.
#[wasm_bindgen(js_name = apiKeyScopes, unchecked_return_type = "Scope[]")]
pub fn api_key_scopes(#[wasm_bindgen(unchecked_param_type = "0 | 1 | 2")] level: JsValue) -> Result<JsValue, JsValue> {
    let scopes: &[Scope] = api_key::scopes_of(level_of(&level)?);
    write(scopes)
}

/// Validates an API key of an account of this level at `now`, `YYYY-MM-DD HH:mm:ss` in UTC. The server also limits their number. Throws
/// `NotATime`.
#[wasm_bindgen(js_name = validateApiKey)]
pub fn validate_api_key(
    form: Ts<ApiKeyForm>,
    #[wasm_bindgen(unchecked_param_type = "0 | 1 | 2")] level: JsValue,
    now: &str,
) -> Result<Ts<FieldErrors>, JsValue> {
    let level = level_of(&level)?;
    let now = time("now", now)?;
    check("form", form, |form| api_key::validate_api_key(form, level, now))
}

/// Extracts the IP addresses from pasted text: a spreadsheet column, proxy lines, or a log.
///
/// ```ts
/// account.readAddresses('198.18.0.7:8080:ann:pw, gate.example'); // { Ips: ['198.18.0.7'], Unread: ['gate.example'] }
/// ```
#[wasm_bindgen(js_name = readAddresses)]
pub fn read_addresses(text: &str) -> Result<Ts<PastedAddresses>, JsValue> {
    write_as(&addresses::read_addresses(text))
}

/// Validates an avatar by its size in bytes and its first bytes.
#[wasm_bindgen(js_name = validateAvatar)]
pub fn validate_avatar(
    #[wasm_bindgen(unchecked_param_type = "Uint8Array")] head: &[u8],
    #[wasm_bindgen(unchecked_param_type = "number")] bytes: JsValue,
) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(avatar::picture_kind(head, whole("bytes", &bytes, 0, MAX_SAFE)? as usize))
}

/// All kinds of events, and where each is reported.
#[wasm_bindgen(js_name = eventKinds, unchecked_return_type = "EventKindRow[]")]
pub fn event_kinds() -> Result<JsValue, JsValue> {
    let kinds: Vec<EventKindRow> = event::event_kinds();
    write(&kinds)
}

/// Validates a customer's webhook: https on a public host, or one of the hosts that the shop allows for tests. The server also resolves the
/// name.
#[wasm_bindgen(js_name = validateWebhook)]
pub fn validate_webhook(
    form: Ts<WebhookForm>,
    #[wasm_bindgen(js_name = testHosts, unchecked_param_type = "string[]")] test_hosts: JsValue,
) -> Result<Ts<FieldErrors>, JsValue> {
    let test_hosts: Vec<String> = read_list("testHosts", test_hosts)?;
    check("form", form, |form| webhook::validate_webhook(form, webhook::reach_of(&form.url, &test_hosts)))
}

/// Validates a chat message.
#[wasm_bindgen(js_name = validateMessage)]
pub fn validate_message(text: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(support::validate_message(text))
}

/// Validates a chat message with this many attachments: with at least one, its text may be empty.
#[wasm_bindgen(js_name = validateMessageWith)]
pub fn validate_message_with(
    text: &str,
    #[wasm_bindgen(unchecked_param_type = "number")] attachments: JsValue,
) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(support::validate_message_with(text, whole_u32("attachments", &attachments)? as usize))
}

/// Validates an attachment by its name and its size in bytes, before it is sent. The server also checks its content.
#[wasm_bindgen(js_name = validateAttachment)]
pub fn validate_attachment_file(
    name: &str,
    #[wasm_bindgen(unchecked_param_type = "number")] bytes: JsValue,
) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(validate_attachment(name, whole_u32("bytes", &bytes)? as usize))
}

/// The file name extensions of valid attachments, with their dots.
#[wasm_bindgen(js_name = attachmentExtensions)]
pub fn attachment_extensions() -> Vec<String> {
    accepted_extensions()
}

/// Validates a canned answer: title, text and placeholders.
#[wasm_bindgen(js_name = validateCannedAnswer)]
pub fn validate_canned_answer(form: Ts<CannedAnswerForm>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, canned::validate_canned_answer)
}

/// Replaces the placeholders in a canned answer's text.
#[wasm_bindgen(js_name = fillCannedAnswer)]
pub fn fill_canned_answer(text: &str, values: Ts<Placeholders>) -> Result<String, JsValue> {
    Ok(canned::fill_canned_answer(text, &read("values", values)?))
}

/// Validates a customer's details, as shown on invoices.
#[wasm_bindgen(js_name = validateAccountDetails)]
pub fn validate_account_details(form: Ts<AccountDetails>) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, profile::validate_account_details)
}

/// Validates a password change of a signed-in user with this e-mail address. The server checks the strength of the new password.
#[wasm_bindgen(js_name = validatePasswordChange)]
pub fn validate_password_change(form: Ts<PasswordChangeForm>, email: &str) -> Result<Ts<FieldErrors>, JsValue> {
    check("form", form, |form| profile::validate_password_change(form, email))
}

/// Validates the current password, re-entered by a signed-in user. Only the server can check whether it is correct.
#[wasm_bindgen(js_name = validateEnteredPassword)]
pub fn validate_entered_password(password: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(profile::validate_entered_password(password))
}

/// Validates a two-factor or recovery code, as entered. Only the server can check whether it is correct.
#[wasm_bindgen(js_name = validateEnteredCode)]
pub fn validate_entered_code(code: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(two_factor::validate_entered_code(code))
}

/// Validates a new e-mail address of a signed-in user with this one. The server does not tell whether another account has it: the mail to its
/// owner does.
#[wasm_bindgen(js_name = validateEmailChange)]
pub fn validate_email_change(email: &str, current: &str) -> Result<Ts<FieldErrors>, JsValue> {
    broken_rules(sign_in::validate_email_change(email, current))
}
