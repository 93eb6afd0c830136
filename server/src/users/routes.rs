//! The calls of the group `User`.
use super::queries;
use super::types::*;
use crate::answer::{Answer, Answered, answer};
use crate::db::Conn;
use crate::error::AppError;
use crate::jobs::mails;
use crate::request::{Body, ClientAddress, SignedIn, Write, once};
use crate::security::{hash_password, password_matches};
use crate::state::App;
use crate::throttle;
use actix_web::http::header::USER_AGENT;
use actix_web::{HttpRequest, post, web};
use postern_core::account::{
    MAILED_LINKS_PER_ADDRESS, MAILED_LINKS_PER_RECIPIENT, SIGN_IN_PER_ACCOUNT, SIGN_IN_PER_ADDRESS, Throttle,
};
use postern_core::code::Code;
use postern_core::constants::{MARKETING_KEYS, MARKETING_MAX_LENGTH};
use postern_core::forms::account::{AccountDetails, validate_account_details};
use postern_core::language::Language;
use postern_core::time::is_time_zone;
use postern_core::validate::{
    LoginForm, SignUpForm, validate_login, validate_new_password, validate_reset_request, validate_sign_up,
};
use serde_json::json;

pub fn configure(config: &mut utoipa_actix_web::service_config::ServiceConfig) {
    config
        .service(sign_up)
        .service(verify_email)
        .service(login)
        .service(request_password_reset)
        .service(reset_password)
        .service(logout)
        .service(get_user_info)
        .service(get_wallet)
        .service(get_center)
        .service(get_account_details)
        .service(update_account_details);
}

type AppData = web::Data<App>;

/// Asks for an account. The answer is the same whether the address has one or not; a mail tells its owner which.
#[utoipa::path(tag = "User", request_body = SignUp, responses((status = 200, body = Answer<Sent>)))]
#[post("/User/SignUp")]
async fn sign_up(app: AppData, from: ClientAddress, Body(form): Body<SignUp>) -> Answered<Sent> {
    let fields = SignUpForm {
        email: form.email.clone(),
        password: form.password.clone(),
        invite_code: form.invite_code.clone(),
    };
    let email = validate_sign_up(&fields)?;
    limit_mails(&app, &from, email.as_str()).await?;
    let password = form.password.clone();
    let password_hash = hashing(&app, move || hash_password(&password)).await?;
    let marketing: serde_json::Map<_, _> = form
        .marketing
        .into_iter()
        .filter(|(name, value)| MARKETING_KEYS.contains(&name.as_str()) && value.len() <= MARKETING_MAX_LENGTH)
        .map(|(name, value)| (name, value.into()))
        .collect();
    let newcomer = queries::Newcomer {
        email: email.as_str().to_owned(),
        password_hash,
        invite_code: form.invite_code.trim().to_owned(),
        marketing: serde_json::Value::Object(marketing).to_string(),
        language: Language::from_choice(&form.language).as_str().to_owned(),
        time_zone: if is_time_zone(&form.time_zone) { form.time_zone } else { "UTC".to_owned() },
    };
    let now = app.clock.now();
    let public_url = app.config.public_url.clone();
    app.db
        .write(move |conn| {
            let language = Language::from_choice(&newcomer.language);
            let (template, link) = if queries::find_credentials(conn, &newcomer.email)?.is_some() {
                ("already_signed_up", format!("{public_url}/login"))
            } else {
                let token = queries::insert_sign_up(conn, &newcomer, now)?;
                ("confirm_sign_up", format!("{public_url}/sign-up?verify={token}"))
            };
            mails::queue(conn, &newcomer.email, language, template, &json!({ "Link": link }), now)
        })
        .await?;
    answer(Sent { sent: true })
}

/// Confirms the address of a sign-up with the token of the mailed link, makes the account and signs in.
#[utoipa::path(tag = "User", request_body = VerifyEmail, responses((status = 200, body = Answer<SessionStarted>)))]
#[post("/User/VerifyEmail")]
async fn verify_email(
    app: AppData,
    request: HttpRequest,
    from: ClientAddress,
    Body(form): Body<VerifyEmail>,
) -> Answered<SessionStarted> {
    check_first_line(&app, &from)?;
    let now = app.clock.now();
    let visitor = Visitor::of(&request, &from);
    let started = app
        .db
        .write(move |conn| {
            let newcomer = queries::take_sign_up(conn, &form.verify_token, now)?;
            let newcomer = newcomer.ok_or_else(|| AppError::in_place("linkExpired"))?;
            let currency = crate::ips::queries::catalogue(conn)?.currency;
            let user_id = queries::insert_account(conn, &newcomer, 0, currency, now)?;
            visitor.start_session(conn, user_id.ok_or_else(|| AppError::in_place("linkExpired"))?, now)
        })
        .await?;
    answer(started)
}

