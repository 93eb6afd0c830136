//! Entries of the audit log as operators see them.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{audit_entries, users};
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditChannel};
use postern_core::time::to_wire;
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;

/// Maximum number of entries shown with an account.
const SHOWN: i64 = 50;

/// What an operator did.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AuditEntry {
    /// The number of the entry.
    pub entry_id: i64,
    pub at: String,
    pub action: AuditAction,
    pub channel: AuditChannel,
    /// The operator's e-mail address; null for a command on the server.
    pub operator: Option<String>,
    /// The name of the API key, or of the system user who ran the command.
    pub actor: String,
    /// The operator's IP address; empty for a command.
    pub address: String,
    /// The customer's account that it is about.
    pub account_id: Option<i64>,
    /// The e-mail address of that account.
    pub email: Option<String>,
    /// What it is about: an order number, a coupon code, the name of a proxy server.
    pub subject: String,
    pub reason: String,
    pub changes: Vec<AuditChange>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = audit_entries)]
pub struct EntryRow {
    pub id: i64,
    pub at: NaiveDateTime,
    action: AuditAction,
    channel: AuditChannel,
    user_id: Option<i64>,
    actor: String,
    address: String,
    account_id: Option<i64>,
    subject: String,
    reason: String,
    changes: String,
}

/// The rows with the e-mail addresses of operators and customers.
pub fn views(conn: &mut Conn, rows: Vec<EntryRow>) -> Result<Vec<AuditEntry>, AppError> {
    let operators: Vec<i64> = rows.iter().filter_map(|row| row.user_id).collect();
    let operators = users::table.filter(users::id.eq_any(operators)).select((users::id, users::email));
    let operators: HashMap<i64, String> = operators.load(conn)?.into_iter().collect();
    let customers: Vec<i64> = rows.iter().filter_map(|row| row.account_id).collect();
    let customers = users::table.filter(users::account_id.eq_any(customers)).order(users::id.desc());
    let customers: HashMap<i64, String> =
        customers.select((users::account_id, users::email)).load(conn)?.into_iter().collect();
    let view = |row: EntryRow| {
        Ok(AuditEntry {
            entry_id: row.id,
            at: to_wire(row.at),
            action: row.action,
            channel: row.channel,
            operator: row.user_id.and_then(|user_id| operators.get(&user_id).cloned()),
            actor: row.actor,
            address: row.address,
            account_id: row.account_id,
            email: row.account_id.and_then(|account_id| customers.get(&account_id).cloned()),
            subject: row.subject,
            reason: row.reason,
            changes: serde_json::from_str(&row.changes)?,
        })
    };
    rows.into_iter().map(view).collect()
}

/// The latest entries about an account, newest first.
pub fn about(conn: &mut Conn, account_id: i64) -> Result<Vec<AuditEntry>, AppError> {
    let rows = audit_entries::table
        .filter(audit_entries::account_id.eq(account_id))
        .order(audit_entries::id.desc())
        .limit(SHOWN)
        .select(EntryRow::as_select())
        .load(conn)?;
    views(conn, rows)
}
