//! Request parameters: drops empty values and converts date ranges to UTC (specification, section 5).
use crate::field_errors::FieldErrors;
use crate::json_text::parse_json;
use crate::rule::Rule;
use crate::time::{RangeEnd, range_end_to_utc};
use chrono_tz::Tz;
use serde_json::{Map, Value};

/// The range that is split into two parameters.
const NAMED_RANGE: &str = "StartAndEndTime";

/// Why parameters cannot be cleaned.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ScrubError {
    NotJson,
    /// The range does not have one or two ends, or this end is neither a date nor a time: `StartAndEndTime.0`.
    NotATime {
        at: &'static str,
    },
    /// The range ends before it begins.
    Reversed,
}

impl ScrubError {
    /// The error of the range as a broken rule, if it is one.
    pub fn fields(&self) -> Option<FieldErrors> {
        let reversed = || FieldErrors::one(NAMED_RANGE, Rule::EndsBeforeItBegins, &[]);
        (*self == ScrubError::Reversed).then(reversed)
    }
}

/// Cleans a request's parameters, passed and returned as JSON text.
///
/// At every depth, in objects and arrays alike: empty strings, null and the string `NULL` are dropped, and a two-element array of times is
/// converted from the given zone to UTC. `StartAndEndTime` becomes `StartTime` and `EndTime`; an empty end leaves the range open on that
/// side, and an invalid one is an error, as is a range that ends before it begins. Objects and arrays that become empty are kept, and so are `0`, `false`, blank strings and `null`
/// in other cases. Keys are sorted in the output.
pub fn scrub(parameters: &str, zone: Tz) -> Result<String, ScrubError> {
    clean(parse_json(parameters).ok_or(ScrubError::NotJson)?, zone).map(|cleaned| cleaned.to_string())
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || matches!(value.as_str(), Some("" | "NULL"))
}

fn clean(value: Value, zone: Tz) -> Result<Value, ScrubError> {
    Ok(match value {
        Value::Array(items) => {
            let items: Vec<_> = items.into_iter().filter(|item| !is_empty(item)).collect();
            match as_range(&items, zone) {
                Some(range) => Value::Array(range),
                None => Value::Array(items.into_iter().map(|item| clean(item, zone)).collect::<Result<_, _>>()?),
            }
        }
        Value::Object(fields) => {
            let mut cleaned = Map::new();
            for (name, value) in fields {
                match value {
                    value if is_empty(&value) => {}
                    value if name == NAMED_RANGE => {
                        for (name, utc) in named_range(&value, zone)? {
                            cleaned.insert(name.to_owned(), utc);
                        }
                    }
                    value => {
                        cleaned.insert(name, clean(value, zone)?);
                    }
                }
            }
            Value::Object(cleaned)
        }
        other => other,
    })
}

/// The two ends of the range under their parameter names; an empty end leaves the range open on that side.
fn named_range(value: &Value, zone: Tz) -> Result<Vec<(&'static str, Value)>, ScrubError> {
    const ENDS: [(&str, RangeEnd, &str); 2] =
        [("StartTime", RangeEnd::From, "StartAndEndTime.0"), ("EndTime", RangeEnd::To, "StartAndEndTime.1")];
    let ends = match value {
        Value::Array(ends) if ends.len() <= 2 => ends,
        _ => return Err(ScrubError::NotATime { at: NAMED_RANGE }),
    };
    let mut read = Vec::new();
    for (end, (name, which, at)) in ends.iter().zip(ENDS) {
        if !is_empty(end) {
            read.push((name, as_range_end(end, zone, which).ok_or(ScrubError::NotATime { at })?));
        }
    }
    // Times in UTC are sorted as texts.
    match &read[..] {
        [(_, Value::String(from)), (_, Value::String(to))] if from > to => Err(ScrubError::Reversed),
        _ => Ok(read),
    }
}

fn as_range(items: &[Value], zone: Tz) -> Option<Vec<Value>> {
    let [from, to] = items else { return None };
    Some(vec![as_range_end(from, zone, RangeEnd::From)?, as_range_end(to, zone, RangeEnd::To)?])
}

