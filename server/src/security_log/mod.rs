//! SQL about the security log: entries with their mail and event, and queued failed sign-ins.
pub mod types;
pub mod visitor;

use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::events;
use crate::http::list::{ListRequest, Page, page_of_rows, within};
use crate::http::request::SignedIn;
use crate::locations::Locations;
use crate::mails;
use crate::schema::{failed_sign_ins, security_log, users};
use crate::security_log::types::{SecurityEntry, SecurityLogFilter};
use crate::security_log::visitor::Visitor;
use chrono::NaiveDateTime;
use postern_core::access::Ended;
use postern_core::event::EventKind;
use postern_core::language::Language;
use postern_core::list::SECURITY_LOG;
use postern_core::mail::MailTemplate;
use postern_core::security_log::{SecurityKind, device_name};
use postern_core::time::to_wire;
use serde_json::{Value, json};

/// Failed sign-ins processed per transaction.
pub const AT_ONCE: usize = 100;

/// Writes an entry, and notifies the user if access was changed. `detail` is what was changed, such as a key's name.
pub fn note(
    conn: &mut Conn,
    user_id: i64,
    kind: SecurityKind,
    visitor: &Visitor,
    detail: &str,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    write(conn, user_id, kind, visitor, detail, now)?;
    if !kind.notifies_user() {
        return Ok(());
    }
    tell(conn, user_id, kind, MailTemplate::SecurityChanged, &parameters(kind, visitor, now), now)
}

/// Writes an entry about what the user has just done. It is mailed, but in a session it rings no bell.
pub fn note_own(
    conn: &mut Conn,
    who: &SignedIn,
    kind: SecurityKind,
    visitor: &Visitor,
    detail: &str,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    note(conn, who.user_id, kind, visitor, detail, now)?;
    match who.person() {
        Some(person) if kind.notifies_user() => {
            events::known_to(conn, person, who.account_id, EventKind::SecurityChanged, 1)
        }
        _ => Ok(()),
    }
}

/// Writes an entry about a change that ended other access, and one about each kind of access; one mail names all of it.
pub fn note_ended(
    conn: &mut Conn,
    user_id: i64,
    kind: SecurityKind,
    visitor: &Visitor,
    ended: &[Ended],
    now: NaiveDateTime,
) -> Result<(), AppError> {
    for Ended { kind, names } in ended {
        if let Some(kind) = kind.logged_as() {
            insert(conn, user_id, kind, (&visitor.address, &visitor.user_agent, names), now)?;
        }
    }
    insert(conn, user_id, kind, (&visitor.address, &visitor.user_agent, ""), now)?;
    let line =
        |ended: &Ended| json!({ "Key": format!("security:ended.{}", ended.kind.as_str()), "Names": ended.names });
    let mut parameters = parameters(kind, visitor, now);
    parameters["EndedKeys"] = ended.iter().map(line).collect();
    let template = if ended.is_empty() { MailTemplate::SecurityChanged } else { MailTemplate::AccessEnded };
    tell(conn, user_id, kind, template, &parameters, now)
}

/// Notifies a user on screen and by mail.
fn tell(
    conn: &mut Conn,
    user_id: i64,
    kind: SecurityKind,
    template: MailTemplate,
    parameters: &Value,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let (account_id, email, language): (i64, String, Language) =
        users::table.find(user_id).select((users::account_id, users::email, users::language)).first(conn)?;
    events::record(conn, account_id, EventKind::SecurityChanged, &json!({ "Change": kind }), now)?;
    mails::queue(conn, &email, language, template, parameters, now)
}

/// Writes an entry alone, for a change about which the user is notified otherwise.
pub fn write(
    conn: &mut Conn,
    user_id: i64,
    kind: SecurityKind,
    visitor: &Visitor,
    detail: &str,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    insert(conn, user_id, kind, (&visitor.address, &visitor.user_agent, detail), now)
}

/// The parameters of a mail about a change.
pub fn parameters(kind: SecurityKind, visitor: &Visitor, now: NaiveDateTime) -> Value {
    let mut parameters = json!({
        "ChangeKey": format!("security:kinds.{}", kind.as_str()),
        "Address": visitor.address,
        "At": to_wire(now),
    });
    name_device(&mut parameters, visitor);
    parameters
}

