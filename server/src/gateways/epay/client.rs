//! The client of an EPay gateway: what became of an order.
use crate::config::{EpayAccount, EpayKeys};
use crate::error::AppError;
use crate::gateways::epay::fields::{Fields, value};
use crate::gateways::epay::signature::{is_signed, sign};
use crate::gateways::gateway::Span;
use crate::gateways::send::send;
use crate::tls;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::order::PaymentMethod;
use postern_core::time::from_wire;
use reqwest::RequestBuilder;
use serde_json::{Map, Value};
use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(10);

/// The gateway's order for a payment, if it has been paid.
pub async fn order(account: &EpayAccount, public_id: &str, now: NaiveDateTime) -> Result<Option<Fields>, AppError> {
    let own = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let request = match &account.keys {
        EpayKeys::Md5(key) => client()?.get(format!("{}/api.php", account.url)).query(&[
            ("act", "order"),
            ("pid", account.merchant.as_str()),
            ("key", key.as_str()),
            ("out_trade_no", public_id),
        ]),
        EpayKeys::Rsa { .. } => {
            let timestamp = now.and_utc().timestamp().to_string();
            let fields =
                vec![own("pid", &account.merchant), own("out_trade_no", public_id), own("timestamp", &timestamp)];
            client()?.post(format!("{}/api/pay/query", account.url)).form(&sign(&account.keys, fields)?)
        }
    };
    let fields = texts(&ask(request).await?);
    // An order that the customer has not come to yet is unknown there.
    if !is_success(account, &fields) || !is_paid(&fields) {
        return Ok(None);
    }
    if matches!(account.keys, EpayKeys::Rsa { .. }) && !is_signed(&account.keys, &fields) {
        return Err(AppError::internal("the EPay gateway's answer has a wrong signature"));
    }
    if value(&fields, "out_trade_no") != public_id || value(&fields, "pid") != account.merchant {
        return Err(AppError::internal("the EPay gateway answered about another order"));
    }
    Ok(Some(fields))
}

/// Whether an order has been paid; it may have been refunded since.
fn is_paid(fields: &Fields) -> bool {
    matches!(value(fields, "status"), "1" | "2")
}

/// Orders in one answer, the most that gateways give.
const PAGE: usize = 50;

/// Pages read at most: what is older than the span ends it before.
const PAGES: usize = 400;

/// The gateway's clock: that of China, which has no summer time.
const CLOCK_HOURS: i64 = 8;

/// The account's paid orders of a span, newest first as gateways list them.
pub async fn orders(account: &EpayAccount, span: Span, now: NaiveDateTime) -> Result<Vec<Fields>, AppError> {
    let mut found = Vec::new();
    for page in 0..PAGES {
        let orders = orders_page(account, page, now).await?;
        let is_last = orders.len() < PAGE;
        for order in orders {
            let Some(began_at) = time_of(value(&order, "addtime")) else { continue };
            if began_at < span.from {
                return Ok(found);
            }
            if began_at < span.until && is_paid(&order) {
                found.push(order);
            }
        }
        if is_last {
            break;
        }
    }
    Ok(found)
}

async fn orders_page(account: &EpayAccount, page: usize, now: NaiveDateTime) -> Result<Vec<Fields>, AppError> {
    let own = |name: &str, value: String| (name.to_owned(), value);
    let request = match &account.keys {
        EpayKeys::Md5(key) => client()?.get(format!("{}/api.php", account.url)).query(&[
            ("act", "orders".to_owned()),
            ("pid", account.merchant.clone()),
            ("key", key.clone()),
            ("limit", PAGE.to_string()),
            ("page", (page + 1).to_string()),
        ]),
        EpayKeys::Rsa { .. } => {
            let fields = vec![
                own("pid", account.merchant.clone()),
                own("offset", (page * PAGE).to_string()),
                own("limit", PAGE.to_string()),
                own("timestamp", now.and_utc().timestamp().to_string()),
            ];
            client()?.post(format!("{}/api/merchant/orders", account.url)).form(&sign(&account.keys, fields)?)
        }
    };
    let answer = ask(request).await?;
    if !is_success(account, &texts(&answer)) {
        return Err(AppError::internal("the EPay gateway does not list orders"));
    }
    let rows = answer.get("data").and_then(Value::as_array).into_iter().flatten();
    Ok(rows.filter_map(Value::as_object).map(texts).collect())
}

fn time_of(text: &str) -> Option<NaiveDateTime> {
    from_wire(text)?.checked_sub_signed(TimeDelta::hours(CLOCK_HOURS))
}

pub fn client() -> Result<reqwest::Client, AppError> {
    tls::client(LONGEST)?.build().map_err(|error| AppError::Internal(error.into()))
}

pub async fn ask(request: RequestBuilder) -> Result<Map<String, Value>, AppError> {
    // Without the address, which has the key.
    let unreachable = |error: reqwest::Error| {
        AppError::internal(&format!("the EPay gateway could not be reached: {}", error.without_url()))
    };
    let response = send(PaymentMethod::Epay, request).await.map_err(unreachable)?;
    let status = response.status();
    let body = response.bytes().await.map_err(unreachable)?;
    if !status.is_success() {
        return Err(AppError::internal(&format!("the EPay gateway refused with {}", status.as_u16())));
    }
    serde_json::from_slice(&body)
        .map_err(|error| AppError::internal(&format!("the EPay gateway's answer could not be read: {error}")))
}

pub fn is_success(account: &EpayAccount, fields: &Fields) -> bool {
    let code = match &account.keys {
        EpayKeys::Md5(_) => "1",
        EpayKeys::Rsa { .. } => "0",
    };
    value(fields, "code") == code
}

/// The fields of an answer as texts: gateways send numbers as either. Lists, objects and nothing are not signed.
pub fn texts(answer: &Map<String, Value>) -> Fields {
    let text = |(name, value): (&String, &Value)| match value {
        Value::String(text) => Some((name.clone(), text.clone())),
        Value::Number(number) => Some((name.clone(), number.to_string())),
        _ => None,
    };
    answer.iter().filter_map(text).collect()
}
