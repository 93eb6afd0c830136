//! Mails: whether the mail server takes them, and which wait.
use crate::config::{Config, Environment};
use crate::db::Conn;
use crate::doctor::asking::{root_cause, wait_for};
use crate::doctor::finding::Finding;
use crate::doctor::queries::mails_queued;
use crate::error::AppError;
use anyhow::{Context, bail};
use chrono::{NaiveDateTime, TimeDelta};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use postern_core::diagnosis::{Diagnosis, Severity, ShopCheck};
use postern_core::mail::MailState;
use postern_core::time::to_wire;
use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(15);
/// Mails are sent within seconds: one that has waited longer has failed before, or nobody sends.
const LATE: TimeDelta = TimeDelta::minutes(5);
const RECENT_DAYS: i64 = 7;

/// Whether there is a mail server that lets the shop in, and takes a test mail to this address.
pub fn server(config: &Config, mail_to: Option<&str>) -> Vec<Finding> {
    const CHECK: ShopCheck = ShopCheck::MailServer;
    let Some(url) = config.smtp_url.clone() else { return without_server(config, mail_to) };
    let connected = within(async move {
        match transport(&url)?.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => bail!("it answers, but takes no commands"),
            Err(error) => bail!("{}", explained(&error)),
        }
    });
    let mut found = vec![match connected {
        Ok(()) => Finding::ok(CHECK, Diagnosis::MailServerFine),
        Err(error) => Finding::fault(CHECK, Diagnosis::MailServerFails).with("Cause", format!("{error:#}")),
    }];
    if let Some(address) = mail_to {
        found.push(test_mail(config, address));
    }
    found
}

fn without_server(config: &Config, mail_to: Option<&str>) -> Vec<Finding> {
    let severity = if config.environment == Environment::Production { Severity::Fault } else { Severity::Warning };
    let missing = Finding::of(severity, ShopCheck::MailServer, Diagnosis::MailServerMissing);
    let mut found = vec![missing.with("Folder", config.var_dir.join("mail").display())];
    if mail_to.is_some() {
        found.push(Finding::fault(ShopCheck::TestMail, Diagnosis::TestMailImpossible));
    }
    found
}

fn transport(url: &str) -> anyhow::Result<AsyncSmtpTransport<Tokio1Executor>> {
    // The URL contains a password: keep it out of the message.
    let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url);
    let builder =
        builder.map_err(|_| anyhow::anyhow!("POSTERN_SMTP_URL is not of the form smtps://user:password@host:port"))?;
    Ok(builder.timeout(Some(LONGEST)).build())
}

fn explained(error: &lettre::transport::smtp::Error) -> String {
    let (error, cause) = (error.to_string(), root_cause(error));
    if error.contains(&cause) { error } else { format!("{error}: {cause}") }
}

fn within<T: Send + 'static>(work: impl Future<Output = anyhow::Result<T>> + Send + 'static) -> anyhow::Result<T> {
    wait_for(async move {
        let done = tokio::time::timeout(LONGEST, work).await;
        done.unwrap_or_else(|_| bail!("no answer within {} seconds", LONGEST.as_secs()))
    })?
}

fn test_mail(config: &Config, address: &str) -> Finding {
    const CHECK: ShopCheck = ShopCheck::TestMail;
    let sent = written(config, address).and_then(|(url, message)| {
        within(async move { transport(&url)?.send(message).await.map_err(|error| anyhow::anyhow!(explained(&error))) })
    });
    let found = match sent {
        Ok(_) => Finding::ok(CHECK, Diagnosis::TestMailSent),
        Err(error) => Finding::fault(CHECK, Diagnosis::TestMailFailed).with("Cause", format!("{error:#}")),
    };
    found.with("Address", address)
}

fn written(config: &Config, address: &str) -> anyhow::Result<(String, Message)> {
    let url = config.smtp_url.clone().context("there is no mail server")?;
    let text = format!(
        "This is a test of `postern doctor`. Mails of {} at {} reach you.\n",
        config.shop_name, config.public_url
    );
    let message = Message::builder()
        .from(config.mail_from.parse().context("POSTERN_MAIL_FROM")?)
        .to(address.parse().context("the address")?)
        .subject(format!("{}: a test mail", config.shop_name))
        .body(text)?;
    Ok((url, message))
}

/// Mails that were not sent in time, or not at all.
pub fn queue(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<Finding>, AppError> {
    const CHECK: ShopCheck = ShopCheck::MailQueue;
    let mut found = Vec::new();
    let (waiting, first, attempts) = mails_queued(conn, MailState::Queued, NaiveDateTime::default(), now - LATE)?;
    if waiting > 0 {
        let late = Finding::warning(CHECK, Diagnosis::MailsWait).with("Count", waiting);
        found.push(late.with("Since", to_wire(first.unwrap_or(now))).with("Attempts", attempts.unwrap_or_default()));
    }
    let recent = now - TimeDelta::days(RECENT_DAYS);
    let (failed, first, _) = mails_queued(conn, MailState::Failed, recent, now)?;
    if failed > 0 {
        let given_up = Finding::warning(CHECK, Diagnosis::MailsGivenUp).with("Count", failed);
        found.push(given_up.with("Since", to_wire(first.unwrap_or(now))).with("Days", RECENT_DAYS));
    }
    if found.is_empty() {
        found.push(Finding::ok(CHECK, Diagnosis::NoMailLate));
    }
    Ok(found)
}
