//! Canned answers: reply templates shared by all operators.
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
pub fn save(conn: &mut Conn, id: Option<i64>, form: &CannedAnswerForm, now: NaiveDateTime) -> Result<(), AppError> {
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
        Ok(_) => Ok(()),
        Err(Error::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => {
            Err(FieldErrors::one("Title", Rule::NameTaken, &[]).into())
        }
        Err(error) => Err(error.into()),
    }
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
    _who: Operator,
    Body(saved): Body<SaveCannedAnswer>,
) -> Answered<Vec<CannedAnswer>> {
    let (now, form) = (app.clock.now(), validate_canned_answer(&saved.form)?);
    let written = app.db.write(move |conn| {
        save(conn, saved.canned_answer_id, &form, now)?;
        all(conn)
    });
    answer(written.await?)
}

/// Deletes a canned answer.
#[utoipa::path(request_body = CannedAnswerRef, responses((status = 200, body = Answer<Vec<CannedAnswer>>)))]
#[post("/Operator/DeleteCannedAnswer")]
pub async fn delete_canned_answer(
    app: AppData,
    _who: Operator,
    Body(asked): Body<CannedAnswerRef>,
) -> Answered<Vec<CannedAnswer>> {
    let deleted = app.db.write(move |conn| {
        match diesel::delete(dsl::support_canned_answers.find(asked.canned_answer_id)).execute(conn)? {
            0 => Err(AppError::code(Code::NotFound)),
            _ => all(conn),
        }
    });
    answer(deleted.await?)
}
