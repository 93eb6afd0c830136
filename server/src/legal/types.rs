//! Requests and answers about legal texts.
use postern_core::legal::{LegalKind, LegalTextForm};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A version of a text, without the text.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct LegalTextRef {
    /// The id of this version.
    pub legal_text_id: i64,
    pub kind: LegalKind,
    /// From 1 on, for each kind.
    pub version: i32,
    pub published_at: String,
}

/// A version with its text, for readers of each language.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct LegalText {
    #[serde(flatten)]
    pub about: LegalTextRef,
    pub body_en: String,
    pub body_zh: String,
}

/// A version as operators see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct LegalTextView {
    #[serde(flatten)]
    pub about: LegalTextRef,
    /// Whether it is the newest of its kind, which sign-ups accept.
    pub is_current: bool,
    /// How many users have accepted it.
    pub acceptances: i64,
    /// The e-mail address of the operator who published it.
    pub operator: String,
}

/// A version that a user has accepted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AcceptedText {
    pub kind: LegalKind,
    /// The number of the version.
    pub version: i32,
    pub accepted_at: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct LegalKindRef {
    pub kind: LegalKind,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct LegalTextId {
    /// The version.
    pub legal_text_id: i64,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AcceptTexts {
    /// The versions that were shown to the user.
    pub accepted_texts: Vec<i64>,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PublishLegalText {
    #[serde(flatten)]
    pub form: LegalTextForm,
}
