//! Support chat: messages, when somebody is told of them by mail, and limits. Each account has one conversation with the shop.
pub mod attachment;
pub mod canned;

use crate::account::Throttle;
use crate::checks::Checks;
use crate::field_errors::FieldErrors;
use crate::rule::Rule;
use crate::wire_enum::wire_enum;
use chrono::{NaiveDateTime, TimeDelta};

wire_enum! {
    /// The state of a conversation. The next message opens a closed one again.
    ConversationState { Open = "open", Closed = "closed" }
}

wire_enum! {
    /// What stands in a conversation: what somebody wrote, or that an operator closed it.
    MessageKind { Text = "text", Closed = "closed" }
}

wire_enum! {
    /// A side of a conversation.
    Side { Customer = "customer", Operator = "operator" }
}

wire_enum! {
    /// A line of a stream of news.
    StreamEvent {
        /// The first line: read what there is, as something may have come before.
        Begin = "begin",
        /// Something changed: read it.
        News = "news",
        /// Nothing changed for a while.
        Alive = "alive",
        /// The last line: open the stream again, if still allowed.
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
/// Messages in one answer.
pub const MESSAGES_PER_PAGE: usize = 50;
/// Messages of one conversation.
pub const MAX_MESSAGES: i64 = 20_000;

/// Messages of one account's customer side.
pub const CUSTOMER_MESSAGES: Throttle = Throttle { hits: 30, window_minutes: 1 };
pub const CUSTOMER_MESSAGES_PER_DAY: Throttle = Throttle { hits: 500, window_minutes: 24 * 60 };
/// Messages of one operator.
pub const OPERATOR_MESSAGES: Throttle = Throttle { hits: 120, window_minutes: 1 };

/// A message that has not been read for this long is told by mail.
pub const OPERATOR_MAIL_MINUTES: i64 = 3;
pub const CUSTOMER_MAIL_MINUTES: i64 = 5;

/// The characters of a message that its mail quotes.
pub const MAIL_EXCERPT_CHARACTERS: usize = 300;

/// A stream of news ends after this long; the browser opens it again.
pub const STREAM_SECONDS: u64 = 600;
/// A stream without news says that it is alive, more often than what stands between gives up a silent connection.
pub const HEARTBEAT_SECONDS: u64 = 15;
/// Streams that one account has open at once, at one server.
pub const STREAMS_PER_ACCOUNT: usize = 8;
/// Streams that all accounts have open at once, at one server.
pub const MAX_STREAMS: usize = 1_000;
/// A browser without a stream asks this often while the chat is in front of the customer.
pub const POLL_SECONDS: u64 = 10;
/// How often a browser asks for unread messages while the chat is closed.
pub const UNREAD_POLL_SECONDS: u64 = 60;

/// A chat message: multi-line text, with line ends as `\n`.
pub fn validate_message(text: &str) -> Result<String, FieldErrors> {
    validate_message_with(text, 0)
}

/// The same for a message with so many attachments: with one, the text may be empty.
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

/// The beginning of a message, as its mail quotes it.
pub fn excerpt(text: &str) -> String {
    let mut excerpt: String = text.chars().take(MAIL_EXCERPT_CHARACTERS).collect();
    if text.chars().nth(MAIL_EXCERPT_CHARACTERS).is_some() {
        excerpt.push('…');
    }
    excerpt
}

/// What is known of how far a side has read, and of its mails.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Reading {
    /// The last message that this side has read; 0 for none.
    pub read_id: i64,
    /// The last message of the other side when a mail was last sent; 0 if never.
    pub told_id: i64,
    /// When this side is told by mail, unless it has read by then.
    pub mail_at: Option<NaiveDateTime>,
}

impl Reading {
    /// After a message of the other side: one mail for all that come until this side has read them, so an unread mail is not followed by
    /// another.
    pub fn after_message(self, reader: Side, now: NaiveDateTime) -> Reading {
        let is_told = self.mail_at.is_some() || self.told_id > self.read_id;
        let minutes = match reader {
            Side::Customer => CUSTOMER_MAIL_MINUTES,
            Side::Operator => OPERATOR_MAIL_MINUTES,
        };
        let mail_at = if is_told { self.mail_at } else { Some(now + TimeDelta::minutes(minutes)) };
        Reading { mail_at, ..self }
    }

    /// After this side has read up to a message. `newest_id` is the newest of the other side: with it read, no mail is due. Reading never
    /// goes back.
    pub fn after_reading(self, message_id: i64, newest_id: i64) -> Reading {
        let read_id = self.read_id.max(message_id);
        Reading { read_id, mail_at: self.mail_at.filter(|_| read_id < newest_id), ..self }
    }

    /// After the mail about messages up to the newest one.
    pub fn after_mail(self, newest_id: i64) -> Reading {
        Reading { told_id: newest_id, mail_at: None, ..self }
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
    fn a_message_has_text_and_no_invisible_marks() {
        assert_eq!(validate_message(" \n ").map_err(rules), Err(vec!["Text:required".into()]));
        assert_eq!(validate_message(&"m".repeat(4_001)).map_err(rules), Err(vec!["Text:maxLength 4000".into()]));
        assert_eq!(validate_message("a\u{202e}b").map_err(rules), Err(vec!["Text:invisibleCharacters".into()]));
        assert_eq!(validate_message("a\u{0}b").map_err(rules), Err(vec!["Text:invisibleCharacters".into()]));
        assert_eq!(validate_message(" 你好\r\n\tthere 👩‍💻 ").map_err(rules), Ok("你好\n\tthere 👩‍💻".into()));
        assert_eq!(validate_message(&"密".repeat(4_000)).map(|text| text.chars().count()), Ok(4_000));
    }

    #[test]
    fn a_message_with_an_attachment_needs_no_text_and_has_five_at_most() {
        assert_eq!(validate_message_with("  ", 1).map_err(rules), Ok(String::new()));
        assert_eq!(validate_message_with("", 0).map_err(rules), Err(vec!["Text:required".into()]));
        assert_eq!(validate_message_with("a", 6).map_err(rules), Err(vec!["AttachmentIds:tooManyItems 5".into()]));
    }

    #[test]
    fn a_long_message_is_quoted_by_its_beginning() {
        assert_eq!(excerpt("short"), "short");
        assert_eq!(excerpt(&"密".repeat(300)), "密".repeat(300));
        assert_eq!(excerpt(&"密".repeat(301)), format!("{}…", "密".repeat(300)));
    }

    #[test]
    fn many_unread_messages_are_one_mail_until_somebody_reads() {
        let first = Reading::default().after_message(Side::Operator, at(0));
        assert_eq!(first.mail_at, Some(at(3)));
        let second = first.after_message(Side::Operator, at(2));
        assert_eq!(second.mail_at, Some(at(3)), "the first one waits no longer because of the second");
        let told = second.after_mail(2);
        assert_eq!(told.after_message(Side::Operator, at(9)), told, "told, and not read");
        let read = told.after_reading(2, 2);
        assert_eq!(read.after_message(Side::Operator, at(20)).mail_at, Some(at(23)));
    }

    #[test]
    fn who_has_read_is_not_told_and_reading_does_not_go_back() {
        let waiting = Reading::default().after_message(Side::Customer, at(0));
        assert_eq!(waiting.mail_at, Some(at(5)));
        assert_eq!(waiting.after_reading(7, 7), Reading { read_id: 7, told_id: 0, mail_at: None });
        assert_eq!(waiting.after_reading(6, 7).mail_at, Some(at(5)), "a newer one is unread");
        assert_eq!(waiting.after_reading(7, 7).after_reading(3, 7).read_id, 7);
    }
}
