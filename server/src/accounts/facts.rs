//! What operators see of a customer at a glance.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{api_keys, orders, proxy_users, sessions, two_factors, users};
use crate::totals;
use chrono::NaiveDateTime;
use postern_core::language::Language;
use postern_core::order::OrderState;
use postern_core::time::to_wire;
use serde::Serialize;
use utoipa::ToSchema;

/// The latest sessions, among which the last use is looked for.
const LATEST_SESSIONS: i64 = 20;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AccountFacts {
    pub language: Language,
    pub time_zone: String,
    /// When the customer last used the shop on screen; null if never.
    pub last_seen_at: Option<String>,
    /// Whether two-factor authentication is on.
    pub has_two_factor: bool,
    /// The number of active API keys.
    pub api_keys: i64,
    /// The number of static proxies that the account owns.
    pub proxies: i64,
    /// The number of proxy users for residential traffic.
    pub proxy_users: i64,
    /// The number of the account's orders, in any state.
    pub orders: i64,
    /// The number of unpaid orders.
    pub unpaid_orders: i64,
}

/// The account must exist.
pub fn facts(conn: &mut Conn, account_id: i64) -> Result<AccountFacts, AppError> {
    let user = users::table.filter(users::account_id.eq(account_id)).order(users::id);
    let (user_id, language, time_zone): (i64, Language, String) =
        user.select((users::id, users::language, users::time_zone)).first(conn)?;
    let own = sessions::table.filter(sessions::user_id.eq(user_id)).filter(sessions::operator_id.is_null());
    let latest = own.order(sessions::id.desc()).limit(LATEST_SESSIONS);
    let used: Vec<(NaiveDateTime, Option<NaiveDateTime>)> =
        latest.select((sessions::created_at, sessions::last_used_at)).load(conn)?;
    let last_seen_at = used.into_iter().map(|(created_at, used_at)| used_at.unwrap_or(created_at)).max();
    let turned_on = two_factors::table.find(user_id).filter(two_factors::turned_on_at.is_not_null());
    let keys = api_keys::table.filter(api_keys::account_id.eq(account_id)).filter(api_keys::revoked_at.is_null());
    // The access token is no key of the customer's list.
    let keys = keys.filter(api_keys::sealed_key.is_null());
    let alive = proxy_users::table.filter(proxy_users::account_id.eq(account_id));
    let of_account = orders::table.filter(orders::account_id.eq(account_id));
    Ok(AccountFacts {
        language,
        time_zone,
        last_seen_at: last_seen_at.map(to_wire),
        has_two_factor: turned_on.count().get_result::<i64>(conn)? > 0,
        api_keys: keys.count().get_result(conn)?,
        proxies: totals::nodes(conn, account_id)?,
        proxy_users: alive.filter(proxy_users::deleted_at.is_null()).count().get_result(conn)?,
        orders: of_account.count().get_result(conn)?,
        unpaid_orders: of_account.filter(orders::state.eq(OrderState::Unpaid)).count().get_result(conn)?,
    })
}
