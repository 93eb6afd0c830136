//! Compacts the stock counts, which grow by one row with every node sold.
use crate::error::AppError;
use crate::nodes::stock;
use crate::state::App;

pub async fn fold(app: &App) -> Result<(), AppError> {
    let folded = app.db.write(stock::fold).await?;
    if folded > 0 {
        tracing::debug!(shelves = folded, "compacted the stock counts");
    }
    Ok(())
}
