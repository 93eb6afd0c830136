//! Computes a refund without writing anything.
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::order_rows::rows::OrderRow;
use crate::refunds::order_nodes::{OrderNode, nodes_of, undelivered_nodes};
use crate::refunds::traffic::{Returning, unused};
use crate::refunds::types::{RefundNode, RefundPreview, RefundSource};
use crate::schema::{refund_nodes, refunds};
use chrono::NaiveDateTime;
use postern_core::field_errors::FieldErrors;
use postern_core::invoice::InvoiceLine;
use postern_core::money::Money;
use postern_core::refund::{
    MAX_CREDIT_LINES, NodeAfterRefund, PaidLine, RefundError, RefundRequest, RefundedNodeFate, SECONDS_A_DAY,
    is_refundable, refund_amount, refund_traffic, refund_unused,
};
use postern_core::rule::Rule;
use postern_core::time::to_wire;
use std::collections::{BTreeMap, HashSet};

/// The scope of a refund.
#[derive(Clone)]
pub enum RefundScope {
    /// The unused time of these nodes or, if none are named, of all nodes that the account still has from the order.
    Unused(Vec<i64>),
    /// A fixed amount. Nodes end only if nothing of the order is left.
    Amount(Money),
    /// The price of these nodes, which could not be delivered.
    Undelivered(Vec<i64>),
}

pub struct Ending {
    pub node: OrderNode,
    pub refunded: Money,
    pub amount: Money,
}

/// A refund that can be executed.
pub struct Planned {
    pub order: OrderRow,
    pub amount: Money,
    pub left_after: Money,
    pub is_whole: bool,
    pub ending: Vec<Ending>,
    pub staying: Vec<OrderNode>,
    pub undelivered: bool,
    /// The batch of an order of traffic, which has no nodes.
    pub traffic: Option<Returning>,
}

fn refused(error: RefundError) -> AppError {
    match error {
        RefundError::NoLines => FieldErrors::one("NodeIds", Rule::NothingToRefund, &[]).into(),
        RefundError::MoreThanLeft { left } => {
            FieldErrors::one("Amount", Rule::AmountMax, &[("Max", left.to_string())]).into()
        }
        RefundError::NotAnAmount => FieldErrors::one("Amount", Rule::Amount, &[]).into(),
        other => AppError::Internal(anyhow::anyhow!("an order cannot be refunded: {other:?}")),
    }
}

