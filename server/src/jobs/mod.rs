//! What runs without a request, inside every server process. Rows are claimed in the database, so that any number of
//! processes share the work and a killed one's work is taken up by the next.
pub mod gateways;
pub mod mails;
pub mod nodes;
pub mod orders;

use crate::error::AppError;
use crate::state::App;
use std::time::Duration;
use tokio::sync::watch;

const PAUSE: Duration = Duration::from_secs(2);

/// Runs until `stop` says so. A job that fails is logged and tried again with the next round.
pub async fn run(app: App, mut stop: watch::Receiver<bool>) {
    loop {
        for (name, result) in round(&app).await {
            if let Err(error) = result {
                tracing::error!(job = name, %error, "a job failed");
            }
        }
        tokio::select! {
            _ = tokio::time::sleep(PAUSE) => {}
            _ = stop.changed() => return,
        }
    }
}

/// One round of all jobs; tests call it instead of waiting.
pub async fn round(app: &App) -> [(&'static str, Result<(), AppError>); 4] {
    [
        ("expire orders", orders::expire(app).await),
        ("ask gateways", gateways::ask(app).await),
        ("move nodes", nodes::move_on(app).await),
        ("send mails", mails::send(app).await),
    ]
}
