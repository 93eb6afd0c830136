//! Alarms: problems with the shop, such as books that do not add up. Operators see an alarm until it is fixed.
use crate::accounts::staff::who_may;
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::Operator;
use crate::mails;
use crate::schema::alarms;
use crate::state::App;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::ledger::AlarmKind;
use postern_core::mail::MailTemplate;
use postern_core::time::to_wire;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

/// Problems listed in an alarm and its mail; the command lists all.
const NAMED: usize = 20;

/// A problem with the shop.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Alarm {
    pub alarm: AlarmKind,
    /// The first problems, in English, as the command prints them.
    pub problems: Vec<String>,
    pub raised_at: String,
    pub checked_at: String,
}

/// Lists the open alarms.
#[utoipa::path(responses((status = 200, body = Answer<Vec<Alarm>>)))]
#[post("/Operator/GetAlarmList")]
pub async fn get_alarm_list(app: web::Data<App>, _who: Operator) -> Answered<Vec<Alarm>> {
    answer(app.db.read(list).await?)
}

type AlarmRow = (AlarmKind, String, NaiveDateTime, NaiveDateTime);

fn list(conn: &mut Conn) -> Result<Vec<Alarm>, AppError> {
    let rows: Vec<AlarmRow> = alarms::table.order(alarms::alarm).load(conn)?;
    let alarm = |(alarm, problems, raised_at, checked_at): AlarmRow| {
        let problems = problems.lines().map(str::to_owned).collect();
        Alarm { alarm, problems, raised_at: to_wire(raised_at), checked_at: to_wire(checked_at) }
    };
    Ok(rows.into_iter().map(alarm).collect())
}

fn named(problems: &[String]) -> String {
    problems.iter().take(NAMED).cloned().collect::<Vec<_>>().join("\n")
}

/// The problems of an alarm; none if it is not raised.
pub fn problems_of(conn: &mut Conn, alarm: AlarmKind) -> Result<Vec<String>, AppError> {
    let problems: Option<String> = alarms::table.find(alarm).select(alarms::problems).first(conn).optional()?;
    Ok(problems.iter().flat_map(|problems| problems.lines()).map(str::to_owned).collect())
}

/// Raises an alarm with these problems, or clears it if there are none.
pub fn set(conn: &mut Conn, alarm: AlarmKind, problems: &[String], now: NaiveDateTime) -> Result<(), AppError> {
    if problems.is_empty() {
        diesel::delete(alarms::table.find(alarm)).execute(conn)?;
        return Ok(());
    }
    let problems = named(problems);
    let again = (alarms::problems.eq(&problems), alarms::checked_at.eq(now));
    if diesel::update(alarms::table.find(alarm)).set(again).execute(conn)? == 0 {
        let row = (
            alarms::alarm.eq(alarm),
            alarms::problems.eq(&problems),
            alarms::raised_at.eq(now),
            alarms::checked_at.eq(now),
        );
        // Two payments may arrive at once.
        let insert = diesel::insert_into(alarms::table).values(row).on_conflict_do_nothing();
        on_either!(conn, insert.execute(conn)?);
    }
    Ok(())
}

/// Mails those who can do something about it: not support, nor accountants.
pub fn mail_operators(
    conn: &mut Conn,
    template: MailTemplate,
    count: usize,
    problems: &[String],
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let parameters = json!({ "Count": count, "Problems": named(problems) });
    for (email, language) in who_may(conn, "Operator/AdjustWallet")? {
        mails::queue(conn, &email, language, template, &parameters, now)?;
    }
    Ok(())
}
