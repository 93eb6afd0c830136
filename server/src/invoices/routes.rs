//! The calls of the group `Billing`: invoices and credit notes.
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer, language_of};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, SignedIn};
use crate::invoices::types::{GetInvoicePdf, InvoiceDetail, InvoiceRef, InvoiceView};
use crate::invoices::{pdf, queries};
use crate::state::App;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, post, web};
use postern_core::language::Language;
use postern_core::permission::Level;

pub fn configure(config: &mut impl crate::http::routes::Routes) {
    config.service(get_invoice_list).service(get_invoice).service(get_invoice_pdf);
}

type AppData = web::Data<App>;

/// The account whose documents the user may read; `None` for operators, who may read all.
fn seen_by(who: &SignedIn) -> Option<i64> {
    (who.level != Level::Operator).then_some(who.account_id)
}

/// Lists invoices and credit notes, newest first. Filters by `Kind` and time; sorts by `IssuedAt`.
#[utoipa::path(tag = "Billing", request_body = ListRequest, responses((status = 200, body = Answer<Page<InvoiceView>>)), security(("Token" = [])))]
#[post("/Billing/GetInvoiceList")]
async fn get_invoice_list(app: AppData, who: SignedIn, Body(list): Body<ListRequest>) -> Answered<Page<InvoiceView>> {
    answer(app.db.read(move |conn| queries::list(conn, who.account_id, &list)).await?)
}

/// Returns an invoice or a credit note as issued.
#[utoipa::path(tag = "Billing", request_body = InvoiceRef, responses((status = 200, body = Answer<InvoiceDetail>)), security(("Token" = [])))]
#[post("/Billing/GetInvoice")]
async fn get_invoice(app: AppData, who: SignedIn, Body(asked): Body<InvoiceRef>) -> Answered<InvoiceDetail> {
    answer(app.db.read(move |conn| queries::find(conn, seen_by(&who), &asked.invoice_number)).await?)
}

/// Returns an invoice or a credit note as a PDF, in the reader's language or the one requested.
#[utoipa::path(
    tag = "Billing", request_body = GetInvoicePdf, security(("Token" = [])),
    responses((status = 200, body = String, content_type = "application/pdf"))
)]
#[post("/Billing/GetInvoicePdf")]
async fn get_invoice_pdf(
    app: AppData,
    request: HttpRequest,
    who: SignedIn,
    Body(asked): Body<GetInvoicePdf>,
) -> Result<HttpResponse, AppError> {
    let language = asked.language.as_deref().map_or_else(|| language_of(&request), Language::from_choice);
    let number = asked.invoice_number.clone();
    let document = app.db.read(move |conn| queries::find(conn, seen_by(&who), &number)).await?;
    let (texts, logo) = (app.texts.clone(), app.logo.clone());
    let name = document.invoice.invoice_number.clone();
    let printed = web::block(move || pdf::print(&document, &texts, language, logo.as_deref())).await;
    let file = printed.map_err(|error| AppError::Internal(error.into()))?.map_err(AppError::Internal)?;
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "application/pdf"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.pdf\"")))
        .body(file))
}
