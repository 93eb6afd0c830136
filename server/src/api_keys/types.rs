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
    /// The scopes: which calls it may make.
    pub scopes: Vec<Scope>,
    /// The addresses and networks it may be used from; empty for any.
    pub addresses: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// Whether it has expired and is refused.
    pub is_expired: bool,
    /// When it was last used, to the minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<String>,
    /// The client address of its last use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_used_address: Option<String>,
    pub created_at: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ApiKeyWithSecret {
    pub api_key: ApiKeyView,
    /// The value for the `Token` header. Shown once: only its hash is stored.
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

/// The access token of the account centre, if the account has one that the shop shows.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RevealedToken {
    pub access_token: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct TokenRevoked {
    /// Whether there was an access token to revoke.
    pub revoked: bool,
}

/// A request without fields.
#[derive(Clone, Copy, Deserialize)]
pub struct Nothing {}
