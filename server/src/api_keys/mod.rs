//! API keys of accounts, and the access token of the account centre, which is one of them. `http::api_keys` admits requests with a key.
pub mod log;
pub mod queries;
pub mod routes;
pub mod types;
