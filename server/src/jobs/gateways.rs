//! Asks gateways about payments that are still open: a lost callback loses no money.
use crate::error::AppError;
use crate::orders::payments;
use crate::state::App;

pub async fn ask(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let due = app.db.read(move |conn| payments::has_due(conn, now)).await?;
    if !due {
        return Ok(());
    }
    let due = app.db.write(move |conn| payments::take_due(conn, now)).await?;
    for payment in due {
        let key = app.key.clone();
        app.db.write(move |conn| payments::ask_gateway(conn, &key, &payment, now).map(|_| ())).await?;
    }
    Ok(())
}
