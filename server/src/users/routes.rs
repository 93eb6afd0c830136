//! The calls of the group `User`.
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer, chosen_language};
use crate::http::request::{Body, SignedIn, Write, once};
use crate::legal::acceptances;
use crate::security::password_matches;
use crate::security_log;
use crate::security_log::visitor::Visitor;
use crate::state::App;
use crate::users::access::Whose;
use crate::users::attempts::{check_burst_limit, hash_new_password, hit_all, limit_new_passwords};
use crate::users::recovery::replace_password;
use crate::users::sign_in::start_session;
use crate::users::types::*;
use crate::users::{links, queries, sessions, two_factor};
use actix_web::{HttpRequest, post, web};
use postern_core::access::Ending;
use postern_core::account::{MAILED_LINKS_PER_RECIPIENT, MAILED_LINKS_PER_SENDER, PASSWORDS_PER_SIGN_UP};
use postern_core::constants::{MARKETING_KEYS, MARKETING_MAX_LENGTH};
use postern_core::field_errors::FieldErrors;
use postern_core::language::Language;
use postern_core::payment_return::WhenOwed;
use postern_core::permission::Level;
use postern_core::profile::{AccountDetails, Preferences, validate_account_details, validate_preferences};
use postern_core::rule::Rule;
use postern_core::security_log::SecurityKind;
use postern_core::sign_in::{
    EmailAddress, SignUpForm, validate_new_password, validate_reset_request, validate_sign_up,
    validate_sign_up_password,
};
use postern_core::time::is_time_zone;

type AppData = web::Data<App>;

/// Signs up, accepting the current versions of the seller's legal texts. The response does not reveal whether the address has an account; the mail to its owner does.
#[utoipa::path(request_body = SignUp, responses((status = 200, body = Answer<Sent>)))]
#[post("/User/SignUp")]
pub async fn sign_up(app: AppData, visitor: Visitor, Body(form): Body<SignUp>) -> Answered<Sent> {
    let fields = SignUpForm {
        email: form.email.clone(),
        password: form.password.clone(),
        invite_code: form.invite_code.clone(),
    };
    let email = validate_sign_up(&fields)?;
    let invite_code = form.invite_code.trim().to_owned();
    if !invite_code.is_empty() {
        check_burst_limit(&app, &visitor.sender)?;
        let code = invite_code.clone();
        if app.db.read(move |conn| queries::referrer(conn, &code)).await?.is_none() {
            return Err(FieldErrors::one("InviteCode", Rule::UnknownInviteCode, &[]).into());
        }
    }
    let accepted = form.accepted_texts.clone();
    app.db.read(move |conn| acceptances::check(conn, &accepted)).await?;
    limit_mails(&app, &visitor.sender, &email).await?;
    let share = app.costly.passwords.of_sender(&visitor.sender);
    let password_hash = hash_new_password(&app, &share, "Password", &form.password, email.as_str()).await?;
    let marketing: serde_json::Map<_, _> = form
        .marketing
        .into_iter()
        .filter(|(name, value)| MARKETING_KEYS.contains(&name.as_str()) && value.len() <= MARKETING_MAX_LENGTH)
        .map(|(name, value)| (name, value.into()))
        .collect();
    let newcomer = queries::PendingSignUp {
        email: email.as_str().to_owned(),
        password_hash,
        invite_code,
        marketing: serde_json::Value::Object(marketing).to_string(),
        language: Language::from_choice(&form.language),
        time_zone: if is_time_zone(&form.time_zone) { form.time_zone } else { "UTC".to_owned() },
        accepted_texts: form.accepted_texts,
    };
    let now = app.clock.now();
    app.db.write(move |conn| links::request_sign_up(conn, &newcomer, now)).await?;
    answer(Sent { sent: true })
}

