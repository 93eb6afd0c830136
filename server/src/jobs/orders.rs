//! Expires unpaid orders whose hold has run out, and returns their nodes to stock.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::fulfilment::fulfil;
use crate::order_rows::rows;
use crate::schema::orders;
use crate::state::App;
use chrono::NaiveDateTime;
use postern_core::order::{OrderEvent, OrderState};

/// One transaction per order, so that a failing one does not block the others.
pub async fn expire(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    let due: Vec<i64> = app
        .db
        .read(move |conn| {
            let unpaid = orders::table.filter(orders::state.eq(OrderState::Unpaid));
            let due = unpaid.filter(orders::expires_at.le(now)).order(orders::expires_at);
            Ok(due.select(orders::id).limit(500).load(conn)?)
        })
        .await?;
    let mut result = Ok(());
    for order_id in due {
        if let Err(error) = app.db.write(move |conn| expire_one(conn, order_id, now)).await {
            tracing::error!(order_id, %error, "an order could not be expired");
            result = Err(error);
        }
    }
    result
}

fn expire_one(conn: &mut Conn, order_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let order = rows::lock(conn, order_id)?;
    // Another process or the customer may have been faster.
    if order.state != OrderState::Unpaid {
        return Ok(());
    }
    fulfil::end_unpaid(conn, &order, OrderEvent::Expire, now)
}
