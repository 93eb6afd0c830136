//! What gives access to an account, and what of it ends when its owner recovers the account from somebody else.
use crate::security_log::SecurityKind;
use crate::wire_enum::wire_enum;

wire_enum! {
    /// Something that gives access to an account.
    AccessKind {
        Session = "session",
        /// A device with a rate limit of its own at sign-in.
        KnownDevice = "known_device",
        /// A mailed link to choose a new password.
        ResetLink = "reset_link",
        /// A change of the e-mail address that waits for its confirmation.
        EmailChange = "email_change",
        ApiKey = "api_key",
        AccessToken = "access_token",
        ListUrl = "list_url",
        /// Sends what happens in the account to an address.
        Webhook = "webhook",
        /// Gives no access by itself, but keeps the owner out if another person turned it on.
        SecondFactor = "second_factor",
    }
}

/// Why access ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ending {
    /// A new password was set in a session, which stays.
    PasswordChanged,
    /// A new password was set with a mailed link.
    PasswordReset {
        ends_keys: bool,
    },
    /// The owner of the old address stopped a change of the e-mail address: somebody else knows the password and had a session.
    ChangeStopped,
    AccountClosed,
}

impl Ending {
    /// The entry of the security log, and the subject of the mail, about what was done.
    pub fn logged_as(self) -> SecurityKind {
        match self {
            Ending::PasswordChanged => SecurityKind::PasswordChanged,
            Ending::PasswordReset { .. } => SecurityKind::PasswordReset,
            Ending::ChangeStopped => SecurityKind::EmailChangeStopped,
            Ending::AccountClosed => SecurityKind::AccountClosed,
        }
    }
}

impl AccessKind {
    /// Whether it ends. A second factor survives a reset, because a mailbox is one factor; of a stopped change, one survives that is older than
    /// the request.
    pub fn ends_with(self, ending: Ending) -> bool {
        use AccessKind::*;
        match self {
            Session | KnownDevice | ResetLink | EmailChange => true,
            ApiKey | AccessToken | ListUrl | Webhook => match ending {
                Ending::PasswordChanged => false,
                Ending::PasswordReset { ends_keys } => ends_keys,
                Ending::ChangeStopped | Ending::AccountClosed => true,
            },
            SecondFactor => matches!(ending, Ending::ChangeStopped | Ending::AccountClosed),
        }
    }

    /// The entry of the security log about its end; none for what nobody looks for there.
    pub fn logged_as(self) -> Option<SecurityKind> {
        match self {
            AccessKind::Session => Some(SecurityKind::SessionRevoked),
            AccessKind::KnownDevice | AccessKind::ResetLink => None,
            AccessKind::EmailChange => Some(SecurityKind::EmailChangeStopped),
            AccessKind::ApiKey => Some(SecurityKind::ApiKeyRevoked),
            AccessKind::AccessToken => Some(SecurityKind::AccessTokenRevoked),
            AccessKind::ListUrl => Some(SecurityKind::ListUrlRevoked),
            AccessKind::Webhook => Some(SecurityKind::WebhookPaused),
            AccessKind::SecondFactor => Some(SecurityKind::TwoFactorOff),
        }
    }
}

/// What of one kind was ended.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Ended {
    pub kind: AccessKind,
    /// Names, such as those of keys; a number where there are none; empty where there is only one.
    pub names: String,
}

/// The maximum length of the names of what was ended, in characters.
const NAMES_MAX_LENGTH: usize = 300;

impl Ended {
    /// `None` if there was nothing to end.
    pub fn named(kind: AccessKind, names: &[String]) -> Option<Ended> {
        let all = names.join(", ");
        let mut shown: String = all.chars().take(NAMES_MAX_LENGTH).collect();
        if shown.len() < all.len() {
            shown.push('…');
        }
        (!names.is_empty()).then_some(Ended { kind, names: shown })
    }

    pub fn counted(kind: AccessKind, count: usize) -> Option<Ended> {
        (count > 0).then(|| Ended { kind, names: count.to_string() })
    }

    pub fn single(kind: AccessKind, was_there: bool) -> Option<Ended> {
        was_there.then(|| Ended { kind, names: String::new() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended_by(ending: Ending) -> Vec<&'static str> {
        AccessKind::ALL.iter().filter(|kind| kind.ends_with(ending)).map(|kind| kind.as_str()).collect()
    }

    #[test]
    fn everything_ends_when_the_owner_says_that_it_was_somebody_else() {
        assert_eq!(ended_by(Ending::ChangeStopped).len(), AccessKind::ALL.len());
        assert_eq!(ended_by(Ending::AccountClosed).len(), AccessKind::ALL.len());
    }

    #[test]
    fn a_reset_ends_keys_unless_told_otherwise_and_never_the_second_factor() {
        let always = ["session", "known_device", "reset_link", "email_change"];
        assert_eq!(ended_by(Ending::PasswordChanged), always);
        assert_eq!(ended_by(Ending::PasswordReset { ends_keys: false }), always);
        let keys = ["api_key", "access_token", "list_url", "webhook"];
        assert_eq!(ended_by(Ending::PasswordReset { ends_keys: true }), [always, keys].concat());
    }

    #[test]
    fn what_was_ended_is_named_up_to_a_maximum_length() {
        let names = |count: usize| (0..count).map(|number| format!("key {number}")).collect::<Vec<_>>();
        assert_eq!(Ended::named(AccessKind::ApiKey, &[]), None);
        assert_eq!(Ended::named(AccessKind::ApiKey, &names(2)).map(|ended| ended.names), Some("key 0, key 1".into()));
        let long = Ended::named(AccessKind::ApiKey, &names(100)).expect("names").names;
        assert!(long.chars().count() == 301 && long.ends_with('…'), "{long}");
        assert_eq!(
            (Ended::counted(AccessKind::Session, 0), Ended::single(AccessKind::AccessToken, false)),
            (None, None)
        );
        assert_eq!(Ended::counted(AccessKind::Session, 3).map(|ended| ended.names), Some("3".into()));
    }
}
