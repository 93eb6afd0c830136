//! A payment that its customer comes to pay, with what the page shows of its order.
use crate::charges::payments::{self, PaymentRow};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::orders;
use chrono::NaiveDateTime;
use postern_core::order::{OrderState, PaymentMethod, PaymentState};

pub struct Checkout {
    pub payment: PaymentRow,
    pub order_number: String,
    order_state: OrderState,
    pub order_expires_at: NaiveDateTime,
    /// The screen that shows the payment's outcome.
    pub return_path: String,
}

/// The payment with this id, if it is made by this method.
pub fn find(conn: &mut Conn, public_id: &str, method: PaymentMethod) -> Result<Option<Checkout>, AppError> {
    let payment = payments::by_public_id(conn, public_id)?;
    let Some(payment) = payment.filter(|payment| payment.payment_method == method) else { return Ok(None) };
    let order = orders::table.find(payment.order_id);
    let (order_number, order_state, order_expires_at) =
        order.select((orders::order_number, orders::state, orders::expires_at)).first(conn)?;
    let return_path = payments::return_path(conn, &payment)?;
    Ok(Some(Checkout { payment, order_number, order_state, order_expires_at, return_path }))
}

impl Checkout {
    pub fn is_pending(&self) -> bool {
        self.payment.state == PaymentState::Pending
    }

    /// Whether the order can still be paid.
    pub fn is_open(&self, now: NaiveDateTime) -> bool {
        self.order_state == OrderState::Unpaid && now < self.order_expires_at
    }

    /// Where a customer who changes their mind goes: without the payment, whose outcome nobody waits for.
    pub fn cancel_path(&self) -> String {
        let path = self.return_path.split_once('?').map_or(self.return_path.as_str(), |path| path.0);
        if path == "/order" { format!("/order?OrderId={}", self.payment.order_id) } else { path.to_owned() }
    }
}
