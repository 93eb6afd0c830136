//! How the shop's proxy servers are, for its customers.
use crate::error::AppError;
use crate::http::answer::{Answer, answer};
use crate::http::request::SignedIn;
use crate::proxy_servers::health;
use crate::proxy_servers::types::ServerStatusView;
use crate::state::App;
use actix_web::{post, web};

/// Lists the proxy servers by name, with their state and when they were down in the last 30 days.
#[utoipa::path(responses((status = 200, body = Answer<Vec<ServerStatusView>>)))]
#[post("/Endpoints/GetServerStatusList")]
pub async fn get_server_status_list(
    app: web::Data<App>,
    _who: SignedIn,
) -> Result<Answer<Vec<ServerStatusView>>, AppError> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| health::statuses(conn, now)).await?)
}
