//! Requests and responses of the operator-only calls about accounts.
use postern_core::account::AccountState;
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
    /// The company, the person, or else the e-mail address.
    pub name: String,
    pub level: Level,
    /// The wholesale discount in force, in hundredths of a percent.
    pub reseller_basis_points: u32,
    pub state: AccountState,
    #[schema(value_type = String)]
    pub wallet_balance: Money,
    #[schema(value_type = String)]
    pub total_expenses: Money,
    pub currency: Currency,
    pub created_at: String,
}

/// An account with its latest changes of terms, newest first.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AccountDetail {
    pub account: Account,
    pub changes: Vec<TermsChange>,
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
