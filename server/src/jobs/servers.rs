//! Notices proxy servers that have gone silent.
use crate::error::AppError;
use crate::proxy_servers::health::watch_servers;
use crate::state::App;

pub async fn watch(app: &App) -> Result<(), AppError> {
    let now = app.clock.now();
    app.db.write(move |conn| watch_servers(conn, now)).await
}
