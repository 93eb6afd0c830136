//! Requests and responses of the calls about orders.
use crate::invoices::types::InvoiceView;
use crate::refunds::types::RefundView;
use postern_core::money::{Currency, Money};
use postern_core::order::{OrderKind, OrderMilestone, OrderState, PaymentMethod, PaymentState};
use postern_core::quote::{Discount, QuoteRequest};
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

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct OrderFilter {
    #[schema(required = false)]
    pub state: Option<OrderState>,
    #[schema(required = false)]
    pub kind: Option<OrderKind>,
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

/// An IP that replaced another in a switch.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ReplacementView {
    pub old_ip: String,
    pub new_ip: String,
    pub at: String,
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

#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OrderLineView {
    pub ver_str: String,
    pub label_en: String,
    pub label_zh: String,
    /// Absent on the lines of a renewal.
    pub country: Option<String>,
    pub country_name_en: Option<String>,
    pub country_name_zh: Option<String>,
    pub city: Option<String>,
    pub city_name_en: Option<String>,
    pub city_name_zh: Option<String>,
    pub quantity: i32,
    pub unit_price: Money,
    pub amount: Money,
}

/// The limits on IPs in unpaid orders.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct HoldLimitView {
    /// The maximum number of IPs in all unpaid orders together.
    pub max_ips: u32,
    /// The number of IPs in unpaid orders now.
    pub held_ips: u32,
    /// The maximum number of unpaid orders at once.
    pub max_orders: i32,
    /// The next higher limit; absent if the account has the highest.
    pub next_max_ips: Option<u32>,
    /// The additional amount, in the wallet or in paid orders, that raises the limit to `NextMaxIps`.
    pub missing: Option<Money>,
    pub currency: Currency,
}

/// A payment: one attempt to pay an order.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PaymentView {
    pub payment_id: String,
    pub order_id: i64,
    pub payment_method: PaymentMethod,
    pub state: PaymentState,
    pub amount: Money,
    pub currency: Currency,
    pub created_at: String,
    /// Whether it is an automatic top-up, charged to a saved card.
    #[serde(default)]
    pub is_automatic: bool,
    /// The page on which the customer pays, while the payment is pending.
    pub pay_url: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PaymentStarted {
    pub order: OrderView,
    pub payment: PaymentView,
}
