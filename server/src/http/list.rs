//! Lists: one page of rows, sorted and filtered by the server. The next page uses keyset pagination; any other page is reached by
//! offset.
use crate::error::AppError;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::{GtEq, LtEq};
use diesel::query_dsl::methods::FilterDsl;
use diesel::sql_types::Timestamp;
use diesel::{Expression, ExpressionMethods};
use postern_core::bounds::{MAX_SORT_FIELDS, is_time};
use postern_core::code::Code;
use postern_core::constants::{DEFAULT_PAGE_SIZE, PAGE_SIZES};
use postern_core::field_errors::FieldErrors;
use postern_core::list::{COUNTED_ROWS, Cursor, CursorKey, List, Order, OrderError};
use postern_core::node::NodeState;
use postern_core::rule::Rule;
use postern_core::time::from_wire;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

/// The parameters that every list accepts. Times are UTC, `YYYY-MM-DD HH:mm:ss`.
#[derive(Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct ListRequest {
    /// The page number, from 1. High page numbers are slower than paging with `After`.
    #[schema(required = false)]
    pub page: Option<u32>,
    /// `Next` of a page with the same sort: returns the rows after it and overrides `Page`.
    #[schema(required = false)]
    pub after: Option<String>,
    #[schema(required = false)]
    pub page_size: Option<u32>,
    /// At most four fields; see `SortableFields` of the response.
    #[schema(required = false)]
    pub sort: Vec<Sort>,
    /// The list's own filters.
    #[schema(value_type = std::collections::HashMap<String, Value>, required = false)]
    pub filter: Value,
    #[schema(required = false)]
    pub search: String,
    #[schema(required = false)]
    pub start_time: Option<String>,
    #[schema(required = false)]
    pub end_time: Option<String>,
}

#[derive(Clone, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Sort {
    pub field: String,
    #[serde(default)]
    pub direction: Direction,
}

#[derive(Clone, Copy, Default, Deserialize, Serialize, Eq, PartialEq, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    #[default]
    Asc,
    Desc,
}

/// One page of a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Page<T> {
    pub rows: Vec<T>,
    pub total: i64,
    /// Whether there are more rows than `Total`: rows are counted only up to 10,000. The total of all of an account's nodes is exact.
    pub total_is_at_least: bool,
    pub page: u32,
    pub page_size: u32,
    /// The cursor of the next page, to send as `After`; absent on the last page and in lists without keyset pagination.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// The fields that this list can be sorted by; long lists support fewer.
    pub sortable_fields: Vec<&'static str>,
}

impl<T> Page<T> {
    /// The page with views of its rows, which are made together.
    pub fn views<U>(self, views: impl FnOnce(Vec<T>) -> Result<Vec<U>, AppError>) -> Result<Page<U>, AppError> {
        let Page { rows, total, total_is_at_least, page, page_size, next, sortable_fields } = self;
        Ok(Page { rows: views(rows)?, total, total_is_at_least, page, page_size, next, sortable_fields })
    }

    /// The page with a view of each row.
    pub fn map<U>(self, view: impl FnMut(T) -> U) -> Result<Page<U>, AppError> {
        self.views(|rows| Ok(rows.into_iter().map(view).collect()))
    }
}

/// The total of a list.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Total {
    pub rows: i64,
    pub is_at_least: bool,
}

impl Total {
    pub fn exact(rows: i64) -> Total {
        Total { rows, is_at_least: false }
    }

    /// From a count that stopped at `totals::MOST`.
    pub fn counted(rows: i64) -> Total {
        Total { rows: rows.min(COUNTED_ROWS), is_at_least: rows > COUNTED_ROWS }
    }
}

impl ListRequest {
    pub fn page(&self) -> u32 {
        self.page.unwrap_or(1).max(1)
    }

