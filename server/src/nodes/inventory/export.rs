//! Exports the inventory as a file that `import` can read, with the state of each node added.
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{node_targets, nodes};
use crate::state::App;
use anyhow::Context;
use postern_core::csv::{begin_file, push_row};
use postern_core::inventory::COLUMNS;
use postern_core::money::Money;
use postern_core::node::NodeState;
use std::collections::HashMap;
use std::io::Write;

const ROWS_PER_READ: i64 = 5_000;

type Row = (i64, String, i32, i32, String, String, String, i64, String, String, i64, NodeState);

/// Writes every node, ordered by number, and returns how many there are.
pub fn export(app: &App, mut out: impl Write) -> anyhow::Result<usize> {
    let mut text = begin_file(&COLUMNS);
    let (mut last, mut count) = (0, 0);
    loop {
        let (rows, mut targets) = app
            .db
            .read_blocking(|conn| {
                let rows: Vec<Row> = nodes::table
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
                        nodes::state,
                    ))
                    .load(conn)?;
                let ids: Vec<i64> = rows.iter().map(|row| row.0).collect();
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
        for (id, ip, http_port, socks5_port, country, city, isp, asn, ver_str, supplier, cost, state) in rows {
            last = id;
            let targets = targets.remove(&id).unwrap_or_default().join(" ");
            let (http_port, socks5_port, asn) = (http_port.to_string(), socks5_port.to_string(), asn.to_string());
            let cost = Money::from_minor(cost).to_string();
            let cells: [&str; 12] = [
                &ip,
                &http_port,
                &socks5_port,
                &country,
                &city,
                &isp,
                &asn,
                &ver_str,
                &targets,
                &supplier,
                &cost,
                state.as_str(),
            ];
            push_row(&mut text, &cells);
        }
    }
}
