//! Processes callbacks, in one place: finds the payment, checks that the callback is genuine, and settles.
use crate::charges::payments::{self, PaymentRow};
use crate::db::Conn;
use crate::error::AppError;
use crate::gateways::{Gateway, Reading, Report, StoredCallback, of_method};
use crate::payments::{settle, stored};
use crate::state::App;
use postern_core::order::Verdict;

/// Processes a stored callback and returns the verdict.
pub async fn process(app: &App, callback: StoredCallback) -> Result<Verdict, AppError> {
    let gateway = of_method(callback.gateway);
    let gateway = gateway.ok_or_else(|| AppError::internal("a callback of the wallet was stored"))?;
    let reading = gateway.read_callback(&app.config, &app.key, &callback);
    let (now, key) = (app.clock.now(), app.key.clone());
    app.db
        .write(move |conn| {
            let (payment_id, verdict) = match &reading {
                Reading::Forged => (None, Verdict::BadSignature),
                Reading::OtherMerchant => (None, Verdict::WrongMerchant),
                Reading::Irrelevant => (None, Verdict::Irrelevant),
                Reading::Report(report) => match payment_of(conn, gateway, report)? {
                    None => (None, Verdict::UnknownPayment),
                    Some(id) => (Some(id), settle::settle(conn, &key, id, &report.report, report.failure, now)?),
                },
            };
            stored::record_verdict(conn, callback.id, payment_id, verdict, now)?;
            Ok(verdict)
        })
        .await
}

/// The payment of this gateway that a report is about. A different gateway id means a different payment.
pub fn payment_of(conn: &mut Conn, gateway: &dyn Gateway, report: &Report) -> Result<Option<i64>, AppError> {
    let payment = payments::by_public_id(conn, &report.public_id)?;
    let payment = payment.filter(|payment| payment.payment_method == gateway.method());
    let is_same = |payment: &PaymentRow| match (&payment.charge_id, &report.charge_id) {
        (Some(known), Some(reported)) => known == reported,
        _ => true,
    };
    Ok(payment.filter(is_same).map(|payment| payment.id))
}
