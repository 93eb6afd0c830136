//! The proxy list: SQL for one page of what an account owns.
use super::types::{NodeFilter, OwnedNode};
use crate::db::Conn;
use crate::error::AppError;
use crate::list::{Direction, ListRequest, Page, unknown_sort};
use crate::schema::{nodes, plan_groups};
use crate::security::SecretKey;
use chrono::NaiveDateTime;
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
    note: String,
    auto_renew: bool,
    assigned_at: Option<NaiveDateTime>,
    expires_at: Option<NaiveDateTime>,
}

/// Applies the list's filters to a query about nodes: the same for the rows and for their number.
macro_rules! narrow {
    ($query:expr, $account_id:expr, $list:expr, $filter:expr) => {{
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
        if let Some(group_id) = $filter.group_id {
            query = query.filter(nodes::group_id.eq(group_id));
        }
        if let Some(auto_renew) = $filter.auto_renew {
            query = query.filter(nodes::auto_renew.eq(auto_renew));
        }
        if !$list.search.trim().is_empty() {
            let pattern = contains_pattern($list.search.trim());
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
) -> Result<Page<OwnedNode>, AppError> {
    let filter: NodeFilter = list.filters()?;
    let total: i64 =
        narrow!(nodes::table.select(diesel::dsl::count(nodes::id)), account_id, list, filter).first(conn)?;
    let mut query = narrow!(nodes::table.select(NodeRow::as_select()), account_id, list, filter);
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
    let groups: HashMap<i64, String> = plan_groups::table
        .filter(plan_groups::account_id.eq(account_id))
        .select((plan_groups::id, plan_groups::name))
        .load::<(i64, String)>(conn)?
        .into_iter()
        .collect();
    let rows: Result<Vec<_>, AppError> = rows.into_iter().map(|row| owned_node(row, &groups, key)).collect();
    Ok(list.page_of(rows?, total))
}

fn owned_node(row: NodeRow, groups: &HashMap<i64, String>, key: &SecretKey) -> Result<OwnedNode, AppError> {
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
    })
}

/// `%text%`, with what LIKE would read as a wildcard taken literally.
fn contains_pattern(text: &str) -> String {
    let literal = text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{literal}%")
}
