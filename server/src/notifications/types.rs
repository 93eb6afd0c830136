//! Requests and responses of the group `Notifications`.
use postern_core::event::EventKind;
use postern_core::notification::NotificationChoice;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// An event, as shown to a user.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NotificationView {
    /// The id of the event, the same as in webhooks.
    pub notification_id: i64,
    /// The kind of event.
    pub kind: EventKind,
    /// The fields of this kind, as in `data` of a webhook. Amounts are decimal strings, times are UTC.
    #[schema(value_type = std::collections::HashMap<String, Value>)]
    pub data: Value,
    pub created_at: String,
    /// Whether this user has read it.
    pub is_read: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Unread {
    /// The number of unread notifications.
    pub unread: i64,
    /// Whether there are more than `Unread`, which is at most 99.
    pub has_more: bool,
}

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct MarkRead {
    /// Marks only these; ids of other accounts are ignored.
    #[schema(required = false)]
    pub notification_ids: Vec<i64>,
    /// Marks this notification and all before it.
    #[schema(required = false)]
    pub up_to: Option<i64>,
}

/// A user's notification settings.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NotificationSettings {
    /// One for each kind of event.
    pub settings: Vec<NotificationSetting>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NotificationSetting {
    #[serde(flatten)]
    pub choice: NotificationChoice,
    /// Whether `ByMail` can be changed: false for kinds without mails, and for security events, which are always mailed.
    pub can_choose_mail: bool,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SetNotificationSettings {
    /// The kinds to change; others stay unchanged.
    pub settings: Vec<NotificationChoice>,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Unsubscribe {
    /// The token from the link in a mail.
    pub token: String,
    /// Only returns what the link unsubscribes from; changes nothing.
    #[serde(default)]
    #[schema(required = false)]
    pub dry_run: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Unsubscribed {
    /// The kind of event that the mails are about.
    pub kind: EventKind,
    /// The recipient's address, masked.
    pub email: String,
    /// Whether these mails are still sent.
    pub by_mail: bool,
}
