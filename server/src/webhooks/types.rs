//! Requests and responses of the group `Webhooks`.
use crate::outbound::send::Header;
use postern_core::event::EventKind;
use postern_core::webhook::WebhookForm;
use postern_core::webhook_delivery::{DeliveryProblem, DeliveryState, WebhookState};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The webhooks of an account, and the limits that the form needs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct WebhookList {
    /// Oldest first.
    pub webhooks: Vec<WebhookView>,
    /// The maximum number of webhooks per account.
    pub max_webhooks: u32,
    /// Hosts that may be called without TLS and outside the public internet. Empty in production.
    pub test_hosts: Vec<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct WebhookView {
    pub webhook_id: i64,
    /// The URL of the endpoint.
    pub url: String,
    /// The owner's description of it.
    pub description: String,
    /// The events it receives; absent for all.
    pub events: Option<Vec<EventKind>>,
    pub state: WebhookState,
    /// Whether it receives the events of all accounts.
    pub is_of_shop: bool,
    pub created_at: String,
    /// When the first attempt since the last success failed.
    pub failing_since: Option<String>,
    /// Until when requests are also signed with the previous secret.
    pub old_secret_until: Option<String>,
    pub last_attempt_at: Option<String>,
    /// The HTTP status of the last attempt, if there was a response.
    pub last_status: Option<i32>,
    /// Why the last attempt failed; absent for success.
    pub last_problem: Option<DeliveryProblem>,
    /// The number of recent attempts, up to 100.
    pub recent_attempts: usize,
    /// The number of these that failed.
    pub recent_failures: usize,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct WebhookRef {
    pub webhook_id: i64,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AddWebhook {
    /// Whether it receives the events of all accounts, for the seller's own systems. For operators.
    #[serde(default)]
    #[schema(required = false)]
    pub is_of_shop: bool,
    #[serde(flatten)]
    pub form: WebhookForm,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct EditWebhook {
    pub webhook_id: i64,
    #[serde(flatten)]
    pub form: WebhookForm,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct EnableWebhook {
    pub webhook_id: i64,
    pub is_enabled: bool,
}

/// A secret, shown once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct WebhookSecret {
    pub webhook_id: i64,
    /// `whsec_` and the key in base64. Returned only here.
    pub secret: String,
    /// After a rotation: until when requests are also signed with the previous secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub old_secret_until: Option<String>,
}

#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct DeliveryRef {
    pub delivery_id: i64,
}

/// The filters of the list of deliveries.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct DeliveryFilter {
    pub webhook_id: Option<i64>,
    pub state: Option<DeliveryState>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct DeliveryView {
    pub delivery_id: i64,
    pub webhook_id: i64,
    /// The `webhook-id` of its requests.
    pub message_id: String,
    pub kind: EventKind,
    pub state: DeliveryState,
    /// The number of attempts made.
    pub attempts: i32,
    pub created_at: String,
    pub last_attempt_at: Option<String>,
    pub next_attempt_at: Option<String>,
    /// The HTTP status of the last attempt, if there was a response.
    pub status: Option<i32>,
    /// Why the last attempt failed; absent for success.
    pub problem: Option<DeliveryProblem>,
    pub duration_ms: Option<i32>,
}

/// A delivery with its requests and responses.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct DeliveryDetail {
    pub delivery: DeliveryView,
    /// The current URL of the endpoint.
    pub url: String,
    /// Whether its webhook receives the events of all accounts.
    pub is_of_shop: bool,
    /// The body of its requests.
    pub body: String,
    /// The latest attempts, newest first.
    pub attempts: Vec<AttemptView>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AttemptView {
    pub attempted_at: String,
    pub duration_ms: i32,
    /// The HTTP status of the response, if there was one.
    pub status: Option<i32>,
    /// Why it failed; absent for success.
    pub problem: Option<DeliveryProblem>,
    pub request_headers: Vec<Header>,
    pub answer_headers: Vec<Header>,
    /// The start of the response body.
    pub answer: String,
}
