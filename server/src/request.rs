//! What a handler takes from a request: its body, who sent it, from where, and under which idempotency key.
use crate::db::Conn;
use crate::error::AppError;
use crate::schema::{accounts, idempotency_keys, sessions, users};
use crate::security::sha256;
use crate::state::App;
use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest, ResponseError, web};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_core::account::{AccountState, is_idempotency_key};
use postern_core::code::Code;
use postern_core::language::Language;
use postern_core::permission::{Level, can_call, is_public, suspended_can_call};
use postern_core::validate::FieldErrors;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;

type Extracting<T> = Pin<Box<dyn Future<Output = Result<T, AppError>>>>;

/// A JSON body. An empty one counts as `{}`; a broken one is refused as invalid fields.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = AppError;
    type Future = Extracting<Body<T>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = web::Bytes::from_request(request, payload);
        Box::pin(async move { Ok(Body(parse(&bytes.await.map_err(|_| malformed("body too large"))?)?)) })
    }
}

/// A JSON body of a call that creates or moves something, with what makes a repeat recognisable.
#[derive(Clone)]
pub struct Write<T> {
    pub body: T,
    pub repeat: Repeat,
}

/// The idempotency key, if one was sent, and the hash of call and body.
#[derive(Clone)]
pub struct Repeat {
    key: Option<String>,
    body_sha256: String,
}

impl<T: DeserializeOwned + 'static> FromRequest for Write<T> {
    type Error = AppError;
    type Future = Extracting<Write<T>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let key = request.headers().get("Idempotency-Key").map(|value| value.to_str().unwrap_or_default().to_owned());
        let path = request.path().to_owned();
        let bytes = web::Bytes::from_request(request, payload);
        Box::pin(async move {
            let bytes = bytes.await.map_err(|_| malformed("body too large"))?;
            if key.as_ref().is_some_and(|key| !is_idempotency_key(key)) {
                return Err(AppError::fields(FieldErrors::one("Idempotency-Key", "idempotencyKey", &[])));
            }
            let body_sha256 = sha256([path.as_bytes(), b"\n", &bytes].concat());
            Ok(Write { body: parse(&bytes)?, repeat: Repeat { key, body_sha256 } })
        })
    }
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, AppError> {
    let bytes = if bytes.trim_ascii().is_empty() { b"{}" } else { bytes };
    // A list would be read as the fields of an object in their order.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(malformed("a body is a JSON object"));
    }
    serde_json::from_slice(bytes).map_err(|error| malformed(&error.to_string()))
}

fn malformed(detail: &str) -> AppError {
    AppError::fields(FieldErrors::one("Body", "malformed", &[("Detail", detail.to_owned())]))
}

/// Does the work once for each key: a repeat gets the stored answer, in the same words. Runs inside the transaction
/// that does the work, so that the answer is stored exactly when the work is done.
pub fn once<T: Serialize>(
    conn: &mut Conn,
    account_id: i64,
    repeat: &Repeat,
    now: NaiveDateTime,
    work: impl FnOnce(&mut Conn) -> Result<T, AppError>,
) -> Result<Value, AppError> {
    use idempotency_keys::dsl;
    let Some(key) = &repeat.key else { return Ok(serde_json::to_value(work(conn)?)?) };
    let this_key = dsl::idempotency_keys.find((account_id, key)).select((dsl::body_sha256, dsl::answer));
    if let Some((body_sha256, answer)) = this_key.first::<(String, String)>(conn).optional()? {
        if body_sha256 != repeat.body_sha256 {
            return Err(AppError::code(Code::IdempotencyConflict));
        }
        return Ok(serde_json::from_str(&answer)?);
    }
    let answer = serde_json::to_value(work(conn)?)?;
    let row = (
        dsl::account_id.eq(account_id),
        dsl::idempotency_key.eq(key),
        dsl::body_sha256.eq(&repeat.body_sha256),
        dsl::answer.eq(answer.to_string()),
        dsl::created_at.eq(now),
    );
    // The second of two at once, unless a lock has made it wait before, waits here until the first has committed or rolled back.
    let insert = diesel::insert_into(dsl::idempotency_keys).values(row).on_conflict_do_nothing();
    let inserted = match conn {
        Conn::Postgres(conn) => insert.execute(conn)?,
        Conn::Sqlite(conn) => insert.execute(conn)?,
    };
    if inserted == 0 { Err(AppError::overtaken()) } else { Ok(answer) }
}

/// Who sent the request: a user with a session that lives, allowed to make this call.
#[derive(Clone, Debug)]
pub struct SignedIn {
    pub user_id: i64,
    pub account_id: i64,
    pub session_id: i64,
    pub email: String,
    pub level: Level,
    pub language: Language,
    pub time_zone: String,
    pub is_suspended: bool,
}

impl FromRequest for SignedIn {
    type Error = AppError;
    type Future = std::future::Ready<Result<SignedIn, AppError>>;

