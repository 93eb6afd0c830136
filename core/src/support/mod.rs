//! Support chat: messages, mails about unread ones, and limits. Each account has one conversation with the shop.
pub mod attachment;
pub mod canned;

use crate::account::Throttle;
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::rule::Rule;
use crate::wire_enum::wire_enum;
use chrono::{NaiveDateTime, TimeDelta};

wire_enum! {
    /// The state of a conversation. The next message reopens a closed one.
    ConversationState { Open = "open", Closed = "closed" }
}

wire_enum! {
    /// The kind of an entry in a conversation: a message, or its closing by an operator.
    MessageKind { Text = "text", Closed = "closed" }
}

wire_enum! {
    /// A side of a conversation.
    Side { Customer = "customer", Operator = "operator" }
}

wire_enum! {
    /// The type of a line in an event stream.
    StreamEvent {
        /// The first line: reload, because something may have changed before.
        Begin = "begin",
        /// Something changed: reload.
        News = "news",
        /// A heartbeat.
        Alive = "alive",
        /// The last line: open the stream again, if still permitted.
        End = "end",
    }
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::Customer => Side::Operator,
            Side::Operator => Side::Customer,
        }
    }
}

pub const MESSAGE_MAX_LENGTH: usize = 4_000;
/// Messages per response.
pub const MESSAGES_PER_PAGE: usize = 50;
/// The maximum number of messages in a conversation.
pub const MAX_MESSAGES: i64 = 20_000;

/// Messages from one account's customer side.
pub const CUSTOMER_MESSAGES: Throttle = Throttle { hits: 30, window_minutes: 1 };
pub const CUSTOMER_MESSAGES_PER_DAY: Throttle = Throttle { hits: 500, window_minutes: 24 * 60 };
/// Messages from one operator.
pub const OPERATOR_MESSAGES: Throttle = Throttle { hits: 120, window_minutes: 1 };

/// A mail is sent about a message that is unread for this long.
pub const OPERATOR_MAIL_MINUTES: i64 = 3;
pub const CUSTOMER_MAIL_MINUTES: i64 = 5;

/// The number of characters of a message that its mail quotes.
pub const MAIL_EXCERPT_CHARACTERS: usize = 300;

/// A stream ends after this time, and the browser reopens it.
pub const STREAM_SECONDS: u64 = 600;
/// The interval of heartbeats, shorter than the idle timeouts of proxies in between.
pub const HEARTBEAT_SECONDS: u64 = 15;
/// Open streams of one account, per server.
pub const STREAMS_PER_ACCOUNT: usize = 8;
/// Open streams of all accounts, per server.
pub const MAX_STREAMS: usize = 1_000;
/// The polling interval of a browser without a stream while the chat is visible.
pub const POLL_SECONDS: u64 = 10;
/// The interval at which a browser polls for unread messages while the chat is closed.
pub const UNREAD_POLL_SECONDS: u64 = 60;

/// Validates a chat message: multi-line text, with every line break as `\n`.
pub fn validate_message(text: &str) -> Result<String, FieldErrors> {
    validate_message_with(text, 0)
}

/// Like `validate_message`, for a message with this many attachments: with at least one, the text may be empty.
pub fn validate_message_with(text: &str, attachments: usize) -> Result<String, FieldErrors> {
    let mut checks = Checks::default();
    if text.trim().is_empty() && attachments == 0 {
        checks.broken("Text", Rule::Required, &[]);
    }
    if attachments > attachment::PER_MESSAGE {
        checks.broken("AttachmentIds", Rule::TooManyItems, &[("Max", attachment::PER_MESSAGE.to_string())]);
    }
    let text = checks.lines("Text", text, MESSAGE_MAX_LENGTH);
    checks.finish(text)
}

/// The beginning of a message, for its mail.
pub fn excerpt(text: &str) -> String {
    let mut excerpt: String = text.chars().take(MAIL_EXCERPT_CHARACTERS).collect();
    if text.chars().nth(MAIL_EXCERPT_CHARACTERS).is_some() {
        excerpt.push('…');
    }
    excerpt
}

/// How far a side has read, and its mails about unread messages.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Reading {
    /// The last message that this side has read; 0 for none.
    pub read_id: i64,
    /// The newest message of the other side when the last mail was sent; 0 if none was.
    pub mailed_id: i64,
    /// When a mail is due, unless this side has read by then.
    pub mail_at: Option<NaiveDateTime>,
}

