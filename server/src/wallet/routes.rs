//! The calls of the group `Wallet`.
use crate::accounts::queries::terms_of;
use crate::db::Conn;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::csv::csv_of_list;
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, Operator, SignedIn};
use crate::state::App;
use crate::wallet::transactions;
use crate::wallet::types::{AccountTransactions, Transaction};
use actix_web::{HttpResponse, post, web};
use postern_core::csv::push_row;

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

/// Lists the transactions of a customer's wallet, as the customer sees them.
#[utoipa::path(request_body = AccountTransactions, responses((status = 200, body = Answer<Page<Transaction>>)))]
#[post("/Operator/GetTransactionList")]
pub async fn get_account_transaction_list(
    app: web::Data<App>,
    _who: Operator,
    Body(asked): Body<AccountTransactions>,
) -> Answered<Page<Transaction>> {
    let AccountTransactions { account_id, list } = asked;
    let found = app.db.read(move |conn| {
        terms_of(conn, account_id)?;
        transactions::transaction_list(conn, account_id, &list)
    });
    answer(found.await?)
}

const COLUMNS: [&str; 8] =
    ["CreatedAt (UTC)", "Kind", "Amount", "BalanceAfter", "Currency", "OrderNumber", "InvoiceNumber", "Reason"];

/// A row of the file. Amounts are numbers in our own format, so spreadsheets cannot take them for formulas.
fn push_transaction(out: &mut String, row: &Transaction) {
    let texts = [row.order_number.as_deref(), row.invoice_number.as_deref()].map(Option::unwrap_or_default);
    out.push_str(&format!("{},{},{},{},", row.created_at, row.kind.as_str(), row.amount, row.balance_after));
    push_row(out, &[row.currency.as_str(), texts[0], texts[1], &row.reason]);
}

/// Exports the wallet's transactions as CSV, oldest first, with the filters of the list.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = String, content_type = "text/csv")))]
#[post("/Wallet/ExportTransactions")]
pub async fn export_transactions(
    app: web::Data<App>,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Result<HttpResponse, AppError> {
    let rows = move |conn: &mut Conn, list: &ListRequest| transactions::transaction_list(conn, who.account_id, list);
    csv_of_list(app, "transactions", &COLUMNS, ("CreatedAt", list), rows, push_transaction).await
}
