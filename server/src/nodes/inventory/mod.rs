//! The seller's inventory: nodes in from a file, out to a file, off the shelf.
mod export;
mod import;

use crate::error::AppError;
pub use crate::nodes::inventory::export::export;
pub use crate::nodes::inventory::import::{Imported, import};
use crate::nodes::lifecycle;
use crate::state::App;

/// What `retire` did.
#[derive(Debug, Default, Eq, PartialEq)]
pub struct Retired {
    pub retired: usize,
    /// Addresses that are nobody's node, or somebody's right now.
    pub left: Vec<String>,
}

/// Takes nodes off the shelf for good. Those that a customer has or is just buying stay as they are.
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
        Ok(done)
    })
}
