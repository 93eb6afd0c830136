//! SQL about issued invoices and credit notes.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, Page, containing, page_of_rows, within};
use crate::invoices::types::{InvoiceDetail, InvoiceFilter, InvoiceView};
use crate::schema::{invoices, orders};
use chrono::NaiveDateTime;
use postern_core::account::is_order_number;
use postern_core::code::Code;
use postern_core::invoice::{InvoiceKind, InvoiceSnapshot, is_invoice_number};
use postern_core::list::{ALL_INVOICES, CursorKey, INVOICES};
use postern_core::money::{Currency, Money};
use postern_core::time::to_wire;
use std::collections::HashMap;

type Row = (String, InvoiceKind, i64, String, Currency, i64, NaiveDateTime, Option<i64>);

macro_rules! columns {
    () => {
        (
            invoices::invoice_number,
            invoices::kind,
            invoices::order_id,
            orders::order_number,
            invoices::currency,
            invoices::total_minor,
            invoices::issued_at,
            invoices::corrects_id,
        )
    };
}

fn views(conn: &mut Conn, rows: Vec<Row>) -> Result<Vec<InvoiceView>, AppError> {
    let corrected: Vec<i64> = rows.iter().filter_map(|row| row.7).collect();
    let numbers: HashMap<i64, String> = invoices::table
        .filter(invoices::id.eq_any(corrected))
        .select((invoices::id, invoices::invoice_number))
        .load::<(i64, String)>(conn)?
        .into_iter()
        .collect();
    let view = |(invoice_number, kind, order_id, order_number, currency, total, issued_at, corrects_id): Row| {
        let corrects = corrects_id.and_then(|id| numbers.get(&id).cloned());
        let (total, issued_at) = (Money::from_minor(total), to_wire(issued_at));
        InvoiceView { invoice_number, kind, order_id, order_number, currency, total, issued_at, corrects }
    };
    Ok(rows.into_iter().map(view).collect())
}

/// The documents of an account, or of all accounts, newest first, each with its account. `Search` matches part of a number.
pub fn list(
    conn: &mut Conn,
    account_id: Option<i64>,
    list: &ListRequest,
) -> Result<Page<(i64, InvoiceView)>, AppError> {
    let filter: InvoiceFilter = list.filters()?;
    let between = list.between()?;
    let number = list.search.trim().to_uppercase();
    let asked = list.asked(if account_id.is_some() { &INVOICES } else { &ALL_INVOICES })?;
    let narrowed = || {
        let query = invoices::table.inner_join(orders::table.on(orders::id.eq(invoices::order_id)));
        let mut query = within(query.into_boxed(), invoices::issued_at, between);
        if let Some(account_id) = account_id {
            query = query.filter(invoices::account_id.eq(account_id));
        }
        if let Some(kind) = filter.kind {
            query = query.filter(invoices::kind.eq(kind));
        }
        // Whole numbers are found by an index, however many documents there are.
        if is_invoice_number(&number) {
            query = query.filter(invoices::invoice_number.eq(number.clone()));
        } else if is_order_number(&number) {
            query = query.filter(orders::order_number.eq(number.clone()));
        } else if !number.is_empty() {
            let is_found = invoices::invoice_number.like(containing(&number)).escape('\\');
            query = query.filter(is_found.or(orders::order_number.like(containing(&number)).escape('\\')));
        }
        query
    };
    let page = page_of_rows!(
        conn, asked, |row: (Row, i64, i64)| narrowed().select((columns!(), invoices::id, invoices::account_id)),
        counted: narrowed().select(invoices::id), number: invoices::id => row.1,
        fields: { "IssuedAt" => invoices::issued_at, time, CursorKey::Time(row.0.6) }
    );
    page.views(|rows| {
        let accounts: Vec<i64> = rows.iter().map(|row| row.2).collect();
        Ok(accounts.into_iter().zip(views(conn, rows.into_iter().map(|row| row.0).collect())?).collect())
    })
}

/// The documents of these orders, in order of issue.
pub fn of_orders(conn: &mut Conn, order_ids: &[i64]) -> Result<HashMap<i64, Vec<InvoiceView>>, AppError> {
    let rows: Vec<Row> = invoices::table
        .inner_join(orders::table.on(orders::id.eq(invoices::order_id)))
        .filter(invoices::order_id.eq_any(order_ids))
        .order(invoices::id)
        .select(columns!())
        .load(conn)?;
    let mut by_order: HashMap<i64, Vec<InvoiceView>> = HashMap::new();
    for view in views(conn, rows)? {
        by_order.entry(view.order_id).or_default().push(view);
    }
    Ok(by_order)
}

/// A complete document, if it belongs to this account. Who sees all accounts passes none.
pub fn find(conn: &mut Conn, account_id: Option<i64>, invoice_number: &str) -> Result<InvoiceDetail, AppError> {
    let mut query = invoices::table
        .inner_join(orders::table.on(orders::id.eq(invoices::order_id)))
        .filter(invoices::invoice_number.eq(invoice_number))
        .select((columns!(), invoices::snapshot))
        .into_boxed();
    if let Some(account_id) = account_id {
        query = query.filter(invoices::account_id.eq(account_id));
    }
    let found: Option<(Row, String)> = query.first(conn).optional()?;
    let (row, snapshot) = found.ok_or_else(|| AppError::code(Code::NotFound))?;
    let snapshot: InvoiceSnapshot = serde_json::from_str(&snapshot)?;
    let invoice = views(conn, vec![row])?.pop().ok_or_else(|| AppError::internal("an invoice without a view"))?;
    Ok(InvoiceDetail { invoice, snapshot })
}

/// The number of an order's invoice, if it has one.
pub fn numbers_of(conn: &mut Conn, order_ids: &[i64]) -> Result<HashMap<i64, String>, AppError> {
    let rows: Vec<(i64, String)> = invoices::table
        .filter(invoices::order_id.eq_any(order_ids))
        .filter(invoices::kind.eq(InvoiceKind::Invoice))
        .select((invoices::order_id, invoices::invoice_number))
        .load(conn)?;
    Ok(rows.into_iter().collect())
}
