//! Parses the records of a report one by one, so that an invalid record does not affect the others.
use chrono::NaiveDateTime;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::usage::{CheckedRecord, MAX_RECORDS, ReportBytes, UsageRecord, UsageRejection, check_record};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// A report with unparsed records.
#[derive(Deserialize)]
struct Report<'a> {
    #[serde(borrow, rename = "Records")]
    records: Vec<&'a RawValue>,
}

/// Why a report as a whole is refused.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Unreadable {
    Malformed,
    TooManyRecords,
}

/// A record as received, and the parsed record or the reason for its rejection.
pub struct Read<'a> {
    pub text: &'a str,
    pub record: Result<CheckedRecord, UsageRejection>,
}

/// Reads a report of a proxy server of this kind. A broken text had invalid UTF-8.
pub fn read_report<'a>(
    text: &'a str,
    is_broken: bool,
    kind: ProxyServerKind,
    now: NaiveDateTime,
) -> Result<Vec<Read<'a>>, Unreadable> {
    let report: Report = serde_json::from_str(text).map_err(|_| Unreadable::Malformed)?;
    if report.records.len() > MAX_RECORDS {
        return Err(Unreadable::TooManyRecords);
    }
    let mut bytes = ReportBytes::default();
    let read = |raw: &&'a RawValue| {
        // Invalid UTF-8 was decoded to replacement characters; the original bytes are lost.
        let is_lost = is_broken && raw.get().contains(char::REPLACEMENT_CHARACTER);
        let record = if is_lost { Err(UsageRejection::Malformed) } else { read_record(raw.get()) };
        let checked = record.and_then(|record| check_record(&record, kind, now));
        Read { text: raw.get(), record: checked.and_then(|record| bytes.take(record)) }
    };
    Ok(report.records.iter().map(read).collect())
}

/// The fields of a record as received. Other fields are ignored.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Fields<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    used_at: Option<&'a RawValue>,
    #[serde(borrow)]
    user_name: Option<&'a RawValue>,
    #[serde(borrow)]
    proxy_user_id: Option<&'a RawValue>,
    #[serde(borrow)]
    ip: Option<&'a RawValue>,
    #[serde(borrow)]
    country: Option<&'a RawValue>,
    #[serde(borrow)]
    target: Option<&'a RawValue>,
    #[serde(borrow)]
    upload_bytes: Option<&'a RawValue>,
    #[serde(borrow)]
    download_bytes: Option<&'a RawValue>,
}

fn read_record(text: &str) -> Result<UsageRecord<'_>, UsageRejection> {
    // serde would also accept an array as the fields.
    if !text.starts_with('{') {
        return Err(UsageRejection::Malformed);
    }
    // Almost all records have the expected types.
    if let Ok(record) = serde_json::from_str(text) {
        return Ok(record);
    }
    // Parse field by field, to find out what is wrong.
    let fields: Fields = serde_json::from_str(text).map_err(|_| UsageRejection::Malformed)?;
    Ok(UsageRecord {
        id: text_of(fields.id)?,
        used_at: text_of(fields.used_at)?,
        user_name: text_of(fields.user_name)?,
        proxy_user_id: id_of(fields.proxy_user_id)?,
        ip: text_of(fields.ip)?,
        country: text_of(fields.country)?,
        target: text_of(fields.target)?,
        upload_bytes: bytes(fields.upload_bytes)?,
        download_bytes: bytes(fields.download_bytes)?,
    })
}

fn text_of(value: Option<&RawValue>) -> Result<Cow<'static, str>, UsageRejection> {
    let text = value.map(|value| serde_json::from_str::<Option<String>>(value.get()));
    Ok(text.transpose().map_err(|_| UsageRejection::Malformed)?.flatten().unwrap_or_default().into())
}

fn id_of(value: Option<&RawValue>) -> Result<Option<i64>, UsageRejection> {
    let id = value.map(|value| serde_json::from_str::<Option<i64>>(value.get()));
    Ok(id.transpose().map_err(|_| UsageRejection::UnknownUser)?.flatten())
}

