//! Requests and responses of the operator-only calls about accounts.
use postern_core::money::Money;
use postern_core::operator_forms::AccountTermsForm;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct AccountFilter {
    /// 0 customer, 1 reseller, 2 operator.
    #[schema(required = false)]
    pub level: Option<u8>,
    /// `active` or `suspended`.
    #[schema(required = false)]
    pub state: Option<String>,
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
    /// 0 customer, 1 reseller, 2 operator.
    pub level: u8,
    /// The wholesale discount in force, in hundredths of a percent.
    pub reseller_basis_points: u32,
    /// `active` or `suspended`.
    pub state: String,
    #[schema(value_type = String)]
    pub wallet_balance: Money,
    #[schema(value_type = String)]
    pub total_expenses: Money,
    pub currency: String,
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
    pub from_level: u8,
    pub from_basis_points: u32,
    pub to_level: u8,
    pub to_basis_points: u32,
}
