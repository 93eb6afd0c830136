//! Limits on request bodies: no compression, a time limit, and a size limit.
use crate::error::AppError;
use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::http::header::CONTENT_ENCODING;
use actix_web::middleware::Next;
use actix_web::web::{Bytes, BytesMut};
use actix_web::{Error, HttpMessage, ResponseError};
use futures_util::{Stream, StreamExt};
use postern_core::bounds::{BODY_SECONDS, UPLOAD_SECONDS};
use postern_core::calls;
use postern_core::code::Code;
use postern_core::constants::API_BASE;
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use serde_json::json;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Sleep, sleep};

/// The body is not what the call expects.
pub fn malformed(detail: &str) -> AppError {
    AppError::fields(FieldErrors::one("Body", Rule::Malformed, &[("Detail", detail.to_owned())]))
}

/// Middleware: refuses compressed bodies, and puts a time limit on receiving others.
pub async fn limit_request_bodies<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    if let Some(encoding) = encoding_of(&request) {
        let (request, _) = request.into_parts();
        let refused = AppError::with(Code::CompressedBody, json!({ "Encoding": encoding }));
        return Ok(ServiceResponse::new(request, refused.error_response()).map_into_right_body());
    }
    match request.take_payload() {
        Payload::None => {}
        arriving => {
            let seconds = if takes_a_file(request.path()) { UPLOAD_SECONDS } else { BODY_SECONDS };
            let payload = InTime { arriving, deadline: Box::pin(sleep(Duration::from_secs(seconds))) };
            request.set_payload(Payload::Stream { payload: Box::pin(payload) });
        }
    }
    Ok(next.call(request).await?.map_into_left_body())
}

fn takes_a_file(path: &str) -> bool {
    let name = path.strip_prefix(API_BASE).and_then(|rest| rest.strip_prefix('/'));
    name.and_then(calls::find).is_some_and(|call| call.is_upload)
}

/// The `Content-Encoding` of a body, unless it is identity.
fn encoding_of(request: &ServiceRequest) -> Option<String> {
    let encodings = request.headers().get_all(CONTENT_ENCODING).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let other = encodings.into_iter().find(|encoding| !encoding.trim().eq_ignore_ascii_case("identity"))?;
    Some(other.chars().take(40).collect())
}

/// A body stream that fails after its time limit.
struct InTime {
    arriving: Payload,
    deadline: Pin<Box<Sleep>>,
}

impl Stream for InTime {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let piece = Pin::new(&mut self.arriving).poll_next(context);
        if piece.is_pending() && self.deadline.as_mut().poll(context).is_ready() {
            return Poll::Ready(Some(Err(PayloadError::Io(io::ErrorKind::TimedOut.into()))));
        }
        piece
    }
}

/// Reads the whole body, up to this many bytes.
pub async fn collect(mut payload: Payload, max_bytes: usize) -> Result<Bytes, AppError> {
    let mut body = BytesMut::new();
    while let Some(piece) = payload.next().await {
        let piece = piece.map_err(|error| match error {
            PayloadError::Io(error) if error.kind() == io::ErrorKind::TimedOut => AppError::code(Code::BodyTooSlow),
            other => malformed(&other.to_string()),
        })?;
        if body.len() + piece.len() > max_bytes {
            return Err(AppError::with(Code::BodyTooLarge, json!({ "MaxBytes": max_bytes })));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body.freeze())
}
