//! Notifications: which events are mailed, each user's choices, and how long events are kept.
use crate::event::EventKind;
use serde::{Deserialize, Serialize};

/// For how many days events, and with them notifications, are kept.
pub const EVENTS_KEPT_DAYS: i64 = 180;

/// Unread notifications are counted up to this number.
pub const MAX_UNREAD: i64 = 99;

/// Whether an event of a kind is mailed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mailing {
    /// There is no mail for it.
    Never,
    /// Mailed unless the user opted out.
    Chosen,
    /// Always mailed, whatever the user's choice.
    Always,
}

/// Whether events of this kind are mailed.
pub fn mailing(kind: EventKind) -> Mailing {
    use EventKind as E;
    match kind {
        _ if kind.is_security() => Mailing::Always,
        // It tells of a debt.
        E::PaymentTakenBack => Mailing::Always,
        E::OrderPaid
        | E::OrderRefunded
        | E::PaymentLate
        | E::PaymentGivenBack
        | E::ProxiesEnding
        | E::ProxiesRenewed
        | E::ProxiesRenewalFailed
        | E::TrafficEnding
        | E::TrafficReorderFailed
        | E::TrafficReorderLimit
        | E::WalletLow
        | E::WalletToppedUp
        | E::AutoTopUpDone
        | E::AutoTopUpFailed
        | E::AutoTopUpLimit
        | E::SupportAnswered
        | E::WebhookDisabled => Mailing::Chosen,
        _ => Mailing::Never,
    }
}

/// A user's choice for the notifications of one kind.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct NotificationChoice {
    pub kind: EventKind,
    /// Whether it is shown on screen.
    pub on_screen: bool,
    /// Whether it is mailed. No effect for kinds without mails, and for security, which is always mailed.
    pub by_mail: bool,
}

impl NotificationChoice {
    /// The default for users who have not chosen.
    pub fn default_of(kind: EventKind) -> NotificationChoice {
        NotificationChoice { kind, on_screen: true, by_mail: mailing(kind) != Mailing::Never }
    }

    /// The effective choice.
    pub fn in_effect(self) -> NotificationChoice {
        let by_mail = match mailing(self.kind) {
            Mailing::Never => false,
            Mailing::Chosen => self.by_mail,
            Mailing::Always => true,
        };
        NotificationChoice { by_mail, ..self }
    }
}

/// The kinds that a user can choose: those that are shown on screen.
pub fn chosen_kinds() -> impl Iterator<Item = EventKind> {
    EventKind::ALL.iter().copied().filter(|kind| kind.is_for_screens())
}

/// Whether mails of this kind have an unsubscribe link.
pub fn can_unsubscribe(kind: EventKind) -> bool {
    mailing(kind) == Mailing::Chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn security_is_always_mailed_and_kinds_without_mails_never_are() {
        for (kind, by_mail, expected) in [
            (EventKind::NewDevice, false, true),
            (EventKind::SecurityChanged, false, true),
            (EventKind::OrderPaid, false, false),
            (EventKind::OrderPaid, true, true),
            (EventKind::ProxiesSwitched, true, false),
        ] {
            let choice = NotificationChoice { kind, on_screen: false, by_mail }.in_effect();
            assert_eq!((choice.by_mail, choice.on_screen), (expected, false), "{}", kind.as_str());
        }
    }

    #[test]
    fn by_default_everything_is_on() {
        for kind in chosen_kinds() {
            let choice = NotificationChoice::default_of(kind);
            assert!(choice.on_screen && choice.by_mail == (mailing(kind) != Mailing::Never));
            assert_eq!(choice.in_effect(), choice);
        }
        assert!(!chosen_kinds().any(|kind| kind == EventKind::WebhookTest));
    }

    #[test]
    fn mails_have_an_unsubscribe_link_unless_about_security() {
        assert!(can_unsubscribe(EventKind::WalletLow) && can_unsubscribe(EventKind::OrderPaid));
        assert!(!can_unsubscribe(EventKind::NewDevice) && !can_unsubscribe(EventKind::ProxiesEnded));
    }
}
