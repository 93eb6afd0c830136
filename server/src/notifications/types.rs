//! Requests and responses of the group `Notifications`.
use postern_core::event::EventKind;
use postern_core::notification::NotificationChoice;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// An event as a user reads it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct NotificationView {
    /// The id of the event, which a webhook has as well.
    pub notification_id: i64,
    /// What happened.
    pub kind: EventKind,
    /// The fields of this kind, as a webhook has them in `data`. Amounts are decimal strings, times are UTC.
    #[schema(value_type = std::collections::HashMap<String, Value>)]
    pub data: Value,
    pub created_at: String,
    /// Whether this user has read it.
    pub is_read: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Unread {
    /// How many notifications are unread.
    pub unread: i64,
    /// Whether there are more than `Unread`, which counts up to 99.
    pub has_more: bool,
}

#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct MarkRead {
    /// These alone; those of other accounts are left out.
    #[schema(required = false)]
    pub notification_ids: Vec<i64>,
    /// This one and all before it.
    #[schema(required = false)]
    pub up_to: Option<i64>,
}

/// What a user chose about notifications.
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
    /// Whether `ByMail` can be chosen: not where there is no mail, nor for security, which is always mailed.
    pub can_choose_mail: bool,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SetNotificationSettings {
    /// The kinds to change. Others stay as they are.
    pub settings: Vec<NotificationChoice>,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Unsubscribe {
    /// From the link in a mail.
    pub token: String,
    /// Only tells what the link ends.
    #[serde(default)]
    #[schema(required = false)]
    pub dry_run: bool,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Unsubscribed {
    /// The kind of events that the mails are about.
    pub kind: EventKind,
    /// The reader's address, masked.
    pub email: String,
    /// Whether such mails are still sent.
    pub by_mail: bool,
}
