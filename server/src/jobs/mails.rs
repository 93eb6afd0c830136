//! Sends the queued mails over SMTP, or writes them to files where no mail server is configured.
use crate::db::Conn;
use crate::error::AppError;
use crate::mails::NONE;
use crate::schema::mails::{self, dsl};
use crate::state::App;
use anyhow::Context;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use lettre::message::Mailbox;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use postern_core::account::{RESET_LINK_MINUTES, SIGN_UP_LINK_HOURS};
use postern_core::language::Language;
use postern_core::mail::{MailState, MailTemplate, after_failure};
use serde_json::Value;

/// A process that sends a mail leases it for this long; if the process dies, the lease runs out.
const LEASE_MINUTES: i64 = 5;

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = mails)]
pub struct QueuedMail {
    pub id: i64,
    pub recipient: String,
    pub language: Language,
    pub template: MailTemplate,
    pub parameters: String,
    pub parameters_sealed: Option<String>,
    pub attempts: i32,
}

/// A rendered mail.
pub struct Letter {
    pub subject: String,
    pub body: String,
}

pub async fn send(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let is_due = move |conn: &mut Conn| {
        let due =
            dsl::mails.filter(dsl::state.eq(MailState::Queued)).filter(dsl::next_attempt_at.le(now)).select(dsl::id);
        Ok(due.first::<i64>(conn).optional()?.is_some())
    };
    if !app.db.read(is_due).await? {
        return Ok(());
    }
    let taken = app.db.write(move |conn| claim_due(conn, now)).await?;
    for mail in taken {
        let id = mail.id;
        let attempts = mail.attempts + 1;
        let sent = deliver(app, mail, now).await;
        if let Err(error) = &sent {
            tracing::warn!(mail = id, attempts, %error, "a mail could not be sent");
        }
        app.db.write(move |conn| note_attempt(conn, id, attempts, sent.is_ok(), now)).await?;
    }
    Ok(())
}

fn claim_due(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<QueuedMail>, AppError> {
    let ids = dsl::mails
        .filter(dsl::state.eq(MailState::Queued))
        .filter(dsl::next_attempt_at.le(now))
        .order(dsl::next_attempt_at)
        .limit(50)
        .select(dsl::id);
    let ids: Vec<i64> = match conn {
        Conn::Postgres(conn) => ids.for_update().skip_locked().load(conn)?,
        Conn::Sqlite(conn) => ids.load(conn)?,
    };
    let due = dsl::mails.filter(dsl::id.eq_any(&ids)).order(dsl::id).select(QueuedMail::as_select()).load(conn)?;
    diesel::update(dsl::mails.filter(dsl::id.eq_any(ids)))
        .set(dsl::next_attempt_at.eq(now + TimeDelta::minutes(LEASE_MINUTES)))
        .execute(conn)?;
    Ok(due)
}

/// A failed mail is retried later until it is given up. Mails that were sent or given up are stripped of their content.
fn note_attempt(conn: &mut Conn, id: i64, attempts: i32, was_sent: bool, now: NaiveDateTime) -> Result<(), AppError> {
    let row = dsl::mails.find(id);
    if was_sent {
        let sent = (
            dsl::state.eq(MailState::Sent),
            dsl::attempts.eq(attempts),
            dsl::sent_at.eq(now),
            dsl::parameters.eq(NONE),
            dsl::parameters_sealed.eq(None::<String>),
        );
        diesel::update(row).set(sent).execute(conn)?;
        return Ok(());
    }
    let (state, minutes) = after_failure(attempts);
    let next_attempt_at = now + TimeDelta::minutes(minutes);
    let failed = (dsl::state.eq(state), dsl::attempts.eq(attempts), dsl::next_attempt_at.eq(next_attempt_at));
    diesel::update(row).set(failed).execute(conn)?;
    if state == MailState::Failed {
        let nothing = (dsl::parameters.eq(NONE), dsl::parameters_sealed.eq(None::<String>));
        diesel::update(dsl::mails.find(id)).set(nothing).execute(conn)?;
    }
    Ok(())
}

fn compose(app: &App, mail: &QueuedMail) -> anyhow::Result<Letter> {
    let language = mail.language;
    let mut parameters: Value = match &mail.parameters_sealed {
        Some(sealed) => serde_json::from_str(&app.key.open(sealed)?)?,
        None => serde_json::from_str(&mail.parameters)?,
    };
    if let Some(fields) = parameters.as_object_mut() {
        fields.insert("Shop".to_owned(), app.config.shop_name.clone().into());
        fields.insert("PublicUrl".to_owned(), app.config.public_url.clone().into());
        fields.insert("WalletLink".to_owned(), format!("{}/billing/wallet", app.config.public_url).into());
        // The lifetime of a mailed link.
        fields.insert("LinkHours".to_owned(), SIGN_UP_LINK_HOURS.into());
        fields.insert("LinkMinutes".to_owned(), RESET_LINK_MINUTES.into());
        // Localised names: take the reader's language.
        for value in fields.values_mut().filter(|value| value.is_object()) {
            *value = value[language.as_str()].take();
        }
    }
    // Reasons and periods of validity are stored as text keys, to be rendered in the reader's language.
    for name in ["Reason", "Validity"] {
        if let Some(key) = parameters[format!("{name}Key")].as_str() {
            parameters[name] = app.texts.get(language, key, &parameters).into();
        }
    }
    let text = |part: &str| app.texts.get(language, &format!("mail:{}.{part}", mail.template.as_str()), &parameters);
    Ok(Letter { subject: text("subject"), body: text("body") })
}

async fn deliver(app: &App, mail: QueuedMail, now: NaiveDateTime) -> anyhow::Result<()> {
    let letter = compose(app, &mail)?;
    let Some(smtp) = &app.config.smtp else { return write_to_file(app, &mail, &letter, now) };
    let message = Message::builder()
        .from(smtp.from.parse::<Mailbox>()?)
        .to(mail.recipient.parse()?)
        .subject(letter.subject)
        .body(letter.body)?;
    let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(&smtp.url).context("POSTERN_SMTP_URL")?.build();
    transport.send(message).await?;
    Ok(())
}

fn write_to_file(app: &App, mail: &QueuedMail, letter: &Letter, now: NaiveDateTime) -> anyhow::Result<()> {
    let folder = app.config.var_dir.join("mail");
    crate::files::make_folder(&folder)?;
    let path = folder.join(format!("{:08}.txt", mail.id));
    let time = postern_core::time::to_wire(now);
    let text = format!("To: {}\nDate: {time} UTC\nSubject: {}\n\n{}\n", mail.recipient, letter.subject, letter.body);
    crate::security::write_private(&path, &text)?;
    tracing::info!(path = %path.display(), "no SMTP server is set up: a mail was written to a file");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_mail_has_its_texts_and_every_text_its_mail() {
        let texts = include_str!("../../../locales/en/mail.json");
        let texts: serde_json::Map<String, Value> = serde_json::from_str(texts).expect("JSON");
        let named: BTreeSet<&str> = texts.keys().map(String::as_str).collect();
        let sent: BTreeSet<&str> = MailTemplate::ALL.iter().map(|template| template.as_str()).collect();
        assert_eq!(named, sent);
    }
}
