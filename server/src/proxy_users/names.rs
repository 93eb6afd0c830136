//! Names of proxy users are unique in the shop, so a taken name tells that another customer has it. Calls that meet taken names are counted, so that
//! nobody can list the names of others.
use crate::error::AppError;
use crate::state::App;
use crate::throttle;
use postern_core::proxy_user_form::TAKEN_NAMES;
use postern_core::rule::Rule;
use std::future::Future;

/// Does work that may find names taken.
pub async fn counting_taken<T>(
    app: &App,
    account_id: i64,
    work: impl Future<Output = Result<T, AppError>>,
) -> Result<T, AppError> {
    let bucket = format!("taken names {account_id}");
    let is_taken = |error: &AppError| error.breaks(Rule::NameTaken);
    throttle::counting(&app.db, bucket, TAKEN_NAMES, app.clock.now(), is_taken, work).await
}
