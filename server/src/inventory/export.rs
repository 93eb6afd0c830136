//! Exports the inventory as a file that `import` can read, with the state of each node added.
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{node_targets, nodes, proxy_servers};
use crate::state::App;
use anyhow::Context;
use postern_core::csv::{begin_file, push_row};
use postern_core::inventory::COLUMNS;
use postern_core::money::Money;
use postern_core::node::NodeState;
use std::collections::HashMap;
use std::io::Write;

const ROWS_PER_READ: i64 = 5_000;

#[derive(Queryable)]
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
    supplier: String,
    cost_minor: i64,
    server: Option<String>,
    state: NodeState,
}

/// Writes every node, ordered by number, and returns how many there are.
pub fn export(app: &App, mut out: impl Write) -> anyhow::Result<usize> {
    let mut text = begin_file(&COLUMNS);
    let (mut last, mut count) = (0, 0);
    loop {
        let (rows, mut targets) = app
            .db
            .read_blocking(|conn| {
                let rows: Vec<Row> = nodes::table
                    .left_join(proxy_servers::table.on(nodes::server_id.eq(proxy_servers::id.nullable())))
                    .filter(nodes::id.gt(last))
                    .order(nodes::id)
                    .limit(ROWS_PER_READ)
                    .select((
                        nodes::id,
                        nodes::ip,
                        nodes::http_port,
                        nodes::socks5_port,
                        nodes::country,
                        nodes::city,
                        nodes::isp,
                        nodes::asn,
                        nodes::ver_str,
                        nodes::supplier,
                        nodes::cost_minor,
                        proxy_servers::name.nullable(),
                        nodes::state,
                    ))
                    .load(conn)?;
                let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
                let fits: Vec<(i64, String)> = node_targets::table
                    .filter(node_targets::node_id.eq_any(&ids))
                    .order((node_targets::node_id, node_targets::target))
                    .select((node_targets::node_id, node_targets::target))
                    .load(conn)?;
                let mut targets: HashMap<i64, Vec<String>> = HashMap::new();
                for (node_id, target) in fits {
                    targets.entry(node_id).or_default().push(target);
                }
                Ok::<_, AppError>((rows, targets))
            })
            .map_err(|error| anyhow::anyhow!("reading the database: {error}"))?;
        out.write_all(text.as_bytes()).context("writing the file")?;
        text.clear();
        if rows.is_empty() {
            out.flush().context("writing the file")?;
            return Ok(count);
        }
        count += rows.len();
        for row in rows {
            last = row.id;
            let cells: [&str; 13] = [
                &row.ip,
                &row.http_port.to_string(),
                &row.socks5_port.map_or_else(String::new, |port| port.to_string()),
                &row.country,
                &row.city,
                &row.isp,
                &row.asn.to_string(),
                &row.ver_str,
                &targets.remove(&row.id).unwrap_or_default().join(" "),
                &row.supplier,
                &Money::from_minor(row.cost_minor).to_string(),
                row.server.as_deref().unwrap_or_default(),
                row.state.as_str(),
            ];
            push_row(&mut text, &cells);
        }
    }
}
