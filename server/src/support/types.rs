//! Requests and responses of the support chat.
use crate::accounts::facts::AccountFacts;
use crate::accounts::types::Account;
use postern_core::support::attachment::AttachmentKind;
use postern_core::support::canned::CannedAnswerForm;
use postern_core::support::{ConversationState, MessageKind, Side, StreamEvent};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Which messages of a conversation to return: the newest, or those next to a given one.
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
    /// Ids from `Support/UploadAttachment` that have not been sent with a message yet.
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

/// How long to keep the stream open.
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
    /// In pixels; pictures only.
    pub width: Option<i32>,
    /// In pixels; pictures only.
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

/// A conversation, as seen by one side.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Conversation {
    pub state: ConversationState,
    /// Oldest first.
    pub messages: Vec<MessageView>,
    /// Whether there are earlier messages.
    pub has_earlier: bool,
    /// Whether there are later messages.
    pub has_later: bool,
    /// The number of messages from the other side that the reader has not read.
    pub unread: i64,
    /// The last message that the other side has read; 0 for none.
    pub read_by_other: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct UnreadMessages {
    /// The number of messages from the other side that the reader has not read.
    pub unread: i64,
}

/// Identifies a conversation by its account: each account has one.
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
    /// Only conversations whose customer is waiting for a reply.
    #[schema(required = false)]
    pub is_waiting: Option<bool>,
}

/// A conversation in the operators' list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct ConversationRow {
    pub account_id: i64,
    pub email: String,
    /// The company name, the person's name, or else the e-mail address.
    pub name: String,
    pub state: ConversationState,
    /// The number of customer messages that no operator has read.
    pub unread: i64,
    /// Since when the customer has been waiting for a reply.
    pub waiting_since: Option<String>,
    pub last_message_at: String,
    /// The start of the newest message; empty if it has attachments only.
    pub last_text: String,
    /// Who wrote the newest message.
    pub last_side: Side,
}

/// Information about the customer, for operators.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CustomerFacts {
    /// The account.
    pub account: Account,
    #[serde(flatten)]
    pub facts: AccountFacts,
    /// The operators' note about the customer.
    pub note: String,
}

/// A conversation, as seen by operators, with information about the customer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct OperatorConversation {
    pub conversation: Conversation,
    pub customer: CustomerFacts,
    /// The name that this operator's messages are signed with.
    pub operator_name: String,
}

/// A canned answer to save; without an id, a new one is added.
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

/// A reply template for operators, with placeholders.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct CannedAnswer {
    pub canned_answer_id: i64,
    pub title: String,
    pub text: String,
}
