//! SQL of refunds: what can be refunded of an order, and executing it. Everything runs in the caller's transaction, with the
//! account's wallet and the order locked.
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::invoices::issue::issue_credit_note;
use crate::ledger::{Movement, lock_wallet, move_money};
use crate::mails;
use crate::nodes::lifecycle::{release, shorten};
use crate::orders::rows::{OrderRow, advance, by_number, lock};
use crate::refunds::types::{RefundNode, RefundOrder, RefundPreview, RefundView};
use crate::schema::{invoices, node_switches, nodes, order_nodes, orders, refund_nodes, refunds, tiers};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_core::field_errors::FieldErrors;
use postern_core::invoice::InvoiceLine;
use postern_core::ledger::{Book, EntryKind};
use postern_core::mail::MailTemplate;
use postern_core::money::Money;
use postern_core::node::next_reminder;
use postern_core::operator_forms::{ReasonedAmountForm, validate_refund, validate_refund_reason};
use postern_core::order::{OrderEvent, OrderKind};
use postern_core::refund::{
    MAX_CREDIT_LINES, NodeAfterRefund, PaidLine, RefundError, RefundRequest, RefundedNodeFate, SECONDS_A_DAY,
    is_refundable, node_after_refund, refund_amount, refund_unused, unused_seconds,
};
use postern_core::rule::Rule;
use postern_core::time::to_wire;
use serde_json::json;
use std::collections::{BTreeMap, HashMap, HashSet};

const CHUNK: usize = 1_000;

/// The scope of a refund.
#[derive(Clone)]
enum What {
    /// The unused time of these nodes or, if none are named, of all nodes that the account still has from the order.
    Unused(Vec<i64>),
    /// A fixed amount. Nodes end only if nothing of the order is left.
    Amount(Money),
    /// What was paid for these nodes, which could not be delivered.
    Undelivered(Vec<i64>),
}

/// A node that an order sold or extended, and the node that replaces it by now.
struct OrderNode {
    sold_id: i64,
    current_id: i64,
    net: Money,
    ip: String,
    country: String,
    city: String,
    label_en: String,
    label_zh: String,
    /// What happens to the node when its time is refunded; `None` if it has to stay.
    after: Option<NodeAfterRefund>,
    unused_seconds: u32,
}

struct Ending {
    node: OrderNode,
    refunded: Money,
    amount: Money,
}

/// A refund that can be executed.
struct Planned {
    order: OrderRow,
    amount: Money,
    left_after: Money,
    is_whole: bool,
    ending: Vec<Ending>,
    staying: Vec<OrderNode>,
    undelivered: bool,
}

fn refused(error: RefundError) -> AppError {
    match error {
        RefundError::NoLines => FieldErrors::one("NodeIds", Rule::NothingToRefund, &[]).into(),
        RefundError::MoreThanLeft { left } => {
            FieldErrors::one("Amount", Rule::AmountMax, &[("Max", left.to_string())]).into()
        }
        RefundError::NotAnAmount => FieldErrors::one("Amount", Rule::Amount, &[]).into(),
        other => AppError::Internal(anyhow::anyhow!("an order cannot be given back: {other:?}")),
    }
}

