//! The calls of the group `User`.
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer, chosen_language};
use crate::http::request::{Body, SignedIn, Write, once};
use crate::security::hash_password;
use crate::state::App;
use crate::users::attempts::{check_burst_limit, check_strength, hashing, hit_all};
use crate::users::sign_in::{self, start_session};
use crate::users::types::*;
use crate::users::visitor::Visitor;
use crate::users::{avatars, links, queries, security_log, sessions, two_factor};
use actix_web::{HttpRequest, post, web};
use postern_core::account::{MAILED_LINKS_PER_RECIPIENT, MAILED_LINKS_PER_SENDER};
use postern_core::constants::{MARKETING_KEYS, MARKETING_MAX_LENGTH};
use postern_core::language::Language;
use postern_core::permission::Level;
use postern_core::profile::{AccountDetails, Preferences, validate_account_details, validate_preferences};
use postern_core::security_log::SecurityKind;
use postern_core::sign_in::{SignUpForm, validate_new_password, validate_reset_request, validate_sign_up};
use postern_core::time::is_time_zone;

pub fn configure(config: &mut impl crate::http::routes::Routes) {
    config
        .service(sign_up)
        .service(verify_email)
        .service(sign_in::login)
        .service(request_password_reset)
        .service(reset_password)
        .service(logout)
        .service(get_user_info)
        .service(get_wallet)
        .service(get_center)
        .service(get_account_details)
        .service(update_account_details)
        .service(update_preferences)
        .service(avatars::upload_avatar)
        .service(avatars::delete_avatar)
        .service(avatars::get_avatar);
}

type AppData = web::Data<App>;

/// Signs up. The response does not reveal whether the address has an account; the mail to its owner does.
#[utoipa::path(tag = "User", request_body = SignUp, responses((status = 200, body = Answer<Sent>)))]
#[post("/User/SignUp")]
async fn sign_up(app: AppData, visitor: Visitor, Body(form): Body<SignUp>) -> Answered<Sent> {
    let fields = SignUpForm {
        email: form.email.clone(),
        password: form.password.clone(),
        invite_code: form.invite_code.clone(),
    };
    let email = validate_sign_up(&fields)?;
    limit_mails(&app, &visitor.sender, email.as_str()).await?;
    check_strength(&app, "Password", &form.password, email.as_str()).await?;
    let password = form.password.clone();
    let password_hash = hashing(&app, move || hash_password(&password)).await?;
    let marketing: serde_json::Map<_, _> = form
        .marketing
        .into_iter()
        .filter(|(name, value)| MARKETING_KEYS.contains(&name.as_str()) && value.len() <= MARKETING_MAX_LENGTH)
        .map(|(name, value)| (name, value.into()))
        .collect();
    let newcomer = queries::PendingSignUp {
        email: email.as_str().to_owned(),
        password_hash,
        invite_code: form.invite_code.trim().to_owned(),
        marketing: serde_json::Value::Object(marketing).to_string(),
        language: Language::from_choice(&form.language),
        time_zone: if is_time_zone(&form.time_zone) { form.time_zone } else { "UTC".to_owned() },
    };
    let now = app.clock.now();
    app.db.write(move |conn| links::request_sign_up(conn, &newcomer, now)).await?;
    answer(Sent { sent: true })
}

/// Confirms the e-mail address of a sign-up with the token from the mailed link, creates the account and signs in.
#[utoipa::path(tag = "User", request_body = VerifyEmail, responses((status = 200, body = Answer<SessionStarted>)))]
#[post("/User/VerifyEmail")]
async fn verify_email(app: AppData, visitor: Visitor, Body(form): Body<VerifyEmail>) -> Answered<SessionStarted> {
    check_burst_limit(&app, &visitor.sender)?;
    let now = app.clock.now();
    let started = app
        .db
        .write(move |conn| {
            let newcomer = queries::take_sign_up(conn, &form.verify_token, now)?;
            let newcomer = newcomer.ok_or_else(|| AppError::in_place("linkExpired"))?;
            let currency = crate::catalogue::catalogue(conn)?.currency;
            let user_id = queries::insert_account(conn, &newcomer, Level::Customer, currency, now)?;
            let user_id = user_id.ok_or_else(|| AppError::in_place("linkExpired"))?;
            start_session(conn, user_id, &visitor, &form.device_id, None, now)
        })
        .await?;
    answer(started)
}

/// Sends a password reset link, if the address has an account. The response does not reveal whether it has.
#[utoipa::path(tag = "User", request_body = RequestPasswordReset, responses((status = 200, body = Answer<Sent>)))]
#[post("/User/RequestPasswordReset")]
async fn request_password_reset(
    app: AppData,
    request: HttpRequest,
    visitor: Visitor,
    Body(form): Body<RequestPasswordReset>,
) -> Answered<Sent> {
    let email = validate_reset_request(&form.email)?;
    limit_mails(&app, &visitor.sender, email.as_str()).await?;
    let now = app.clock.now();
    let language = crate::http::answer::language_of(&request);
    app.db.write(move |conn| links::request_reset(conn, email.as_str(), language, now)).await?;
    answer(Sent { sent: true })
}

