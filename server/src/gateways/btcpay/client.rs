//! The client of BTCPay Server's Greenfield API: JSON in, JSON out.
use crate::config::BtcpayStore;
use crate::error::AppError;
use crate::gateways::btcpay::invoice::{Invoice, Method};
use crate::gateways::gateway::Span;
use crate::tls;
use chrono::NaiveDateTime;
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

    fn request(&self, verb: Verb, path: &str) -> RequestBuilder {
        let url = format!("{}/api/v1/stores/{}/invoices{path}", self.store.url, self.store.store);
        self.client.request(verb, url).header("Authorization", format!("token {}", self.store.api_key))
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
        let unreachable = |error: reqwest::Error| {
            AppError::internal(&format!("BTCPay Server could not be reached: {}", error.without_url()))
        };
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        let body = response.bytes().await.map_err(unreachable)?;
        if !status.is_success() {
            let said = String::from_utf8_lossy(&body[..body.len().min(200)]).replace(&self.store.api_key, "…");
            return Err(AppError::internal(&format!("BTCPay Server refused with {}: {said}", status.as_u16())));
        }
        serde_json::from_slice(&body)
            .map_err(|error| AppError::internal(&format!("BTCPay Server's answer could not be read: {error}")))
    }
}

/// An invoice's id as part of a path. It is BTCPay's own, so anything else is a fault.
fn segment(id: &str) -> Result<&str, AppError> {
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_id.then_some(id).ok_or_else(|| AppError::internal("an invoice's id is not of letters and digits"))
}
