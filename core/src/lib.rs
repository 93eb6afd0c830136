//! The rules of Postern: what is sold and for how much, which state follows which, who may do what, how times and
//! texts cross the wire. Pure: no I/O, no clock (now is an argument), no randomness. The server decides with it, the
//! browser previews with it through the wasm package, and both get the same answers.

pub mod account;
pub mod auto_top_up;
pub mod bounds;
pub mod callback;
pub mod calls;
mod checks;
pub mod code;
pub mod constants;
pub mod coupon;
pub mod endpoint;
pub mod field_errors;
pub mod inventory;
pub mod invoice;
pub mod language;
pub mod ledger;
pub mod list;
pub mod mail;
pub mod money;
pub mod network;
pub mod node;
pub mod node_forms;
pub mod operator_forms;
pub mod order;
pub mod params;
pub mod permission;
pub mod place;
pub mod profile;
pub mod proxy_user;
pub mod proxy_user_form;
pub mod quote;
pub mod redirect;
pub mod referral;
pub mod refund;
pub mod renewal;
pub mod reseller;
pub mod sign_in;
pub mod support;
pub mod switch;
pub mod tier;
pub mod time;
pub mod top_up;
pub mod unpaid;
pub mod wallet_forms;
pub mod web_address;
pub mod webhook;
