//! Requests and responses of the calls about invoices.
use postern_core::invoice::{InvoiceKind, InvoiceSnapshot};
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A row of the list of invoices and credit notes.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct InvoiceView {
    pub invoice_number: String,
    pub kind: InvoiceKind,
    pub order_id: i64,
    pub order_number: String,
    pub currency: Currency,
    pub total: Money,
    pub issued_at: String,
    /// On a credit note: the invoice that it corrects.
    pub corrects: Option<String>,
}

/// An invoice or credit note of any account.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AccountInvoice {
    pub account_id: i64,
    pub email: String,
    pub invoice: InvoiceView,
}

/// A complete invoice or credit note.
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
    /// The reader's language by default.
    #[serde(default)]
    #[schema(required = false, value_type = Option<Language>)]
    pub language: Option<String>,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct GetReceiptPdf {
    pub transaction_id: i64,
    /// The reader's language by default.
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
