//! Rendering of mails: plain text, HTML, and the message that holds both.
pub mod compose;
mod html;
pub mod message;
mod parts;
