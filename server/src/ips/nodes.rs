//! The proxy list: SQL for one page of what an account owns, and for the nodes that a bulk call is about.
use super::selection::good_for;
use super::types::{NodeFilter, OwnedNode};
use crate::db::Conn;
use crate::error::AppError;
use crate::list::{Direction, ListRequest, Page, unknown_sort};
use crate::schema::{node_targets, nodes, plan_groups};
use crate::security::SecretKey;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use postern_core::language::Language;
use postern_core::place::{city_name, country_name};
use postern_core::time::to_wire;
use std::collections::HashMap;

#[derive(Queryable, Selectable)]
#[diesel(table_name = nodes)]
struct NodeRow {
    id: i64,
    ip: String,
    http_port: i32,
    socks5_port: i32,
    country: String,
    city: String,
    isp: String,
    asn: i64,
    ver_str: String,
    node_type: i16,
    state: String,
    group_id: Option<i64>,
    user_name: Option<String>,
    password_sealed: Option<String>,
    old_user_name: Option<String>,
    old_valid_until: Option<NaiveDateTime>,
    note: String,
    auto_renew: bool,
    period_days: Option<i32>,
    assigned_at: Option<NaiveDateTime>,
    expires_at: Option<NaiveDateTime>,
}

/// Applies the list's filters to a query about nodes: the same for the rows and for their number.
macro_rules! narrow {
    ($query:expr, $account_id:expr, $search:expr, $filter:expr, $now:expr) => {{
        let mut query = $query.filter(nodes::account_id.eq($account_id)).into_boxed();
        if let Some(country) = &$filter.country {
            query = query.filter(nodes::country.eq(country));
        }
        if let Some(city) = &$filter.city {
            query = query.filter(nodes::city.eq(city));
        }
        if let Some(ver_str) = &$filter.ver_str {
            query = query.filter(nodes::ver_str.eq(ver_str));
        }
        if let Some(state) = &$filter.state {
            query = query.filter(nodes::state.eq(state));
        }
        match $filter.group_id {
            Some(0) => query = query.filter(nodes::group_id.is_null()),
            Some(group_id) => query = query.filter(nodes::group_id.eq(group_id)),
            None => {}
        }
        if let Some(target) = &$filter.target {
            query = query.filter(good_for!(target));
        }
        if let Some(days) = $filter.ends_within_days {
            query = query.filter(nodes::expires_at.le($now + TimeDelta::days(i64::from(days))));
        }
        if let Some(auto_renew) = $filter.auto_renew {
            query = query.filter(nodes::auto_renew.eq(auto_renew));
        }
        if !$search.trim().is_empty() {
            let pattern = contains_pattern($search.trim());
            let found = nodes::ip.like(pattern.clone()).escape('\\');
            let found = found.or(nodes::note.like(pattern.clone()).escape('\\'));
            query = query.filter(found.or(nodes::isp.like(pattern).escape('\\')));
        }
        query
    }};
}

pub fn node_list(
    conn: &mut Conn,
    account_id: i64,
    list: &ListRequest,
    key: &SecretKey,
    now: NaiveDateTime,
) -> Result<Page<OwnedNode>, AppError> {
    let filter: NodeFilter = list.filters()?;
    let total: i64 = narrow!(nodes::table.select(diesel::dsl::count(nodes::id)), account_id, list.search, filter, now)
        .first(conn)?;
    let mut query = narrow!(nodes::table.select(NodeRow::as_select()), account_id, list.search, filter, now);
    for sort in &list.sort {
        macro_rules! by {
            ($column:expr) => {
                match sort.direction {
                    Direction::Asc => query.then_order_by($column.asc()),
                    Direction::Desc => query.then_order_by($column.desc()),
                }
            };
        }
        query = match sort.field.as_str() {
            "Ip" => by!(nodes::ip),
            "Country" => by!(nodes::country),
            "City" => by!(nodes::city),
            "Isp" => by!(nodes::isp),
            "VerStr" => by!(nodes::ver_str),
            "State" => by!(nodes::state),
            "AssignedAt" => by!(nodes::assigned_at),
            "ExpiresAt" => by!(nodes::expires_at),
            other => return Err(unknown_sort(other)),
        };
    }
    let rows: Vec<NodeRow> =
        query.then_order_by(nodes::id.desc()).limit(list.limit()).offset(list.offset()).load(conn)?;
    Ok(list.page_of(owned_nodes(conn, account_id, rows, key)?, total))
}

