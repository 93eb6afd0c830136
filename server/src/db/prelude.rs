//! What code with queries imports: diesel's prelude, with the project's way to run queries.
pub use crate::db::locks::LockRows;
pub use crate::db::run::RunQueryDsl;
pub use diesel::prelude::*;