/// Missing bytes are an error, not zero: a misspelled field would count nothing.
fn bytes(value: Option<&RawValue>) -> Result<u64, UsageRejection> {
    let value = value.ok_or(UsageRejection::Malformed)?;
    let value: Value = serde_json::from_str(value.get()).map_err(|_| UsageRejection::Malformed)?;
    value.as_u64().ok_or(UsageRejection::Bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use postern_core::time::from_wire;
    use serde_json::Map;

    fn read(body: &[u8]) -> Result<Vec<Option<&'static str>>, Unreadable> {
        let now = from_wire("2026-11-22 12:00:00").expect("a time");
        let text = String::from_utf8_lossy(body);
        let read = read_report(&text, matches!(text, Cow::Owned(_)), ProxyServerKind::Residential, now)?;
        Ok(read.into_iter().map(|read| read.record.err().map(UsageRejection::as_str)).collect())
    }

    const GOOD: &str = r#"{"Id":"1","UsedAt":"2026-11-22 11:00:00","UserName":"user-ann_1","Country":"US","UploadBytes":1,"DownloadBytes":2}"#;

    #[test]
    fn an_invalid_record_does_not_affect_the_others() {
        let with = |field: &str, value: &str| {
            let mut fields: Map<String, Value> = serde_json::from_str(GOOD).expect("an object");
            fields.remove(field);
            let rest = serde_json::to_string(&fields).expect("JSON");
            if value.is_empty() { rest } else { format!("{{\"{field}\":{value},{}", &rest[1..]) }
        };
        for (record, reason) in [
            ("1".to_owned(), "malformed"),
            ("null".to_owned(), "malformed"),
            ("[]".to_owned(), "malformed"),
            ("{}".to_owned(), "malformed"),
            ("[".repeat(5_000) + &"]".repeat(5_000), "malformed"),
            (r#""\ud800""#.to_owned(), "malformed"),
            (with("Id", "7"), "malformed"),
            (with("Id", r#""a\u0000b""#), "id"),
            (with("UploadBytes", ""), "malformed"),
            (with("UploadBytes", "1e400"), "malformed"),
            (with("UploadBytes", "-1"), "bytes"),
            (with("UploadBytes", "1.5"), "bytes"),
            (with("UploadBytes", "\"1\""), "bytes"),
            (with("UploadBytes", "99999999999999999999999"), "bytes"),
            (with("DownloadBytes", "9223372036854775807"), "bytes"),
            (with("UserName", r#""user-a\u0000b""#), "unknown_user"),
            (with("UserName", ""), "unknown_user"),
            (with("ProxyUserId", r#""7""#), "unknown_user"),
            (with("ProxyUserId", "9223372036854775808"), "unknown_user"),
            (with("Country", r#""\u0000\u0000""#), "unknown_country"),
            (with("UsedAt", r#""now""#), "time"),
        ] {
            let body = format!(r#"{{"Records":[{GOOD},{record},{GOOD}]}}"#);
            assert_eq!(read(body.as_bytes()), Ok(vec![None, Some(reason), None]), "{record}");
        }
    }

    #[test]
    fn invalid_utf8_rejects_only_its_record() {
        let body = [b"{\"Records\":[{\"Id\":\"\xff\"},", GOOD.as_bytes(), b"]}"].concat();
        assert_eq!(read(&body), Ok(vec![Some("malformed"), None]));
    }

    #[test]
    fn a_malformed_report_is_refused_as_a_whole() {
        for body in ["", "[]", "{}", r#"{"Records":1}"#, r#"{"Records":[{]}"#, r#"{"Records":[]}x"#] {
            assert_eq!(read(body.as_bytes()), Err(Unreadable::Malformed), "{body}");
        }
        let many = |count: usize| format!("{{\"Records\":[{}]}}", vec!["1"; count].join(","));
        assert_eq!(read(many(MAX_RECORDS + 1).as_bytes()), Err(Unreadable::TooManyRecords));
        assert_eq!(read(many(MAX_RECORDS).as_bytes()).map(|read| read.len()), Ok(MAX_RECORDS));
    }
}
