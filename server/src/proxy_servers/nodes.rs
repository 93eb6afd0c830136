//! SQL about the nodes that a proxy server carries.
use crate::audit::{self, Actor, Entry};
use crate::db::prelude::*;
use crate::db::{Conn, Database};
use crate::error::AppError;
use crate::proxy_servers::types::NodesAssigned;
use crate::schema::{nodes, proxy_servers};
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::field_errors::FieldErrors;
use postern_core::network::Network;
use postern_core::node::NodeState;
use postern_core::proxy_protocol::{MAX_SERVED_NODES, ServedNode, ServedNodes};
use postern_core::proxy_server::{MAX_COUNTED_NODES, ProxyServerKind};
use postern_core::rule::Rule;
use std::collections::BTreeSet;
use std::net::IpAddr;

const NODES_PER_STATEMENT: usize = 500;

const NODES_PER_READ: i64 = 10_000;

/// A page of the nodes that a server for static proxies may carry: its own, and those without a server.
pub fn served(conn: &mut Conn, server_id: i64, after: i64) -> Result<ServedNodes, AppError> {
    let limit = i64::try_from(MAX_SERVED_NODES).unwrap_or(i64::MAX);
    let rows: Vec<(i64, String, i32, Option<i32>)> = nodes::table
        .filter(nodes::id.gt(after))
        .filter(nodes::server_id.eq(server_id).or(nodes::server_id.is_null()))
        .filter(nodes::state.ne(NodeState::Retired))
        .order(nodes::id)
        .limit(limit + 1)
        .select((nodes::id, nodes::ip, nodes::http_port, nodes::socks5_port))
        .load(conn)?;
    let page = &rows[..rows.len().min(MAX_SERVED_NODES)];
    let port = |port: i32| u16::try_from(port).map_err(|_| AppError::internal("a node has an invalid port"));
    let node = |(_, ip, http_port, socks5_port): &(i64, String, i32, Option<i32>)| {
        Ok(ServedNode { ip: ip.clone(), http_port: port(*http_port)?, socks5_port: socks5_port.map(port).transpose()? })
    };
    let next = page.last().filter(|_| rows.len() > MAX_SERVED_NODES).map(|row| row.0);
    Ok(ServedNodes { nodes: page.iter().map(node).collect::<Result<_, AppError>>()?, next })
}

/// The number of nodes that belong to this server, up to `MAX_COUNTED_NODES`.
pub fn count(conn: &mut Conn, server_id: i64) -> Result<i64, AppError> {
    let some = nodes::table.filter(nodes::server_id.eq(server_id)).limit(MAX_COUNTED_NODES).select(nodes::id);
    Ok(i64::try_from(some.load::<i64>(conn)?.len()).unwrap_or(MAX_COUNTED_NODES))
}

/// These networks without those inside another one, in their order: an address can only be in the last one that begins before it.
fn disjoint(mut networks: Vec<Network>) -> Vec<Network> {
    networks.sort_unstable();
    networks.dedup_by(|next, kept| kept.covers(*next));
    networks
}

fn is_in(disjoint: &[Network], ip: IpAddr) -> bool {
    let before = disjoint.partition_point(|network| network.address() <= ip);
    before.checked_sub(1).is_some_and(|last| disjoint[last].contains(ip))
}

/// The nodes in these networks, as ids with their addresses.
fn in_networks(conn: &mut Conn, networks: &[Network]) -> Result<Vec<(i64, IpAddr)>, AppError> {
    let (single, wide): (Vec<Network>, Vec<Network>) =
        networks.iter().copied().partition(|network| network.is_single());
    let mut found = Vec::new();
    for chunk in single.chunks(NODES_PER_STATEMENT) {
        let addresses: Vec<String> = chunk.iter().map(|network| network.address().to_string()).collect();
        let these = nodes::table.filter(nodes::ip.eq_any(addresses)).select((nodes::id, nodes::ip));
        found.extend(these.load::<(i64, String)>(conn)?);
    }
    let wide = disjoint(wide);
    let mut last = 0;
    while !wide.is_empty() {
        let page: Vec<(i64, String)> = nodes::table
            .filter(nodes::id.gt(last))
            .order(nodes::id)
            .limit(NODES_PER_READ)
            .select((nodes::id, nodes::ip))
            .load(conn)?;
        let Some((id, _)) = page.last() else { break };
        last = *id;
        found.extend(page.into_iter().filter(|(_, ip)| ip.parse().is_ok_and(|ip| is_in(&wide, ip))));
    }
    Ok(found.into_iter().filter_map(|(id, ip)| Some((id, ip.parse().ok()?))).collect())
}

