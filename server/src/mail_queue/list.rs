//! SQL about the mails of the last days.
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, MORE_THAN_FEW, Page, containing, few, page_of_rows, within};
use crate::mail_queue::types::{MailFilter, MailView, MailsResent};
use crate::mails::NONE;
use crate::schema::mails;
use chrono::NaiveDateTime;
use diesel::dsl::exists;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::language::Language;
use postern_core::list::MAILS;
use postern_core::mail::{MailState, MailTemplate, can_resend};
use postern_core::time::to_wire;

#[derive(Queryable, Selectable)]
#[diesel(table_name = mails)]
struct Row {
    id: i64,
    recipient: String,
    language: Language,
    template: MailTemplate,
    state: MailState,
    attempts: i32,
    next_attempt_at: NaiveDateTime,
    created_at: NaiveDateTime,
    sent_at: Option<NaiveDateTime>,
    error: String,
    parameters: String,
    parameters_sealed: Option<String>,
}

impl Row {
    fn can_resend(&self) -> bool {
        can_resend(self.state, self.attempts, self.parameters != NONE || self.parameters_sealed.is_some())
    }

    fn view(self) -> MailView {
        MailView {
            can_resend: self.can_resend(),
            mail_id: self.id,
            recipient: self.recipient,
            language: self.language,
            template: self.template,
            state: self.state,
            attempts: self.attempts,
            created_at: to_wire(self.created_at),
            sent_at: self.sent_at.map(to_wire),
            next_attempt_at: (self.state == MailState::Queued).then(|| to_wire(self.next_attempt_at)),
            error: (!self.error.is_empty()).then_some(self.error),
        }
    }
}

pub fn list(conn: &mut Conn, list: &ListRequest) -> Result<Page<MailView>, AppError> {
    let filter: MailFilter = list.filters()?;
    let between = list.between()?;
    let search = list.search.trim().to_lowercase();
    let asked = list.asked(&MAILS)?;
    // An index finds the mails to a whole address.
    let is_whole = search.contains('@')
        && diesel::select(exists(mails::table.filter(mails::recipient.eq(&search)))).get_result(conn)?;
    let all = || {
        let mut query = within(mails::table.into_boxed(), mails::created_at, between);
        if is_whole {
            query = query.filter(mails::recipient.eq(search.clone()));
        } else if !search.is_empty() {
            query = query.filter(mails::recipient.like(containing(&search)).escape('\\'));
        }
        if let Some(state) = filter.state {
            query = query.filter(mails::state.eq(state));
        }
        if let Some(template) = filter.template {
            query = query.filter(mails::template.eq(template));
        }
        query
    };
    let found = if search.is_empty() { None } else { few(all().select(mails::id).limit(MORE_THAN_FEW).load(conn)?) };
    let narrowed = || match &found {
        Some(ids) => mails::table.filter(mails::id.eq_any(ids.clone())).into_boxed(),
        None => all(),
    };
    let page = page_of_rows!(
        conn, asked, |row: Row| narrowed().select(Row::as_select()),
        counted: narrowed().select(mails::id), number: mails::id => row.id, fields: {}
    );
    page.map(Row::view)
}

/// Sends mails again at once, if they can be.
pub fn resend(conn: &mut Conn, ids: &[i64], actor: &Actor, now: NaiveDateTime) -> Result<MailsResent, AppError> {
    let rows: Vec<Row> =
        mails::table.filter(mails::id.eq_any(ids)).order(mails::id).select(Row::as_select()).locked().load(conn)?;
    let again: Vec<i64> = rows.iter().filter(|row| row.can_resend()).map(|row| row.id).collect();
    let queued = (mails::state.eq(MailState::Queued), mails::attempts.eq(0), mails::next_attempt_at.eq(now));
    diesel::update(mails::table.filter(mails::id.eq_any(&again))).set(queued).execute(conn)?;
    if let Some(first) = rows.iter().find(|row| row.can_resend()) {
        let count = [AuditChange::new(AuditField::Mails, again.len())];
        let entry = Entry::new(AuditAction::MailsResent).subject(&first.recipient).changes(count);
        audit::record(conn, actor, entry, now)?;
    }
    let asked = ids.iter().collect::<std::collections::BTreeSet<_>>().len();
    Ok(MailsResent { resent: again.len(), left: asked - again.len() })
}
