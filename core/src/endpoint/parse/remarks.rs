//! Words beside an address that are remarks rather than credentials: places, protocols, speeds, states.
use crate::place::{find_city, find_country};

/// Words of proxy lists, in lower case.
const WORDS: &[&str] = &[
    "active",
    "ago",
    "alive",
    "anm",
    "anon",
    "anonymous",
    "bad",
    "checked",
    "connect",
    "datacenter",
    "dead",
    "distorting",
    "down",
    "elite",
    "false",
    "fast",
    "good",
    "hia",
    "high",
    "inactive",
    "ipv4",
    "ipv6",
    "isp",
    "low",
    "mobile",
    "n/a",
    "nan",
    "new",
    "no",
    "noa",
    "none",
    "null",
    "offline",
    "ok",
    "online",
    "proxies",
    "proxy",
    "residential",
    "rotating",
    "slow",
    "socks4",
    "socks4a",
    "ssl",
    "static",
    "transparent",
    "true",
    "unknown",
    "up",
    "working",
    "yes",
];

/// Units of a number: times, shares, speeds, sizes.
const UNITS: &[&str] = &[
    "%", "d", "gb", "h", "hr", "hrs", "kb", "kb/s", "kbps", "m", "mb", "mb/s", "mbps", "min", "mins", "ms", "s", "sec",
    "secs",
];

/// Whether the word is a remark, or might be one.
pub(super) fn is_remark(word: &str) -> bool {
    !word.contains(char::is_alphanumeric)
        || is_code(word)
        || is_measure(word)
        || is_moment(word)
        || WORDS.contains(&word.to_ascii_lowercase().as_str())
        || (word.len() > 3 && find_country(word).is_some())
        || find_city(word).is_some()
}

/// A country and further marks: `US`, `USA`, `US-A`, `AR-N-S!`.
fn is_code(word: &str) -> bool {
    let country = word.bytes().take_while(u8::is_ascii_uppercase).count();
    let is_mark = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'!' | b'+');
    matches!(country, 2..=3)
        && word.bytes().all(is_mark)
        && word.as_bytes().get(country).is_none_or(|next| matches!(next, b'-' | b'!' | b'+'))
}

/// A number with a unit: `120ms`, `<0.5s`, `98%`.
fn is_measure(word: &str) -> bool {
    let word = word.trim_start_matches(['<', '>', '~']);
    let unit = word.trim_start_matches(|character: char| character.is_ascii_digit() || matches!(character, '.' | ','));
    unit.len() < word.len() && UNITS.contains(&unit.to_ascii_lowercase().as_str())
}

/// A time, a date or a decimal: digits with something in between.
fn is_moment(word: &str) -> bool {
    let digits = |byte: u8| byte.is_ascii_digit();
    word.bytes().all(|byte| digits(byte) || matches!(byte, b':' | b'-' | b'/' | b'.')) && !word.bytes().all(digits)
}

/// What precedes a remark in brackets at the end of the line: `198.18.0.1:80:ann:pw{office}`. The brackets of an IPv6 address hold no
/// remark.
pub(super) fn before_remark(line: &str) -> Option<&str> {
    let open = match line.chars().next_back()? {
        '}' => '{',
        ']' => '[',
        ')' => '(',
        _ => return None,
    };
    let (before, inside) = line.rsplit_once(open)?;
    let is_address = open == '[' && inside[..inside.len() - 1].parse::<std::net::Ipv6Addr>().is_ok();
    let before = before.trim_end();
    (!is_address && !before.is_empty()).then_some(before)
}

/// The line as it was meant, if that may differ from how it is written: without a comment, and with the characters of a full-width input
/// method in ASCII.
pub(super) fn as_meant(line: &str) -> Option<String> {
    let is_wide = |character: char| {
        ('\u{ff01}'..='\u{ff5e}').contains(&character) || matches!(character, '\u{3002}' | '\u{3000}' | '\u{a0}')
    };
    let end = line.find(" #").or_else(|| line.find("\t#"));
    if end.is_none() && !line.contains(is_wide) {
        return None;
    }
    let narrow = |character: char| match character {
        '\u{3002}' => '.',
        '\u{3000}' | '\u{a0}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(character) - 0xfee0).unwrap_or(character),
        other => other,
    };
    Some(line[..end.unwrap_or(line.len())].trim_end().chars().map(narrow).collect())
}