    pub fn page_size(&self) -> u32 {
        let most = PAGE_SIZES.into_iter().max().unwrap_or(DEFAULT_PAGE_SIZE);
        self.page_size.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, most)
    }

    pub fn limit(&self) -> i64 {
        i64::from(self.page_size())
    }

    pub fn offset(&self) -> i64 {
        i64::from(self.page() - 1) * self.limit()
    }

    /// Parses the list's filters. An unknown filter is refused, never ignored.
    pub fn filters<F: Default + serde::de::DeserializeOwned>(&self) -> Result<F, AppError> {
        if self.filter.is_null() {
            return Ok(F::default());
        }
        serde_json::from_value(self.filter.clone())
            .map_err(|error| AppError::with(Code::UnknownListField, json!({ "Field": error.to_string() })))
    }

    pub fn between(&self) -> Result<Between, AppError> {
        // Times are stored in milliseconds, and written in seconds: the end's second is part of the range.
        let to = read_time("EndTime", &self.end_time)?.map(|to| to + TimeDelta::milliseconds(999));
        Ok((read_time("StartTime", &self.start_time)?, to))
    }

    /// The requested rows and their order.
    pub fn asked(&self, list: &'static List) -> Result<Asked, AppError> {
        let sorts = self.sort.iter().map(|sort| (sort.field.as_str(), sort.direction == Direction::Desc));
        let order = list.order(sorts).map_err(|error| match error {
            OrderError::UnknownField(field) => unknown_sort(&field),
            OrderError::TooMany => too_many_sorts(),
        })?;
        let after = self.after.as_deref().map(|text| Cursor::read(text, list, &order)).transpose()?;
        Ok(Asked {
            list,
            order,
            offset: if after.is_some() { 0 } else { self.offset() },
            after,
            page: self.page(),
            page_size: self.page_size(),
        })
    }

    /// A page of a list that supports page numbers only, with these sorts.
    pub fn page_of<T>(&self, rows: Vec<T>, total: i64, sortable_fields: Vec<&'static str>) -> Page<T> {
        let (page, page_size) = (self.page(), self.page_size());
        Page { rows, total, total_is_at_least: false, page, page_size, next: None, sortable_fields }
    }
}

/// A validated list request.
pub struct Asked {
    list: &'static List,
    pub order: Order,
    pub after: Option<Cursor>,
    offset: i64,
    page: u32,
    page_size: u32,
}

/// A group of rows after the cursor: equal to it in the first sort keys and beyond it in the next one, so that one index range finds them. Rows
/// beyond it in the last key come first.
pub struct KeysetRange<'a> {
    pub conditions: Vec<Condition<'a>>,
    pub offset: i64,
}

/// A condition on one sort key.
pub struct Condition<'a> {
    /// Absent for the row's number.
    pub field: Option<&'static str>,
    pub is: Is,
    pub key: &'a CursorKey,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Is {
    Like,
    Above,
    Below,
}

impl Asked {
    /// The page size plus one: the extra row tells whether another page follows.
    pub fn limit(&self) -> usize {
        self.page_size as usize + 1
    }

    pub fn offset(&self) -> i64 {
        self.offset
    }

    /// Reduces all matching row numbers to those that can be on this page. Has an effect only on lists sorted by row number alone.
    pub fn keep_near_page(&self, mut numbers: Vec<i64>) -> Vec<i64> {
        if !self.order.sorts.is_empty() {
            return numbers;
        }
        let descends = self.order.numbers_descend;
        if let Some(Cursor { number, .. }) = &self.after {
            numbers.retain(|one| if descends { one < number } else { one > number });
        }
        numbers.sort_unstable();
        if descends {
            numbers.reverse();
        }
        numbers.truncate(usize::try_from(self.offset).unwrap_or(usize::MAX).saturating_add(self.limit()));
        numbers
    }

    /// The levels, in row order.
    pub fn levels<'a>(&'a self, number: &'a CursorKey) -> Vec<KeysetRange<'a>> {
        let Some(after) = &self.after else { return vec![KeysetRange { conditions: Vec::new(), offset: self.offset }] };
        let beyond = |descends: bool| if descends { Is::Below } else { Is::Above };
        let level = |alike: usize| {
            let fields = self.order.sorts.iter().zip(&after.keys);
            let mut conditions: Vec<Condition> = fields
                .clone()
                .take(alike)
                .map(|(sort, key)| Condition { field: Some(sort.field), is: Is::Like, key })
                .collect();
            conditions.push(match fields.clone().nth(alike) {
                Some((sort, key)) => Condition { field: Some(sort.field), is: beyond(sort.descends), key },
                None => Condition { field: None, is: beyond(self.order.numbers_descend), key: number },
            });
            KeysetRange { conditions, offset: 0 }
        };
        (0..=self.order.sorts.len()).rev().map(level).collect()
    }

