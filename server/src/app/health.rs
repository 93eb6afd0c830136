//! Health checks for load balancers: liveness and readiness.
use crate::http::answer::unavailable;
use crate::state::App;
use actix_web::{HttpResponse, get, web};

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(live).service(ready);
}

/// Liveness: the process runs.
#[get("/health/live")]
async fn live() -> HttpResponse {
    HttpResponse::Ok().body("live")
}

/// Readiness: the database accepts writes.
#[get("/health/ready")]
async fn ready(app: web::Data<App>) -> HttpResponse {
    if app.readiness.can_write(&app.db, app.clock.now()).await {
        HttpResponse::Ok().body("ready")
    } else {
        unavailable().body("nothing can be written to the database")
    }
}
