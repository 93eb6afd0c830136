//! The calls of the group `Billing`: invoices, credit notes and receipts.
use crate::accounts::queries::emails_of;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer, language_of};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, Operator, SignedIn};
use crate::invoices::paper::{Paper, drawn, pdf_file, print};
use crate::invoices::types::{AccountInvoice, GetInvoicePdf, GetReceiptPdf, InvoiceDetail, InvoiceRef, InvoiceView};
use crate::invoices::{queries, receipts};
use crate::state::App;
use actix_web::{HttpRequest, HttpResponse, post, web};
use postern_core::language::Language;

type AppData = web::Data<App>;

/// Lists invoices and credit notes, newest first. `Search` matches part of a document's or an order's number; filters by `Kind` and time; sorts by
/// `IssuedAt`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<InvoiceView>>)))]
#[post("/Billing/GetInvoiceList")]
pub async fn get_invoice_list(
    app: AppData,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Answered<Page<InvoiceView>> {
    let found = app.db.read(move |conn| queries::list(conn, Some(who.account_id), &list)).await?;
    answer(found.map(|(_, invoice)| invoice)?)
}

/// Lists the invoices and credit notes of all accounts, newest first. `Search` matches part of a document's or an order's number; filters by `Kind`
/// and time; sorts by `IssuedAt`. `Billing/GetInvoicePdf` prints them for operators too.
#[utoipa::path(operation_id = "operator_get_invoice_list", request_body = ListRequest, responses((status = 200, body = Answer<Page<AccountInvoice>>)))]
#[post("/Operator/GetInvoiceList")]
pub async fn get_account_invoice_list(
    app: AppData,
    _who: Operator,
    Body(list): Body<ListRequest>,
) -> Answered<Page<AccountInvoice>> {
    let found = app.db.read(move |conn| {
        let page = queries::list(conn, None, &list)?;
        let accounts: Vec<i64> = page.rows.iter().map(|row| row.0).collect();
        let emails = emails_of(conn, &accounts)?;
        page.map(|(account_id, invoice)| {
            let email = emails.get(&account_id).cloned().unwrap_or_default();
            AccountInvoice { account_id, email, invoice }
        })
    });
    answer(found.await?)
}

/// Returns an invoice or a credit note as issued.
#[utoipa::path(request_body = InvoiceRef, responses((status = 200, body = Answer<InvoiceDetail>)))]
#[post("/Billing/GetInvoice")]
pub async fn get_invoice(app: AppData, who: SignedIn, Body(asked): Body<InvoiceRef>) -> Answered<InvoiceDetail> {
    answer(
        app.db
            .read(move |conn| queries::find(conn, who.sees_only("Operator/GetInvoiceList"), &asked.invoice_number))
            .await?,
    )
}

/// Returns an invoice or a credit note as a PDF, in the reader's language or the one requested.
#[utoipa::path(request_body = GetInvoicePdf, responses((status = 200, body = String, content_type = "application/pdf")))]
#[post("/Billing/GetInvoicePdf")]
pub async fn get_invoice_pdf(
    app: AppData,
    request: HttpRequest,
    who: SignedIn,
    Body(asked): Body<GetInvoicePdf>,
) -> Result<HttpResponse, AppError> {
    let language = asked.language.as_deref().map_or_else(|| language_of(&request), Language::from_choice);
    let (number, account_id) = (asked.invoice_number.clone(), who.account_id);
    let document =
        app.db.read(move |conn| queries::find(conn, who.sees_only("Operator/GetInvoiceList"), &number)).await?;
    let name = document.invoice.invoice_number.clone();
    let file = print(&app, account_id, document, language).await?;
    Ok(pdf_file(&name, file))
}

/// Returns the receipt of a wallet's transaction that has no invoice or credit note, such as a top-up or a credit, as a PDF: in the reader's language
/// or the one requested. Operators get those of all accounts.
#[utoipa::path(request_body = GetReceiptPdf, responses((status = 200, body = String, content_type = "application/pdf")))]
#[post("/Billing/GetReceiptPdf")]
pub async fn get_receipt_pdf(
    app: AppData,
    request: HttpRequest,
    who: SignedIn,
    Body(asked): Body<GetReceiptPdf>,
) -> Result<HttpResponse, AppError> {
    let language = asked.language.as_deref().map_or_else(|| language_of(&request), Language::from_choice);
    let account_id = who.account_id;
    let owner = who.sees_only("Operator/GetTransactionList");
    let receipt = app.db.read(move |conn| receipts::find(conn, owner, asked.transaction_id)).await?;
    let name = receipt.number.clone();
    let draw = move |paper: &Paper| receipt.print(&paper.texts, language, paper.logo.as_deref(), &paper.fonts);
    Ok(pdf_file(&name, drawn(&app, account_id, draw).await?))
}
