//! Requests and answers about mails.
use postern_core::language::Language;
use postern_core::mail::{MailState, MailTemplate};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct MailFilter {
    #[schema(required = false)]
    pub state: Option<MailState>,
    #[schema(required = false)]
    pub template: Option<MailTemplate>,
}

/// A mail of the last 30 days, without its content.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct MailView {
    /// The id of the mail.
    pub mail_id: i64,
    /// The address that it is for.
    pub recipient: String,
    pub language: Language,
    /// Which text it has.
    pub template: MailTemplate,
    pub state: MailState,
    /// How often it was tried.
    pub attempts: i32,
    pub created_at: String,
    pub sent_at: Option<String>,
    /// When it is tried next; null unless it waits.
    pub next_attempt_at: Option<String>,
    /// What the mail server said last; null if it refused nothing.
    pub error: Option<String>,
    /// Whether `Operator/ResendMails` sends it again.
    pub can_resend: bool,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct MailIds {
    /// The mails, at most 1,000.
    pub mail_ids: Vec<i64>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct MailsResent {
    /// Mails that are sent within seconds.
    pub resent: usize,
    /// Mails that cannot be sent again: sent ones, and links that grant access.
    pub left: usize,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PreviewMail {
    /// Which text.
    pub template: MailTemplate,
    pub language: Language,
}

/// A mail with made-up values, as its reader sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct MailPreview {
    /// Its subject.
    pub subject: String,
    /// The plain text.
    pub text: String,
    /// A whole page, without scripts, with the logo embedded.
    pub html: String,
}
