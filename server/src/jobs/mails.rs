//! Sends the queued mails over SMTP, or writes them to files where no mail server is configured.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::letters::compose::{Letter, compose};
use crate::letters::message::{alone, message};
use crate::mails::{NONE, QueuedMail};
use crate::schema::mails::dsl;
use crate::state::App;
use anyhow::Context;
use chrono::{NaiveDateTime, TimeDelta};
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use postern_core::mail::{MAIL_ERROR_LENGTH, MailState, after_failure};

/// A process that sends a mail leases it for this long; if the process dies, the lease runs out.
const LEASE_MINUTES: i64 = 5;

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
        // With a slow mail server, the rest may be somebody else's by now.
        if app.clock.now() >= now + TimeDelta::minutes(LEASE_MINUTES) {
            break;
        }
        let id = mail.id;
        let attempts = mail.attempts + 1;
        let problem = deliver(app, mail, now).await.err().map(|error| told(&error));
        if let Some(error) = &problem {
            tracing::warn!(mail = id, attempts, error, "a mail could not be sent");
        }
        app.db.write(move |conn| note_attempt(conn, id, attempts, problem.as_deref(), now)).await?;
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
    let ids: Vec<i64> = ids.locked_if_free().load(conn)?;
    let due = dsl::mails.filter(dsl::id.eq_any(&ids)).order(dsl::id).select(QueuedMail::as_select()).load(conn)?;
    diesel::update(dsl::mails.filter(dsl::id.eq_any(ids)))
        .set(dsl::next_attempt_at.eq(now + TimeDelta::minutes(LEASE_MINUTES)))
        .execute(conn)?;
    Ok(due)
}

/// What happened, with its causes: the mail server's own words come last.
fn told(error: &anyhow::Error) -> String {
    let mut said = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !said.contains(&cause) {
            said = if said.is_empty() { cause } else { format!("{said}: {cause}") };
        }
    }
    let line: String = said.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAIL_ERROR_LENGTH).collect()
}

/// Records the result of an attempt. A failed mail is retried later until it is given up; it keeps its content, for an operator to send it again,
/// unless that gives access. Sent mails lose theirs.
fn note_attempt(
    conn: &mut Conn,
    id: i64,
    attempts: i32,
    problem: Option<&str>,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let row = dsl::mails.find(id);
    let Some(problem) = problem else {
        let sent = (
            dsl::state.eq(MailState::Sent),
            dsl::attempts.eq(attempts),
            dsl::sent_at.eq(now),
            dsl::error.eq(""),
            dsl::parameters.eq(NONE),
            dsl::parameters_sealed.eq(None::<String>),
        );
        diesel::update(row).set(sent).execute(conn)?;
        return Ok(());
    };
    let (state, minutes) = after_failure(attempts);
    let next_attempt_at = now + TimeDelta::minutes(minutes);
    let failed = (
        dsl::state.eq(state),
        dsl::attempts.eq(attempts),
        dsl::next_attempt_at.eq(next_attempt_at),
        dsl::error.eq(problem),
    );
    diesel::update(row).set(failed).execute(conn)?;
    if state == MailState::Failed {
        diesel::update(dsl::mails.find(id)).set(dsl::parameters_sealed.eq(None::<String>)).execute(conn)?;
    }
    Ok(())
}

async fn deliver(app: &App, mail: QueuedMail, now: NaiveDateTime) -> anyhow::Result<()> {
    let letter = compose(app, &mail)?;
    let Some(smtp_url) = &app.config.smtp_url else { return write_to_files(app, &mail, &letter, now) };
    let message = message(&app.config.mail_from, &mail.recipient, letter, app.logo.as_deref())?;
    let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(smtp_url).context("POSTERN_SMTP_URL")?.build();
    transport.send(message).await?;
    Ok(())
}

/// Writes the plain text with its main headers, and the HTML as a page beside it.
fn write_to_files(app: &App, mail: &QueuedMail, letter: &Letter, now: NaiveDateTime) -> anyhow::Result<()> {
    let folder = app.config.var_dir.join("mail");
    crate::files::make_folder(&folder)?;
    let path = folder.join(format!("{:08}.txt", mail.id));
    let time = postern_core::time::to_wire(now);
    let Letter { subject, text, unsubscribe, .. } = letter;
    let unsubscribe = unsubscribe.as_ref().map_or_else(String::new, |link| format!("List-Unsubscribe: <{link}>\n"));
    let text = format!("To: {}\nDate: {time} UTC\nSubject: {subject}\n{unsubscribe}\n{text}\n", mail.recipient);
    crate::security::write_private(&path.with_extension("html"), &alone(&letter.html, app.logo.as_deref()))?;
    crate::security::write_private(&path, &text)?;
    tracing::info!(path = %path.display(), "no SMTP server is configured: a mail was written to a file");
    Ok(())
}
