//! Canned answers: reply templates shared by all operators.
use crate::audit::{self, Actor, Entry};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, Operator};
use crate::schema::support_canned_answers::dsl;
use crate::state::App;
use crate::support::types::*;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use diesel::result::{DatabaseErrorKind, Error};
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use postern_core::support::canned::{CannedAnswerForm, MAX_CANNED_ANSWERS, validate_canned_answer};

type AppData = web::Data<App>;

fn all(conn: &mut Conn) -> Result<Vec<CannedAnswer>, AppError> {
    let rows: Vec<(i64, String, String)> =
        dsl::support_canned_answers.order(dsl::title).select((dsl::id, dsl::title, dsl::text)).load(conn)?;
    let view = |(canned_answer_id, title, text)| CannedAnswer { canned_answer_id, title, text };
    Ok(rows.into_iter().map(view).collect())
}

/// Updates the canned answer with this id, or adds one.
pub fn save(
    conn: &mut Conn,
    id: Option<i64>,
    form: &CannedAnswerForm,
    actor: &Actor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let before = id.map(|id| titled(conn, id)).transpose()?.flatten();
    let values = (dsl::title.eq(&form.title), dsl::text.eq(&form.text), dsl::changed_at.eq(now));
    let written = match id {
        Some(id) => diesel::update(dsl::support_canned_answers.find(id)).set(values).execute(conn),
        None => {
            if dsl::support_canned_answers.count().get_result::<i64>(conn)? >= MAX_CANNED_ANSWERS {
                let max = [("Max", MAX_CANNED_ANSWERS.to_string())];
                return Err(FieldErrors::one("Title", Rule::TooManyItems, &max).into());
            }
            diesel::insert_into(dsl::support_canned_answers).values(values).execute(conn)
        }
    };
    match written {
        Ok(0) => Err(AppError::code(Code::NotFound)),
        Ok(_) => {
            let change = |field, before: Option<String>, after: &str| AuditChange {
                field,
                before,
                after: Some(after.to_owned()),
            };
            let (title, text) = before.unzip();
            let changes = [change(AuditField::Title, title, &form.title), change(AuditField::Text, text, &form.text)];
            let changes = changes.into_iter().filter(|change| change.before != change.after);
            audit::record(
                conn,
                actor,
                Entry::new(AuditAction::CannedAnswerSaved).subject(&form.title).changes(changes),
                now,
            )
        }
        Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => {
            Err(FieldErrors::one("Title", Rule::NameTaken, &[]).into())
        }
        Err(error) => Err(error.into()),
    }
}

/// The title and the text of a canned answer, if there is one with this id.
fn titled(conn: &mut Conn, id: i64) -> Result<Option<(String, String)>, AppError> {
    Ok(dsl::support_canned_answers.find(id).select((dsl::title, dsl::text)).first(conn).optional()?)
}

/// Lists the canned answers, by title.
#[utoipa::path(responses((status = 200, body = Answer<Vec<CannedAnswer>>)))]
#[post("/Operator/GetCannedAnswerList")]
pub async fn get_canned_answer_list(app: AppData, _who: Operator) -> Answered<Vec<CannedAnswer>> {
    answer(app.db.read(all).await?)
}

/// Saves a canned answer, or adds one if there is no `CannedAnswerId`. Its text may have the placeholders `{name}`, `{email}`, `{shop}` and
/// `{operator}`.
#[utoipa::path(request_body = SaveCannedAnswer, responses((status = 200, body = Answer<Vec<CannedAnswer>>)))]
#[post("/Operator/SaveCannedAnswer")]
pub async fn save_canned_answer(
    app: AppData,
    who: Operator,
    Body(saved): Body<SaveCannedAnswer>,
) -> Answered<Vec<CannedAnswer>> {
    let (now, form) = (app.clock.now(), validate_canned_answer(&saved.form)?);
    let written = app.db.write(move |conn| {
        save(conn, saved.canned_answer_id, &form, &who.actor, now)?;
        all(conn)
    });
    answer(written.await?)
}

/// Deletes a canned answer.
#[utoipa::path(request_body = CannedAnswerRef, responses((status = 200, body = Answer<Vec<CannedAnswer>>)))]
#[post("/Operator/DeleteCannedAnswer")]
pub async fn delete_canned_answer(
    app: AppData,
    who: Operator,
    Body(asked): Body<CannedAnswerRef>,
) -> Answered<Vec<CannedAnswer>> {
    let now = app.clock.now();
    let deleted = app.db.write(move |conn| {
        let this = dsl::support_canned_answers.find(asked.canned_answer_id);
        let deleted = diesel::delete(this).returning((dsl::title, dsl::text)).get_result(conn).optional()?;
        let (title, text): (String, String) = deleted.ok_or_else(|| AppError::code(Code::NotFound))?;
        let entry = Entry::new(AuditAction::CannedAnswerDeleted).subject(title);
        audit::record(conn, &who.actor, entry.changes([AuditChange::gone(AuditField::Text, text)]), now)?;
        all(conn)
    });
    answer(deleted.await?)
}
