//! Mails: states, retries and retention.
use crate::wire_enum::wire_enum;

wire_enum! {
    /// The state of a queued mail.
    MailState { Queued = "queued", Sent = "sent", Failed = "failed" }
}

wire_enum! {
    /// The template of a mail: its texts are in `locales/{language}/mail.json`, under this name.
    MailTemplate {
        ConfirmSignUp = "confirm_sign_up",
        AlreadySignedUp = "already_signed_up",
        ResetPassword = "reset_password",
        Purchased = "purchased",
        LatePayment = "late_payment",
        /// A gateway took money of a payment back.
        PaymentTakenBack = "payment_taken_back",
        PaymentGivenBack = "payment_given_back",
        /// To operators.
        DisputeOpened = "dispute_opened",
        Renewed = "renewed",
        /// Renewed by the customer.
        RenewalPaid = "renewal_paid",
        RenewalFailed = "renewal_failed",
        EndingSoon = "ending_soon",
        Refunded = "refunded",
        RefundedIps = "refunded_ips",
        /// To where the money came from.
        RefundedToSource = "refunded_to_source",
        /// The same, of a top-up.
        TopUpRefunded = "top_up_refunded",
        /// The customer has to say where a refund goes.
        RefundToClaim = "refund_to_claim",
        RefundFailed = "refund_failed",
        NotDelivered = "not_delivered",
        BooksWrong = "books_wrong",
        /// An operator added money to the wallet, or took some.
        WalletCredited = "wallet_credited",
        WalletDebited = "wallet_debited",
        ClosedAccountMoney = "closed_account_money",
        /// Proxy servers are down.
        ServersDown = "servers_down",
        LowBalance = "low_balance",
        ToppedUp = "topped_up",
        AutoTopUpDone = "auto_top_up_done",
        AutoTopUpFailed = "auto_top_up_failed",
        AutoTopUpPaused = "auto_top_up_paused",
        AutoTopUpLimit = "auto_top_up_limit",
        TrafficPurchased = "traffic_purchased",
        TrafficEnding = "traffic_ending",
        RefundedTraffic = "refunded_traffic",
        ReorderFailed = "reorder_failed",
        ReorderLimit = "reorder_limit",
        NewDevice = "new_device",
        SecurityChanged = "security_changed",
        /// The same, with what was ended.
        AccessEnded = "access_ended",
        EmailChangeConfirm = "email_change_confirm",
        EmailChangeTaken = "email_change_taken",
        EmailChangeNotice = "email_change_notice",
        AccountClosed = "account_closed",
        WebhookDisabled = "webhook_disabled",
        SupportMessage = "support_message",
        SupportAnswer = "support_answer",
        SecretsReplaced = "secrets_replaced",
    }
}

/// Delivery attempts before a mail is abandoned.
pub const ATTEMPTS: i32 = 10;
/// How long sent and abandoned mails are kept.
pub const KEEP_DAYS: i64 = 30;

/// The state of a mail after this many failed attempts, and the minutes until the next attempt: 2, 4, 8 …
pub fn after_failure(attempts: i32) -> (MailState, i64) {
    let state = if attempts >= ATTEMPTS { MailState::Failed } else { MailState::Queued };
    (state, 1 << attempts.clamp(0, ATTEMPTS))
}

/// Whether an operator can have a mail sent again at once: one that waits after a failure, or that was given up and still has its content.
/// Links that grant access are deleted with the last attempt.
pub fn can_resend(state: MailState, attempts: i32, has_content: bool) -> bool {
    match state {
        MailState::Queued => attempts > 0,
        MailState::Failed => has_content,
        MailState::Sent => false,
    }
}

/// The maximum length of what a mail server said, as it is kept with a mail that it refused.
pub const MAIL_ERROR_LENGTH: usize = 500;

/// How many mails can be sent again in one call.
pub const MAX_RESENT: usize = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_can_be_sent_again_while_it_has_its_content() {
        for (state, attempts, has_content, can) in [
            (MailState::Queued, 0, true, false),
            (MailState::Queued, 1, true, true),
            (MailState::Failed, 10, true, true),
            (MailState::Failed, 10, false, false),
            (MailState::Sent, 1, true, false),
        ] {
            assert_eq!(can_resend(state, attempts, has_content), can, "{state:?} {attempts}");
        }
    }

    #[test]
    fn retry_intervals_double_until_the_mail_is_abandoned() {
        assert_eq!(after_failure(1), (MailState::Queued, 2));
        assert_eq!(after_failure(9), (MailState::Queued, 512));
        assert_eq!(after_failure(10).0, MailState::Failed);
        assert_eq!(after_failure(i32::MAX).1, 1_024);
    }
}
