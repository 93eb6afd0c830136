//! The proxy list: SQL for one page of an account's nodes, and for the nodes that a bulk call selects.
use crate::db::CachedStatement;
use crate::db::Conn;
use crate::db::conn::MultiBackend;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, Page, Total, rows_of_page};
use crate::order_rows::current_nodes::owned_ids;
use crate::schema::nodes;
use crate::security::SecretKey;
use crate::static_proxies::place_names::{of_city, of_country};
use crate::static_proxies::search::{Found, find};
use crate::static_proxies::types::{NodeFilter, OwnedNode, Protocol};
use crate::totals::{self, CountedInIndex, MOST, counted};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::{AsSelect, sql};
use diesel::expression::SqlLiteral;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};
use postern_core::field_errors::FieldErrors;
use postern_core::list::{CursorKey, NODES};
use postern_core::node::{FILTER_MAX_IPS, NodeState};
use postern_core::rule::Rule;
use postern_core::time::to_wire;
use std::collections::HashSet;

#[derive(Queryable, Selectable)]
#[diesel(table_name = nodes)]
struct NodeRow {
    id: i64,
    ip: String,
    http_port: i32,
    socks5_port: Option<i32>,
    country: String,
    city: String,
    isp: String,
    asn: i64,
    ver_str: String,
    node_type: i16,
    state: NodeState,
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

/// A node with the name of its group and its targets, one per line.
type Listed = (NodeRow, Option<String>, Option<String>);

/// The columns of a row that come from other tables, by indexed subqueries.
const GROUP_NAME: &str = "(SELECT name FROM plan_groups WHERE plan_groups.id = nodes.group_id)";

const TARGETS_ON_SQLITE: &str =
    "(SELECT group_concat(target, char(10)) FROM node_targets WHERE node_targets.node_id = nodes.id)";
const TARGETS_ON_POSTGRES: &str =
    "(SELECT string_agg(target, E'\\n') FROM node_targets WHERE node_targets.node_id = nodes.id)";

type ListedColumns = (AsSelect<NodeRow, MultiBackend>, SqlLiteral<Nullable<Text>>, SqlLiteral<Nullable<Text>>);

fn listed_columns(is_sqlite: bool) -> ListedColumns {
    let targets = if is_sqlite { TARGETS_ON_SQLITE } else { TARGETS_ON_POSTGRES };
    (NodeRow::as_select(), sql(GROUP_NAME), sql(targets))
}

define_sql_function! {
    fn lower(text: Text) -> Text;
}

/// The condition that a node of an account is one of these. On SQLite the ids are bound as one value, so that the statement's text is the same for any
/// number of them, and the unary plus keeps it from scanning all nodes of the account.
fn among<'a>(
    is_sqlite: bool,
    account_id: i64,
    ids: &'a [i64],
) -> Box<dyn BoxableExpression<nodes::table, MultiBackend, SqlType = Bool> + 'a> {
    if is_sqlite {
        let ids = sql("nodes.id IN (SELECT value FROM json_each(").bind::<Text, _>(format!("{ids:?}"));
        Box::new(ids.sql(")) AND +nodes.account_id = ").bind::<BigInt, _>(account_id))
    } else {
        Box::new(nodes::id.eq_any(ids).and(nodes::account_id.eq(account_id)).assume_not_null())
    }
}

/// What a list of an account's nodes is narrowed by.
struct Narrowing<'a> {
    is_sqlite: bool,
    account_id: i64,
    found: &'a Found,
    listed: Option<&'a [i64]>,
    filter: &'a NodeFilter,
    now: NaiveDateTime,
}

