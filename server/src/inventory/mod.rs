//! The seller's inventory: all nodes, whoever has them. Imported, exported, changed, taken off sale and sold again; a faulty node is replaced for its
//! owner.
mod changes;
mod export;
mod import;
mod list;
mod replacing;
pub mod routes;
pub mod stock;
mod types;

use crate::audit::Actor;
use crate::error::AppError;
pub use crate::inventory::export::export;
pub use crate::inventory::import::{Imported, Source, import, in_words};
use crate::state::App;

/// The result of `retire`.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Retired {
    pub retired: usize,
    /// Addresses that belong to no node, or to one that a customer owns or is buying.
    pub left: Vec<String>,
}

/// Takes nodes off sale, by address, as a command on the server. Nodes that a customer owns or is buying stay unchanged.
pub fn retire(app: &App, addresses: &[String]) -> Result<Retired, AppError> {
    app.db.write_blocking(|conn| {
        let nodes = changes::by_addresses(conn, addresses)?;
        let done = changes::retire(conn, &nodes, &Actor::command(), app.clock.now())?;
        let is_left = |address: &&String| !done.changed.iter().any(|node| node.ip == **address);
        Ok(Retired { retired: done.changed.len(), left: addresses.iter().filter(is_left).cloned().collect() })
    })
}
