//! Polls gateways about payments.
use crate::charges::payments::{PaymentRow, record_charge_id, stop_polling};
use crate::charges::{arrivals, cards};
use crate::db::Conn;
use crate::error::AppError;
use crate::gateways::{self, Charged, Polled};
use crate::payments::settle::settle;
use crate::returns::apply::apply_known;
use crate::state::App;
use postern_core::auto_top_up::CardFailure;
use postern_core::money::Money;
use postern_core::order::{GatewayReport, PaymentState};

/// Polls the gateway about a payment, and settles it if its state has changed. No transaction is open while waiting for the response.
pub async fn poll_gateway(app: &App, payment: PaymentRow) -> Result<(), AppError> {
    if let Some(card_id) = payment.card_id.filter(|_| payment.state != PaymentState::Succeeded) {
        return charge_card(app, payment, card_id).await;
    }
    let Some(gateway) = gateways::of_method(payment.payment_method) else { return Ok(()) };
    match gateway.query(app, &payment).await? {
        Some(polled) => settle_polled(app, payment, polled).await,
        None => Ok(()),
    }
}

/// Settles what a poll found, and what was taken back.
pub async fn settle_polled(app: &App, payment: PaymentRow, polled: Polled) -> Result<(), AppError> {
    let (key, now) = (app.key.clone(), app.clock.now());
    let Polled { report, returns } = polled;
    let settle = move |conn: &mut Conn| {
        settle(conn, &key, payment.id, &report, None, now)?;
        // Unlike a callback, which may arrive late, a poll returns the current state. While less has come than was due, the rest may.
        let is_whole = arrivals::before(conn, &payment)?.credited.minor() >= payment.amount_minor;
        if !report.succeeded || is_whole {
            stop_polling(conn, payment.id, now)?;
        }
        apply_known(conn, payment.id, &returns, now)
    };
    app.db.write(settle).await
}

/// Charges an automatic top-up to its card, or polls an earlier attempt: both are the same request. No transaction is open while waiting for the
/// response.
pub async fn charge_card(app: &App, payment: PaymentRow, card_id: i64) -> Result<(), AppError> {
    let (key, now) = (app.key.clone(), app.clock.now());
    let reference = app.db.read(move |conn| cards::reference(conn, &key, card_id)).await?;
    if payment.state != PaymentState::Pending {
        return Ok(());
    }
    let charged = match (reference, gateways::offered_cards(&app.config, payment.payment_method)) {
        (Some(reference), Some(cards)) => cards.charge(app, &payment, &reference).await?,
        // The shop no longer uses the gateway, or the gateway has deleted the card.
        _ => Some(Charged {
            charge_id: None,
            report: GatewayReport::of(false, Money::from_minor(payment.amount_minor), payment.currency.as_str()),
            failure: Some(CardFailure::CardGone),
        }),
    };
    let Some(charged) = charged else { return Ok(()) };
    let key = app.key.clone();
    let settle = move |conn: &mut Conn| {
        if let Some(charge_id) = &charged.charge_id {
            record_charge_id(conn, payment.id, charge_id)?;
        }
        settle(conn, &key, payment.id, &charged.report, charged.failure, now)?;
        Ok(())
    };
    app.db.write(settle).await
}
