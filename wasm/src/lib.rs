//! The rules of Postern for the browser: each export is a single typed call into core.
//!
//! Invalid input throws a `CoreError` with a `code` (such as `InvalidFields`) and, if fields are invalid, `fields`.
mod answers;
mod forms;
mod money;
mod orders;
mod owned;
mod permissions;
mod places;
mod products;
mod referrals;
mod renewals;
mod states;
mod switches;
mod traffic;

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const CODE_TYPE: &str = postern_face::errors::CODE_TYPE;

#[wasm_bindgen(typescript_custom_section)]
const ERROR_TYPE: &str = postern_face::errors::ERROR_TYPE;
