//! The support chat: one conversation per account, attachments, canned answers, and streams of updates.
pub mod attachments;
pub mod canned;
pub mod conversations;
pub mod files;
pub mod operator;
mod queries;
pub mod routes;
pub mod stream;
mod types;
pub mod unread_mails;
