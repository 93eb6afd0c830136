//! A year of the demo customer's residential traffic: purchases, proxy users, and usage by hour.
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::fulfilment::fulfil;
use crate::ledger::{Movement, move_money};
use crate::schema::{proxy_users, usage_days, usage_hours, usage_months};
use crate::security::{SecretKey, random};
use crate::traffic::purchase::{insert_order, priced};
use crate::traffic_batches::{batches_of, lock_account, use_bytes};
use chrono::{Datelike, NaiveDateTime, TimeDelta, Timelike, Weekday};
use postern_core::account::node_password;
use postern_core::ledger::{Book, EntryKind};
use postern_core::permission::Level;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::proxy_user::{Cycle, GIGABYTE, LimitCycle, ProxyUserState, cycle_of};
use postern_core::reseller::AccountTerms;
use postern_core::staff::StaffRole;
use postern_core::time::time_zone;
use postern_core::traffic::{Batch, TrafficRequest, take_bytes};
use postern_core::usage::{UsageDimension, day_of, hour_of, month_of};
use std::collections::BTreeMap;

const SEED: u64 = 0x0705_7e13;
const ROWS_PER_INSERT: usize = 400;

/// 100 GB for 30 days every 29 days, last 20 days ago; and once 50 GB without expiry.
const MONTHLY_PURCHASES: i64 = 13;
const LAST_PURCHASE_DAYS_AGO: i64 = 20;
const DAYS_BETWEEN: i64 = 29;
const NEVER_EXPIRING_DAYS_AGO: i64 = 200;

struct DemoUser {
    name: &'static str,
    note: &'static str,
    limit_gigabytes: Option<u64>,
    limit_cycle: LimitCycle,
    /// Megabytes in a busy hour.
    busy_megabytes: u64,
    /// First and last hour of activity per day, in UTC.
    hours: (u32, u32),
    on_weekends: bool,
    /// First and last day of use, in days ago.
    days_ago: (i64, i64),
    state: ProxyUserState,
    countries: &'static [&'static str],
    targets: &'static [&'static str],
}

const USERS: &[DemoUser] = &[
    DemoUser {
        name: "price_watch",
        note: "Shop prices, hourly",
        limit_gigabytes: Some(60),
        limit_cycle: LimitCycle::Month,
        busy_megabytes: 120,
        hours: (0, 23),
        on_weekends: true,
        days_ago: (366, 0),
        state: ProxyUserState::Active,
        countries: &["US", "GB", "DE"],
        targets: &["shop.example", "market.example", "outlet.example", "deals.example"],
    },
    DemoUser {
        name: "travel_rates",
        note: "Hotels and flights",
        limit_gigabytes: Some(3),
        limit_cycle: LimitCycle::Day,
        busy_megabytes: 100,
        hours: (5, 20),
        on_weekends: true,
        days_ago: (300, 0),
        state: ProxyUserState::Active,
        countries: &["FR", "ES", "IT", "JP"],
        targets: &["hotels.example", "flights.example", "rental.example"],
    },
    DemoUser {
        name: "seo_audit",
        note: "",
        limit_gigabytes: None,
        limit_cycle: LimitCycle::None,
        busy_megabytes: 95,
        hours: (7, 17),
        on_weekends: false,
        days_ago: (240, 0),
        state: ProxyUserState::Active,
        countries: &["US", "BR"],
        targets: &["search.example", "news.example"],
    },
    DemoUser {
        name: "qa_team",
        note: "Paused until the next release",
        limit_gigabytes: Some(20),
        limit_cycle: LimitCycle::Month,
        busy_megabytes: 40,
        hours: (8, 16),
        on_weekends: false,
        days_ago: (200, 9),
        state: ProxyUserState::Paused,
        countries: &["US", "DE", "JP"],
        targets: &["staging.example", "shop.example"],
    },
    DemoUser {
        name: "trial_partner",
        note: "5 GB to try",
        limit_gigabytes: Some(5),
        limit_cycle: LimitCycle::None,
        busy_megabytes: 40,
        hours: (9, 18),
        on_weekends: false,
        days_ago: (60, 0),
        state: ProxyUserState::Exhausted,
        countries: &["GB"],
        targets: &["market.example"],
    },
];

