//! Money that gateways take back after a payment has succeeded: refunds made there, disputes, and payments that turned out to be invalid. The wallet
//! pays for it, and what it cannot cover is owed.
pub mod apply;
pub mod debts;
pub mod evidence;
pub mod routes;
pub mod rows;
mod tell;
