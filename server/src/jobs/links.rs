//! Processes queued link requests, and logs failed sign-ins. The calls only queue them, so that the response time is the same for any address.
use crate::error::AppError;
use crate::security_log;
use crate::state::App;
use crate::users::links;

pub async fn answer(app: &App) -> Result<(), AppError> {
    while app.db.read(links::is_any_waiting).await? {
        let (key, public_url, now) = (app.key.clone(), app.config.public_url.clone(), app.clock.now());
        let answered = app.db.write(move |conn| links::answer_waiting(conn, &key, &public_url, now)).await?;
        if answered < links::AT_ONCE {
            break;
        }
    }
    Ok(())
}

pub async fn log_failed_sign_ins(app: &App) -> Result<(), AppError> {
    while app.db.read(security_log::is_any_failure_waiting).await? {
        if app.db.write(security_log::log_failures).await? < security_log::AT_ONCE {
            break;
        }
    }
    Ok(())
}
