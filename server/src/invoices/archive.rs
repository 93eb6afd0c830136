//! The invoices and credit notes of a month as one ZIP file. It is written while it is sent and holds one document in memory at a time.
use crate::error::AppError;
use crate::http::answer::language_of;
use crate::http::list::{Direction, ListRequest, Sort};
use crate::http::request::{Body, SignedIn};
use crate::invoices::paper::print;
use crate::invoices::queries;
use crate::invoices::types::InvoiceView;
use crate::state::App;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, post, web};
use chrono::{Datelike, Timelike};
use futures_util::Stream;
use futures_util::stream::try_unfold;
use postern_core::constants::PAGE_SIZES;
use postern_core::invoice::check_export_range;
use postern_core::language::Language;
use postern_core::time::from_wire;
use std::collections::VecDeque;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

/// What has been written and not sent yet.
#[derive(Clone, Default)]
struct Unsent(Arc<Mutex<Vec<u8>>>);

impl Unsent {
    fn take(&self) -> web::Bytes {
        web::Bytes::from(std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Write for Unsent {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn internal(error: impl Into<anyhow::Error>) -> AppError {
    AppError::Internal(error.into())
}

/// A ZIP file that is being written.
pub struct Archive {
    unsent: Unsent,
    zip: ZipWriter<StreamWriter<Unsent>>,
}

impl Archive {
    pub fn begin() -> Archive {
        let unsent = Unsent::default();
        Archive { zip: ZipWriter::new_stream(unsent.clone()), unsent }
    }

    /// Adds a document and returns the bytes to send. A PDF is compressed already.
    pub fn add_document(&mut self, document: &InvoiceView, file: &[u8]) -> Result<web::Bytes, AppError> {
        self.add(&format!("{}.pdf", document.invoice_number), &document.issued_at, file)
    }

    /// Adds a file with this time and returns the bytes to send.
    pub fn add(&mut self, name: &str, at: &str, file: &[u8]) -> Result<web::Bytes, AppError> {
        let mut options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let issued_at = from_wire(at).and_then(|at| {
            let year = u16::try_from(at.year()).ok()?;
            let [month, day, hour, minute, second] =
                [at.month(), at.day(), at.hour(), at.minute(), at.second()].map(|part| part as u8);
            DateTime::from_date_and_time(year, month, day, hour, minute, second).ok()
        });
        if let Some(issued_at) = issued_at {
            options = options.last_modified_time(issued_at);
        }
        self.zip.start_file(name, options).map_err(internal)?;
        self.zip.write_all(file).map_err(internal)?;
        Ok(self.unsent.take())
    }

    pub fn finish(self) -> Result<web::Bytes, AppError> {
        self.zip.finish().map_err(internal)?;
        Ok(self.unsent.take())
    }
}

/// Documents that are still to be printed: those of the page that has been read, and the request for the next page.
struct Remaining {
    rows: VecDeque<InvoiceView>,
    next: Option<ListRequest>,
}

/// The work of one export.
struct Export {
    app: web::Data<App>,
    account_id: i64,
    language: Language,
    remaining: Remaining,
    archive: Archive,
}

async fn page(app: &App, account_id: i64, list: ListRequest) -> Result<Remaining, AppError> {
    let this = list.clone();
    let found = app.db.read(move |conn| queries::list(conn, Some(account_id), &this)).await?;
    let next = found.next.map(|next| ListRequest { after: Some(next), ..list });
    Ok(Remaining { rows: found.rows.into_iter().map(|(_, invoice)| invoice).collect(), next })
}

impl Export {
    async fn next_document(&mut self) -> Result<Option<InvoiceView>, AppError> {
        if self.remaining.rows.is_empty()
            && let Some(next) = self.remaining.next.take()
        {
            self.remaining = page(&self.app, self.account_id, next).await?;
        }
        Ok(self.remaining.rows.pop_front())
    }

    async fn printed(&self, number: String) -> Result<Vec<u8>, AppError> {
        let account_id = self.account_id;
        let document = self.app.db.read(move |conn| queries::find(conn, Some(account_id), &number)).await?;
        print(&self.app, account_id, document, self.language).await
    }
}

/// The answer that sends a ZIP file with this name.
pub fn zip_file(name: &str, parts: impl Stream<Item = Result<web::Bytes, AppError>> + 'static) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "application/zip"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.zip\"")))
        .streaming(parts)
}

/// Exports the invoices and credit notes of a month or less as one ZIP file of PDFs, oldest first, in the reader's language. Filters by `Kind`;
/// `StartTime` and `EndTime` are required. Code 3333 with the key `noInvoices` if none was issued in this time.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = String, content_type = "application/zip")))]
#[post("/Billing/ExportInvoices")]
pub async fn export_invoices(
    app: web::Data<App>,
    request: HttpRequest,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Result<HttpResponse, AppError> {
    let (from, to) = list.between()?;
    check_export_range(from, to)?;
    let sort = vec![Sort { field: "IssuedAt".to_owned(), direction: Direction::Asc }];
    let list = ListRequest { page_size: PAGE_SIZES.into_iter().max(), sort, page: None, after: None, ..list };
    let remaining = page(&app, who.account_id, list).await?;
    if remaining.rows.is_empty() {
        return Err(AppError::in_place("noInvoices"));
    }
    let (account_id, language) = (who.account_id, language_of(&request));
    let export = Export { app, account_id, language, remaining, archive: Archive::begin() };
    let parts = try_unfold(Some(export), |export| async move {
        let Some(mut export) = export else { return Ok::<_, AppError>(None) };
        let Some(document) = export.next_document().await? else {
            return Ok(Some((export.archive.finish()?, None)));
        };
        let file = export.printed(document.invoice_number.clone()).await?;
        let part = export.archive.add_document(&document, &file)?;
        Ok(Some((part, Some(export))))
    });
    Ok(zip_file("invoices", parts))
}
