//! Accounts: lifetimes of sessions and links, rate limits, and identifiers and credentials generated from random bytes that the caller
//! supplies.

use crate::permission::Level;
use crate::wire_enum::wire_enum;

wire_enum! {
    /// The state of an account. A suspended one can sign in, see its billing and contact support.
    AccountState { Active = "active", Suspended = "suspended" }
}

/// Whether an operator may change an account of this level on screen: suspend and resume it, change its wallet, turn off its second factor or
/// look at the shop as it. Operators' accounts can only be changed by commands on the server.
pub fn operator_can_change(level: Level) -> bool {
    level != Level::Operator
}

wire_enum! {
    /// What a mailed link was requested for.
    LinkKind { SignUp = "sign_up", PasswordReset = "password_reset" }
}

wire_enum! {
    /// The state of an e-mail address change.
    EmailChangeState {
        /// The new address is not confirmed yet.
        Waiting = "waiting",
        /// The new address is in use; the old one can still revert the change.
        Confirmed = "confirmed",
        /// Superseded by a later request.
        Replaced = "replaced",
        /// Cancelled or reverted from the old address.
        Stopped = "stopped",
    }
}

pub const SESSION_DAYS: i64 = 30;
/// How long an operator can look at the shop as a customer.
pub const VIEW_MINUTES: i64 = 60;
pub const SIGN_UP_LINK_HOURS: i64 = 24;
pub const RESET_LINK_MINUTES: i64 = 60;
/// How long the new address can confirm an e-mail address change.
pub const EMAIL_CHANGE_HOURS: i64 = 24;
/// How long the old address can cancel or revert the change. Longer than the confirmation, so that a weekend is covered.
pub const EMAIL_CHANGE_STOP_HOURS: i64 = 72;

/// How long ended sessions and links are still recognised; after that, their tokens are treated as unknown.
pub const KEEP_ENDED_DAYS: i64 = 30;
/// How long the stored response of an idempotency key is kept.
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

/// Attempts from one sender at one account. Counted per sender, so that nobody else can lock the owner out.
pub const SIGN_IN_PER_ACCOUNT_AND_SENDER: Throttle = Throttle { hits: 10, window_minutes: 15 };
/// Attempts from one sender at all accounts together.
pub const SIGN_IN_PER_SENDER: Throttle = Throttle { hits: 60, window_minutes: 15 };
/// Attempts from all unknown devices at one account, whatever the sender: stops distributed guessing.
pub const SIGN_IN_PER_ACCOUNT: Throttle = Throttle { hits: 100, window_minutes: 60 };
/// Attempts from a known device. No other limit applies to it.
pub const SIGN_IN_PER_KNOWN_DEVICE: Throttle = Throttle { hits: 10, window_minutes: 15 };
pub const MAILED_LINKS_PER_RECIPIENT: Throttle = Throttle { hits: 5, window_minutes: 60 };
pub const MAILED_LINKS_PER_SENDER: Throttle = Throttle { hits: 60, window_minutes: 60 };

/// Password re-entries by a signed-in user.
pub const PASSWORDS_PER_USER: Throttle = Throttle { hits: 10, window_minutes: 15 };
/// New passwords by a reset or a change, whether accepted or too easy to guess.
pub const NEW_PASSWORDS_PER_USER: Throttle = Throttle { hits: 20, window_minutes: 60 };
pub const NEW_PASSWORDS_PER_SENDER: Throttle = Throttle { hits: 60, window_minutes: 60 };
/// Passwords entered at the mailed link of one sign-up.
pub const PASSWORDS_PER_SIGN_UP: Throttle = Throttle { hits: 10, window_minutes: 15 };
/// Requests to change the e-mail address, per user.
pub const EMAIL_CHANGES_PER_USER: Throttle = Throttle { hits: 5, window_minutes: 60 };
/// Requests to change customers' e-mail addresses, per operator.
pub const EMAIL_CHANGES_BY_OPERATOR: Throttle = Throttle { hits: 60, window_minutes: 60 };
/// Exports of an account's data.
pub const EXPORTS_PER_USER: Throttle = Throttle { hits: 5, window_minutes: 60 };

/// Fetches of one list URL.
pub const LIST_FETCHES: Throttle = Throttle { hits: 30, window_minutes: 1 };
/// Fetches of an account's list URLs that one server answers at once.
pub const LIST_FETCHES_AT_ONCE: u32 = 8;
/// Fetches from one sender of list URLs that do not exist.
pub const LIST_ATTEMPTS_PER_SENDER: Throttle = Throttle { hits: 60, window_minutes: 1 };

