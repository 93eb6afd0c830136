//! SQL about closing accounts. Everything runs in one transaction, so a crash leaves the account unchanged.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::ledger::{LockedWallet, Movement, balance_of, move_money_of};
use crate::mails;
use crate::nodes::lifecycle as nodes_lifecycle;
use crate::payments::{auto_top_ups, cards};
use crate::proxy_users::lifecycle as proxy_users_lifecycle;
use crate::schema::{
    accounts, api_keys, avatars, commissions, email_changes, endpoint_presets, events, idempotency_keys,
    legal_acceptances, nodes, notification_choices, notification_reads, orders, password_resets, plan_groups, plans,
    proxy_users, security_log, sessions, support_attachments, support_conversations, support_messages,
    traffic_reorders, users, wallets, webhooks, white_list,
};
use crate::traffic_batches::batches_of;
use crate::users::access;
use crate::users::access::Whose;
use crate::webhooks::lifecycle as webhooks_lifecycle;
use chrono::NaiveDateTime;
use diesel::dsl::sql;
use diesel::sql_types::BigInt;
use postern_core::access::Ending;
use postern_core::account::AccountState;
use postern_core::code::Code;
use postern_core::language::Language;
use postern_core::ledger::{Book, EntryKind};
use postern_core::mail::MailTemplate;
use postern_core::money::{Currency, Money};
use postern_core::node::{NodeEvent, node_transition};
use postern_core::proxy_user::format_gigabytes;
use postern_core::referral::CommissionState;
use postern_core::security_log::SecurityKind;
use postern_core::traffic::left_now;
use postern_core::webhook_delivery::WebhookState;
use serde_json::json;

/// Rows changed per statement.
const CHUNK: usize = 1_000;

/// Assets that an account would lose.
struct Left {
    balance: Money,
    currency: Currency,
    proxies: usize,
    traffic_bytes: u64,
    /// Commissions that are pending or have not been moved to the wallet.
    commissions: Money,
}

impl Left {
    fn is_empty(&self) -> bool {
        self.balance.is_zero() && self.proxies == 0 && self.traffic_bytes == 0 && self.commissions.is_zero()
    }
}

fn has_unpaid_orders(conn: &mut Conn, account_id: i64) -> Result<bool, AppError> {
    let open = orders::table.filter(orders::account_id.eq(account_id));
    let open = open.filter(orders::paid_at.is_null()).filter(orders::ended_at.is_null()).select(orders::id);
    Ok(open.first::<i64>(conn).optional()?.is_some())
}

