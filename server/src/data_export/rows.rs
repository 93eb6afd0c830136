//! The rows of the export as JSON objects: what a section loads at a time, and how the columns become values.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::users;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::NaiveDateTime;
use postern_core::money::Money;
use postern_core::time::to_wire;
use serde_json::{Value, json};

/// Rows loaded at a time.
pub const CHUNK: usize = 1_000;

/// The next rows of a section.
pub struct Part {
    pub rows: Vec<Value>,
    /// The row after which the next part begins; absent after the last part.
    pub next: Option<i64>,
}

impl Part {
    /// A section that is loaded in one part.
    pub fn whole(rows: Vec<Value>) -> Part {
        Part { rows, next: None }
    }

    /// A part of a section whose rows have an `Id`.
    pub fn of(rows: Vec<Value>) -> Part {
        let next = rows.last().filter(|_| rows.len() == CHUNK).and_then(|row| row["Id"].as_i64());
        Part { rows, next }
    }
}

/// Loads the next rows of an account's section, after the row with this id.
pub type Load = fn(&mut Conn, i64, i64) -> Result<Part, AppError>;

/// A section of the file, and the tables whose rows are in it.
pub struct Section {
    pub name: &'static str,
    #[cfg_attr(not(test), allow(dead_code))]
    pub tables: &'static [&'static str],
    pub load: Load,
}

pub const fn section(name: &'static str, tables: &'static [&'static str], load: Load) -> Section {
    Section { name, tables, load }
}

pub fn plain<T: serde::Serialize>(value: T) -> Value {
    json!(value)
}

/// A time in wire format, in UTC.
pub fn time(value: NaiveDateTime) -> Value {
    to_wire(value).into()
}

pub fn maybe_time(value: Option<NaiveDateTime>) -> Value {
    value.map(to_wire).into()
}

pub fn money(minor: i64) -> Value {
    json!(Money::from_minor(minor))
}

pub fn maybe_money(minor: Option<i64>) -> Value {
    minor.map_or(Value::Null, money)
}

/// Parses a text that is already JSON.
pub fn inner(text: String) -> Value {
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

/// The bytes of a file in base64.
pub fn bytes(value: Vec<u8>) -> Value {
    STANDARD.encode(value).into()
}

pub fn maybe_inner(text: Option<String>) -> Value {
    text.map_or(Value::Null, inner)
}

pub fn user_ids(conn: &mut Conn, account_id: i64) -> Result<Vec<i64>, AppError> {
    Ok(users::table.filter(users::account_id.eq(account_id)).select(users::id).load(conn)?)
}

/// Attaches each of these to the row whose `Id` it names in this field.
pub fn attach(rows: &mut [Value], field: &str, name: &str, parts: Vec<Value>) {
    for row in rows.iter_mut() {
        row[name] = json!([]);
    }
    for mut part in parts {
        let id = part.as_object_mut().and_then(|object| object.remove(field));
        // The rows are sorted by id.
        let found = rows.binary_search_by_key(&id.and_then(|id| id.as_i64()), |row| row["Id"].as_i64());
        if let Some(list) = found.ok().and_then(|index| rows[index][name].as_array_mut()) {
            list.push(part);
        }
    }
}

/// The ids of rows that have one.
pub fn ids(rows: &[Value]) -> Vec<i64> {
    rows.iter().filter_map(|row| row["Id"].as_i64()).collect()
}

/// The rows of a query as objects: each column with its type, its conversion to JSON, and its name.
macro_rules! objects {
    ($conn:expr, $query:expr, $table:ident, { $($column:ident: $type:ty => $tell:ident as $name:literal),+ $(,)? }) => {{
        let rows: Vec<($($type,)+)> = $query.select(($($table::$column,)+)).load($conn)?;
        let object = |($($column,)+): ($($type,)+)| {
            let mut object = serde_json::Map::new();
            $(object.insert($name.to_owned(), $tell($column));)+
            serde_json::Value::Object(object)
        };
        rows.into_iter().map(object).collect::<Vec<serde_json::Value>>()
    }};
}

/// A section with the rows of a table that belong to an account, ordered by id.
macro_rules! section_of {
    ($name:ident, $table:ident, { $($fields:tt)+ }) => {
        fn $name(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
            let own = $table::table.filter($table::account_id.eq(account_id)).filter($table::id.gt(after));
            let own = own.order($table::id).limit(CHUNK as i64);
            Ok(Part::of(objects!(conn, own, $table, { id: i64 => plain as "Id", $($fields)+ })))
        }
    };
}

/// A section with the rows of a table that belong to an account's users, ordered by id.
macro_rules! section_of_users {
    ($name:ident, $table:ident, { $($fields:tt)+ }) => {
        fn $name(conn: &mut Conn, account_id: i64, after: i64) -> Result<Part, AppError> {
            let own = $table::table.filter($table::user_id.eq_any(user_ids(conn, account_id)?));
            let own = own.filter($table::id.gt(after)).order($table::id).limit(CHUNK as i64);
            Ok(Part::of(objects!(conn, own, $table, { id: i64 => plain as "Id", $($fields)+ })))
        }
    };
}

/// A section with the one row that an account has in a table.
macro_rules! section_of_one {
    ($name:ident, $table:ident by $owner:ident, { $($fields:tt)+ }) => {
        fn $name(conn: &mut Conn, account_id: i64, _after: i64) -> Result<Part, AppError> {
            let own = $table::table.filter($table::$owner.eq(account_id));
            Ok(Part::whole(objects!(conn, own, $table, { $($fields)+ })))
        }
    };
}

pub(super) use {objects, section_of, section_of_one, section_of_users};
