//! Usage: what proxy servers report about the traffic that they carried, and which records are counted.
use crate::endpoint::NAME_MAX_LENGTH;
use crate::place;
use crate::proxy_server::ProxyServerKind;
use crate::time::from_wire;
use crate::wire_enum::wire_enum;
use chrono::{Datelike, NaiveDateTime, TimeDelta, Timelike};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::net::IpAddr;

/// The maximum number of records in one report.
pub const MAX_RECORDS: usize = 1_000;

/// The maximum length of a record's id, in bytes.
pub const RECORD_ID_MAX_LENGTH: usize = 100;

/// The maximum upload and the maximum download of one record: 10 TB each. Long connections are reported in parts.
pub const MAX_RECORD_BYTES: u64 = 10_000_000_000_000;

/// The maximum bytes of all records of one report together: 1 PB, a hundred times what a fast server carries in a minute. The records beyond
/// are rejected.
pub const MAX_REPORT_BYTES: u64 = 1_000_000_000_000_000;

/// Sums of bytes stop here instead of overflowing. Upload and download together, or two sums, still fit into 63 bits.
pub const MAX_SUM_BYTES: i64 = 4_000_000_000_000_000_000;

/// How far ahead a proxy server's clock may be.
pub const FUTURE_MINUTES: i64 = 5;

/// How late a record may arrive. Older records are rejected, because the keys that detect duplicates are only guaranteed to be kept for
/// this long.
pub const LATE_DAYS: i64 = 31;

/// The number of targets kept per account and hour, and per account and day; traffic to all others is summed as "others" (an empty name).
pub const MAX_TARGETS: usize = 100;

/// The number of targets kept per account and month.
pub const MAX_TARGETS_OF_MONTH: usize = 200;

/// The number of rejected records that are stored per server; further ones are only counted.
pub const MAX_REJECTED: usize = 1_000;

/// For how many days hourly sums are kept: enough for a chart of a year and the year before it.
pub const HOURS_KEPT_DAYS: i64 = 800;

/// For how many days records are kept by default; also the minimum, so that duplicates are detected.
pub const RECORDS_KEPT_DAYS: i64 = LATE_DAYS + 31;

/// How long `authorize` may rely on cached data, in seconds.
pub const AUTHORIZE_CACHE_SECONDS: u64 = 5;

/// For how many seconds a proxy server may use an answer of `authorize` for further connections.
pub const ANSWER_KEPT_SECONDS: u64 = 5;

/// For how many seconds it may use a refusal: a customer who has paid or corrected a password does not wait longer.
pub const REFUSAL_KEPT_SECONDS: u64 = 2;

/// The country of residential traffic whose exit the proxy server did not tell: a code that is assigned to no country.
pub const UNKNOWN_COUNTRY: &str = "ZZ";

wire_enum! {
    /// The dimension by which sums of traffic are split.
    UsageDimension { All = "all", User = "user", Node = "node", Country = "country", Target = "target" }
}

wire_enum! {
    /// Why a record was rejected instead of counted.
    UsageRejection {
        /// It is not an object with the required fields.
        Malformed = "malformed",
        /// Its id is empty, too long, or contains control characters.
        Id = "id",
        /// The proxy user or node does not exist.
        UnknownUser = "unknown_user",
        UnknownCountry = "unknown_country",
        /// A byte count is negative, not a whole number, or too large.
        Bytes = "bytes",
        /// Its time is not a valid time.
        Time = "time",
        FromFuture = "from_future",
        TooOld = "too_old",
        /// The report's records have too many bytes together, up to this one.
        ReportBytes = "report_bytes",
        /// The proxy server is for the other kind of proxies.
        OtherKind = "other_kind",
    }
}

wire_enum! {
    /// Why a connection is refused.
    Refused {
        UnknownUser = "unknown_user",
        WrongPassword = "wrong_password",
        Paused = "paused",
        /// The proxy user's limit is used up.
        Exhausted = "exhausted",
        Expired = "expired",
        /// The account has no traffic left.
        NoTraffic = "no_traffic",
        CountryNotAllowed = "country_not_allowed",
        /// The user name or the node's address is malformed.
        Malformed = "malformed",
        /// The account is suspended.
        Suspended = "suspended",
        /// No user name was sent, and several accounts have whitelisted the client's address.
        AddressShared = "address_shared",
        /// Only whitelisted addresses may use this node, and the client's is none of them.
        AddressNotListed = "address_not_listed",
        /// The client has tried too many wrong passwords for this user or node, and has to wait.
        TooManyAttempts = "too_many_attempts",
        /// The proxy user has as many open connections as it may have.
        TooManyConnections = "too_many_connections",
        /// The node belongs to another proxy server.
        OtherServer = "other_server",
    }
}

