//! Refunds at Stripe. A refund has the shop's id of it as idempotency key and in its metadata, by which it is found again, whoever reports it.
use crate::charges::payments::PaymentRow;
use crate::config::StripeAccount;
use crate::error::AppError;
use crate::gateways::gateway::{Asked, KnownRefund, RefundOutcome, RefundRequest, Refunds, merchant};
use crate::gateways::stripe::client::{Ask, Fields, Stripe, StripeError, ask, internal};
use crate::gateways::stripe::payments::session_at;
use crate::gateways::stripe::returns::{Refund, is_id, refunds_of};
use crate::state::App;

impl Refunds for Stripe {
    fn refund<'a>(
        &'a self,
        app: &'a App,
        payment: &'a PaymentRow,
        refund: &'a RefundRequest,
    ) -> Asked<'a, RefundOutcome> {
        Box::pin(async move {
            let Some(account) = &app.config.stripe else { return Err(AppError::internal("Stripe is not set up")) };
            found_or_made(app, account, payment, refund).await.map_err(internal)
        })
    }
}

impl Refund {
    fn known(&self) -> KnownRefund {
        KnownRefund { gateway_reference: self.id.clone(), state: self.state(), amount: self.amount(), claim_url: None }
    }
}

/// What has become of the refund. Only the answer to the request for it refuses it: whatever else fails may be mended.
async fn found_or_made(
    app: &App,
    account: &StripeAccount,
    payment: &PaymentRow,
    refund: &RefundRequest,
) -> Result<RefundOutcome, StripeError> {
    if let Some(id) = refund.gateway_reference.as_deref().filter(|id| is_id(id)) {
        let made: Refund = ask(account, &format!("/v1/refunds/{id}"), Ask::Get).await?;
        return Ok(RefundOutcome::Known(made.known()));
    }
    let intent = match &payment.charge_id {
        Some(id) if payment.is_automatic() => Some(id.clone()),
        Some(id) => session_at(account, id).await?.payment_intent,
        None => None,
    };
    let Some(intent) = intent else {
        return Ok(RefundOutcome::Refused("Stripe has no payment intent for this payment".to_owned()));
    };
    // Stripe forgets idempotency keys after a day.
    if refund.may_be_sent {
        let made = refunds_of(account, &intent).await?.into_iter().find(|made| made.is_of_shop(&refund.reference));
        if let Some(made) = made {
            return Ok(RefundOutcome::Known(made.known()));
        }
    }
    let form: Fields = [
        ("payment_intent", intent),
        ("amount", refund.amount.minor().to_string()),
        ("metadata[shop]", merchant(&app.key)),
        ("metadata[refund]", refund.reference.clone()),
        ("metadata[order]", refund.order_number.clone()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let post = Ask::Post { form: &form, idempotency_key: &refund.reference };
    match ask::<Refund>(account, "/v1/refunds", post).await {
        Ok(made) => Ok(RefundOutcome::Known(made.known())),
        Err(StripeError::Refused(refused)) if refused.is_final() => {
            Ok(RefundOutcome::Refused(refused.message().to_owned()))
        }
        Err(trouble) => Err(trouble),
    }
}
