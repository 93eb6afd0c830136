//! Extractors for handlers: body, sender and idempotency key.
use crate::error::AppError;
use crate::http::admission::admitted_call;
pub use crate::http::admission::{Credential, Operator, SignedIn};
use crate::http::bodies::{collect, malformed};
pub use crate::http::client_address::ClientAddress;
use crate::http::misfits::misfits;
pub use crate::http::repeat::{Repeat, forget_sealed, once, once_sealed};
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use postern_core::bounds::{BODY_MAX_BYTES, Bounded, PUBLIC_BODY_MAX_BYTES};
use postern_core::calls::Access;
use postern_core::field_errors::FieldErrors;
use serde::de::{DeserializeOwned, DeserializeSeed};
use std::future::Future;
use std::pin::Pin;

type Extracting<T> = Pin<Box<dyn Future<Output = Result<T, AppError>>>>;

/// A JSON body. An empty one counts as `{}`; a malformed one is refused as invalid fields.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = AppError;
    type Future = Extracting<Body<T>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = body_of(request, payload);
        Box::pin(async move { Ok(Body(parse(&bytes.await?)?)) })
    }
}

/// A JSON body with an optional idempotency key, for calls whose retries must have no second effect.
#[derive(Clone)]
pub struct Write<T> {
    pub body: T,
    pub repeat: Repeat,
}

impl<T: DeserializeOwned + 'static> FromRequest for Write<T> {
    type Error = AppError;
    type Future = Extracting<Write<T>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let asked = Repeat::asked(request);
        let path = request.path().to_owned();
        let bytes = body_of(request, payload);
        Box::pin(async move {
            let bytes = bytes.await?;
            let repeat = Repeat::of(asked?, &path, &bytes);
            Ok(Write { body: parse(&bytes)?, repeat })
        })
    }
}

/// Reads the whole body of a call: anonymous callers have a lower size limit than users.
fn body_of(request: &HttpRequest, payload: &mut Payload) -> Extracting<web::Bytes> {
    let (call, payload) = (admitted_call(request), payload.take());
    Box::pin(async move {
        let is_public = call?.access == Access::Public;
        collect(payload, if is_public { PUBLIC_BODY_MAX_BYTES } else { BODY_MAX_BYTES }).await
    })
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, AppError> {
    let bytes = if bytes.trim_ascii().is_empty() { b"{}" } else { bytes };
    // serde would also accept an array as the fields of an object, in order.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(malformed("a body is a JSON object"));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| malformed("a body is UTF-8"))?;
    let mut broken = FieldErrors::default();
    let read = Bounded::new(&mut broken).deserialize(&mut serde_json::Deserializer::from_str(text));
    if !broken.is_empty() {
        return Err(AppError::fields(broken));
    }
    read.and_then(|()| serde_json::from_str(text)).map_err(|error| AppError::fields(misfits::<T>(text, &error)))
}
