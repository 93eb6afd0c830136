//! The constants of the specification that the front end needs before anything else is loaded (sections 2, 5, 8, 9).
//! `cargo run -p postern-core --example write_constants` writes them for TypeScript.

pub const API_BASE: &str = "/api";

/// The storage key of the language, and the query parameter that sets it.
pub const LANGUAGE_KEY: &str = "lang";
/// The session storage key of the invite code; set from the query parameter `r` only.
pub const INVITE_CODE_KEY: &str = "InviteCode";
pub const INVITE_CODE_PARAMETER: &str = "r";
/// Query parameters kept in session storage under their own names.
pub const MARKETING_KEYS: [&str; 8] =
    ["utm_source", "utm_medium", "utm_campaign", "utm_id", "utm_term", "utm_content", "mediapartnerid", "redirect"];
/// Longer values are not kept.
pub const MARKETING_MAX_LENGTH: usize = 300;

/// The session storage key of the redirect path after sign-in; one of the marketing keys.
pub const REDIRECT_KEY: &str = "redirect";

/// The local storage key of the signed-in user, until sign-out.
pub const USER_STORE_KEY: &str = "user";
/// The session storage key of wallet and plans.
pub const SESSION_STORE_KEY: &str = "session";
/// The storage key of this device's id, sent with its next sign-in.
pub const DEVICE_KEY: &str = "device";
/// The storage key of a chosen theme, `light` or `dark`.
pub const THEME_KEY: &str = "theme";
/// The storage key of the sidebar's chosen state, `open` or `closed`; without it the window's width decides.
pub const SIDEBAR_KEY: &str = "sidebar";
/// The storage key prefix, followed by a list's name, of its hidden columns.
pub const COLUMNS_KEY_PREFIX: &str = "columns:";

/// Windows up to this width count as mobile.
pub const MOBILE_MAX_WIDTH: u32 = 768;
/// Below this width the sidebar starts collapsed.
pub const SIDEBAR_OPEN_MIN_WIDTH: u32 = 1600;

/// The main toasts: bottom left.
pub const TOAST_LIMIT: u32 = 3;
pub const TOAST_MS: u32 = 5_000;
/// The second toast container: top centre, for short notices such as "copied".
pub const BRIEF_TOAST_MS: u32 = 1_500;

pub const LOCALE_PARALLEL_READS: u32 = 10;
pub const LOCALE_RETRIES: u32 = 5;
/// Doubles with each retry.
pub const LOCALE_RETRY_MS: u32 = 350;

/// The years that date pickers offer.
pub const FIRST_YEAR: i32 = 1900;
pub const LAST_YEAR: i32 = 2099;

/// The maximum page size of a list.
pub const PAGE_SIZES: [u32; 5] = [10, 20, 50, 100, 200];
pub const DEFAULT_PAGE_SIZE: u32 = 50;
/// A limit is shown as nearly used up from this percentage on.
pub const NEARLY_USED_PERCENT: u32 = 90;
/// Days of traffic shown on a proxy user's page.
pub const PROXY_USER_SHOWN_DAYS: u32 = 14;
/// The number of traffic batches shown; older ones are listed with the orders.
pub const SHOWN_BATCHES: u32 = 50;
/// Whatever expires within this many days is shown as ending soon.
pub const ENDS_SOON_DAYS: u32 = 7;
