//! A JSON value.
use std::borrow::Cow;

/// A JSON value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Json<'t> {
    /// A number, `true`, `false` or `null`, as written.
    Plain(&'t str),
    /// A string, as written, without its quotes.
    Text(Cow<'t, str>),
    Array(Vec<Json<'t>>),
    /// Unescaped keys with their values, sorted and unique. Of duplicate keys the last value is kept.
    Object(Vec<(Cow<'t, str>, Json<'t>)>),
}

impl<'t> Json<'t> {
    /// The unescaped text of a string; `None` for other values.
    pub fn as_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Json::Text(written) => unescape(written),
            _ => None,
        }
    }

    /// Sets a field of an object, replacing the value of an equal key.
    pub fn insert(fields: &mut Vec<(Cow<'t, str>, Json<'t>)>, key: Cow<'t, str>, value: Json<'t>) {
        match fields.binary_search_by(|(other, _)| other.as_ref().cmp(key.as_ref())) {
            Ok(index) => fields[index].1 = value,
            Err(index) => fields.insert(index, (key, value)),
        }
    }

    /// Writes the value without whitespace.
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

pub fn write_quoted(written: &str, out: &mut String) {
    out.push('"');
    out.push_str(written);
    out.push('"');
}

/// Escapes a text for use between the quotes of a JSON string.
pub fn escape(text: &str) -> Cow<'_, str> {
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

/// Unescapes the text between the quotes of a JSON string; `None` for an invalid escape. A lone surrogate, which JavaScript leaves when it
/// cuts a string within an emoji, becomes the replacement character, as it does wherever a browser encodes text.
pub fn unescape(written: &str) -> Option<Cow<'_, str>> {
    if !written.as_bytes().contains(&b'\\') {
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
                let low = rest.strip_prefix("\\u").and_then(hex_unit).and_then(|unit| unit.checked_sub(0xdc00));
                match (first.checked_sub(0xd800), low) {
                    (Some(high @ ..0x400), Some(low @ ..0x400)) => {
                        rest = rest.get(6..)?;
                        char::from_u32(0x1_0000 + (high << 10) + low)?
                    }
                    _ => char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER),
                }
            }
            _ => return None,
        });
    }
    text.push_str(rest);
    Some(Cow::Owned(text))
}

pub fn hex_unit(text: &str) -> Option<u32> {
    let digits = text.as_bytes().get(..4)?;
    digits.iter().try_fold(0, |unit, digit| Some(unit * 16 + char::from(*digit).to_digit(16)?))
}
