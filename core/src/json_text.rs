//! JSON that came from a browser or was pasted.
use serde_json::Value;
use std::borrow::Cow;

/// The value of a text; `None` if it is not JSON.
pub(crate) fn parse_json(text: &str) -> Option<Value> {
    serde_json::from_str(text).or_else(|_| serde_json::from_str(&without_lone_surrogates(text))).ok()
}

/// JavaScript writes half a character, which is left when a string is cut within an emoji, as an escape. It becomes the replacement
/// character, as wherever a browser encodes text.
fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    let unit = |at: usize| {
        let escape = text.get(at..at + 6)?;
        u32::from_str_radix(escape.strip_prefix("\\u")?, 16).ok()
    };
    let (mut mended, mut copied, mut from) = (String::new(), 0, 0);
    while let Some(found) = text[from..].find('\\') {
        let at = from + found;
        let follows = |range: std::ops::Range<u32>| unit(at + 6).is_some_and(|next| range.contains(&next));
        from = match unit(at) {
            Some(0xd800..0xdc00) if follows(0xdc00..0xe000) => at + 12,
            Some(0xd800..0xe000) => {
                mended += &text[copied..at];
                mended += "\u{fffd}";
                copied = at + 6;
                copied
            }
            // The escaped character, of any length.
            _ => at + 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
    }
    if copied == 0 { Cow::Borrowed(text) } else { Cow::Owned(mended + &text[copied..]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_surrogates_become_replacement_characters() {
        for (written, read) in [
            (r#""\ud800""#, Some("\u{fffd}")),
            (r#""a\ud83d\u0041""#, Some("a\u{fffd}A")),
            (r#""\ud83d\ud83d\ude00\n""#, Some("\u{fffd}😀\n")),
            (r#""\udc00""#, Some("\u{fffd}")),
            (r#""\\ud800\ud800中""#, Some("\\ud800\u{fffd}中")),
            (r#""\ud83d\ude00""#, Some("😀")),
            (r#""\ud8""#, None),
            (r#""\ud8中文""#, None),
            (r#"\"#, None),
        ] {
            assert_eq!(parse_json(written), read.map(Value::from), "{written}");
        }
        assert_eq!(parse_json(r#"{"\udc00":1}"#), Some(serde_json::json!({"\u{fffd}": 1})));
        assert_eq!(parse_json(&"[".repeat(100_000)), None);
    }
}
