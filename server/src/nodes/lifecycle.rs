//! The state machine of nodes and its only writer: every statement takes the source states of its event from core's table, and reports if it changed
//! fewer nodes than it should.
use crate::db::prelude::*;
use crate::db::{CachedStatement, Conn, update_cached};
use crate::error::AppError;
use crate::nodes::targets::good_for;
use crate::schema::nodes;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::array;
use postern_core::code::Code;
use postern_core::node::{NodeEvent, NodeState, QUARANTINE_HOURS, node_transition};
use postern_core::quote::QuoteLine;
use serde_json::json;

/// A state transition, as stored in the column.
struct Step {
    from: Vec<NodeState>,
    to: NodeState,
}

impl Step {
    fn of(event: NodeEvent) -> Step {
        let (from, to) = node_transition(event);
        Step { from, to }
    }

    /// For statements that scan an index by state.
    fn only_from(&self) -> Result<NodeState, AppError> {
        match self.from[..] {
            [only] => Ok(only),
            _ => Err(AppError::internal("an event begins in more than one state")),
        }
    }
}

/// Fewer changed rows mean that another transaction moved a node concurrently: this transaction is retried and sees the new state.
fn all_of(changed: usize, wanted: usize) -> Result<(), AppError> {
    if changed == wanted { Ok(()) } else { Err(AppError::concurrent_change()) }
}

/// A node held by an order, and its place.
#[derive(Queryable)]
pub struct HeldNode {
    pub node_id: i64,
    pub country: String,
    pub city: String,
}

/// The nodes that an order holds.
pub fn held_nodes(conn: &mut Conn, order_id: i64) -> Result<Vec<HeldNode>, AppError> {
    let held = nodes::table
        .filter(nodes::order_id.eq(order_id))
        .filter(nodes::state.eq(NodeState::Held))
        .order(nodes::id)
        .select((nodes::id, nodes::country, nodes::city));
    Ok(held.load(conn)?)
}

/// Holds exactly these nodes, or refuses if any is no longer in stock.
pub fn hold_picked(conn: &mut Conn, order_id: i64, ver_str: &str, chosen: &[i64]) -> Result<(), AppError> {
    let step = Step::of(NodeEvent::Hold);
    let free = nodes::table
        .filter(nodes::id.eq_any(chosen))
        .filter(nodes::ver_str.eq(ver_str))
        .filter(nodes::state.eq_any(step.from));
    let held = diesel::update(free).set((nodes::state.eq(step.to), nodes::order_id.eq(order_id))).execute(conn)?;
    if held == chosen.len() { Ok(()) } else { Err(AppError::with(Code::OutOfStock, json!({ "Available": held }))) }
}

/// Holds as many nodes of a city as the line asks for, found and updated by one statement. On PostgreSQL, rows locked by another order are skipped;
/// on SQLite only one order is created at a time.
pub fn hold_nodes(
    conn: &mut Conn,
    order_id: i64,
    ver_str: &str,
    line: &QuoteLine,
    target: Option<&str>,
) -> Result<Vec<i64>, AppError> {
    let wanted = i64::from(line.quantity);
    let step = Step::of(NodeEvent::Hold);
    let from = step.only_from()?;
    let shelf = diesel::alias!(nodes as shelf);
    macro_rules! shelf {
        () => {
            shelf
                .filter(shelf.field(nodes::state).eq(from))
                .filter(shelf.field(nodes::ver_str).eq(ver_str))
                .filter(shelf.field(nodes::country).eq(&line.country))
                .filter(shelf.field(nodes::city).eq(&line.city))
                .select(shelf.field(nodes::id))
                .order(shelf.field(nodes::id))
                .limit(wanted)
        };
    }
    macro_rules! take {
        ($found:expr) => {
            CachedStatement(
                diesel::update(nodes::table.filter(nodes::id.eq_any($found)))
                    .set((nodes::state.eq(step.to), nodes::order_id.eq(order_id)))
                    .returning(nodes::id),
            )
        };
    }
    // As an array, PostgreSQL evaluates the subquery once: the rows it locks are the rows it updates.
    let mut held: Vec<i64> = match (conn, target) {
        (Conn::Postgres(conn), None) => take!(array(shelf!().for_update().skip_locked())).load(conn)?,
        (Conn::Postgres(conn), Some(target)) => {
            take!(array(shelf!().filter(good_for!(target, shelf.field(nodes::id))).for_update().skip_locked()))
                .load(conn)?
        }
        (Conn::Sqlite(conn), None) => take!(shelf!()).load(conn)?,
        (Conn::Sqlite(conn), Some(target)) => {
            take!(shelf!().filter(good_for!(target, shelf.field(nodes::id)))).load(conn)?
        }
    };
    let available = i64::try_from(held.len()).unwrap_or(i64::MAX);
    if available < wanted {
        let place = json!({ "Available": available, "Country": line.country, "City": line.city });
        return Err(AppError::with(Code::OutOfStock, place));
    }
    held.sort_unstable();
    Ok(held)
}

