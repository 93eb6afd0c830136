//! Authorisation: checked against core's table before anything of the request is read, and again by the handler of the matched route.
use crate::audit::Actor;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::{AppError, Refusal};
use crate::http::answer::Answer;
use crate::http::api_keys;
use crate::http::client_address::ClientAddress;
use crate::http::repeat::{Repeat, Stored};
use crate::http::views::{record_change, viewer_role};
use crate::schema::{accounts, sessions, two_factors, users};
use crate::security::sha256;
use crate::state::App;
use crate::state::key_limits::{Allowance, take_block};
use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, FromRequest, HttpMessage, HttpRequest, Responder, ResponseError, web};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::account::AccountState;
use postern_core::api_key::{KeyRefusal, KeyRights, is_api_key};
use postern_core::calls::{self, Access, Call, Scope};
use postern_core::code::Code;
use postern_core::constants::API_BASE;
use postern_core::language::Language;
use postern_core::permission::Level;
use postern_core::security_log::LAST_USE_SECONDS;
use postern_core::staff::StaffRole;
use postern_core::two_factor::confirmed_until;
use serde_json::json;
use std::future::{Ready, ready};
use std::ops::Deref;

/// The call that the request was authorised for.
#[derive(Clone, Copy)]
struct Admitted(&'static Call);

/// The credential of a request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Credential {
    /// A person's session.
    Session(i64),
    ApiKey(i64),
}

/// A user, in person or by an API key, who may make the current call.
#[derive(Clone, Debug)]
pub struct SignedIn {
    pub user_id: i64,
    pub account_id: i64,
    pub credential: Credential,
    pub email: String,
    pub level: Level,
    /// What it may do if it is an operator's account.
    pub role: StaffRole,
    pub language: Language,
    pub time_zone: String,
    pub is_suspended: bool,
    /// Whether the session's user has two-factor authentication on. Keys are not asked for codes.
    pub has_two_factor: bool,
    /// When a code was last entered in this session.
    pub confirmed_at: Option<NaiveDateTime>,
    /// What the request's key may do; sessions may do everything.
    pub scopes: Option<Vec<Scope>>,
    /// Whether an operator looks at the shop as this user: such a session only reads.
    pub is_view: bool,
}

impl SignedIn {
    /// Whether the request may do what needs this scope.
    pub fn has_scope(&self, scope: Scope) -> bool {
        self.scopes.as_ref().is_none_or(|scopes| scopes.contains(&scope))
    }

    /// Refuses a key without this scope.
    pub fn require(&self, scope: Scope) -> Result<(), AppError> {
        if self.has_scope(scope) { Ok(()) } else { Err(api_keys::refusal(KeyRefusal::Scope(scope))) }
    }

    /// Whether the request is made by an operator in person, or by a key with the operators' scope. The only place that decides it.
    fn is_of_operator(&self) -> bool {
        self.level == Level::Operator && !self.is_suspended && self.has_scope(Scope::Operate)
    }

    /// Refuses a request that is not an operator's, with all rights.
    pub fn require_operator(&self) -> Result<(), AppError> {
        let is_allowed = self.is_of_operator() && self.role == StaffRole::Operator;
        if is_allowed { Ok(()) } else { Err(AppError::code(Code::NotPermitted)) }
    }

    /// The account whose rows the request may see; `None` for all accounts, if its role may make this operators' call, which shows the same rows.
    pub fn sees_only(&self, operators_call: &str) -> Option<i64> {
        (!(self.is_of_operator() && self.role.may_call(operators_call))).then_some(self.account_id)
    }

    /// The session of a person; keys have none.
    pub fn session_id(&self) -> Result<i64, AppError> {
        match self.credential {
            Credential::Session(session_id) => Ok(session_id),
            Credential::ApiKey(_) => Err(AppError::code(Code::NotPermitted)),
        }
    }

    /// The key of the request; sessions have none.
    pub fn api_key_id(&self) -> Option<i64> {
        match self.credential {
            Credential::Session(_) => None,
            Credential::ApiKey(key_id) => Some(key_id),
        }
    }

    /// Whether a code was entered recently, or the user needs none.
    pub fn is_confirmed(&self, now: NaiveDateTime) -> bool {
        !self.has_two_factor || confirmed_until(self.confirmed_at, now).is_some()
    }

