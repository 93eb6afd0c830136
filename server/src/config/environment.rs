//! What a server is run for.

/// The environment. Production refuses demo data and the sandbox gateway; development listens on the loopback address only.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Environment {
    Development,
    Production,
}
