//! Idempotency keys: a repeated request gets the stored answer, before any other check than that of its sender, and changes nothing.
use crate::db::Conn;
use crate::db::on_either;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::bodies::collect;
use crate::http::upload::{self, Piece};
use crate::schema::idempotency_keys;
use crate::security::{SecretKey, sha256};
use crate::state::App;
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::{HttpMessage, HttpRequest};
use chrono::NaiveDateTime;
use diesel::dsl::{not, sql};
use diesel::sql_types::Bool;
use postern_core::account::{IDEMPOTENCY_KEY_MAX_LENGTH, is_idempotency_key};
use postern_core::bounds::BODY_MAX_BYTES;
use postern_core::calls::Call;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use postern_core::support::attachment::MAX_BYTES;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

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

    /// For an upload at this path of this file.
    pub fn of_file(key: Option<String>, path: &str, name: &str, content: &[u8]) -> Repeat {
        Repeat::of(key, path, &[name.as_bytes(), b"\n", content].concat())
    }
}

/// The stored answer to a request with this idempotency key.
#[derive(Clone, Debug)]
pub struct Stored {
    body_sha256: String,
    answer: String,
}

impl Stored {
    /// The stored answer of the account's key, if there is one.
    pub fn find(conn: &mut Conn, account_id: i64, name: &str) -> Result<Option<Stored>, AppError> {
        use idempotency_keys::dsl;
        let this_key = dsl::idempotency_keys.find((account_id, name)).select((dsl::body_sha256, dsl::answer));
        let found: Option<(String, String)> = this_key.first(conn).optional()?;
        Ok(found.map(|(body_sha256, answer)| Stored { body_sha256, answer }))
    }

    /// The answer, if the request is the same again.
    fn answer(self, body_sha256: &str, sealing_key: Option<&SecretKey>) -> Result<Value, AppError> {
        if self.body_sha256 != body_sha256 {
            return Err(AppError::code(Code::IdempotencyConflict));
        }
        // An encrypted answer is not JSON.
        match (serde_json::from_str(&self.answer), sealing_key) {
            (Err(_), Some(key)) => Ok(serde_json::from_str(&key.open(&self.answer).map_err(AppError::Internal)?)?),
            (read, _) => Ok(read?),
        }
    }

    /// Reads the body of the request to compare it, and answers it.
    pub async fn answer_to(self, request: &mut ServiceRequest, call: &Call, app: &App) -> Result<Value, AppError> {
        let payload = request.take_payload();
        let path = request.path().to_owned();
        let body_sha256 = if call.is_upload {
            file_sha256(request.request(), payload, &path).await?
        } else {
            Repeat::of(None, &path, &collect(payload, BODY_MAX_BYTES).await?).body_sha256
        };
        self.answer(&body_sha256, Some(&app.key))
    }
}

/// The hash of `Repeat::of_file`, without keeping the file in memory.
async fn file_sha256(request: &HttpRequest, payload: Payload, path: &str) -> Result<String, AppError> {
    let mut hash = Sha256::new_with_prefix([path.as_bytes(), b"\n"].concat());
    let add = |piece: Piece<'_>| match piece {
        Piece::Name(name) => hash.update([name.as_bytes(), b"\n"].concat()),
        Piece::Content(content) => hash.update(content),
    };
    upload::each_piece(request, payload, MAX_BYTES, add).await?;
    Ok(hex::encode(hash.finalize()))
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

/// Executes work whose response has a secret once per idempotency key: the response is stored encrypted.
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

/// Deletes the encrypted responses, after the shop's secret key was lost; returns how many. Their retries are new requests.
pub fn forget_sealed(conn: &mut Conn) -> Result<usize, AppError> {
    use idempotency_keys::dsl;
    // A response as JSON is an object, a list, a text, or shorter than anything encrypted.
    let json = dsl::answer.like("{%").or(dsl::answer.like("[%")).or(dsl::answer.like("\"%"));
    let sealed = dsl::idempotency_keys.filter(not(json)).filter(sql::<Bool>("length(answer) > 50"));
    Ok(diesel::delete(sealed).execute(conn)?)
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
    // Admission answers repeats; this one came while the first was running.
    if let Some(stored) = Stored::find(conn, account_id, name)? {
        return stored.answer(&repeat.body_sha256, sealing_key);
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
    let inserted = on_either!(conn, insert.execute(conn)?);
    if inserted == 0 { Err(AppError::concurrent_change()) } else { Ok(answer) }
}
