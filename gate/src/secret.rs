//! Texts that must not be printed: passwords, and the secret with which the gate signs in to the shop.
use std::fmt;

/// A text that `Debug` hides.
#[derive(Clone, Default, Eq, Hash, PartialEq)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
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