    /// The user, if the request is made in person and not by a key.
    pub fn person(&self) -> Option<i64> {
        self.is_session().then_some(self.user_id)
    }

    pub fn is_session(&self) -> bool {
        matches!(self.credential, Credential::Session(_))
    }
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
pub struct Operator {
    who: SignedIn,
    /// For the audit log.
    pub actor: Actor,
}

impl Deref for Operator {
    type Target = SignedIn;

    fn deref(&self) -> &SignedIn {
        &self.who
    }
}

impl FromRequest for Operator {
    type Error = AppError;
    type Future = Ready<Result<Operator, AppError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let is_for_operators = admitted_call(request).is_ok_and(|call| call.access == Access::Operator);
        let who = SignedIn::from_request(request, payload).into_inner();
        let actor = Actor::from_request(request, payload).into_inner();
        ready(who.and_then(|who| {
            if !is_for_operators || !who.is_of_operator() {
                return Err(AppError::code(Code::NotPermitted));
            }
            Ok(Operator { who, actor: actor? })
        }))
    }
}

impl FromRequest for Actor {
    type Error = AppError;
    type Future = Ready<Result<Actor, AppError>>;

    /// The user of the request as the audit log names them, should they be an operator.
    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let who = SignedIn::from_request(request, payload).into_inner();
        let address = ClientAddress::from_request(request, payload).into_inner();
        let key_name = request.extensions().get::<UsedKey>().map(|key| key.name.clone());
        ready(who.and_then(|who| Ok(Actor::operator(who.user_id, who.role, key_name, address?.0.to_string()))))
    }
}

/// The API key of a request, admitted or not.
#[derive(Clone, Debug)]
pub struct UsedKey {
    pub key_id: i64,
    pub user_id: i64,
    pub name: String,
}

/// The call that the request was authorised for, whether a route matched it or not.
pub fn call_admitted(request: &HttpRequest) -> Option<&'static Call> {
    request.extensions().get::<Admitted>().map(|admitted| admitted.0)
}

/// The call that the request was authorised for, if it is the call of the matched route.
pub fn admitted_call(request: &HttpRequest) -> Result<&'static Call, AppError> {
    let admitted = call_admitted(request);
    let matched = request.match_pattern();
    let is_its_route = |call: &&Call| matched.as_deref().and_then(call_of) == Some(call.name);
    admitted.filter(is_its_route).ok_or_else(|| AppError::code(Code::NotFound))
}

/// The name of the call at a path.
fn call_of(path: &str) -> Option<&str> {
    path.strip_prefix(API_BASE)?.strip_prefix('/')
}

/// Middleware around every call: authorises it before anything of the request is read. A repeated request is answered here.
pub async fn admit<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    let admission = check(&request).await;
    let answered = match admission {
        Ok(Admission::New) => {
            let mut response = next.call(request).await?;
            let allowance = response.request().extensions().get::<Allowance>().copied();
            say_allowance(response.headers_mut(), allowance);
            return Ok(response.map_into_left_body());
        }
        Ok(Admission::Repeat { call, stored, app }) => stored.answer_to(&mut request, call, &app).await,
        Err(refused) => Err(refused),
    };
    let allowance = request.extensions().get::<Allowance>().copied();
    let mut response = match answered {
        Ok(answer) => Answer::new(answer).respond_to(request.request()),
        Err(refused) => refused.error_response(),
    };
    let refusal = response.extensions().get::<Refusal>().map(|refusal| refusal.code);
    if refusal == Some(Code::TooManyRequests) && allowance.is_some_and(|allowance| allowance.is_used_up) {
        *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
    }
    say_allowance(response.headers_mut(), allowance);
    let (request, _) = request.into_parts();
    Ok(ServiceResponse::new(request, response).map_into_right_body())
}