impl<'a> Narrowing<'a> {
    fn nodes(&self) -> nodes::BoxedQuery<'a, MultiBackend> {
        let Narrowing { is_sqlite, account_id, found, listed, filter, now } = *self;
        let mut query = nodes::table.into_boxed();
        query = match found {
            Found::These(ids) => query.filter(among(is_sqlite, account_id, ids)),
            _ => query.filter(nodes::account_id.eq(account_id)),
        };
        match filter.countries().map(|codes| codes.into_iter().collect::<Vec<_>>()).as_deref() {
            Some([country]) => query = query.filter(nodes::country.eq(country.to_string())),
            Some(several) => query = query.filter(nodes::country.eq_any(several.iter().map(|code| code.to_string()))),
            None => {}
        }
        if let Some(ids) = listed {
            query = query.filter(among(is_sqlite, account_id, ids));
        }
        if let Some(city) = &filter.city {
            query = query.filter(nodes::city.eq(city));
        }
        if let Some(ver_str) = &filter.ver_str {
            query = query.filter(nodes::ver_str.eq(ver_str));
        }
        if let Some(state) = filter.state {
            query = query.filter(nodes::state.eq(state));
        }
        match filter.group_id {
            Some(0) => query = query.filter(nodes::group_id.is_null()),
            Some(group_id) => query = query.filter(nodes::group_id.eq(group_id)),
            None => {}
        }
        if let Some(target) = &filter.target {
            query = query.filter(crate::nodes::targets::good_for!(target));
        }
        if let Some(days) = filter.ends_within_days {
            // Leave out nodes that have already expired.
            query = query.filter(nodes::expires_at.gt(now));
            query = query.filter(nodes::expires_at.le(now + TimeDelta::days(i64::from(days))));
        }
        if let Some(auto_renew) = filter.auto_renew {
            query = query.filter(nodes::auto_renew.eq(auto_renew));
        }
        if let Found::Like(like) = found {
            let found = nodes::ip.like(&like.pattern).escape('\\');
            let found = found.or(lower(nodes::note).like(&like.pattern).escape('\\'));
            query = query.filter(found.or(nodes::isp.eq_any(&like.isps)));
        }
        query
    }
}

pub fn node_list(
    conn: &mut Conn,
    account_id: i64,
    list: &ListRequest,
    key: &SecretKey,
    now: NaiveDateTime,
) -> Result<Page<OwnedNode>, AppError> {
    let filter: NodeFilter = list.filters()?;
    let asked = list.asked(&NODES)?;
    let found = find(conn, account_id, &list.search)?;
    let listed = listed_ids(conn, account_id, &filter)?;
    let all = totals::nodes(conn, account_id)?;
    let is_filtered = filter != NodeFilter::default();
    let (found, found_rows) = match found {
        Found::These(ids) if !is_filtered => {
            let rows = i64::try_from(ids.len()).unwrap_or(MOST);
            (Found::These(asked.keep_near_page(ids)), Some(rows))
        }
        Found::Like(like) if !is_filtered && like.is_more_than_counted => (Found::Like(like), Some(MOST)),
        found => (found, None),
    };
    let listed = listed.as_deref();
    let is_sqlite = matches!(conn, Conn::Sqlite(_));
    let narrowing = Narrowing { is_sqlite, account_id, found: &found, listed, filter: &filter, now };
    let is_everything = matches!(found, Found::Everything);
    let ids = narrowing.nodes().select(nodes::id);
    let total = match found_rows {
        None if is_everything && !is_filtered => Total::exact(all),
        None if is_everything && filter.has_covering_index() => Total::counted(CountedInIndex(ids).get_result(conn)?),
        None => Total::counted(counted(conn, ids)?),
        Some(rows) => Total::counted(rows),
    };
    let mut rows: Vec<Listed> = rows_of_page!(
        &asked,
        narrowing.nodes().select(listed_columns(is_sqlite)),
        number: nodes::id,
        fields: {
            "Ip" => nodes::ip, text;
            "Country" => nodes::country, text;
            "City" => nodes::city, text;
            "Isp" => nodes::isp, text;
            "VerStr" => nodes::ver_str, text;
            "State" => nodes::state, node_state;
            "AssignedAt" => nodes::assigned_at, time;
            "ExpiresAt" => nodes::expires_at, time;
        },
        |query| CachedStatement(query).load::<Listed>(conn)
    );
    let next = asked.cut(&mut rows, |(row, ..), field| row.key(field), |(row, ..)| row.id);
    let rows: Result<_, AppError> = rows.into_iter().map(|row| owned_node(row, key)).collect();
    Ok(asked.page(rows?, next, total, all))
}

