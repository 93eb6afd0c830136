//! What the calls about the wallet take and give.
use crate::orders::types::{OrderView, PaymentView};
use postern_core::ledger::EntryKind;
use postern_core::money::{Currency, Money};
use postern_core::order::PaymentMethod;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CreateTopUp {
    /// As typed, such as `100` or `100.00`.
    pub amount: String,
    #[schema(value_type = PaymentMethod)]
    pub payment_method: String,
}

/// The top-up's order and the payment that was begun for it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct TopUpStarted {
    pub order: OrderView,
    pub payment: PaymentView,
}

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct TransactionFilter {
    #[schema(required = false)]
    pub kind: Option<EntryKind>,
}

/// A movement of the wallet.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Transaction {
    pub transaction_id: i64,
    pub kind: EntryKind,
    /// Below zero when the wallet paid.
    #[schema(value_type = String)]
    pub amount: Money,
    #[schema(value_type = String)]
    pub balance_after: Money,
    pub currency: Currency,
    pub order_id: Option<i64>,
    pub order_number: Option<String>,
    /// The invoice of what was bought, or the credit note of what was given back.
    pub invoice_number: Option<String>,
    pub created_at: String,
}
