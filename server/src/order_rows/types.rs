//! What calls tell of the rows of orders and payments.
use postern_core::money::{Currency, Money};
use postern_core::order::{PaymentMethod, PaymentState};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An IP that replaced another in a switch.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ReplacementView {
    pub old_ip: String,
    pub new_ip: String,
    pub at: String,
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
    /// What was credited for it, if that is another amount.
    #[serde(default)]
    pub credited: Option<Money>,
    /// Whether it is an automatic top-up, charged to a saved card.
    #[serde(default)]
    pub is_automatic: bool,
    /// What is charged, if that is another currency; `Rate` is what one unit of `Currency` costs in it, fixed when the payment began.
    #[serde(default)]
    pub charged_amount: Option<Money>,
    #[serde(default)]
    pub charged_currency: Option<Currency>,
    /// Such as `7.125`.
    #[serde(default)]
    pub rate: Option<String>,
    /// The page on which the customer pays, while the payment is pending.
    pub pay_url: Option<String>,
}
