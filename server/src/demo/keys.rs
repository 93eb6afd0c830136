//! The demo customer's API keys: one in use, one restricted to a network, one expired; and the access token.
use crate::accounts::changes::{Flags, set_flags};
use crate::api_keys::queries;
use crate::audit::Actor;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{api_keys, users};
use crate::security::SecretKey;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::api_key::ApiKey;
use postern_core::calls::Scope::{self, ReadBilling, ReadProxies, ReadTraffic, WriteBilling, WriteProxies};
use postern_core::network::Network;

/// Name, scopes, network, expiry (days after creation), creation (days ago), last use (hours ago and address).
type DemoKey = (&'static str, &'static [Scope], &'static str, Option<i64>, i64, Option<(i64, &'static str)>);

const KEYS: &[DemoKey] = &[
    ("Price monitor", &[ReadProxies, ReadTraffic], "", None, 160, Some((1, "203.0.113.24"))),
    (
        "Provisioning",
        &[ReadProxies, WriteProxies, ReadBilling, WriteBilling],
        "198.51.100.0/24",
        Some(330),
        35,
        Some((52, "198.51.100.7")),
    ),
    ("Trial of the new exporter", &[ReadTraffic], "", Some(14), 21, None),
];

pub fn seed_keys(conn: &mut Conn, key: &SecretKey, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let user_id = users::table.filter(users::account_id.eq(account_id)).select(users::id).first(conn)?;
    for (name, scopes, network, expires_after, made_days_ago, used) in KEYS {
        let made_at = now - TimeDelta::days(*made_days_ago);
        let made = ApiKey {
            name: (*name).to_owned(),
            scopes: scopes.to_vec(),
            addresses: Network::parse(network).into_iter().collect(),
            expires_at: expires_after.map(|days| made_at + TimeDelta::days(days)),
        };
        let (id, _) = queries::add(conn, (account_id, user_id), &made, made_at)?;
        if let Some((hours, address)) = used {
            let used =
                (api_keys::last_used_at.eq(now - TimeDelta::hours(*hours)), api_keys::last_used_address.eq(*address));
            diesel::update(api_keys::table.find(id)).set(used).execute(conn)?;
        }
    }
    let flags = Flags { show_invitation_code: true, show_access_token: true };
    set_flags(conn, key, account_id, flags, &Actor::command(), now - TimeDelta::days(160))
}