/// Plans a refund without writing anything.
fn plan(
    conn: &mut Conn,
    order: &OrderRow,
    what: &What,
    lock: RowLock,
    now: NaiveDateTime,
) -> Result<Planned, AppError> {
    if !is_refundable(order.kind, order.state) {
        return Err(AppError::state_forbids(order.state.as_str()));
    }
    let (paid, refunded) = (Money::from_minor(order.total_minor), Money::from_minor(order.refunded_minor));
    if let What::Amount(amount) = what {
        let left_after = refund_amount(paid, refunded, *amount).map_err(refused)?;
        let (ending, staying) = match left_after.is_zero() {
            true => nodes_of(conn, order, lock, now)?.into_iter().partition(|node| node.after.is_some()),
            false => (Vec::new(), Vec::new()),
        };
        let ending =
            ending.into_iter().map(|node| Ending { node, refunded: Money::ZERO, amount: Money::ZERO }).collect();
        let (order, is_whole) = (order.clone(), left_after.is_zero());
        return Ok(Planned { order, amount: *amount, left_after, is_whole, ending, staying, undelivered: false });
    }
    let earlier = earlier_lines(conn, order.id)?;
    let period_seconds = order.period_days.map(|_| order.period()).transpose()?.unwrap_or(1) * SECONDS_A_DAY;
    let (candidates, undelivered) = match what {
        What::Undelivered(ids) => (undelivered_nodes(conn, order, ids, period_seconds)?, true),
        What::Unused(ids) => {
            let mut candidates = nodes_of(conn, order, lock, now)?;
            if !ids.is_empty() {
                let ids: HashSet<i64> = ids.iter().copied().collect();
                candidates.retain(|node| ids.contains(&node.current_id));
            }
            (candidates, false)
        }
        What::Amount(_) => (Vec::new(), false),
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

type Sold = (i64, i64, Option<NaiveDateTime>, Option<NaiveDateTime>);

fn sold_nodes(conn: &mut Conn, order_id: i64) -> Result<Vec<Sold>, AppError> {
    Ok(order_nodes::table
        .filter(order_nodes::order_id.eq(order_id))
        .order(order_nodes::node_id)
        .select((order_nodes::node_id, order_nodes::net_minor, order_nodes::starts_at, order_nodes::ends_at))
        .load(conn)?)
}

#[derive(Clone, Queryable)]
struct NodeRow {
    id: i64,
    ip: String,
    country: String,
    city: String,
    label_en: String,
    label_zh: String,
    account_id: Option<i64>,
    assigned_at: Option<NaiveDateTime>,
    expires_at: Option<NaiveDateTime>,
}

/// Nodes by their ids.
fn load_nodes(conn: &mut Conn, ids: &[i64], lock: RowLock) -> Result<HashMap<i64, NodeRow>, AppError> {
    let mut found = HashMap::with_capacity(ids.len());
    for chunk in ids.chunks(CHUNK) {
        let these = nodes::table.filter(nodes::id.eq_any(chunk));
        if let (Conn::Postgres(conn), RowLock::ForUpdate) = (&mut *conn, lock) {
            these.clone().select(nodes::id).order(nodes::id).for_update().load::<i64>(conn)?;
        }
        let rows: Vec<NodeRow> = these
            .inner_join(tiers::table.on(tiers::ver_str.eq(nodes::ver_str)))
            .select((
                nodes::id,
                nodes::ip,
                nodes::country,
                nodes::city,
                tiers::label_en,
                tiers::label_zh,
                nodes::account_id,
                nodes::assigned_at,
                nodes::expires_at,
            ))
            .load(conn)?;
        found.extend(rows.into_iter().map(|row| (row.id, row)));
    }
    Ok(found)
}

/// The current replacement of each sold node, after the account's switches since the order was paid.
fn current_ids(conn: &mut Conn, order: &OrderRow, sold: &[Sold]) -> Result<Vec<i64>, AppError> {
    let mut current: Vec<i64> = sold.iter().map(|row| row.0).collect();
    let mut place: HashMap<i64, usize> = current.iter().enumerate().map(|(index, id)| (*id, index)).collect();
    let switches: Vec<(i64, i64)> = node_switches::table
        .filter(node_switches::account_id.eq(order.account_id))
        .filter(node_switches::created_at.ge(order.paid_at.unwrap_or(order.created_at)))
        .order(node_switches::id)
        .select((node_switches::old_node_id, node_switches::new_node_id))
        .load(conn)?;
    for (old_id, new_id) in switches {
        if let Some(index) = place.remove(&old_id) {
            current[index] = new_id;
            place.insert(new_id, index);
        }
    }
    Ok(current)
}

/// The nodes of an order that its account still owns through this order. A node released and bought again belongs to the later order.
fn nodes_of(conn: &mut Conn, order: &OrderRow, lock: RowLock, now: NaiveDateTime) -> Result<Vec<OrderNode>, AppError> {
    let sold = sold_nodes(conn, order.id)?;
    let current = current_ids(conn, order, &sold)?;
    let rows = load_nodes(conn, &current, lock)?;
    let is_renewal = order.kind == OrderKind::Renewal;
    let mut found = Vec::with_capacity(sold.len());
    for ((sold_id, net, starts_at, ends_at), current_id) in sold.into_iter().zip(current) {
        let (Some(starts_at), Some(ends_at), Some(row)) = (starts_at, ends_at, rows.get(&current_id)) else { continue };
        let is_of_order = if is_renewal { row.assigned_at <= order.paid_at } else { row.assigned_at == order.paid_at };
        let Some(expires_at) = row.expires_at.filter(|_| row.account_id == Some(order.account_id) && is_of_order)
        else {
            continue;
        };
        let row = row.clone();
        found.push(OrderNode {
            sold_id,
            current_id,
            net: Money::from_minor(net),
            ip: row.ip,
            country: row.country,
            city: row.city,
            label_en: row.label_en,
            label_zh: row.label_zh,
            after: node_after_refund(starts_at, ends_at, expires_at, now),
            unused_seconds: unused_seconds(starts_at, ends_at, now),
        });
    }
    Ok(found)
}

/// Nodes of a renewal that are gone: all of their time is unused.
fn undelivered_nodes(
    conn: &mut Conn,
    order: &OrderRow,
    ids: &[i64],
    period_seconds: u32,
) -> Result<Vec<OrderNode>, AppError> {
    // Only needed for refunds that are executed at once, not previewed.
    let rows = load_nodes(conn, ids, RowLock::ForUpdate)?;
    let nets: HashMap<i64, i64> = sold_nodes(conn, order.id)?.into_iter().map(|sold| (sold.0, sold.1)).collect();
    let node = |id: &i64| {
        let (row, net) =
            rows.get(id).zip(nets.get(id)).ok_or_else(|| AppError::internal("a node is not of its order"))?;
        let row = row.clone();
        Ok(OrderNode {
            sold_id: *id,
            current_id: *id,
            net: Money::from_minor(*net),
            ip: row.ip,
            country: row.country,
            city: row.city,
            label_en: row.label_en,
            label_zh: row.label_zh,
            after: None,
            unused_seconds: period_seconds,
        })
    };
    ids.iter().map(node).collect()
}

impl Planned {
    /// The refund as shown to the operator, before and after.
    fn view(&self, credit_note: Option<String>) -> RefundPreview {
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
            credit_note,
        }
    }

    /// The credit note's lines: one per node or, if these are too many to read, one per place; or the single amount.
    fn lines(&self) -> Result<Vec<InvoiceLine>, AppError> {
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

/// IPs listed in a mail.
const IPS_IN_MAIL: usize = 20;

/// The IPs that end, one per line, and how many more there are.
fn ips_for_mail(ending: &[Ending]) -> String {
    let mut lines: Vec<String> = ending.iter().take(IPS_IN_MAIL).map(|one| one.node.ip.clone()).collect();
    if ending.len() > IPS_IN_MAIL {
        lines.push(format!("… + {}", ending.len() - IPS_IN_MAIL));
    }
    lines.join("\n")
}

/// Executes the refund: ledger, order, nodes, mail, and last the credit note, whose number it returns.
fn carry_out(
    conn: &mut Conn,
    planned: &Planned,
    reason: &str,
    user_id: Option<i64>,
    now: NaiveDateTime,
) -> Result<String, AppError> {
    let order = &planned.order;
    let refund_id: i64 = diesel::insert_into(refunds::table)
        .values((
            refunds::order_id.eq(order.id),
            refunds::account_id.eq(order.account_id),
            refunds::user_id.eq(user_id),
            refunds::amount_minor.eq(planned.amount.minor()),
            refunds::reason.eq(reason),
            refunds::created_at.eq(now),
        ))
        .returning(refunds::id)
        .get_result(conn)?;
    insert_lines(conn, refund_id, &planned.ending)?;
    let movement = Movement {
        account_id: order.account_id,
        kind: EntryKind::Refund,
        source: Book::Refund,
        amount: planned.amount,
        reference: reference_of(refund_id),
        order_id: Some(order.id),
    };
    move_money(conn, &movement, now)?;
    diesel::update(orders::table.find(order.id))
        .set(orders::refunded_minor.eq(orders::refunded_minor + planned.amount.minor()))
        .execute(conn)?;
    if planned.is_whole {
        advance(conn, order, OrderEvent::Refund)?;
        diesel::update(orders::table.find(order.id)).set(orders::ended_at.eq(now)).execute(conn)?;
    }
    end_nodes(conn, &planned.ending, now)?;
    let credit_note = issue_credit_note(conn, order, planned.lines()?, reason, now)?;
    diesel::update(refunds::table.find(refund_id)).set(refunds::credit_note_id.eq(credit_note.id)).execute(conn)?;
    let parameters = json!({
        "OrderNumber": order.order_number,
        "Amount": planned.amount.display(order.currency),
        "CreditNote": credit_note.invoice_number,
        "Reason": reason,
        "Count": planned.ending.len(),
        "Ips": ips_for_mail(&planned.ending),
    });
    let template = match (planned.undelivered, planned.ending.is_empty()) {
        (true, _) => MailTemplate::NotDelivered,
        (false, true) => MailTemplate::Refunded,
        (false, false) => MailTemplate::RefundedIps,
    };
    mails::queue_for_account(conn, order.account_id, template, &parameters, now)?;
    Ok(credit_note.invoice_number)
}

fn insert_lines(conn: &mut Conn, refund_id: i64, ending: &[Ending]) -> Result<(), AppError> {
    for chunk in ending.chunks(CHUNK) {
        let row = |ending: &Ending| {
            (
                refund_nodes::refund_id.eq(refund_id),
                refund_nodes::node_id.eq(ending.node.sold_id),
                refund_nodes::ended_node_id.eq(ending.node.current_id),
                refund_nodes::paid_minor.eq(ending.node.net.minor()),
                refund_nodes::refunded_minor.eq(ending.refunded.minor()),
                refund_nodes::unused_seconds.eq(i64::from(ending.node.unused_seconds)),
                refund_nodes::amount_minor.eq(ending.amount.minor()),
            )
        };
        let rows: Vec<_> = chunk.iter().map(row).collect();
        match &mut *conn {
            Conn::Postgres(conn) => diesel::insert_into(refund_nodes::table).values(rows).execute(conn)?,
            Conn::Sqlite(conn) => diesel::insert_into(refund_nodes::table).values(rows).execute(conn)?,
        };
    }
    Ok(())
}

/// Takes the nodes from their owner, or removes the time that has not begun; such a node no longer renews.
fn end_nodes(conn: &mut Conn, ending: &[Ending], now: NaiveDateTime) -> Result<(), AppError> {
    let mut released = Vec::new();
    let mut by_end: BTreeMap<NaiveDateTime, Vec<i64>> = BTreeMap::new();
    for Ending { node, .. } in ending {
        match node.after {
            Some(NodeAfterRefund::Ends) => released.push(node.current_id),
            Some(NodeAfterRefund::GoesOnUntil(until)) => by_end.entry(until).or_default().push(node.current_id),
            None => {}
        }
    }
    for chunk in released.chunks(CHUNK) {
        release(conn, chunk, now)?;
    }
    for (until, ids) in by_end {
        for chunk in ids.chunks(CHUNK) {
            shorten(conn, chunk, until, next_reminder(until, now))?;
        }
    }
    Ok(())
}

/// Validates the form against the order: refund scope and reason.
fn read_form(form: &RefundOrder, order: &OrderRow) -> Result<(What, String), AppError> {
    let Some(amount) = form.amount.clone() else {
        return Ok((What::Unused(form.node_ids.clone()), validate_refund_reason(&form.reason)?));
    };
    if !is_refundable(order.kind, order.state) {
        return Err(AppError::state_forbids(order.state.as_str()));
    }
    let (paid, refunded) = (Money::from_minor(order.total_minor), Money::from_minor(order.refunded_minor));
    let form = ReasonedAmountForm { amount, reason: form.reason.clone() };
    let (amount, reason) = validate_refund(&form, paid, refunded)?;
    Ok((What::Amount(amount), reason))
}

/// Locks the order with this number, after its account's wallet.
pub fn lock_order(conn: &mut Conn, order_number: &str) -> Result<OrderRow, AppError> {
    let found = by_number(conn, order_number)?;
    lock_wallet(conn, found.account_id)?;
    lock(conn, found.id)
}

/// Previews a refund. Blocks on no writer.
pub fn preview(conn: &mut Conn, form: &RefundOrder, now: NaiveDateTime) -> Result<RefundPreview, AppError> {
    let order = by_number(conn, &form.order_number)?;
    // A preview needs no reason.
    let (what, _) = read_form(&RefundOrder { reason: "-".to_owned(), ..form.clone() }, &order)?;
    Ok(plan(conn, &order, &what, RowLock::None, now)?.view(None))
}

/// The only way in which an operator refunds an order.
pub fn give_back(
    conn: &mut Conn,
    form: &RefundOrder,
    user_id: Option<i64>,
    now: NaiveDateTime,
) -> Result<RefundPreview, AppError> {
    let order = lock_order(conn, &form.order_number)?;
    let (what, reason) = read_form(form, &order)?;
    let planned = plan(conn, &order, &what, RowLock::ForUpdate, now)?;
    let credit_note = carry_out(conn, &planned, &reason, user_id, now)?;
    Ok(planned.view(Some(credit_note)))
}

/// Refunds what was paid for nodes that a renewal could not extend, if any. The order has its invoice.
pub fn give_back_undelivered(
    conn: &mut Conn,
    order: &OrderRow,
    node_ids: &[i64],
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let missing: HashSet<i64> = node_ids.iter().copied().collect();
    let sold = sold_nodes(conn, order.id)?;
    let paid = Money::sum(sold.iter().filter(|row| missing.contains(&row.0)).map(|row| Money::from_minor(row.1)))?;
    if paid.is_zero() {
        return Ok(());
    }
    let planned = plan(conn, order, &What::Undelivered(node_ids.to_vec()), RowLock::ForUpdate, now)?;
    carry_out(conn, &planned, "", None, now)?;
    Ok(())
}

/// The refunds of these orders, oldest first.
pub fn of_orders(conn: &mut Conn, order_ids: &[i64]) -> Result<HashMap<i64, Vec<RefundView>>, AppError> {
    let rows: Vec<(i64, i64, String, NaiveDateTime, Option<String>)> = refunds::table
        .left_join(invoices::table.on(invoices::id.nullable().eq(refunds::credit_note_id)))
        .filter(refunds::order_id.eq_any(order_ids))
        .order(refunds::id)
        .select((
            refunds::order_id,
            refunds::amount_minor,
            refunds::reason,
            refunds::created_at,
            invoices::invoice_number.nullable(),
        ))
        .load(conn)?;
    let mut by_order: HashMap<i64, Vec<RefundView>> = HashMap::new();
    for (order_id, amount, reason, created_at, credit_note) in rows {
        let (amount, created_at) = (Money::from_minor(amount), to_wire(created_at));
        by_order.entry(order_id).or_default().push(RefundView { amount, reason, credit_note, created_at });
    }
    Ok(by_order)
}

/// The credit notes of these orders' refunds, by the references of their postings.
pub fn credit_notes_of(conn: &mut Conn, order_ids: &[i64]) -> Result<HashMap<String, String>, AppError> {
    let rows: Vec<(i64, String)> = refunds::table
        .inner_join(invoices::table.on(invoices::id.nullable().eq(refunds::credit_note_id)))
        .filter(refunds::order_id.eq_any(order_ids))
        .select((refunds::id, invoices::invoice_number))
        .load(conn)?;
    Ok(rows.into_iter().map(|(id, number)| (reference_of(id), number)).collect())
}

/// The ledger reference of a refund.
fn reference_of(refund_id: i64) -> String {
    format!("refund {refund_id}")
}
