//! SQL condition: which nodes fit a target.

/// Whether a node fits a target, evaluated per node: a list of all matching nodes would be as long as the inventory.
macro_rules! good_for {
    ($target:expr) => {
        crate::nodes::targets::good_for!($target, crate::schema::nodes::id)
    };
    ($target:expr, $node_id:expr) => {{
        use crate::schema::node_targets;
        let fits = node_targets::table.filter(node_targets::node_id.eq($node_id));
        diesel::dsl::exists(fits.filter(node_targets::target.eq($target)))
    }};
}
pub(crate) use good_for;
