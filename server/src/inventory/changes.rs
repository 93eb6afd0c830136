//! SQL about changes of nodes: off sale, on sale again, and edits. Each call leaves one entry in the audit log.
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::inventory::list::matching;
use crate::inventory::types::{NodeChoice, NodesChanged, UnchangedNode};
use crate::nodes::{CHUNK, lifecycle};
use crate::schema::{node_targets, nodes};
use crate::use_cases::queries::refuse_unknown;
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::field_errors::FieldErrors;
use postern_core::money::Money;
use postern_core::node::NodeState;
use postern_core::node_edit::NodeEdit;
use postern_core::rule::Rule;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// A node to change.
#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = nodes)]
pub struct Node {
    pub id: i64,
    pub ip: String,
    pub state: NodeState,
}

/// The nodes that were changed, and those that were not.
pub struct Done {
    pub changed: Vec<Node>,
    pub left: Vec<Node>,
}

/// The nodes that a call changes.
pub struct Chosen {
    pub nodes: Vec<Node>,
    /// Ids without a node.
    unknown: Vec<i64>,
    /// The last of these nodes, if more match.
    next: Option<i64>,
}

impl Chosen {
    /// The nodes that a request names or, of those that match it, the next ones: at most `most`.
    pub fn of(conn: &mut Conn, choice: &NodeChoice, most: usize) -> Result<Chosen, AppError> {
        match &choice.node_ids {
            _ if choice.all => Chosen::next(conn, choice, most),
            Some(ids) => Chosen::by_ids(conn, ids, most),
            None => Err(FieldErrors::one("NodeIds", Rule::Required, &[]).into()),
        }
    }

    fn next(conn: &mut Conn, choice: &NodeChoice, most: usize) -> Result<Chosen, AppError> {
        let one_more = i64::try_from(most + 1).unwrap_or(i64::MAX);
        let after = matching(&choice.filter, &choice.search).filter(nodes::id.gt(choice.after));
        let mut nodes: Vec<Node> = after.order(nodes::id).limit(one_more).select(Node::as_select()).load(conn)?;
        let are_more = nodes.len() > most;
        nodes.truncate(most);
        let next = nodes.last().filter(|_| are_more).map(|node| node.id);
        Ok(Chosen { nodes, unknown: Vec::new(), next })
    }

    fn by_ids(conn: &mut Conn, ids: &[i64], most: usize) -> Result<Chosen, AppError> {
        if ids.len() > most {
            return Err(FieldErrors::one("NodeIds", Rule::TooManyNodes, &[("Max", most.to_string())]).into());
        }
        let found = nodes::table.filter(nodes::id.eq_any(ids)).order(nodes::id).select(Node::as_select());
        let nodes: Vec<Node> = found.load(conn)?;
        let known: HashSet<i64> = nodes.iter().map(|node| node.id).collect();
        let unknown: BTreeSet<i64> = ids.iter().copied().filter(|id| !known.contains(id)).collect();
        Ok(Chosen { nodes, unknown: unknown.into_iter().collect(), next: None })
    }

    /// The result as told by the call: how many were changed, and which were left.
    pub fn told(self, changed: usize, left: Vec<Node>) -> NodesChanged {
        let left = left.into_iter();
        let left = left.map(|node| UnchangedNode { node_id: node.id, ip: Some(node.ip), state: Some(node.state) });
        let unknown = self.unknown.into_iter().map(|node_id| UnchangedNode { node_id, ip: None, state: None });
        NodesChanged { changed, failed: left.chain(unknown).collect(), next: self.next }
    }
}

pub fn by_addresses(conn: &mut Conn, addresses: &[String]) -> Result<Vec<Node>, AppError> {
    let mut found = Vec::new();
    for chunk in addresses.chunks(CHUNK) {
        let these = nodes::table.filter(nodes::ip.eq_any(chunk)).order(nodes::id).select(Node::as_select());
        found.extend(these.load::<Node>(conn)?);
    }
    Ok(found)
}

/// Takes nodes off sale, except those that a customer has or is buying.
pub fn retire(conn: &mut Conn, nodes: &[Node], actor: &Actor, now: NaiveDateTime) -> Result<Done, AppError> {
    moved(conn, nodes, lifecycle::retire, (AuditAction::NodesRetired, actor, now))
}

/// Sells retired nodes again.
pub fn restore(conn: &mut Conn, nodes: &[Node], actor: &Actor, now: NaiveDateTime) -> Result<Done, AppError> {
    moved(conn, nodes, lifecycle::restore, (AuditAction::NodesRestored, actor, now))
}

fn moved(
    conn: &mut Conn,
    nodes: &[Node],
    step: fn(&mut Conn, &[i64]) -> Result<Vec<i64>, AppError>,
    (action, actor, now): (AuditAction, &Actor, NaiveDateTime),
) -> Result<Done, AppError> {
    let ids: Vec<i64> = nodes.iter().map(|node| node.id).collect();
    let mut changed = HashSet::new();
    for chunk in ids.chunks(CHUNK) {
        changed.extend(step(conn, chunk)?);
    }
    let (changed, left): (Vec<Node>, Vec<Node>) = nodes.iter().cloned().partition(|node| changed.contains(&node.id));
    if !changed.is_empty() {
        let entry = Entry::new(action).subject(listed(&changed));
        audit::record(conn, actor, entry.changes([AuditChange::new(AuditField::Nodes, changed.len())]), now)?;
    }
    Ok(Done { changed, left })
}

fn listed(nodes: &[Node]) -> String {
    nodes.iter().map(|node| node.ip.as_str()).collect::<Vec<_>>().join(", ")
}

