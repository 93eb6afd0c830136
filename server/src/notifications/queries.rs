//! SQL about notifications: the events of an account, and each user's read state.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::list::{ListRequest, Page, page_of_rows, within};
use crate::http::request::SignedIn;
use crate::notifications::choices::hidden_kinds;
use crate::notifications::types::{MarkRead, NotificationView, Unread};
use crate::schema::{events, notification_reads, users};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::{exists, max, not};
use postern_core::calls::Scope;
use postern_core::event::EventKind;
use postern_core::list::NOTIFICATIONS;
use postern_core::notification::{EVENTS_KEPT_DAYS, MAX_UNREAD};
use postern_core::time::to_wire;
use std::collections::HashSet;

/// Events deleted per transaction.
const CHUNK: i64 = 5_000;

fn read_up_to(conn: &mut Conn, user_id: i64) -> Result<i64, AppError> {
    Ok(users::table.find(user_id).select(users::read_up_to).first(conn)?)
}

/// The kinds that a request does not see: those that the user turned off, and without the scope for billing those that tell amounts.
fn unseen_kinds(conn: &mut Conn, who: &SignedIn) -> Result<Vec<EventKind>, AppError> {
    let mut unseen = hidden_kinds(conn, who.user_id)?;
    if !who.has_scope(Scope::ReadBilling) {
        unseen.extend(EventKind::ALL.iter().filter(|kind| kind.tells_amounts()));
    }
    Ok(unseen)
}

/// The notifications of a user, newest first.
pub fn list(conn: &mut Conn, who: &SignedIn, list: &ListRequest) -> Result<Page<NotificationView>, AppError> {
    let between = list.between()?;
    let asked = list.asked(&NOTIFICATIONS)?;
    let hidden = unseen_kinds(conn, who)?;
    let shown = || {
        let query =
            events::table.filter(events::account_id.eq(who.account_id)).filter(events::kind.ne_all(hidden.clone()));
        within(query.into_boxed(), events::created_at, between)
    };
    type Row = (i64, EventKind, String, NaiveDateTime);
    let page = page_of_rows!(
        conn, asked, |row: Row| shown().select((events::id, events::kind, events::data, events::created_at)),
        counted: shown().select(events::id), number: events::id => row.0, fields: {}
    );
    let read_up_to = read_up_to(conn, who.user_id)?;
    let ids: Vec<i64> = page.rows.iter().map(|row| row.0).collect();
    let marks = notification_reads::table
        .filter(notification_reads::user_id.eq(who.user_id))
        .filter(notification_reads::event_id.eq_any(ids));
    let marked: Vec<i64> = marks.select(notification_reads::event_id).load(conn)?;
    let marked: HashSet<i64> = marked.into_iter().collect();
    let view = |(id, kind, data, created_at): Row| {
        Ok(NotificationView {
            notification_id: id,
            kind,
            data: serde_json::from_str(&data)?,
            created_at: to_wire(created_at),
            is_read: id <= read_up_to || marked.contains(&id),
        })
    };
    page.views(|rows| rows.into_iter().map(view).collect())
}

/// The number of unread notifications of a user, up to a limit.
pub fn unread(conn: &mut Conn, who: &SignedIn) -> Result<Unread, AppError> {
    let (read_up_to, hidden) = (read_up_to(conn, who.user_id)?, unseen_kinds(conn, who)?);
    let mark = notification_reads::table
        .filter(notification_reads::user_id.eq(who.user_id))
        .filter(notification_reads::event_id.eq(events::id));
    let unread = events::table
        .filter(events::account_id.eq(who.account_id))
        .filter(events::id.gt(read_up_to))
        .filter(events::kind.ne_all(hidden))
        .filter(not(exists(mark)));
    let found: Vec<i64> = unread.order(events::id.desc()).limit(MAX_UNREAD + 1).select(events::id).load(conn)?;
    let unread = i64::try_from(found.len()).unwrap_or(i64::MAX);
    Ok(Unread { unread: unread.min(MAX_UNREAD), has_more: unread > MAX_UNREAD })
}

/// Marks events of the user's account as read. Later events stay unread, even if `up_to` is higher.
pub fn mark_read(conn: &mut Conn, who: &SignedIn, marks: &MarkRead) -> Result<(), AppError> {
    let before = read_up_to(conn, who.user_id)?;
    if let Some(up_to) = marks.up_to {
        let latest = events::table.filter(events::account_id.eq(who.account_id)).select(max(events::id));
        let latest: Option<i64> = latest.first(conn)?;
        let up_to = up_to.min(latest.unwrap_or_default());
        // Concurrent calls must never move the mark back.
        let user = users::table.find(who.user_id).filter(users::read_up_to.lt(up_to));
        diesel::update(user).set(users::read_up_to.eq(up_to)).execute(conn)?;
        let outdated = notification_reads::table
            .filter(notification_reads::user_id.eq(who.user_id))
            .filter(notification_reads::event_id.le(up_to));
        diesel::delete(outdated).execute(conn)?;
    }
    let own = events::table
        .filter(events::id.eq_any(&marks.notification_ids))
        .filter(events::account_id.eq(who.account_id))
        .filter(events::id.gt(before))
        .select(events::id);
    let own: Vec<i64> = own.load(conn)?;
    for event_id in own {
        let row = (notification_reads::user_id.eq(who.user_id), notification_reads::event_id.eq(event_id));
        let insert = diesel::insert_into(notification_reads::table).values(row).on_conflict_do_nothing();
        on_either!(conn, insert.execute(conn)?);
    }
    Ok(())
}

/// Deletes events past their retention, and their read marks. Returns whether there may be more.
pub fn forget(conn: &mut Conn, now: NaiveDateTime) -> Result<bool, AppError> {
    let old = events::table
        .filter(events::created_at.lt(now - TimeDelta::days(EVENTS_KEPT_DAYS)))
        .order(events::created_at)
        .limit(CHUNK)
        .select(events::id);
    let ids: Vec<i64> = old.load(conn)?;
    let marks = notification_reads::table.filter(notification_reads::event_id.eq_any(&ids));
    diesel::delete(marks).execute(conn)?;
    diesel::delete(events::table.filter(events::id.eq_any(&ids))).execute(conn)?;
    Ok(ids.len() as i64 == CHUNK)
}
