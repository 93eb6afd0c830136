//! Requests and responses of the calls about passwords, two-factor authentication, sessions and the security log.
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Two-factor authentication of the signed-in user.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct TwoFactorStatus {
    pub is_on: bool,
    /// When it was turned on, in UTC.
    pub turned_on_at: Option<String>,
    /// The number of unused recovery codes.
    pub recovery_codes_left: i64,
    /// Until when this session needs no further code for calls that ask for confirmation, in UTC.
    pub confirmed_until: Option<String>,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct BeginTwoFactor {
    /// The user's password.
    pub password: String,
}

/// A new secret, for an authenticator app. It is shown only here.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct TwoFactorBegun {
    /// In base32, to type into an app.
    pub secret: String,
    /// The `otpauth` address, to show as a QR code.
    pub uri: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct EnteredCode {
    /// Six digits of the authenticator app, or a recovery code.
    pub code: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct TurnOffTwoFactor {
    /// The user's password.
    pub password: String,
    /// Six digits of the authenticator app, or a recovery code.
    pub code: String,
}

/// Recovery codes, each for one sign-in without the app. They are shown only here.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RecoveryCodes {
    /// Ten codes, such as `K7QXR-2MNBD`.
    pub recovery_codes: Vec<String>,
}

#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Confirmed {
    /// Until when this session needs no further code for calls that ask for confirmation, in UTC.
    pub confirmed_until: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ChangePassword {
    /// The user's current password.
    pub current_password: String,
    /// The new password. The rules of sign-up apply, and it must differ from the current one.
    pub new_password: String,
    /// The `DeviceId` that an earlier sign-in on this device returned. All other devices are removed.
    #[serde(default)]
    pub device_id: String,
}

/// An active session.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Session {
    /// The id of the session.
    pub session_id: i64,
    /// The program and operating system from the user agent, such as `Chrome on Windows`; empty if unknown.
    pub device: String,
    /// The IP address of the sign-in.
    pub address: String,
    /// The location of that address, such as `Berlin, Germany`; empty if unknown.
    pub place: String,
    /// When it began, in UTC.
    pub created_at: String,
    /// When it was last used, in UTC, to the minute.
    pub last_used_at: String,
    /// When it ends, in UTC.
    pub expires_at: String,
    /// Whether it is the session of this call.
    pub is_current: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SessionList {
    /// The current session first, then by last use.
    pub sessions: Vec<Session>,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RevokeSession {
    /// The id of the session, as returned by `User/GetSessionList`.
    pub session_id: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SessionsRevoked {
    /// The number of sessions that ended.
    pub revoked: usize,
}

/// A response without further data.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Done {
    /// Always true.
    pub done: bool,
}
