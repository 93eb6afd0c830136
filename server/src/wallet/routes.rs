//! The calls of the group `Wallet`.
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{Direction, ListRequest, Page, Sort};
use crate::http::request::{Body, SignedIn};
use crate::state::App;
use crate::wallet::transactions;
use crate::wallet::types::Transaction;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpResponse, post, web};
use futures_util::stream::try_unfold;
use postern_core::constants::PAGE_SIZES;
use postern_core::csv::{begin_file, push_row};

/// Lists the wallet's transactions, newest first. `Search` matches part of an order, invoice or credit note number; filters by
/// `Kind` and time; sorts by `CreatedAt`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<Transaction>>)))]
#[post("/Wallet/GetTransactionList")]
pub async fn get_transaction_list(
    app: web::Data<App>,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Answered<Page<Transaction>> {
    answer(app.db.read(move |conn| transactions::transaction_list(conn, who.account_id, &list)).await?)
}

const COLUMNS: [&str; 7] =
    ["CreatedAt (UTC)", "Kind", "Amount", "BalanceAfter", "Currency", "OrderNumber", "InvoiceNumber"];

/// A row of the file. Amounts are numbers in our own format, so spreadsheets cannot take them for formulas.
fn push_transaction(out: &mut String, row: &Transaction) {
    let texts = [row.currency.as_str(), row.order_number.as_deref().unwrap_or_default()];
    out.push_str(&format!("{},{},{},{},", row.created_at, row.kind.as_str(), row.amount, row.balance_after));
    push_row(out, &[texts[0], texts[1], row.invoice_number.as_deref().unwrap_or_default()]);
}

/// Exports the wallet's transactions as CSV, oldest first, with the filters of the list.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = String, content_type = "text/csv")))]
#[post("/Wallet/ExportTransactions")]
pub async fn export_transactions(
    app: web::Data<App>,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Result<HttpResponse, AppError> {
    // Transactions are append-only, so pages from the beginning do not shift while they are read.
    let sort = vec![Sort { field: "CreatedAt".to_owned(), direction: Direction::Asc }];
    let list = ListRequest { page_size: PAGE_SIZES.into_iter().max(), sort, ..list };
    let first = list.clone();
    // Validate the list's filters before the file begins.
    app.db.read(move |conn| transactions::transaction_list(conn, who.account_id, &first)).await?;
    let begin = ListRequest { page: None, after: None, ..list };
    let parts = try_unfold((Some(begin), app), move |(asked, app)| async move {
        let Some(asked) = asked else { return Ok::<_, AppError>(None) };
        let this = asked.clone();
        let found = app.db.read(move |conn| transactions::transaction_list(conn, who.account_id, &this)).await?;
        let mut text = if asked.after.is_none() { begin_file(&COLUMNS) } else { String::new() };
        found.rows.iter().for_each(|row| push_transaction(&mut text, row));
        let next = found.next.map(|next| ListRequest { after: Some(next), ..asked });
        Ok(Some((web::Bytes::from(text), (next, app))))
    });
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"transactions.csv\""))
        .streaming(parts))
}
