//! Requests and responses of the calls about users.
use crate::legal::types::LegalTextRef;
use postern_core::account::AccountState;
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::permission::Level;
use postern_core::staff::StaffRole;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SignUp {
    pub email: String,
    pub password: String,
    #[serde(default)]
    pub invite_code: String,
    /// The language of mails; any other text is English.
    #[serde(default)]
    #[schema(value_type = Language)]
    pub language: String,
    /// An IANA time zone, such as `Asia/Shanghai`.
    #[serde(default)]
    pub time_zone: String,
    /// The marketing parameters of the visit, such as `utm_source`.
    #[serde(default)]
    pub marketing: BTreeMap<String, String>,
    /// The versions of the seller's legal texts that the visitor accepts: all that `SystemSettings/GetPublicConfig` lists.
    #[serde(default)]
    pub accepted_texts: Vec<i64>,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Login {
    pub email: String,
    pub password: String,
    /// With two-factor authentication: six digits of the authenticator app, or a recovery code.
    #[serde(default)]
    pub code: String,
    /// The `DeviceId` that an earlier sign-in on this device returned. Known devices have a rate limit of their own.
    #[serde(default)]
    pub device_id: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct VerifyEmail {
    pub verify_token: String,
    /// The password that was entered at the sign-up.
    pub password: String,
    /// The `DeviceId` that an earlier sign-in on this device returned. Known devices have a rate limit of their own.
    #[serde(default)]
    pub device_id: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct RequestPasswordReset {
    pub email: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ResetPassword {
    pub reset_token: String,
    pub password: String,
    /// Whether API keys, the access token and list URLs end too, and webhooks are paused.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub end_keys: bool,
    /// The `DeviceId` that an earlier sign-in on this device returned. Known devices have a rate limit of their own.
    #[serde(default)]
    pub device_id: String,
}

fn yes() -> bool {
    true
}

/// A mail is sent if the address can receive it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Sent {
    pub sent: bool,
}

/// A new session. Send the token in the `Token` header of every further call.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SessionStarted {
    pub token: String,
    /// The id of this device, to send with its next sign-in.
    pub device_id: String,
    pub user: UserInfo,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SignedOut {
    pub signed_out: bool,
}

#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct UserInfo {
    pub user_id: i64,
    pub email: String,
    pub level: Level,
    /// The wholesale discount in force, in hundredths of a percent: `ResellerBasisPoints` of `Terms`. 0 for everyone but resellers.
    pub reseller_basis_points: u32,
    pub state: AccountState,
    pub language: Language,
    pub time_zone: String,
    /// Whether an operator looks at the shop as this user: the session only reads.
    pub is_view: bool,
    /// What an operator's account may do; null for customers.
    pub role: Option<StaffRole>,
    /// The seller's current legal texts that a customer has not accepted yet.
    pub texts_to_accept: Vec<LegalTextRef>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Wallet {
    pub wallet_balance: Money,
    pub total_expenses: Money,
    /// What is owed, because a payment was taken back and the balance did not cover it. What comes in pays it first, and nothing can be bought until then.
    pub owed: Money,
    /// Whether the proxies do not work until that is paid.
    pub are_proxies_paused: bool,
    pub currency: Currency,
}

/// The account centre. Operators set the two flags; hidden values are not sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Center {
    pub user_id: i64,
    pub show_invitation_code: bool,
    pub invitation_code: Option<String>,
    pub show_access_token: bool,
    /// Whether the account has an access token that the shop shows.
    pub has_access_token: bool,
    /// Only in a session that may make calls that require confirmation; otherwise `User/RevealAccessToken` returns it.
    pub access_token: Option<String>,
    /// When the account's picture was last changed; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar_changed_at: Option<String>,
    pub company_name: String,
    pub first_name: String,
    pub last_name: String,
    pub display_name: String,
    pub address: String,
    pub city: String,
    pub country: String,
    pub postal_code: String,
}

/// The form of an upload.
#[derive(ToSchema)]
pub struct UploadAvatar {
    /// A PNG, JPEG or WebP picture of at most 2 MB and 4096 pixels in width and height.
    #[schema(value_type = String, format = Binary)]
    pub file: Vec<u8>,
}

/// The account's picture.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AvatarState {
    /// When the account's picture was last changed; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar_changed_at: Option<String>,
}
