//! Sign-in: passwords and codes with their rate limits, and the start of a session, which all ways to sign in share.
use crate::db::Conn;
use crate::error::AppError;
use crate::events;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::Body;
use crate::mails;
use crate::security::password_matches;
use crate::security_log;
use crate::security_log::visitor::Visitor;
use crate::state::App;
use crate::state::costly::Share;
use crate::throttle;
use crate::users::attempts::{check_burst_limit, hit_all};
use crate::users::entered::note_recovery_code;
use crate::users::two_factor::{self, ReadCode};
use crate::users::types::{Login, SessionStarted};
use crate::users::{devices, queries, sessions};
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::account::SignInBuckets;
use postern_core::event::EventKind;
use postern_core::mail::MailTemplate;
use postern_core::security_log::{SecurityKind, device_name};
use postern_core::sign_in::{LoginForm, validate_login};
use postern_core::time::to_wire;
use postern_core::two_factor::CodeBuckets;
use serde_json::json;

/// The outcome of a sign-in with a correct password.
enum Outcome {
    Started(Box<SessionStarted>),
    /// Refused with this text key; what was written is committed.
    Refused(&'static str),
}

/// Signs in. A wrong address and a wrong password get the same response in the same time, and count towards the same limits. If two-factor
/// authentication is on, a correct password without `Code` is refused with code 3333 and the key `twoFactorNeeded`, and a wrong or used code with
/// `twoFactorWrong`.
#[utoipa::path(request_body = Login, responses((status = 200, body = Answer<SessionStarted>)))]
#[post("/User/Login")]
pub async fn login(app: web::Data<App>, visitor: Visitor, Body(form): Body<Login>) -> Answered<SessionStarted> {
    let email = validate_login(&LoginForm { email: form.email.clone(), password: form.password.clone() })?;
    check_burst_limit(&app, &visitor.sender)?;
    let now = app.clock.now();
    let (asked, device_id) = (email.clone(), form.device_id.clone());
    let find = move |conn: &mut Conn| {
        let device = devices::known(conn, asked.as_str(), &device_id)?;
        Ok((queries::find_credentials(conn, asked.as_str())?, device))
    };
    let (credentials, device) = app.db.read(find).await?;
    let buckets = SignInBuckets::of(email.as_str(), &visitor.sender, device.as_deref());
    hit_all(&app, buckets.limits.clone()).await?;
    let hash = credentials.as_ref().map(|credentials| credentials.password_hash.clone());
    let share = app.costly.sign_in.of_sender(&visitor.sender);
    let is_right = share.run(move || password_matches(&form.password, hash.as_deref())).await?;
    let Some(credentials) = credentials.filter(|_| is_right) else {
        app.db.write(move |conn| security_log::record_failure(conn, email.as_str(), &visitor, now)).await?;
        return Err(AppError::in_place("signInFailed"));
    };
    let user_id = credentials.user_id;
    let (code, code_buckets) = read_code(
        &app,
        &share,
        user_id,
        &form.code,
        CodeBuckets::of_sign_in(user_id, &visitor.sender, device.as_deref()),
    )
    .await?;
    let work = move |conn: &mut Conn| {
        // Changing the password or turning two-factor authentication on takes this lock, and then ends all sessions.
        let is_current = queries::lock_user(conn, user_id)? == credentials.password_hash;
        if !is_current {
            return Ok(Outcome::Refused("signInFailed"));
        }
        let confirmed_at = match (two_factor::in_force(conn, user_id)?, &code) {
            (None, _) => None,
            (Some(_), None) => {
                buckets.bucket_to_undo().map_or(Ok(()), |bucket| throttle::undo_hit(conn, bucket))?;
                return Ok(Outcome::Refused("twoFactorNeeded"));
            }
            (Some(_), Some(code)) if two_factor::use_code(conn, user_id, code, &code_buckets, now)? => {
                note_recovery_code(conn, user_id, code, &visitor, now)?;
                Some(now)
            }
            (Some(_), Some(_)) => {
                buckets.bucket_to_undo().map_or(Ok(()), |bucket| throttle::undo_hit(conn, bucket))?;
                security_log::note(conn, user_id, SecurityKind::CodeRefused, &visitor, "", now)?;
                return Ok(Outcome::Refused("twoFactorWrong"));
            }
        };
        throttle::clear(conn, buckets.bucket_to_reset())?;
        buckets.bucket_to_undo().map_or(Ok(()), |bucket| throttle::undo_hit(conn, bucket))?;
        let is_unfamiliar = sessions::is_unfamiliar(conn, user_id, &visitor.address, &visitor.user_agent)?;
        let is_new = devices::is_new(conn, user_id, &form.device_id)? && is_unfamiliar;
        let started = start_session(conn, user_id, &visitor, &form.device_id, confirmed_at, now)?;
        if is_new {
            report_new_device(conn, user_id, &started, &visitor, now)?;
        }
        Ok(Outcome::Started(Box::new(started)))
    };
    match app.db.write(work).await? {
        Outcome::Started(started) => answer(*started),
        Outcome::Refused(key) => Err(AppError::in_place(key)),
    }
}

/// Reads the code sent with a correct password; `None` if none was sent or the user needs none.
async fn read_code(
    app: &App,
    share: &Share<'_>,
    user_id: i64,
    text: &str,
    buckets: CodeBuckets,
) -> Result<(Option<ReadCode>, CodeBuckets), AppError> {
    let two_factor = app.db.read(move |conn| two_factor::in_force(conn, user_id)).await?;
    let code = match two_factor.filter(|_| !text.trim().is_empty()) {
        Some(two_factor) => Some(two_factor::read_code(app, share, &buckets, &two_factor, text).await?),
        None => None,
    };
    Ok((code, buckets))
}

/// Starts a session, remembers the device and writes the log.
pub fn start_session(
    conn: &mut Conn,
    user_id: i64,
    visitor: &Visitor,
    device_id: &str,
    confirmed_at: Option<NaiveDateTime>,
    now: NaiveDateTime,
) -> Result<SessionStarted, AppError> {
    let device_id = devices::remember(conn, user_id, device_id, now)?;
    let token = sessions::start(conn, user_id, (&visitor.address, &visitor.user_agent), confirmed_at, now)?;
    if let Some(language) = visitor.language {
        queries::keep_language(conn, user_id, language)?;
    }
    security_log::note(conn, user_id, SecurityKind::SignedIn, visitor, "", now)?;
    Ok(SessionStarted { token, device_id, user: queries::user_info(conn, user_id)? })
}

fn report_new_device(
    conn: &mut Conn,
    user_id: i64,
    started: &SessionStarted,
    visitor: &Visitor,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let data = json!({ "Address": visitor.address, "Device": device_name(&visitor.user_agent) });
    let account_id = queries::account_of(conn, user_id)?;
    events::record(conn, account_id, EventKind::NewDevice, &data, now)?;
    let mut parameters = json!({ "Address": visitor.address, "At": to_wire(now) });
    security_log::name_device(&mut parameters, visitor);
    let (email, language) = (&started.user.email, started.user.language);
    mails::queue(conn, email, language, MailTemplate::NewDevice, &parameters, now)
}
