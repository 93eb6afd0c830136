//! The support chat: one conversation per account, attachments, canned answers, and streams of updates.
mod attachments;
pub mod canned;
pub mod conversations;
pub mod files;
mod operator;
mod queries;
mod routes;
mod stream;
pub mod streams;
mod types;
pub mod unread_mails;

pub fn configure(config: &mut impl crate::http::routes::Routes) {
    config
        .configure(routes::configure)
        .configure(attachments::configure)
        .configure(stream::configure)
        .configure(operator::configure)
        .configure(canned::configure);
}
