//! Orders as API views: with payments, refunds, invoices and timeline.
use crate::db::conn::MultiBackend;
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::fulfilment::payment_views;
use crate::fulfilment::types::{OrderFilter, OrderMoment, OrderNodeView, OrderView};
use crate::http::list::{Between, ListRequest, Page, containing, page_of_rows, within};
use crate::invoices::queries as invoices;
use crate::invoices::types::InvoiceView;
use crate::order_rows::current_nodes::{CurrentNode, current_nodes, replacements};
use crate::order_rows::rows::{LineRow, OrderRow, lines_of_orders};
use crate::order_rows::types::PaymentView;
use crate::refunds::queries as refunds;
use crate::refunds::types::RefundView;
use crate::schema::orders;
use chrono::NaiveDateTime;
use postern_core::code::Code;
use postern_core::list::{CursorKey, ORDERS};
use postern_core::money::Money;
use postern_core::order::{OrderKind, OrderMilestone, OrderState, order_actions};
use postern_core::time::to_wire;

pub fn find(conn: &mut Conn, account_id: i64, order_id: i64, now: NaiveDateTime) -> Result<OrderView, AppError> {
    let row: Option<OrderRow> = orders::table
        .filter(orders::account_id.eq(account_id))
        .filter(orders::id.eq(order_id))
        .select(OrderRow::as_select())
        .first(conn)
        .optional()?;
    view_with_nodes(conn, row.ok_or_else(|| AppError::code(Code::NotFound))?, now)
}

/// An order with its IPs.
pub fn view_with_nodes(conn: &mut Conn, row: OrderRow, now: NaiveDateTime) -> Result<OrderView, AppError> {
    let nodes = current_nodes(conn, &row, Some(SHOWN_NODES), RowLock::None)?;
    let replacements = replacements(conn, &row, &nodes)?;
    let view = views(conn, vec![row], now)?.pop().ok_or_else(|| AppError::internal("an order without a view"))?;
    Ok(OrderView { nodes: nodes.into_iter().filter_map(node_view).collect(), replacements, ..view })
}

/// Maximum IPs shown with an order; the proxy list shows all of them.
const SHOWN_NODES: i64 = 200;

/// Nodes that a renewal could not extend were refunded, and are left out.
fn node_view(node: CurrentNode) -> Option<OrderNodeView> {
    let (starts_at, ends_at) = node.period?;
    Some(OrderNodeView {
        node_id: node.current.id,
        ip: node.current.ip,
        country: node.current.country,
        city: node.current.city,
        starts_at: to_wire(starts_at),
        ends_at: to_wire(ends_at),
        is_owned: node.is_owned,
    })
}

/// Unpaid orders, earliest expiry first. Top-ups hold no nodes and are left out.
pub fn unpaid(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Vec<OrderView>, AppError> {
    let rows: Vec<OrderRow> = orders::table
        .filter(orders::account_id.eq(account_id))
        .filter(orders::state.eq(OrderState::Unpaid))
        .filter(orders::kind.ne(OrderKind::TopUp))
        .filter(orders::expires_at.gt(now))
        .order(orders::expires_at)
        .select(OrderRow::as_select())
        .load(conn)?;
    views(conn, rows, now)
}

/// The filters of a list of orders, of one account or all.
pub struct Narrowing {
    filter: OrderFilter,
    between: Between,
}

impl Narrowing {
    pub fn of(list: &ListRequest) -> Result<Narrowing, AppError> {
        let between = list.between()?;
        Ok(Narrowing { filter: list.filters()?, between })
    }

    pub fn of_orders<'a>(&self, query: orders::BoxedQuery<'a, MultiBackend>) -> orders::BoxedQuery<'a, MultiBackend> {
        let mut query = within(query, orders::created_at, self.between);
        if let Some(state) = self.filter.state {
            query = query.filter(orders::state.eq(state));
        }
        if let Some(kind) = self.filter.kind {
            query = query.filter(orders::kind.eq(kind));
        }
        if let Some(account_id) = self.filter.account_id {
            query = query.filter(orders::account_id.eq(account_id));
        }
        query
    }
}

