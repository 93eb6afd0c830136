//! Roles of operators' accounts (level 2): which of the operators' calls each may make.
use crate::money::Money;
use crate::wire_enum::wire_enum;

wire_enum! {
    /// What an operator's account may do. For other levels it means nothing.
    StaffRole {
        /// Everything. Appointed by a command on the server only.
        Operator = "operator",
        /// Helps customers: chats, orders, faulty nodes, and refunds up to `Limit::SupportRefund` per order.
        Support = "support",
        /// Reads and exports what was sold and paid, and the audit log. Changes nothing.
        Accountant = "accountant",
    }
}

/// The operators' calls of support, sorted by name.
pub(crate) const SUPPORT: &[&str] = &[
    "Operator/CloseConversation",
    "Operator/DeleteCannedAnswer",
    "Operator/GetAccount",
    "Operator/GetAccountList",
    "Operator/GetAlarmList",
    "Operator/GetAnnouncementList",
    "Operator/GetCannedAnswerList",
    "Operator/GetConversation",
    "Operator/GetConversationList",
    "Operator/GetCouponList",
    "Operator/GetDisputeEvidence",
    "Operator/GetInventory",
    "Operator/GetInvoiceList",
    "Operator/GetLegalText",
    "Operator/GetLegalTextList",
    "Operator/GetMailList",
    "Operator/GetOrder",
    "Operator/GetOrderList",
    "Operator/GetPaymentCaseList",
    "Operator/GetPaymentList",
    "Operator/GetPaymentReturnList",
    "Operator/GetPrices",
    "Operator/GetProxyServerList",
    "Operator/GetStock",
    "Operator/GetTransactionList",
    "Operator/GetUseCaseList",
    "Operator/MarkConversationRead",
    "Operator/PreviewMail",
    "Operator/PreviewRefund",
    "Operator/RefundOrder",
    "Operator/ReplaceNode",
    "Operator/ResendMails",
    "Operator/SaveAccountNote",
    "Operator/SaveCannedAnswer",
    "Operator/SendReply",
    "Operator/ViewAsCustomer",
    "Operator/WaitForConversations",
    "Order/GetCallbackList",
];

/// The operators' calls of accountants, sorted by name.
pub(crate) const ACCOUNTANT: &[&str] = &[
    "Operator/ExportAuditLog",
    "Operator/ExportInvoices",
    "Operator/GetAccount",
    "Operator/GetAccountList",
    "Operator/GetAuditLog",
    "Operator/GetBusiness",
    "Operator/GetCouponList",
    "Operator/GetDisputeEvidence",
    "Operator/GetExchangeRateList",
    "Operator/GetInvoiceList",
    "Operator/GetLegalText",
    "Operator/GetLegalTextList",
    "Operator/GetLimits",
    "Operator/GetOrder",
    "Operator/GetOrderList",
    "Operator/GetPaymentCaseList",
    "Operator/GetPaymentList",
    "Operator/GetPaymentReturnList",
    "Operator/GetPrices",
    "Operator/GetReferralReviewList",
    "Operator/GetReferralRuleList",
    "Operator/GetStock",
    "Operator/GetTransactionList",
    "Order/GetCallbackList",
];

impl StaffRole {
    /// Whether it may make the operators' call of this name. Does not look into the table of calls, which would not fit into the wasm file.
    pub fn may_call(self, name: &str) -> bool {
        match self {
            StaffRole::Operator => true,
            StaffRole::Support => SUPPORT.contains(&name),
            StaffRole::Accountant => ACCOUNTANT.contains(&name),
        }
    }

    /// Whether it may refund this amount of an order of which `refunded` was refunded before; `most` is the seller's limit for support, in whole
    /// units of the currency.
    pub fn may_refund(self, refunded: Money, amount: Money, most: u32) -> bool {
        let limit = Money::from_minor(i64::from(most) * 100);
        match self {
            StaffRole::Operator => true,
            StaffRole::Support => refunded.checked_add(amount).is_ok_and(|sum| sum <= limit),
            StaffRole::Accountant => false,
        }
    }

    /// Whether operators can grant and withdraw it on screen. Those who may do everything are appointed by a command on the server.
    pub fn is_granted_on_screen(self) -> bool {
        self != StaffRole::Operator
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn support_refunds_an_order_up_to_the_limit() {
        let may = |role: StaffRole, refunded, amount| {
            role.may_refund(Money::from_minor(refunded), Money::from_minor(amount), 50)
        };
        assert!(may(StaffRole::Support, 0, 5_000) && !may(StaffRole::Support, 0, 5_001));
        assert!(may(StaffRole::Support, 4_000, 1_000) && !may(StaffRole::Support, 4_000, 1_001), "in several parts");
        assert!(!may(StaffRole::Support, i64::MAX, 1));
        assert!(may(StaffRole::Operator, 0, 1_000_000) && !may(StaffRole::Accountant, 0, 1));
    }
}
