//! Builds the mail message: plain text and HTML as alternatives.
use crate::brand::logo::Logo;
use crate::letters::compose::Letter;
use crate::letters::html::LOGO_ID;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use lettre::Message;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};

/// The header `List-Unsubscribe`, shown as a button by mail clients (RFC 2369, RFC 8058).
#[derive(Clone)]
struct ListUnsubscribe(String);

impl Header for ListUnsubscribe {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe")
    }

    fn parse(text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(ListUnsubscribe(text.trim_matches(['<', '>']).to_owned()))
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), format!("<{}>", self.0))
    }
}

/// The header `List-Unsubscribe-Post`: the URL accepts a one-click `POST` without confirmation (RFC 8058).
#[derive(Clone)]
struct ListUnsubscribePost;

impl Header for ListUnsubscribePost {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe-Post")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(ListUnsubscribePost)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "List-Unsubscribe=One-Click".to_owned())
    }
}

/// The header `Auto-Submitted`: no person wrote this, so no absence note or other automatic answer is wanted (RFC 3834).
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(AutoSubmitted)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// The HTML as a standalone file, with the logo embedded.
pub fn alone(html: &str, logo: Option<&Logo>) -> String {
    let Some(picture) = logo.and_then(|logo| logo.in_mails.as_ref()) else { return html.to_owned() };
    html.replacen(&format!("cid:{LOGO_ID}"), &format!("data:image/png;base64,{}", STANDARD.encode(&picture.png)), 1)
}

pub fn message(from: &str, to: &str, letter: Letter, logo: Option<&Logo>) -> anyhow::Result<Message> {
    let from = from.parse::<Mailbox>()?;
    let message_id = format!("<{}@{}>", letter.message_id, from.email.domain());
    let mut message = Message::builder().message_id(Some(message_id)).header(AutoSubmitted);
    message = message.from(from).to(to.parse()?).subject(letter.subject);
    if let Some(link) = letter.unsubscribe {
        message = message.header(ListUnsubscribe(link)).header(ListUnsubscribePost);
    }
    let both = MultiPart::alternative().singlepart(SinglePart::plain(letter.text));
    let html = SinglePart::html(letter.html);
    let both = match logo.and_then(|logo| logo.in_mails.as_ref()) {
        None => both.singlepart(html),
        Some(picture) => {
            let png = ContentType::parse("image/png")?;
            let picture = Attachment::new_inline_with_name(LOGO_ID.to_owned(), "logo.png".to_owned())
                .body(picture.png.clone(), png);
            both.multipart(MultiPart::related().singlepart(html).singlepart(picture))
        }
    };
    Ok(message.multipart(both)?)
}
