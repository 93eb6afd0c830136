//! Writes the audit log, in the transaction of what an operator did. `audit_log` has its calls.
pub mod views;

use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::audit_entries::dsl;
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditChannel, audit_text};
use postern_core::staff::StaffRole;

/// The operator who does something.
#[derive(Clone, Debug)]
pub struct Actor {
    /// `None` for a command on the server.
    pub user_id: Option<i64>,
    pub role: StaffRole,
    channel: AuditChannel,
    /// The API key's name, or who runs the command.
    name: String,
    address: String,
}

impl Actor {
    /// An operator in person, or an API key of theirs with this name.
    pub fn operator(user_id: i64, role: StaffRole, key_name: Option<String>, address: String) -> Actor {
        let channel = if key_name.is_some() { AuditChannel::ApiKey } else { AuditChannel::Screen };
        Actor { user_id: Some(user_id), role, channel, name: key_name.unwrap_or_default(), address }
    }

    /// Whoever runs a command on the server.
    pub fn command() -> Actor {
        let named = ["SUDO_USER", "USER", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok());
        let name = audit_text(&named.unwrap_or_default());
        Actor { user_id: None, role: StaffRole::Operator, channel: AuditChannel::Command, name, address: String::new() }
    }
}

/// What an operator did.
pub struct Entry<'a> {
    action: AuditAction,
    account_id: Option<i64>,
    subject: String,
    reason: &'a str,
    changes: Vec<AuditChange>,
}

impl<'a> Entry<'a> {
    pub fn new(action: AuditAction) -> Entry<'a> {
        Entry { action, account_id: None, subject: String::new(), reason: "", changes: Vec::new() }
    }

    /// The customer's account that it is about.
    pub fn account(self, account_id: i64) -> Entry<'a> {
        Entry { account_id: Some(account_id), ..self }
    }

    /// What it is about: an order's number, a coupon's code, a server's name.
    pub fn subject(self, subject: impl ToString) -> Entry<'a> {
        Entry { subject: audit_text(&subject.to_string()), ..self }
    }

    pub fn reason(self, reason: &'a str) -> Entry<'a> {
        Entry { reason, ..self }
    }

    pub fn changes(mut self, changes: impl IntoIterator<Item = AuditChange>) -> Entry<'a> {
        self.changes.extend(changes);
        self
    }
}

/// Adds an entry. The database refuses to change or to delete it later.
pub fn record(conn: &mut Conn, actor: &Actor, entry: Entry, now: NaiveDateTime) -> Result<(), AppError> {
    let cut = |text: Option<String>| text.as_deref().map(audit_text);
    let changes = entry.changes.into_iter();
    let changes: Vec<AuditChange> =
        changes.map(|change| AuditChange { before: cut(change.before), after: cut(change.after), ..change }).collect();
    let row = (
        dsl::at.eq(now),
        dsl::action.eq(entry.action),
        dsl::channel.eq(actor.channel),
        dsl::user_id.eq(actor.user_id),
        dsl::actor.eq(&actor.name),
        dsl::address.eq(&actor.address),
        dsl::account_id.eq(entry.account_id),
        dsl::subject.eq(entry.subject),
        dsl::reason.eq(audit_text(entry.reason)),
        dsl::changes.eq(serde_json::to_string(&changes)?),
    );
    diesel::insert_into(dsl::audit_entries).values(row).execute(conn)?;
    Ok(())
}
