//! Checks around passwords and codes: rate limits and the queue for hashing. Also verifies a password that a signed-in user enters again.
use crate::db::Conn;
use crate::error::AppError;
use crate::http::request::SignedIn;
use crate::security::password_matches;
use crate::state::App;
use crate::throttle;
use crate::users::queries;
use actix_web::web;
use postern_core::account::{PASSWORDS_PER_USER, Throttle};
use postern_core::code::Code;
use postern_core::profile::{password_context, validate_password_score};
use serde_json::json;
use zxcvbn::zxcvbn;

pub fn check_burst_limit(app: &App, sender: &str) -> Result<(), AppError> {
    let is_free = app.burst_limit.check_key(&sender.to_owned()).is_ok();
    is_free.then_some(()).ok_or_else(|| AppError::with(Code::TooManyRequests, json!({ "RetryAfterMs": 1_000 })))
}

/// Counts in a transaction of its own, so that failed attempts stay counted. An attempt refused by one limit counts towards none.
pub async fn hit_all(app: &App, limits: Vec<(String, Throttle)>) -> Result<(), AppError> {
    let now = app.clock.now();
    let count =
        move |conn: &mut Conn| limits.iter().try_for_each(|(bucket, limit)| throttle::hit(conn, bucket, *limit, now));
    app.db.write(count).await
}

/// Runs password hashing on a blocking thread, after waiting for a permit.
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

/// Refuses a new password that is easy to guess: a common one, or one made of the address and the shop's name. `field` is its field on the wire. The
/// estimate takes milliseconds, so it waits for a permit, as hashing does.
pub async fn check_strength(app: &App, field: &str, password: &str, email: &str) -> Result<(), AppError> {
    let (password, context) = (password.to_owned(), password_context(email, &app.config.shop_name));
    let estimate = move || {
        let context: Vec<&str> = context.iter().map(String::as_str).collect();
        Ok(u8::from(zxcvbn(&password, &context).score()))
    };
    Ok(validate_password_score(field, hashing(app, estimate).await?)?)
}

/// Checks the password that a signed-in user entered again, and returns its hash. The transaction that follows compares the hash under the user's
/// lock, because the password may change meanwhile.
pub async fn check_password(app: &App, who: &SignedIn, password: String) -> Result<String, AppError> {
    let user_id = who.user_id;
    let bucket = format!("password of {user_id}");
    hit_all(app, vec![(bucket.clone(), PASSWORDS_PER_USER)]).await?;
    let hash = app.db.read(move |conn| queries::password_hash(conn, user_id)).await?;
    let found = hash.clone();
    if !hashing(app, move || Ok(password_matches(&password, Some(&found)))).await? {
        return Err(AppError::in_place("wrongPassword"));
    }
    app.db.write(move |conn| throttle::clear(conn, &bucket)).await?;
    Ok(hash)
}
