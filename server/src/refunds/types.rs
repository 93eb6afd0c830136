//! Requests and responses of the calls about refunds.
use crate::returns::source_rows::SourceRefund;
use postern_core::money::{Currency, Money};
use postern_core::order::PaymentMethod;
use postern_core::refund::RefundedNodeFate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A refund request. Without an amount it refunds the unused time of the order's nodes, which end, or its unused traffic, which is taken back.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct RefundOrder {
    pub order_number: String,
    /// As typed, such as `5` or `5.00`. Nodes and traffic are kept unless this is everything that is left of the order.
    #[schema(required = false)]
    pub amount: Option<String>,
    /// For unused time: the nodes of the order to end; all if empty.
    #[schema(required = false)]
    pub node_ids: Vec<i64>,
    /// Whether the money goes back to where it came from, and not to the wallet. A top-up can only be refunded like this, by an amount that is in the
    /// wallet.
    #[schema(required = false)]
    pub to_source: bool,
    /// The reason, shown to the customer and on the credit note.
    pub reason: String,
}

/// A refund, or its preview.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RefundPreview {
    pub order_number: String,
    pub currency: Currency,
    pub paid: Money,
    /// The amount refunded before.
    pub refunded: Money,
    /// The amount refunded now.
    pub amount: Money,
    /// The amount still refundable afterwards.
    pub left_after: Money,
    /// Whether the order becomes `refunded`.
    pub is_whole: bool,
    pub nodes: Vec<RefundNode>,
    /// The order's traffic, for an order of traffic.
    pub traffic: Option<RefundTraffic>,
    /// The number of the credit note; absent in a preview, and for a top-up, which has no invoice.
    pub credit_note: Option<String>,
    /// Where the money came from; absent if nothing can go back there.
    pub source: Option<RefundSource>,
}

/// Where the money of an order came from.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RefundSource {
    pub gateway: PaymentMethod,
    /// Whether an operator has to send the money by hand, and record the outcome with `Operator/SettleRefund`.
    pub is_by_hand: bool,
    /// Whether the customer has to say where the money goes, on a page of the gateway's.
    pub must_be_claimed: bool,
    /// The most that can go back there.
    pub left: Money,
    /// What the refund is in the currency that the gateway charged; absent if it is more than can go back there.
    pub charged: Option<Money>,
    pub charged_currency: Option<Currency>,
}

/// The traffic of the order.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RefundTraffic {
    pub bought_bytes: u64,
    pub used_bytes: u64,
    /// Bytes taken back by earlier refunds.
    pub returned_before_bytes: u64,
    /// Bytes taken back now: all unused bytes that have not expired; none if an amount is refunded and the order is not refunded in full.
    pub returned_bytes: u64,
    /// Its expiry; absent for traffic without expiry.
    pub ends_at: Option<String>,
}

/// A node of the order.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RefundNode {
    pub node_id: i64,
    pub ip: String,
    pub country: String,
    pub city: String,
    pub paid: Money,
    pub unused_seconds: u32,
    pub amount: Money,
    /// What happens to the node; it works until `EndsAt`.
    pub becomes: RefundedNodeFate,
    pub ends_at: Option<String>,
}

/// A refund of an order, or of a top-up, as shown to its customer.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RefundView {
    pub amount: Money,
    /// Empty if the shop refunded an undelivered part automatically.
    pub reason: String,
    /// A refund of a top-up has none.
    pub credit_note: Option<String>,
    pub created_at: String,
    /// How the money went back to where it came from; absent if it went to the wallet.
    pub source: Option<SourceRefund>,
}
