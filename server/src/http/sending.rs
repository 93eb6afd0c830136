//! Sends response bodies in pieces, so that a response holds no more memory for a receiver who does not read.
use actix_web::Error;
use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use std::pin::Pin;
use std::task::{Context, Poll};

/// As much as the HTTP layer buffers per connection.
const PIECE_BYTES: usize = 32 << 10;

/// Middleware: sends bodies in pieces.
pub async fn send_in_pieces<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<InPieces<B>>, Error> {
    let response = next.call(request).await?;
    Ok(response.map_body(|_, body| InPieces { body: Box::pin(body), rest: Bytes::new() }))
}

/// A body whose chunks are cut into pieces. They share the chunk's memory, unlike the buffer of a connection, which would copy all of it.
pub struct InPieces<B> {
    body: Pin<Box<B>>,
    rest: Bytes,
}

impl<B: MessageBody> MessageBody for InPieces<B> {
    type Error = B::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if self.rest.is_empty() {
            match self.body.as_mut().poll_next(context) {
                Poll::Ready(Some(Ok(chunk))) => self.rest = chunk,
                other => return other,
            }
        }
        let length = self.rest.len().min(PIECE_BYTES);
        Poll::Ready(Some(Ok(self.rest.split_to(length))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::body::to_bytes;
    use std::future::poll_fn;

    #[actix_web::test]
    async fn a_body_is_sent_whole_in_pieces() {
        let text: Bytes = (0..100_000_u32).map(|number| number as u8).collect();
        let pieces_of = |text: &Bytes| InPieces { body: Box::pin(text.clone()), rest: Bytes::new() };
        let mut body = pieces_of(&text);
        assert_eq!(body.size(), BodySize::Sized(100_000));
        let first = poll_fn(|context| Pin::new(&mut body).poll_next(context)).await;
        assert!(first.expect("a piece").expect("bytes") == text[..PIECE_BYTES]);
        assert!(to_bytes(pieces_of(&text)).await.expect("bytes") == text);
        assert!(to_bytes(pieces_of(&Bytes::new())).await.expect("bytes").is_empty());
    }
}
