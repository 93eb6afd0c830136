//! Requests and responses of the group `Webhooks`.
use postern_core::event::EventKind;
use postern_core::webhook::WebhookForm;
use postern_core::webhook_delivery::{DeliveryProblem, DeliveryState, WebhookState};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The webhooks of an account, and what a form about them needs to know.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct WebhookList {
    /// The oldest first.
    pub webhooks: Vec<WebhookView>,
    /// How many an account may have.
    pub max_webhooks: u32,
    /// Hosts that may be called although they are not on the public internet, and without TLS. Empty in production.
    pub test_hosts: Vec<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct WebhookView {
    pub webhook_id: i64,
    /// The address of the endpoint.
    pub url: String,
    /// What it is for, as its owner calls it.
    pub description: String,
    /// Absent for all events.
    pub events: Option<Vec<EventKind>>,
    pub state: WebhookState,
    pub created_at: String,
    /// The first failed attempt since the last success.
    pub failing_since: Option<String>,
    /// Until then the secret before the last rotation signs too.
    pub old_secret_until: Option<String>,
    pub last_attempt_at: Option<String>,
    /// The HTTP status of the last attempt, if there was an answer.
    pub last_status: Option<i32>,
    /// Why the last attempt failed; absent for success.
    pub last_problem: Option<DeliveryProblem>,
    /// Of the latest attempts, up to 100.
    pub recent_attempts: usize,
    /// So many of these failed.
    pub recent_failures: usize,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct WebhookRef {
    pub webhook_id: i64,
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
    /// `whsec_` and the key in base64. Shown only here.
    pub secret: String,
    /// Until then the secret before signs too, after a rotation.
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
    /// How many requests were made.
    pub attempts: i32,
    pub created_at: String,
    pub last_attempt_at: Option<String>,
    pub next_attempt_at: Option<String>,
    /// The HTTP status of the last attempt, if there was an answer.
    pub status: Option<i32>,
    /// Why the last attempt failed; absent for success.
    pub problem: Option<DeliveryProblem>,
    pub duration_ms: Option<i32>,
}

/// A delivery with what was sent and answered.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct DeliveryDetail {
    pub delivery: DeliveryView,
    /// The address of the endpoint, as it is now.
    pub url: String,
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
    /// The HTTP status of the answer, if there was one.
    pub status: Option<i32>,
    /// Why it failed; absent for success.
    pub problem: Option<DeliveryProblem>,
    pub request_headers: Vec<Header>,
    pub answer_headers: Vec<Header>,
    /// The beginning of the answer's body.
    pub answer: String,
}

/// A header of a request or of an answer.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Header {
    pub name: String,
    /// Its value, cut short if it is long.
    pub value: String,
}
