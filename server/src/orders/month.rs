//! A month for the accountant, as one ZIP file: the orders and the documents of all accounts as CSV, and each document as PDF. It is written while it
//! is sent.
use crate::error::AppError;
use crate::http::answer::language_of;
use crate::http::list::{Direction, ListRequest, Sort};
use crate::http::request::{Body, Operator};
use crate::invoices::archive::{Archive, zip_file};
use crate::invoices::paper::print;
use crate::invoices::queries;
use crate::invoices::types::{InvoiceDetail, InvoiceView};
use crate::orders::operator::list;
use crate::orders::{export, operator::AccountOrder};
use crate::state::App;
use actix_web::{HttpRequest, HttpResponse, post, web};
use chrono::NaiveDateTime;
use futures_util::stream::try_unfold;
use postern_core::constants::PAGE_SIZES;
use postern_core::csv::{begin_file, push_row};
use postern_core::invoice::check_export_range;
use postern_core::language::Language;
use postern_core::time::to_wire;
use std::collections::VecDeque;

const DOCUMENTS: [&str; 13] = [
    "IssuedAt (UTC)",
    "Number",
    "Kind",
    "Corrects",
    "OrderNumber",
    "AccountId",
    "Buyer",
    "Address",
    "Country",
    "TaxNumber",
    "PaymentMethod",
    "Total",
    "Currency",
];

fn document_cells(account_id: i64, document: &InvoiceDetail) -> [String; 13] {
    let InvoiceDetail { invoice, snapshot } = document;
    [
        invoice.issued_at.clone(),
        invoice.invoice_number.clone(),
        invoice.kind.as_str().to_owned(),
        invoice.corrects.clone().unwrap_or_default(),
        invoice.order_number.clone(),
        account_id.to_string(),
        snapshot.buyer.name.clone(),
        snapshot.buyer.address.join(", "),
        snapshot.buyer.country.clone(),
        snapshot.buyer.tax_number.clone(),
        snapshot.payment_method.as_str().to_owned(),
        invoice.total.to_string(),
        invoice.currency.as_str().to_owned(),
    ]
}

/// What is still to be written.
struct Month {
    app: web::Data<App>,
    /// The operator's, whose turn it is to print.
    account_id: i64,
    language: Language,
    now: NaiveDateTime,
    archive: Archive,
    documents: VecDeque<(i64, InvoiceView)>,
    next_documents: Option<ListRequest>,
    /// The documents as CSV, until that file is written.
    invoices: Option<String>,
    next_orders: Option<ListRequest>,
    orders: String,
}

fn push_order(out: &mut String, row: &AccountOrder) {
    let cells = export::cells(&row.order);
    let of_account = [row.account_id.to_string(), row.email.clone()];
    let cells: Vec<&String> = cells.iter().chain(&of_account).collect();
    push_row(out, &cells);
}

impl Month {
    async fn read_documents(&mut self) -> Result<(), AppError> {
        let Some(asked) = self.next_documents.take() else { return Ok(()) };
        let this = asked.clone();
        let found = self.app.db.read(move |conn| queries::list(conn, None, &this)).await?;
        self.documents = found.rows.into();
        self.next_documents = found.next.map(|next| ListRequest { after: Some(next), ..asked });
        Ok(())
    }

    async fn write_document(&mut self, account_id: i64, document: &InvoiceView) -> Result<web::Bytes, AppError> {
        let number = document.invoice_number.clone();
        let detail = self.app.db.read(move |conn| queries::find(conn, None, &number)).await?;
        if let Some(invoices) = &mut self.invoices {
            push_row(invoices, &document_cells(account_id, &detail));
        }
        let file = print(&self.app, self.account_id, detail, self.language).await?;
        self.archive.add_document(document, &file)
    }

    async fn write_orders(&mut self) -> Result<web::Bytes, AppError> {
        while let Some(asked) = self.next_orders.take() {
            let (this, now) = (asked.clone(), self.now);
            let found = self.app.db.read(move |conn| list(conn, &this, now)).await?;
            found.rows.iter().for_each(|row| push_order(&mut self.orders, row));
            self.next_orders = found.next.map(|next| ListRequest { after: Some(next), ..asked });
        }
        self.archive.add("orders.csv", &to_wire(self.now), self.orders.as_bytes())
    }

    /// The next bytes of the file, and what remains after them.
    async fn next_part(mut self) -> Result<(web::Bytes, Option<Month>), AppError> {
        if self.documents.is_empty() {
            self.read_documents().await?;
        }
        if let Some((account_id, document)) = self.documents.pop_front() {
            let part = self.write_document(account_id, &document).await?;
            return Ok((part, Some(self)));
        }
        if let Some(invoices) = self.invoices.take() {
            let part = self.archive.add("invoices.csv", &to_wire(self.now), invoices.as_bytes())?;
            return Ok((part, Some(self)));
        }
        if self.next_orders.is_some() {
            let part = self.write_orders().await?;
            return Ok((part, Some(self)));
        }
        Ok((self.archive.finish()?, None))
    }
}

/// Exports a month or less for the accountant, as one ZIP file: `invoices.csv` and `orders.csv` of all accounts, and every invoice and credit note as
/// PDF in the reader's language, oldest first. `StartTime` and `EndTime` are required.
#[utoipa::path(operation_id = "operator_export_invoices", request_body = ListRequest, responses((status = 200, body = String, content_type = "application/zip")))]
#[post("/Operator/ExportInvoices")]
pub async fn export_account_invoices(
    app: web::Data<App>,
    request: HttpRequest,
    who: Operator,
    Body(asked): Body<ListRequest>,
) -> Result<HttpResponse, AppError> {
    let (from, to) = asked.between()?;
    check_export_range(from, to)?;
    let by = |field: &str| {
        let sort = vec![Sort { field: field.to_owned(), direction: Direction::Asc }];
        let (start_time, end_time) = (asked.start_time.clone(), asked.end_time.clone());
        ListRequest { page_size: PAGE_SIZES.into_iter().max(), sort, start_time, end_time, ..ListRequest::default() }
    };
    let columns: Vec<&str> = export::COLUMNS.into_iter().chain(["AccountId", "Email"]).collect();
    let month = Month {
        account_id: who.account_id,
        language: language_of(&request),
        now: app.clock.now(),
        archive: Archive::begin(),
        documents: VecDeque::new(),
        next_documents: Some(by("IssuedAt")),
        invoices: Some(begin_file(&DOCUMENTS)),
        next_orders: Some(by("CreatedAt")),
        orders: begin_file(&columns),
        app,
    };
    let parts = try_unfold(Some(month), |month| async move {
        match month {
            Some(month) => month.next_part().await.map(Some),
            None => Ok(None),
        }
    });
    Ok(zip_file("month", parts))
}
