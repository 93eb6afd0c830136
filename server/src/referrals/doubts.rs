//! Detects possible self-referrals: traces that a referrer and the referred account have in common.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::referrals::rows;
use crate::schema::{accounts, known_devices, remembered_cards, sessions, users};
use postern_core::network::sender_key;
use postern_core::referral::{AccountTraces, referral_doubts};
use std::collections::BTreeSet;

/// Maximum number of latest sessions examined.
const SESSIONS: i64 = 500;

/// Maximum number of latest cards examined, forgotten or not.
const CARDS: i64 = 50;

/// Marks the referral for review if there are shared traces. Returns whether it did.
pub fn flag_shared_traces(conn: &mut Conn, referrer_id: i64, account_id: i64) -> Result<bool, AppError> {
    let doubts = referral_doubts(&traces(conn, referrer_id)?, &traces(conn, account_id)?);
    if doubts.is_empty() {
        return Ok(false);
    }
    rows::mark(conn, account_id, &doubts)?;
    Ok(true)
}

fn traces(conn: &mut Conn, account_id: i64) -> Result<AccountTraces, AppError> {
    let user_ids: Vec<i64> = users::table.filter(users::account_id.eq(account_id)).select(users::id).load(conn)?;
    let devices: Vec<String> = known_devices::table
        .filter(known_devices::user_id.eq_any(&user_ids))
        .select(known_devices::device_sha256)
        .load(conn)?;
    let mut addresses: Vec<String> = Vec::new();
    for user_id in &user_ids {
        let latest = sessions::table.filter(sessions::user_id.eq(user_id)).order(sessions::id.desc()).limit(SESSIONS);
        addresses.extend(latest.select(sessions::address).load::<String>(conn)?);
    }
    let senders = addresses.iter().filter_map(|address| address.parse().ok()).map(sender_key).collect::<BTreeSet<_>>();
    let cards: Vec<(String, String, i32, i32)> = remembered_cards::table
        .filter(remembered_cards::account_id.eq(account_id))
        .order(remembered_cards::id.desc())
        .limit(CARDS)
        .select((
            remembered_cards::brand,
            remembered_cards::last_four,
            remembered_cards::expires_month,
            remembered_cards::expires_year,
        ))
        .load(conn)?;
    let card =
        |(brand, last_four, month, year): (String, String, i32, i32)| format!("{brand} {last_four} {month}/{year}");
    let (tax_number, phone, address, city, company): (String, String, String, String, String) = accounts::table
        .find(account_id)
        .select((accounts::tax_number, accounts::phone, accounts::address, accounts::city, accounts::company_name))
        .first(conn)?;
    let mut traces = AccountTraces {
        devices: devices.into_iter().collect(),
        senders,
        cards: cards.into_iter().map(card).collect(),
        ..AccountTraces::default()
    };
    traces.add_detail("tax number", &tax_number);
    traces.add_detail("phone", &phone);
    traces.add_detail("company", &company);
    if !address.trim().is_empty() {
        traces.add_detail("address", &format!("{address} {city}"));
    }
    Ok(traces)
}
