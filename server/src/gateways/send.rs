//! Requests to gateways, which those who watch a server count and time.
use crate::state::counts::note_gateway_request;
use crate::traces;
use postern_core::order::PaymentMethod;
use reqwest::{RequestBuilder, Response};
use std::time::Instant;

pub async fn send(gateway: PaymentMethod, request: RequestBuilder) -> reqwest::Result<Response> {
    let (span, began) = (traces::gateway(gateway.as_str()), Instant::now());
    let answer = request.send().await;
    let status = answer.as_ref().ok().map(|response| response.status().as_u16());
    note_gateway_request(gateway, status, began.elapsed());
    traces::gateway_answered(&span, status);
    answer
}