/// A known device that has not signed in for this long is forgotten.
pub const KNOWN_DEVICE_DAYS: i64 = 180;
/// Known devices per user; another one replaces one that was never used again, or else the least recently used.
pub const KNOWN_DEVICES_PER_USER: i64 = 20;

/// Whether this has the form of a device id generated by the server: 43 characters with 256 bits of entropy.
pub fn is_device_id(id: &str) -> bool {
    id.len() == 43 && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// The buckets that a sign-in attempt counts towards. `known_device` is the hash of the id of a device known to the account.
pub struct SignInBuckets {
    /// The buckets, with their limits.
    pub limits: Vec<(String, Throttle)>,
    /// The bucket shared by all unknown devices; a successful attempt is uncounted there.
    unknown_devices_bucket: Option<String>,
}

impl SignInBuckets {
    pub fn of(email: &str, sender: &str, known_device: Option<&str>) -> SignInBuckets {
        if let Some(device) = known_device {
            let own = format!("sign-in to {email} with {device}");
            return SignInBuckets { limits: vec![(own, SIGN_IN_PER_KNOWN_DEVICE)], unknown_devices_bucket: None };
        }
        let strangers = format!("sign-in to {email}");
        let limits = vec![
            (format!("sign-in to {email} from {sender}"), SIGN_IN_PER_ACCOUNT_AND_SENDER),
            (format!("sign-in from {sender}"), SIGN_IN_PER_SENDER),
            (strangers.clone(), SIGN_IN_PER_ACCOUNT),
        ];
        SignInBuckets { limits, unknown_devices_bucket: Some(strangers) }
    }

    /// The bucket that a successful sign-in resets, so that mistyped passwords are forgiven.
    pub fn bucket_to_reset(&self) -> &str {
        &self.limits[0].0
    }

    /// The bucket from which a successful sign-in subtracts only its own attempt.
    pub fn bucket_to_undo(&self) -> Option<&str> {
        self.unknown_devices_bucket.as_deref()
    }
}

/// Coupon attempts per account: enough for typos, too few for guessing.
pub const COUPON_ATTEMPTS: Throttle = Throttle { hits: 20, window_minutes: 10 };
pub const NODE_TESTS: Throttle = Throttle { hits: 30, window_minutes: 10 };

/// Characters that are not mistaken for one another when read aloud or typed.
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

/// Whether this is a whole order number, in letters of either case.
pub fn is_order_number(text: &str) -> bool {
    let text = text.to_ascii_uppercase();
    text.strip_prefix("PO")
        .is_some_and(|spelled| spelled.len() == 10 && spelled.bytes().all(|byte| UNAMBIGUOUS_UPPER.contains(&byte)))
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
    fn an_operator_can_change_customers_but_no_operators() {
        let can = [Level::Customer, Level::Reseller, Level::Operator].map(operator_can_change);
        assert_eq!(can, [true, true, false]);
    }

    #[test]
    fn unknown_devices_share_buckets_and_a_known_device_has_its_own() {
        let buckets = |sender: &str, device: Option<&str>| {
            let limits = SignInBuckets::of("ann@example.com", sender, device).limits;
            limits.into_iter().map(|(bucket, _)| bucket).collect::<std::collections::BTreeSet<_>>()
        };
        let (one, other) = (buckets("203.0.113.9", None), buckets("203.0.113.10", None));
        assert_eq!(one.intersection(&other).collect::<Vec<_>>(), ["sign-in to ann@example.com"]);
        let known = buckets("203.0.113.9", Some("d1"));
        assert!(known.is_disjoint(&one) && known.is_disjoint(&buckets("203.0.113.9", Some("d2"))));
    }

    #[test]
    fn a_success_resets_its_own_attempts_but_not_those_of_other_devices() {
        let stranger = SignInBuckets::of("ann@example.com", "203.0.113.9", None);
        assert_eq!(stranger.bucket_to_reset(), "sign-in to ann@example.com from 203.0.113.9");
        assert_eq!(stranger.bucket_to_undo(), Some("sign-in to ann@example.com"));
        let known = SignInBuckets::of("ann@example.com", "203.0.113.9", Some("d1"));
        assert_eq!((known.bucket_to_reset(), known.bucket_to_undo()), ("sign-in to ann@example.com with d1", None));
    }

    #[test]
    fn a_device_id_has_the_form_that_the_server_generates() {
        assert!(is_device_id(&"aZ0-_".repeat(9)[..43]));
        for id in ["", "a", &"a".repeat(42), &"a".repeat(44), &"é".repeat(43), &format!("{} ", "a".repeat(42))] {
            assert!(!is_device_id(id), "{id}");
        }
    }

    #[test]
    fn identifiers_are_unambiguous_and_need_no_escaping() {
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
