//! Requests and answers about use cases.
use postern_core::use_case::UseCaseForm;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A use case as operators see it.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct UseCaseView {
    /// Its name in files and calls.
    pub target: String,
    pub name_en: String,
    pub name_zh: String,
    /// What programs group use cases by; may be empty.
    pub category: String,
    /// The number of nodes that are good for it, whoever has them.
    pub nodes: i64,
}

/// A new use case, or the changed one.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SaveUseCase {
    /// Whether it is to be added, rather than changed.
    pub is_new: bool,
    #[serde(flatten)]
    pub form: UseCaseForm,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct UseCaseRef {
    pub target: String,
}