    /// Whom `authenticate` found; a call that is public by core's table finds nobody.
    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        std::future::ready(request.extensions().get::<SignedIn>().cloned().ok_or(AppError::Unauthorized))
    }
}

/// Around every call: lets nobody past who may not make it, before anything of the request is read.
pub async fn authenticate<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    match admit(&request).await {
        Ok(()) => Ok(next.call(request).await?.map_into_left_body()),
        Err(refused) => {
            let (request, _) = request.into_parts();
            Ok(ServiceResponse::new(request, refused.error_response()).map_into_right_body())
        }
    }
}

async fn admit(request: &ServiceRequest) -> Result<(), AppError> {
    let call = request.path().strip_prefix("/api/").unwrap_or_default();
    if is_public(call) {
        return Ok(());
    }
    let app = request.app_data::<web::Data<App>>().cloned();
    let app = app.ok_or_else(|| AppError::internal("the application's state is missing"))?;
    let token = request.headers().get("Token").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let token = token.filter(|token| !token.is_empty()).ok_or(AppError::Unauthorized)?;
    let now = app.clock.now();
    let who = app.db.read(move |conn| find_session(conn, &token, now)).await?;
    if (who.is_suspended && !suspended_can_call(call)) || !can_call(call, who.level) {
        return Err(AppError::code(Code::NotPermitted));
    }
    request.extensions_mut().insert(who);
    Ok(())
}

type SessionRow = (i64, i64, i64, String, i16, String, String, String, NaiveDateTime, Option<NaiveDateTime>);

fn find_session(conn: &mut Conn, token: &str, now: NaiveDateTime) -> Result<SignedIn, AppError> {
    let row: Option<SessionRow> = sessions::table
        .inner_join(users::table.on(users::id.eq(sessions::user_id)))
        .inner_join(accounts::table.on(accounts::id.eq(users::account_id)))
        .filter(sessions::token_sha256.eq(sha256(token)))
        .select((
            sessions::id,
            users::id,
            accounts::id,
            users::email,
            accounts::level,
            accounts::state,
            users::language,
            users::time_zone,
            sessions::expires_at,
            sessions::revoked_at,
        ))
        .first(conn)
        .optional()?;
    let (session_id, user_id, account_id, email, level, state, language, time_zone, expires_at, revoked_at) =
        row.ok_or(AppError::Unauthorized)?;
    if revoked_at.is_some() || expires_at <= now {
        return Err(AppError::code(Code::SignInAgain));
    }
    let level = u8::try_from(level).ok().and_then(Level::from_number);
    Ok(SignedIn {
        user_id,
        account_id,
        session_id,
        email,
        level: level.ok_or_else(|| AppError::internal("an account has an unknown level"))?,
        language: Language::from_choice(&language),
        time_zone,
        is_suspended: state != AccountState::Active.as_str(),
    })
}

/// From where a request comes: the connection's address, or the one that a trusted proxy forwards.
pub struct ClientAddress(pub IpAddr);

impl FromRequest for ClientAddress {
    type Error = AppError;
    type Future = std::future::Ready<Result<ClientAddress, AppError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let peer = request.peer_addr().map(|address| address.ip().to_canonical());
        let trusted =
            request.app_data::<web::Data<App>>().map(|app| app.config.trusted_proxies.clone()).unwrap_or_default();
        let forwarded = request.headers().get_all("X-Forwarded-For").filter_map(|value| value.to_str().ok());
        let forwarded: Vec<&str> = forwarded.flat_map(|value| value.split(',')).map(str::trim).collect();
        let address = peer.map(|peer| first_untrusted(peer, &forwarded, &trusted));
        std::future::ready(address.map(ClientAddress).ok_or_else(|| AppError::internal("a request without an address")))
    }
}

/// Walks from the connection towards the client for as long as each hop is a trusted proxy.
fn first_untrusted(peer: IpAddr, forwarded: &[&str], trusted: &[ipnet::IpNet]) -> IpAddr {
    let mut address = peer;
    for hop in forwarded.iter().rev() {
        if !trusted.iter().any(|network| network.contains(&address)) {
            break;
        }
        let Ok(next) = hop.parse::<IpAddr>() else { break };
        address = next.to_canonical();
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_trusted_proxies_are_believed() {
        let trusted: Vec<ipnet::IpNet> = vec!["10.0.0.0/8".parse().expect("a network")];
        for (peer, forwarded, expected) in [
            ("203.0.113.9", vec!["198.51.100.1"], "203.0.113.9"),
            ("10.0.0.1", vec!["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", vec!["192.0.2.66", "198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", vec!["198.51.100.1", "10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", vec!["nonsense"], "10.0.0.1"),
            ("10.0.0.1", vec![], "10.0.0.1"),
        ] {
            let address = first_untrusted(peer.parse().expect("an address"), &forwarded, &trusted);
            assert_eq!(address.to_string(), expected, "{peer} {forwarded:?}");
        }
    }
}
