//! Mails as their readers get them: plain text, the same as HTML, and the message that holds both.
pub mod compose;
mod html;
pub mod message;
mod parts;