/// Returns the nodes that an order holds to stock.
pub fn release_nodes(conn: &mut Conn, order_id: i64) -> Result<usize, AppError> {
    let step = Step::of(NodeEvent::Release);
    let held = nodes::table.filter(nodes::order_id.eq(order_id)).filter(nodes::state.eq_any(step.from));
    let free = (nodes::state.eq(step.to), nodes::order_id.eq(None::<i64>));
    Ok(diesel::update(held).set(free).execute(conn)?)
}

/// The columns set when the order that holds a node is paid.
#[derive(AsChangeset)]
#[diesel(table_name = nodes, treat_none_as_null = true)]
pub struct Assignment<'a> {
    pub account_id: Option<i64>,
    pub plan_id: Option<i64>,
    pub group_id: Option<i64>,
    pub user_name: Option<&'a str>,
    pub password_sealed: Option<&'a str>,
    pub auto_renew: bool,
    pub period_days: Option<i32>,
    pub next_renewal_at: Option<NaiveDateTime>,
    pub next_reminder_at: Option<NaiveDateTime>,
    pub assigned_at: Option<NaiveDateTime>,
    pub expires_at: Option<NaiveDateTime>,
}

/// Assigns a held node to its buyer.
pub fn assign(conn: &mut Conn, node_id: i64, assignment: &Assignment) -> Result<(), AppError> {
    let step = Step::of(NodeEvent::Assign);
    let held = nodes::table.find(node_id).filter(nodes::state.eq(step.only_from()?));
    let assigned = (nodes::state.eq(step.to), nodes::order_id.eq(None::<i64>), assignment);
    let changed = update_cached(conn, diesel::update(held).set(assigned).returning(nodes::id))?;
    all_of(changed.len(), 1)
}

/// The columns that a replacement takes over from the node it replaces.
#[derive(AsChangeset)]
#[diesel(table_name = nodes, treat_none_as_null = true)]
pub struct Replacement<'a> {
    pub account_id: Option<i64>,
    pub plan_id: Option<i64>,
    pub group_id: Option<i64>,
    pub user_name: Option<&'a str>,
    pub password_sealed: Option<&'a str>,
    pub old_user_name: Option<&'a str>,
    pub old_password_sealed: Option<&'a str>,
    pub old_valid_until: Option<NaiveDateTime>,
    pub note: &'a str,
    pub auto_renew: bool,
    pub period_days: Option<i32>,
    pub next_renewal_at: Option<NaiveDateTime>,
    pub next_reminder_at: Option<NaiveDateTime>,
    pub assigned_at: Option<NaiveDateTime>,
    pub expires_at: Option<NaiveDateTime>,
    pub switched_at: Option<NaiveDateTime>,
}

/// Puts a node from stock in the place of another.
pub fn replace(conn: &mut Conn, node_id: i64, succession: &Replacement) -> Result<(), AppError> {
    let step = Step::of(NodeEvent::Replace);
    let free = nodes::table.filter(nodes::id.eq(node_id)).filter(nodes::state.eq_any(step.from));
    all_of(diesel::update(free).set((nodes::state.eq(step.to), succession)).execute(conn)?, 1)
}

/// Extends nodes to a new expiry. Their next renewal time stays unchanged.
pub fn renew(
    conn: &mut Conn,
    ids: &[i64],
    until: NaiveDateTime,
    period_days: Option<i32>,
    next_reminder_at: Option<NaiveDateTime>,
) -> Result<(), AppError> {
    let step = Step::of(NodeEvent::Renew);
    let owned = nodes::table.filter(nodes::id.eq_any(ids)).filter(nodes::state.eq_any(step.from));
    let extended = (
        nodes::state.eq(step.to),
        nodes::expires_at.eq(until),
        nodes::period_days.eq(period_days),
        nodes::next_reminder_at.eq(next_reminder_at),
        nodes::next_renewal_at.eq(None::<NaiveDateTime>),
    );
    all_of(diesel::update(owned).set(extended).execute(conn)?, ids.len())
}

