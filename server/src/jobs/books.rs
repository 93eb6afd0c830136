//! Verifies the books every night, and raises an alarm if they do not add up.
use crate::error::AppError;
use crate::state::App;
use crate::wallet::nightly;
use crate::wallet::verify;

pub async fn check(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    if !app.db.read(move |conn| nightly::is_check_due(conn, now)).await? {
        return Ok(());
    }
    if !app.db.write(move |conn| nightly::claim_check(conn, now)).await? {
        return Ok(());
    }
    let db = app.db.clone();
    let found = actix_web::web::block(move || verify::check(&db)).await;
    let found = found.map_err(|error| AppError::Internal(error.into()))?;
    for problem in &found.problems {
        tracing::error!(problem, "the books do not add up");
    }
    tracing::info!(transactions = found.transactions, problems = found.problem_count, "the books were checked");
    app.db.write(move |conn| nightly::note(conn, &found, now)).await
}