/// Confirms the e-mail address of a sign-up with the token from the mailed link and the password that was entered at the sign-up, creates the account
/// and signs in. A later sign-up with the same address ends the link. A wrong password is refused with code 3333 and the key `signUpPasswordWrong`.
#[utoipa::path(request_body = VerifyEmail, responses((status = 200, body = Answer<SessionStarted>)))]
#[post("/User/VerifyEmail")]
pub async fn verify_email(app: AppData, visitor: Visitor, Body(form): Body<VerifyEmail>) -> Answered<SessionStarted> {
    validate_sign_up_password(&form.password)?;
    check_burst_limit(&app, &visitor.sender)?;
    let now = app.clock.now();
    let expired = || AppError::in_place("linkExpired");
    let token = form.verify_token.clone();
    let (id, waiting) = app.db.read(move |conn| queries::find_sign_up(conn, &token, now)).await?.ok_or_else(expired)?;
    hit_all(&app, vec![(format!("password of sign-up {id}"), PASSWORDS_PER_SIGN_UP)]).await?;
    // Whoever signed up need not own the address, and whoever opens the link need not have signed up: the account is for whoever did both.
    let share = app.costly.passwords.of_sender(&visitor.sender);
    if !share.run(move || password_matches(&form.password, Some(&waiting.password_hash))).await? {
        return Err(AppError::in_place("signUpPasswordWrong"));
    }
    let started = app
        .db
        .write(move |conn| {
            let newcomer = queries::take_sign_up(conn, &form.verify_token, now)?.ok_or_else(expired)?;
            let currency = crate::catalogue::catalogue(conn)?.currency;
            let user_id = queries::insert_account(conn, &newcomer, Level::Customer, currency, now)?;
            let user_id = user_id.ok_or_else(expired)?;
            acceptances::accept(conn, user_id, &newcomer.accepted_texts, &visitor.address, now)?;
            start_session(conn, user_id, &visitor, &form.device_id, None, now)
        })
        .await?;
    answer(started)
}

/// Sends a password reset link, if the address has an account. The response does not reveal whether it has.
#[utoipa::path(request_body = RequestPasswordReset, responses((status = 200, body = Answer<Sent>)))]
#[post("/User/RequestPasswordReset")]
pub async fn request_password_reset(
    app: AppData,
    request: HttpRequest,
    visitor: Visitor,
    Body(form): Body<RequestPasswordReset>,
) -> Answered<Sent> {
    let email = validate_reset_request(&form.email)?;
    limit_mails(&app, &visitor.sender, &email).await?;
    let now = app.clock.now();
    let language = crate::http::answer::language_of(&request);
    app.db.write(move |conn| links::request_reset(conn, email.as_str(), language, now)).await?;
    answer(Sent { sent: true })
}

/// Sets a new password with the token from the mailed link, and signs in. Ends all other sessions, known devices, mailed links and a pending change of
/// the e-mail address; unless `EndKeys` is false, it also ends API keys, the access token and list URLs, and pauses webhooks. If two-factor
/// authentication is on, it stays on and no session starts: the password is changed and the response has code 3333 and the key `signInWithCode`.
#[utoipa::path(request_body = ResetPassword, responses((status = 200, body = Answer<SessionStarted>)))]
#[post("/User/ResetPassword")]
pub async fn reset_password(
    app: AppData,
    visitor: Visitor,
    Body(form): Body<ResetPassword>,
) -> Answered<SessionStarted> {
    validate_new_password(&form.password, "")?;
    check_burst_limit(&app, &visitor.sender)?;
    let (now, token) = (app.clock.now(), form.reset_token.clone());
    // Whatever takes long is done for links that exist only.
    let found = app.db.read(move |conn| queries::find_reset(conn, &token, now)).await?;
    let (user_id, email) = found.ok_or_else(|| AppError::in_place("linkExpired"))?;
    validate_new_password(&form.password, &email)?;
    limit_new_passwords(&app, user_id, &visitor.sender).await?;
    let share = app.costly.passwords.of_sender(&visitor.sender);
    let hash = hash_new_password(&app, &share, "Password", &form.password, &email).await?;
    let started = app
        .db
        .write(move |conn| {
            let user_id = queries::take_reset(conn, &form.reset_token, now)?;
            let user_id = user_id.ok_or_else(|| AppError::in_place("linkExpired"))?;
            validate_new_password(&form.password, &queries::email_of(conn, user_id)?)?;
            queries::lock_user(conn, user_id)?;
            let account_id = queries::account_of(conn, user_id)?;
            let whose = Whose { account_id, user_id, but_session: None, since: None };
            let ending = Ending::PasswordReset { ends_keys: form.end_keys };
            replace_password(conn, &whose, &hash, ending, &visitor, now)?;
            if two_factor::in_force(conn, user_id)?.is_some() {
                return Ok(None);
            }
            start_session(conn, user_id, &visitor, &form.device_id, None, now).map(Some)
        })
        .await?;
    answer(started.ok_or_else(|| AppError::in_place("signInWithCode"))?)
}

