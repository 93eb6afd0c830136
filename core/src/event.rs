//! Events: what happens to an account and is reported to its owner on screen, by mail or by a webhook.
use crate::wire_enum::wire_enum;
use serde::Serialize;

wire_enum! {
    /// The kind of an event. Its name is the `type` of a webhook, and the key of its text in `locales/{language}/notifications.json`.
    EventKind {
        /// An order was paid and delivered. Data: `OrderId`, `OrderNumber`, `Kind`, `Total`, `Currency`.
        OrderPaid = "order.paid",
        /// Money of an order was refunded to the wallet. Data: `OrderId`, `OrderNumber`, `Amount`, `Currency`, `CreditNote`, `Count`.
        OrderRefunded = "order.refunded",
        /// An unpaid order expired. Data: `OrderId`, `OrderNumber`, `Total`, `Currency`.
        OrderExpired = "order.expired",
        /// A payment arrived after its order had ended, and was credited to the wallet. Data: `OrderId`, `OrderNumber`, `Amount`,
        /// `Currency`.
        PaymentLate = "payment.late",
        /// A gateway took money of a payment back, and the wallet paid for it. Data: `OrderId`, `OrderNumber`, `Amount`, `Currency`, `Kind`, a
        /// `ReturnKind`, and `Owed`, what the account owes now.
        PaymentTakenBack = "payment.taken_back",
        /// Money that a gateway had taken back was returned to the wallet. Data: `OrderId`, `OrderNumber`, `Amount`, `Currency`.
        PaymentGivenBack = "payment.given_back",
        /// Proxies expire soon and do not renew. Data: `Count`, `EndsAt`.
        ProxiesEnding = "proxies.ending",
        /// Proxies expired and can no longer be renewed. Data: `Count`.
        ProxiesEnded = "proxies.ended",
        /// Proxies were renewed automatically. Data: `Count`, `Total`, `Currency`.
        ProxiesRenewed = "proxies.renewed",
        /// An automatic renewal failed. Data: `Count`, `Balance`, `Currency`, `EndsAt`.
        ProxiesRenewalFailed = "proxies.renewal_failed",
        /// A proxy was replaced by another. Data: `OldIp`, `NewIp`.
        ProxiesSwitched = "proxies.switched",
        /// Traffic expires soon. Data: `Bytes`, `EndsAt`.
        TrafficEnding = "traffic.ending",
        /// An automatic purchase of traffic failed. Data: `Reason`, a `ReorderFailure`.
        TrafficReorderFailed = "traffic.reorder_failed",
        /// An automatic purchase of traffic would exceed its monthly limit. Data: `Limit`, `Currency`.
        TrafficReorderLimit = "traffic.reorder_limit",
        /// A proxy user has used up its limit. Data: `ProxyUserId`, `Name`, `LimitBytes`.
        ProxyUserLimitReached = "proxy_user.limit_reached",
        /// The wallet's balance fell below the alert's threshold. Data: `Balance`, `Threshold`, `Currency`.
        WalletLow = "wallet.low",
        /// A top-up arrived in the wallet. Data as of `order.paid`.
        WalletToppedUp = "wallet.topped_up",
        /// A card was charged automatically. Data: `Amount`, `Balance`, `Currency`, `Card`.
        AutoTopUpDone = "wallet.auto_top_up_done",
        /// An automatic charge failed. Data: `Amount`, `Currency`, `Card`, `Reason`, a `CardFailure`, and `IsPaused`.
        AutoTopUpFailed = "wallet.auto_top_up_failed",
        /// Automatic top-ups reached their monthly limit. Data: `Balance`, `Charged`, `Limit`, `Currency`.
        AutoTopUpLimit = "wallet.auto_top_up_limit",
        /// A referred account bought, and a commission is pending. Data: `Amount`, `Currency`.
        CommissionEarned = "referral.commission_earned",
        /// Support answered a message. Data: `MessageId`.
        SupportAnswered = "support.answered",
        /// A webhook was disabled after prolonged failure. Data: `WebhookId`, `Url`.
        WebhookDisabled = "webhook.disabled",
        /// A test requested by the owner of a webhook. Data: `WebhookId`.
        WebhookTest = "webhook.test",
        /// A sign-in from a device that had not signed in before. Data: `Address`, `Device`.
        NewDevice = "security.new_device",
        /// Password, two-factor authentication, e-mail address or a key changed. Data: `Change`.
        SecurityChanged = "security.changed",
    }
}

