//! The operator's calls about jobs and backups.
use crate::db::Conn;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::Operator;
use crate::state::App;
use crate::system::types::{BackupList, JobView};
use crate::system::{backups, runs};
use actix_web::{post, web};

/// Lists the background jobs with the last run of each and when the next one begins. Runs are stored once a minute.
#[utoipa::path(responses((status = 200, body = Answer<Vec<JobView>>)))]
#[post("/Operator/GetJobList")]
pub async fn get_job_list(app: web::Data<App>, _who: Operator) -> Answered<Vec<JobView>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| runs::list(conn, now)).await?)
}

/// Lists the last backups that `postern backup` wrote and read back, with the program's version and database.
#[utoipa::path(responses((status = 200, body = Answer<BackupList>)))]
#[post("/Operator/GetBackupList")]
pub async fn get_backup_list(app: web::Data<App>, _who: Operator) -> Answered<BackupList> {
    let now = app.clock.now();
    let found = app.db.read(move |conn| {
        let database = match conn {
            Conn::Postgres(_) => "PostgreSQL",
            Conn::Sqlite(_) => "SQLite",
        };
        Ok(BackupList {
            backups: backups::list(conn)?,
            is_recent: backups::is_recent(conn, now)?,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            database: database.to_owned(),
        })
    });
    answer(found.await?)
}
