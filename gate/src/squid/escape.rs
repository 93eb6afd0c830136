//! Texts that Squid writes with `%` and two hexadecimal digits for each byte that could be misread.

/// The text that was escaped; none if it is not UTF-8, or an escape is broken.
pub fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        rest = others;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, others) = rest.split_at_checked(2)?;
        bytes.extend(hex::decode(digits).ok()?);
        rest = others;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_and_broken_ones_are_refused() {
        for (text, expected) in [
            ("", Some("")),
            ("Basic%20YW5uOnI%3D", Some("Basic YW5uOnI=")),
            ("2001:db8::1", Some("2001:db8::1")),
            ("2001%3adb8%3A%3a1", Some("2001:db8::1")),
            ("%c3%a9%25", Some("é%")),
            ("%", None),
            ("a%2", None),
            ("%zz", None),
            ("%é", None),
            ("%ff", None),
        ] {
            assert_eq!(unescape(text).as_deref(), expected, "{text}");
        }
    }
}
