//! The form of a proxy user (residential proxies).
use crate::account::Throttle;
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::node_forms::{NOTE_MAX_LENGTH, check_password, check_user_name};
use crate::place;
use crate::proxy_user::{GIGABYTE, LimitCycle, MAX_LIMIT_GIGABYTES, parse_gigabytes};
use crate::rule::Rule;
use crate::time::from_wire;
use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};

/// The maximum number of proxy users per account.
pub const MAX_PROXY_USERS: u32 = 500;

/// The maximum number of whitelisted addresses per account, for all its proxy users together.
pub const MAX_PROXY_USER_ADDRESSES: usize = 500;

/// Calls of an account that met taken names.
pub const TAKEN_NAMES: Throttle = Throttle { hits: 12, window_minutes: 60 };

/// How many names of other accounts an import reports as taken.
pub const TAKEN_NAMES_SHOWN: usize = 5;

/// The maximum time for which a replaced password stays valid, in minutes.
pub const MAX_OLD_VALID_MINUTES: u32 = 1_440;

/// The choices in forms, in minutes.
pub const OLD_VALID_MINUTES: [u32; 4] = [0, 5, 60, MAX_OLD_VALID_MINUTES];

/// For how many days a deleted proxy user is kept, so that usage reported late can still be assigned to it.
pub const DELETED_KEPT_DAYS: i64 = 7;

/// The maximum number of countries to which a proxy user can be restricted.
pub const MAX_COUNTRIES: usize = 50;

/// The maximum that the connections of a proxy user or a static IP can be limited to.
pub const MAX_CONNECTION_LIMIT: u32 = 100_000;

/// The maximum that the bandwidth of a proxy user or a static IP can be limited to, in megabits per second.
pub const MAX_MEGABIT_LIMIT: u32 = 10_000;

/// The bytes per second of a bandwidth in megabits per second.
pub fn bytes_per_second(megabits: u32) -> u64 {
    u64::from(megabits) * 1_000_000 / 8
}

/// A proxy user form, as entered.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct ProxyUserForm {
    pub name: String,
    /// If empty, the server generates one, or keeps the current one.
    pub password: String,
    pub note: String,
    /// Gigabytes of 10^9 bytes, with up to three decimal places; empty for no limit.
    pub limit_gigabytes: String,
    pub limit_cycle: LimitCycle,
    /// The expiry in UTC, `YYYY-MM-DD HH:mm:ss`; empty for none.
    pub expires_at: String,
    /// Two-letter codes of the allowed countries; empty for all.
    pub countries: Vec<String>,
    /// The number of connections that may be open at once through each proxy server, 1 to 100,000; empty for no limit.
    pub max_connections: String,
    /// The bandwidth through each proxy server, uploads and downloads together, in whole megabits (10^6 bits) per second, 1 to 10,000; empty for
    /// no limit.
    pub max_megabits: String,
}

impl Default for ProxyUserForm {
    fn default() -> ProxyUserForm {
        ProxyUserForm {
            name: String::new(),
            password: String::new(),
            note: String::new(),
            limit_gigabytes: String::new(),
            limit_cycle: LimitCycle::None,
            expires_at: String::new(),
            countries: Vec::new(),
            max_connections: String::new(),
            max_megabits: String::new(),
        }
    }
}

/// A validated proxy user. `countries` are sorted.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ProxyUser {
    pub name: String,
    pub password: Option<String>,
    pub note: String,
    pub limit_bytes: Option<u64>,
    pub limit_cycle: LimitCycle,
    pub expires_at: Option<NaiveDateTime>,
    pub countries: Vec<String>,
    pub max_connections: Option<u32>,
    pub max_megabits: Option<u32>,
}

