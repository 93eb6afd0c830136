//! Who may open what, and where sign-in may lead.
use postern_core::permission::{self, Level};
use postern_core::redirect;
use postern_face::values::write;
use wasm_bindgen::prelude::*;

/// The sidebar as somebody of this level sees it; nothing for a level that does not exist.
#[wasm_bindgen(js_name = sidebarFor, unchecked_return_type = "SidebarEntry[]")]
pub fn sidebar_for(level: u8) -> Result<JsValue, JsValue> {
    write(&Level::from_number(level).map(permission::sidebar_for).unwrap_or_default())
}

/// May somebody of this level open the screen at this path? Without a level, nobody is signed in.
#[wasm_bindgen(js_name = canOpen)]
pub fn can_open(path: &str, level: Option<u8>) -> bool {
    permission::can_open(path, level.and_then(Level::from_number))
}

/// The path, if following it stays on this site.
#[wasm_bindgen(js_name = safeRedirect)]
pub fn safe_redirect(path: &str) -> Option<String> {
    redirect::safe_redirect(path).map(str::to_owned)
}