/// The columns of a node that can be edited.
#[derive(Queryable, Selectable)]
#[diesel(table_name = nodes)]
struct Editable {
    http_port: i32,
    socks5_port: Option<i32>,
    country: String,
    city: String,
    isp: String,
    asn: i64,
    supplier: String,
    cost_minor: i64,
}

impl Editable {
    /// The values that an edit sets, as text.
    fn values(&self, edit: &NodeEdit) -> Vec<(AuditField, String)> {
        let shown = |port: Option<i32>| port.map_or_else(|| "0".to_owned(), |port| port.to_string());
        let set = |is_set: bool, field, value: String| is_set.then_some((field, value));
        [
            set(edit.http_port.is_some(), AuditField::HttpPort, self.http_port.to_string()),
            set(edit.socks5_port.is_some(), AuditField::Socks5Port, shown(self.socks5_port)),
            set(edit.place.is_some(), AuditField::City, format!("{} {}", self.country, self.city)),
            set(edit.isp.is_some(), AuditField::Isp, self.isp.clone()),
            set(edit.asn.is_some(), AuditField::Asn, self.asn.to_string()),
            set(edit.supplier.is_some(), AuditField::Supplier, self.supplier.clone()),
            set(edit.cost.is_some(), AuditField::Cost, Money::from_minor(self.cost_minor).to_string()),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn after(self, edit: &NodeEdit) -> Editable {
        let (country, city) = match edit.place {
            Some((country, city)) => (country.to_owned(), city.to_owned()),
            None => (self.country, self.city),
        };
        Editable {
            http_port: edit.http_port.map_or(self.http_port, i32::from),
            socks5_port: edit.socks5_port.map_or(self.socks5_port, |port| port.map(i32::from)),
            country,
            city,
            isp: edit.isp.clone().unwrap_or(self.isp),
            asn: edit.asn.map_or(self.asn, i64::from),
            supplier: edit.supplier.clone().unwrap_or(self.supplier),
            cost_minor: edit.cost.map_or(self.cost_minor, Money::minor),
        }
    }
}

/// Edits nodes, whoever has them. The entry in the audit log has the values before, each once.
pub fn edit(
    conn: &mut Conn,
    found: &[Node],
    edit: &NodeEdit,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<usize, AppError> {
    let mut before: BTreeMap<&str, (AuditField, BTreeSet<String>)> = BTreeMap::new();
    let mut after: BTreeMap<&str, String> = BTreeMap::new();
    let mut changed = Vec::new();
    let mut fits = BTreeSet::new();
    refuse_unknown(conn, "AddTargets", &edit.add_targets)?;
    for node in found {
        let row = nodes::table.find(node.id).select(Editable::as_select());
        let row: Editable = row.locked().get_result(conn)?;
        let old = row.values(edit);
        let row = row.after(edit);
        let new = row.values(edit);
        let fitted = edit_targets(conn, node.id, edit)?;
        if old == new && fitted.is_empty() {
            continue;
        }
        fits.extend(fitted);
        diesel::update(nodes::table.find(node.id))
            .set((
                nodes::http_port.eq(row.http_port),
                nodes::socks5_port.eq(row.socks5_port),
                nodes::country.eq(row.country),
                nodes::city.eq(row.city),
                nodes::isp.eq(row.isp),
                nodes::asn.eq(row.asn),
                nodes::supplier.eq(row.supplier),
                nodes::cost_minor.eq(row.cost_minor),
            ))
            .execute(conn)?;
        for ((field, old), (_, new)) in old.into_iter().zip(new).filter(|(old, new)| old != new) {
            before.entry(field.as_str()).or_insert_with(|| (field, BTreeSet::new())).1.insert(old);
            after.insert(field.as_str(), new);
        }
        changed.push(node.clone());
    }
    if changed.is_empty() {
        return Ok(0);
    }
    let change = |(field, values): (AuditField, BTreeSet<String>)| AuditChange {
        field,
        before: Some(values.into_iter().collect::<Vec<_>>().join(", ")),
        after: after.get(field.as_str()).cloned(),
    };
    let entry = Entry::new(AuditAction::NodesEdited).subject(listed(&changed));
    let entry = entry.changes([AuditChange::new(AuditField::Nodes, changed.len())]);
    let fits = (!fits.is_empty()).then(|| fits.into_iter().collect::<Vec<_>>().join(", "));
    let entry = entry.changes(fits.map(|fits| AuditChange::new(AuditField::Targets, fits)));
    audit::record(conn, actor, entry.changes(before.into_values().map(change)), now)?;
    Ok(changed.len())
}

/// Changes the use cases of a node; returns those that it was not good for, with `+`, and those that it was, with `-`.
fn edit_targets(conn: &mut Conn, node_id: i64, edit: &NodeEdit) -> Result<Vec<String>, AppError> {
    if edit.add_targets.is_empty() && edit.remove_targets.is_empty() {
        return Ok(Vec::new());
    }
    let of_node = node_targets::table.filter(node_targets::node_id.eq(node_id));
    let fits: HashSet<String> = of_node.select(node_targets::target).load(conn)?.into_iter().collect();
    let mut changed = Vec::new();
    for target in edit.add_targets.iter().filter(|target| !fits.contains(*target)) {
        let row = (node_targets::target.eq(target), node_targets::node_id.eq(node_id));
        diesel::insert_into(node_targets::table).values(row).execute(conn)?;
        changed.push(format!("+{target}"));
    }
    for target in edit.remove_targets.iter().filter(|target| fits.contains(*target)) {
        diesel::delete(of_node.filter(node_targets::target.eq(target))).execute(conn)?;
        changed.push(format!("-{target}"));
    }
    Ok(changed)
}
