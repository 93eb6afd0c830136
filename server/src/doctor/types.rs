//! The answer of the call that examines a shop.
use crate::doctor::finding::Finding;
use serde::Serialize;
use utoipa::ToSchema;

/// How a shop is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ShopExamined {
    pub examined_at: String,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
    /// What was found, good and bad, in the order of `postern doctor`.
    pub findings: Vec<Finding>,
}
