//! What every document is drawn with, in whose turn, and how it is sent as a file.
use crate::brand::fonts::Fonts;
use crate::brand::logo::Logo;
use crate::error::AppError;
use crate::invoices::pdf;
use crate::invoices::types::InvoiceDetail;
use crate::state::App;
use crate::texts::Texts;
use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use postern_core::language::Language;
use std::sync::Arc;

/// What every document is drawn with.
pub struct Paper {
    pub texts: Texts,
    pub logo: Option<Arc<Logo>>,
    pub fonts: Arc<Fonts>,
}

/// Draws a document in the turn of this account.
pub async fn drawn(
    app: &App,
    account_id: i64,
    draw: impl FnOnce(&Paper) -> anyhow::Result<Vec<u8>> + Send + 'static,
) -> Result<Vec<u8>, AppError> {
    let paper = Paper { texts: app.texts.clone(), logo: app.logo.clone(), fonts: app.fonts.clone() };
    Ok(app.costly.documents.of_account(account_id).run(move || draw(&paper)).await??)
}

/// Prints an invoice or a credit note in the turn of this account.
pub async fn print(
    app: &App,
    account_id: i64,
    document: InvoiceDetail,
    language: Language,
) -> Result<Vec<u8>, AppError> {
    let print = move |paper: &Paper| pdf::print(&document, &paper.texts, language, paper.logo.as_deref(), &paper.fonts);
    drawn(app, account_id, print).await
}

/// A PDF to be saved under this name.
pub fn pdf_file(name: &str, file: Vec<u8>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "application/pdf"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.pdf\"")))
        .body(file)
}
