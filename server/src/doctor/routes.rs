//! The operator's call that examines the shop.
use crate::doctor::examine_running;
use crate::doctor::types::ShopExamined;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::Operator;
use crate::state::App;
use crate::throttle;
use actix_web::{post, web};
use postern_core::diagnosis::EXAMINATIONS;
use postern_core::time::to_wire;
use std::time::Instant;

/// Examines the shop from the server that answers, as `postern doctor` does: settings, files, database, payments, public address, mail server, proxy
/// servers, jobs and backups. Takes some seconds, and much longer for a large SQLite file. Changes nothing.
#[utoipa::path(responses((status = 200, body = Answer<ShopExamined>)))]
#[post("/Operator/ExamineShop")]
pub async fn examine_shop(app: web::Data<App>, who: Operator) -> Answered<ShopExamined> {
    let (now, began) = (app.clock.now(), Instant::now());
    let bucket = format!("examinations {}", who.account_id);
    app.db.write(move |conn| throttle::hit(conn, &bucket, EXAMINATIONS, now)).await?;
    let (config, clock) = (app.config.clone(), app.clock.clone());
    let share = app.costly.examinations.of_account(who.account_id);
    let findings = share.run(move || examine_running(&config, &clock)).await?;
    let took_ms = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
    answer(ShopExamined { examined_at: to_wire(now), took_ms, findings })
}
