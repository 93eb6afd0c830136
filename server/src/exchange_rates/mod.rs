//! Exchange rates for gateways that charge another currency than the shop's: set by an operator, or fetched from a feed that an operator chose.
pub mod feed;
pub mod routes;
pub mod rows;
