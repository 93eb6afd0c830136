//! Announcements: banners on all screens of customers, from one time to another.
mod queries;
pub mod routes;
mod types;