/// For how many seconds an answer may be kept that allows a connection until a proxy ends.
pub fn answer_kept_seconds(ends_at: Option<NaiveDateTime>, now: NaiveDateTime) -> u64 {
    let left = ends_at.map_or(ANSWER_KEPT_SECONDS, |ends_at| u64::try_from((ends_at - now).num_seconds()).unwrap_or(0));
    left.min(ANSWER_KEPT_SECONDS)
}

/// One record of a report from a proxy server, borrowed from the report where possible.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct UsageRecord<'a> {
    /// The proxy server's id of the record. Records with the same id and time are the same record, however often they are sent.
    #[serde(borrow, default)]
    pub id: Cow<'a, str>,
    /// When the bytes were carried, in UTC, `YYYY-MM-DD HH:mm:ss`.
    #[serde(borrow, default)]
    pub used_at: Cow<'a, str>,
    /// The user name of the connection: in full with its parameters, or the name alone.
    #[serde(borrow, default, skip_serializing_if = "str::is_empty")]
    pub user_name: Cow<'a, str>,
    /// The proxy user that `authorize` named; then the user name is not needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proxy_user_id: Option<i64>,
    /// The node's address, for static proxies.
    #[serde(borrow, default, skip_serializing_if = "str::is_empty")]
    pub ip: Cow<'a, str>,
    /// The two-letter code of the exit's country; may be empty: unknown.
    #[serde(borrow, default)]
    pub country: Cow<'a, str>,
    /// The host that the client connected to, with or without a port; may be empty.
    #[serde(borrow, default)]
    pub target: Cow<'a, str>,
    pub upload_bytes: u64,
    pub download_bytes: u64,
}

/// A valid record, which is counted if its user or node exists.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CheckedRecord {
    pub id: String,
    pub used_at: NaiveDateTime,
    /// The proxy user's name without parameters; empty for static proxies, and for records that name its id.
    pub name: String,
    /// The proxy user's id, if the record names it.
    pub proxy_user_id: Option<i64>,
    /// The node's address; empty for residential traffic.
    pub ip: String,
    /// Upper case; empty if not given.
    pub country: String,
    /// Lower case, without port; empty if not a host name or address.
    pub target: String,
    pub upload_bytes: u64,
    pub download_bytes: u64,
}

/// Validates a record of a proxy server of this kind. `now` is in UTC.
pub fn check_record(
    record: &UsageRecord,
    kind: ProxyServerKind,
    now: NaiveDateTime,
) -> Result<CheckedRecord, UsageRejection> {
    let id = record.id.trim();
    if id.is_empty() || id.len() > RECORD_ID_MAX_LENGTH || id.chars().any(char::is_control) {
        return Err(UsageRejection::Id);
    }
    let used_at = from_wire(&record.used_at).ok_or(UsageRejection::Time)?;
    if used_at > now + TimeDelta::minutes(FUTURE_MINUTES) {
        return Err(UsageRejection::FromFuture);
    }
    if used_at < now - TimeDelta::days(LATE_DAYS) {
        return Err(UsageRejection::TooOld);
    }
    if record.upload_bytes > MAX_RECORD_BYTES || record.download_bytes > MAX_RECORD_BYTES {
        return Err(UsageRejection::Bytes);
    }
    let mut country = record.country.trim().to_ascii_uppercase();
    if !country.is_empty() && place::country(&country).is_none() {
        return Err(UsageRejection::UnknownCountry);
    }
    if country.is_empty() && kind == ProxyServerKind::Residential {
        country = UNKNOWN_COUNTRY.to_owned();
    }
    let proxy_user_id = record.proxy_user_id.filter(|_| kind == ProxyServerKind::Residential);
    let (name, ip) = match kind {
        ProxyServerKind::Residential if proxy_user_id.is_some() => (String::new(), String::new()),
        ProxyServerKind::Residential => (name_of(&record.user_name).to_owned(), String::new()),
        ProxyServerKind::Static => {
            let address: Option<IpAddr> = record.ip.trim().parse().ok();
            (String::new(), address.map(|address| address.to_canonical().to_string()).unwrap_or_default())
        }
    };
    // No proxy user's name has other characters, and databases cannot store all of them.
    if name.len() > NAME_MAX_LENGTH || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Err(UsageRejection::UnknownUser);
    }
    if name.is_empty() && ip.is_empty() && proxy_user_id.is_none() {
        return Err(UsageRejection::UnknownUser);
    }
    Ok(CheckedRecord {
        id: id.to_owned(),
        used_at,
        name,
        proxy_user_id,
        ip,
        country,
        target: target_of(&record.target),
        upload_bytes: record.upload_bytes,
        download_bytes: record.download_bytes,
    })
}

