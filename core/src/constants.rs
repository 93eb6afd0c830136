//! The constants of the specification that the front end needs before anything else is loaded (sections 2, 5, 8, 9).
//! `cargo run -p postern-core --example write_constants` writes them out for TypeScript.

pub const API_BASE: &str = "/api";

/// Where the language is kept, and the address parameter that chooses it.
pub const LANGUAGE_KEY: &str = "lang";
/// Where the invite code is kept for the browser session; set from the parameter `r` alone.
pub const INVITE_CODE_KEY: &str = "InviteCode";
pub const INVITE_CODE_PARAMETER: &str = "r";
/// Address parameters kept for the browser session under their own names.
pub const MARKETING_KEYS: [&str; 8] =
    ["utm_source", "utm_medium", "utm_campaign", "utm_id", "utm_term", "utm_content", "mediapartnerid", "redirect"];
/// Longer values of them are not kept.
pub const MARKETING_MAX_LENGTH: usize = 300;

/// Where a path that sign-in leads to is kept; one of the marketing keys.
pub const REDIRECT_KEY: &str = "redirect";

/// Where the signed-in user is kept in the browser until signing out.
pub const USER_STORE_KEY: &str = "user";
/// Where wallet and plans are kept for the browser session.
pub const SESSION_STORE_KEY: &str = "session";
/// Where this device's id is kept, by which it is known when it signs in again.
pub const DEVICE_KEY: &str = "device";
/// Where a chosen theme is kept, `light` or `dark`.
pub const THEME_KEY: &str = "theme";
/// Followed by a list's name: where its hidden columns are kept.
pub const COLUMNS_KEY_PREFIX: &str = "columns:";

/// A window this wide or narrower counts as mobile.
pub const MOBILE_MAX_WIDTH: u32 = 768;
/// In a window narrower than this the sidebar starts collapsed.
pub const SIDEBAR_OPEN_MIN_WIDTH: u32 = 1600;

/// The main toasts: bottom left.
pub const TOAST_LIMIT: u32 = 3;
pub const TOAST_MS: u32 = 5_000;
/// The second set-up: top centre, for a word such as "copied".
pub const BRIEF_TOAST_MS: u32 = 1_500;

pub const LOCALE_PARALLEL_READS: u32 = 10;
pub const LOCALE_RETRIES: u32 = 5;
/// Doubles with each retry.
pub const LOCALE_RETRY_MS: u32 = 350;

/// Years that date pickers offer.
pub const FIRST_YEAR: i32 = 1900;
pub const LAST_YEAR: i32 = 2099;

/// Rows that one page of a list may have.
pub const PAGE_SIZES: [u32; 5] = [10, 20, 50, 100, 200];
pub const DEFAULT_PAGE_SIZE: u32 = 50;
/// What ends within so many days is shown as ending soon.
pub const ENDS_SOON_DAYS: u32 = 7;
