//! What the calls about invoices take and give.
use postern_core::invoice::{InvoiceKind, InvoiceSnapshot};
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An invoice or a credit note in a list.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct InvoiceView {
    pub invoice_number: String,
    pub kind: InvoiceKind,
    pub order_id: i64,
    pub order_number: String,
    pub currency: Currency,
    #[schema(value_type = String)]
    pub total: Money,
    pub issued_at: String,
    /// On a credit note: the invoice that it takes from.
    pub corrects: Option<String>,
}

/// An invoice or a credit note with all that it says.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct InvoiceDetail {
    #[serde(flatten)]
    pub invoice: InvoiceView,
    #[serde(flatten)]
    pub snapshot: InvoiceSnapshot,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct InvoiceRef {
    pub invoice_number: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct GetInvoicePdf {
    pub invoice_number: String,
    /// The reader's own when absent.
    #[serde(default)]
    #[schema(required = false, value_type = Option<Language>)]
    pub language: Option<String>,
}

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct InvoiceFilter {
    #[schema(required = false)]
    pub kind: Option<InvoiceKind>,
}
