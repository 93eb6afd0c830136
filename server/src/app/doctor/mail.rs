//! Mails: whether the mail server takes them, and which wait.
use crate::app::doctor::asking::{root_cause, wait_for};
use crate::app::doctor::finding::{Finding, Severity, counted};
use crate::app::doctor::queries::mails_queued;
use crate::config::{Config, Environment};
use crate::db::Conn;
use crate::error::AppError;
use anyhow::{Context, bail};
use chrono::{NaiveDateTime, TimeDelta};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use postern_core::mail::MailState;
use std::time::Duration;

const SERVER: &str = "mail server";
const TEST: &str = "test mail";
const LONGEST: Duration = Duration::from_secs(15);
/// Mails are sent within seconds: one that has waited longer has failed before, or nobody sends.
const LATE: TimeDelta = TimeDelta::minutes(5);
const RECENT: TimeDelta = TimeDelta::days(7);

/// Whether there is a mail server that lets the shop in, and takes a test mail to this address.
pub fn server(config: &Config, mail_to: Option<&str>) -> Vec<Finding> {
    let Some(url) = config.smtp_url.clone() else { return without_server(config, mail_to) };
    let remedy = "Check scheme, host, port, user and password in POSTERN_SMTP_URL; special characters of the password are written as %XX.";
    let connected = within(async move {
        match transport(&url)?.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => bail!("it answers, but takes no commands"),
            Err(error) => bail!("{}", explained(&error)),
        }
    });
    let mut found = match connected {
        Ok(()) => vec![Finding::ok(SERVER, "connects and lets the shop in")],
        Err(error) => vec![Finding::fault(SERVER, format!("no mail can be sent: {error:#}"), remedy)],
    };
    if let Some(address) = mail_to {
        found.push(test_mail(config, address));
    }
    found
}

fn without_server(config: &Config, mail_to: Option<&str>) -> Vec<Finding> {
    let severity = if config.environment == Environment::Production { Severity::Fault } else { Severity::Warning };
    let remedy =
        "Set POSTERN_SMTP_URL to smtps://user:password@host:port, and POSTERN_MAIL_FROM to a sender that it accepts.";
    let folder = config.var_dir.join("mail");
    let said = format!("none is set: mails are written to {}, and customers cannot sign up", folder.display());
    let mut found = vec![Finding::of(severity, SERVER, said, remedy)];
    if mail_to.is_some() {
        found.push(Finding::fault(TEST, "was not sent: there is no mail server", remedy));
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
    let sent = written(config, address).and_then(|(url, message)| {
        within(async move { transport(&url)?.send(message).await.map_err(|error| anyhow::anyhow!(explained(&error))) })
    });
    match sent {
        Ok(_) => Finding::ok(TEST, format!("one was sent to {address}; see whether it arrives, and not as spam")),
        Err(error) => {
            let remedy =
                "Check the address, and that the mail server lets POSTERN_SMTP_URL's user send as POSTERN_MAIL_FROM.";
            Finding::fault(TEST, format!("was not sent to {address}: {error:#}"), remedy)
        }
    }
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
    const CHECK: &str = "mail queue";
    let remedy = "Look at the finding about the mail server, and for \"a mail could not be sent\" in the server's log. Mails that wait are sent by themselves once the server takes them.";
    let mut found = Vec::new();
    let (waiting, first, attempts) = mails_queued(conn, MailState::Queued, NaiveDateTime::default(), now - LATE)?;
    if waiting > 0 {
        let age = age(now - first.unwrap_or(now));
        let attempts = counted(attempts.unwrap_or_default().unsigned_abs() as usize, "attempt");
        let said =
            format!("{} waiting, the oldest for {age}, after up to {attempts}", counted(waiting as usize, "mail"));
        found.push(Finding::warning(CHECK, said, remedy));
    }
    let (failed, first, _) = mails_queued(conn, MailState::Failed, now - RECENT, now)?;
    if failed > 0 {
        let age = age(now - first.unwrap_or(now));
        let said =
            format!("{} of the last 7 days given up, the oldest queued {age} ago", counted(failed as usize, "mail"));
        found.push(Finding::warning(CHECK, said, remedy));
    }
    if found.is_empty() {
        found.push(Finding::ok(CHECK, "no mail is late"));
    }
    Ok(found)
}

/// How long that is, in its largest unit.
fn age(time: TimeDelta) -> String {
    let (days, hours, minutes) = (time.num_days(), time.num_hours(), time.num_minutes());
    let (number, unit) = if days > 0 {
        (days, "day")
    } else if hours > 0 {
        (hours, "hour")
    } else {
        (minutes, "minute")
    };
    counted(number.unsigned_abs() as usize, unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_told_in_its_largest_unit() {
        for (seconds, told) in
            [(0, "0 minutes"), (60, "1 minute"), (7_200, "2 hours"), (86_399, "23 hours"), (172_800, "2 days")]
        {
            assert_eq!(age(TimeDelta::seconds(seconds)), told);
        }
    }
}
