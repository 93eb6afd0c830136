//! HEAD: answered like GET, without the body.
use actix_web::Error;
use actix_web::body::{BodySize, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A body that is announced but not sent.
pub struct Announced(BodySize);

impl MessageBody for Announced {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        Poll::Ready(None)
    }
}

/// Middleware: everything within sees GET instead of HEAD. That the request was a HEAD is remembered by the connection, which sends no body.
pub async fn answer_head<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, Announced>>, Error> {
    let is_head = request.method() == Method::HEAD;
    if is_head {
        request.head_mut().method = Method::GET;
    }
    let response = next.call(request).await?;
    if is_head {
        // Dropped unread: a list is not made, and a stream not waited for.
        return Ok(response.map_body(|_, body| EitherBody::right(Announced(body.size()))));
    }
    Ok(response.map_into_left_body())
}
