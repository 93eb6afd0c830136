//! Answers queued link requests: the calls only record them.
use crate::error::AppError;
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
