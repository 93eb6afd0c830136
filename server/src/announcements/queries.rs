//! Announcements as rows.
use crate::announcements::types::{AnnouncementView, ShownAnnouncement};
use crate::audit::{self, Actor, Entry};
use crate::db::prelude::*;
use crate::db::{Conn, one_at_a_time};
use crate::error::AppError;
use crate::schema::{announcements, users};
use chrono::NaiveDateTime;
use postern_core::announcement::{
    Announcement, AnnouncementState, AnnouncementTone, MAX_ANNOUNCEMENTS, SHOWN_ANNOUNCEMENTS,
};
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use postern_core::time::to_wire;
use std::collections::HashMap;

/// The name of additions among works that wait for each other: there is a maximum.
const ANNOUNCEMENTS_LOCK: i64 = 0x616e_6e6f_756e_6365;

#[derive(Queryable, Selectable)]
#[diesel(table_name = announcements)]
struct Row {
    id: i64,
    tone: AnnouncementTone,
    text_en: String,
    text_zh: String,
    link: String,
    valid_from: NaiveDateTime,
    valid_until: Option<NaiveDateTime>,
    user_id: i64,
    changed_at: NaiveDateTime,
}

impl Row {
    fn shown(self) -> ShownAnnouncement {
        ShownAnnouncement {
            announcement_id: self.id,
            tone: self.tone,
            text_en: self.text_en,
            text_zh: self.text_zh,
            link: self.link,
            changed_at: to_wire(self.changed_at),
        }
    }

    /// Its values as the audit log names them.
    fn values(&self) -> [(AuditField, String); 6] {
        [
            (AuditField::Text, self.text_en.clone()),
            (AuditField::TextZh, self.text_zh.clone()),
            (AuditField::Link, self.link.clone()),
            (AuditField::Tone, self.tone.as_str().to_owned()),
            (AuditField::ValidFrom, to_wire(self.valid_from)),
            (AuditField::ValidUntil, self.valid_until.map(to_wire).unwrap_or_default()),
        ]
    }
}

/// What customers see now, the newest first.
pub fn shown(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<ShownAnnouncement>, AppError> {
    let begun = announcements::table.filter(announcements::valid_from.le(now));
    let present = begun.filter(announcements::valid_until.is_null().or(announcements::valid_until.gt(now)));
    let newest = present.order((announcements::valid_from.desc(), announcements::id.desc()));
    let rows: Vec<Row> = newest.limit(SHOWN_ANNOUNCEMENTS.into()).select(Row::as_select()).load(conn)?;
    Ok(rows.into_iter().map(Row::shown).collect())
}

/// All announcements, the newest first.
pub fn all(conn: &mut Conn, now: NaiveDateTime) -> Result<Vec<AnnouncementView>, AppError> {
    let newest = announcements::table.order((announcements::valid_from.desc(), announcements::id.desc()));
    let rows: Vec<Row> = newest.select(Row::as_select()).load(conn)?;
    let operators: Vec<i64> = rows.iter().map(|row| row.user_id).collect();
    let operators = users::table.filter(users::id.eq_any(operators)).select((users::id, users::email));
    let operators: HashMap<i64, String> = operators.load::<(i64, String)>(conn)?.into_iter().collect();
    let view = |row: Row| AnnouncementView {
        state: AnnouncementState::at(now, row.valid_from, row.valid_until),
        valid_from: to_wire(row.valid_from),
        valid_until: row.valid_until.map(to_wire),
        operator: operators.get(&row.user_id).cloned().unwrap_or_default(),
        announcement: row.shown(),
    };
    Ok(rows.into_iter().map(view).collect())
}

fn find(conn: &mut Conn, id: i64) -> Result<Row, AppError> {
    let row = announcements::table.find(id).select(Row::as_select()).first(conn).optional()?;
    row.ok_or_else(|| AppError::code(Code::NotFound))
}

/// Changes the announcement with this id, or adds one.
pub fn save(
    conn: &mut Conn,
    id: Option<i64>,
    wanted: &Announcement,
    (user_id, actor): (i64, &Actor),
    now: NaiveDateTime,
) -> Result<(), AppError> {
    one_at_a_time(conn, ANNOUNCEMENTS_LOCK)?;
    let before = id.map(|id| find(conn, id)).transpose()?;
    let values = (
        announcements::tone.eq(wanted.tone),
        announcements::text_en.eq(&wanted.text_en),
        announcements::text_zh.eq(&wanted.text_zh),
        announcements::link.eq(&wanted.link),
        announcements::valid_from.eq(wanted.valid_from),
        announcements::valid_until.eq(wanted.valid_until),
        announcements::user_id.eq(user_id),
        announcements::changed_at.eq(now),
    );
    let id = match id {
        Some(id) => {
            diesel::update(announcements::table.find(id)).set(values).execute(conn)?;
            id
        }
        None => {
            let count: i64 = announcements::table.count().get_result(conn)?;
            if count >= MAX_ANNOUNCEMENTS.into() {
                let max = [("Max", MAX_ANNOUNCEMENTS.to_string())];
                return Err(FieldErrors::one("TextEn", Rule::TooManyAnnouncements, &max).into());
            }
            let inserted = diesel::insert_into(announcements::table).values(values);
            inserted.returning(announcements::id).get_result(conn)?
        }
    };
    let after = find(conn, id)?.values();
    let changes: Vec<AuditChange> = match before {
        Some(before) => {
            let pairs = before.values().into_iter().zip(after);
            pairs.filter_map(|((field, before), (_, after))| AuditChange::between(field, before, after)).collect()
        }
        None => set(after).map(|(field, value)| AuditChange::new(field, value)).collect(),
    };
    audit::record(conn, actor, Entry::new(AuditAction::AnnouncementSaved).changes(changes), now)
}

pub fn delete(conn: &mut Conn, id: i64, actor: &Actor, now: NaiveDateTime) -> Result<(), AppError> {
    let before = find(conn, id)?.values();
    if diesel::delete(announcements::table.find(id)).execute(conn)? == 0 {
        return Err(AppError::code(Code::NotFound));
    }
    let changes = set(before).map(|(field, value)| AuditChange::gone(field, value));
    audit::record(conn, actor, Entry::new(AuditAction::AnnouncementDeleted).changes(changes), now)
}

fn set(values: [(AuditField, String); 6]) -> impl Iterator<Item = (AuditField, String)> {
    values.into_iter().filter(|(_, value)| !value.is_empty())
}
