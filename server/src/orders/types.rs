//! Requests and responses of the calls about orders.
use crate::fulfilment::types::OrderView;
use crate::order_rows::types::PaymentView;
use postern_core::money::{Currency, Money};
use postern_core::order::{OrderKind, PaymentMethod};
use postern_core::quote::QuoteRequest;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A quote request with the total that the customer agreed to; if the price has changed, the call is refused with code 4004.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CreateOrder {
    #[serde(flatten)]
    pub request: QuoteRequest,
    /// The specific IPs that the customer picked; the lines are derived from them.
    #[serde(default)]
    #[schema(required = false)]
    pub node_ids: Vec<i64>,
    /// A coupon code; its discount is part of the total.
    #[serde(default)]
    #[schema(required = false)]
    pub coupon: Option<String>,
    pub expected_total: Money,
    /// Pays from the wallet at once. If that fails, no order is created.
    #[serde(default)]
    #[schema(required = false)]
    pub pay_from_wallet: bool,
    /// The group that the IPs join when they are delivered, if it still exists then.
    #[serde(default)]
    #[schema(required = false)]
    pub group_id: Option<i64>,
    /// Whether the IPs renew automatically; as their plan does if absent.
    #[serde(default)]
    #[schema(required = false)]
    pub auto_renew: Option<bool>,
}

/// A quote request with a coupon code.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct QuoteOrder {
    #[serde(flatten)]
    pub request: QuoteRequest,
    #[serde(default)]
    #[schema(required = false)]
    pub coupon: Option<String>,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OrderRef {
    pub order_id: i64,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PayOrder {
    pub order_id: i64,
    /// One of the methods of `Order/GetPaymentMethodList`.
    #[schema(value_type = PaymentMethod)]
    pub payment_method: String,
    /// Pays what the wallet can cover from the wallet, and the rest through the method.
    #[serde(default)]
    #[schema(required = false)]
    pub use_wallet: bool,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PaymentRef {
    pub payment_id: String,
}

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct PaymentMethodFilter {
    /// All methods if absent.
    #[schema(required = false, value_type = Option<OrderKind>)]
    pub kind: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PaymentMethodView {
    pub payment_method: PaymentMethod,
    pub currency: Currency,
    /// The currency that is charged, if it is another one.
    pub charged_currency: Option<Currency>,
    /// How much of it one unit of `Currency` costs, such as `7.125`. What is charged is rounded up to a cent.
    pub rate: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PaymentStarted {
    pub order: OrderView,
    pub payment: PaymentView,
}
