//! The command `postern secret-key`: replaces a lost secret key. What was encrypted with it is made anew where it can be, and dropped where it cannot.
use crate::app::open::open_database;
use crate::audit::{self, Actor, Entry};
use crate::clock::Clock;
use crate::config::Config;
use crate::db::prelude::*;
use crate::db::{Conn, Database};
use crate::error::AppError;
use crate::http::request::forget_sealed;
use crate::schema::{accounts, users};
use crate::security::{SecretKey, random};
use crate::settings::secret_key::{file, fits, given, replace_check};
use crate::settings::shared;
use crate::texts::Texts;
use crate::users::{email_changes, two_factor};
use crate::{api_keys, mails, payments, proxy_users, static_proxies, webhooks};
use anyhow::ensure;
use chrono::NaiveDateTime;
use clap::Subcommand;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::language::Language;
use postern_core::mail::MailTemplate;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Subcommand)]
pub enum SecretKeyCommand {
    /// Replace a lost secret key and all that was encrypted with it, and mail the customers concerned; without --yes, only show what would be
    /// replaced. Stop all servers first
    Replace {
        #[arg(long)]
        yes: bool,
    },
}

/// The number of replacements of each kind: what the terminal says, and the key of the customer's text.
const KINDS: [(&str, &str); 8] = [
    ("static proxies with a new password", "nodes"),
    ("plans with a new shared password", "plans"),
    ("proxy users with a new password", "proxy_users"),
    ("webhooks with a new secret", "webhooks"),
    ("access tokens replaced", "access_tokens"),
    ("users whose two-factor authentication was turned off", "two_factors"),
    ("saved cards removed, and automatic top-ups turned off", "cards"),
    ("unsent mails with a link dropped", "mails"),
];

/// What was replaced.
#[derive(Default)]
struct Replaced {
    /// By kind, in the order of `KINDS`.
    counts: [usize; KINDS.len()],
    /// By account.
    accounts: BTreeMap<i64, [usize; KINDS.len()]>,
    answers: usize,
    mailed: usize,
}

impl Replaced {
    /// Adds the accounts of a kind, one entry per replacement.
    fn add(&mut self, kind: &str, owners: Vec<i64>) {
        let Some(place) = KINDS.iter().position(|known| known.1 == kind) else { return };
        self.counts[place] += owners.len();
        for account_id in owners {
            self.accounts.entry(account_id).or_default()[place] += 1;
        }
    }

    fn lines(&self) -> Vec<String> {
        let counts = KINDS.iter().zip(&self.counts).map(|((kind, _), count)| format!("{count:>8} {kind}"));
        let others =
            [(self.answers, "stored responses with secrets deleted"), (self.mailed, "users mailed about their part")];
        counts.chain(others.map(|(count, kind)| format!("{count:>8} {kind}"))).collect()
    }
}

/// Runs the command and returns what it says.
pub fn run_secret_key_command(config: Config, command: &SecretKeyCommand) -> anyhow::Result<Vec<String>> {
    let SecretKeyCommand::Replace { yes } = command;
    let db = open_database(&config)?;
    let config = shared::join_shop(&db, config)?;
    let texts = Texts::load(&config.locales_dir)?;
    let given = given(&config)?;
    // Any key fits a database that has nothing encrypted yet.
    let fits = given.as_ref().map_or_else(|| fits(&db, &SecretKey::of(random())), |key| fits(&db, key))?;
    ensure!(fits == Some(false), "there is nothing to replace: the secret key fits the database");
    if !yes {
        let mut lines = preview(&db, &texts)?.lines();
        lines.push(
            "Nothing was changed. Stop all servers, then run again with --yes to replace all of this.".to_owned(),
        );
        return Ok(lines);
    }
    let is_new = given.is_none();
    let key = given.map_or_else(|| SecretKey::load_or_create(&file(&config)), Ok)?;
    let replaced = db.write_blocking(|conn| replace(conn, &key, &texts, Clock::default().now()));
    if replaced.is_err() && is_new {
        std::fs::remove_file(file(&config))?;
    }
    let mut lines = replaced.map_err(|error| anyhow::anyhow!("nothing was replaced: {error}"))?.lines();
    lines.push("The secret key was replaced. Links to unsubscribe in earlier mails no longer work.".to_owned());
    Ok(lines)
}