fn left(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<Left, AppError> {
    Ok(Left {
        balance: balance_of(conn, account_id)?,
        currency: wallets::table.find(account_id).select(wallets::currency).first(conn)?,
        proxies: owned_nodes(conn, account_id)?.len(),
        traffic_bytes: left_now(&batches_of(conn, account_id)?, now),
        commissions: commissions_left(conn, account_id)?,
    })
}

/// Refuses while orders are unpaid, and if something would be lost without consent.
pub fn refuse_losses(conn: &mut Conn, account_id: i64, gives_up: bool, now: NaiveDateTime) -> Result<(), AppError> {
    if has_unpaid_orders(conn, account_id)? {
        return Err(AppError::in_place("closingUnpaidOrders"));
    }
    let left = left(conn, account_id, now)?;
    if gives_up || left.is_empty() {
        return Ok(());
    }
    let Left { balance, currency, proxies, traffic_bytes, commissions } = left;
    Err(AppError::with(
        Code::ShownInPlace,
        json!({
            "Key": "closingLeaves", "Balance": balance, "Currency": currency, "Proxies": proxies,
            "Gigabytes": format_gigabytes(traffic_bytes), "Commissions": commissions,
        }),
    ))
}

fn commissions_left(conn: &mut Conn, account_id: i64) -> Result<Money, AppError> {
    let left = [CommissionState::Pending, CommissionState::Available];
    let minor: i64 = commissions::table
        .filter(commissions::referrer_id.eq(account_id))
        .filter(commissions::state.eq_any(left))
        .select(sql::<BigInt>("CAST(coalesce(sum(amount_minor), 0) AS BIGINT)"))
        .first(conn)?;
    Ok(Money::from_minor(minor))
}

/// The account's nodes that can be released, in lock order.
fn owned_nodes(conn: &mut Conn, account_id: i64) -> Result<Vec<i64>, AppError> {
    let (from, _) = node_transition(NodeEvent::Quarantine);
    let owned = nodes::table.filter(nodes::account_id.eq(account_id)).filter(nodes::state.eq_any(from));
    Ok(owned.order(nodes::id).select(nodes::id).load(conn)?)
}

/// Ends everything and deletes personal data. The caller holds the locks of the wallet and of the user.
pub fn close(conn: &mut Conn, account_id: i64, wallet: LockedWallet, now: NaiveDateTime) -> Result<(), AppError> {
    end_payments(conn, account_id, wallet, now)?;
    end_proxies(conn, account_id, now)?;
    end_webhooks(conn, account_id, now)?;
    delete_messages(conn, account_id)?;
    // Upkeep deletes keys that were revoked earlier.
    let keys = api_keys::table.filter(api_keys::account_id.eq(account_id)).filter(api_keys::revoked_at.is_null());
    diesel::delete(keys).execute(conn)?;
    let owners: Vec<(i64, String, Language)> = users::table
        .filter(users::account_id.eq(account_id))
        .select((users::id, users::email, users::language))
        .load(conn)?;
    for (user_id, email, language) in owners {
        mails::queue(conn, &email, language, MailTemplate::AccountClosed, &json!({}), now)?;
        erase_user(conn, (account_id, user_id), now)?;
    }
    erase_account(conn, account_id, now)
}

/// Forfeits the balance and ends payments and automatic charges.
fn end_payments(conn: &mut Conn, account_id: i64, wallet: LockedWallet, now: NaiveDateTime) -> Result<(), AppError> {
    if wallet.balance != Money::ZERO {
        let given_up = Movement {
            account_id,
            kind: EntryKind::Forfeited,
            source: Book::Wallet,
            amount: wallet.balance,
            reference: format!("closing {account_id}"),
            order_id: None,
        };
        move_money_of(conn, wallet, &given_up, now)?;
    }
    let quiet = wallets::low_balance_minor.eq(None::<i64>);
    diesel::update(wallets::table.find(account_id)).set(quiet).execute(conn)?;
    cards::forget_all(conn, account_id, now)?;
    auto_top_ups::turn_off(conn, account_id, now)?;
    diesel::update(traffic_reorders::table.find(account_id)).set(traffic_reorders::is_on.eq(false)).execute(conn)?;
    Ok(())
}

/// Releases nodes, and deletes proxy users and their access. Traffic that is left cannot be used without proxy users.
fn end_proxies(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    for ids in owned_nodes(conn, account_id)?.chunks(CHUNK) {
        nodes_lifecycle::release(conn, ids, now)?;
    }
    diesel::update(plans::table.filter(plans::account_id.eq(account_id)))
        .set((
            plans::auto_renew.eq(false),
            plans::user_name.eq(None::<String>),
            plans::password_sealed.eq(None::<String>),
            plans::old_user_name.eq(None::<String>),
            plans::old_password_sealed.eq(None::<String>),
            plans::old_valid_until.eq(None::<NaiveDateTime>),
        ))
        .execute(conn)?;
    let alive = proxy_users::table.filter(proxy_users::account_id.eq(account_id));
    let alive = alive.filter(proxy_users::deleted_at.is_null()).order(proxy_users::id).select(proxy_users::id);
    let alive: Vec<i64> = alive.load(conn)?;
    for ids in alive.chunks(CHUNK) {
        for row in proxy_users_lifecycle::lock(conn, ids)? {
            proxy_users_lifecycle::delete(conn, &row, now)?;
        }
    }
    diesel::delete(plan_groups::table.filter(plan_groups::account_id.eq(account_id))).execute(conn)?;
    diesel::delete(white_list::table.filter(white_list::account_id.eq(account_id))).execute(conn)?;
    diesel::delete(endpoint_presets::table.filter(endpoint_presets::account_id.eq(account_id))).execute(conn)?;
    Ok(())
}

/// Deletes the webhooks; a job deletes their deliveries.
fn end_webhooks(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let own = webhooks::table.filter(webhooks::account_id.eq(account_id));
    let own = own.filter(webhooks::state.ne(WebhookState::Deleted)).order(webhooks::id).select(webhooks::id);
    for webhook_id in own.load::<i64>(conn)? {
        let row = webhooks_lifecycle::lock_own(conn, account_id, webhook_id)?;
        webhooks_lifecycle::delete(conn, &row, now)?;
    }
    Ok(())
}

/// Deletes the conversation with support.
fn delete_messages(conn: &mut Conn, account_id: i64) -> Result<(), AppError> {
    let own = support_conversations::table.filter(support_conversations::account_id.eq(account_id));
    for conversation_id in own.select(support_conversations::id).load::<i64>(conn)? {
        let messages = support_messages::table.filter(support_messages::conversation_id.eq(conversation_id));
        let ids: Vec<i64> = messages.select(support_messages::id).load(conn)?;
        for ids in ids.chunks(CHUNK) {
            let files = support_attachments::table.filter(support_attachments::message_id.eq_any(ids));
            diesel::delete(files).execute(conn)?;
        }
        diesel::delete(messages).execute(conn)?;
        diesel::delete(support_conversations::table.find(conversation_id)).execute(conn)?;
    }
    Ok(())
}

/// Deletes the user's personal data and makes sign-in impossible: no address and no password match any more.
fn erase_user(conn: &mut Conn, (account_id, user_id): (i64, i64), now: NaiveDateTime) -> Result<(), AppError> {
    let whose = Whose { account_id, user_id, but_session: None, since: None };
    access::end(conn, &whose, Ending::AccountClosed, now)?;
    diesel::update(sessions::table.filter(sessions::user_id.eq(user_id)))
        .set((sessions::address.eq(""), sessions::user_agent.eq("")))
        .execute(conn)?;
    diesel::update(legal_acceptances::table.filter(legal_acceptances::user_id.eq(user_id)))
        .set(legal_acceptances::address.eq(""))
        .execute(conn)?;
    diesel::delete(email_changes::table.filter(email_changes::user_id.eq(user_id))).execute(conn)?;
    diesel::delete(password_resets::table.filter(password_resets::user_id.eq(user_id))).execute(conn)?;
    diesel::delete(security_log::table.filter(security_log::user_id.eq(user_id))).execute(conn)?;
    diesel::delete(notification_reads::table.filter(notification_reads::user_id.eq(user_id))).execute(conn)?;
    diesel::delete(notification_choices::table.filter(notification_choices::user_id.eq(user_id))).execute(conn)?;
    let unsent = support_attachments::table.filter(support_attachments::user_id.eq(user_id));
    diesel::delete(unsent.filter(support_attachments::message_id.is_null())).execute(conn)?;
    let closed = (
        security_log::user_id.eq(user_id),
        security_log::kind.eq(SecurityKind::AccountClosed),
        security_log::address.eq(""),
        security_log::user_agent.eq(""),
        security_log::created_at.eq(now),
    );
    diesel::insert_into(security_log::table).values(closed).execute(conn)?;
    let closed = format!("closed {user_id}");
    let erased =
        (users::email.eq(&closed), users::inbox.eq(&closed), users::password_hash.eq(""), users::time_zone.eq("UTC"));
    diesel::update(users::table.find(user_id)).set(erased).execute(conn)?;
    Ok(())
}

/// Invoices keep the details that were printed on them.
fn erase_account(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    diesel::delete(avatars::table.find(account_id)).execute(conn)?;
    diesel::delete(events::table.filter(events::account_id.eq(account_id))).execute(conn)?;
    diesel::delete(idempotency_keys::table.filter(idempotency_keys::account_id.eq(account_id))).execute(conn)?;
    diesel::update(accounts::table.find(account_id))
        .set((
            accounts::state.eq(AccountState::Suspended),
            accounts::closed_at.eq(now),
            accounts::marketing.eq("{}"),
            accounts::company_name.eq(""),
            accounts::first_name.eq(""),
            accounts::last_name.eq(""),
            accounts::address.eq(""),
            accounts::city.eq(""),
            accounts::country.eq(""),
            accounts::postal_code.eq(""),
            accounts::phone.eq(""),
            accounts::tax_number.eq(""),
            accounts::website.eq(""),
            accounts::messenger.eq(""),
            accounts::note.eq(""),
        ))
        .execute(conn)?;
    Ok(())
}
