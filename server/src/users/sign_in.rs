//! Signing in: passwords with their rate limits, and the session that every way of signing in ends with.
use crate::db::Conn;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer, chosen_language};
use crate::http::request::{Body, ClientAddress};
use crate::security::password_matches;
use crate::state::App;
use crate::throttle;
use crate::users::types::{Login, SessionStarted};
use crate::users::{devices, queries};
use actix_web::http::header::USER_AGENT;
use actix_web::{HttpRequest, post, web};
use chrono::NaiveDateTime;
use postern_core::account::{SignInCounts, Throttle};
use postern_core::code::Code;
use postern_core::language::Language;
use postern_core::network::sender_key;
use postern_core::sign_in::{LoginForm, validate_login};
use serde_json::json;

/// Signs in. A wrong address and a wrong password get the same answer in the same time.
#[utoipa::path(tag = "User", request_body = Login, responses((status = 200, body = Answer<SessionStarted>)))]
#[post("/User/Login")]
pub async fn login(
    app: web::Data<App>,
    request: HttpRequest,
    from: ClientAddress,
    Body(form): Body<Login>,
) -> Answered<SessionStarted> {
    let email = validate_login(&LoginForm { email: form.email.clone(), password: form.password.clone() })?;
    check_burst_limit(&app, &from)?;
    let now = app.clock.now();
    let (asked, device_id) = (email.clone(), form.device_id.clone());
    let find = move |conn: &mut Conn| {
        let device = devices::known(conn, asked.as_str(), &device_id)?;
        Ok((queries::find_credentials(conn, asked.as_str())?, device))
    };
    let (credentials, device) = app.db.read(find).await?;
    let counts = SignInCounts::of(email.as_str(), &sender_key(from.0), device.as_deref());
    hit_all(&app, counts.counts.clone()).await?;
    let hash = credentials.as_ref().map(|credentials| credentials.password_hash.clone());
    let is_right = hashing(&app, move || Ok(password_matches(&form.password, hash.as_deref()))).await?;
    let user_id = credentials.filter(|_| is_right).ok_or_else(|| AppError::in_place("signInFailed"))?.user_id;
    let visitor = Visitor::of(&request, &from, form.device_id);
    let started = app
        .db
        .write(move |conn| {
            throttle::clear(conn, counts.forgiven())?;
            if let Some(bucket) = counts.taken_back() {
                throttle::take_back(conn, bucket)?;
            }
            visitor.start_session(conn, user_id, now)
        })
        .await?;
    answer(started)
}

/// The client of a sign-in: its address, program and language.
#[derive(Clone)]
pub struct Visitor {
    address: String,
    user_agent: String,
    language: Option<Language>,
    device_id: String,
}

impl Visitor {
    pub fn of(request: &HttpRequest, from: &ClientAddress, device_id: String) -> Visitor {
        let agent = request.headers().get(USER_AGENT).and_then(|value| value.to_str().ok());
        let user_agent = agent.unwrap_or_default().to_owned();
        Visitor { address: from.0.to_string(), user_agent, language: chosen_language(request), device_id }
    }

    pub fn start_session(&self, conn: &mut Conn, user_id: i64, now: NaiveDateTime) -> Result<SessionStarted, AppError> {
        let device_id = devices::remember(conn, user_id, &self.device_id, now)?;
        let token = queries::insert_session(conn, user_id, &self.address, &self.user_agent, now)?;
        if let Some(language) = self.language {
            queries::keep_language(conn, user_id, language)?;
        }
        Ok(SessionStarted { token, device_id, user: queries::user_info(conn, user_id)? })
    }
}

pub fn check_burst_limit(app: &App, from: &ClientAddress) -> Result<(), AppError> {
    let is_free = app.burst_limit.check_key(&sender_key(from.0)).is_ok();
    is_free.then_some(()).ok_or_else(|| AppError::with(Code::TooManyRequests, json!({ "RetryAfterMs": 1_000 })))
}

/// Counts in a transaction of its own, so that failed attempts stay counted. An attempt refused by one limit counts towards none.
pub async fn hit_all(app: &App, limits: Vec<(String, Throttle)>) -> Result<(), AppError> {
    let now = app.clock.now();
    let count =
        move |conn: &mut Conn| limits.iter().try_for_each(|(bucket, limit)| throttle::hit(conn, bucket, *limit, now));
    app.db.write(count).await
}

/// Password hashing waits for a permit, on a blocking thread.
pub async fn hashing<T: Send + 'static>(
    app: &App,
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> Result<T, AppError> {
    let turn = app.hashing.clone().acquire_owned().await.map_err(|error| AppError::Internal(error.into()))?;
    let with_permit = move || {
        let result = work();
        drop(turn);
        result
    };
    web::block(with_permit).await.map_err(|error| AppError::Internal(error.into()))?.map_err(AppError::Internal)
}
