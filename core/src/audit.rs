//! The audit log: what operators did, on screen, by the API or by a command on the server. Entries are added, never changed.
use crate::wire_enum::wire_enum;
use serde::{Deserialize, Serialize};

wire_enum! {
    /// How an operator did it.
    AuditChannel { Screen = "screen", ApiKey = "api_key", Command = "command" }
}

wire_enum! {
    /// What an operator did. Its text is in `locales/{language}/audit.json`.
    AuditAction {
        /// Level or wholesale discount of an account.
        AccountTerms = "account_terms",
        AccountSuspended = "account_suspended",
        AccountResumed = "account_resumed",
        /// What an account's centre shows.
        AccountCenter = "account_center",
        AccountNote = "account_note",
        /// An operator closed an account.
        AccountClosed = "account_closed",
        /// An operator had a link to another e-mail address sent for an account.
        EmailChangeRequested = "email_change_requested",
        /// An operator looked at the shop as this customer.
        AccountViewed = "account_viewed",
        /// An operator made a call as this customer.
        ChangedAsCustomer = "changed_as_customer",
        TwoFactorOff = "two_factor_off",
        WalletCredited = "wallet_credited",
        WalletDebited = "wallet_debited",
        OrderRefunded = "order_refunded",
        /// The outcome of a refund that was sent by hand.
        RefundSettled = "refund_settled",
        PaymentSettled = "payment_settled",
        /// A gateway's callback was processed again.
        CallbackReplayed = "callback_replayed",
        /// A case of a payment was closed.
        PaymentCaseClosed = "payment_case_closed",
        ExchangeRateSet = "exchange_rate_set",
        CouponAdded = "coupon_added",
        CouponEnded = "coupon_ended",
        PriceChanged = "price_changed",
        /// A change of a price that counts from a later time.
        PricePlanned = "price_planned",
        PricePlanCancelled = "price_plan_cancelled",
        LimitChanged = "limit_changed",
        /// An announcement to customers.
        AnnouncementSaved = "announcement_saved",
        AnnouncementDeleted = "announcement_deleted",
        /// A new version of the terms or of the privacy policy.
        LegalTextPublished = "legal_text_published",
        ReferralRuleAdded = "referral_rule_added",
        ReferralReviewed = "referral_reviewed",
        NodesImported = "nodes_imported",
        NodesRetired = "nodes_retired",
        NodesRestored = "nodes_restored",
        NodesEdited = "nodes_edited",
        /// A customer got another node for a faulty one.
        NodeReplaced = "node_replaced",
        NodesAssigned = "nodes_assigned",
        UseCaseSaved = "use_case_saved",
        UseCaseDeleted = "use_case_deleted",
        ProxyServerAdded = "proxy_server_added",
        ProxyServerRotated = "proxy_server_rotated",
        ProxyServerRemoved = "proxy_server_removed",
        ReplySent = "reply_sent",
        ConversationClosed = "conversation_closed",
        CannedAnswerSaved = "canned_answer_saved",
        CannedAnswerDeleted = "canned_answer_deleted",
        /// Mails were sent again.
        MailsResent = "mails_resent",
        /// A webhook for the events of all accounts.
        WebhookAdded = "webhook_added",
        WebhookChanged = "webhook_changed",
        WebhookDeleted = "webhook_deleted",
        SettingsAdopted = "settings_adopted",
        SecretKeyReplaced = "secret_key_replaced",
    }
}

