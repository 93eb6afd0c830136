//! Requests and answers about announcements.
use postern_core::announcement::{AnnouncementForm, AnnouncementState, AnnouncementTone};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An announcement as customers see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ShownAnnouncement {
    /// The id of the announcement.
    pub announcement_id: i64,
    pub tone: AnnouncementTone,
    /// Empty if readers of English do not see it.
    pub text_en: String,
    /// Empty if readers of Chinese do not see it.
    pub text_zh: String,
    /// A path of this site or an address, where to read more; may be empty.
    pub link: String,
    /// When it was saved last: one that a customer has closed is shown again once it says something else.
    pub changed_at: String,
}

/// An announcement as operators see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AnnouncementView {
    #[serde(flatten)]
    pub announcement: ShownAnnouncement,
    pub state: AnnouncementState,
    pub valid_from: String,
    /// Null for no end.
    pub valid_until: Option<String>,
    /// The e-mail address of the operator who saved it last.
    pub operator: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SaveAnnouncement {
    /// The announcement to change; null for a new one.
    pub announcement_id: Option<i64>,
    #[serde(flatten)]
    pub form: AnnouncementForm,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AnnouncementRef {
    /// The announcement.
    pub announcement_id: i64,
}
