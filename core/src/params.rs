//! Request parameters: what is empty is dropped, date ranges go to UTC (specification, section 5).
use crate::time::{RangeEnd, range_end_to_utc};
use chrono_tz::Tz;
use serde_json::{Map, Value};

/// The range whose two ends become parameters of their own.
const NAMED_RANGE: &str = "StartAndEndTime";

/// Cleans a request's parameters, given and returned as JSON text; `None` for what is not JSON.
///
/// At every depth, in objects and arrays alike: empty strings, null and the string `NULL` are dropped, and a
/// two-element array of times is converted from the zone given to UTC. `StartAndEndTime` becomes `StartTime` and `EndTime`.
/// An object or array that this leaves empty stays, as do `0`, `false`, blanks and `null` in other cases.
pub fn scrub(parameters: &str, zone: Tz) -> Option<String> {
    let value: Value = serde_json::from_str(parameters).ok()?;
    Some(clean(value, zone).to_string())
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty() || text == "NULL",
        _ => false,
    }
}

fn clean(value: Value, zone: Tz) -> Value {
    match value {
        Value::Array(items) => {
            if let Some([from, to]) = as_range(&items, zone) {
                return Value::Array(vec![from.into(), to.into()]);
            }
            Value::Array(items.into_iter().filter(|item| !is_empty(item)).map(|item| clean(item, zone)).collect())
        }
        Value::Object(fields) => Value::Object(clean_fields(fields, zone)),
        other => other,
    }
}

fn clean_fields(fields: Map<String, Value>, zone: Tz) -> Map<String, Value> {
    let mut cleaned = Map::new();
    for (name, value) in fields {
        if is_empty(&value) {
            continue;
        }
        if name == NAMED_RANGE
            && let Value::Array(ends) = &value
        {
            let mut put = |name: &str, text: Option<&Value>, end| {
                let utc = text.and_then(Value::as_str).and_then(|text| range_end_to_utc(text, zone, end));
                if let Some(utc) = utc {
                    cleaned.insert(name.to_owned(), utc.into());
                }
            };
            // One end alone is a range that is open on the other side.
            put("StartTime", ends.first(), RangeEnd::From);
            put("EndTime", ends.get(1), RangeEnd::To);
            continue;
        }
        cleaned.insert(name, clean(value, zone));
    }
    cleaned
}

fn as_range(items: &[Value], zone: Tz) -> Option<[String; 2]> {
    let [Value::String(from), Value::String(to)] = items else { return None };
    Some([range_end_to_utc(from, zone, RangeEnd::From)?, range_end_to_utc(to, zone, RangeEnd::To)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scrubbed(text: &str) -> String {
        scrub(text, Tz::Asia__Shanghai).unwrap_or_default()
    }

    #[test]
    fn what_is_not_json_is_refused() {
        assert_eq!(scrub("{", Tz::UTC), None);
        assert_eq!(scrub("", Tz::UTC), None);
    }

    #[test]
    fn empty_values_are_dropped_at_every_depth_and_nothing_else() {
        let given = r#"{"a":"","b":null,"c":"NULL","d":"null","e":0,"f":false,"g":" ","h":[],"i":{},"j":[1,null,"","NULL",{"k":null,"l":1}]}"#;
        assert_eq!(scrubbed(given), r#"{"d":"null","e":0,"f":false,"g":" ","h":[],"i":{},"j":[1,{"l":1}]}"#);
    }

    #[test]
    fn ranges_go_to_utc_and_the_named_one_is_split() {
        assert_eq!(
            scrubbed(r#"{"StartAndEndTime":["2026-01-02","2026-01-03"],"X":1}"#),
            r#"{"EndTime":"2026-01-03 15:59:59","StartTime":"2026-01-01 16:00:00","X":1}"#
        );
        assert_eq!(
            scrubbed(r#"{"Paid":["2026-01-02 08:00:00","2026-01-03T08:00"]}"#),
            r#"{"Paid":["2026-01-02 00:00:00","2026-01-03 00:00:00"]}"#
        );
        assert_eq!(scrubbed(r#"{"StartAndEndTime":["2026-01-02",""]}"#), r#"{"StartTime":"2026-01-01 16:00:00"}"#);
        assert_eq!(
            scrubbed(r#"{"Ips":["198.18.0.1","198.18.0.2"],"At":"2026-01-02"}"#),
            r#"{"At":"2026-01-02","Ips":["198.18.0.1","198.18.0.2"]}"#
        );
    }
}