/// Adds to a sum of bytes, up to `MAX_SUM_BYTES`.
pub fn add_bytes(sum: i64, more: i64) -> i64 {
    sum.saturating_add(more).min(MAX_SUM_BYTES)
}

/// The bytes of the records of one report.
#[derive(Debug, Default)]
pub struct ReportBytes(u64);

impl ReportBytes {
    /// Takes one more record, unless the report then had too many bytes.
    pub fn take(&mut self, record: CheckedRecord) -> Result<CheckedRecord, UsageRejection> {
        let sum = self.0.saturating_add(record.upload_bytes).saturating_add(record.download_bytes);
        if sum > MAX_REPORT_BYTES {
            return Err(UsageRejection::ReportBytes);
        }
        self.0 = sum;
        Ok(record)
    }
}

/// The proxy user's name in a user name: `user-{name}-country-us`, or the name alone. Its parameters are ignored.
pub fn name_of(user_name: &str) -> &str {
    let text = user_name.trim();
    let rest = text.strip_prefix("user-").unwrap_or(text);
    rest.split_once('-').map_or(rest, |(name, _)| name)
}

/// The host of a target, normalised: lower case, without port or trailing dot. Empty if not a host name or address.
fn target_of(target: &str) -> String {
    let text = target.trim().trim_end_matches('.');
    let host = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => match text.rsplit_once(':') {
            Some((host, port)) if !host.contains(':') && port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            _ => text,
        },
    };
    let is_host = (1..=253).contains(&host.len())
        && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_:".contains(&byte));
    if is_host { host.trim_end_matches('.').to_ascii_lowercase() } else { String::new() }
}

/// The start of the hour of a time.
pub fn hour_of(at: NaiveDateTime) -> NaiveDateTime {
    at.date().and_hms_opt(at.hour(), 0, 0).unwrap_or(at)
}

/// The start of the day of a time, in UTC.
pub fn day_of(at: NaiveDateTime) -> NaiveDateTime {
    at.date().and_hms_opt(0, 0, 0).unwrap_or(at)
}