    /// The row number of the cursor.
    pub fn number(&self) -> CursorKey {
        CursorKey::Integer(self.after.as_ref().map_or(0, |after| after.number))
    }

    /// Truncates the rows to one page, and returns the cursor of the next.
    pub fn cut<T>(
        &self,
        rows: &mut Vec<T>,
        key: impl Fn(&T, &str) -> CursorKey,
        number: impl Fn(&T) -> i64,
    ) -> Option<String> {
        if rows.len() < self.limit() {
            return None;
        }
        rows.truncate(self.limit() - 1);
        let last = rows.last()?;
        let keys = self.order.sorts.iter().map(|sort| key(last, sort.field)).collect();
        Some(Cursor { keys, number: number(last) }.write(self.list, &self.order))
    }

    /// Builds the page. `total` counts the matching rows, `all` the rows without filters.
    pub fn page<T>(&self, rows: Vec<T>, next: Option<String>, total: Total, all: i64) -> Page<T> {
        Page {
            rows,
            total: total.rows,
            total_is_at_least: total.is_at_least,
            page: self.page,
            page_size: self.page_size,
            next,
            sortable_fields: self.list.sortable_fields(all),
        }
    }
}

/// Loads the rows of a page and one more. `query` builds the boxed query of all rows of the list; each field of the list maps to its
/// column and key type.
macro_rules! rows_of_page {
    (
        $asked:expr, $query:expr, number: $number:expr, fields: { $($field:literal => $column:expr, $kind:ident);* $(;)? },
        |$limited:ident| $load:expr
    ) => {{
        use crate::db::prelude::*;
        let asked: &$crate::http::list::Asked = $asked;
        let after_number = asked.number();
        let mut rows = Vec::new();
        for level in asked.levels(&after_number) {
            let mut query = $query;
            for condition in &level.conditions {
                query = match (condition.field, condition.is) {
                    $(
                        (Some($field), $crate::http::list::Is::Like) => {
                            query.filter($column.eq($crate::http::list::$kind(condition.key)?))
                        }
                        (Some($field), $crate::http::list::Is::Above) => {
                            query.filter($column.gt($crate::http::list::$kind(condition.key)?))
                        }
                        (Some($field), $crate::http::list::Is::Below) => {
                            query.filter($column.lt($crate::http::list::$kind(condition.key)?))
                        }
                    )*
                    (None, $crate::http::list::Is::Below) => query.filter($number.lt($crate::http::list::integer(condition.key)?)),
                    (None, _) => query.filter($number.gt($crate::http::list::integer(condition.key)?)),
                    (Some(other), _) => return Err($crate::http::list::unknown_sort(other)),
                };
            }
            for sort in &asked.order.sorts {
                query = match (sort.field, sort.descends) {
                    $(
                        ($field, false) => query.then_order_by($column.asc()),
                        ($field, true) => query.then_order_by($column.desc()),
                    )*
                    // The list has no other fields.
                    _ => query,
                };
            }
            query = if asked.order.numbers_descend {
                query.then_order_by($number.desc())
            } else {
                query.then_order_by($number.asc())
            };
            let missing = i64::try_from(asked.limit() - rows.len()).unwrap_or_default();
            let $limited = query.limit(missing).offset(level.offset);
            rows.extend($load?);
            if rows.len() == asked.limit() {
                break;
            }
        }
        rows
    }};
}

pub(crate) use rows_of_page;

