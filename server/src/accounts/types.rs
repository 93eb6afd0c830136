//! Requests and responses of the operator-only calls about accounts.
use postern_core::account::{AccountChange, AccountState};
use postern_core::money::{Currency, Money};
use postern_core::operator_forms::AccountTermsForm;
use postern_core::permission::Level;
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

/// An account with its account centre settings and its latest changes, newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AccountDetail {
    pub account: Account,
    /// When its owner closed it permanently; null if it is open.
    pub closed_at: Option<String>,
    pub show_invitation_code: bool,
    pub show_access_token: bool,
    /// Changes of terms.
    pub changes: Vec<TermsChange>,
    /// Other changes by operators.
    pub history: Vec<AccountChangeView>,
}

/// A change of an account by an operator.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AccountChangeView {
    pub changed_at: String,
    /// The operator's e-mail address; absent for a command on the server.
    pub changed_by: Option<String>,
    pub change: AccountChange,
    pub reason: String,
}

/// A change of an account's terms.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct TermsChange {
    pub changed_at: String,
    /// The operator's e-mail address; absent for a command on the server.
    pub changed_by: Option<String>,
    pub from_level: Level,
    pub from_basis_points: u32,
    pub to_level: Level,
    pub to_basis_points: u32,
}
