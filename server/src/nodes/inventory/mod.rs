//! The seller's inventory: importing, exporting and retiring nodes.
mod export;
mod import;

use crate::audit::{self, Actor, Entry};
use crate::error::AppError;
pub use crate::nodes::inventory::export::export;
pub use crate::nodes::inventory::import::{Imported, import};
use crate::nodes::lifecycle;
use crate::state::App;
use postern_core::audit::{AuditAction, AuditChange, AuditField};

/// The result of `retire`.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Retired {
    pub retired: usize,
    /// Addresses that belong to no node, or to one that a customer owns or is buying.
    pub left: Vec<String>,
}

/// Takes nodes off sale permanently. Nodes that a customer owns or is buying stay unchanged.
pub fn retire(app: &App, addresses: &[String]) -> Result<Retired, AppError> {
    app.db.write_blocking(|conn| {
        let mut done = Retired::default();
        for address in addresses {
            if lifecycle::retire(conn, address)? {
                done.retired += 1;
            } else {
                done.left.push(address.clone());
            }
        }
        if done.retired > 0 {
            let retired: Vec<&str> =
                addresses.iter().filter(|address| !done.left.contains(address)).map(String::as_str).collect();
            let entry = Entry::new(AuditAction::NodesRetired).subject(retired.join(", "));
            let entry = entry.changes([AuditChange::new(AuditField::Nodes, done.retired)]);
            audit::record(conn, &Actor::command(), entry, app.clock.now())?;
        }
        Ok(done)
    })
}