/// How an authorised request continues.
enum Admission {
    /// To its handler.
    New,
    /// It is a repeat: its answer is stored.
    Repeat { call: &'static Call, stored: Stored, app: web::Data<App> },
}

/// Adds the rate limit headers to the response.
fn say_allowance(headers: &mut HeaderMap, allowance: Option<Allowance>) {
    for (name, value) in allowance.iter().flat_map(Allowance::headers) {
        headers
            .insert(HeaderName::from_static(name), HeaderValue::from_str(&value).expect("digits are a header value"));
    }
}

/// Calls match by exact spelling only: a percent-encoded name is an unknown call. So the call that is checked here is also the call that is routed.
///
/// The order: who asks, whether they may make the call at all, whether it was answered before; only then limits and confirmations.
async fn check(request: &ServiceRequest) -> Result<Admission, AppError> {
    let call = call_of(request.path()).and_then(calls::find);
    if let Some(call) = call {
        if request.method() != call.method.as_str() {
            return Err(AppError::with(Code::MethodNotAllowed, json!({ "Allow": call.method.as_str() })));
        }
        if call.access == Access::Public {
            request.extensions_mut().insert(Admitted(call));
            return Ok(Admission::New);
        }
    }
    let app = request.app_data::<web::Data<App>>().cloned();
    let app = app.ok_or_else(|| AppError::internal("the application's state is missing"))?;
    let token = request.headers().get("Token").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let token = token.filter(|token| !token.is_empty()).ok_or(AppError::Unauthorized)?;
    let now = app.clock.now();
    let (who, rights, last_used_at) = if is_api_key(&token) {
        let (who, rights) = check_key(request, &app, token, now).await?;
        (who, Some(rights), None)
    } else {
        let (who, last_used_at) = app.db.read(move |conn| find_session(conn, &token, now)).await?;
        (who, None, Some(last_used_at))
    };
    let call = call.ok_or_else(|| AppError::code(Code::NotFound))?;
    if !call.is_open_to(who.level, who.role, who.is_suspended) {
        return Err(AppError::code(Code::NotPermitted));
    }
    if who.is_view && !call.is_open_to_views() && !call.is_change_for_views() {
        return Err(AppError::in_place("viewOnly"));
    }
    if let Some(rights) = rights {
        rights.check_call(call).map_err(api_keys::refusal)?;
    }
    if let Some(stored) = stored_answer(request, &app, call, who.account_id).await? {
        request.extensions_mut().insert(Admitted(call));
        return Ok(Admission::Repeat { call, stored, app });
    }
    check_allowance(request)?;
    if call.requires_confirmation && !who.is_confirmed(now) {
        return Err(AppError::in_place("twoFactorConfirm"));
    }
    if who.is_view && call.is_change_for_views() {
        let (view, address) = ((who.session_id()?, who.account_id), client_address(request)?);
        app.db.write(move |conn| record_change(conn, view, call, &address, now)).await?;
    }
    if let (Credential::Session(session_id), Some(last_used_at)) = (who.credential, last_used_at)
        && now - last_used_at >= TimeDelta::seconds(LAST_USE_SECONDS)
    {
        note_use(&app, session_id, now);
    }
    request.extensions_mut().insert(Admitted(call));
    request.extensions_mut().insert(who);
    Ok(Admission::New)
}

fn client_address(request: &ServiceRequest) -> Result<String, AppError> {
    let address = ClientAddress::from_request(request.request(), &mut Payload::None).into_inner()?;
    Ok(address.0.to_string())
}

/// The stored answer of the request's idempotency key. An invalid key is refused by the handler's extractor.
async fn stored_answer(
    request: &ServiceRequest,
    app: &App,
    call: &Call,
    account_id: i64,
) -> Result<Option<Stored>, AppError> {
    match Repeat::asked(request.request()) {
        Ok(Some(key)) if call.takes_key => app.db.read(move |conn| Stored::find(conn, account_id, &key)).await,
        _ => Ok(None),
    }
}

/// Refuses a key above its rate limit.
fn check_allowance(request: &ServiceRequest) -> Result<(), AppError> {
    let allowance = request.extensions().get::<Allowance>().copied();
    match allowance.filter(|allowance| allowance.is_used_up) {
        Some(used_up) => Err(AppError::too_many(used_up.seconds_left * 1_000)),
        None => Ok(()),
    }
}

/// The user of a key, if the key is valid at this address. Counts the call in the key's rate limit.
async fn check_key(
    request: &ServiceRequest,
    app: &App,
    token: String,
    now: NaiveDateTime,
) -> Result<(SignedIn, KeyRights), AppError> {
    let address = ClientAddress::of(request.request(), &app.config);
    let address = address.ok_or_else(|| AppError::internal("a request without an address"))?.0;
    let found = app.db.read(move |conn| api_keys::find(conn, &token)).await?;
    let key_id = found.key_id;
    request.extensions_mut().insert(UsedKey { key_id, user_id: found.user_id, name: found.name });
    found.rights.check_use(address, now).map_err(api_keys::refusal)?;
    let allowance = match app.key_limits.count(key_id, now) {
        Some(allowance) => allowance,
        None => {
            let leased = app.db.write(move |conn| take_block(conn, key_id, address, now)).await?;
            app.key_limits.count_out_of(key_id, leased, now)
        }
    };
    request.extensions_mut().insert(allowance);
    let who = SignedIn {
        user_id: found.user_id,
        account_id: found.account_id,
        credential: Credential::ApiKey(key_id),
        email: found.email,
        level: found.level,
        role: found.role,
        language: found.language,
        time_zone: found.time_zone,
        is_suspended: found.state != AccountState::Active,
        is_view: false,
        has_two_factor: false,
        confirmed_at: None,
        scopes: Some(found.rights.scopes.clone()),
    };
    Ok((who, found.rights))
}

/// Records the last use of a session in the background; the request neither waits for it nor fails with it.
fn note_use(app: &App, session_id: i64, now: NaiveDateTime) {
    let db = app.db.clone();
    actix_web::rt::spawn(async move {
        let note = move |conn: &mut Conn| {
            let used = diesel::update(sessions::table.find(session_id)).set(sessions::last_used_at.eq(now));
            Ok(used.execute(conn)?)
        };
        if let Err(error) = db.write(note).await {
            tracing::debug!(%error, "the last use of a session could not be recorded");
        }
    });
}

#[derive(Queryable)]
struct SessionRow {
    session_id: i64,
    user_id: i64,
    account_id: i64,
    email: String,
    level: Level,
    role: StaffRole,
    state: AccountState,
    language: Language,
    time_zone: String,
    created_at: NaiveDateTime,
    expires_at: NaiveDateTime,
    revoked_at: Option<NaiveDateTime>,
    last_used_at: Option<NaiveDateTime>,
    confirmed_at: Option<NaiveDateTime>,
    operator_id: Option<i64>,
    turned_on_at: Option<NaiveDateTime>,
}

/// The user of a session, and its last use.
fn find_session(conn: &mut Conn, token: &str, now: NaiveDateTime) -> Result<(SignedIn, NaiveDateTime), AppError> {
    let row: Option<SessionRow> = sessions::table
        .inner_join(users::table.on(users::id.eq(sessions::user_id)))
        .inner_join(accounts::table.on(accounts::id.eq(users::account_id)))
        .left_join(two_factors::table.on(two_factors::user_id.eq(users::id)))
        .filter(sessions::token_sha256.eq(sha256(token)))
        .select((
            sessions::id,
            users::id,
            accounts::id,
            users::email,
            accounts::level,
            accounts::staff_role,
            accounts::state,
            users::language,
            users::time_zone,
            sessions::created_at,
            sessions::expires_at,
            sessions::revoked_at,
            sessions::last_used_at,
            sessions::confirmed_at,
            sessions::operator_id,
            two_factors::turned_on_at.nullable(),
        ))
        .first(conn)
        .optional()?;
    let row = row.ok_or(AppError::Unauthorized)?;
    if row.revoked_at.is_some() || row.expires_at <= now {
        return Err(AppError::code(Code::SignInAgain));
    }
    if let Some(operator_id) = row.operator_id
        && viewer_role(conn, operator_id)?.is_none()
    {
        return Err(AppError::code(Code::SignInAgain));
    }
    let last_used_at = row.last_used_at.unwrap_or(row.created_at);
    let who = SignedIn {
        user_id: row.user_id,
        account_id: row.account_id,
        credential: Credential::Session(row.session_id),
        email: row.email,
        level: row.level,
        role: row.role,
        language: row.language,
        time_zone: row.time_zone,
        is_suspended: row.state != AccountState::Active,
        is_view: row.operator_id.is_some(),
        has_two_factor: row.turned_on_at.is_some(),
        confirmed_at: row.confirmed_at,
        scopes: None,
    };
    Ok((who, last_used_at))
}