/// Brings the expiry of nodes forward, to a time in the future. They no longer renew.
pub fn shorten(
    conn: &mut Conn,
    ids: &[i64],
    until: NaiveDateTime,
    next_reminder_at: Option<NaiveDateTime>,
) -> Result<(), AppError> {
    let step = Step::of(NodeEvent::Shorten);
    let owned = nodes::table.filter(nodes::id.eq_any(ids)).filter(nodes::state.eq_any(step.from));
    let shortened = (
        nodes::state.eq(step.to),
        nodes::expires_at.eq(until),
        nodes::auto_renew.eq(false),
        nodes::next_renewal_at.eq(None::<NaiveDateTime>),
        nodes::next_reminder_at.eq(next_reminder_at),
    );
    all_of(diesel::update(owned).set(shortened).execute(conn)?, ids.len())
}

/// Starts the grace period of all nodes that have expired.
pub fn expire(conn: &mut Conn, now: NaiveDateTime) -> Result<usize, AppError> {
    let step = Step::of(NodeEvent::Expire);
    let over = nodes::table.filter(nodes::state.eq(step.only_from()?)).filter(nodes::expires_at.le(now));
    Ok(diesel::update(over).set(nodes::state.eq(step.to)).execute(conn)?)
}

/// Takes nodes from their owner into quarantine, and clears all of the owner's data.
pub fn release(conn: &mut Conn, ids: &[i64], now: NaiveDateTime) -> Result<(), AppError> {
    let step = Step::of(NodeEvent::Quarantine);
    let owned = nodes::table.filter(nodes::id.eq_any(ids)).filter(nodes::state.eq_any(step.from));
    let released = diesel::update(owned)
        .set((
            nodes::state.eq(step.to),
            nodes::free_at.eq(now + TimeDelta::hours(QUARANTINE_HOURS)),
            nodes::account_id.eq(None::<i64>),
            nodes::plan_id.eq(None::<i64>),
            nodes::group_id.eq(None::<i64>),
            nodes::user_name.eq(None::<String>),
            nodes::password_sealed.eq(None::<String>),
            nodes::old_user_name.eq(None::<String>),
            nodes::old_password_sealed.eq(None::<String>),
            nodes::old_valid_until.eq(None::<NaiveDateTime>),
            nodes::note.eq(""),
            nodes::auto_renew.eq(false),
            nodes::period_days.eq(None::<i32>),
            nodes::next_renewal_at.eq(None::<NaiveDateTime>),
            nodes::next_reminder_at.eq(None::<NaiveDateTime>),
            nodes::switched_at.eq(None::<NaiveDateTime>),
            nodes::assigned_at.eq(None::<NaiveDateTime>),
            nodes::expires_at.eq(None::<NaiveDateTime>),
        ))
        .execute(conn)?;
    all_of(released, ids.len())
}

/// Returns nodes to stock whose quarantine is over.
pub fn free(conn: &mut Conn, now: NaiveDateTime) -> Result<usize, AppError> {
    let step = Step::of(NodeEvent::Free);
    let rested = nodes::table.filter(nodes::state.eq(step.only_from()?)).filter(nodes::free_at.le(now));
    let free = (nodes::state.eq(step.to), nodes::free_at.eq(None::<NaiveDateTime>));
    Ok(diesel::update(rested).set(free).execute(conn)?)
}

/// Takes nodes off sale: those of them that nobody has. Returns their ids.
pub fn retire(conn: &mut Conn, ids: &[i64]) -> Result<Vec<i64>, AppError> {
    let step = Step::of(NodeEvent::Retire);
    let free = nodes::table.filter(nodes::id.eq_any(ids)).filter(nodes::state.eq_any(step.from));
    let retired = (nodes::state.eq(step.to), nodes::free_at.eq(None::<NaiveDateTime>));
    Ok(diesel::update(free).set(retired).returning(nodes::id).get_results(conn)?)
}

/// Sells retired nodes again. Returns their ids.
pub fn restore(conn: &mut Conn, ids: &[i64]) -> Result<Vec<i64>, AppError> {
    let step = Step::of(NodeEvent::Restore);
    let retired = nodes::table.filter(nodes::id.eq_any(ids)).filter(nodes::state.eq_any(step.from));
    Ok(diesel::update(retired).set(nodes::state.eq(step.to)).returning(nodes::id).get_results(conn)?)
}
