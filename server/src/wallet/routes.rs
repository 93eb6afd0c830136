//! The calls of the group `Wallet`.
use super::types::{CreateTopUp, TopUpStarted, Transaction};
use super::{alarms, ledger};
use crate::answer::{Answer, Answered, answer, language_of};
use crate::error::AppError;
use crate::gateways;
use crate::ips::export::push_row;
use crate::list::{Direction, ListRequest, Page, Sort};
use crate::orders::payments::{self, Paying};
use crate::orders::queries as orders;
use crate::request::{Body, SignedIn, Write, once};
use crate::state::App;
use actix_web::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, post, web};
use futures_util::stream::try_unfold;
use postern_core::constants::PAGE_SIZES;
use postern_core::order::{OrderKind, PaymentMethod, accepts};
use postern_core::validate::{FieldErrors, MAX_TOP_UP, MIN_TOP_UP, validate_top_up};

pub fn configure(config: &mut utoipa_actix_web::service_config::ServiceConfig) {
    config
        .service(create_top_up)
        .service(get_transaction_list)
        .service(export_transactions)
        .configure(alarms::configure)
        .configure(super::expenses::configure)
        .configure(super::low_balance::configure)
        .configure(super::auto_top_ups::configure);
}

/// Orders money for the wallet and begins to pay for it: `Payment.PayUrl` is where the customer pays.
#[utoipa::path(
    tag = "Wallet", request_body = CreateTopUp, responses((status = 200, body = Answer<TopUpStarted>)), security(("Token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the stored answer"))
)]
#[post("/Wallet/CreateTopUp")]
async fn create_top_up(
    app: web::Data<App>,
    request: HttpRequest,
    who: SignedIn,
    write: Write<CreateTopUp>,
) -> Answered<serde_json::Value> {
    let amount = validate_top_up(&write.body.amount, MIN_TOP_UP, MAX_TOP_UP)?;
    let method = PaymentMethod::from_wire(&write.body.payment_method)
        .filter(|method| accepts(OrderKind::TopUp, *method) && gateways::is_offered(&app.config, *method))
        .ok_or_else(|| FieldErrors::one("PaymentMethod", "unknownPaymentMethod", &[]))?;
    let now = app.clock.now();
    let (config, key, language) = (app.config.clone(), app.key.clone(), language_of(&request));
    let started = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let order = orders::insert_top_up(conn, who.account_id, amount, method, now)?;
            let paying = Paying { method, use_wallet: false, language, config: &config, key: &key, now };
            let payment = payments::begin(conn, &order, amount, &paying)?;
            let order = orders::find(conn, who.account_id, order.id, now)?;
            Ok::<_, AppError>(TopUpStarted { order, payment })
        })
    });
    answer(started.await?)
}

/// The movements of the wallet, newest first. `Search` is a part of the number of an order, an invoice or a credit note; filters by
/// `Kind` and time; sorts by `CreatedAt`.
#[utoipa::path(tag = "Wallet", request_body = ListRequest, responses((status = 200, body = Answer<Page<Transaction>>)), security(("Token" = [])))]
#[post("/Wallet/GetTransactionList")]
async fn get_transaction_list(
    app: web::Data<App>,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Answered<Page<Transaction>> {
    answer(app.db.read(move |conn| ledger::transaction_list(conn, who.account_id, &list)).await?)
}

const COLUMNS: [&str; 7] = ["CreatedAt", "Kind", "Amount", "BalanceAfter", "Currency", "OrderNumber", "InvoiceNumber"];

/// A row of the file. Amounts are numbers of our own, which no spreadsheet takes for formulas.
fn push_transaction(out: &mut String, row: &Transaction) {
    let texts = [row.currency.as_str(), row.order_number.as_deref().unwrap_or_default()];
    out.push_str(&format!("{},{},{},{},", row.created_at, row.kind, row.amount, row.balance_after));
    push_row(out, &[texts[0], texts[1], row.invoice_number.as_deref().unwrap_or_default()]);
}

/// The movements that a list would show, oldest first, as CSV.
#[utoipa::path(
    tag = "Wallet", request_body = ListRequest, security(("Token" = [])),
    responses((status = 200, description = "The file; errors are answers as of any call", body = String, content_type = "text/csv"))
)]
#[post("/Wallet/ExportTransactions")]
async fn export_transactions(
    app: web::Data<App>,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Result<HttpResponse, AppError> {
    // Movements are only ever added at the end, so that pages from the beginning stay what they are while they are read.
    let sort = vec![Sort { field: "CreatedAt".to_owned(), direction: Direction::Asc }];
    let list = ListRequest { page_size: PAGE_SIZES.into_iter().max(), sort, ..list };
    let first = list.clone();
    // What is wrong with the list's filters is said before the file begins.
    app.db.read(move |conn| ledger::transaction_list(conn, who.account_id, &first)).await?;
    let parts = try_unfold((1, list, app, false), move |(page, list, app, is_done)| async move {
        if is_done {
            return Ok::<_, AppError>(None);
        }
        let asked = ListRequest { page: Some(page), ..list.clone() };
        let found = app.db.read(move |conn| ledger::transaction_list(conn, who.account_id, &asked)).await?;
        let mut text = String::new();
        if page == 1 {
            push_row(&mut text, &COLUMNS);
        }
        found.rows.iter().for_each(|row| push_transaction(&mut text, row));
        let is_last = found.rows.len() < found.page_size as usize;
        Ok(Some((web::Bytes::from(text), (page + 1, list, app, is_last))))
    });
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"transactions.csv\""))
        .streaming(parts))
}
