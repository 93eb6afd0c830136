//! Checks around passwords and codes: rate limits and the strength of new passwords. Also verifies a password that a signed-in user enters again.
use crate::db::Conn;
use crate::error::AppError;
use crate::http::request::SignedIn;
use crate::security::{hash_password, password_matches};
use crate::state::App;
use crate::state::costly::Share;
use crate::throttle;
use crate::users::queries;
use postern_core::account::{NEW_PASSWORDS_PER_SENDER, NEW_PASSWORDS_PER_USER, PASSWORDS_PER_USER, Throttle};
use postern_core::profile::{estimated_part, password_context, validate_entered_password, validate_password_score};
use zxcvbn::zxcvbn;

pub fn check_burst_limit(app: &App, sender: &str) -> Result<(), AppError> {
    let is_free = app.burst_limit.check_key(&sender.to_owned()).is_ok();
    is_free.then_some(()).ok_or_else(|| AppError::too_many(1_000))
}

/// Counts in a transaction of its own, so that failed attempts stay counted. An attempt refused by one limit counts towards none.
pub async fn hit_all(app: &App, limits: Vec<(String, Throttle)>) -> Result<(), AppError> {
    let now = app.clock.now();
    let count =
        move |conn: &mut Conn| limits.iter().try_for_each(|(bucket, limit)| throttle::hit(conn, bucket, *limit, now));
    app.db.write(count).await
}

/// The hash of a new password. Refused if it is easy to guess: a common one, or one made of the address and the shop's name. `field` is its field on the
/// wire. Call it last, when nothing but the password can be wrong: it takes long.
pub async fn hash_new_password(
    app: &App,
    share: &Share<'_>,
    field: &str,
    password: &str,
    email: &str,
) -> Result<String, AppError> {
    let (password, context) = (password.to_owned(), password_context(email, &app.config.shop_name));
    let field = field.to_owned();
    let hash = move || {
        let context: Vec<&str> = context.iter().map(String::as_str).collect();
        let score = u8::from(zxcvbn(estimated_part(&password), &context).score());
        validate_password_score(&field, score)?;
        Ok(hash_password(&password)?)
    };
    share.run(hash).await?
}

/// Counts a new password of a user, which is about to be hashed.
pub async fn limit_new_passwords(app: &App, user_id: i64, sender: &str) -> Result<(), AppError> {
    let user = (format!("new password of {user_id}"), NEW_PASSWORDS_PER_USER);
    let sender = (format!("new password from {sender}"), NEW_PASSWORDS_PER_SENDER);
    hit_all(app, vec![user, sender]).await
}

/// Checks the password that a signed-in user entered again, and returns its hash. The transaction that follows compares the hash under the user's
/// lock, because the password may change meanwhile.
pub async fn check_password(app: &App, who: &SignedIn, password: String) -> Result<String, AppError> {
    validate_entered_password(&password)?;
    let user_id = who.user_id;
    let bucket = format!("password of {user_id}");
    hit_all(app, vec![(bucket.clone(), PASSWORDS_PER_USER)]).await?;
    let hash = app.db.read(move |conn| queries::password_hash(conn, user_id)).await?;
    let found = hash.clone();
    let share = app.costly.passwords.of_account(who.account_id);
    if !share.run(move || password_matches(&password, Some(&found))).await? {
        return Err(AppError::in_place("wrongPassword"));
    }
    app.db.write(move |conn| throttle::clear(conn, &bucket)).await?;
    Ok(hash)
}
