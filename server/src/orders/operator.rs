//! The operator's view of all orders: search, payments and gateway callbacks.
use crate::accounts::queries::emails_of;
use crate::accounts::search::{Matching, of_accounts};
use crate::customers::customer;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::fulfilment::types::OrderView;
use crate::fulfilment::views::{Narrowing, view_with_nodes, views};
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page, containing, page_of_rows};
use crate::http::request::{Body, Operator};
use crate::order_rows::rows::{OrderRow, by_number};
use crate::schema::{gateway_callbacks, orders, payments};
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::invoice::Party;
use postern_core::list::{ALL_ORDERS, CursorKey};
use postern_core::order::{PaymentMethod, Verdict};
use postern_core::order_search::{OrderSearch, order_search};
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

type AppData = web::Data<App>;

/// An order with its account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AccountOrder {
    pub account_id: i64,
    pub email: String,
    pub order: OrderView,
}

/// An order with its account, payments and callbacks.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AccountOrderDetail {
    pub account_id: i64,
    pub email: String,
    /// The company name, the person's name, or else the e-mail address.
    pub name: String,
    pub order: OrderView,
    pub callbacks: Vec<Callback>,
}

/// A gateway callback.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Callback {
    pub callback_id: i64,
    pub gateway: PaymentMethod,
    pub payment_id: String,
    /// The first 200 bytes of the body.
    pub beginning: String,
    /// The length of the body, in bytes.
    pub size_bytes: i64,
    /// The SHA-256 of the body, in hexadecimal.
    pub sha256: String,
    /// The sender's address; empty for an operator's confirmation.
    pub sender: String,
    /// The verdict; absent until the callback has been processed.
    pub verdict: Option<Verdict>,
    pub received_at: String,
    pub judged_at: Option<String>,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OrderNumber {
    pub order_number: String,
}

pub fn list(conn: &mut Conn, list: &ListRequest, now: NaiveDateTime) -> Result<Page<AccountOrder>, AppError> {
    let narrowing = Narrowing::of(list)?;
    let search = order_search(&list.search);
    let matching = search.email().map(|part| Matching::of(conn, part)).transpose()?;
    let asked = list.asked(&ALL_ORDERS)?;
    let narrowed = || {
        let query = orders::table.into_boxed();
        let query = match (&search, &matching) {
            (OrderSearch::Number(number), _) => query.filter(orders::order_number.eq(number.clone())),
            (OrderSearch::Part(part), Some(matching)) => {
                let number = orders::order_number.like(containing(&part.to_uppercase())).escape('\\');
                of_accounts!(matching, |ids| query.filter(number.or(orders::account_id.eq_any(ids))))
            }
            (_, Some(matching)) => of_accounts!(matching, |ids| query.filter(orders::account_id.eq_any(ids))),
            (_, None) => query,
        };
        narrowing.of_orders(query)
    };
    let page = page_of_rows!(
        conn, asked, |row: OrderRow| narrowed().select(OrderRow::as_select()),
        counted: narrowed().select(orders::id), number: orders::id => row.id,
        fields: {
            "CreatedAt" => orders::created_at, time, CursorKey::Time(row.created_at);
            "Total" => orders::total_minor, integer, CursorKey::Integer(row.total_minor);
        }
    );
    page.views(|rows| {
        let accounts: Vec<i64> = rows.iter().map(|row| row.account_id).collect();
        let emails = emails_of(conn, &accounts)?;
        let account_order = |(account_id, order): (i64, OrderView)| AccountOrder {
            account_id,
            email: emails.get(&account_id).cloned().unwrap_or_default(),
            order,
        };
        Ok(accounts.iter().copied().zip(views(conn, rows, now)?).map(account_order).collect())
    })
}

/// An order with its account and its callbacks.
pub fn find(conn: &mut Conn, order_number: &str, now: NaiveDateTime) -> Result<AccountOrderDetail, AppError> {
    let row = by_number(conn, order_number)?;
    let (order_id, account_id) = (row.id, row.account_id);
    let Party { email, name, .. } = customer(conn, account_id, None)?.parties.buyer;
    let order = view_with_nodes(conn, row, now)?;
    Ok(AccountOrderDetail { account_id, email, name, order, callbacks: callbacks(conn, order_id)? })
}

type CallbackBody = (String, i64, String, String);
type CallbackRow = (i64, PaymentMethod, String, CallbackBody, Option<Verdict>, NaiveDateTime, Option<NaiveDateTime>);

fn callbacks(conn: &mut Conn, order_id: i64) -> Result<Vec<Callback>, AppError> {
    let rows: Vec<CallbackRow> = gateway_callbacks::table
        .inner_join(payments::table.on(payments::id.nullable().eq(gateway_callbacks::payment_id)))
        .filter(payments::order_id.eq(order_id))
        .order(gateway_callbacks::id)
        .select((
            gateway_callbacks::id,
            gateway_callbacks::gateway,
            payments::public_id,
            (
                gateway_callbacks::beginning,
                gateway_callbacks::size_bytes,
                gateway_callbacks::body_sha256,
                gateway_callbacks::sender,
            ),
            gateway_callbacks::verdict,
            gateway_callbacks::received_at,
            gateway_callbacks::judged_at,
        ))
        .load(conn)?;
    let callback = |(callback_id, gateway, payment_id, body, verdict, received_at, judged_at): CallbackRow| {
        let (beginning, size_bytes, sha256, sender) = body;
        Callback {
            callback_id,
            gateway,
            payment_id,
            beginning,
            size_bytes,
            sha256,
            sender,
            verdict,
            received_at: to_wire(received_at),
            judged_at: judged_at.map(to_wire),
        }
    };
    Ok(rows.into_iter().map(callback).collect())
}

/// Lists the orders of all accounts, newest first. `Search` matches part of an order number or e-mail address; filters by `State`, `Kind`
/// and time; sorts by `CreatedAt` and `Total`.
#[utoipa::path(operation_id = "operator_get_order_list", request_body = ListRequest, responses((status = 200, body = Answer<Page<AccountOrder>>)))]
#[post("/Operator/GetOrderList")]
pub async fn get_order_list(
    app: AppData,
    _who: Operator,
    Body(asked): Body<ListRequest>,
) -> Answered<Page<AccountOrder>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| list(conn, &asked, now)).await?)
}

/// Returns an order by its number, with its account, payments and gateway callbacks.
#[utoipa::path(operation_id = "operator_get_order", request_body = OrderNumber, responses((status = 200, body = Answer<AccountOrderDetail>)))]
#[post("/Operator/GetOrder")]
pub async fn get_order(app: AppData, _who: Operator, Body(asked): Body<OrderNumber>) -> Answered<AccountOrderDetail> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| find(conn, &asked.order_number, now)).await?)
}
