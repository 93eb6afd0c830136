//! Texts that must not be printed: passwords, and the secret with which the gate signs in to the shop.
use anyhow::{Context, Result};
use std::fmt;
use std::path::Path;

/// A text that `Debug` hides.
#[derive(Clone, Default, Eq, Hash, PartialEq)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// Reads the secret of a proxy server from its file.
    pub fn read(file: &Path) -> Result<Secret> {
        let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
        let secret = text.trim();
        anyhow::ensure!(!secret.is_empty(), "{} is empty", file.display());
        Ok(Secret::new(secret))
    }

    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("(hidden)")
    }
}
