//! Accounts: lifetimes of sessions and links, rate limits, and identifiers and credentials generated
//! from random bytes that the caller passes in.

use crate::permission::Level;
use crate::wire_enum::wire_enum;

wire_enum! {
    /// The state of an account. A suspended one can sign in, see its billing and contact support.
    AccountState { Active = "active", Suspended = "suspended" }
}

wire_enum! {
    /// What an operator changed about an account, beside its terms.
    AccountChange {
        Suspended = "suspended",
        Resumed = "resumed",
        InvitationCodeShown = "invitation_code_shown",
        InvitationCodeHidden = "invitation_code_hidden",
        AccessTokenShown = "access_token_shown",
        AccessTokenHidden = "access_token_hidden",
    }
}

/// Whether an operator may suspend an account of this level, and resume it. Operators can only be suspended on the server's command line.
pub fn operator_can_suspend(level: Level) -> bool {
    level != Level::Operator
}

wire_enum! {
    /// What somebody wants a mailed link for.
    LinkKind { SignUp = "sign_up", PasswordReset = "password_reset" }
}

wire_enum! {
    /// The state of a change of a user's e-mail address.
    EmailChangeState {
        /// The new address is not confirmed yet.
        Waiting = "waiting",
        /// The new address is in use; the old one can still take the change back.
        Confirmed = "confirmed",
        /// A later request took its place.
        Replaced = "replaced",
        /// The old address stopped it or took it back.
        Stopped = "stopped",
    }
}

pub const SESSION_DAYS: i64 = 30;
pub const SIGN_UP_LINK_HOURS: i64 = 24;
pub const RESET_LINK_MINUTES: i64 = 60;
/// How long the new address can confirm a change of the e-mail address.
pub const EMAIL_CHANGE_HOURS: i64 = 24;
/// How long the old address can stop a change, or take it back. Longer, so that a weekend does not decide.
pub const EMAIL_CHANGE_STOP_HOURS: i64 = 72;

/// How long ended sessions and links are still recognised; after that, their tokens are like unknown ones.
pub const KEEP_ENDED_DAYS: i64 = 30;
/// How long the stored answer of an idempotency key is kept.
pub const IDEMPOTENCY_KEY_HOURS: i64 = 48;
pub const IDEMPOTENCY_KEY_MAX_LENGTH: usize = 64;

/// Whether this is a valid idempotency key: up to 64 letters, digits, `-` and `_`.
pub fn is_idempotency_key(key: &str) -> bool {
    (1..=IDEMPOTENCY_KEY_MAX_LENGTH).contains(&key.len())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// A rate limit: hits per window, counted per bucket.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Throttle {
    pub hits: i32,
    pub window_minutes: i64,
}

/// Attempts of one sender at one account. Per sender, so that nobody else can lock the owner out.
pub const SIGN_IN_PER_ACCOUNT_AND_SENDER: Throttle = Throttle { hits: 10, window_minutes: 15 };
/// Attempts of one sender at all accounts together.
pub const SIGN_IN_PER_SENDER: Throttle = Throttle { hits: 60, window_minutes: 15 };
/// Attempts of all unknown devices at one account, from anywhere: stops distributed guessing.
pub const SIGN_IN_PER_ACCOUNT: Throttle = Throttle { hits: 100, window_minutes: 60 };
/// Attempts of a known device. No other limit applies to it.
pub const SIGN_IN_PER_KNOWN_DEVICE: Throttle = Throttle { hits: 10, window_minutes: 15 };
pub const MAILED_LINKS_PER_RECIPIENT: Throttle = Throttle { hits: 5, window_minutes: 60 };
pub const MAILED_LINKS_PER_SENDER: Throttle = Throttle { hits: 60, window_minutes: 60 };

/// Passwords that a signed-in user enters again.
pub const PASSWORDS_PER_USER: Throttle = Throttle { hits: 10, window_minutes: 15 };
/// Changes of the e-mail address that a user requests.
pub const EMAIL_CHANGES_PER_USER: Throttle = Throttle { hits: 5, window_minutes: 60 };
/// Exports of everything about an account.
pub const EXPORTS_PER_USER: Throttle = Throttle { hits: 5, window_minutes: 60 };

/// Fetches of one list URL.
pub const LIST_FETCHES: Throttle = Throttle { hits: 30, window_minutes: 1 };
/// Fetches by one sender of list URLs that do not exist.
pub const LIST_TRIES_PER_SENDER: Throttle = Throttle { hits: 60, window_minutes: 1 };

/// A known device that has not signed in for this long is forgotten.
pub const KNOWN_DEVICE_DAYS: i64 = 180;
/// Known devices per user; one more replaces one that never came back, or else the least recently seen.
pub const KNOWN_DEVICES_PER_USER: i64 = 20;

