//! Versions of legal texts as rows, which are added and never changed.
use crate::audit::{self, Actor, Entry};
use crate::db::prelude::*;
use crate::db::{Conn, one_at_a_time};
use crate::error::AppError;
use crate::legal::types::{LegalText, LegalTextRef, LegalTextView};
use crate::schema::{legal_acceptances, legal_texts, users};
use chrono::NaiveDateTime;
use diesel::dsl::count_star;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::language::Language;
use postern_core::legal::{LegalKind, LegalTextForm, MAX_VERSIONS, validate_legal_text};
use postern_core::rule::Rule;
use postern_core::time::to_wire;
use std::collections::HashMap;

/// The name of publishing among works that wait for each other: versions are numbered.
const LEGAL_LOCK: i64 = 0x6c65_6761_6c74_6578;

#[derive(Queryable, Selectable)]
#[diesel(table_name = legal_texts)]
struct AboutRow {
    id: i64,
    kind: LegalKind,
    version: i32,
    published_at: NaiveDateTime,
    user_id: i64,
}

impl AboutRow {
    fn view(&self) -> LegalTextRef {
        let published_at = to_wire(self.published_at);
        LegalTextRef { legal_text_id: self.id, kind: self.kind, version: self.version, published_at }
    }
}

/// The newest version of a kind, if one has been published.
fn newest(conn: &mut Conn, kind: LegalKind) -> Result<Option<AboutRow>, AppError> {
    let newest = legal_texts::table.filter(legal_texts::kind.eq(kind)).order(legal_texts::version.desc());
    Ok(newest.select(AboutRow::as_select()).first(conn).optional()?)
}

/// The newest version of each kind.
pub fn current(conn: &mut Conn) -> Result<Vec<LegalTextRef>, AppError> {
    let mut found = Vec::new();
    for kind in LegalKind::ALL {
        found.extend(newest(conn, *kind)?.map(|row| row.view()));
    }
    Ok(found)
}

/// A version's text, as it was entered.
fn entered(conn: &mut Conn, row: &AboutRow) -> Result<LegalTextForm, AppError> {
    let bodies = legal_texts::table.find(row.id).select((legal_texts::body_en, legal_texts::body_zh));
    let (body_en, body_zh) = bodies.first(conn)?;
    Ok(LegalTextForm { kind: row.kind, body_en, body_zh })
}

/// The newest version of a kind, with a text for every reader.
pub fn current_text(conn: &mut Conn, kind: LegalKind) -> Result<LegalText, AppError> {
    let row = newest(conn, kind)?.ok_or_else(|| AppError::code(Code::NotFound))?;
    let form = entered(conn, &row)?;
    let body = |language| form.body(language).to_owned();
    Ok(LegalText { about: row.view(), body_en: body(Language::En), body_zh: body(Language::Zh) })
}

/// A version as it was entered: a text is empty if it was only written in the other language.
pub fn version(conn: &mut Conn, id: i64) -> Result<LegalText, AppError> {
    let row = legal_texts::table.find(id).select(AboutRow::as_select()).first(conn).optional()?;
    let row: AboutRow = row.ok_or_else(|| AppError::code(Code::NotFound))?;
    let LegalTextForm { body_en, body_zh, .. } = entered(conn, &row)?;
    Ok(LegalText { about: row.view(), body_en, body_zh })
}

/// All versions, the newest first.
pub fn all(conn: &mut Conn) -> Result<Vec<LegalTextView>, AppError> {
    let newest_first = legal_texts::table.order(legal_texts::id.desc());
    let rows: Vec<AboutRow> = newest_first.select(AboutRow::as_select()).load(conn)?;
    let operators: Vec<i64> = rows.iter().map(|row| row.user_id).collect();
    let operators = users::table.filter(users::id.eq_any(operators)).select((users::id, users::email));
    let operators: HashMap<i64, String> = operators.load::<(i64, String)>(conn)?.into_iter().collect();
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let accepted = legal_acceptances::table.filter(legal_acceptances::legal_text_id.eq_any(ids));
    let accepted = accepted.group_by(legal_acceptances::legal_text_id);
    let accepted = accepted.select((legal_acceptances::legal_text_id, count_star()));
    let accepted: HashMap<i64, i64> = accepted.load::<(i64, i64)>(conn)?.into_iter().collect();
    let mut views: Vec<LegalTextView> = Vec::new();
    for row in rows {
        views.push(LegalTextView {
            is_current: views.iter().all(|newer| newer.about.kind != row.kind),
            acceptances: accepted.get(&row.id).copied().unwrap_or_default(),
            operator: operators.get(&row.user_id).cloned().unwrap_or_default(),
            about: row.view(),
        });
    }
    Ok(views)
}

/// Publishes a new version.
pub fn publish(
    conn: &mut Conn,
    form: &LegalTextForm,
    (user_id, actor): (i64, &Actor),
    now: NaiveDateTime,
) -> Result<(), AppError> {
    one_at_a_time(conn, LEGAL_LOCK)?;
    let before = newest(conn, form.kind)?;
    let current = before.as_ref().map(|row| entered(conn, row)).transpose()?;
    let text = validate_legal_text(form, current.as_ref())?;
    let number = before.as_ref().map_or(0, |row| row.version);
    if number >= MAX_VERSIONS {
        return Err(FieldErrors::one("BodyEn", Rule::TooManyItems, &[("Max", MAX_VERSIONS.to_string())]).into());
    }
    let row = (
        legal_texts::kind.eq(text.kind),
        legal_texts::version.eq(number + 1),
        legal_texts::body_en.eq(&text.body_en),
        legal_texts::body_zh.eq(&text.body_zh),
        legal_texts::user_id.eq(user_id),
        legal_texts::published_at.eq(now),
    );
    diesel::insert_into(legal_texts::table).values(row).execute(conn)?;
    let change = AuditChange {
        field: AuditField::Version,
        before: before.map(|row| row.version.to_string()),
        after: Some((number + 1).to_string()),
    };
    let entry = Entry::new(AuditAction::LegalTextPublished).subject(text.kind.as_str()).changes([change]);
    audit::record(conn, actor, entry, now)
}
