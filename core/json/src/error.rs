//! Why JSON text does not match a type, and where.
use serde::de::{Error, Expected, Unexpected};
use std::fmt;

/// Why JSON text does not match the type: the path, made of keys and indices (`Tiers.0.Price`, empty for the root), and what was expected
/// there, in JSON's terms.
///
/// A single pointer, because the code that propagates it is instantiated for each type.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct JsonError(Box<Details>);

#[derive(Clone, Debug, Eq, PartialEq)]
struct Details {
    path: String,
    reason: String,
    number: Option<NumberError>,
    /// The index of the missing field of a struct, until its name is known.
    lacks: Option<usize>,
}

/// Why a number does not fit an integer type.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NumberError {
    NotWhole,
    LessThan(i64),
    MoreThan(u64),
}

impl JsonError {
    /// The path of the wrong value.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// Why the number there does not fit, if that is the only problem: users type numbers.
    pub fn number(&self) -> Option<NumberError> {
        self.0.number
    }

    /// An error for the whole text, with this reason.
    pub fn with_message(reason: &str) -> JsonError {
        JsonError::new(reason.to_owned())
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn new(reason: String) -> JsonError {
        JsonError(Box::new(Details { path: String::new(), reason, number: None, lacks: None }))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn malformed() -> JsonError {
        JsonError::new("not JSON".to_owned())
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn expected(expected: &str) -> JsonError {
        JsonError::new(format!("expected {expected}"))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn expected_one_of(values: &[&str]) -> JsonError {
        let mut list = "one of ".to_owned();
        for (index, value) in values.iter().enumerate() {
            list.push_str(if index > 0 { ", " } else { "" });
            list.push_str(value);
        }
        JsonError::expected(&list)
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn expected_whole(bounds: Bounds, number: Option<NumberError>) -> JsonError {
        let mut error = JsonError::new(format!("expected a whole number from {} to {}", bounds.min, bounds.max));
        error.0.number = number;
        error
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn at_index(self, index: usize) -> JsonError {
        self.inside(&index.to_string())
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn lacking(mut self, names: &[&str]) -> JsonError {
        if let Some(name) = self.0.lacks.take().and_then(|index| names.get(index)) {
            self.0.reason = "missing".to_owned();
            return self.inside(name);
        }
        self
    }

    /// Prepends a key to the path.
    #[cold]
    #[inline(never)]
    pub fn inside(mut self, key: &str) -> JsonError {
        self.0.lacks = None;
        self.0.path = if self.0.path.is_empty() { key.to_owned() } else { format!("{key}.{}", self.0.path) };
        self
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.path.is_empty() {
            write!(formatter, "{}: ", self.0.path)?;
        }
        formatter.write_str(&self.0.reason)
    }
}

impl std::error::Error for JsonError {}

// serde's own messages name Rust types. The first three also print the value found, which would link the formatting code for floats.
impl Error for JsonError {
    fn custom<T: fmt::Display>(reason: T) -> JsonError {
        JsonError::new(reason.to_string())
    }

    fn invalid_type(_: Unexpected, _: &dyn Expected) -> JsonError {
        JsonError::expected("a value of another kind")
    }

    fn invalid_value(_: Unexpected, _: &dyn Expected) -> JsonError {
        JsonError::expected("another value")
    }

    fn invalid_length(length: usize, _: &dyn Expected) -> JsonError {
        let mut error = JsonError::expected("more items");
        error.0.lacks = Some(length);
        error
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> JsonError {
        JsonError::expected_one_of(expected)
    }
}

/// The minimum and maximum of an integer type.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub min: i64,
    pub max: u64,
}
