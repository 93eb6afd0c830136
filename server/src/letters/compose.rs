//! Renders a queued mail in the recipient's language, as plain text and HTML.
use crate::letters::html::{Content, Ending, page};
use crate::mails::QueuedMail;
use crate::notifications::unsubscribe;
use crate::state::App;
use crate::texts::filled;
use postern_core::account::{EMAIL_CHANGE_HOURS, EMAIL_CHANGE_STOP_HOURS, RESET_LINK_MINUTES, SIGN_UP_LINK_HOURS};
use postern_core::notification::can_unsubscribe;
use serde_json::{Value, json};

/// The footer of mails that can be unsubscribed from: why the mail was sent, and the link to unsubscribe. The last one is below every mail.
const WHY: &str = "notifications:mailWhy";
const STOP: &str = "notifications:mailStop";
const SUPPORT: &str = "notifications:mailSupport";

/// A rendered mail.
pub struct Letter {
    pub subject: String,
    pub text: String,
    pub html: String,
    /// The unsubscribe URL; absent for mails that the recipient requested and for security mails.
    pub unsubscribe: Option<String>,
    /// Without the domain. Each attempt has this one, so that a mail that arrived twice is one mail to its reader.
    pub message_id: String,
}

pub fn compose(app: &App, mail: &QueuedMail) -> anyhow::Result<Letter> {
    let (texts, language) = (&app.texts, mail.language);
    let parameters = parameters_of(app, mail)?;
    let unsubscribe = parameters["UnsubscribeLink"].as_str().map(str::to_owned);
    let key = |part: &str| format!("mail:{}.{part}", mail.template.as_str());
    let mut text = texts.get(language, &key("body"), &parameters);
    if let Some(link) = &unsubscribe {
        let (why, stop) = (texts.get(language, WHY, &parameters), texts.get(language, STOP, &parameters));
        text.push_str(&format!("\n\n--\n{why}\n{stop}\n{link}"));
    }
    let subject = texts.template_for(language, &key("subject"), &parameters).unwrap_or_default();
    let content = Content {
        language,
        subject,
        body: texts.template(language, &key("body")).unwrap_or_default(),
        action: texts.template(language, &key("action")),
        support: texts.template(language, SUPPORT).unwrap_or_default(),
        ending: unsubscribe.as_deref().map(|link| Ending {
            why: texts.template(language, WHY).unwrap_or_default(),
            label: texts.template(language, STOP).unwrap_or_default(),
            link,
        }),
        parameters: &parameters,
    };
    let html = page(&content, app.config.brand_colour.unwrap_or_default(), app.logo.as_deref());
    let message_id = app.key.sign("message id", mail.id.to_string().as_bytes());
    Ok(Letter {
        subject: one_line(&filled(subject, &parameters)),
        text,
        html,
        unsubscribe,
        message_id: format!("{}.{}", mail.id, &message_id[..16]),
    })
}

/// Replaces line breaks: a subject has one line, whatever the parameters contain.
fn one_line(text: &str) -> String {
    text.replace(|character: char| character.is_control(), " ")
}

fn parameters_of(app: &App, mail: &QueuedMail) -> anyhow::Result<Value> {
    let (config, language) = (&app.config, mail.language);
    let mut parameters: Value = match &mail.parameters_sealed {
        Some(sealed) => serde_json::from_str(&app.key.open(sealed)?)?,
        None => serde_json::from_str(&mail.parameters)?,
    };
    let common = json!({
        "Shop": config.shop_name,
        "PublicUrl": config.public_url,
        "WalletLink": format!("{}/billing/wallet", config.public_url),
        "SupportEmail": config.support_email,
        // The lifetimes of mailed links.
        "LinkHours": SIGN_UP_LINK_HOURS,
        "LinkMinutes": RESET_LINK_MINUTES,
        "ChangeHours": EMAIL_CHANGE_HOURS,
        "StopHours": EMAIL_CHANGE_STOP_HOURS,
    });
    if let (Some(fields), Value::Object(common)) = (parameters.as_object_mut(), common) {
        fields.extend(common);
        // Localised names: choose the recipient's language.
        for value in fields.values_mut().filter(|value| value.is_object()) {
            *value = value[language.as_str()].take();
        }
    }
    // Reasons, periods of validity and the like are stored as text keys, and rendered in the recipient's language.
    for name in ["Reason", "Validity", "Change", "Device"] {
        if let Some(key) = parameters[format!("{name}Key")].as_str() {
            parameters[name] = app.texts.get(language, key, &parameters).into();
        }
    }
    if let Some(ended) = parameters["EndedKeys"].as_array() {
        let line = |item: &Value| app.texts.get(language, item["Key"].as_str().unwrap_or_default(), item);
        parameters["Ended"] = ended.iter().map(line).collect::<Vec<_>>().join("\n").into();
    }
    if let (Some(user_id), Some(kind)) = (mail.user_id, mail.event_kind.filter(|kind| can_unsubscribe(*kind))) {
        parameters["UnsubscribeLink"] = unsubscribe::link(&app.key, &config.public_url, user_id, kind).into();
    }
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letters::parts::{Part, parts};
    use postern_core::mail::MailTemplate;
    use std::collections::BTreeSet;

    const TEXTS: [&str; 2] =
        [include_str!("../../../locales/en/mail.json"), include_str!("../../../locales/zh/mail.json")];

    #[test]
    fn every_mail_has_its_texts_and_every_text_its_mail() {
        for texts in TEXTS {
            let texts: serde_json::Map<String, Value> = serde_json::from_str(texts).expect("JSON");
            let named: BTreeSet<&str> = texts.keys().map(String::as_str).collect();
            let sent: BTreeSet<&str> = MailTemplate::ALL.iter().map(|template| template.as_str()).collect();
            assert_eq!(named, sent);
        }
    }

    #[test]
    fn every_mail_with_a_link_labels_its_button() {
        for texts in TEXTS {
            let texts: serde_json::Map<String, Value> = serde_json::from_str(texts).expect("JSON");
            for (name, texts) in &texts {
                let body = parts(texts["body"].as_str().expect("a text"));
                let leads_somewhere = body.iter().any(|part| matches!(part, Part::Link(_)));
                assert_eq!(texts["action"].is_string(), leads_somewhere, "{name}");
            }
        }
    }

    #[test]
    fn a_subject_has_one_line() {
        assert_eq!(one_line("Ann\r\nBcc: all@example.com\u{7f}"), "Ann  Bcc: all@example.com ");
    }
}
