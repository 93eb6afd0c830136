//! Notifications: which events are mailed, what each user chose about them, and for how long events are kept.
use crate::event::EventKind;
use serde::{Deserialize, Serialize};

/// For how many days events are kept, and with them notifications.
pub const EVENTS_KEPT_DAYS: i64 = 180;

/// Unread notifications are counted up to this many.
pub const MAX_UNREAD: i64 = 99;

/// Whether an event of a kind is mailed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mailing {
    /// There is no mail about it.
    Never,
    /// Unless its reader chose otherwise.
    Chosen,
    /// Whatever its reader chose.
    Always,
}

/// Whether events of this kind are mailed.
pub fn mailing(kind: EventKind) -> Mailing {
    use EventKind as E;
    match kind {
        _ if kind.is_security() => Mailing::Always,
        E::OrderPaid
        | E::OrderRefunded
        | E::PaymentLate
        | E::ProxiesEnding
        | E::ProxiesRenewed
        | E::ProxiesRenewalFailed
        | E::TrafficEnding
        | E::TrafficReorderFailed
        | E::TrafficReorderLimit
        | E::WalletLow
        | E::AutoTopUpDone
        | E::AutoTopUpFailed
        | E::AutoTopUpLimit
        | E::SupportAnswered
        | E::WebhookDisabled => Mailing::Chosen,
        _ => Mailing::Never,
    }
}

/// What a user chose about the notifications of one kind.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct NotificationChoice {
    /// The kind of events.
    pub kind: EventKind,
    /// Whether it appears among the notifications.
    pub on_screen: bool,
    /// Whether it is mailed. Without effect where there is no mail, and for security, which is always mailed.
    pub by_mail: bool,
}

impl NotificationChoice {
    /// What applies to who chose nothing.
    pub fn default_of(kind: EventKind) -> NotificationChoice {
        NotificationChoice { kind, on_screen: true, by_mail: mailing(kind) != Mailing::Never }
    }

    /// The choice as it takes effect.
    pub fn in_effect(self) -> NotificationChoice {
        let by_mail = match mailing(self.kind) {
            Mailing::Never => false,
            Mailing::Chosen => self.by_mail,
            Mailing::Always => true,
        };
        NotificationChoice { by_mail, ..self }
    }
}

/// The kinds that a user chooses about: those that appear among the notifications.
pub fn chosen_kinds() -> impl Iterator<Item = EventKind> {
    EventKind::ALL.iter().copied().filter(|kind| kind.is_for_screens())
}

/// Whether mails about this kind have a link that ends them.
pub fn can_unsubscribe(kind: EventKind) -> bool {
    mailing(kind) == Mailing::Chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn security_is_mailed_whatever_was_chosen_and_what_has_no_mail_never_is() {
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
    fn who_chose_nothing_is_told_of_everything() {
        for kind in chosen_kinds() {
            let choice = NotificationChoice::default_of(kind);
            assert!(choice.on_screen && choice.by_mail == (mailing(kind) != Mailing::Never));
            assert_eq!(choice.in_effect(), choice);
        }
        assert!(!chosen_kinds().any(|kind| kind == EventKind::WebhookTest));
    }

    #[test]
    fn a_mail_can_be_ended_unless_it_is_about_security() {
        assert!(can_unsubscribe(EventKind::WalletLow) && can_unsubscribe(EventKind::OrderPaid));
        assert!(!can_unsubscribe(EventKind::NewDevice) && !can_unsubscribe(EventKind::ProxiesEnded));
    }
}