/// Signs in. A wrong address and a wrong password get the same answer, in the same time.
#[utoipa::path(tag = "User", request_body = Login, responses((status = 200, body = Answer<SessionStarted>)))]
#[post("/User/Login")]
async fn login(
    app: AppData,
    request: HttpRequest,
    from: ClientAddress,
    Body(form): Body<Login>,
) -> Answered<SessionStarted> {
    let email = validate_login(&LoginForm { email: form.email.clone(), password: form.password.clone() })?;
    check_first_line(&app, &from)?;
    let now = app.clock.now();
    let (email, account_bucket) = (email.as_str().to_owned(), format!("sign-in account {}", email.as_str()));
    let limits =
        [(account_bucket.clone(), SIGN_IN_PER_ACCOUNT), (format!("sign-in address {}", from.0), SIGN_IN_PER_ADDRESS)];
    hit_all(&app, limits).await?;
    let credentials = app.db.read(move |conn| queries::find_credentials(conn, &email)).await?;
    let hash = credentials.as_ref().map(|credentials| credentials.password_hash.clone());
    let is_right = hashing(&app, move || Ok(password_matches(&form.password, hash.as_deref()))).await?;
    let user_id = credentials.filter(|_| is_right).ok_or_else(|| AppError::in_place("signInFailed"))?.user_id;
    let visitor = Visitor::of(&request, &from);
    let started = app
        .db
        .write(move |conn| {
            queries::clear_throttle(conn, &account_bucket)?;
            visitor.start_session(conn, user_id, now)
        })
        .await?;
    answer(started)
}

/// Sends a link to set a new password, if the address has an account; the answer does not tell.
#[utoipa::path(tag = "User", request_body = RequestPasswordReset, responses((status = 200, body = Answer<Sent>)))]
#[post("/User/RequestPasswordReset")]
async fn request_password_reset(
    app: AppData,
    request: HttpRequest,
    from: ClientAddress,
    Body(form): Body<RequestPasswordReset>,
) -> Answered<Sent> {
    let email = validate_reset_request(&form.email)?;
    limit_mails(&app, &from, email.as_str()).await?;
    let now = app.clock.now();
    let language = crate::answer::language_of(&request);
    let (email, public_url) = (email.as_str().to_owned(), app.config.public_url.clone());
    app.db
        .write(move |conn| {
            let Some(credentials) = queries::find_credentials(conn, &email)? else { return Ok(()) };
            let token = queries::insert_reset(conn, credentials.user_id, now)?;
            let link = format!("{public_url}/password-reset?reset={token}");
            mails::queue(conn, &email, language, "reset_password", &json!({ "Link": link }), now)
        })
        .await?;
    answer(Sent { sent: true })
}

/// Sets a new password with the token of the mailed link, ends all other sessions and signs in.
#[utoipa::path(tag = "User", request_body = ResetPassword, responses((status = 200, body = Answer<SessionStarted>)))]
#[post("/User/ResetPassword")]
async fn reset_password(
    app: AppData,
    request: HttpRequest,
    from: ClientAddress,
    Body(form): Body<ResetPassword>,
) -> Answered<SessionStarted> {
    validate_new_password(&form.password, "")?;
    check_first_line(&app, &from)?;
    let password = form.password.clone();
    let hash = hashing(&app, move || hash_password(&password)).await?;
    let now = app.clock.now();
    let visitor = Visitor::of(&request, &from);
    let started = app
        .db
        .write(move |conn| {
            let user_id = queries::take_reset(conn, &form.reset_token, now)?;
            let user_id = user_id.ok_or_else(|| AppError::in_place("linkExpired"))?;
            validate_new_password(&form.password, &queries::email_of(conn, user_id)?)?;
            queries::replace_password(conn, user_id, &hash, now)?;
            visitor.start_session(conn, user_id, now)
        })
        .await?;
    answer(started)
}