/// Validates a proxy user at `now`, in UTC. The name must follow the grammar of user names, because it becomes part of them.
pub fn validate_proxy_user(form: &ProxyUserForm, now: NaiveDateTime) -> Result<ProxyUser, FieldErrors> {
    let mut checks = Checks::default();
    let name = form.name.trim();
    if name.is_empty() {
        checks.broken("Name", Rule::Required, &[]);
    } else {
        check_user_name("Name", name, &mut checks);
    }
    if !form.password.is_empty() {
        check_password("Password", &form.password, name, &mut checks);
    }
    let note = checks.line("Note", &form.note, NOTE_MAX_LENGTH);
    let limit_bytes = check_limit(&form.limit_gigabytes, &mut checks);
    if form.limit_cycle != LimitCycle::None && form.limit_gigabytes.trim().is_empty() {
        checks.broken("LimitCycle", Rule::CycleWithoutLimit, &[]);
    }
    let expires_at = check_expiry(&form.expires_at, now, &mut checks);
    let countries = check_countries(&form.countries, &mut checks);
    let max_connections = check_connections(&form.max_connections, &mut checks);
    let max_megabits = check_megabits(&form.max_megabits, &mut checks);
    checks.finish(ProxyUser {
        name: name.to_owned(),
        password: (!form.password.is_empty()).then(|| form.password.clone()),
        note,
        limit_bytes,
        limit_cycle: form.limit_cycle,
        expires_at,
        countries,
        max_connections,
        max_megabits,
    })
}

/// Validates a new password for the proxy user with this name (`None` if one is to be generated), and how long the old one stays valid.
pub fn validate_new_password(
    name: &str,
    password: &str,
    old_valid_minutes: u32,
) -> Result<Option<String>, FieldErrors> {
    let mut checks = Checks::default();
    if !password.is_empty() {
        check_password("Password", password, name, &mut checks);
    }
    if old_valid_minutes > MAX_OLD_VALID_MINUTES {
        checks.broken("OldValidMinutes", Rule::Max, &[("Max", MAX_OLD_VALID_MINUTES.to_string())]);
    }
    checks.finish((!password.is_empty()).then(|| password.to_owned()))
}

fn check_limit(text: &str, checks: &mut Checks) -> Option<u64> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let bytes = parse_gigabytes(text);
    match bytes {
        None | Some(0) => checks.broken("LimitGigabytes", Rule::Gigabytes, &[]),
        Some(bytes) if bytes > MAX_LIMIT_GIGABYTES * GIGABYTE => {
            checks.broken("LimitGigabytes", Rule::GigabytesMax, &[("Max", MAX_LIMIT_GIGABYTES.to_string())]);
        }
        Some(_) => {}
    }
    bytes
}

/// Parses a whole number of at least 1; empty for none.
/// A limit of connections as entered; empty for none.
pub(crate) fn check_connections(text: &str, checks: &mut Checks) -> Option<u32> {
    check_whole("MaxConnections", text, MAX_CONNECTION_LIMIT, checks)
}

/// A limit of bandwidth as entered, in megabits per second; empty for none.
pub(crate) fn check_megabits(text: &str, checks: &mut Checks) -> Option<u32> {
    check_whole("MaxMegabits", text, MAX_MEGABIT_LIMIT, checks)
}

fn check_whole(field: &str, text: &str, max: u32, checks: &mut Checks) -> Option<u32> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse::<u32>().ok().filter(|number| is_digits && (1..=max).contains(number));
    if number.is_none() {
        checks.broken(field, Rule::WholeNumber, &[("Max", max.to_string())]);
    }
    number
}

/// Parses a future time as entered; empty for none.
pub(crate) fn check_expiry(text: &str, now: NaiveDateTime, checks: &mut Checks) -> Option<NaiveDateTime> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let expires_at = from_wire(text);
    match expires_at {
        None => checks.broken("ExpiresAt", Rule::Time, &[]),
        Some(expires_at) if expires_at <= now => checks.broken("ExpiresAt", Rule::TimeInFuture, &[]),
        Some(_) => {}
    }
    expires_at
}

