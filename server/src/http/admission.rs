//! Authorisation: checked against core's table before anything of the request is read, and again by the handler of the matched route.
use crate::db::Conn;
use crate::error::AppError;
use crate::schema::{accounts, sessions, users};
use crate::security::sha256;
use crate::state::App;
use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest, ResponseError, web};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_core::account::AccountState;
use postern_core::calls::{self, Access, Call};
use postern_core::code::Code;
use postern_core::constants::API_BASE;
use postern_core::language::Language;
use postern_core::permission::Level;
use serde_json::json;
use std::collections::BTreeSet;
use std::future::{Ready, ready};
use std::ops::Deref;
use utoipa::openapi::OpenApi;

/// The call that the request was authorised for.
#[derive(Clone, Copy)]
struct Admitted(&'static Call);

/// A user with a valid session who may make the current call.
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
    type Future = Ready<Result<SignedIn, AppError>>;

    /// The user if the call needs one; public calls admit everyone anonymously.
    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let found = || request.extensions().get::<SignedIn>().cloned().ok_or(AppError::Unauthorized);
        ready(admitted_call(request).and_then(|_| found()))
    }
}

/// An operator making an operator-only call. Only the check can create one.
#[derive(Clone, Debug)]
pub struct Operator(SignedIn);

impl Deref for Operator {
    type Target = SignedIn;

    fn deref(&self) -> &SignedIn {
        &self.0
    }
}

impl FromRequest for Operator {
    type Error = AppError;
    type Future = Ready<Result<Operator, AppError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let is_for_operators = admitted_call(request).is_ok_and(|call| call.access == Access::Operator);
        let who = SignedIn::from_request(request, payload).into_inner();
        let is_operator = |who: &SignedIn| is_for_operators && who.level == Level::Operator;
        ready(who.and_then(
            |who| {
                if is_operator(&who) { Ok(Operator(who)) } else { Err(AppError::code(Code::NotPermitted)) }
            },
        ))
    }
}

/// The call that the request was authorised for, if it is the call of the matched route.
pub fn admitted_call(request: &HttpRequest) -> Result<&'static Call, AppError> {
    let admitted = request.extensions().get::<Admitted>().map(|admitted| admitted.0);
    let matched = request.match_pattern();
    let is_its_route = |call: &&Call| matched.as_deref().and_then(call_of) == Some(call.name);
    admitted.filter(is_its_route).ok_or_else(|| AppError::code(Code::NotFound))
}

/// The name of the call at a path.
fn call_of(path: &str) -> Option<&str> {
    path.strip_prefix(API_BASE)?.strip_prefix('/')
}

/// Middleware around every call: authorises it before anything of the request is read.
pub async fn admit<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    match check(&request).await {
        Ok(()) => Ok(next.call(request).await?.map_into_left_body()),
        Err(refused) => {
            let (request, _) = request.into_parts();
            Ok(ServiceResponse::new(request, refused.error_response()).map_into_right_body())
        }
    }
}

/// Calls match by exact spelling only: a percent-encoded name is an unknown call. So the call that is checked here is the call that
/// is routed afterwards.
async fn check(request: &ServiceRequest) -> Result<(), AppError> {
    let call = call_of(request.path()).and_then(calls::find);
    if let Some(call) = call {
        if request.method() != call.method.as_str() {
            return Err(AppError::with(Code::MethodNotAllowed, json!({ "Allow": call.method.as_str() })));
        }
        if call.access == Access::Public {
            request.extensions_mut().insert(Admitted(call));
            return Ok(());
        }
    }
    let app = request.app_data::<web::Data<App>>().cloned();
    let app = app.ok_or_else(|| AppError::internal("the application's state is missing"))?;
    let token = request.headers().get("Token").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let token = token.filter(|token| !token.is_empty()).ok_or(AppError::Unauthorized)?;
    let now = app.clock.now();
    let who = app.db.read(move |conn| find_session(conn, &token, now)).await?;
    let call = call.ok_or_else(|| AppError::code(Code::NotFound))?;
    if !call.is_open_to(who.level, who.is_suspended) {
        return Err(AppError::code(Code::NotPermitted));
    }
    request.extensions_mut().insert(Admitted(call));
    request.extensions_mut().insert(who);
    Ok(())
}

type SessionRow = (i64, i64, i64, String, Level, AccountState, Language, String, NaiveDateTime, Option<NaiveDateTime>);

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
    Ok(SignedIn {
        user_id,
        account_id,
        session_id,
        email,
        level,
        language,
        time_zone,
        is_suspended: state != AccountState::Active,
    })
}

/// Compares the routes of the API with core's table: returns calls without a route and routes without a call.
pub fn compare_with_table(document: &OpenApi) -> Result<(), String> {
    let mut routes = BTreeSet::new();
    for (path, item) in &document.paths.paths {
        let methods = [
            ("GET", &item.get),
            ("POST", &item.post),
            ("PUT", &item.put),
            ("PATCH", &item.patch),
            ("DELETE", &item.delete),
        ];
        for (method, _) in methods.iter().filter(|(_, operation)| operation.is_some()) {
            routes.insert(format!("{method} {path}"));
        }
    }
    let named =
        calls::calls().iter().map(|call| format!("{} {API_BASE}/{}", call.method.as_str(), call.name)).collect();
    let differences: Vec<_> = routes.symmetric_difference(&named).cloned().collect();
    if differences.is_empty() { Ok(()) } else { Err(differences.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::openapi;

    #[test]
    fn the_routes_are_those_of_the_table_and_one_more_or_less_is_named() {
        let mut document = openapi::routes();
        assert_eq!(compare_with_table(&document), Ok(()));
        let (path, item) = document.paths.paths.pop_first().expect("a route");
        let named = compare_with_table(&document).expect_err("a call without a route");
        assert_eq!(named, format!("POST {path}"));
        document.paths.paths.insert(path, item.clone());
        document.paths.paths.insert("/api/Operator/NotInTheTable".to_owned(), item);
        assert_eq!(compare_with_table(&document), Err("POST /api/Operator/NotInTheTable".to_owned()));
    }
}
