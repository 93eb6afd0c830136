//! The operator's calls about use cases.
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, Operator, Write, once};
use crate::state::App;
use crate::use_cases::queries::{delete, list, save, take_some};
use crate::use_cases::types::{SaveUseCase, UseCaseRef, UseCaseView};
use actix_web::{post, web};
use postern_core::use_case::validate_use_case;
use serde_json::Value;

type AppData = web::Data<App>;

/// Lists the use cases that customers choose proxies for, in their order, with the number of nodes of each.
#[utoipa::path(responses((status = 200, body = Answer<Vec<UseCaseView>>)))]
#[post("/Operator/GetUseCaseList")]
pub async fn get_use_case_list(app: AppData, _who: Operator) -> Answered<Vec<UseCaseView>> {
    answer(app.db.read(list).await?)
}

/// Adds a use case, or changes the one with this `Target`. `Position` moves it; the others keep their order. At most 100.
#[utoipa::path(request_body = SaveUseCase, responses((status = 200, body = Answer<Vec<UseCaseView>>)))]
#[post("/Operator/SaveUseCase")]
pub async fn save_use_case(app: AppData, who: Operator, write: Write<SaveUseCase>) -> Answered<Value> {
    let (now, wanted) = (app.clock.now(), validate_use_case(&write.body.form)?);
    let saved = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            save(conn, write.body.is_new, &wanted, &who.actor, now)?;
            list(conn)
        })
    });
    answer(saved.await?)
}

/// Deletes a use case: no node is good for it any more. The nodes stay, and so does what customers have bought.
#[utoipa::path(request_body = UseCaseRef, responses((status = 200, body = Answer<Vec<UseCaseView>>)))]
#[post("/Operator/DeleteUseCase")]
pub async fn delete_use_case(app: AppData, who: Operator, Body(asked): Body<UseCaseRef>) -> Answered<Vec<UseCaseView>> {
    let (now, mut taken) = (app.clock.now(), 0);
    // In transactions of their own: customers buy in between. After a crash, the nodes that are left follow with the next attempt.
    loop {
        let target = asked.target.clone();
        match app.db.write(move |conn| take_some(conn, &target)).await? {
            0 => break,
            some => taken += some,
        }
    }
    let deleted = app.db.write(move |conn| -> Result<_, AppError> {
        delete(conn, &asked.target, taken, &who.actor, now)?;
        list(conn)
    });
    answer(deleted.await?)
}
