//! The client of BTCPay Server's Greenfield API: JSON in, JSON out.
use crate::config::BtcpayStore;
use crate::error::AppError;
use crate::gateways::btcpay::invoice::{Invoice, Method};
use crate::gateways::btcpay::pull_payment::{Payout, PullPayment};
use crate::gateways::gateway::Span;
use crate::gateways::send::send;
use crate::tls;
use actix_web::web::Bytes;
use chrono::NaiveDateTime;
use postern_core::order::PaymentMethod;
use reqwest::{Method as Verb, RequestBuilder};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(10);

/// Invoices in one answer.
pub const PAGE: usize = 100;

pub struct Client<'a> {
    store: &'a BtcpayStore,
    client: reqwest::Client,
}

impl Client<'_> {
    pub fn of(store: &BtcpayStore) -> Result<Client<'_>, AppError> {
        let client = tls::client(LONGEST)?.build().map_err(|error| AppError::Internal(error.into()))?;
        Ok(Client { store, client })
    }

    /// A request about the store's invoices.
    fn request(&self, verb: Verb, path: &str) -> RequestBuilder {
        self.request_to(verb, &format!("/stores/{}/invoices{path}", self.store.store))
    }

    fn request_to(&self, verb: Verb, path: &str) -> RequestBuilder {
        let url = format!("{}/api/v1{path}", self.store.url);
        self.client.request(verb, url).header("Authorization", format!("token {}", self.store.api_key))
    }

    pub async fn pull_payment(&self, id: &str) -> Result<PullPayment, AppError> {
        self.answer(self.request_to(Verb::GET, &format!("/pull-payments/{}", segment(id)?))).await
    }

    /// What was asked for from a pull payment.
    pub async fn payouts(&self, id: &str) -> Result<Vec<Payout>, AppError> {
        self.answer(self.request_to(Verb::GET, &format!("/pull-payments/{}/payouts", segment(id)?))).await
    }

    /// The store's pull payments, also those that were ended.
    pub async fn pull_payments(&self) -> Result<Vec<PullPayment>, AppError> {
        let path = format!("/stores/{}/pull-payments", self.store.store);
        self.answer(self.request_to(Verb::GET, &path).query(&[("includeArchived", "true")])).await
    }

    /// Makes a pull payment; what BTCPay Server says if it refuses.
    pub async fn make_pull_payment(&self, body: &Value) -> Result<Result<PullPayment, String>, AppError> {
        let path = format!("/stores/{}/pull-payments", self.store.store);
        match self.answered(self.request_to(Verb::POST, &path).json(body)).await? {
            Ok(body) => read(&body).map(Ok),
            Err(Refused { status: 400 | 404 | 422, said }) => Ok(Err(said)),
            Err(refused) => Err(refused.into()),
        }
    }

    pub async fn invoice(&self, id: &str) -> Result<Invoice, AppError> {
        self.answer(self.request(Verb::GET, &format!("/{}", segment(id)?))).await
    }

    /// What can be paid with, what is due in it, and what has arrived.
    pub async fn methods(&self, id: &str) -> Result<Vec<Method>, AppError> {
        self.answer(self.request(Verb::GET, &format!("/{}/payment-methods", segment(id)?))).await
    }

    /// The invoice for a payment, if there is one already.
    pub async fn of_payment(&self, public_id: &str) -> Result<Option<Invoice>, AppError> {
        let found: Vec<Invoice> = self.answer(self.request(Verb::GET, "").query(&[("orderId", public_id)])).await?;
        // The first one, if two were made at once.
        Ok(found.into_iter().filter(|invoice| invoice.is_for(public_id)).min_by_key(|invoice| invoice.created_time))
    }

    /// The invoices of a span, a page at a time.
    pub async fn created(&self, span: Span, skip: usize) -> Result<Vec<Invoice>, AppError> {
        let seconds = |at: NaiveDateTime| at.and_utc().timestamp().to_string();
        let query = [
            ("startDate", seconds(span.from)),
            ("endDate", seconds(span.until)),
            ("skip", skip.to_string()),
            ("take", PAGE.to_string()),
        ];
        self.answer(self.request(Verb::GET, "").query(&query)).await
    }

    pub async fn create(&self, body: &Value) -> Result<Invoice, AppError> {
        self.answer(self.request(Verb::POST, "").json(body)).await
    }

    async fn answer<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, AppError> {
        read(&self.answered(request).await??)
    }

    async fn answered(&self, request: RequestBuilder) -> Result<Result<Bytes, Refused>, AppError> {
        let unreachable = |error: reqwest::Error| {
            AppError::internal(&format!("BTCPay Server could not be reached: {}", error.without_url()))
        };
        let response = send(PaymentMethod::Btcpay, request).await.map_err(unreachable)?;
        let status = response.status();
        let body = response.bytes().await.map_err(unreachable)?;
        if status.is_success() {
            return Ok(Ok(body));
        }
        let said = String::from_utf8_lossy(&body[..body.len().min(200)]).replace(&self.store.api_key, "…");
        Ok(Err(Refused { status: status.as_u16(), said }))
    }
}

struct Refused {
    status: u16,
    said: String,
}

impl From<Refused> for AppError {
    fn from(Refused { status, said }: Refused) -> AppError {
        AppError::internal(&format!("BTCPay Server refused with {status}: {said}"))
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, AppError> {
    serde_json::from_slice(body)
        .map_err(|error| AppError::internal(&format!("BTCPay Server's answer could not be read: {error}")))
}

/// An id as part of a path. It is BTCPay's own, so anything else is a fault.
fn segment(id: &str) -> Result<&str, AppError> {
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_id.then_some(id).ok_or_else(|| AppError::internal("an id of BTCPay Server's is not of letters and digits"))
}
