//! Money that goes back to where it came from after a payment has succeeded. What gateways take back (refunds made there, disputes, payments that turned
//! out to be invalid) the wallet pays for, and what it cannot cover is owed. What the shop refunds is sent to the gateway, until it has arrived or failed.
pub mod apply;
pub mod by_hand;
pub mod claim;
pub mod debts;
pub mod evidence;
pub mod routes;
pub mod rows;
pub mod send;
pub mod source;
pub mod source_rows;
mod tell;