pub fn list(
    conn: &mut Conn,
    account_id: i64,
    list: &ListRequest,
    now: NaiveDateTime,
) -> Result<Page<OrderView>, AppError> {
    let narrowing = Narrowing::of(list)?;
    // Order numbers are upper case.
    let number = list.search.trim().to_uppercase();
    let asked = list.asked(&ORDERS)?;
    let narrowed = || {
        let mut query = orders::table.filter(orders::account_id.eq(account_id)).into_boxed();
        if !number.is_empty() {
            query = query.filter(orders::order_number.like(containing(&number)).escape('\\'));
        }
        narrowing.of_orders(query)
    };
    let page = page_of_rows!(
        conn, asked, |row: OrderRow| narrowed().select(OrderRow::as_select()),
        counted: narrowed().select(orders::id), number: orders::id => row.id,
        fields: { "Total" => orders::total_minor, integer, CursorKey::Integer(row.total_minor) }
    );
    page.views(|rows| views(conn, rows, now))
}

/// The timeline of an order. Delivery and the refund of undelivered nodes happen in the same transaction as payment.
fn timeline(row: &OrderRow, refunds: &[RefundView]) -> Vec<OrderMoment> {
    use OrderMilestone as M;
    let moment = |event, at, amount| OrderMoment { event, at, amount };
    let mut moments = vec![moment(M::Created, to_wire(row.created_at), None)];
    if let Some(paid_at) = row.paid_at.map(to_wire) {
        let lacked = refunds.iter().any(|refund| refund.created_at == paid_at && refund.reason.is_empty());
        moments.push(moment(M::Paid, paid_at.clone(), Some(Money::from_minor(row.total_minor))));
        moments.push(moment(if lacked { M::PartlyFulfilled } else { M::Fulfilled }, paid_at, None));
    }
    moments.extend(refunds.iter().map(|one| moment(M::Refunded, one.created_at.clone(), Some(one.amount))));
    let ended = match row.state {
        OrderState::Cancelled => Some(M::Cancelled),
        OrderState::Expired => Some(M::Expired),
        OrderState::Unpaid
        | OrderState::Paid
        | OrderState::Fulfilled
        | OrderState::PartlyFulfilled
        | OrderState::Refunded => None,
    };
    if let (Some(event), Some(ended_at)) = (ended, row.ended_at) {
        moments.push(moment(event, to_wire(ended_at), None));
    }
    moments
}

/// Everything that belongs to an order besides its row.
#[derive(Default)]
pub struct OrderRelations {
    pub payments: Vec<PaymentView>,
    pub refunds: Vec<RefundView>,
    pub invoices: Vec<InvoiceView>,
}

/// Assembles the view of an order from loaded data.
pub fn view(row: OrderRow, lines: &[LineRow], of: OrderRelations, now: NaiveDateTime) -> Result<OrderView, AppError> {
    let timeline = timeline(&row, &of.refunds);
    let seconds_left = row.seconds_left(now);
    let actions = order_actions(row.state, seconds_left);
    Ok(OrderView {
        order_id: row.id,
        quantity: lines.iter().map(|line| line.quantity).sum(),
        lines: lines.iter().map(LineRow::view).collect(),
        subtotal: Money::from_minor(row.subtotal_minor),
        discounts: serde_json::from_str(&row.discounts)?,
        coupon: row.coupon,
        discount_total: Money::from_minor(row.discount_minor),
        total: Money::from_minor(row.total_minor),
        refunded: Money::from_minor(row.refunded_minor),
        created_at: to_wire(row.created_at),
        expires_at: to_wire(row.expires_at),
        paid_at: row.paid_at.map(to_wire),
        invoices: of.invoices,
        refunds: of.refunds,
        timeline,
        nodes: Vec::new(),
        replacements: Vec::new(),
        seconds_left,
        can_pay: actions.can_pay,
        can_cancel: actions.can_cancel,
        payments: of.payments,
        order_number: row.order_number,
        kind: row.kind,
        state: row.state,
        currency: row.currency,
        ver_str: row.ver_str,
        period_days: row.period_days,
    })
}

pub fn views(conn: &mut Conn, rows: Vec<OrderRow>, now: NaiveDateTime) -> Result<Vec<OrderView>, AppError> {
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut lines = lines_of_orders(conn, &ids)?;
    let mut payments = payment_views::of_orders(conn, &ids)?;
    let mut refunds = refunds::of_orders(conn, &ids)?;
    let mut invoices = invoices::of_orders(conn, &ids)?;
    let view = |row: OrderRow| {
        let belongings = OrderRelations {
            payments: payments.remove(&row.id).unwrap_or_default(),
            refunds: refunds.remove(&row.id).unwrap_or_default(),
            invoices: invoices.remove(&row.id).unwrap_or_default(),
        };
        let lines = lines.remove(&row.id).unwrap_or_default();
        view(row, &lines, belongings, now)
    };
    rows.into_iter().map(view).collect()
}
