//! Accounts: how long sessions and links live, how often somebody may try, and how identifiers and credentials are made
//! of random bytes that the caller brings.

use crate::order::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// Whether an account may do business. A suspended one can sign in, see its billing and contact support.
    AccountState { Active = "active", Suspended = "suspended" }
}

pub const SESSION_DAYS: i64 = 30;
pub const SIGN_UP_LINK_HOURS: i64 = 24;
pub const RESET_LINK_MINUTES: i64 = 60;

/// Sessions and links that ended are known for so long; afterwards their tokens are like any unknown one.
pub const KEEP_ENDED_DAYS: i64 = 30;
/// How long the answer to an idempotency key is kept for repeats.
pub const IDEMPOTENCY_KEY_HOURS: i64 = 48;

/// Is this a key by which a repeated request is known? Up to 64 letters, digits, `-` and `_`.
pub fn is_idempotency_key(key: &str) -> bool {
    (1..=64).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// How often something may happen within a window, counted per bucket.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Throttle {
    pub hits: i32,
    pub window_minutes: i64,
}

pub const SIGN_IN_PER_ACCOUNT: Throttle = Throttle { hits: 10, window_minutes: 15 };
pub const SIGN_IN_PER_ADDRESS: Throttle = Throttle { hits: 60, window_minutes: 15 };
pub const MAILED_LINKS_PER_RECIPIENT: Throttle = Throttle { hits: 5, window_minutes: 60 };
pub const MAILED_LINKS_PER_ADDRESS: Throttle = Throttle { hits: 60, window_minutes: 60 };

/// Codes that one account may try: enough to mistype, too few to guess.
pub const COUPON_TRIES: Throttle = Throttle { hits: 20, window_minutes: 10 };
pub const NODE_TESTS: Throttle = Throttle { hits: 30, window_minutes: 10 };

/// Nothing that is read aloud or typed off a screen mistakes these for each other.
const CLEAR_CAPITALS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
pub(crate) const CLEAR_LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// What somebody tells friends: eight clear characters.
pub fn invite_code(random: [u8; 8]) -> String {
    spell(&random, CLEAR_CAPITALS)
}

/// What an order is called: `PO` and ten clear characters, from which nobody reads how much the shop sells.
pub fn order_number(random: [u8; 10]) -> String {
    format!("PO{}", spell(&random, CLEAR_CAPITALS))
}

/// The user name of a node's account. It and the password need no escaping in any endpoint format.
pub fn node_user_name(random: [u8; 8]) -> String {
    format!("u{}", spell(&random, CLEAR_LETTERS))
}

/// The password of a node's account: 80 bits of chance.
pub fn node_password(random: [u8; 16]) -> String {
    spell(&random, CLEAR_LETTERS)
}

/// The alphabets have 32 characters, so each byte's low five bits choose one without favour.
fn spell(random: &[u8], alphabet: &[u8; 32]) -> String {
    random.iter().map(|byte| char::from(alphabet[usize::from(byte & 31)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_clear_and_need_no_escaping() {
        let everything: Vec<u8> = (0..=255).collect();
        for alphabet in [CLEAR_CAPITALS, CLEAR_LETTERS] {
            let text = spell(&everything, alphabet);
            assert!(
                text.bytes().all(|byte| byte.is_ascii_alphanumeric()) && !text.contains(['0', 'O', '1', 'I', 'l', 'o'])
            );
            assert_eq!(alphabet.iter().collect::<std::collections::HashSet<_>>().len(), 32);
        }
        assert_eq!(order_number([0; 10]), "POAAAAAAAAAA");
        assert_eq!((node_user_name([31; 8]).len(), node_password([7; 16]).len()), (9, 16));
    }
}