/// Whether this has the form of a device id as the server generates it: 43 characters with 256 bits of entropy.
pub fn is_device_id(id: &str) -> bool {
    id.len() == 43 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// The buckets that a sign-in attempt counts towards. `known_device` is the hash of the id of a device known to the account.
pub struct SignInCounts {
    /// The buckets, with their limits.
    pub counts: Vec<(String, Throttle)>,
    /// The bucket shared by all unknown devices; a successful attempt is taken back from it.
    unknown_devices_bucket: Option<String>,
}

impl SignInCounts {
    pub fn of(email: &str, sender: &str, known_device: Option<&str>) -> SignInCounts {
        if let Some(device) = known_device {
            let own = format!("sign-in to {email} with {device}");
            return SignInCounts { counts: vec![(own, SIGN_IN_PER_KNOWN_DEVICE)], unknown_devices_bucket: None };
        }
        let strangers = format!("sign-in to {email}");
        let counts = vec![
            (format!("sign-in to {email} from {sender}"), SIGN_IN_PER_ACCOUNT_AND_SENDER),
            (format!("sign-in from {sender}"), SIGN_IN_PER_SENDER),
            (strangers.clone(), SIGN_IN_PER_ACCOUNT),
        ];
        SignInCounts { counts, unknown_devices_bucket: Some(strangers) }
    }

    /// The bucket that a success resets: mistyped passwords are forgiven once the right one is given.
    pub fn bucket_to_reset(&self) -> &str {
        &self.counts[0].0
    }

    /// The bucket from which a success takes back its own attempt only.
    pub fn bucket_to_undo(&self) -> Option<&str> {
        self.unknown_devices_bucket.as_deref()
    }
}

/// Coupon attempts per account: enough for typos, too few to guess.
pub const COUPON_TRIES: Throttle = Throttle { hits: 20, window_minutes: 10 };
pub const NODE_TESTS: Throttle = Throttle { hits: 30, window_minutes: 10 };

/// Unambiguous characters: none of them is confused with another when read aloud or typed.
const UNAMBIGUOUS_UPPER: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
pub(crate) const UNAMBIGUOUS_LOWER: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// A referrer's invitation code: eight unambiguous characters.
pub fn invite_code(random: [u8; 8]) -> String {
    spell(&random, UNAMBIGUOUS_UPPER)
}

/// An order number: `PO` and ten random characters, which do not reveal the shop's sales volume.
pub fn order_number(random: [u8; 10]) -> String {
    format!("PO{}", spell(&random, UNAMBIGUOUS_UPPER))
}

/// A generated user name for a node. Neither it nor the password needs escaping in any endpoint format.
pub fn node_user_name(random: [u8; 8]) -> String {
    format!("u{}", spell(&random, UNAMBIGUOUS_LOWER))
}

/// A generated password for a node: 80 bits of entropy.
pub fn node_password(random: [u8; 16]) -> String {
    spell(&random, UNAMBIGUOUS_LOWER)
}

/// The alphabets have 32 characters, so the low five bits of each byte select one without bias.
fn spell(random: &[u8], alphabet: &[u8; 32]) -> String {
    random.iter().map(|byte| char::from(alphabet[usize::from(byte & 31)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operator_suspends_customers_and_no_operators() {
        let can = [Level::Customer, Level::Reseller, Level::Operator].map(operator_can_suspend);
        assert_eq!(can, [true, true, false]);
    }

    #[test]
    fn a_stranger_shares_counts_and_a_known_device_has_its_own() {
        let buckets = |sender: &str, device: Option<&str>| {
            let counts = SignInCounts::of("ann@example.com", sender, device).counts;
            counts.into_iter().map(|(bucket, _)| bucket).collect::<std::collections::BTreeSet<_>>()
        };
        let (one, other) = (buckets("203.0.113.9", None), buckets("203.0.113.10", None));
        assert_eq!(one.intersection(&other).collect::<Vec<_>>(), ["sign-in to ann@example.com"]);
        let known = buckets("203.0.113.9", Some("d1"));
        assert!(known.is_disjoint(&one) && known.is_disjoint(&buckets("203.0.113.9", Some("d2"))));
    }

    #[test]
    fn a_success_forgives_its_own_mistakes_and_no_strangers() {
        let stranger = SignInCounts::of("ann@example.com", "203.0.113.9", None);
        assert_eq!(stranger.bucket_to_reset(), "sign-in to ann@example.com from 203.0.113.9");
        assert_eq!(stranger.bucket_to_undo(), Some("sign-in to ann@example.com"));
        let known = SignInCounts::of("ann@example.com", "203.0.113.9", Some("d1"));
        assert_eq!((known.bucket_to_reset(), known.bucket_to_undo()), ("sign-in to ann@example.com with d1", None));
    }

    #[test]
    fn a_devices_id_is_made_by_the_server_or_as_it_makes_them() {
        assert!(is_device_id(&"aZ0-_".repeat(9)[..43]));
        for id in ["", "a", &"a".repeat(42), &"a".repeat(44), &"é".repeat(43), &format!("{} ", "a".repeat(42))] {
            assert!(!is_device_id(id), "{id}");
        }
    }

    #[test]
    fn identifiers_are_clear_and_need_no_escaping() {
        let everything: Vec<u8> = (0..=255).collect();
        for alphabet in [UNAMBIGUOUS_UPPER, UNAMBIGUOUS_LOWER] {
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