/// The whole replacement, rolled back.
fn preview(db: &Database, texts: &Texts) -> anyhow::Result<Replaced> {
    let mut replaced = None;
    let rolled_back: Result<(), AppError> = db.write_blocking(|conn| {
        replaced = Some(replace(conn, &SecretKey::of(random()), texts, Clock::default().now())?);
        Err(AppError::internal("only a preview"))
    });
    replaced.ok_or_else(|| anyhow::anyhow!("{:?}", rolled_back.err().map(|error| error.to_string())))
}

/// Replaces everything that is encrypted, in one transaction. A test finds the columns that are missing here.
fn replace(conn: &mut Conn, key: &SecretKey, texts: &Texts, now: NaiveDateTime) -> Result<Replaced, AppError> {
    let mut replaced = Replaced::default();
    let owners = static_proxies::new_passwords::replace_passwords(conn, key)?;
    replaced.add("nodes", owners.nodes);
    replaced.add("plans", owners.plans);
    replaced.add("proxy_users", proxy_users::queries::replace_all_passwords(conn, key, now)?);
    replaced.add("webhooks", webhooks::queries::replace_all_secrets(conn, key)?);
    replaced.add("access_tokens", api_keys::queries::replace_all_access_tokens(conn, key, now)?);
    replaced.add("two_factors", two_factor::turn_off_all(conn, now)?);
    replaced.add("cards", payments::cards::forget_unreadable(conn, now)?);
    drop_mails(conn, &mut replaced)?;
    replaced.answers = forget_sealed(conn)?;
    replace_check(conn, key)?;
    tell_owners(conn, &mut replaced, texts, now)?;
    let counts = KINDS.iter().zip(&replaced.counts).filter(|(_, count)| **count > 0);
    let counts = counts.map(|((_, kind), count)| AuditChange::new(AuditField::Replaced, format!("{kind}: {count}")));
    let entry = Entry::new(AuditAction::SecretKeyReplaced).changes(counts);
    audit::record(conn, &Actor::command(), entry, now)?;
    Ok(replaced)
}

/// Drops the mails that cannot be written any more. Their recipients may not have an account yet.
fn drop_mails(conn: &mut Conn, replaced: &mut Replaced) -> Result<(), AppError> {
    let dropped = mails::drop_sealed(conn)?;
    let notices = dropped.iter().filter(|(template, _)| *template == MailTemplate::EmailChangeNotice);
    let changing: Vec<String> = notices.map(|(_, recipient)| recipient.clone()).collect();
    email_changes::end_unannounced(conn, &changing)?;
    let count = dropped.len();
    let mut owners = Vec::new();
    for (_, recipient) in dropped {
        let owner = users::table.filter(users::email.eq(recipient)).select(users::account_id);
        owners.extend(owner.first::<i64>(conn).optional()?);
    }
    let strangers = count - owners.len();
    replaced.add("mails", owners);
    replaced.counts[KINDS.len() - 1] += strangers;
    Ok(())
}

fn tell_owners(conn: &mut Conn, replaced: &mut Replaced, texts: &Texts, now: NaiveDateTime) -> Result<(), AppError> {
    for (account_id, counts) in &replaced.accounts {
        let of_account = users::table
            .inner_join(accounts::table.on(accounts::id.eq(users::account_id)))
            .filter(users::account_id.eq(account_id))
            .filter(accounts::closed_at.is_null());
        let readers: Vec<(String, Language)> =
            of_account.order(users::id).select((users::email, users::language)).load(conn)?;
        let changes: Value = Language::ALL
            .iter()
            .map(|language| (language.as_str().to_owned(), changes(texts, *language, counts).into()))
            .collect::<serde_json::Map<String, Value>>()
            .into();
        for (email, language) in readers {
            let parameters = json!({ "Changes": changes });
            mails::queue(conn, &email, language, MailTemplate::SecretsReplaced, &parameters, now)?;
            replaced.mailed += 1;
        }
    }
    Ok(())
}

/// One line per kind that concerns this account.
fn changes(texts: &Texts, language: Language, counts: &[usize; KINDS.len()]) -> String {
    let concerned = KINDS.iter().zip(counts).filter(|(_, count)| **count > 0);
    let line = |((_, kind), count): (&(&str, &str), &usize)| {
        texts.get(language, &format!("security:replaced.{kind}"), &json!({ "Count": count }))
    };
    concerned.map(line).collect::<Vec<_>>().join("\n")
}
