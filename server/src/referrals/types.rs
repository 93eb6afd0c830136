//! Requests and responses of the group `Referrals`, and of the operator's calls about referrals.
use postern_core::money::{Currency, Money};
use postern_core::referral::{CommissionState, ReferralDecision, ReferralDoubt, ReferralReview, ReferralRuleForm};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A commission rule. It applies to accounts that sign up from `ValidFrom` until the next rule begins.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RuleView {
    /// The commission in hundredths of a percent of an order's total.
    pub rate_basis_points: u32,
    /// The commission for display, such as `10%`.
    pub rate: String,
    /// The number of days that a commission is pending.
    pub pending_days: i64,
    /// When it begins to apply, in UTC.
    pub valid_from: String,
    /// Whether it applies to accounts that sign up now.
    pub is_in_force: bool,
    /// Who added it, shown to operators only; absent for a command on the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added_by: Option<String>,
}

/// Totals of an account's referrals.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Referrals {
    /// Absent if the shop does not show it.
    pub invitation_code: Option<String>,
    /// The referral link to share; absent if the shop does not show it.
    pub link: Option<String>,
    /// The rule for accounts that sign up now.
    pub rule: Option<RuleView>,
    /// The next rule, if one has been added.
    pub next_rule: Option<RuleView>,
    pub currency: Currency,
    /// The number of accounts that signed up with the code.
    pub signed_up: i64,
    /// The number of them that have paid for an order.
    pub bought: i64,
    /// Pending commissions, without those that are held.
    pub pending: Money,
    /// Pending commissions that are held for review.
    pub held: Money,
    /// Commissions that can be moved to the wallet.
    pub available: Money,
    /// Commissions that were reversed after they had been moved and spent. New commissions pay this off first.
    pub owed: Money,
    /// The amount that `Referrals/MoveToWallet` would move now.
    pub movable: Money,
    /// The total moved to the wallet.
    pub moved: Money,
    /// The total reversed by refunds.
    pub taken_back: Money,
    /// The latest twelve months, oldest first.
    pub months: Vec<MonthEarned>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct MonthEarned {
    /// Such as `2026-11`, in the customer's time zone.
    pub month: String,
    /// Commissions earned in this month, less later reversals by refunds.
    pub earned: Money,
    /// The height of the bar, in thousandths of the highest month.
    pub height: u16,
}

/// An account that signed up with the code.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ReferredView {
    /// The id of the referral.
    pub referral_id: i64,
    /// Masked: the first character and the domain.
    pub email: String,
    pub signed_up_at: String,
    /// Whether it has paid for an order.
    pub has_bought: bool,
    /// The commission on its orders, in hundredths of a percent; absent if it signed up before there were rules.
    pub rate_basis_points: Option<u32>,
    /// The commission for display, such as `10%`.
    pub rate: Option<String>,
    /// Commissions on its orders, less reversals by refunds.
    pub earned: Money,
    pub currency: Currency,
    /// Whether its commissions are held or refused.
    pub review: ReferralReview,
}

/// The commission of one order.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CommissionView {
    /// The id of the commission.
    pub commission_id: i64,
    /// The account that bought, masked.
    pub email: String,
    /// The commission rate, such as `10%`.
    pub rate: String,
    /// The commission before refunds.
    pub earned: Money,
    /// The commission after refunds.
    pub amount: Money,
    pub currency: Currency,
    pub state: CommissionState,
    /// Whether it stays pending until an operator has reviewed the referral.
    pub is_held: bool,
    /// When its order was paid.
    pub earned_at: String,
    /// When it becomes available.
    pub available_at: String,
    /// When it was moved to the wallet.
    pub moved_at: Option<String>,
}

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct CommissionFilter {
    #[schema(required = false)]
    pub state: Option<CommissionState>,
}

/// A request without fields: all available commissions are moved.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct MoveToWallet {}

/// The result of moving commissions to the wallet.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Moved {
    pub amount: Money,
    /// The owed amount that was paid off.
    pub owed: Money,
    /// The wallet's balance afterwards.
    pub balance: Money,
    pub currency: Currency,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AddReferralRule {
    #[serde(flatten)]
    pub rule: ReferralRuleForm,
}

/// A referral that is held for review.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ReferralToReview {
    pub account_id: i64,
    /// The account that signed up.
    pub email: String,
    /// The account that referred it.
    pub referrer_id: i64,
    /// The address of the account that referred it.
    pub referrer_email: String,
    /// What the two accounts have in common.
    pub doubts: Vec<ReferralDoubt>,
    pub signed_up_at: String,
    /// The commissions that are held.
    pub held: Money,
    pub currency: Currency,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ReviewReferral {
    /// The account that signed up.
    pub account_id: i64,
    /// The decision.
    pub decision: ReferralDecision,
    /// A note for other operators; up to 200 characters.
    #[serde(default)]
    #[schema(required = false)]
    pub note: String,
}

/// A referral after its review.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Reviewed {
    pub account_id: i64,
    /// The decision as stored.
    pub review: ReferralReview,
}
