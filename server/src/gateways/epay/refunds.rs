//! Refunds through EPay. Version 2 takes the shop's id of a refund, and says what has become of it. Version 1 does neither, so a refund is asked for once:
//! if the answer is lost, an operator has to look.
use crate::charges::payments::PaymentRow;
use crate::config::{EpayAccount, EpayKeys};
use crate::error::AppError;
use crate::gateways::epay::Epay;
use crate::gateways::epay::client::{ask, client, is_success, texts};
use crate::gateways::epay::fields::{Fields, value};
use crate::gateways::epay::signature::{is_signed, sign};
use crate::gateways::gateway::{Asked, KnownRefund, RefundOutcome, RefundRequest, Refunds};
use crate::gateways::send::send;
use crate::state::App;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::order::PaymentMethod;
use postern_core::payment_return::ReturnState;

/// A gateway refunds at once. One that says for longer that it has not is to be asked by an operator.
const LONGEST: TimeDelta = TimeDelta::days(3);

impl Refunds for Epay {
    fn refund<'a>(&'a self, app: &'a App, _: &'a PaymentRow, refund: &'a RefundRequest) -> Asked<'a, RefundOutcome> {
        Box::pin(async move {
            let Some(account) = &app.config.epay else { return Err(AppError::internal("EPay is not set up")) };
            match &account.keys {
                EpayKeys::Md5(key) => refund_once(account, key, refund).await,
                EpayKeys::Rsa { .. } => found_or_made(account, refund, app.clock.now()).await,
            }
        })
    }
}

/// What the gateway says of a refusal.
fn said(fields: &Fields) -> String {
    let said = value(fields, "msg");
    if said.is_empty() { "the EPay gateway refused, and did not say why".to_owned() } else { said.to_owned() }
}

fn made(refund: &RefundRequest, fields: &Fields, state: ReturnState) -> RefundOutcome {
    // Not every gateway has an id for refunds.
    let id = match value(fields, "refund_no") {
        "" => refund.reference.clone(),
        id => id.to_owned(),
    };
    RefundOutcome::Known(KnownRefund { gateway_reference: id, state, amount: refund.amount, claim_url: None })
}

async fn refund_once(account: &EpayAccount, key: &str, refund: &RefundRequest) -> Result<RefundOutcome, AppError> {
    if refund.gateway_reference.is_some() {
        return Ok(made(refund, &Vec::new(), ReturnState::Final));
    }
    if refund.may_be_sent {
        return Ok(RefundOutcome::Uncertain("the EPay gateway's answer was lost".to_owned()));
    }
    let amount = refund.amount.to_string();
    let form = [
        ("pid", account.merchant.as_str()),
        ("key", key),
        ("trade_no", refund.charge.as_str()),
        ("money", amount.as_str()),
    ];
    let request = client()?.post(format!("{}/api.php?act=refund", account.url)).form(&form);
    let sent = send(PaymentMethod::Epay, request).await;
    let answer = match sent {
        Ok(response) if response.status().is_success() => response.bytes().await.ok(),
        Err(error) if error.is_connect() => {
            return Ok(RefundOutcome::NotSent(format!(
                "the EPay gateway could not be reached: {}",
                error.without_url()
            )));
        }
        _ => None,
    };
    let fields = answer.and_then(|body| serde_json::from_slice(&body).ok()).map(|answer| texts(&answer));
    Ok(match fields {
        Some(fields) if is_success(account, &fields) => made(refund, &fields, ReturnState::Final),
        Some(fields) if !value(&fields, "code").is_empty() => RefundOutcome::Refused(said(&fields)),
        _ => RefundOutcome::Uncertain("the EPay gateway's answer was lost".to_owned()),
    })
}

async fn found_or_made(
    account: &EpayAccount,
    refund: &RefundRequest,
    now: NaiveDateTime,
) -> Result<RefundOutcome, AppError> {
    if !refund.may_be_sent {
        let order = [("trade_no", refund.charge.clone()), ("money", refund.amount.to_string())];
        let fields = signed(account, "/api/pay/refund", refund, &order, now).await?;
        if !is_success(account, &fields) {
            return Ok(RefundOutcome::Refused(said(&fields)));
        }
    }
    let fields = signed(account, "/api/pay/refundquery", refund, &[], now).await?;
    if is_success(account, &fields) && value(&fields, "status") == "1" {
        return Ok(made(refund, &fields, ReturnState::Final));
    }
    if now - refund.created_at > LONGEST {
        return Ok(RefundOutcome::Uncertain(said(&fields)));
    }
    if is_success(account, &fields) {
        return Ok(made(refund, &fields, ReturnState::Open));
    }
    // It does not know the refund: the request was lost. The id keeps it from being made twice.
    let order = [("trade_no", refund.charge.clone()), ("money", refund.amount.to_string())];
    let again = signed(account, "/api/pay/refund", refund, &order, now).await?;
    Ok(match is_success(account, &again) {
        true => made(refund, &again, ReturnState::Open),
        false => RefundOutcome::Uncertain(said(&again)),
    })
}

/// The answer to a signed request about a refund, which is signed as well if it says something.
async fn signed(
    account: &EpayAccount,
    path: &str,
    refund: &RefundRequest,
    more: &[(&str, String)],
    now: NaiveDateTime,
) -> Result<Fields, AppError> {
    let own = [
        ("pid", account.merchant.clone()),
        ("out_refund_no", refund.reference.clone()),
        ("timestamp", now.and_utc().timestamp().to_string()),
    ];
    let fields = own.iter().chain(more).map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let request = client()?.post(format!("{}{path}", account.url)).form(&sign(&account.keys, fields)?);
    let fields = texts(&ask(request).await?);
    if is_success(account, &fields) && !is_signed(&account.keys, &fields) {
        return Err(AppError::internal("the EPay gateway's answer has a wrong signature"));
    }
    Ok(fields)
}