/// Assigns these nodes to a proxy server for static proxies, or to none.
fn assign(conn: &mut Conn, server_id: Option<i64>, found: &[(i64, IpAddr)]) -> Result<usize, AppError> {
    if let Some(id) = server_id {
        let servers = proxy_servers::table.find(id).filter(proxy_servers::removed_at.is_null());
        let kind: Option<ProxyServerKind> = servers.select(proxy_servers::kind).first(conn).optional()?;
        if kind != Some(ProxyServerKind::Static) {
            return Err(FieldErrors::one("ServerId", Rule::UnknownServer, &[]).into());
        }
    }
    let ids: BTreeSet<i64> = found.iter().map(|node| node.0).collect();
    let ids: Vec<i64> = ids.into_iter().collect();
    for chunk in ids.chunks(NODES_PER_STATEMENT) {
        let these = nodes::table.filter(nodes::id.eq_any(chunk));
        diesel::update(these).set(nodes::server_id.eq(server_id)).execute(conn)?;
    }
    Ok(ids.len())
}

/// The name of a proxy server, removed or not.
pub fn name_of(conn: &mut Conn, id: i64) -> Result<String, AppError> {
    Ok(proxy_servers::table.find(id).select(proxy_servers::name).first(conn)?)
}

/// Assigns the nodes in these networks. Searching a large inventory takes seconds, so other writers do not wait for it.
pub async fn assign_in(
    db: &Database,
    server_id: Option<i64>,
    networks: Vec<Network>,
    actor: Actor,
    now: NaiveDateTime,
) -> Result<NodesAssigned, AppError> {
    let found = db.read(move |conn| Ok((in_networks(conn, &networks)?, networks))).await?;
    db.write(move |conn| assigned(conn, server_id, &found.1, &found.0, &actor, now)).await
}

/// Like `assign_in`, for commands.
pub fn assign_blocking(
    db: &Database,
    server_id: Option<i64>,
    networks: &[Network],
    now: NaiveDateTime,
) -> Result<NodesAssigned, AppError> {
    let found = db.read_blocking(|conn| in_networks(conn, networks))?;
    db.write_blocking(|conn| assigned(conn, server_id, networks, &found, &Actor::command(), now))
}

fn assigned(
    conn: &mut Conn,
    server_id: Option<i64>,
    networks: &[Network],
    found: &[(i64, IpAddr)],
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<NodesAssigned, AppError> {
    let assigned = assign(conn, server_id, found)?;
    let names: Vec<String> = networks.iter().map(Network::to_string).collect();
    let server = server_id.map(|id| name_of(conn, id)).transpose()?;
    let entry = Entry::new(AuditAction::NodesAssigned).subject(names.join(", "));
    let entry = entry.changes([AuditChange::new(AuditField::Nodes, assigned)]);
    audit::record(conn, actor, entry.changes(server.map(|name| AuditChange::new(AuditField::Server, name))), now)?;
    let ips: BTreeSet<IpAddr> = found.iter().map(|node| node.1).collect();
    let has_node = |network: &&Network| ips.range(network.address()..).next().is_some_and(|ip| network.contains(*ip));
    let empty = networks.iter().filter(|network| !has_node(network));
    Ok(NodesAssigned { assigned, not_found: empty.map(Network::to_string).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_in_overlapping_networks() {
        let networks = ["10.1.0.0/16", "10.0.0.0/8", "10.1.2.0/24", "192.0.2.0/25", "2001:db8::/48", "192.0.2.0/24"];
        let networks: Vec<Network> = networks.iter().map(|text| Network::parse(text).expect("a network")).collect();
        let all = disjoint(networks.clone());
        assert_eq!(all.len(), 3);
        for ip in ["10.0.0.0", "10.1.2.3", "10.255.255.255", "192.0.2.200", "2001:db8::7", "9.9.9.9", "11.0.0.0", "::1"]
        {
            let ip: IpAddr = ip.parse().expect("an address");
            assert_eq!(is_in(&all, ip), networks.iter().any(|network| network.contains(ip)), "{ip}");
        }
    }
}
