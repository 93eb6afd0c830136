//! The page of metrics, in the format OpenMetrics.
use crate::metrics::process;
use crate::metrics::shop::{self, ShopNow};
use crate::metrics::values::Values;
use crate::state::App;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use std::fmt;

/// Everything: what was counted, and how the shop and the process are. Without the database, what is known without it.
pub async fn page(app: &App) -> Result<String, fmt::Error> {
    let now = app.clock.now();
    let shop: Option<ShopNow> = app.db.read(move |conn| shop::now(conn, now)).await.ok();
    let mut values = Values::default();
    let is_postgres = !app.config.database_url.starts_with("sqlite:");
    let database = if is_postgres { "postgresql" } else { "sqlite" };
    let build = vec![("version", env!("CARGO_PKG_VERSION").to_owned()), ("database", database.to_owned())];
    values.add("postern_build_info", "The program and its kind of database", [(build, 1.0)]);
    values.add_one("postern_database_up", "Whether the database answers", f64::from(u8::from(shop.is_some())));
    connections(app, &mut values);
    if let Some(shop) = shop {
        shop.tell(&mut values);
    }
    process::tell(app.counts.started_at(), &mut values);
    let mut page = String::new();
    encode_registry(&mut page, app.counts.registry())?;
    encode_registry(&mut page, values.registry())?;
    encode_eof(&mut page)?;
    Ok(page)
}

fn connections(app: &App, values: &mut Values) {
    let pools = app.db.connections();
    let of = |pool: &str, state: &str| vec![("pool", pool.to_owned()), ("state", state.to_owned())];
    let rows = pools.iter().flat_map(|(pool, open, idle, _)| {
        [(of(pool, "busy"), f64::from(open.saturating_sub(*idle))), (of(pool, "idle"), f64::from(*idle))]
    });
    values.add("postern_database_connections", "Open connections to the database", rows);
    let most = pools.iter().map(|(pool, _, _, most)| (vec![("pool", (*pool).to_owned())], f64::from(*most)));
    values.add("postern_database_connections_max", "How many connections a pool may open", most);
}
