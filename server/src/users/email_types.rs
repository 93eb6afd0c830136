//! Requests and responses of the calls about changing the e-mail address.
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RequestEmailChange {
    /// The new address.
    pub email: String,
    /// The user's password.
    pub password: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ConfirmEmailChange {
    /// The token from the link to the new address.
    pub token: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct StopEmailChange {
    /// The token from the link to the old address.
    pub token: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct EmailChanged {
    /// The address that the user signs in with from now on.
    pub email: String,
}