/// Plans a refund without writing anything.
pub fn plan(
    conn: &mut Conn,
    order: &OrderRow,
    what: &RefundScope,
    lock: RowLock,
    now: NaiveDateTime,
) -> Result<Planned, AppError> {
    if !is_refundable(order.kind, order.state) {
        return Err(AppError::state_forbids(order.state.as_str()));
    }
    if order.is_of_traffic() {
        return plan_traffic(conn, order, what, lock, now);
    }
    let (paid, refunded) = (Money::from_minor(order.total_minor), Money::from_minor(order.refunded_minor));
    if let RefundScope::Amount(amount) = what {
        let left_after = refund_amount(paid, refunded, *amount).map_err(refused)?;
        let (ending, staying) = match left_after.is_zero() {
            true => nodes_of(conn, order, lock, now)?.into_iter().partition(|node| node.after.is_some()),
            false => (Vec::new(), Vec::new()),
        };
        let ending =
            ending.into_iter().map(|node| Ending { node, refunded: Money::ZERO, amount: Money::ZERO }).collect();
        let (order, is_whole) = (order.clone(), left_after.is_zero());
        let undelivered = false;
        return Ok(Planned {
            order,
            amount: *amount,
            left_after,
            is_whole,
            ending,
            staying,
            undelivered,
            traffic: None,
        });
    }
    let earlier = earlier_lines(conn, order.id)?;
    let period_seconds = order.period_days.map(|_| order.period()).transpose()?.unwrap_or(1) * SECONDS_A_DAY;
    let (candidates, undelivered) = match what {
        RefundScope::Undelivered(ids) => (undelivered_nodes(conn, order, ids, period_seconds)?, true),
        RefundScope::Unused(ids) => {
            let mut candidates = nodes_of(conn, order, lock, now)?;
            if !ids.is_empty() {
                let ids: HashSet<i64> = ids.iter().copied().collect();
                candidates.retain(|node| ids.contains(&node.current_id));
            }
            (candidates, false)
        }
        RefundScope::Amount(_) => (Vec::new(), false),
    };
    let (ending, staying): (Vec<_>, Vec<_>) =
        candidates.into_iter().partition(|node| undelivered || node.after.is_some());
    let refunded_of = |sold_id: i64| -> Result<Money, AppError> {
        let of_node = earlier.iter().filter(|line| line.0 == sold_id);
        Ok(Money::sum(of_node.map(|line| line.1.refunded))?)
    };
    let mut lines = Vec::with_capacity(ending.len());
    for node in &ending {
        lines.push(PaidLine {
            reference: node.sold_id.to_string(),
            paid: node.net,
            refunded: refunded_of(node.sold_id)?,
            unused_seconds: node.unused_seconds.min(period_seconds),
        });
    }
    let earlier = earlier.into_iter().map(|(_, line)| PaidLine { refunded: Money::ZERO, ..line }).collect();
    let note = refund_unused(&RefundRequest { paid, refunded, period_seconds, lines, earlier }).map_err(refused)?;
    if note.total.is_zero() {
        return Err(refused(RefundError::NoLines));
    }
    let ending = ending
        .into_iter()
        .zip(note.lines)
        .map(|(node, line)| Ending { node, refunded: line.refunded, amount: line.amount })
        .collect();
    Ok(Planned {
        order: order.clone(),
        amount: note.total,
        left_after: note.refundable_after,
        is_whole: note.is_whole,
        ending,
        staying,
        undelivered,
        traffic: None,
    })
}

/// Plans the refund of an order of traffic: its unused bytes at their share of the price, or an amount.
fn plan_traffic(
    conn: &mut Conn,
    order: &OrderRow,
    what: &RefundScope,
    lock: RowLock,
    now: NaiveDateTime,
) -> Result<Planned, AppError> {
    let (paid, refunded) = (Money::from_minor(order.total_minor), Money::from_minor(order.refunded_minor));
    let batch = unused(conn, order, lock, now)?;
    let (amount, left_after, is_whole) = match what {
        RefundScope::Amount(amount) => {
            let left_after = refund_amount(paid, refunded, *amount).map_err(refused)?;
            (*amount, left_after, left_after.is_zero())
        }
        RefundScope::Unused(_) | RefundScope::Undelivered(_) => {
            let (bought, returned) = (batch.bought_bytes, batch.returned_bytes);
            let refund = refund_traffic(paid, refunded, bought, returned, batch.unused_bytes).map_err(refused)?;
            if refund.amount.is_zero() {
                return Err(refused(RefundError::NoLines));
            }
            (refund.amount, refund.refundable_after, refund.is_whole)
        }
    };
    let is_for_amount = matches!(what, RefundScope::Amount(_));
    Ok(Planned {
        order: order.clone(),
        amount,
        left_after,
        is_whole,
        ending: Vec::new(),
        staying: Vec::new(),
        undelivered: false,
        traffic: Some(if is_for_amount { batch.for_amount(is_whole) } else { batch }),
    })
}

/// The lines of the order's earlier refunds of unused time, with the sold node; `refunded` is the line's amount.
fn earlier_lines(conn: &mut Conn, order_id: i64) -> Result<Vec<(i64, PaidLine)>, AppError> {
    let rows: Vec<(i64, i64, i64, i64)> = refund_nodes::table
        .inner_join(refunds::table.on(refunds::id.eq(refund_nodes::refund_id)))
        .filter(refunds::order_id.eq(order_id))
        .select((
            refund_nodes::node_id,
            refund_nodes::paid_minor,
            refund_nodes::unused_seconds,
            refund_nodes::amount_minor,
        ))
        .load(conn)?;
    let line = |(node_id, paid, unused, amount): (i64, i64, i64, i64)| {
        let unused_seconds = u32::try_from(unused).map_err(|_| AppError::internal("unused time below zero"))?;
        let (paid, refunded) = (Money::from_minor(paid), Money::from_minor(amount));
        Ok((node_id, PaidLine { reference: node_id.to_string(), paid, refunded, unused_seconds }))
    };
    rows.into_iter().map(line).collect()
}

