//! Adds up how the totals of lists have changed, which grow by a row with every row of a list.
use crate::error::AppError;
use crate::state::App;
use crate::totals;

pub async fn fold(app: &App) -> Result<(), AppError> {
    let folded = app.db.write(totals::fold).await?;
    if folded > 0 {
        tracing::debug!(lists = folded, "added up the totals of lists");
    }
    Ok(())
}
