//! Lists: one page of rows, sorted and filtered by the server.
use crate::error::AppError;
use chrono::NaiveDateTime;
use postern_core::code::Code;
use postern_core::constants::{DEFAULT_PAGE_SIZE, PAGE_SIZES};
use postern_core::time::FORMAT;
use postern_core::validate::FieldErrors;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

/// What every list takes. Times are UTC, `YYYY-MM-DD HH:mm:ss`.
#[derive(Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct ListRequest {
    /// From 1 on.
    #[schema(required = false)]
    pub page: Option<u32>,
    #[schema(required = false)]
    pub page_size: Option<u32>,
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
    pub page: u32,
    pub page_size: u32,
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

    /// The list's filters; one that the list does not have is refused, never ignored.
    pub fn filters<F: Default + serde::de::DeserializeOwned>(&self) -> Result<F, AppError> {
        if self.filter.is_null() {
            return Ok(F::default());
        }
        serde_json::from_value(self.filter.clone())
            .map_err(|error| AppError::with(Code::UnknownListField, json!({ "Field": error.to_string() })))
    }

    pub fn between(&self) -> Result<(Option<NaiveDateTime>, Option<NaiveDateTime>), AppError> {
        Ok((read_time("StartTime", &self.start_time)?, read_time("EndTime", &self.end_time)?))
    }

    pub fn page_of<T>(&self, rows: Vec<T>, total: i64) -> Page<T> {
        Page { rows, total, page: self.page(), page_size: self.page_size() }
    }
}

/// A pattern of `LIKE`, with a backslash as its escape, that finds a text anywhere: what somebody typed stands for itself.
pub fn containing(text: &str) -> String {
    format!("%{}%", text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"))
}

pub fn unknown_sort(field: &str) -> AppError {
    AppError::with(Code::UnknownListField, json!({ "Field": field }))
}

fn read_time(field: &str, text: &Option<String>) -> Result<Option<NaiveDateTime>, AppError> {
    let Some(text) = text else { return Ok(None) };
    let time = NaiveDateTime::parse_from_str(text, FORMAT);
    time.map(Some).map_err(|_| FieldErrors::one(field, "time", &[]).into())
}
