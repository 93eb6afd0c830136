//! JSON text as a tree whose leaves are pieces of the text: numbers and strings keep the form in which they were written.
//! A parser of numbers would be larger in the browser than all that is built on this.
mod reader;
mod typed;

pub use typed::{WrongJson, from_text};

use reader::Reader;
use std::borrow::Cow;

/// One value of a JSON text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Json<'t> {
    /// A number, `true`, `false` or `null`, as written.
    Plain(&'t str),
    /// A string, as written, without its quotes.
    Text(Cow<'t, str>),
    Array(Vec<Json<'t>>),
    /// Keys, unescaped, with their values: sorted, each once. A key that comes twice has its last value.
    Object(Vec<(Cow<'t, str>, Json<'t>)>),
}

impl<'t> Json<'t> {
    /// Reads one value with blanks around it; `None` for what is not JSON.
    pub fn parse(text: &'t str) -> Option<Json<'t>> {
        let mut reader = Reader::new(text);
        let value = reader.value()?;
        reader.is_at_end().then_some(value)
    }

    /// Reads the value that the text begins with, and says how many bytes it takes.
    pub fn parse_first(text: &'t str) -> Option<(Json<'t>, usize)> {
        let mut reader = Reader::new(text);
        let value = reader.value()?;
        Some((value, reader.position()))
    }

    /// The unescaped text of a string; `None` for other values.
    pub fn as_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Json::Text(written) => unescape(written),
            _ => None,
        }
    }

    /// Puts a value into the fields of an object, in the place of an older one with this key.
    pub fn insert(fields: &mut Vec<(Cow<'t, str>, Json<'t>)>, key: Cow<'t, str>, value: Json<'t>) {
        match fields.binary_search_by(|(other, _)| other.as_ref().cmp(key.as_ref())) {
            Ok(index) => fields[index].1 = value,
            Err(index) => fields.insert(index, (key, value)),
        }
    }

    /// Writes the value without blanks.
    pub fn write(&self, out: &mut String) {
        match self {
            Json::Plain(written) => out.push_str(written),
            Json::Text(written) => write_quoted(written, out),
            Json::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Json::Object(fields) => {
                out.push('{');
                for (index, (key, value)) in fields.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    write_quoted(&escape(key), out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

fn write_quoted(written: &str, out: &mut String) {
    out.push('"');
    out.push_str(written);
    out.push('"');
}

/// A text as it is written between the quotes of a JSON string.
fn escape(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        return Cow::Borrowed(text);
    }
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut written = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match character {
            '"' | '\\' => written.extend(['\\', character]),
            '\0'..='\x1f' => {
                written.push_str("\\u00");
                let code = character as usize;
                written.extend([char::from(HEX[code >> 4]), char::from(HEX[code & 15])]);
            }
            _ => written.push(character),
        }
    }
    Cow::Owned(written)
}

/// What is written between the quotes of a JSON string as a text; `None` for an escape that JSON or Unicode does not have.
fn unescape(written: &str) -> Option<Cow<'_, str>> {
    if !written.contains('\\') {
        return Some(Cow::Borrowed(written));
    }
    let mut text = String::with_capacity(written.len());
    let mut rest = written;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let (kind, after) = (*after.as_bytes().first()?, after.get(1..)?);
        rest = after;
        text.push(match kind {
            b'"' | b'\\' | b'/' => char::from(kind),
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = hex_unit(rest)?;
                rest = rest.get(4..)?;
                if (0xd800..0xdc00).contains(&first) {
                    let second = hex_unit(rest.strip_prefix("\\u")?)?;
                    rest = rest.get(6..)?;
                    let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
                    char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + low)?
                } else {
                    char::from_u32(first)?
                }
            }
            _ => return None,
        });
    }
    text.push_str(rest);
    Some(Cow::Owned(text))
}

fn hex_unit(text: &str) -> Option<u32> {
    let digits = text.as_bytes().get(..4)?;
    digits.iter().try_fold(0, |unit, digit| Some(unit * 16 + char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rewritten(text: &str) -> Option<String> {
        let mut out = String::new();
        Json::parse(text)?.write(&mut out);
        Some(out)
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for text in [
            "",
            " ",
            "{",
            "[",
            "[1,]",
            "{\"a\":1,}",
            "{\"a\"}",
            "{a:1}",
            "01",
            "-",
            "1.",
            ".5",
            "+1",
            "1e",
            "nul",
            "tru e",
            "\"",
            "\"\\\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\u12g4\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "\"\\udc00\"",
            "\"a\nb\"",
            "1 2",
            "[1 2]",
            "{\"a\" 1}",
            "\"\\é\"",
            "]",
            "NaN",
        ] {
            assert_eq!(rewritten(text), None, "{text}");
        }
        assert_eq!(rewritten(&"[".repeat(100_000)), None);
        assert_eq!(rewritten(&format!("{}{}", "[".repeat(128), "]".repeat(128))).map(|text| text.len()), Some(256));
    }

    #[test]
    fn leaves_stay_as_written_and_keys_are_sorted_each_once() {
        assert_eq!(
            rewritten(
                " { \"b\" : [ 1.50 , -0e+1, 12345678901234567890123 ] , \"a\":\"\\u4e2d\\/é\", \"\\u0062\":null, \"\\n\": true }"
            ),
            Some("{\"\\u000a\":true,\"a\":\"\\u4e2d\\/é\",\"b\":null}".into())
        );
    }

    #[test]
    fn texts_are_unescaped() {
        for (written, text) in
            [(r#""\"\\\/\b\f\n\r\t""#, "\"\\/\x08\x0c\n\r\t"), (r#""\ud83d\ude00x\u00e9""#, "😀xé"), ("\"é\"", "é")]
        {
            assert_eq!(Json::parse(written).and_then(|value| value.as_text().map(Cow::into_owned)), Some(text.into()));
        }
    }

    proptest! {
        #[test]
        fn it_accepts_and_means_what_serde_json_does(text in "[\\[\\]{}\":,0-9eE.\\-+a \\\\nu]{0,12}") {
            let other = serde_json::from_str::<serde_json::Value>(&text).ok();
            // What serde_json finds too large for a float is left for others to judge.
            prop_assume!(other.is_some() || !text.contains(['e', 'E']));
            let own = rewritten(&text).map(|text| serde_json::from_str::<serde_json::Value>(&text).expect("JSON"));
            prop_assert_eq!(own, other);
        }

        #[test]
        fn keys_and_texts_come_back(key in ".{0,6}", text in ".{0,6}") {
            let value = serde_json::json!({ key: [text] });
            let own = rewritten(&value.to_string()).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&own).expect("JSON"), value);
        }
    }
}
