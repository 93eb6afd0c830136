//! Refunds through BTCPay Server: a pull payment, whose page asks the customer where the money goes. BTCPay Server pays it out by itself, or the seller
//! signs it there.
use crate::charges::payments::PaymentRow;
use crate::error::AppError;
use crate::gateways::btcpay::Btcpay;
use crate::gateways::btcpay::client::Client;
use crate::gateways::gateway::{Asked, RefundOutcome, RefundRequest, Refunds};
use crate::state::App;
use serde_json::{Value, json};

impl Refunds for Btcpay {
    fn must_be_claimed(&self) -> bool {
        true
    }

    fn refund<'a>(&'a self, app: &'a App, _: &'a PaymentRow, refund: &'a RefundRequest) -> Asked<'a, RefundOutcome> {
        Box::pin(async move {
            let Some(store) = &app.config.btcpay else { return Err(AppError::internal("BTCPay Server is not set up")) };
            let client = Client::of(store)?;
            let found = match &refund.gateway_reference {
                Some(id) => Some(client.pull_payment(id).await?),
                // BTCPay Server knows no idempotency key.
                None if refund.may_be_sent => {
                    client.pull_payments().await?.into_iter().find(|one| one.description == refund.reference)
                }
                None => None,
            };
            let made = match found {
                Some(found) => found,
                None => match client.make_pull_payment(&body(app, refund)).await? {
                    Ok(made) => made,
                    Err(said) => return Ok(RefundOutcome::Refused(said)),
                },
            };
            let payouts = client.payouts(&made.id).await?;
            let known = made.known(&payouts);
            known
                .map(RefundOutcome::Known)
                .ok_or_else(|| AppError::internal("an amount of a pull payment cannot be read"))
        })
    }
}

fn body(app: &App, refund: &RefundRequest) -> Value {
    json!({
        "name": format!("{} {}", app.config.shop_name, refund.order_number),
        // Found by it, if the answer is lost.
        "description": refund.reference,
        "amount": refund.amount,
        "currency": refund.currency,
        // The refund itself is the approval.
        "autoApproveClaims": true,
    })
}
