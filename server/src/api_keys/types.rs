//! Requests and responses of the calls about API keys.
use postern_core::api_key::ApiKeyForm;
use postern_core::calls::Scope;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An API key, without its secret.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ApiKeyView {
    pub api_key_id: i64,
    pub name: String,
    /// The first characters of its secret.
    pub prefix: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// Addresses and networks from which it may be used; empty for anywhere.
    pub addresses: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// Whether its expiry has passed: it is refused.
    pub is_expired: bool,
    /// When it was last used, to the minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<String>,
    /// From where it was last used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_address: Option<String>,
    pub created_at: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ApiKeyWithSecret {
    pub api_key: ApiKeyView,
    /// What is sent in the `Token` header. Shown once: only its hash is kept.
    pub secret: String,
}

/// An API key's new properties.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct EditApiKey {
    pub api_key_id: i64,
    #[serde(flatten)]
    pub form: ApiKeyForm,
}

#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ApiKeyRef {
    pub api_key_id: i64,
}

/// The access token of the account centre.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AccessToken {
    pub access_token: String,
}

/// A request without fields.
#[derive(Clone, Copy, Deserialize)]
pub struct Nothing {}