/// The usage of a proxy user.
#[derive(Clone, Copy, Default)]
struct Used {
    total: u64,
    this_cycle: u64,
    last_at: Option<NaiveDateTime>,
}

/// Sums by dimension, start and name: upload, download, requests.
type DemoSums = BTreeMap<(&'static str, NaiveDateTime, String), (UsageDimension, [u64; 3])>;

/// A purchase of traffic by an account.
pub struct Bought {
    pub account_id: i64,
    pub days_ago: i64,
    pub gigabytes: u32,
    pub period_days: u32,
}

/// How many days ago the demo customer first bought traffic.
pub const FIRST_PURCHASE_DAYS_AGO: i64 = LAST_PURCHASE_DAYS_AGO + (MONTHLY_PURCHASES - 1) * DAYS_BETWEEN;

/// The demo customer's purchases of the year.
pub fn own_purchases(account_id: i64) -> impl Iterator<Item = Bought> {
    let monthly = (0..MONTHLY_PURCHASES).map(|back| LAST_PURCHASE_DAYS_AGO + back * DAYS_BETWEEN);
    let monthly = monthly.map(move |days_ago| Bought { account_id, days_ago, gigabytes: 100, period_days: 30 });
    monthly.chain([Bought { account_id, days_ago: NEVER_EXPIRING_DAYS_AGO, gigabytes: 50, period_days: 0 }])
}

/// Seeds the usage of the year before `now`.
pub fn seed_traffic(conn: &mut Conn, key: &SecretKey, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let mut random = fastrand::Rng::with_seed(SEED);
    lock_account(conn, account_id)?;
    let mut batches = batches_of(conn, account_id)?;
    let bought: BTreeMap<i64, u64> = batches.iter().map(|batch| (batch.id, batch.left_bytes)).collect();
    let begins_at = batches.iter().map(|batch| batch.begins_at).min().unwrap_or(now);
    let user_ids = insert_users(conn, key, account_id, begins_at)?;
    let mut used = vec![Used::default(); USERS.len()];
    let (mut hours, mut days) = (DemoSums::new(), DemoSums::new());
    let mut hour = hour_of(begins_at) + TimeDelta::hours(1);
    while hour < hour_of(now) {
        for (index, user) in USERS.iter().enumerate() {
            let bytes = bytes_in_hour(user, hour, now, &mut random).min(left_of(user, used[index].total));
            if bytes == 0 || take(&mut batches, bytes, hour) > 0 {
                continue;
            }
            let cycle = cycle_now(user, begins_at, now)?;
            used[index].total += bytes;
            used[index].this_cycle += if hour >= cycle.starts_at { bytes } else { 0 };
            used[index].last_at = Some(hour + TimeDelta::minutes(59));
            let named: [(UsageDimension, Vec<(String, u64)>); 4] = [
                (UsageDimension::All, vec![(String::new(), bytes)]),
                (UsageDimension::User, vec![(user_ids[index].to_string(), bytes)]),
                (UsageDimension::Country, shares(user.countries, bytes, &mut random)),
                (UsageDimension::Target, shares(user.targets, bytes, &mut random)),
            ];
            for (dimension, parts) in named {
                for (name, bytes) in parts {
                    add(&mut hours, dimension, hour, &name, bytes);
                    add(&mut days, dimension, day_of(hour), &name, bytes);
                }
            }
        }
        hour += TimeDelta::hours(1);
    }
    for batch in &batches {
        use_bytes(conn, batch.id, bought[&batch.id] - batch.left_bytes)?;
    }
    for ((user, id), used) in USERS.iter().zip(&user_ids).zip(&used) {
        record_use(conn, user, *id, used, begins_at, now)?;
    }
    insert_sums(conn, account_id, hours, days)
}

/// Buys traffic, with money credited to the wallet for it.
pub fn buy(conn: &mut Conn, key: &SecretKey, bought: &Bought, at: NaiveDateTime) -> Result<(), AppError> {
    let Bought { account_id, gigabytes, period_days, .. } = *bought;
    let request = TrafficRequest { gigabytes, period_days };
    let customer = AccountTerms { level: Level::Customer, reseller_basis_points: 0, role: StaffRole::Operator };
    let (quote, _) = priced(conn, account_id, customer, &request, (None, RowLock::None), at)?;
    let credit = Movement {
        account_id,
        kind: EntryKind::Credit,
        source: Book::Gateway,
        amount: quote.total,
        reference: format!("demo credit {account_id} {at}"),
        order_id: None,
    };
    move_money(conn, &credit, at)?;
    let order = insert_order(conn, account_id, &quote, None, at)?;
    fulfil::pay_from_wallet(conn, key, &order, at)
}

fn insert_users(
    conn: &mut Conn,
    key: &SecretKey,
    account_id: i64,
    created_at: NaiveDateTime,
) -> Result<Vec<i64>, AppError> {
    let mut ids = Vec::new();
    for user in USERS {
        let row = (
            proxy_users::account_id.eq(account_id),
            proxy_users::name.eq(user.name),
            proxy_users::password_sealed.eq(key.seal(&node_password(random())).map_err(AppError::Internal)?),
            proxy_users::note.eq(user.note),
            proxy_users::state.eq(user.state),
            proxy_users::limit_bytes.eq(user.limit_gigabytes.map(|limit| signed(limit * GIGABYTE)).transpose()?),
            proxy_users::limit_cycle.eq(user.limit_cycle),
            proxy_users::cycle_starts_at.eq(created_at),
            proxy_users::created_at.eq(created_at),
            proxy_users::changed_at.eq(created_at),
        );
        let id = diesel::insert_into(proxy_users::table).values(row).returning(proxy_users::id).get_result(conn)?;
        ids.push(id);
    }
    Ok(ids)
}

/// The remaining bytes of a user with a lifetime limit.
fn left_of(user: &DemoUser, used: u64) -> u64 {
    match (user.limit_gigabytes, user.limit_cycle) {
        (Some(limit), LimitCycle::None) => (limit * GIGABYTE).saturating_sub(used),
        _ => u64::MAX,
    }
}

/// Usage peaks in the middle of the active hours, is lower on weekends, and grows over the year.
fn bytes_in_hour(user: &DemoUser, hour: NaiveDateTime, now: NaiveDateTime, random: &mut fastrand::Rng) -> u64 {
    let (first, last) = user.hours;
    let days_ago = (now - hour).num_days();
    let is_weekend = matches!(hour.weekday(), Weekday::Sat | Weekday::Sun);
    let is_awake = (first..=last).contains(&hour.hour()) && (user.days_ago.1..user.days_ago.0).contains(&days_ago);
    if !is_awake || (is_weekend && !user.on_weekends) {
        return 0;
    }
    let middle = i64::from(first + last) / 2;
    let from_middle = (i64::from(hour.hour()) - middle).abs() * 100 / i64::from((last - first).max(1));
    let share = (100 - from_middle) * (140 - days_ago.min(370) / 5) / 140;
    let noise = random.u64(60..=120);
    let weekend = if is_weekend { 60 } else { 100 };
    // Three percentages multiplied with megabytes give bytes.
    user.busy_megabytes * u64::try_from(share.max(5)).unwrap_or_default() * noise * weekend + random.u64(0..1_000_000)
}

/// Takes bytes from the batches, or none if there are not enough; returns the missing bytes.
fn take(batches: &mut [Batch], bytes: u64, at: NaiveDateTime) -> u64 {
    let taken = take_bytes(batches, bytes, at);
    if taken.overdraft == 0 {
        for (id, part) in taken.from {
            batches.iter_mut().filter(|batch| batch.id == id).for_each(|batch| batch.left_bytes -= part);
        }
    }
    taken.overdraft
}

/// Splits bytes among names; earlier names get more.
fn shares(names: &[&str], bytes: u64, random: &mut fastrand::Rng) -> Vec<(String, u64)> {
    let mut left = bytes;
    let mut parts = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let part = if index + 1 == names.len() { left } else { left * random.u64(40..=65) / 100 };
        left -= part;
        if part > 0 {
            parts.push(((*name).to_owned(), part));
        }
    }
    parts
}

