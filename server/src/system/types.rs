//! Answers about jobs and backups.
use postern_core::job::{JobName, JobState};
use serde::Serialize;
use utoipa::ToSchema;

/// A background job and its last run, by any server of the shop.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct JobView {
    /// Which job.
    pub job: JobName,
    pub state: JobState,
    /// Seconds between the end of a run and the beginning of the next.
    pub pause_seconds: i32,
    pub began_at: String,
    /// How long the run took, in milliseconds.
    pub took_ms: i64,
    /// When the next run begins.
    pub next_at: String,
    /// Why the run failed, in English; null if it did not.
    pub error: Option<String>,
    /// Since when all runs have failed; null if the last one did not.
    pub failing_since: Option<String>,
}

/// A backup that was written and read back.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct BackupView {
    /// The state that it has is of this time.
    pub began_at: String,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
    /// Its size.
    pub bytes: i64,
    /// Whether a passphrase opens it.
    pub is_encrypted: bool,
    /// Its name, without the folder.
    pub file_name: String,
}

/// The backups of a shop.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct BackupList {
    /// The last ones, newest first.
    pub backups: Vec<BackupView>,
    /// Whether one is of the last seven days.
    pub is_recent: bool,
    /// The version of the program.
    pub version: String,
    /// `SQLite` or `PostgreSQL`.
    pub database: String,
}
