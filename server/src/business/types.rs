//! Requests and answers about the seller's business.
use postern_core::business::{BusinessRange, OperatorTask, SetupStep};
use postern_core::money::{Currency, Money};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct BusinessRequest {
    /// Which days or months.
    pub range: BusinessRange,
}

/// The figures of a range of whole days or months, what they are compared with, and its points.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct BusinessView {
    pub range: BusinessRange,
    pub currency: Currency,
    /// The whole days or months of the range.
    pub now: BusinessFigures,
    /// As many before.
    pub before: BusinessFigures,
    /// From `Before` to `Now`.
    pub changes: BusinessChanges,
    /// The present day, so far, in UTC.
    pub today: BusinessFigures,
    /// Days or months, oldest first. The last one is the present one, so far.
    pub points: Vec<BusinessPoint>,
    /// What was sold in the range, by product, most revenue first.
    pub products: Vec<ProductSales>,
    /// Nodes of the shop, without retired ones.
    pub nodes: i64,
    /// How many of them can be bought.
    pub nodes_for_sale: i64,
    /// Accounts with something in use at the last midnight (UTC); null until they have been counted.
    pub customers: Option<i64>,
}

/// What happened in a time.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct BusinessFigures {
    /// Orders that were paid, without top-ups.
    pub orders: i64,
    /// What was paid for them.
    pub revenue: Money,
    /// What was refunded, of orders of any time.
    pub refunded: Money,
    /// Accounts of customers that were opened.
    pub new_accounts: i64,
    /// Bytes that proxy servers carried, both ways.
    pub traffic_bytes: i64,
    /// Accounts whose last proxy or traffic ended; null if that was not counted.
    pub customers_left: Option<i64>,
    /// `CustomersLeft` as a share of the customers at the beginning, in hundredths of a percent; null if that was not counted.
    pub churn_basis_points: Option<i64>,
}

/// Changes in hundredths of a percent; null where there is nothing to compare with.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct BusinessChanges {
    /// Orders that were paid.
    pub orders_basis_points: Option<i64>,
    /// What was paid for them.
    pub revenue_basis_points: Option<i64>,
    /// What was refunded.
    pub refunded_basis_points: Option<i64>,
    /// New accounts of customers.
    pub new_accounts_basis_points: Option<i64>,
    /// Bytes that were carried.
    pub traffic_basis_points: Option<i64>,
    /// Customers who left.
    pub customers_left_basis_points: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct BusinessPoint {
    /// Its first day, `YYYY-MM-DD` in UTC.
    pub day: String,
    /// Whether it is not over.
    pub is_partial: bool,
    pub figures: BusinessFigures,
    /// Accounts with something in use at its end; null if that was not counted.
    pub customers: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ProductSales {
    /// The product; null for orders of several products.
    pub ver_str: Option<String>,
    /// Orders that were paid.
    pub orders: i64,
    /// What was paid for them.
    pub revenue: Money,
}

/// Something that waits for an operator.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct TaskView {
    /// What waits.
    pub task: OperatorTask,
    /// How many of them there are.
    pub count: i64,
}

/// A step that opens a shop.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SetupStepView {
    /// Which step.
    pub step: SetupStep,
    /// Whether nothing is left to do.
    pub is_done: bool,
}