impl Reading {
    /// After a message from the other side. There is one mail for all messages until this side has read, so an unread mail is not followed
    /// by another.
    pub fn after_message(self, reader: Side, now: NaiveDateTime) -> Reading {
        let is_mailed = self.mail_at.is_some() || self.mailed_id > self.read_id;
        let minutes = match reader {
            Side::Customer => CUSTOMER_MAIL_MINUTES,
            Side::Operator => OPERATOR_MAIL_MINUTES,
        };
        let mail_at = if is_mailed { self.mail_at } else { Some(now + TimeDelta::minutes(minutes)) };
        Reading { mail_at, ..self }
    }

    /// After this side has read up to a message. `newest_id` is the newest of the other side: once it is read, no mail is due. The read
    /// position never moves back.
    pub fn after_reading(self, message_id: i64, newest_id: i64) -> Reading {
        let read_id = self.read_id.max(message_id);
        Reading { read_id, mail_at: self.mail_at.filter(|_| read_id < newest_id), ..self }
    }

    /// After a mail about messages up to the newest one.
    pub fn after_mail(self, newest_id: i64) -> Reading {
        Reading { mailed_id: newest_id, mail_at: None, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    fn at(minute: i64) -> NaiveDateTime {
        NaiveDateTime::default() + TimeDelta::minutes(minute)
    }

    #[test]
    fn a_message_has_text_without_invisible_characters() {
        assert_eq!(validate_message(" \n ").map_err(rules), Err(vec!["Text:required".into()]));
        assert_eq!(validate_message(&"m".repeat(4_001)).map_err(rules), Err(vec!["Text:maxLength 4000".into()]));
        assert_eq!(validate_message("a\u{202e}b").map_err(rules), Err(vec!["Text:invisibleCharacters".into()]));
        assert_eq!(validate_message("a\u{0}b").map_err(rules), Err(vec!["Text:invisibleCharacters".into()]));
        assert_eq!(validate_message(" 你好\r\n\tthere 👩‍💻 ").map_err(rules), Ok("你好\n\tthere 👩‍💻".into()));
        assert_eq!(validate_message(&"密".repeat(4_000)).map(|text| text.chars().count()), Ok(4_000));
    }

    #[test]
    fn a_message_with_an_attachment_needs_no_text_and_has_at_most_five() {
        assert_eq!(validate_message_with("  ", 1).map_err(rules), Ok(String::new()));
        assert_eq!(validate_message_with("", 0).map_err(rules), Err(vec!["Text:required".into()]));
        assert_eq!(validate_message_with("a", 6).map_err(rules), Err(vec!["AttachmentIds:tooManyItems 5".into()]));
    }

    #[test]
    fn a_long_message_is_truncated_for_its_mail() {
        assert_eq!(excerpt("short"), "short");
        assert_eq!(excerpt(&"密".repeat(300)), "密".repeat(300));
        assert_eq!(excerpt(&"密".repeat(301)), format!("{}…", "密".repeat(300)));
    }

    #[test]
    fn unread_messages_share_one_mail_until_they_are_read() {
        let first = Reading::default().after_message(Side::Operator, at(0));
        assert_eq!(first.mail_at, Some(at(3)));
        let second = first.after_message(Side::Operator, at(2));
        assert_eq!(second.mail_at, Some(at(3)), "the second message does not delay the mail");
        let mailed = second.after_mail(2);
        assert_eq!(mailed.after_message(Side::Operator, at(9)), mailed, "mailed but not read");
        let read = mailed.after_reading(2, 2);
        assert_eq!(read.after_message(Side::Operator, at(20)).mail_at, Some(at(23)));
    }

    #[test]
    fn reading_cancels_the_mail_and_never_moves_back() {
        let waiting = Reading::default().after_message(Side::Customer, at(0));
        assert_eq!(waiting.mail_at, Some(at(5)));
        assert_eq!(waiting.after_reading(7, 7), Reading { read_id: 7, mailed_id: 0, mail_at: None });
        assert_eq!(waiting.after_reading(6, 7).mail_at, Some(at(5)), "a newer message is unread");
        assert_eq!(waiting.after_reading(7, 7).after_reading(3, 7).read_id, 7);
    }
}
