//! The levels of accounts (specification, section 2). What each level may open is in `screens`, what it may call in `calls`.
use serde::{Deserialize, Serialize};

/// An account's permissions; on the wire and in the database a number: 0 customer, 1 reseller, 2 operator.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Level {
    Customer,
    Reseller,
    Operator,
}

impl Level {
    pub fn number(self) -> u8 {
        match self {
            Level::Customer => 0,
            Level::Reseller => 1,
            Level::Operator => 2,
        }
    }

    pub fn from_number(number: u8) -> Option<Level> {
        [Level::Customer, Level::Reseller, Level::Operator].into_iter().find(|level| level.number() == number)
    }
}

impl From<Level> for u8 {
    fn from(level: Level) -> u8 {
        level.number()
    }
}

impl TryFrom<u8> for Level {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Level, &'static str> {
        Level::from_number(number).ok_or("a level is 0, 1 or 2")
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Level {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        let levels = [Level::Customer, Level::Reseller, Level::Operator].map(Level::number);
        let schema = utoipa::openapi::ObjectBuilder::new().schema_type(utoipa::openapi::Type::Integer);
        schema.description(Some("0 customer, 1 reseller, 2 operator.")).enum_values(Some(levels)).into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Level {}

#[cfg(feature = "diesel")]
impl Level {
    fn from_kept(number: &i16) -> Option<Level> {
        u8::try_from(*number).ok().and_then(Level::from_number)
    }

    fn kept(self) -> &'static i16 {
        match self {
            Level::Customer => &0,
            Level::Reseller => &1,
            Level::Operator => &2,
        }
    }
}

#[cfg(feature = "diesel")]
crate::wire_enum::column::impl_column!(Level, as SmallInt: i16, i16, Level::from_kept, Level::kept);