/// The start of the month of a time, in UTC.
pub fn month_of(at: NaiveDateTime) -> NaiveDateTime {
    let first = at.date().with_day(1).unwrap_or(at.date());
    first.and_hms_opt(0, 0, 0).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> NaiveDateTime {
        from_wire("2026-11-22 12:00:00").expect("a time")
    }

    fn record() -> UsageRecord<'static> {
        UsageRecord {
            id: "gate-1/42".into(),
            used_at: "2026-11-22 11:59:00".into(),
            user_name: "user-scraper_1-country-us-session-a1b2c3d4-ttl-10".into(),
            proxy_user_id: None,
            country: "us".into(),
            target: "Shop.Example.com:443".into(),
            upload_bytes: 10,
            download_bytes: 1_000,
            ip: "".into(),
        }
    }

    #[test]
    fn implausible_records_are_rejected_with_the_reason() {
        use UsageRejection as R;
        let text = Cow::from;
        for (broken, reason) in [
            (UsageRecord { id: text(" "), ..record() }, R::Id),
            (UsageRecord { id: "x".repeat(101).into(), ..record() }, R::Id),
            (UsageRecord { id: text("a\0b"), ..record() }, R::Id),
            (UsageRecord { used_at: text("2026-11-22T11:59:00Z"), ..record() }, R::Time),
            (UsageRecord { used_at: text("2026-11-22 12:05:01"), ..record() }, R::FromFuture),
            (UsageRecord { used_at: text("9999-12-31 23:59:59"), ..record() }, R::FromFuture),
            (UsageRecord { used_at: text("2026-10-22 11:59:59"), ..record() }, R::TooOld),
            (UsageRecord { upload_bytes: MAX_RECORD_BYTES + 1, ..record() }, R::Bytes),
            (UsageRecord { download_bytes: u64::MAX, ..record() }, R::Bytes),
            (UsageRecord { country: text("XX"), ..record() }, R::UnknownCountry),
            (UsageRecord { country: text(UNKNOWN_COUNTRY), ..record() }, R::UnknownCountry),
            (UsageRecord { user_name: text("user-"), ..record() }, R::UnknownUser),
            (UsageRecord { user_name: text(""), ..record() }, R::UnknownUser),
        ] {
            assert_eq!(check_record(&broken, ProxyServerKind::Residential, now()), Err(reason), "{broken:?}");
        }
        assert_eq!(check_record(&record(), ProxyServerKind::Static, now()), Err(R::UnknownUser));
    }

    #[test]
    fn a_record_is_counted_by_the_name_in_its_user_name() {
        let checked = check_record(&record(), ProxyServerKind::Residential, now()).expect("a record");
        assert_eq!((checked.name.as_str(), checked.country.as_str()), ("scraper_1", "US"));
        assert_eq!(checked.target, "shop.example.com");
        for (user_name, name) in [
            ("scraper_1", "scraper_1"),
            ("user-a1b2", "a1b2"),
            (" user-a1b2-session-x ", "a1b2"),
            ("a1b2-country-us", "a1b2"),
        ] {
            assert_eq!(name_of(user_name), name);
        }
    }

    #[test]
    fn a_record_is_counted_by_the_id_it_names_and_without_a_country() {
        let named = UsageRecord { proxy_user_id: Some(7), user_name: "".into(), country: " ".into(), ..record() };
        let checked = check_record(&named, ProxyServerKind::Residential, now()).expect("a record");
        assert_eq!((checked.proxy_user_id, checked.name.as_str()), (Some(7), ""));
        assert_eq!(checked.country, UNKNOWN_COUNTRY);
        assert!(place::country(UNKNOWN_COUNTRY).is_none());
        assert_eq!(check_record(&named, ProxyServerKind::Static, now()), Err(UsageRejection::UnknownUser));
        let of_node = UsageRecord { ip: "198.18.0.7".into(), ..named };
        let checked = check_record(&of_node, ProxyServerKind::Static, now()).expect("a record");
        assert_eq!((checked.proxy_user_id, checked.country.as_str()), (None, ""));
    }

    #[test]
    fn an_answer_is_kept_until_the_proxy_ends() {
        let ends_in = |seconds| answer_kept_seconds(Some(now() + TimeDelta::seconds(seconds)), now());
        assert_eq!([ends_in(-1), ends_in(0), ends_in(3), ends_in(9)], [0, 0, 3, ANSWER_KEPT_SECONDS]);
        assert_eq!(answer_kept_seconds(None, now()), ANSWER_KEPT_SECONDS);
    }

    #[test]
    fn targets_are_normalised_to_hosts() {
        for (typed, host) in [
            ("A.Example.COM", "a.example.com"),
            ("a.example.com.", "a.example.com"),
            ("a.example.com:8443", "a.example.com"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("203.0.113.7:80", "203.0.113.7"),
            ("", ""),
            ("https://a.example/", ""),
            ("a b", ""),
            ("=cmd()", ""),
        ] {
            assert_eq!(target_of(typed), host, "{typed}");
        }
    }

    #[test]
    fn records_beyond_the_bytes_of_a_report_are_rejected_and_smaller_ones_are_not() {
        let of = |bytes| {
            let record = UsageRecord { upload_bytes: bytes, download_bytes: bytes, ..record() };
            check_record(&record, ProxyServerKind::Residential, now()).expect("a record")
        };
        let mut report = ReportBytes::default();
        let taken: Vec<bool> = (0..51).map(|_| report.take(of(MAX_RECORD_BYTES)).is_ok()).collect();
        assert_eq!(taken.iter().filter(|is_taken| **is_taken).count(), 50);
        assert_eq!(report.take(of(1)), Err(UsageRejection::ReportBytes));
        assert_eq!(report.take(of(0)), Ok(of(0)));
    }

    #[test]
    fn sums_of_bytes_stop_at_their_maximum() {
        assert_eq!(add_bytes(1, 2), 3);
        assert_eq!(add_bytes(MAX_SUM_BYTES, 1), MAX_SUM_BYTES);
        assert_eq!(add_bytes(i64::MAX, i64::MAX), MAX_SUM_BYTES);
        assert!(MAX_SUM_BYTES.checked_mul(2).is_some());
    }

    #[test]
    fn hours_days_and_months_are_utc() {
        let at = from_wire("2026-11-22 11:59:59").expect("a time");
        let starts = ["2026-11-22 11:00:00", "2026-11-22 00:00:00", "2026-11-01 00:00:00"];
        assert_eq!([hour_of(at), day_of(at), month_of(at)].map(Some), starts.map(from_wire));
    }
}