/// Loads a page: its rows, their number, and the cursor of the next page. `query` builds the query of all rows, `counted` the one of their ids; each
/// field of the list maps to its column, key type and key.
macro_rules! page_of_rows {
    (
        $conn:expr, $asked:expr, |$row:ident: $Row:ty| $query:expr, counted: $ids:expr, number: $number:expr => $id:expr,
        fields: { $($field:literal => $column:expr, $kind:ident, $key:expr);* $(;)? }
    ) => {{
        use $crate::http::list::{Total, rows_of_page};
        let asked = $asked;
        let counted = $crate::totals::counted($conn, $ids)?;
        let mut rows: Vec<$Row> = rows_of_page!(
            &asked, $query, number: $number, fields: { $($field => $column, $kind;)* }, |query| query.load::<$Row>($conn)
        );
        let key = |$row: &$Row, field: &str| match field {
            $($field => $key,)*
            _ => postern_core::list::CursorKey::Integer($id),
        };
        let next = asked.cut(&mut rows, key, |$row| $id);
        asked.page(rows, next, Total::counted(counted), counted)
    }};
}

pub(crate) use page_of_rows;

/// The start and the end of a list's time range.
pub type Between = (Option<NaiveDateTime>, Option<NaiveDateTime>);

/// Restricts a boxed query to rows with their time in the range.
pub fn within<Q, C>(mut query: Q, time: C, (from, to): Between) -> Q
where
    C: ExpressionMethods + Expression<SqlType = Timestamp> + Copy,
    Q: FilterDsl<GtEq<C, NaiveDateTime>, Output = Q> + FilterDsl<LtEq<C, NaiveDateTime>, Output = Q>,
{
    if let Some(from) = from {
        query = FilterDsl::filter(query, time.ge(from));
    }
    if let Some(to) = to {
        query = FilterDsl::filter(query, time.le(to));
    }
    query
}

fn of_another_kind() -> AppError {
    AppError::internal("a list's sort key does not match the type of its column")
}

pub fn integer(key: &CursorKey) -> Result<i64, AppError> {
    if let CursorKey::Integer(number) = key { Ok(*number) } else { Err(of_another_kind()) }
}

pub fn text(key: &CursorKey) -> Result<&str, AppError> {
    if let CursorKey::Text(text) = key { Ok(text) } else { Err(of_another_kind()) }
}

pub fn node_state(key: &CursorKey) -> Result<NodeState, AppError> {
    let state = NodeState::from_wire(text(key)?);
    state.ok_or_else(|| FieldErrors::one("After", Rule::ListKey, &[]).into())
}

pub fn time(key: &CursorKey) -> Result<NaiveDateTime, AppError> {
    if let CursorKey::Time(time) = key { Ok(*time) } else { Err(of_another_kind()) }
}

/// One more than the rows that are few.
pub const MORE_THAN_FEW: i64 = 1_001;

/// The numbers of the rows that a search has found, of which it asked for `MORE_THAN_FEW`, if they are few. A search for part of a text may read a whole
/// table: so it is made once, not for the count and again for the page. If it finds many rows, neither reads far.
pub fn few(found: Vec<i64>) -> Option<Vec<i64>> {
    ((found.len() as i64) < MORE_THAN_FEW).then_some(found)
}

/// A `LIKE` pattern that matches a text anywhere, with wildcards escaped by a backslash.
pub fn containing(text: &str) -> String {
    format!("%{}", beginning_with(text))
}

/// A `LIKE` pattern that matches texts that begin like this, with wildcards escaped by a backslash.
pub fn beginning_with(text: &str) -> String {
    format!("{}%", text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"))
}

pub fn unknown_sort(field: &str) -> AppError {
    AppError::with(Code::UnknownListField, json!({ "Field": field }))
}

pub fn too_many_sorts() -> AppError {
    FieldErrors::one("Sort", Rule::TooManySorts, &[("Max", MAX_SORT_FIELDS.to_string())]).into()
}

fn read_time(field: &str, text: &Option<String>) -> Result<Option<NaiveDateTime>, AppError> {
    let Some(text) = text else { return Ok(None) };
    let time = from_wire(text).filter(|time| is_time(*time));
    time.map(Some).ok_or_else(|| FieldErrors::one(field, Rule::Time, &[]).into())
}