/// Ends the session of the token that was sent.
#[utoipa::path(tag = "User", responses((status = 200, body = Answer<SignedOut>)), security(("Token" = [])))]
#[post("/User/Logout")]
async fn logout(app: AppData, who: SignedIn) -> Answered<SignedOut> {
    let now = app.clock.now();
    app.db.write(move |conn| queries::revoke_session(conn, &who, now)).await?;
    answer(SignedOut { signed_out: true })
}

#[utoipa::path(tag = "User", responses((status = 200, body = Answer<UserInfo>)), security(("Token" = [])))]
#[post("/User/GetUserInfo")]
async fn get_user_info(app: AppData, who: SignedIn) -> Answered<UserInfo> {
    answer(app.db.read(move |conn| queries::user_info(conn, who.user_id)).await?)
}

#[utoipa::path(tag = "User", responses((status = 200, body = Answer<Wallet>)), security(("Token" = [])))]
#[post("/User/GetWallet")]
async fn get_wallet(app: AppData, who: SignedIn) -> Answered<Wallet> {
    answer(app.db.read(move |conn| queries::wallet(conn, who.account_id)).await?)
}

#[utoipa::path(tag = "User", responses((status = 200, body = Answer<Center>)), security(("Token" = [])))]
#[post("/User/GetCenter")]
async fn get_center(app: AppData, who: SignedIn) -> Answered<Center> {
    answer(app.db.read(move |conn| queries::center(conn, &who)).await?)
}

/// Who the customer is, as on invoices.
#[utoipa::path(tag = "User", responses((status = 200, body = Answer<AccountDetails>)), security(("Token" = [])))]
#[post("/User/GetAccountDetails")]
async fn get_account_details(app: AppData, who: SignedIn) -> Answered<AccountDetails> {
    answer(app.db.read(move |conn| queries::account_details(conn, who.account_id)).await?)
}

/// Changes who the customer is. Invoices that were issued stay as they are. Answers the details as they are kept.
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

/// From where and with which program somebody signs in.
#[derive(Clone)]
struct Visitor {
    address: String,
    user_agent: String,
}

impl Visitor {
    fn of(request: &HttpRequest, from: &ClientAddress) -> Visitor {
        let agent = request.headers().get(USER_AGENT).and_then(|value| value.to_str().ok());
        Visitor { address: from.0.to_string(), user_agent: agent.unwrap_or_default().to_owned() }
    }

    fn start_session(
        &self,
        conn: &mut Conn,
        user_id: i64,
        now: chrono::NaiveDateTime,
    ) -> Result<SessionStarted, AppError> {
        let token = queries::insert_session(conn, user_id, &self.address, &self.user_agent, now)?;
        Ok(SessionStarted { token, user: queries::user_info(conn, user_id)? })
    }
}

fn check_first_line(app: &App, from: &ClientAddress) -> Result<(), AppError> {
    let key = from.0.to_string();
    let is_free = app.first_line.check_key(&key).is_ok();
    is_free.then_some(()).ok_or_else(|| AppError::with(Code::TooManyRequests, json!({ "RetryAfterMs": 1_000 })))
}

async fn limit_mails(app: &AppData, from: &ClientAddress, recipient: &str) -> Result<(), AppError> {
    check_first_line(app, from)?;
    let recipient = (format!("mail to {recipient}"), MAILED_LINKS_PER_RECIPIENT);
    hit_all(app, [recipient, (format!("mail from {}", from.0), MAILED_LINKS_PER_ADDRESS)]).await
}

/// Counts in a transaction of its own, so that what fails afterwards has still been counted.
async fn hit_all(app: &AppData, limits: [(String, Throttle); 2]) -> Result<(), AppError> {
    let now = app.clock.now();
    let count =
        move |conn: &mut Conn| limits.iter().try_for_each(|(bucket, limit)| throttle::hit(conn, bucket, *limit, now));
    app.db.write(count).await
}

/// Work on passwords waits for its turn, on a thread that may be busy.
async fn hashing<T: Send + 'static>(
    app: &App,
    work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
) -> Result<T, AppError> {
    let turn = app.hashing.clone().acquire_owned().await.map_err(|error| AppError::Internal(error.into()))?;
    let in_turn = move || {
        let result = work();
        drop(turn);
        result
    };
    web::block(in_turn).await.map_err(|error| AppError::Internal(error.into()))?.map_err(AppError::Internal)
}
