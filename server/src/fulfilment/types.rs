//! An order as its customer sees it.
use crate::invoices::types::InvoiceView;
use crate::order_rows::types::{OrderLineView, PaymentView, ReplacementView};
use crate::refunds::types::RefundView;
use postern_core::money::{Currency, Money};
use postern_core::order::{OrderKind, OrderMilestone, OrderState};
use postern_core::quote::Discount;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct OrderFilter {
    #[schema(required = false)]
    pub state: Option<OrderState>,
    #[schema(required = false)]
    pub kind: Option<OrderKind>,
    /// Only orders of this account, for operators.
    #[schema(required = false)]
    pub account_id: Option<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OrderView {
    pub order_id: i64,
    pub order_number: String,
    pub kind: OrderKind,
    pub state: OrderState,
    pub currency: Currency,
    pub ver_str: Option<String>,
    pub period_days: Option<i32>,
    pub lines: Vec<OrderLineView>,
    pub quantity: i32,
    pub subtotal: Money,
    pub discounts: Vec<Discount>,
    /// The coupon code of the order.
    pub coupon: Option<String>,
    pub discount_total: Money,
    pub total: Money,
    /// The amount refunded so far.
    pub refunded: Money,
    pub created_at: String,
    pub expires_at: String,
    pub paid_at: Option<String>,
    /// Seconds until the hold expires; 0 if it has expired or the order is no longer unpaid.
    pub seconds_left: i64,
    pub can_pay: bool,
    pub can_cancel: bool,
    pub payments: Vec<PaymentView>,
    pub refunds: Vec<RefundView>,
    /// The invoice and the credit notes, in order of issue.
    pub invoices: Vec<InvoiceView>,
    pub timeline: Vec<OrderMoment>,
    /// The IPs of a paid order, up to 200 of them. Returned by `Order/GetOrder` only.
    pub nodes: Vec<OrderNodeView>,
    /// What replaced what since the order, or with it, oldest first. Returned by `Order/GetOrder` only.
    pub replacements: Vec<ReplacementView>,
}

/// An IP of an order, and the period that was bought for it.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OrderNodeView {
    pub node_id: i64,
    /// The current address: that of the last replacement, if it was switched.
    pub ip: String,
    pub country: String,
    pub city: String,
    pub starts_at: String,
    pub ends_at: String,
    /// Whether the account still has it through this order.
    pub is_owned: bool,
}

/// An event of an order.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OrderMoment {
    pub event: OrderMilestone,
    pub at: String,
    /// The amount paid or refunded.
    pub amount: Option<Money>,
}
