//! Polls gateways about pending payments, and processes callbacks that a crash left unprocessed, so that no money is lost with a lost callback.
use crate::charges::payments;
use crate::error::AppError;
use crate::payments::{poll, process, settle, stored};
use crate::state::App;
use chrono::TimeDelta;

/// Callbacks are processed right after they are stored; one that is older than this and unprocessed was left behind by a crashed process.
const PROCESSED_BY_SECONDS: i64 = 30;

pub async fn poll(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    if !app.db.read(move |conn| payments::has_due(conn, now)).await? {
        return Ok(());
    }
    let mut result = Ok(());
    for (payment, is_last_time) in app.db.write(move |conn| payments::claim_due(conn, now)).await? {
        let payment_id = payment.id;
        let polled = match poll::poll_gateway(app, payment).await {
            Ok(()) if is_last_time => app.db.write(move |conn| settle::give_up(conn, payment_id, now)).await,
            polled => polled,
        };
        if let Err(error) = polled {
            tracing::error!(payment_id, %error, "a gateway could not be polled");
            result = Err(error);
        }
    }
    result
}

pub async fn process(app: &App) -> Result<(), AppError> {
    let before = app.clock.now() - TimeDelta::seconds(PROCESSED_BY_SECONDS);
    let mut result = Ok(());
    for callback in app.db.read(move |conn| stored::unprocessed(conn, before)).await? {
        let callback_id = callback.id;
        if let Err(error) = process::process_left(app, callback).await {
            tracing::error!(callback_id, %error, "a callback could not be processed");
            result = Err(error);
        }
    }
    result
}
