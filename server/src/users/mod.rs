//! Users: sign-up, sign-in and sign-out, passwords, two-factor authentication, sessions, the security log, and the user's profile.
pub mod attempts;
mod avatar_queries;
mod avatars;
mod devices;
mod email_changes;
mod email_routes;
pub mod email_types;
pub mod entered;
pub mod links;
mod pictures;
pub mod queries;
mod routes;
pub mod security_log;
mod security_routes;
pub mod security_types;
pub mod sessions;
mod sign_in;
pub mod two_factor;
pub mod types;
pub mod visitor;

pub fn configure(config: &mut impl crate::http::routes::Routes) {
    config.configure(routes::configure).configure(security_routes::configure).configure(email_routes::configure);
}
