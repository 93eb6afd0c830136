//! Payment gateways: what the shop asks of each. A method that is not offered here cannot be chosen anywhere.
pub mod sandbox;

use crate::config::Config;
use crate::db::Conn;
use crate::error::AppError;
use crate::orders::payments::{PaymentRow, StoredCallback};
use crate::state::App;
use postern_core::language::Language;
use postern_core::order::{GatewayReport, PaymentMethod, Verdict};

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
pub fn pay_path(method: &str, public_id: &str, language: Language) -> Option<String> {
    match PaymentMethod::from_wire(method) {
        Some(PaymentMethod::Sandbox) => Some(sandbox::pay_path(public_id, language)),
        _ => None,
    }
}

/// Asks the gateway how a payment stands; `None` while it is still open there.
pub async fn query(app: &App, payment: &PaymentRow) -> Result<Option<GatewayReport>, AppError> {
    match payment.method()? {
        PaymentMethod::Sandbox => sandbox::query(app, payment.public_id.clone()).await,
        _ => Ok(None),
    }
}

/// Judges a callback that was stored, and does what follows.
pub async fn judge_callback(app: &App, callback: StoredCallback) -> Result<Verdict, AppError> {
    match callback.gateway.as_str() {
        sandbox::NAME => sandbox::judge(app, callback).await,
        _ => Err(AppError::internal("a callback of an unknown gateway was stored")),
    }
}
