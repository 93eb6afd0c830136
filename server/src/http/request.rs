//! Extractors for handlers: body, sender and idempotency key.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::admission::admitted_call;
pub use crate::http::admission::{Credential, Operator, SignedIn};
use crate::http::bodies::{collect, malformed};
pub use crate::http::client_address::ClientAddress;
use crate::schema::idempotency_keys;
use crate::security::{SecretKey, sha256};
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use chrono::NaiveDateTime;
use postern_core::account::{IDEMPOTENCY_KEY_MAX_LENGTH, is_idempotency_key};
use postern_core::bounds::{BODY_MAX_BYTES, Bounded, PUBLIC_BODY_MAX_BYTES};
use postern_core::calls::Access;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use serde::Serialize;
use serde::de::{DeserializeOwned, DeserializeSeed};
use serde_json::Value;
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

/// The idempotency key, if one was sent, with the hash of call and body.
#[derive(Clone)]
pub struct Repeat {
    key: Option<String>,
    body_sha256: String,
}

impl Repeat {
    /// The request's key, if it has one.
    pub fn asked(request: &HttpRequest) -> Result<Option<String>, AppError> {
        let key = request.headers().get("Idempotency-Key").map(|value| value.to_str().unwrap_or_default().to_owned());
        if key.as_ref().is_some_and(|key| !is_idempotency_key(key)) {
            let max = [("Max", IDEMPOTENCY_KEY_MAX_LENGTH.to_string())];
            return Err(AppError::fields(FieldErrors::one("Idempotency-Key", Rule::IdempotencyKey, &max)));
        }
        Ok(key)
    }

    /// For a call at this path with this body.
    pub fn of(key: Option<String>, path: &str, body: &[u8]) -> Repeat {
        Repeat { key, body_sha256: sha256([path.as_bytes(), b"\n", body].concat()) }
    }
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
    let mut broken = FieldErrors::default();
    let read = Bounded::new(&mut broken).deserialize(&mut serde_json::Deserializer::from_slice(bytes));
    if !broken.is_empty() {
        return Err(AppError::fields(broken));
    }
    read.and_then(|()| serde_json::from_slice(bytes)).map_err(|error| malformed(&error.to_string()))
}

/// Executes the work once per idempotency key: a retry gets the stored response, byte for byte. Runs inside the transaction of the work, so that
/// response and work are committed together.
pub fn once<T: Serialize>(
    conn: &mut Conn,
    account_id: i64,
    repeat: &Repeat,
    now: NaiveDateTime,
    work: impl FnOnce(&mut Conn) -> Result<T, AppError>,
) -> Result<Value, AppError> {
    once_stored(conn, None, account_id, repeat, now, work)
}

/// The same for a response with a secret: it is stored encrypted.
pub fn once_sealed<T: Serialize>(
    conn: &mut Conn,
    key: &SecretKey,
    account_id: i64,
    repeat: &Repeat,
    now: NaiveDateTime,
    work: impl FnOnce(&mut Conn) -> Result<T, AppError>,
) -> Result<Value, AppError> {
    once_stored(conn, Some(key), account_id, repeat, now, work)
}

/// With a secret key, the stored response is encrypted.
fn once_stored<T: Serialize>(
    conn: &mut Conn,
    sealing_key: Option<&SecretKey>,
    account_id: i64,
    repeat: &Repeat,
    now: NaiveDateTime,
    work: impl FnOnce(&mut Conn) -> Result<T, AppError>,
) -> Result<Value, AppError> {
    use idempotency_keys::dsl;
    let Some(name) = &repeat.key else { return Ok(serde_json::to_value(work(conn)?)?) };
    let this_key = dsl::idempotency_keys.find((account_id, name)).select((dsl::body_sha256, dsl::answer));
    if let Some((body_sha256, answer)) = this_key.first::<(String, String)>(conn).optional()? {
        if body_sha256 != repeat.body_sha256 {
            return Err(AppError::code(Code::IdempotencyConflict));
        }
        let answer = match sealing_key {
            Some(key) => key.open(&answer).map_err(AppError::Internal)?,
            None => answer,
        };
        return Ok(serde_json::from_str(&answer)?);
    }
    let answer = serde_json::to_value(work(conn)?)?;
    let stored = match sealing_key {
        Some(key) => key.seal(&answer.to_string()).map_err(AppError::Internal)?,
        None => answer.to_string(),
    };
    let row = (
        dsl::account_id.eq(account_id),
        dsl::idempotency_key.eq(name),
        dsl::body_sha256.eq(&repeat.body_sha256),
        dsl::answer.eq(stored),
        dsl::created_at.eq(now),
    );
    // The second of two concurrent requests with one key blocks here, if not on an earlier lock, until the first commits or rolls back.
    let insert = diesel::insert_into(dsl::idempotency_keys).values(row).on_conflict_do_nothing();
    let inserted = match conn {
        Conn::Postgres(conn) => insert.execute(conn)?,
        Conn::Sqlite(conn) => insert.execute(conn)?,
    };
    if inserted == 0 { Err(AppError::concurrent_change()) } else { Ok(answer) }
}
