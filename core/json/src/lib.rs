//! Parses JSON into a tree whose leaves are slices of the text: numbers and strings are kept as written. A number parser would add more to
//! the wasm files than this whole crate.
mod error;
mod reader;
mod typed;
mod value;

pub use crate::error::{JsonError, NumberError};
pub use crate::typed::from_text;
pub use crate::value::Json;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::borrow::Cow;

    fn rewritten(text: &str) -> Option<String> {
        let mut out = String::new();
        Json::parse(text)?.write(&mut out);
        Some(out)
    }

    #[test]
    fn invalid_json_is_rejected() {
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
    fn leaves_are_kept_as_written_and_keys_are_sorted_and_unique() {
        assert_eq!(
            rewritten(
                " { \"b\" : [ 1.50 , -0e+1, 12345678901234567890123 ] , \"a\":\"\\u4e2d\\/é\", \"\\u0062\":null, \"\\n\": true }"
            ),
            Some("{\"\\u000a\":true,\"a\":\"\\u4e2d\\/é\",\"b\":null}".into())
        );
    }

    #[test]
    fn strings_are_unescaped() {
        for (written, text) in
            [(r#""\"\\\/\b\f\n\r\t""#, "\"\\/\x08\x0c\n\r\t"), (r#""\ud83d\ude00x\u00e9""#, "😀xé"), ("\"é\"", "é")]
        {
            assert_eq!(Json::parse(written).and_then(|value| value.as_text().map(Cow::into_owned)), Some(text.into()));
        }
    }

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        for (written, anew) in [
            (r#""\ud800""#, "\"\u{fffd}\""),
            (r#""a\ud83d\u0041""#, "\"a\u{fffd}A\""),
            (r#""\ud83d\ud83d\ude00\n""#, "\"\u{fffd}😀\\u000a\""),
            (r#"{"\udc00":"\udc00"}"#, "{\"\u{fffd}\":\"\u{fffd}\"}"),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
        ] {
            assert_eq!(rewritten(written).as_deref(), Some(anew), "{written}");
        }
        assert_eq!(from_text::<String>(r#""\ud83d!""#).as_deref(), Ok("\u{fffd}!"));
    }

    proptest! {
        #[test]
        fn parsing_agrees_with_serde_json(text in "[\\[\\]{}\":,0-9eE.\\-+a \\\\nu]{0,12}") {
            let other = serde_json::from_str::<serde_json::Value>(&text).ok();
            // serde_json rejects numbers too large for a float; this crate keeps them as text.
            prop_assume!(other.is_some() || !text.contains(['e', 'E']));
            let own = rewritten(&text).map(|text| serde_json::from_str::<serde_json::Value>(&text).expect("JSON"));
            prop_assert_eq!(own, other);
        }

        #[test]
        fn keys_and_strings_round_trip(key in ".{0,6}", text in ".{0,6}") {
            let value = serde_json::json!({ key: [text] });
            let own = rewritten(&value.to_string()).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&own).expect("JSON"), value);
        }
    }
}