fn check_countries(codes: &[String], checks: &mut Checks) -> Vec<String> {
    if codes.len() > MAX_COUNTRIES {
        checks.broken("Countries", Rule::TooManyCountries, &[("Max", MAX_COUNTRIES.to_string())]);
        return Vec::new();
    }
    let mut countries = Vec::new();
    for code in codes {
        let code = code.trim().to_ascii_uppercase();
        if let Err(index) = countries.binary_search(&code) {
            countries.insert(index, code);
        }
    }
    if !countries.iter().all(|code| place::is_country(code)) {
        checks.broken("Countries", Rule::Country, &[]);
    }
    countries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    fn now() -> NaiveDateTime {
        from_wire("2026-11-21 12:00:00").expect("a time")
    }

    #[test]
    fn every_invalid_field_is_reported() {
        let form = ProxyUserForm {
            name: "Bob-1".into(),
            password: "short".into(),
            note: "a\nb".into(),
            limit_gigabytes: "1.2345".into(),
            limit_cycle: LimitCycle::Month,
            expires_at: "2026-11-21 12:00:00".into(),
            countries: vec!["US".into(), "XX".into()],
            max_connections: "0".into(),
            max_megabits: "10001".into(),
        };
        assert_eq!(
            rules(validate_proxy_user(&form, now()).expect_err("errors")),
            [
                "Countries:country",
                "ExpiresAt:timeInFuture",
                "LimitGigabytes:gigabytes",
                "MaxConnections:wholeNumber 100000",
                "MaxMegabits:wholeNumber 10000",
                "Name:userName",
                "Note:invisibleCharacters",
                "Password:minLength 8",
            ]
        );
        let form = ProxyUserForm {
            limit_cycle: LimitCycle::Day,
            expires_at: "tomorrow".into(),
            countries: vec!["US".into(); 51],
            ..ProxyUserForm::default()
        };
        assert_eq!(
            rules(validate_proxy_user(&form, now()).expect_err("errors")),
            ["Countries:tooManyCountries 50", "ExpiresAt:time", "LimitCycle:cycleWithoutLimit", "Name:required"]
        );
        for (limit, rule) in [("0", "gigabytes"), ("1000000.001", "gigabytesMax 1000000"), ("-1", "gigabytes")] {
            let form = ProxyUserForm { name: "bob1".into(), limit_gigabytes: limit.into(), ..ProxyUserForm::default() };
            assert_eq!(
                rules(validate_proxy_user(&form, now()).expect_err("errors")),
                [format!("LimitGigabytes:{rule}")]
            );
        }
    }

    #[test]
    fn a_proxy_user_is_stored_in_bytes_and_utc() {
        let form = ProxyUserForm {
            name: " scraper_1 ".into(),
            password: "k3yring99".into(),
            note: " for prices ".into(),
            limit_gigabytes: "1.5".into(),
            limit_cycle: LimitCycle::Month,
            expires_at: "2026-11-21 12:00:01".into(),
            countries: vec!["us".into(), "DE".into(), "US".into()],
            max_connections: " 50 ".into(),
            max_megabits: "8".into(),
        };
        let kept = validate_proxy_user(&form, now()).expect("a proxy user");
        assert_eq!((kept.name.as_str(), kept.note.as_str()), ("scraper_1", "for prices"));
        assert_eq!((kept.limit_bytes, kept.limit_cycle), (Some(1_500_000_000), LimitCycle::Month));
        assert_eq!(kept.expires_at, from_wire("2026-11-21 12:00:01"));
        assert_eq!(kept.countries, ["DE", "US"]);
        assert_eq!((kept.max_connections, kept.max_megabits), (Some(50), Some(8)));
        let form = ProxyUserForm { name: "bob1".into(), ..ProxyUserForm::default() };
        let kept = validate_proxy_user(&form, now()).expect("a proxy user");
        assert_eq!((kept.password, kept.limit_bytes, kept.expires_at), (None, None, None));
        assert_eq!((kept.max_connections, kept.max_megabits), (None, None));
    }
}
