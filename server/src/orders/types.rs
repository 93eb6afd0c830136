//! What the calls about orders take and give.
use crate::invoices::types::InvoiceView;
use crate::refunds::types::RefundView;
use postern_core::money::{Currency, Money};
use postern_core::order::{OrderKind, OrderMilestone, OrderState, PaymentMethod, PaymentState};
use postern_core::quote::{Discount, QuoteRequest};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A quote's request, and the total that the customer agreed to: another one is refused with code 4004.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CreateOrder {
    #[serde(flatten)]
    pub request: QuoteRequest,
    /// The very IPs that the customer picked; the lines are then made of them.
    #[serde(default)]
    #[schema(required = false)]
    pub node_ids: Vec<i64>,
    /// A coupon's code; what it takes off is part of the total.
    #[serde(default)]
    #[schema(required = false)]
    pub coupon: Option<String>,
    #[schema(value_type = String)]
    pub expected_total: Money,
    /// Pays for it from the wallet at once: it is bought, or nothing has happened.
    #[serde(default)]
    #[schema(required = false)]
    pub pay_from_wallet: bool,
}

/// A quote's request, with the code of a coupon.
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
    /// One of `Order/GetPaymentMethodList`.
    #[schema(value_type = PaymentMethod)]
    pub payment_method: String,
    /// The wallet pays what it has, the method the rest.
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
    /// All methods when absent.
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
    #[schema(value_type = String)]
    pub subtotal: Money,
    pub discounts: Vec<Discount>,
    /// The code of the coupon that it was ordered with.
    pub coupon: Option<String>,
    #[schema(value_type = String)]
    pub discount_total: Money,
    #[schema(value_type = String)]
    pub total: Money,
    /// What was given back of it.
    #[schema(value_type = String)]
    pub refunded: Money,
    pub created_at: String,
    pub expires_at: String,
    pub paid_at: Option<String>,
    /// Until the hold ends; 0 when it is over or the order no longer waits.
    pub seconds_left: i64,
    pub can_pay: bool,
    pub can_cancel: bool,
    pub payments: Vec<PaymentView>,
    pub refunds: Vec<RefundView>,
    /// Its invoice and its credit notes, in the order in which they were issued.
    pub invoices: Vec<InvoiceView>,
    pub timeline: Vec<OrderMoment>,
    /// The IPs that it was for, up to 200 of them, once it is paid: `Order/GetOrder` alone answers them.
    pub nodes: Vec<OrderNodeView>,
}

/// An IP that an order was for, and the time that was bought of it.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OrderNodeView {
    pub node_id: i64,
    pub ip: String,
    pub country: String,
    pub city: String,
    pub starts_at: String,
    pub ends_at: String,
}

/// Something that happened to an order.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OrderMoment {
    pub event: OrderMilestone,
    pub at: String,
    /// What was paid or given back.
    #[schema(value_type = Option<String>)]
    pub amount: Option<Money>,
}

#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OrderLineView {
    pub ver_str: String,
    pub label_en: String,
    pub label_zh: String,
    /// A renewal's line is of no place.
    pub country: Option<String>,
    pub country_name_en: Option<String>,
    pub country_name_zh: Option<String>,
    pub city: Option<String>,
    pub city_name_en: Option<String>,
    pub city_name_zh: Option<String>,
    pub quantity: i32,
    #[schema(value_type = String)]
    pub unit_price: Money,
    #[schema(value_type = String)]
    pub amount: Money,
}

/// How many IPs an account may hold in unpaid orders.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct HoldLimitView {
    /// In all its unpaid orders together.
    pub max_ips: u32,
    /// So many they hold now.
    pub held_ips: u32,
    /// So many unpaid orders it may have at once.
    pub max_orders: i32,
    /// What comes next; absent when it may hold as many as anybody.
    pub next_max_ips: Option<u32>,
    /// So much more in the wallet, or in paid orders, lets it hold `NextMaxIps`.
    #[schema(value_type = Option<String>)]
    pub missing: Option<Money>,
    pub currency: Currency,
}

/// One attempt to pay.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PaymentView {
    pub payment_id: String,
    pub order_id: i64,
    pub payment_method: PaymentMethod,
    pub state: PaymentState,
    #[schema(value_type = String)]
    pub amount: Money,
    pub currency: Currency,
    pub created_at: String,
    /// Charged to a remembered card because the balance was low.
    #[serde(default)]
    pub is_automatic: bool,
    /// Where the customer pays, while the payment is pending.
    pub pay_url: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PaymentStarted {
    pub order: OrderView,
    pub payment: PaymentView,
}