impl Planned {
    /// The refund as shown to the operator, before and after.
    pub fn view(&self, credit_note: Option<String>, source: Option<RefundSource>) -> RefundPreview {
        let node =
            |node: &OrderNode, amount: Money, becomes: RefundedNodeFate, ends_at: Option<NaiveDateTime>| RefundNode {
                node_id: node.current_id,
                ip: node.ip.clone(),
                country: node.country.clone(),
                city: node.city.clone(),
                paid: node.net,
                unused_seconds: node.unused_seconds,
                amount,
                becomes,
                ends_at: ends_at.map(to_wire),
            };
        let ending = self.ending.iter().map(|ending| match ending.node.after {
            Some(NodeAfterRefund::GoesOnUntil(until)) => {
                node(&ending.node, ending.amount, RefundedNodeFate::GoesOn, Some(until))
            }
            Some(NodeAfterRefund::Ends) | None => node(&ending.node, ending.amount, RefundedNodeFate::Ends, None),
        });
        let staying = self.staying.iter().map(|one| node(one, Money::ZERO, RefundedNodeFate::Stays, None));
        RefundPreview {
            order_number: self.order.order_number.clone(),
            currency: self.order.currency,
            paid: Money::from_minor(self.order.total_minor),
            refunded: Money::from_minor(self.order.refunded_minor),
            amount: self.amount,
            left_after: self.left_after,
            is_whole: self.is_whole,
            nodes: ending.chain(staying).collect(),
            traffic: self.traffic.as_ref().map(Returning::view),
            credit_note,
            source,
        }
    }

    /// The credit note's lines: one per node or, if these are too many to read, one per place; the traffic; or the single amount.
    pub fn lines(&self, conn: &mut Conn) -> Result<Vec<InvoiceLine>, AppError> {
        if let Some(batch) = self.traffic.as_ref().filter(|batch| batch.is_for_bytes) {
            return Ok(vec![batch.line(conn, &self.order, self.amount)?]);
        }
        let is_of_nodes = self.ending.iter().any(|ending| !ending.amount.is_zero());
        if !is_of_nodes {
            let amount = self.amount;
            let line = InvoiceLine { quantity: 1, unit_price: amount, amount, net: amount, ..InvoiceLine::default() };
            return Ok(vec![line]);
        }
        let line = |ending: &Ending| InvoiceLine {
            label_en: ending.node.label_en.clone(),
            label_zh: ending.node.label_zh.clone(),
            country: Some(ending.node.country.clone()),
            city: Some(ending.node.city.clone()),
            ip: Some(ending.node.ip.clone()),
            unused_seconds: Some(ending.node.unused_seconds),
            quantity: 1,
            unit_price: ending.amount,
            amount: ending.amount,
            net: ending.amount,
            ..InvoiceLine::default()
        };
        if self.ending.len() <= MAX_CREDIT_LINES {
            return Ok(self.ending.iter().map(line).collect());
        }
        let mut by_place: BTreeMap<(&str, &str, &str), InvoiceLine> = BTreeMap::new();
        for ending in &self.ending {
            let place = (ending.node.label_en.as_str(), ending.node.country.as_str(), ending.node.city.as_str());
            let sum = by_place.entry(place).or_insert_with(|| InvoiceLine {
                ip: None,
                unused_seconds: None,
                quantity: 0,
                unit_price: Money::ZERO,
                amount: Money::ZERO,
                net: Money::ZERO,
                ..line(ending)
            });
            sum.quantity += 1;
            sum.amount = sum.amount.checked_add(ending.amount)?;
            sum.net = sum.amount;
        }
        Ok(by_place.into_values().collect())
    }
}
