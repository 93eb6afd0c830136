//! Accounts referred by the demo customer, with commissions in every state; and the customer's read notifications.
use crate::audit::Actor;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::demo::traffic::Bought;
use crate::error::AppError;
use crate::order_rows::rows::OrderRow;
use crate::referrals::{commissions, moves, rules};
use crate::refunds::execute::refund_as_operator;
use crate::refunds::types::RefundOrder;
use crate::schema::{accounts, events, known_devices, mails, orders, referral_rules, users};
use crate::users::queries::{PendingSignUp, insert_account};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::max;
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::permission::Level;
use postern_core::referral::ReferralRule;

/// Start (days ago) and rate (basis points) of each rule.
const RULES: [(i64, u32); 2] = [(400, 1_000), (100, 1_200)];

struct Friend {
    email: &'static str,
    signed_up_days_ago: i64,
    /// Days ago and gigabytes.
    bought: &'static [(i64, u32)],
    /// Signs in from a device of the referrer.
    shares_device: bool,
}

const FRIENDS: [Friend; 6] = [
    Friend {
        email: "mia@example.net",
        signed_up_days_ago: 210,
        bought: &[(205, 100), (150, 100), (95, 100)],
        shares_device: false,
    },
    Friend {
        email: "jonas@example.net",
        signed_up_days_ago: 160,
        bought: &[(155, 50), (60, 50), (40, 100)],
        shares_device: false,
    },
    Friend { email: "lin@example.org", signed_up_days_ago: 92, bought: &[(90, 10), (15, 50)], shares_device: false },
    Friend { email: REFUNDED, signed_up_days_ago: 50, bought: &[(44, 50)], shares_device: false },
    Friend { email: "ada@example.org", signed_up_days_ago: 25, bought: &[(18, 10)], shares_device: true },
    Friend { email: "kai@example.org", signed_up_days_ago: 9, bought: &[], shares_device: false },
];

/// The friend whose order was refunded, and when.
const REFUNDED: &str = "omar@example.net";
const REFUNDED_DAYS_AGO: i64 = 14;

/// When the customer moved the available commissions.
pub const MOVED_DAYS_AGO: i64 = 16;

/// Older notifications have been read.
const READ_DAYS_AGO: i64 = 25;

/// Friends cannot sign in: this is not a valid hash.
const NO_PASSWORD: &str = "";

pub fn seed_rules(conn: &mut Conn, now: NaiveDateTime) -> Result<(), AppError> {
    diesel::delete(referral_rules::table).execute(conn)?;
    for (days_ago, rate_basis_points) in RULES {
        let valid_from = now - TimeDelta::days(days_ago);
        rules::add(conn, &ReferralRule { rate_basis_points, valid_from }, &Actor::command(), valid_from)?;
    }
    Ok(())
}

/// Signs the friends up and returns their future purchases.
pub fn seed_friends(
    conn: &mut Conn,
    referrer_id: i64,
    currency: Currency,
    now: NaiveDateTime,
) -> Result<Vec<Bought>, AppError> {
    let invite_code: String = accounts::table.find(referrer_id).select(accounts::invite_code).first(conn)?;
    let mut purchases = Vec::new();
    for friend in FRIENDS {
        let signed_up_at = now - TimeDelta::days(friend.signed_up_days_ago);
        let newcomer = PendingSignUp {
            email: friend.email.to_owned(),
            password_hash: NO_PASSWORD.to_owned(),
            invite_code: invite_code.clone(),
            marketing: "{}".to_owned(),
            language: Language::En,
            time_zone: "UTC".to_owned(),
            accepted_texts: Vec::new(),
        };
        let user_id = insert_account(conn, &newcomer, Level::Customer, currency, signed_up_at)?;
        let user_id = user_id.ok_or_else(|| AppError::internal("a friend of the demo already exists"))?;
        let account_id: i64 = users::table.find(user_id).select(users::account_id).first(conn)?;
        if friend.shares_device {
            for account_id in [referrer_id, account_id] {
                insert_device(conn, account_id, signed_up_at)?;
            }
        }
        purchases.extend(friend.bought.iter().map(|(days_ago, gigabytes)| Bought {
            account_id,
            days_ago: *days_ago,
            gigabytes: *gigabytes,
            period_days: 30,
        }));
    }
    Ok(purchases)
}

fn insert_device(conn: &mut Conn, account_id: i64, at: NaiveDateTime) -> Result<(), AppError> {
    let user_id: i64 = users::table.filter(users::account_id.eq(account_id)).select(users::id).first(conn)?;
    let row = (
        known_devices::user_id.eq(user_id),
        known_devices::device_sha256.eq("a device of the demo"),
        known_devices::first_seen_at.eq(at),
        known_devices::last_seen_at.eq(at),
    );
    diesel::insert_into(known_devices::table).values(row).execute(conn)?;
    Ok(())
}

/// Moves the commissions that are available to the wallet.
pub fn move_commissions(conn: &mut Conn, referrer_id: i64, at: NaiveDateTime) -> Result<(), AppError> {
    for account_id in friends_of(conn, referrer_id)? {
        commissions::mature_of(conn, account_id, at)?;
    }
    moves::move_to_wallet(conn, referrer_id, at)?;
    Ok(())
}

fn friends_of(conn: &mut Conn, referrer_id: i64) -> Result<Vec<i64>, AppError> {
    Ok(accounts::table.filter(accounts::invited_by.eq(referrer_id)).select(accounts::id).load(conn)?)
}

/// Moves the remaining commissions to their final states: reversed, available, pending and held.
pub fn settle(conn: &mut Conn, referrer_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let order: OrderRow = orders::table
        .inner_join(users::table.on(users::account_id.eq(orders::account_id)))
        .filter(users::email.eq(REFUNDED))
        .select(OrderRow::as_select())
        .first(conn)?;
    let refund = RefundOrder {
        order_number: order.order_number,
        amount: Some(Money::from_minor(order.total_minor).to_string()),
        node_ids: Vec::new(),
        to_source: false,
        reason: "Bought twice".to_owned(),
    };
    refund_as_operator(conn, &refund, &Actor::command(), now - TimeDelta::days(REFUNDED_DAYS_AGO))?;
    for account_id in friends_of(conn, referrer_id)? {
        commissions::mature_of(conn, account_id, now)?;
    }
    let old = events::table
        .filter(events::account_id.eq(referrer_id))
        .filter(events::created_at.lt(now - TimeDelta::days(READ_DAYS_AGO)));
    let read_up_to: Option<i64> = old.select(max(events::id)).first(conn)?;
    let reader = users::table.filter(users::account_id.eq(referrer_id));
    diesel::update(reader).set(users::read_up_to.eq(read_up_to.unwrap_or_default())).execute(conn)?;
    // Drops the queued confirmation mails of a whole year.
    diesel::delete(mails::table).execute(conn)?;
    Ok(())
}
