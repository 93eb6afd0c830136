//! Requests and responses of the group `Endpoints`.
use postern_core::endpoint::EndpointSettings;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A proxy server that customers connect to.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ServerView {
    pub server_id: i64,
    pub name: String,
    pub host: String,
    pub http_port: u16,
    pub socks5_port: Option<u16>,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SavePreset {
    /// A preset with this name is replaced.
    pub name: String,
    pub settings: EndpointSettings,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PresetRef {
    pub preset_id: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PresetView {
    pub preset_id: i64,
    pub name: String,
    pub settings: EndpointSettings,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CreateUrl {
    pub name: String,
    /// The proxy user whose credentials the endpoints contain.
    pub proxy_user_id: i64,
    pub settings: EndpointSettings,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct TestEndpoint {
    /// The proxy user whose credentials are used, also with `UseWhitelist`.
    pub proxy_user_id: i64,
    /// Which server, protocol, place and kind of session; the format does not matter.
    pub settings: EndpointSettings,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct UrlRef {
    pub url_id: i64,
}

/// A new list URL.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NewUrl {
    pub url_id: i64,
    /// Shown only here. Anyone with this URL can read the list, including the password.
    pub url: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct UrlView {
    pub url_id: i64,
    pub name: String,
    pub proxy_user_id: i64,
    pub proxy_user_name: String,
    pub settings: EndpointSettings,
    pub created_at: String,
    pub last_used_at: Option<String>,
    /// The client address of the last use.
    pub last_address: Option<String>,
    pub uses: i64,
}