wire_enum! {
    /// A value that an operator changed.
    AuditField {
        /// 0 customer, 1 reseller, 2 operator.
        Level = "level",
        /// What an operator's account may do.
        Role = "role",
        /// In hundredths of a percent.
        Discount = "discount",
        /// An amount of money, with its currency.
        Amount = "amount",
        Balance = "balance",
        /// An `Adjustment` of a wallet.
        Adjustment = "adjustment",
        Price = "price",
        /// `true` or `false`.
        InvitationCode = "invitation_code",
        AccessToken = "access_token",
        /// A number of nodes.
        Nodes = "nodes",
        /// A proxy server's name.
        Server = "server",
        Kind = "kind",
        Host = "host",
        /// A node's address.
        Ip = "ip",
        HttpPort = "http_port",
        Socks5Port = "socks5_port",
        City = "city",
        Isp = "isp",
        Asn = "asn",
        Supplier = "supplier",
        /// What the seller pays for a node, per 30 days.
        Cost = "cost",
        /// A commission's rate, such as `10 %`.
        Rate = "rate",
        /// Units of another currency for one of the shop's.
        ExchangeRate = "exchange_rate",
        /// The address that exchange rates are fetched from.
        Feed = "feed",
        ValidFrom = "valid_from",
        ValidUntil = "valid_until",
        Products = "products",
        Minimum = "minimum",
        UsesPerAccount = "uses_per_account",
        TotalUses = "total_uses",
        FirstOrderOnly = "first_order_only",
        /// A `ReferralReview`.
        Review = "review",
        /// A limit's value, or a setting's.
        Value = "value",
        Title = "title",
        Text = "text",
        /// An announcement in Chinese.
        TextZh = "text_zh",
        /// Where an announcement leads.
        Link = "link",
        /// How an announcement looks.
        Tone = "tone",
        /// The number of a version.
        Version = "version",
        CreditNote = "credit_note",
        /// A number of mails.
        Mails = "mails",
        /// What was replaced, by kind.
        Replaced = "replaced",
        /// A name in English.
        Name = "name",
        /// A name in Chinese.
        NameZh = "name_zh",
        Category = "category",
        /// A place in a list.
        Position = "position",
        /// The use cases of nodes: `+` for those that were added, `-` for those that were taken away.
        Targets = "targets",
        /// The verdict on a callback.
        Verdict = "verdict",
        /// An address on the web.
        Url = "url",
        /// The kinds of events of a webhook.
        Events = "events",
        State = "state",
        /// The payment method that a refund went back to.
        RefundedTo = "refunded_to",
        /// A bank's or gateway's id.
        Reference = "reference",
        /// A signing secret, whose value is not told.
        Secret = "secret",
    }
}

/// A changed value as text, before and after; absent where there was or is none.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct AuditChange {
    pub field: AuditField,
    /// The value before; null where there was none.
    pub before: Option<String>,
    /// The value afterwards; null where there is none.
    pub after: Option<String>,
}

impl AuditChange {
    /// A value that was set; `None` if it was so before.
    pub fn between(field: AuditField, before: impl ToString, after: impl ToString) -> Option<AuditChange> {
        let (before, after) = (before.to_string(), after.to_string());
        (before != after).then_some(AuditChange { field, before: Some(before), after: Some(after) })
    }

    /// A value that something new has.
    pub fn new(field: AuditField, after: impl ToString) -> AuditChange {
        AuditChange { field, before: None, after: Some(after.to_string()) }
    }

    /// A value of something that is gone.
    pub fn gone(field: AuditField, before: impl ToString) -> AuditChange {
        AuditChange { field, before: Some(before.to_string()), after: None }
    }
}

/// The maximum length of a text in an entry; a longer one is cut.
pub const AUDIT_TEXT_LENGTH: usize = 500;

/// A text as an entry stores it.
pub fn audit_text(text: &str) -> String {
    if text.chars().count() <= AUDIT_TEXT_LENGTH {
        return text.to_owned();
    }
    let beginning: String = text.chars().take(AUDIT_TEXT_LENGTH - 1).collect();
    format!("{beginning}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_a_change() {
        assert_eq!(AuditChange::between(AuditField::Level, 1, 1), None);
        let change = AuditChange::between(AuditField::Level, 0, 1).expect("a change");
        assert_eq!((change.before.as_deref(), change.after.as_deref()), (Some("0"), Some("1")));
        let written = serde_json::to_string(&AuditChange::new(AuditField::Host, "a.example")).expect("JSON");
        assert_eq!(written, r#"{"Field":"host","Before":null,"After":"a.example"}"#);
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(audit_text("短"), "短");
        let long = "短".repeat(AUDIT_TEXT_LENGTH + 1);
        assert_eq!(audit_text(&long).chars().count(), AUDIT_TEXT_LENGTH);
        assert!(audit_text(&long).ends_with('…'));
        assert_eq!(audit_text(&"短".repeat(AUDIT_TEXT_LENGTH)), "短".repeat(AUDIT_TEXT_LENGTH));
    }
}
