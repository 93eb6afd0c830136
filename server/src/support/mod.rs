//! The support chat: one conversation of each account with the shop, its attachments, canned answers, and news of it as a stream.
mod attachments;
pub mod canned;
pub mod conversations;
pub mod files;
mod operator;
mod queries;
mod routes;
mod stream;
pub mod streams;
pub mod telling;
mod types;

pub fn configure(config: &mut utoipa_actix_web::service_config::ServiceConfig) {
    config
        .configure(routes::configure)
        .configure(attachments::configure)
        .configure(stream::configure)
        .configure(operator::configure)
        .configure(canned::configure);
}
