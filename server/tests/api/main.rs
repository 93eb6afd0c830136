//! The API over HTTP, against the real application on a random port with a database of its own: on SQLite, or on the
//! PostgreSQL server that TEST_DATABASE_URL names.
mod accounts;
mod auto_top_ups;
mod calls;
mod coupons;
mod inventory;
mod invoices;
mod lists;
mod low_balance;
mod money;
mod nodes;
mod orders;
mod refunds;
mod renewals;
mod resellers;
mod shop;
mod stock;
mod stripe;
mod stripe_cards;
mod stripe_double;
mod switches;
mod transfer;
mod upkeep;
