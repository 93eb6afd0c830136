//! The seller's terms and privacy policy: published in versions, accepted by customers at sign-up, and again when a new version is out.
pub mod acceptances;
pub mod operator;
pub mod routes;
pub mod rows;
pub mod types;
