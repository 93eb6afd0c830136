//! The commands `postern backup` and `postern restore`: one file with the database, the secret key, the settings and the logo.
mod archive;
mod copies;
mod lock;
mod parts;
mod restore;
mod write;

pub use restore::{RestoreArguments, restore};
pub use write::{BackupArguments, backup};
