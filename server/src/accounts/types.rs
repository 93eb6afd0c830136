//! Requests and responses of the operator-only calls about accounts.
use crate::accounts::facts::AccountFacts;
use crate::audit::views::AuditEntry;
use crate::legal::types::AcceptedText;
use postern_core::account::AccountState;
use postern_core::money::{Currency, Money};
use postern_core::operator_forms::AccountTermsForm;
use postern_core::permission::Level;
use postern_core::staff::StaffRole;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct AccountFilter {
    #[schema(required = false)]
    pub level: Option<Level>,
    #[schema(required = false)]
    pub state: Option<AccountState>,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AccountRef {
    pub account_id: i64,
}

/// The terms to give an account.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SetAccountTerms {
    pub account_id: i64,
    #[serde(flatten)]
    pub terms: AccountTermsForm,
}

/// An account, with its wallet balance and expenses.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Account {
    pub account_id: i64,
    pub email: String,
    /// The company name, the person's name, or else the e-mail address.
    pub name: String,
    pub level: Level,
    /// What an operator's account may do; null for customers.
    pub role: Option<StaffRole>,
    /// The wholesale discount in force, in hundredths of a percent.
    pub reseller_basis_points: u32,
    pub state: AccountState,
    pub wallet_balance: Money,
    pub total_expenses: Money,
    pub currency: Currency,
    pub created_at: String,
}

/// The parts of the account centre that an account can see.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SetAccountFlags {
    pub account_id: i64,
    pub show_invitation_code: bool,
    /// The access token is created when it is first shown. It stays valid while hidden.
    pub show_access_token: bool,
}

/// Suspends or resumes an account.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SetAccountState {
    pub account_id: i64,
    pub state: AccountState,
    /// A note for other operators; required for a suspension.
    #[serde(default)]
    pub reason: String,
}

/// The operators' note about an account.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SaveAccountNote {
    pub account_id: i64,
    /// Up to 2,000 characters; empty for none.
    pub note: String,
}

/// An account with its account centre settings, and what operators wrote and did about it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AccountDetail {
    pub account: Account,
    pub facts: AccountFacts,
    /// The versions of the seller's legal texts that its user has accepted, the newest first.
    pub accepted_texts: Vec<AcceptedText>,
    /// When its owner closed it permanently; null if it is open.
    pub closed_at: Option<String>,
    /// What the customer owes, because payments were taken back and the wallet did not cover it.
    pub owed: Money,
    pub show_invitation_code: bool,
    pub show_access_token: bool,
    /// The operators' note about the customer, who never sees it.
    pub note: String,
    /// What operators did about the account: the latest entries of the audit log, newest first.
    pub history: Vec<AuditEntry>,
}
