//! Requests and responses of the calls about prices.
use postern_core::price_forms::{PriceForm, Prices};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct PricesAt {
    /// A time in UTC, for the prices from then on; empty for those of today.
    #[schema(required = false)]
    pub at: String,
}

/// The shop's prices at a time, and the changes that are planned.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PriceList {
    pub at: String,
    pub prices: Prices,
    /// All planned changes, the next one first.
    pub planned: Vec<PlannedPrice>,
}

/// A change of a price that counts from a later time.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PlannedPrice {
    /// The planned change.
    pub plan_id: i64,
    pub form: PriceForm,
    /// From when it counts, in UTC.
    pub valid_from: String,
    /// The e-mail address of the operator who planned it.
    pub operator: String,
    /// Whether it can be made as things stand: not if, for example, another change removes its period before.
    pub is_possible: bool,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ChangePrice {
    #[serde(flatten)]
    pub form: PriceForm,
    /// From when it counts, in UTC; empty for now.
    #[serde(default)]
    #[schema(required = false)]
    pub valid_from: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PlannedPriceRef {
    /// The planned change.
    pub plan_id: i64,
}
