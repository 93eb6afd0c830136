//! JSON responses. Clients localise every string that looks like a time (specification, section 5). Free text must arrive exactly as typed, so if it
//! looks like a time, its first digit is written as a Unicode escape: localisation skips it, and any JSON parser decodes it.
use postern_core::time::{is_time_field, reads_as_time};
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};
use std::io::{self, Write};

/// Serialises a response. Strings that look like times, in fields that hold none, are escaped.
pub fn to_json(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut written = Vec::with_capacity(1_024);
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut written, TimeEscapingFormatter::default()))?;
    Ok(written)
}

/// Compact JSON, with the first digit of time-like free text escaped.
#[derive(Default)]
struct TimeEscapingFormatter {
    /// The name of the current field.
    field: String,
    is_in_name: bool,
    /// Whether the current string is still empty.
    is_at_start: bool,
}

impl Formatter for TimeEscapingFormatter {
    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.field.clear();
        self.is_in_name = true;
        CompactFormatter.begin_object_key(writer, first)
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.is_in_name = false;
        Ok(())
    }

    fn begin_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.is_at_start = true;
        CompactFormatter.begin_string(writer)
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        if self.is_in_name {
            self.field.push_str(fragment);
        } else if std::mem::take(&mut self.is_at_start) && reads_as_time(fragment) && !is_time_field(&self.field) {
            let (digit, rest) = fragment.split_at(1);
            write!(writer, "\\u{:04x}", digit.as_bytes()[0])?;
            return CompactFormatter.write_string_fragment(writer, rest);
        }
        CompactFormatter.write_string_fragment(writer, fragment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use postern_core::time::{localize_response, time_zone};
    use serde_json::{Value, json};

    #[test]
    fn free_text_survives_localisation_and_times_are_localised() {
        let value = json!({
            "CreatedAt": "2026-11-21 10:00:00",
            "Note": "2026-11-21 10:00:00",
            "Rows": [{ "Name": "2026-11-21T10:00:00Z", "ExpiresAt": null }, "2026-11-21 10:00:00.5", ["2026-11-21 10:00"]],
            "Quoted": "\"2026-11-21 10:00:00\"",
            "Later": "2026-11-21 10:00:00 call Bob",
            "2026-11-21 10:00:00": "2026-11-21 10:00:00+08:00",
        });
        let text = String::from_utf8(to_json(&value).expect("JSON")).expect("UTF-8");
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), value);
        let shown: Value =
            serde_json::from_str(&localize_response(text, time_zone("Asia/Shanghai").expect("a zone"))).expect("JSON");
        let mut expected = value;
        expected["CreatedAt"] = json!("2026-11-21 18:00:00");
        assert_eq!(shown, expected);
    }
}