/// The ids of all nodes of an account that a filter matches.
pub fn matching_ids(
    conn: &mut Conn,
    account_id: i64,
    filter: &NodeFilter,
    search: &str,
    now: NaiveDateTime,
) -> Result<Vec<i64>, AppError> {
    let query = narrow!(nodes::table.select(nodes::id), account_id, search, filter, now);
    Ok(query.order(nodes::id).load(conn)?)
}

/// Nodes of an account by their ids, in the order of ids.
pub fn by_ids(conn: &mut Conn, account_id: i64, ids: &[i64], key: &SecretKey) -> Result<Vec<OwnedNode>, AppError> {
    let rows: Vec<NodeRow> = nodes::table
        .filter(nodes::id.eq_any(ids))
        .filter(nodes::account_id.eq(account_id))
        .order(nodes::id)
        .select(NodeRow::as_select())
        .load(conn)?;
    owned_nodes(conn, account_id, rows, key)
}

fn owned_nodes(
    conn: &mut Conn,
    account_id: i64,
    rows: Vec<NodeRow>,
    key: &SecretKey,
) -> Result<Vec<OwnedNode>, AppError> {
    let groups: HashMap<i64, String> = plan_groups::table
        .filter(plan_groups::account_id.eq(account_id))
        .select((plan_groups::id, plan_groups::name))
        .load::<(i64, String)>(conn)?
        .into_iter()
        .collect();
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut targets: HashMap<i64, Vec<String>> = HashMap::new();
    let fitting: Vec<(i64, String)> = node_targets::table
        .filter(node_targets::node_id.eq_any(&ids))
        .order(node_targets::target)
        .select((node_targets::node_id, node_targets::target))
        .load(conn)?;
    for (node_id, target) in fitting {
        targets.entry(node_id).or_default().push(target);
    }
    rows.into_iter()
        .map(|row| {
            let targets = targets.remove(&row.id).unwrap_or_default();
            owned_node(row, &groups, targets, key)
        })
        .collect()
}

fn owned_node(
    row: NodeRow,
    groups: &HashMap<i64, String>,
    targets: Vec<String>,
    key: &SecretKey,
) -> Result<OwnedNode, AppError> {
    let password = row.password_sealed.as_deref().map(|sealed| key.open(sealed)).transpose();
    Ok(OwnedNode {
        node_id: row.id,
        protocols: vec!["http".to_owned(), "socks5".to_owned()],
        user_name: row.user_name.unwrap_or_default(),
        password: password.map_err(AppError::Internal)?.unwrap_or_default(),
        country_name_en: country_name(&row.country, Language::En),
        country_name_zh: country_name(&row.country, Language::Zh),
        city_name_en: city_name(&row.city, Language::En),
        city_name_zh: city_name(&row.city, Language::Zh),
        group_name: row.group_id.and_then(|group| groups.get(&group).cloned()),
        assigned_at: row.assigned_at.map(to_wire),
        expires_at: row.expires_at.map(to_wire),
        ip: row.ip,
        http_port: row.http_port,
        socks5_port: row.socks5_port,
        country: row.country,
        city: row.city,
        isp: row.isp,
        asn: row.asn,
        ver_str: row.ver_str,
        node_type: row.node_type,
        group_id: row.group_id,
        note: row.note,
        state: row.state,
        auto_renew: row.auto_renew,
        old_user_name: row.old_user_name,
        old_valid_until: row.old_valid_until.map(to_wire),
        period_days: row.period_days,
        targets,
    })
}

/// `%text%`, with what LIKE would read as a wildcard taken literally.
pub fn contains_pattern(text: &str) -> String {
    let literal = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{literal}%")
}
