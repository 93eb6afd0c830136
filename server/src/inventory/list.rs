//! SQL about pages of the inventory.
use crate::accounts::queries::emails_of;
use crate::db::Conn;
use crate::db::conn::MultiBackend;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, MORE_THAN_FEW, Page, containing, few, page_of_rows};
use crate::inventory::types::{InventoryFilter, InventoryNode};
use crate::schema::{node_targets, nodes, proxy_servers};
use crate::static_proxies::place_names::{of_city, of_country};
use chrono::NaiveDateTime;
use postern_core::list::{CursorKey, INVENTORY};
use postern_core::money::{Currency, Money};
use postern_core::node::NodeState;
use postern_core::time::to_wire;
use std::collections::HashMap;

#[derive(Queryable, Selectable)]
#[diesel(table_name = nodes)]
struct Row {
    id: i64,
    ip: String,
    http_port: i32,
    socks5_port: Option<i32>,
    country: String,
    city: String,
    isp: String,
    asn: i64,
    ver_str: String,
    state: NodeState,
    account_id: Option<i64>,
    supplier: String,
    cost_minor: i64,
    expires_at: Option<NaiveDateTime>,
    free_at: Option<NaiveDateTime>,
    server_id: Option<i64>,
}

/// The nodes that match a filter and a search.
pub fn matching<'a>(filter: &'a InventoryFilter, search: &str) -> nodes::BoxedQuery<'a, MultiBackend> {
    let mut query = nodes::table.into_boxed();
    // Addresses are stored in lower case.
    let search = search.trim().to_lowercase();
    if !search.is_empty() {
        query = query.filter(nodes::ip.like(containing(&search)).escape('\\'));
    }
    if let Some(state) = filter.state {
        query = query.filter(nodes::state.eq(state));
    }
    if let Some(ver_str) = &filter.ver_str {
        query = query.filter(nodes::ver_str.eq(ver_str));
    }
    if let Some(country) = &filter.country {
        query = query.filter(nodes::country.eq(country));
    }
    if let Some(city) = &filter.city {
        query = query.filter(nodes::city.eq(city));
    }
    if let Some(target) = &filter.target {
        let fitting = node_targets::table.filter(node_targets::target.eq(target)).select(node_targets::node_id);
        query = query.filter(nodes::id.eq_any(fitting));
    }
    if let Some(supplier) = &filter.supplier {
        query = query.filter(nodes::supplier.eq(supplier));
    }
    if let Some(server_id) = filter.server_id {
        query = query.filter(nodes::server_id.eq(server_id));
    }
    if let Some(account_id) = filter.account_id {
        query = query.filter(nodes::account_id.eq(account_id));
    }
    query
}

/// A page of the nodes that match a list request, newest first by default.
pub fn list(conn: &mut Conn, list: &ListRequest) -> Result<Page<InventoryNode>, AppError> {
    let filter: InventoryFilter = list.filters()?;
    let asked = list.asked(&INVENTORY)?;
    let all = || matching(&filter, &list.search);
    let found =
        if list.search.is_empty() { None } else { few(all().select(nodes::id).limit(MORE_THAN_FEW).load(conn)?) };
    let narrowed = || match &found {
        Some(ids) => nodes::table.filter(nodes::id.eq_any(ids.clone())).into_boxed(),
        None => all(),
    };
    let page = page_of_rows!(
        conn, asked, |row: Row| narrowed().select(Row::as_select()),
        counted: narrowed().select(nodes::id), number: nodes::id => row.id,
        fields: {
            "Ip" => nodes::ip, text, CursorKey::Text(row.ip.clone());
            "Country" => nodes::country, text, CursorKey::Text(row.country.clone());
            "City" => nodes::city, text, CursorKey::Text(row.city.clone());
            "Isp" => nodes::isp, text, CursorKey::Text(row.isp.clone());
            "State" => nodes::state, node_state, CursorKey::Text(row.state.as_str().to_owned());
            "Supplier" => nodes::supplier, text, CursorKey::Text(row.supplier.clone());
        }
    );
    page.views(|rows| views(conn, rows))
}

fn views(conn: &mut Conn, rows: Vec<Row>) -> Result<Vec<InventoryNode>, AppError> {
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let fits: Vec<(i64, String)> = node_targets::table
        .filter(node_targets::node_id.eq_any(ids))
        .order((node_targets::node_id, node_targets::target))
        .select((node_targets::node_id, node_targets::target))
        .load(conn)?;
    let mut targets: HashMap<i64, Vec<String>> = HashMap::new();
    for (node_id, target) in fits {
        targets.entry(node_id).or_default().push(target);
    }
    let owners: Vec<i64> = rows.iter().filter_map(|row| row.account_id).collect();
    let emails = emails_of(conn, &owners)?;
    let server_ids: Vec<i64> = rows.iter().filter_map(|row| row.server_id).collect();
    let servers: HashMap<i64, String> = proxy_servers::table
        .filter(proxy_servers::id.eq_any(server_ids))
        .select((proxy_servers::id, proxy_servers::name))
        .load::<(i64, String)>(conn)?
        .into_iter()
        .collect();
    let view = |row: Row| {
        let (country, city) = (of_country(&row.country), of_city(&row.city));
        InventoryNode {
            node_id: row.id,
            ip: row.ip,
            http_port: row.http_port,
            socks5_port: row.socks5_port,
            country: row.country,
            country_name_en: country.en,
            country_name_zh: country.zh,
            city: row.city,
            city_name_en: city.en,
            city_name_zh: city.zh,
            isp: row.isp,
            asn: row.asn,
            ver_str: row.ver_str,
            targets: targets.remove(&row.id).unwrap_or_default(),
            supplier: row.supplier,
            cost: Money::from_minor(row.cost_minor),
            currency: Currency::Usd,
            server: row.server_id.and_then(|id| servers.get(&id).cloned()),
            state: row.state,
            account_id: row.account_id,
            email: row.account_id.and_then(|id| emails.get(&id).cloned()),
            expires_at: row.expires_at.map(to_wire),
            free_at: row.free_at.map(to_wire),
        }
    };
    Ok(rows.into_iter().map(view).collect())
}