/// Signs out: revokes the token that was sent.
#[utoipa::path(responses((status = 200, body = Answer<SignedOut>)))]
#[post("/User/Logout")]
pub async fn logout(app: AppData, who: SignedIn, visitor: Visitor) -> Answered<SignedOut> {
    let now = app.clock.now();
    let signed_out = app.db.write(move |conn| {
        // The end of an operator's view is no event of the customer's.
        if sessions::revoke(conn, who.user_id, who.session_id()?, now)?.is_some() && !who.is_view {
            security_log::note(conn, who.user_id, SecurityKind::SignedOut, &visitor, "", now)?;
        }
        Ok(())
    });
    signed_out.await?;
    answer(SignedOut { signed_out: true })
}

/// Returns the signed-in user with the account's level, language and time zone. An `Accept-Language` header also sets the
/// language of future mails.
#[utoipa::path(responses((status = 200, body = Answer<UserInfo>)))]
#[post("/User/GetUserInfo")]
pub async fn get_user_info(app: AppData, request: HttpRequest, who: SignedIn) -> Answered<UserInfo> {
    let is_own = who.is_session() && !who.is_view;
    if let Some(language) = chosen_language(&request).filter(|language| is_own && *language != who.language) {
        app.db.write(move |conn| queries::keep_language(conn, who.user_id, language)).await?;
    }
    let is_view = who.is_view;
    let info = app.db.read(move |conn| queries::user_info(conn, who.user_id)).await?;
    // An operator cannot accept anything for a customer.
    let texts_to_accept = if is_view { Vec::new() } else { info.texts_to_accept };
    answer(UserInfo { is_view, texts_to_accept, ..info })
}

/// Returns the wallet balance, the amount spent so far, and what is owed.
#[utoipa::path(responses((status = 200, body = Answer<Wallet>)))]
#[post("/User/GetWallet")]
pub async fn get_wallet(app: AppData, who: SignedIn) -> Answered<Wallet> {
    let suspends = app.config.when_owed == WhenOwed::Suspend;
    answer(app.db.read(move |conn| queries::wallet(conn, who.account_id, suspends)).await?)
}

/// Returns the account centre: name, address, picture, and the invitation code and access token if the shop shows them. The access token is never
/// returned to an API key, and with two-factor authentication only to a session in which a code was entered recently.
#[utoipa::path(responses((status = 200, body = Answer<Center>)))]
#[post("/User/GetCenter")]
pub async fn get_center(app: AppData, who: SignedIn) -> Answered<Center> {
    let (key, now) = (app.key.clone(), app.clock.now());
    answer(app.db.read(move |conn| queries::center(conn, &key, &who, now)).await?)
}

/// Returns the customer's details, as shown on invoices.
#[utoipa::path(responses((status = 200, body = Answer<AccountDetails>)))]
#[post("/User/GetAccountDetails")]
pub async fn get_account_details(app: AppData, who: SignedIn) -> Answered<AccountDetails> {
    answer(app.db.read(move |conn| queries::account_details(conn, who.account_id)).await?)
}

/// Updates the customer's details. Issued invoices do not change. Returns the details as stored.
#[utoipa::path(request_body = AccountDetails, responses((status = 200, body = Answer<AccountDetails>)))]
#[post("/User/UpdateAccountDetails")]
pub async fn update_account_details(
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
#[utoipa::path(request_body = Preferences, responses((status = 200, body = Answer<UserInfo>)))]
#[post("/User/UpdatePreferences")]
pub async fn update_preferences(app: AppData, who: SignedIn, write: Write<Preferences>) -> Answered<serde_json::Value> {
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

/// Counts a mail to an inbox, whichever of its aliases is named.
async fn limit_mails(app: &AppData, sender: &str, recipient: &EmailAddress) -> Result<(), AppError> {
    check_burst_limit(app, sender)?;
    let recipient = (format!("mail to {}", recipient.inbox()), MAILED_LINKS_PER_RECIPIENT);
    let sender = (format!("mail from {sender}"), MAILED_LINKS_PER_SENDER);
    hit_all(app, vec![recipient, sender]).await
}
