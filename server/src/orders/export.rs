//! The orders of an account as a CSV file of any length, written page by page.
use crate::error::AppError;
use crate::fulfilment::types::OrderView;
use crate::fulfilment::views;
use crate::http::list::{Direction, ListRequest, Sort};
use crate::http::request::{Body, SignedIn};
use crate::state::App;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpResponse, post, web};
use futures_util::stream::try_unfold;
use postern_core::constants::PAGE_SIZES;
use postern_core::csv::{begin_file, push_row};

pub const COLUMNS: [&str; 13] = [
    "CreatedAt (UTC)",
    "OrderNumber",
    "Kind",
    "State",
    "Quantity",
    "VerStr",
    "PeriodDays",
    "Subtotal",
    "DiscountTotal",
    "Total",
    "Refunded",
    "Currency",
    "PaidAt (UTC)",
];

pub fn cells(order: &OrderView) -> [String; 13] {
    [
        order.created_at.clone(),
        order.order_number.clone(),
        order.kind.as_str().to_owned(),
        order.state.as_str().to_owned(),
        order.quantity.to_string(),
        order.ver_str.clone().unwrap_or_default(),
        order.period_days.map(|days| days.to_string()).unwrap_or_default(),
        order.subtotal.to_string(),
        order.discount_total.to_string(),
        order.total.to_string(),
        order.refunded.to_string(),
        order.currency.as_str().to_owned(),
        order.paid_at.clone().unwrap_or_default(),
    ]
}

/// Exports the account's orders as CSV, oldest first, with the filters of the list.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = String, content_type = "text/csv")))]
#[post("/Order/ExportOrders")]
pub async fn export_orders(
    app: web::Data<App>,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Result<HttpResponse, AppError> {
    // Oldest first: orders that are placed meanwhile do not shift the pages.
    let sort = vec![Sort { field: "CreatedAt".to_owned(), direction: Direction::Asc }];
    let list = ListRequest { page_size: PAGE_SIZES.into_iter().max(), sort, page: None, after: None, ..list };
    let now = app.clock.now();
    let first = list.clone();
    // Validate the list's filters before the file begins.
    app.db.read(move |conn| views::list(conn, who.account_id, &first, now)).await?;
    let parts = try_unfold((Some(list), app), move |(asked, app)| async move {
        let Some(asked) = asked else { return Ok::<_, AppError>(None) };
        let this = asked.clone();
        let found = app.db.read(move |conn| views::list(conn, who.account_id, &this, now)).await?;
        let mut text = if asked.after.is_none() { begin_file(&COLUMNS) } else { String::new() };
        for order in &found.rows {
            push_row(&mut text, &cells(order));
        }
        let next = found.next.map(|next| ListRequest { after: Some(next), ..asked });
        Ok(Some((web::Bytes::from(text), (next, app))))
    });
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8"))
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"orders.csv\""))
        .streaming(parts))
}