impl EventKind {
    /// Whether a webhook can subscribe to it. A test is sent to its own webhook only, and webhooks do not report events of webhooks.
    pub fn is_for_webhooks(self) -> bool {
        !matches!(self, EventKind::WebhookTest | EventKind::WebhookDisabled)
    }

    /// The topic: the first part of its name.
    pub fn topic(self) -> &'static str {
        self.as_str().split('.').next().unwrap_or_default()
    }

    /// Whether it concerns the account's security. Such events are always mailed, whatever the user's choice.
    pub fn is_security(self) -> bool {
        matches!(self, EventKind::NewDevice | EventKind::SecurityChanged)
    }

    /// Whether its data has amounts of money that belong to billing: API keys need the scope for it. Commissions belong to the account.
    pub fn tells_amounts(self) -> bool {
        matches!(self.topic(), "order" | "payment" | "wallet")
            || matches!(
                self,
                EventKind::ProxiesRenewed | EventKind::ProxiesRenewalFailed | EventKind::TrafficReorderLimit
            )
    }

    /// Whether it appears among the notifications.
    pub fn is_for_screens(self) -> bool {
        self != EventKind::WebhookTest
    }
}

/// A kind of event and where it is reported.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct EventKindRow {
    pub kind: EventKind,
    /// The topic, by which lists group kinds.
    pub topic: &'static str,
    pub is_for_webhooks: bool,
    pub is_for_screens: bool,
    /// Always mailed.
    pub is_security: bool,
}

/// All kinds, in display order.
pub fn event_kinds() -> Vec<EventKindRow> {
    let row = |kind: &EventKind| EventKindRow {
        kind: *kind,
        topic: kind.topic(),
        is_for_webhooks: kind.is_for_webhooks(),
        is_for_screens: kind.is_for_screens(),
        is_security: kind.is_security(),
    };
    EventKind::ALL.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_named_by_topic_and_event() {
        for kind in EventKind::ALL {
            let name = kind.as_str();
            let is_plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || b"._".contains(&byte));
            assert!(is_plain && name.split('.').count() == 2, "{name}");
        }
    }

    #[test]
    fn the_page_about_webhooks_lists_every_kind_that_they_receive() {
        let page = include_str!("../../docs/webhooks.md");
        for kind in EventKind::ALL.iter().filter(|kind| kind.is_for_webhooks() || **kind == EventKind::WebhookTest) {
            assert!(page.contains(&format!("| `{}` |", kind.as_str())), "{}", kind.as_str());
        }
    }

    #[test]
    fn kinds_with_amounts_are_those_that_the_page_about_webhooks_shows_with_a_currency() {
        let page = include_str!("../../docs/webhooks.md");
        for kind in EventKind::ALL.iter().filter(|kind| kind.is_for_webhooks()) {
            let name = format!("| `{}` |", kind.as_str());
            let line = page.lines().find(|line| line.starts_with(&name)).unwrap_or_else(|| panic!("{name}"));
            let has_currency = line.contains("`Currency`") || line.contains("as of `order.paid`");
            let has_amount = has_currency && kind.topic() != "referral";
            assert_eq!(kind.tells_amounts(), has_amount, "{line}");
        }
    }

    #[test]
    fn security_is_always_mailed_and_a_test_is_not_a_notification() {
        assert!(EventKind::NewDevice.is_security() && EventKind::NewDevice.is_for_screens());
        assert!(!EventKind::OrderPaid.is_security() && EventKind::OrderPaid.is_for_webhooks());
        assert!(!EventKind::WebhookTest.is_for_screens() && !EventKind::WebhookTest.is_for_webhooks());
    }
}
