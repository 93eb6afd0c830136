//! Gateway callbacks: size limits, and how much of unsigned ones is stored.
use crate::account::Throttle;
use crate::order::{PaymentMethod, Verdict};

/// The maximum size of a callback; real ones are a few kilobytes.
pub const MAX_BYTES: usize = 64 * 1024;
/// The length of the excerpt of a body that lists show; of unsigned callbacks only this is stored.
pub const EXCERPT_BYTES: usize = 200;
/// How long unsigned callbacks are kept.
pub const KEEP_FORGED_DAYS: i64 = 7;

/// Rate limit of unsigned callbacks per sender; signed ones are never limited.
pub const FORGED_PER_SENDER: Throttle = Throttle { hits: 60, window_minutes: 60 };
/// Unsigned callbacks stored per sender and day; the rest are only counted.
pub const STORED_PER_SENDER: Throttle = Throttle { hits: 20, window_minutes: 24 * 60 };
/// Unsigned callbacks stored per day, of all senders together.
pub const STORED_IN_TOTAL: Throttle = Throttle { hits: 1_000, window_minutes: 24 * 60 };

/// The excerpt of a body, for display: invalid UTF-8, line breaks and control characters are replaced.
///
/// ```
/// use postern_core::callback::excerpt;
/// assert_eq!(excerpt(b"{\"a\":\0}\n"), "{\"a\":\u{fffd}} ");
/// ```
pub fn excerpt(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(EXCERPT_BYTES)]);
    let shown = |character: char| match character {
        '\n' | '\r' | '\t' => ' ',
        other if other.is_control() => char::REPLACEMENT_CHARACTER,
        other => other,
    };
    text.chars().map(shown).collect()
}

/// Whether an operator can have a callback processed again, because what it was refused for may have been mended: it must be stored in full, and
/// come from a gateway. An operator's own confirmation of a transfer is given anew instead.
pub fn can_replay(gateway: PaymentMethod, verdict: Option<Verdict>, is_kept: bool) -> bool {
    is_kept && gateway != PaymentMethod::Transfer && verdict.is_some_and(Verdict::is_refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_refused_callbacks_that_were_kept_can_be_replayed() {
        let stripe = PaymentMethod::Stripe;
        for (gateway, verdict, is_kept, can) in [
            (stripe, Some(Verdict::UnknownPayment), true, true),
            (stripe, Some(Verdict::BadSignature), false, false),
            (stripe, Some(Verdict::Settle), true, false),
            (stripe, Some(Verdict::Duplicate), true, false),
            (stripe, None, true, false),
            (PaymentMethod::Transfer, Some(Verdict::WrongAmount), true, false),
        ] {
            assert_eq!(can_replay(gateway, verdict, is_kept), can, "{gateway:?} {verdict:?}");
        }
    }

    #[test]
    fn the_excerpt_is_valid_text_of_limited_length() {
        assert_eq!(excerpt(b""), "");
        assert_eq!(excerpt("支付".as_bytes()), "支付");
        assert_eq!(excerpt(&[b'x'; 1_000]).len(), EXCERPT_BYTES);
        // The last character is truncated, and no byte after the limit is read.
        assert_eq!(excerpt("支".repeat(100).as_bytes()).chars().count(), 67);
        assert!(excerpt(&[0, 0xff, 0x1b, b'a']).chars().all(|character| !character.is_control()));
    }
}
