//! SQL about pages of the audit log.
use crate::audit::views::{AuditEntry, EntryRow, views};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, Page, containing, page_of_rows, within};
use crate::schema::{audit_entries, users};
use postern_core::audit::{AuditAction, AuditChannel};
use postern_core::list::{AUDIT_LOG, CursorKey};
use serde::Deserialize;
use utoipa::ToSchema;

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct AuditFilter {
    #[schema(required = false)]
    pub action: Option<AuditAction>,
    #[schema(required = false)]
    pub channel: Option<AuditChannel>,
    /// The customer's account.
    #[schema(required = false)]
    pub account_id: Option<i64>,
}

/// One page of the audit log, by time unless it is sorted otherwise: entries from before the log existed came later than their time.
pub fn list(conn: &mut Conn, list: &ListRequest) -> Result<Page<AuditEntry>, AppError> {
    let filter: AuditFilter = list.filters()?;
    let between = list.between()?;
    let search = list.search.trim().to_owned();
    let asked = list.asked(&AUDIT_LOG)?;
    let narrowed = || {
        let mut query = within(audit_entries::table.into_boxed(), audit_entries::at, between);
        if !search.is_empty() {
            let named = || users::table.filter(users::email.like(containing(&search.to_lowercase())).escape('\\'));
            let by_operator = audit_entries::user_id.eq_any(named().select(users::id.nullable()));
            let about = audit_entries::account_id.eq_any(named().select(users::account_id.nullable()));
            let is_found = by_operator.assume_not_null().or(about.assume_not_null());
            query = query.filter(audit_entries::subject.eq(search.clone()).or(is_found));
        }
        if let Some(action) = filter.action {
            query = query.filter(audit_entries::action.eq(action));
        }
        if let Some(channel) = filter.channel {
            query = query.filter(audit_entries::channel.eq(channel));
        }
        if let Some(account_id) = filter.account_id {
            query = query.filter(audit_entries::account_id.eq(account_id));
        }
        query
    };
    let page = page_of_rows!(
        conn, asked, |row: EntryRow| narrowed().select(EntryRow::as_select()),
        counted: narrowed().select(audit_entries::id), number: audit_entries::id => row.id,
        fields: { "At" => audit_entries::at, time, CursorKey::Time(row.at) }
    );
    page.views(|rows| views(conn, rows))
}