/// Sets a new password with the token from the mailed link, ends all other sessions and signs in. If two-factor authentication is on, it stays on and
/// no session starts: the password is changed and the response has code 3333 and the key `signInWithCode`.
#[utoipa::path(tag = "User", request_body = ResetPassword, responses((status = 200, body = Answer<SessionStarted>)))]
#[post("/User/ResetPassword")]
async fn reset_password(app: AppData, visitor: Visitor, Body(form): Body<ResetPassword>) -> Answered<SessionStarted> {
    validate_new_password(&form.password, "")?;
    check_burst_limit(&app, &visitor.sender)?;
    check_strength(&app, "Password", &form.password, "").await?;
    let password = form.password.clone();
    let hash = hashing(&app, move || hash_password(&password)).await?;
    let now = app.clock.now();
    let started = app
        .db
        .write(move |conn| {
            let user_id = queries::take_reset(conn, &form.reset_token, now)?;
            let user_id = user_id.ok_or_else(|| AppError::in_place("linkExpired"))?;
            validate_new_password(&form.password, &queries::email_of(conn, user_id)?)?;
            queries::lock_user(conn, user_id)?;
            queries::replace_password(conn, user_id, &hash, None, now)?;
            security_log::note(conn, user_id, SecurityKind::PasswordReset, &visitor, "", now)?;
            if two_factor::in_force(conn, user_id)?.is_some() {
                return Ok(None);
            }
            start_session(conn, user_id, &visitor, &form.device_id, None, now).map(Some)
        })
        .await?;
    answer(started.ok_or_else(|| AppError::in_place("signInWithCode"))?)
}

/// Signs out: revokes the token that was sent.
#[utoipa::path(tag = "User", responses((status = 200, body = Answer<SignedOut>)), security(("Token" = [])))]
#[post("/User/Logout")]
async fn logout(app: AppData, who: SignedIn, visitor: Visitor) -> Answered<SignedOut> {
    let now = app.clock.now();
    let signed_out = app.db.write(move |conn| {
        if sessions::revoke(conn, who.user_id, who.session_id()?, now)?.is_some() {
            security_log::note(conn, who.user_id, SecurityKind::SignedOut, &visitor, "", now)?;
        }
        Ok(())
    });
    signed_out.await?;
    answer(SignedOut { signed_out: true })
}

/// Returns the signed-in user with the account's level, language and time zone. An `Accept-Language` header also sets the
/// language of future mails.
#[utoipa::path(tag = "User", responses((status = 200, body = Answer<UserInfo>)), security(("Token" = [])))]
#[post("/User/GetUserInfo")]
async fn get_user_info(app: AppData, request: HttpRequest, who: SignedIn) -> Answered<UserInfo> {
    if let Some(language) = chosen_language(&request).filter(|language| who.is_session() && *language != who.language) {
        app.db.write(move |conn| queries::keep_language(conn, who.user_id, language)).await?;
    }
    answer(app.db.read(move |conn| queries::user_info(conn, who.user_id)).await?)
}

/// Returns the wallet balance and the amount spent so far.
#[utoipa::path(tag = "User", responses((status = 200, body = Answer<Wallet>)), security(("Token" = [])))]
#[post("/User/GetWallet")]
async fn get_wallet(app: AppData, who: SignedIn) -> Answered<Wallet> {
    answer(app.db.read(move |conn| queries::wallet(conn, who.account_id)).await?)
}

/// Returns the account centre: name, address, picture, and the invitation code and access token if the shop shows them. The access token is never
/// returned to an API key.
#[utoipa::path(tag = "User", responses((status = 200, body = Answer<Center>)), security(("Token" = [])))]
#[post("/User/GetCenter")]
async fn get_center(app: AppData, who: SignedIn) -> Answered<Center> {
    let key = app.key.clone();
    answer(app.db.read(move |conn| queries::center(conn, &key, &who)).await?)
}

/// Returns the customer's details, as shown on invoices.
#[utoipa::path(tag = "User", responses((status = 200, body = Answer<AccountDetails>)), security(("Token" = [])))]
#[post("/User/GetAccountDetails")]
async fn get_account_details(app: AppData, who: SignedIn) -> Answered<AccountDetails> {
    answer(app.db.read(move |conn| queries::account_details(conn, who.account_id)).await?)
}

/// Updates the customer's details. Issued invoices do not change. Returns the details as stored.
#[utoipa::path(
    tag = "User", request_body = AccountDetails, responses((status = 200, body = Answer<AccountDetails>)), security(("Token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the stored answer"))
)]
#[post("/User/UpdateAccountDetails")]
async fn update_account_details(
    app: AppData,
    who: SignedIn,
    write: Write<AccountDetails>,
) -> Answered<serde_json::Value> {
    let details = validate_account_details(&write.body)?;
    let now = app.clock.now();
    let updated = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            queries::update_account_details(conn, who.account_id, &details)?;
            Ok::<_, AppError>(details.clone())
        })
    });
    answer(updated.await?)
}

/// Sets the signed-in user's language, which is also that of mails, and time zone. Returns the user as stored.
#[utoipa::path(
    tag = "User", request_body = Preferences, responses((status = 200, body = Answer<UserInfo>)), security(("Token" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body give the stored answer"))
)]
#[post("/User/UpdatePreferences")]
async fn update_preferences(app: AppData, who: SignedIn, write: Write<Preferences>) -> Answered<serde_json::Value> {
    let preferences = validate_preferences(&write.body)?;
    let now = app.clock.now();
    let updated = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            queries::update_preferences(conn, who.user_id, &preferences)?;
            queries::user_info(conn, who.user_id)
        })
    });
    answer(updated.await?)
}

async fn limit_mails(app: &AppData, sender: &str, recipient: &str) -> Result<(), AppError> {
    check_burst_limit(app, sender)?;
    let recipient = (format!("mail to {recipient}"), MAILED_LINKS_PER_RECIPIENT);
    let sender = (format!("mail from {sender}"), MAILED_LINKS_PER_SENDER);
    hit_all(app, vec![recipient, sender]).await
}
