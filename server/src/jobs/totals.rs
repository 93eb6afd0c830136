//! Compacts the deltas of list totals, which grow by one row with every row added to a list.
use crate::error::AppError;
use crate::state::App;
use crate::totals;

pub async fn fold(app: &App) -> Result<(), AppError> {
    let folded = app.db.write(totals::fold).await?;
    if folded > 0 {
        tracing::debug!(lists = folded, "compacted the list totals");
    }
    Ok(())
}
