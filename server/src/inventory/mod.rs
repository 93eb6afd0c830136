//! The seller's inventory: nodes in from a file, out to a file, off the shelf.
mod export;
mod import;

pub use export::export;
pub use import::{Imported, import};

use crate::error::AppError;
use crate::schema::nodes;
use crate::state::App;
use diesel::prelude::*;
use postern_core::node::NodeState;

/// What `retire` did.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Retired {
    pub retired: usize,
    /// Addresses that are nobody's node, or somebody's right now.
    pub left: Vec<String>,
}

/// Takes nodes off the shelf for good. Those that a customer has or is just buying stay as they are.
pub fn retire(app: &App, addresses: &[String]) -> Result<Retired, AppError> {
    let free = [NodeState::Available.as_str(), NodeState::Quarantined.as_str()];
    app.db.write_blocking(|conn| {
        let mut done = Retired::default();
        for address in addresses {
            let node = nodes::table.filter(nodes::ip.eq(address)).filter(nodes::state.eq_any(free));
            let changed = diesel::update(node)
                .set((nodes::state.eq(NodeState::Retired.as_str()), nodes::free_at.eq(None::<chrono::NaiveDateTime>)))
                .execute(conn)?;
            if changed == 0 {
                done.left.push(address.clone());
            }
            done.retired += changed;
        }
        Ok(done)
    })
}
