//! Enums with string values, such as states, kinds and methods. Each value has the same name on the wire and in the database; any other
//! string is an error.

/// Defines an enum and the names of its values. TypeScript and the OpenAPI document get a union of strings; with the feature `diesel`,
/// columns can hold its values (`column::EnumColumn`).
macro_rules! wire_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:tt),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        #[cfg_attr(feature = "tsify", derive(tsify::Tsify))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum $name {
            $($(#[$doc])*
            #[cfg_attr(feature = "tsify", serde(rename = $text))]
            #[cfg_attr(feature = "openapi", schema(rename = $text))]
            $variant),+
        }

        // Equivalent to serde's derived code, but smaller in wasm.
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = String::deserialize(deserializer)?;
                $name::from_wire(&text).ok_or_else(|| serde::de::Error::unknown_variant(&text, &[$($text),+]))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The name on the wire and in the database.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }

            pub fn from_wire(text: &str) -> Option<$name> {
                match text {
                    $($text => Some($name::$variant),)+
                    _ => None,
                }
            }
        }

        #[cfg(feature = "diesel")]
        $crate::wire_enum::column::impl_column!($name, as Text: String, str, $name::from_wire, $name::as_str);
    };
}

pub(crate) use wire_enum;

/// Database columns that hold the values of an enum. An unknown value in a column is an error that names the column.
#[cfg(feature = "diesel")]
pub mod column {
    use diesel::sql_types::{SingleValue, SqlType, is_nullable::NotNull};
    use std::fmt;

    /// The SQL type of such a column.
    pub trait EnumColumn<E>: SqlType<IsNull = NotNull> + SingleValue {
        /// Table and column, such as `orders.state`.
        const NAME: &'static str;
    }

    /// A column holds an unknown value.
    #[derive(Debug)]
    pub struct UnknownValue {
        pub column: &'static str,
        pub enum_name: &'static str,
        /// Formatted with `Debug`, so that strings are in quotes.
        pub value: String,
    }

    impl fmt::Display for UnknownValue {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(formatter, "{} holds {}, which is not a value of {}", self.column, self.value, self.enum_name)
        }
    }

    impl std::error::Error for UnknownValue {}

    /// Implements reading and writing of an enum for all columns declared to hold it, on any database: as a value of an SQL type that is
    /// read as `$owned` and written as `$borrowed`.
    macro_rules! impl_column {
        ($name:ident, as $sql:ident: $owned:ty, $borrowed:ty, $read:path, $written:path) => {
            const _: () = {
                use diesel::backend::Backend;
                use diesel::deserialize::{self, FromSql, FromStaticSqlRow, Queryable};
                use diesel::expression::AsExpression;
                use $crate::wire_enum::column::{EnumColumn, UnknownValue};
                // Used by diesel's own derive macro.
                use diesel::internal::derives::as_expression::Bound;
                use diesel::serialize::{self, Output, ToSql};
                use diesel::sql_types::{Nullable, $sql};

                impl<ST: EnumColumn<$name>> AsExpression<ST> for $name {
                    type Expression = Bound<ST, $name>;

                    fn as_expression(self) -> Self::Expression {
                        Bound::new(self)
                    }
                }

                impl<ST: EnumColumn<$name>> AsExpression<Nullable<ST>> for $name {
                    type Expression = Bound<Nullable<ST>, $name>;

                    fn as_expression(self) -> Self::Expression {
                        Bound::new(self)
                    }
                }

                impl<ST: EnumColumn<$name>, DB: Backend> FromSql<ST, DB> for $name
                where
                    $owned: FromSql<$sql, DB>,
                {
                    fn from_sql(bytes: DB::RawValue<'_>) -> deserialize::Result<$name> {
                        let stored = <$owned as FromSql<$sql, DB>>::from_sql(bytes)?;
                        $read(&stored).ok_or_else(|| {
                            let (enum_name, value) = (stringify!($name), format!("{stored:?}"));
                            UnknownValue { column: ST::NAME, enum_name, value }.into()
                        })
                    }
                }

                impl<ST: EnumColumn<$name>, DB: Backend> Queryable<ST, DB> for $name
                where
                    $name: FromStaticSqlRow<ST, DB>,
                {
                    type Row = $name;

                    fn build(row: $name) -> deserialize::Result<$name> {
                        Ok(row)
                    }
                }

                impl<ST: EnumColumn<$name>, DB: Backend> ToSql<ST, DB> for $name
                where
                    $borrowed: ToSql<$sql, DB>,
                {
                    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
                        <$borrowed as ToSql<$sql, DB>>::to_sql($written(*self), out)
                    }
                }

                impl<ST: EnumColumn<$name>, DB: Backend> ToSql<Nullable<ST>, DB> for $name
                where
                    $borrowed: ToSql<$sql, DB>,
                {
                    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> serialize::Result {
                        <$borrowed as ToSql<$sql, DB>>::to_sql($written(*self), out)
                    }
                }
            };
        };
    }

    pub(crate) use impl_column;
}

#[cfg(test)]
mod tests {
    wire_enum! {
        /// Names may differ from those of the variants.
        Sample { One = "one", TwoWords = "two words", Code = "USD" }
    }

    #[test]
    fn values_round_trip_by_name_and_other_strings_are_rejected() {
        for (value, name) in [(Sample::One, "one"), (Sample::TwoWords, "two words"), (Sample::Code, "USD")] {
            assert_eq!((value.as_str(), Sample::from_wire(name)), (name, Some(value)));
            assert_eq!(serde_json::to_string(&value).ok(), Some(format!("\"{name}\"")));
            assert_eq!(serde_json::from_str::<Sample>(&format!("\"{name}\"")).ok(), Some(value));
        }
        for text in ["", "One", "one ", "TwoWords", "two_words", "usd"] {
            assert_eq!(Sample::from_wire(text), None, "{text}");
            assert!(serde_json::from_str::<Sample>(&format!("\"{text}\"")).is_err(), "{text}");
        }
        assert_eq!(Sample::ALL.len(), 3);
    }
}