/// The ids of the nodes with the filter's addresses, if it has any.
fn with_addresses(conn: &mut Conn, account_id: i64, filter: &NodeFilter) -> Result<Option<Vec<i64>>, AppError> {
    if filter.ips.is_empty() {
        return Ok(None);
    }
    if filter.ips.len() > FILTER_MAX_IPS {
        return Err(FieldErrors::one("Filter.Ips", Rule::TooManyNodes, &[("Max", FILTER_MAX_IPS.to_string())]).into());
    }
    let own = nodes::table.filter(nodes::ip.eq_any(&filter.ips)).filter(nodes::account_id.eq(account_id));
    Ok(Some(own.select(nodes::id).load(conn)?))
}

/// The ids of the nodes with the filter's addresses and of its order, if it has any of them.
fn listed_ids(conn: &mut Conn, account_id: i64, filter: &NodeFilter) -> Result<Option<Vec<i64>>, AppError> {
    let by_address = with_addresses(conn, account_id, filter)?;
    let Some(order_number) = &filter.order_number else { return Ok(by_address) };
    let mut of_order = owned_ids(conn, account_id, order_number)?;
    if let Some(ids) = by_address {
        let ids: HashSet<i64> = ids.into_iter().collect();
        of_order.retain(|id| ids.contains(id));
    }
    Ok(Some(of_order))
}

/// The ids of all nodes of an account that match a filter.
pub fn matching_ids(
    conn: &mut Conn,
    account_id: i64,
    filter: &NodeFilter,
    search: &str,
    now: NaiveDateTime,
) -> Result<Vec<i64>, AppError> {
    let found = find(conn, account_id, search)?;
    let listed = listed_ids(conn, account_id, filter)?;
    let is_sqlite = matches!(conn, Conn::Sqlite(_));
    let narrowing = Narrowing { is_sqlite, account_id, found: &found, listed: listed.as_deref(), filter, now };
    Ok(narrowing.nodes().select(nodes::id).order(nodes::id).load(conn)?)
}

/// Nodes of an account by their ids, ordered by id.
pub fn by_ids(conn: &mut Conn, account_id: i64, ids: &[i64], key: &SecretKey) -> Result<Vec<OwnedNode>, AppError> {
    let is_sqlite = matches!(conn, Conn::Sqlite(_));
    let these = nodes::table.filter(among(is_sqlite, account_id, ids)).order(nodes::id);
    let rows: Vec<Listed> = these.select(listed_columns(is_sqlite)).load(conn)?;
    rows.into_iter().map(|row| owned_node(row, key)).collect()
}

impl NodeRow {
    /// The sort key of a node. An owned node always has its times.
    fn key(&self, field: &str) -> CursorKey {
        let text = match field {
            "Ip" => &self.ip,
            "Country" => &self.country,
            "City" => &self.city,
            "Isp" => &self.isp,
            "VerStr" => &self.ver_str,
            "State" => return CursorKey::Text(self.state.as_str().to_owned()),
            "AssignedAt" => return CursorKey::Time(self.assigned_at.unwrap_or_default()),
            _ => return CursorKey::Time(self.expires_at.unwrap_or_default()),
        };
        CursorKey::Text(text.clone())
    }
}

fn owned_node((row, group_name, targets): Listed, key: &SecretKey) -> Result<OwnedNode, AppError> {
    let mut targets: Vec<String> = targets.unwrap_or_default().lines().map(str::to_owned).collect();
    targets.sort_unstable();
    let (country, city) = (of_country(&row.country), of_city(&row.city));
    let password = row.password_sealed.as_deref().map(|sealed| key.open(sealed)).transpose();
    Ok(OwnedNode {
        node_id: row.id,
        protocols: [Protocol::Http].into_iter().chain(row.socks5_port.map(|_| Protocol::Socks5)).collect(),
        user_name: row.user_name.unwrap_or_default(),
        password: password.map_err(AppError::Internal)?.unwrap_or_default(),
        country_name_en: country.en,
        country_name_zh: country.zh,
        city_name_en: city.en,
        city_name_zh: city.zh,
        group_name,
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
