//! JSON text as a tree whose leaves are pieces of the text: numbers and strings keep the form in which they were written.
//! A parser of numbers would be larger in the browser than all that is built on this.
mod reader;
mod typed;
mod value;
mod wrong;

pub use crate::typed::from_text;
pub use crate::value::Json;
pub use crate::wrong::{WrongJson, WrongNumber};

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

    #[test]
    fn half_a_character_becomes_a_replacement() {
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