fn add(sums: &mut DemoSums, dimension: UsageDimension, starts_at: NaiveDateTime, name: &str, bytes: u64) {
    let (_, sum) = sums.entry((dimension.as_str(), starts_at, name.to_owned())).or_insert((dimension, [0; 3]));
    let upload = bytes / 12;
    // About 180 KB per request, and at least one request.
    for (sum, more) in sum.iter_mut().zip([upload, bytes - upload, bytes / 180_000 + 1]) {
        *sum += more;
    }
}

/// The demo's accounts are in UTC.
fn cycle_now(user: &DemoUser, created_at: NaiveDateTime, now: NaiveDateTime) -> Result<Cycle, AppError> {
    let zone = time_zone("UTC").ok_or_else(|| AppError::internal("there is no UTC"))?;
    Ok(cycle_of(user.limit_cycle, zone, created_at, now))
}

fn record_use(
    conn: &mut Conn,
    user: &DemoUser,
    id: i64,
    used: &Used,
    created_at: NaiveDateTime,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let cycle = cycle_now(user, created_at, now)?;
    diesel::update(proxy_users::table.find(id))
        .set((
            proxy_users::used_bytes.eq(signed(used.this_cycle)?),
            proxy_users::total_bytes.eq(signed(used.total)?),
            proxy_users::cycle_starts_at.eq(cycle.starts_at),
            proxy_users::cycle_ends_at.eq(cycle.ends_at),
            proxy_users::last_used_at.eq(used.last_at),
        ))
        .execute(conn)?;
    Ok(())
}

