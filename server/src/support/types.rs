//! Requests and responses of the support chat.
use crate::accounts::types::Account;
use postern_core::language::Language;
use postern_core::support::attachment::AttachmentKind;
use postern_core::support::canned::CannedAnswerForm;
use postern_core::support::{ConversationState, MessageKind, Side, StreamEvent};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Which messages of a conversation to return: the newest, or those next to one that is known.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct Window {
    /// Returns the messages before this one.
    #[schema(required = false)]
    pub before: Option<i64>,
    /// Returns the messages after this one.
    #[schema(required = false)]
    pub after: Option<i64>,
}

/// A message to send.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SendMessage {
    /// May be empty if there is an attachment.
    #[serde(default)]
    #[schema(required = false)]
    pub text: String,
    /// Uploaded with `Support/UploadAttachment`, and in no message yet.
    #[serde(default)]
    #[schema(required = false)]
    pub attachment_ids: Vec<i64>,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct MarkMessagesRead {
    /// The newest message that has been read.
    pub message_id: i64,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AttachmentRef {
    pub attachment_id: i64,
}

/// A file, as the only field of a form.
#[allow(dead_code)]
#[derive(ToSchema)]
pub struct UploadForm {
    /// The file, with its name.
    #[schema(value_type = String, format = Binary)]
    pub file: Vec<u8>,
}

/// How long to wait for news.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct WaitForNews {
    /// The stream ends after this many seconds, 600 at most.
    #[schema(required = false)]
    pub seconds: Option<u32>,
}

/// A line of the stream.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct StreamLine {
    pub kind: StreamEvent,
}

#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AttachmentView {
    pub attachment_id: i64,
    pub name: String,
    pub kind: AttachmentKind,
    /// The size of the file.
    pub bytes: i64,
    /// In pixels; only pictures have one.
    pub width: Option<i32>,
    /// In pixels; only pictures have one.
    pub height: Option<i32>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct MessageView {
    pub message_id: i64,
    pub kind: MessageKind,
    pub side: Side,
    /// The operator's name, or the shop's; empty for customers.
    pub author: String,
    pub text: String,
    pub attachments: Vec<AttachmentView>,
    pub sent_at: String,
}

/// A conversation, as one of its sides sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Conversation {
    pub state: ConversationState,
    /// In the order in which they were sent, oldest first.
    pub messages: Vec<MessageView>,
    /// Whether there are messages before the first of these.
    pub has_earlier: bool,
    /// Whether there are messages after the last of these.
    pub has_later: bool,
    /// Messages of the other side that the reader has not read.
    pub unread: i64,
    /// Up to which message the other side has read; 0 for none.
    pub read_by_other: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct UnreadMessages {
    /// Messages of the other side that the reader has not read.
    pub unread: i64,
}

/// Names a conversation by its account: each has one.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ConversationRef {
    pub account_id: i64,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct GetConversation {
    pub account_id: i64,
    /// Returns the messages before this one.
    #[serde(default)]
    #[schema(required = false)]
    pub before: Option<i64>,
    /// Returns the messages after this one.
    #[serde(default)]
    #[schema(required = false)]
    pub after: Option<i64>,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SendReply {
    pub account_id: i64,
    #[serde(default)]
    #[schema(required = false)]
    pub text: String,
    #[serde(default)]
    #[schema(required = false)]
    pub attachment_ids: Vec<i64>,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct MarkConversationRead {
    pub account_id: i64,
    pub message_id: i64,
}

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct ConversationFilter {
    #[schema(required = false)]
    pub state: Option<ConversationState>,
    /// Only those whose customer waits for an answer.
    #[schema(required = false)]
    pub is_waiting: Option<bool>,
}

/// A conversation in the operators' list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ConversationRow {
    pub account_id: i64,
    pub email: String,
    /// The company, the person, or else the e-mail address.
    pub name: String,
    pub state: ConversationState,
    /// Messages of the customer that no operator has read.
    pub unread: i64,
    /// Since when the customer has been waiting for an answer.
    pub waiting_since: Option<String>,
    pub last_message_at: String,
    /// The beginning of the newest message; empty if it has attachments only.
    pub last_text: String,
    /// Who wrote the newest message.
    pub last_side: Side,
}

/// What an operator wants to know of the customer while answering.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CustomerFacts {
    /// The account.
    pub account: Account,
    pub language: Language,
    pub time_zone: String,
    /// Static proxies that the account owns.
    pub proxies: i64,
    /// Orders of the account, whatever became of them.
    pub orders: i64,
    /// Orders that are not paid yet.
    pub unpaid_orders: i64,
}

/// A conversation as operators see it, with facts about the customer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OperatorConversation {
    pub conversation: Conversation,
    pub customer: CustomerFacts,
    /// The name under which this operator answers.
    pub operator_name: String,
}

/// A canned answer to save: a new one without an id.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct SaveCannedAnswer {
    #[serde(default)]
    #[schema(required = false)]
    pub canned_answer_id: Option<i64>,
    #[serde(flatten)]
    pub form: CannedAnswerForm,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CannedAnswerRef {
    pub canned_answer_id: i64,
}

/// A text that operators keep, with placeholders.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CannedAnswer {
    pub canned_answer_id: i64,
    pub title: String,
    pub text: String,
}
