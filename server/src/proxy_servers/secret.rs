//! The secret that a proxy server sends with its requests: `Authorization: Bearer …`.
use actix_web::dev::Payload;
use actix_web::http::header::AUTHORIZATION;
use actix_web::{Error, FromRequest, HttpRequest, HttpResponse, error::InternalError};
use std::future::{Ready, ready};

/// The longest secret that is looked up.
const MAX_LENGTH: usize = 200;

/// A secret as received, not yet checked.
pub struct Secret(pub String);

impl FromRequest for Secret {
    type Error = Error;
    type Future = Ready<Result<Secret, Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let header = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        let secret = header.and_then(|value| value.strip_prefix("Bearer ")).map(str::trim);
        let secret = secret.filter(|secret| (1..=MAX_LENGTH).contains(&secret.len()));
        let unknown = || InternalError::from_response("no secret", HttpResponse::Unauthorized().finish()).into();
        ready(secret.map(|secret| Secret(secret.to_owned())).ok_or_else(unknown))
    }
}