fn signed(number: u64) -> Result<i64, AppError> {
    i64::try_from(number).map_err(|_| AppError::internal("a demo number is too large"))
}

fn insert_sums(conn: &mut Conn, account_id: i64, hours: DemoSums, days: DemoSums) -> Result<(), AppError> {
    macro_rules! insert {
        ($table:ident, $sums:expr) => {
            let mut rows = Vec::with_capacity(ROWS_PER_INSERT);
            let mut sums = $sums.into_iter().peekable();
            while let Some(((_, starts_at, name), (dimension, [upload, download, requests]))) = sums.next() {
                rows.push((
                    $table::account_id.eq(account_id),
                    $table::kind.eq(ProxyServerKind::Residential),
                    $table::dimension.eq(dimension),
                    $table::starts_at.eq(starts_at),
                    $table::name.eq(name),
                    $table::upload_bytes.eq(signed(upload)?),
                    $table::download_bytes.eq(signed(download)?),
                    $table::requests.eq(signed(requests)?),
                ));
                if rows.len() == ROWS_PER_INSERT || sums.peek().is_none() {
                    match conn {
                        Conn::Postgres(conn) => diesel::insert_into($table::table).values(&rows).execute(conn)?,
                        Conn::Sqlite(conn) => diesel::insert_into($table::table).values(&rows).execute_each(conn)?,
                    };
                    rows.clear();
                }
            }
        };
    }
    let mut months = DemoSums::new();
    for ((name_of_dimension, starts_at, name), (dimension, amounts)) in &days {
        let place = (*name_of_dimension, month_of(*starts_at), name.clone());
        let (_, sum) = months.entry(place).or_insert((*dimension, [0; 3]));
        sum.iter_mut().zip(amounts).for_each(|(sum, more)| *sum += more);
    }
    insert!(usage_hours, hours);
    insert!(usage_days, days);
    insert!(usage_months, months);
    Ok(())
}
