//! Requests and responses of the calls about the wallet.
use crate::http::list::ListRequest;
use postern_core::ledger::EntryKind;
use postern_core::money::{Currency, Money};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct TransactionFilter {
    #[schema(required = false)]
    pub kind: Option<EntryKind>,
}

/// A list of the transactions of a customer's wallet.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AccountTransactions {
    pub account_id: i64,
    #[serde(flatten)]
    pub list: ListRequest,
}

/// A transaction of the wallet.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Transaction {
    pub transaction_id: i64,
    pub kind: EntryKind,
    /// Positive for credits to the wallet, negative for debits.
    pub amount: Money,
    pub balance_after: Money,
    pub currency: Currency,
    pub order_id: Option<i64>,
    pub order_number: Option<String>,
    /// The invoice of the purchase, or the credit note of the refund.
    pub invoice_number: Option<String>,
    /// The number of its receipt (`Billing/GetReceiptPdf`), if it has neither of them.
    pub receipt_number: Option<String>,
    /// Why an operator changed the wallet; empty for all other transactions.
    pub reason: String,
    pub created_at: String,
}
