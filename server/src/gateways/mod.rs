//! Payment gateways: what the shop asks of each. A method that is not offered here cannot be chosen anywhere.
pub mod sandbox;

use crate::config::Config;
use crate::db::Conn;
use crate::error::AppError;
use crate::orders::payments::PaymentRow;
use postern_core::order::{GatewayReport, PaymentMethod};

/// Can customers pay through this here? The sandbox takes no real money, so production refuses it.
pub fn is_offered(config: &Config, method: PaymentMethod) -> bool {
    match method {
        PaymentMethod::Wallet => true,
        PaymentMethod::Sandbox => config.is_demo(),
        PaymentMethod::Stripe | PaymentMethod::Transfer => false,
    }
}

/// Tells the gateway what is to be paid.
pub fn open_charge(
    conn: &mut Conn,
    config: &Config,
    method: PaymentMethod,
    payment: &PaymentRow,
) -> Result<(), AppError> {
    match method {
        PaymentMethod::Sandbox if is_offered(config, method) => sandbox::open_charge(conn, payment),
        _ => Err(AppError::internal("this method begins no payment")),
    }
}

/// Where the customer pays.
pub fn pay_path(method: &str, public_id: &str) -> Option<String> {
    match PaymentMethod::from_wire(method) {
        Some(PaymentMethod::Sandbox) => Some(sandbox::pay_path(public_id)),
        _ => None,
    }
}

/// Asks the gateway how a payment stands; `None` while it is still open there.
pub fn query(conn: &mut Conn, payment: &PaymentRow) -> Result<Option<GatewayReport>, AppError> {
    match payment.method()? {
        PaymentMethod::Sandbox => sandbox::query(conn, &payment.public_id),
        _ => Ok(None),
    }
}