/// Sets the device's name, or a text key for an unknown device in the user's language.
pub fn name_device(parameters: &mut Value, visitor: &Visitor) {
    let name = device_name(&visitor.user_agent);
    if name.is_empty() {
        parameters["DeviceKey"] = json!("security:unknownDevice");
    } else {
        parameters["Device"] = name.into();
    }
}

fn insert(
    conn: &mut Conn,
    user_id: i64,
    kind: SecurityKind,
    (address, user_agent, detail): (&str, &str, &str),
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let row = (
        security_log::user_id.eq(user_id),
        security_log::kind.eq(kind),
        security_log::address.eq(address),
        security_log::user_agent.eq(user_agent),
        security_log::detail.eq(detail),
        security_log::created_at.eq(now),
    );
    diesel::insert_into(security_log::table).values(row).execute(conn)?;
    Ok(())
}

/// Queues a failed sign-in, in the same way whether or not the address has an account: the duration must not reveal that.
pub fn record_failure(conn: &mut Conn, email: &str, visitor: &Visitor, now: NaiveDateTime) -> Result<(), AppError> {
    let row = (
        failed_sign_ins::email.eq(email),
        failed_sign_ins::address.eq(&visitor.address),
        failed_sign_ins::user_agent.eq(&visitor.user_agent),
        failed_sign_ins::created_at.eq(now),
    );
    diesel::insert_into(failed_sign_ins::table).values(row).execute(conn)?;
    Ok(())
}

pub fn is_any_failure_waiting(conn: &mut Conn) -> Result<bool, AppError> {
    Ok(failed_sign_ins::table.select(failed_sign_ins::id).first::<i64>(conn).optional()?.is_some())
}

/// Moves the oldest failed sign-ins to the logs of their users and returns how many; those with unknown addresses are dropped. Concurrent processes
/// take different rows.
pub fn log_failures(conn: &mut Conn) -> Result<usize, AppError> {
    type Failure = (i64, String, String, String, NaiveDateTime);
    let oldest = failed_sign_ins::table.order(failed_sign_ins::id).limit(AT_ONCE as i64);
    let taken: Vec<Failure> = oldest.locked_if_free().load(conn)?;
    for (_, email, address, user_agent, at) in &taken {
        let user_id: Option<i64> =
            users::table.filter(users::email.eq(email)).select(users::id).first(conn).optional()?;
        if let Some(user_id) = user_id {
            insert(conn, user_id, SecurityKind::SignInFailed, (address, user_agent, ""), *at)?;
        }
    }
    let ids: Vec<i64> = taken.iter().map(|failure| failure.0).collect();
    diesel::delete(failed_sign_ins::table.filter(failed_sign_ins::id.eq_any(ids))).execute(conn)?;
    Ok(taken.len())
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = security_log)]
struct EntryRow {
    id: i64,
    kind: SecurityKind,
    address: String,
    user_agent: String,
    detail: String,
    created_at: NaiveDateTime,
}

impl EntryRow {
    fn view(self, locations: &Locations, language: Language) -> SecurityEntry {
        SecurityEntry {
            entry_id: self.id,
            at: to_wire(self.created_at),
            kind: self.kind,
            place: locations.name(&self.address, language),
            address: self.address,
            device: device_name(&self.user_agent),
            detail: self.detail,
        }
    }
}

/// One page of a user's log, newest first.
pub fn list(
    conn: &mut Conn,
    who: &SignedIn,
    locations: &Locations,
    list: &ListRequest,
) -> Result<Page<SecurityEntry>, AppError> {
    let filter: SecurityLogFilter = list.filters()?;
    let between = list.between()?;
    let asked = list.asked(&SECURITY_LOG)?;
    let narrowed = || {
        let query = security_log::table.filter(security_log::user_id.eq(who.user_id));
        let mut query = within(query.into_boxed(), security_log::created_at, between);
        if let Some(kind) = filter.kind {
            query = query.filter(security_log::kind.eq(kind));
        }
        query
    };
    let page = page_of_rows!(
        conn, asked, |row: EntryRow| narrowed().select(EntryRow::as_select()),
        counted: narrowed().select(security_log::id), number: security_log::id => row.id, fields: {}
    );
    page.map(|row| row.view(locations, who.language))
}
