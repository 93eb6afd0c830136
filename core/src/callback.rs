//! Callbacks of payment gateways: how much of one is taken, and what is kept of one that no gateway has signed.
use crate::account::Throttle;

/// A callback of a gateway is a few kilobytes; anything larger is refused.
pub const MAX_BYTES: usize = 64 * 1024;
/// So much of a body stands in lists, and is all that is kept of one that no gateway has signed.
pub const BEGINNING_BYTES: usize = 200;
/// What is kept of callbacks that no gateway has signed is forgotten after so long.
pub const KEEP_FORGED_DAYS: i64 = 7;

/// Callbacks without a right signature that one sender may send; those with one are never counted.
pub const FORGED_PER_SENDER: Throttle = Throttle { hits: 60, window_minutes: 60 };
/// So many of one sender are kept in a day; the others are only counted.
pub const KEPT_PER_SENDER: Throttle = Throttle { hits: 20, window_minutes: 24 * 60 };
/// The same for all senders together.
pub const KEPT_IN_ALL: Throttle = Throttle { hits: 1_000, window_minutes: 24 * 60 };

/// The beginning of a body, for people to look at: what is no text is replaced, and so are line breaks and control characters.
///
/// ```
/// use postern_core::callback::beginning;
/// assert_eq!(beginning(b"{\"a\":\0}\n"), "{\"a\":\u{fffd}} ");
/// ```
pub fn beginning(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(BEGINNING_BYTES)]);
    let shown = |character: char| match character {
        '\n' | '\r' | '\t' => ' ',
        other if other.is_control() => char::REPLACEMENT_CHARACTER,
        other => other,
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_is_text_of_at_most_so_many_bytes_of_the_body() {
        assert_eq!(beginning(b""), "");
        assert_eq!(beginning("支付".as_bytes()), "支付");
        assert_eq!(beginning(&[b'x'; 1_000]).len(), BEGINNING_BYTES);
        // The last character is cut, and not a byte of it is read beyond.
        assert_eq!(beginning("支".repeat(100).as_bytes()).chars().count(), 67);
        assert!(beginning(&[0, 0xff, 0x1b, b'a']).chars().all(|character| !character.is_control()));
    }
}
