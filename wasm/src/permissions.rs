//! Permissions for screens, and safe redirects after sign-in.
use postern_core::permission::Level;
use postern_core::redirect;
use postern_core::screens::{self, SidebarEntry};
use postern_core::staff::StaffRole;
use postern_face::errors::wrong_argument;
use postern_face::values::{whole, write};
use wasm_bindgen::prelude::*;

fn level_of(level: &JsValue) -> Result<Option<Level>, JsValue> {
    let highest = Level::Operator.number();
    Ok(Level::from_number(whole("level", level, 0, highest.into())? as u8))
}

/// The role of an operator's account: everything, if none is given. An unknown name is `WrongArgument`.
fn role_of(role: &JsValue) -> Result<StaffRole, JsValue> {
    if role.is_undefined() || role.is_null() {
        return Ok(StaffRole::Operator);
    }
    let role = role.as_string().and_then(|role| StaffRole::from_wire(&role));
    role.ok_or_else(|| wrong_argument("role: expected a role of an operator's account"))
}

/// The sidebar of this level: 0 is a customer, 1 a reseller, 2 an operator, of whom `role` says what they may do.
#[wasm_bindgen(js_name = sidebarFor, unchecked_return_type = "SidebarEntry[]")]
pub fn sidebar_for(
    #[wasm_bindgen(unchecked_param_type = "0 | 1 | 2")] level: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "StaffRole")] role: JsValue,
) -> Result<JsValue, JsValue> {
    let (level, role) = (level_of(&level)?, role_of(&role)?);
    let sidebar = |level| screens::sidebar_for(level, role);
    let entries: Vec<SidebarEntry> = level.map(sidebar).unwrap_or_default();
    write(&entries)
}

/// Whether an operator's account with this role may make this operators' call, such as `Operator/RefundOrder`.
#[wasm_bindgen(js_name = mayCall)]
pub fn may_call(
    name: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "StaffRole")] role: JsValue,
) -> Result<bool, JsValue> {
    Ok(role_of(&role)?.may_call(name))
}

/// Whether there is a screen at this path that this level may open; undefined for an anonymous visitor, who may open those to sign in and of
/// mailed links. `false` for a path without a screen.
#[wasm_bindgen(js_name = canOpen)]
pub fn can_open(
    path: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "0 | 1 | 2")] level: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "StaffRole")] role: JsValue,
) -> Result<bool, JsValue> {
    let level = if level.is_undefined() || level.is_null() { None } else { level_of(&level)? };
    Ok(screens::can_open(path, level, role_of(&role)?))
}

/// Whether a suspended account may open the screen at this path, if its level may.
#[wasm_bindgen(js_name = canOpenWhileSuspended)]
pub fn can_open_while_suspended(path: &str) -> bool {
    screens::can_open_while_suspended(path)
}

/// The path, if it is a path of this site; otherwise undefined.
#[wasm_bindgen(js_name = safeRedirect)]
pub fn safe_redirect(path: &str) -> Option<String> {
    redirect::safe_redirect(path).map(str::to_owned)
}