fn as_range_end(text: &Value, zone: Tz, end: RangeEnd) -> Option<Value> {
    range_end_to_utc(text.as_str()?, zone, end).map(Value::String)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scrubbed(text: &str) -> String {
        scrub(text, Tz::Asia__Shanghai).unwrap_or_default()
    }

    #[test]
    fn invalid_json_is_rejected() {
        assert_eq!(scrub("{", Tz::UTC), Err(ScrubError::NotJson));
        assert_eq!(scrub("", Tz::UTC), Err(ScrubError::NotJson));
    }

    #[test]
    fn an_invalid_range_is_rejected_with_its_path() {
        for (range, at) in [
            (r#"["yesterday","2026-01-03"]"#, "StartAndEndTime.0"),
            (r#"["2026-01-02","2026-02-30"]"#, "StartAndEndTime.1"),
            (r#"["2026-01-02",7]"#, "StartAndEndTime.1"),
            (r#"["2026-01-02","2026-01-03","2026-01-04"]"#, "StartAndEndTime"),
            (r#""2026-01-02""#, "StartAndEndTime"),
            (r#"{"From":"2026-01-02"}"#, "StartAndEndTime"),
        ] {
            let text = format!(r#"{{"Filter":[{{"StartAndEndTime":{range}}}]}}"#);
            assert_eq!(scrub(&text, Tz::UTC), Err(ScrubError::NotATime { at }), "{range}");
        }
        for open in ["[]", r#"["",null]"#, r#"["NULL"]"#, "null", r#""""#] {
            assert_eq!(scrub(&format!(r#"{{"StartAndEndTime":{open}}}"#), Tz::UTC), Ok("{}".to_owned()), "{open}");
        }
    }

    #[test]
    fn a_range_that_ends_before_it_begins_is_rejected() {
        for (from, to, is_refused) in [
            ("2026-01-03", "2026-01-02", true),
            ("2026-01-02 10:00:00", "2026-01-02 09:59:59", true),
            ("2026-01-02T10:00:00+08:00", "2026-01-02T02:00:00Z", false),
            ("2026-01-02", "2026-01-02", false),
        ] {
            let read = scrub(&format!(r#"{{"StartAndEndTime":["{from}","{to}"]}}"#), Tz::UTC);
            assert_eq!(read.is_err_and(|error| error.fields().is_some()), is_refused, "{from} {to}");
        }
    }

    #[test]
    fn a_lone_surrogate_is_sent_as_a_replacement_character() {
        assert_eq!(scrubbed(r#"{"Note":"a\ud83d","\udc00":1}"#), "{\"Note\":\"a\u{fffd}\",\"\u{fffd}\":1}");
    }

    #[test]
    fn empty_values_are_dropped_at_every_depth_and_nothing_else_is() {
        let given = r#"{"a":"","b":null,"c":"NULL","d":"null","e":0,"f":false,"g":" ","h":[],"i":{},"j":[1,null,"","NULL",{"k":null,"l":1}]}"#;
        assert_eq!(scrubbed(given), r#"{"d":"null","e":0,"f":false,"g":" ","h":[],"i":{},"j":[1,{"l":1}]}"#);
    }

    #[test]
    fn an_explicit_start_takes_precedence_over_that_of_the_range() {
        assert_eq!(
            scrubbed(r#"{"StartTime":"2026-01-05 00:00:00","StartAndEndTime":["2026-01-02",""]}"#),
            r#"{"StartTime":"2026-01-05 00:00:00"}"#
        );
    }

    #[test]
    fn ranges_are_converted_to_utc_and_the_named_one_is_split() {
        assert_eq!(
            scrubbed(r#"{"StartAndEndTime":["2026-01-02","2026-01-03"],"X":1}"#),
            r#"{"EndTime":"2026-01-03 15:59:59","StartTime":"2026-01-01 16:00:00","X":1}"#
        );
        assert_eq!(
            scrubbed(r#"{"Paid":["2026-01-02 08:00:00","2026-01-03T08:00"]}"#),
            r#"{"Paid":["2026-01-02 00:00:00","2026-01-03 00:00:00"]}"#
        );
        assert_eq!(
            scrubbed(r#"{"Paid":["2026-01-02",null,"2026-01-03"]}"#),
            r#"{"Paid":["2026-01-01 16:00:00","2026-01-03 15:59:59"]}"#
        );
        assert_eq!(scrubbed(r#"{"StartAndEndTime":["2026-01-02",""]}"#), r#"{"StartTime":"2026-01-01 16:00:00"}"#);
        assert_eq!(
            scrubbed(r#"{"Ips":["198.18.0.1","198.18.0.2"],"At":"2026-01-02"}"#),
            r#"{"At":"2026-01-02","Ips":["198.18.0.1","198.18.0.2"]}"#
        );
    }
}
