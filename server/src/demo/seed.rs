//! Fills a shop with demo data. The same on every machine, and without real addresses: nodes are in 127.16.0.0/12, which is
//! this machine, and autonomous systems in the ranges for documentation.
use crate::accounts::queries::set_terms;
use crate::audit::Actor;
use crate::catalogue::seed_catalogue;
use crate::coupons;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::demo::history::Year;
use crate::demo::keys::seed_keys;
use crate::demo::prices::sell_everything;
use crate::demo::referrals;
use crate::demo::servers::{self, FIRST_NODE, NODE_PORTS};
use crate::demo::static_traffic::{self, seed_static_traffic};
use crate::demo::support::seed_support;
use crate::demo::traffic::{FIRST_PURCHASE_DAYS_AGO, own_purchases, seed_traffic};
use crate::demo::webhooks::seed_webhook;
use crate::error::AppError;
use crate::schema::{demo_data, node_targets, nodes, targets, users};
use crate::security::{hash_password, new_token};
use crate::state::App;
use crate::users::queries::{PendingSignUp, insert_account};
use chrono::TimeDelta;
use postern_core::coupon::{Benefit, Coupon};
use postern_core::language::Language;
use postern_core::money::Money;
use postern_core::permission::Level;
use postern_core::place;
use postern_core::reseller::AccountTerms;
use postern_core::staff::StaffRole;
use postern_core::tier::Catalogue;
use std::collections::BTreeMap;

const SEED: u64 = 0x0705_7e12;
const NODES: u32 = 20_000;

const ROWS_PER_INSERT: usize = 400;
const RESELLER_BASIS_POINTS: u32 = 1_500;

/// Age of the demo customer's account, in days.
const CUSTOMER_DAYS_AGO: i64 = 399;

const ACCOUNTS: [(&str, Level); 3] = [
    ("customer@example.com", Level::Customer),
    ("reseller@example.com", Level::Reseller),
    ("operator@example.com", Level::Operator),
];

/// The demo's accounts by address, with their newly generated passwords.
pub type Accounts = BTreeMap<String, String>;

/// What only the demo's owner knows.
pub struct Seeded {
    pub accounts: Accounts,
    /// The secrets of the two proxy servers.
    pub residential_secret: String,
    pub static_secret: String,
}

const ISPS: &[&str] = &[
    "Northlight Fiber",
    "Meridian Broadband",
    "Harbor Telecom",
    "Summit Cable",
    "Bluewave Networks",
    "Cedar Valley Internet",
    "Orchard Communications",
    "Polaris Online",
    "Riverbend Telecom",
    "Skyline Broadband",
    "Lantern Net",
    "Granite State Fiber",
];

const TARGETS: &[(&str, &str, &str, &str)] = &[
    ("marketplaces", "Online marketplaces", "电商平台", "ecommerce"),
    ("price-monitoring", "Price monitoring", "价格监控", "ecommerce"),
    ("sneakers", "Limited releases", "限量发售", "ecommerce"),
    ("airfares", "Air fares", "机票比价", "travel"),
    ("hotels", "Hotel rates", "酒店价格", "travel"),
    ("social-networks", "Social networks", "社交网络", "social"),
    ("short-video", "Short video", "短视频", "social"),
    ("search", "Search results", "搜索结果", "data"),
];

/// Seeds once; the second time it does nothing and returns nothing.
pub fn seed(app: &App) -> Result<Option<Seeded>, AppError> {
    if !app.config.is_demo() {
        return Err(AppError::internal("demo data is refused in production"));
    }
    let now = app.clock.now();
    let mut accounts = Accounts::new();
    let mut hashes = BTreeMap::new();
    for (email, _) in ACCOUNTS {
        let password = new_token().chars().filter(char::is_ascii_alphanumeric).take(16).collect::<String>();
        hashes.insert(email, hash_password(&password).map_err(AppError::Internal)?);
        accounts.insert(email.to_owned(), password);
    }
    let key = app.key.clone();
    let seeded = app.db.write_blocking(|conn| {
        let existing: i64 = users::table.count().get_result(conn)?;
        let stocked: i64 = nodes::table.count().get_result(conn)?;
        if existing > 0 || stocked > 0 {
            return Ok(None);
        }
        let mark = (demo_data::id.eq(crate::demo::data::DEMO), demo_data::seeded_at.eq(now));
        diesel::insert_into(demo_data::table).values(mark).execute(conn)?;
        let catalogue = Catalogue::default();
        seed_catalogue(conn, &catalogue)?;
        sell_everything(conn)?;
        seed_targets(conn)?;
        seed_nodes(conn, &catalogue)?;
        let since = |days| now - TimeDelta::days(days);
        let residential = servers::add_residential(conn, since(FIRST_PURCHASE_DAYS_AGO), now)?;
        let fixed = servers::add_static(conn, since(static_traffic::DAYS), now)?;
        coupons::queries::insert(conn, &welcome_coupon(), now)?;
        referrals::seed_rules(conn, now)?;
        for (email, level) in ACCOUNTS {
            let newcomer = PendingSignUp {
                email: email.to_owned(),
                password_hash: hashes[email].clone(),
                invite_code: String::new(),
                marketing: "{}".to_owned(),
                language: Language::En,
                time_zone: "UTC".to_owned(),
                accepted_texts: Vec::new(),
            };
            let is_customer = level == Level::Customer;
            let since = if is_customer { now - TimeDelta::days(CUSTOMER_DAYS_AGO) } else { now };
            let user_id = insert_account(conn, &newcomer, Level::Customer, catalogue.currency, since)?;
            let user_id = user_id.ok_or_else(|| AppError::internal("a demo account already exists"))?;
            let account_id: i64 = users::table.find(user_id).select(users::account_id).first(conn)?;
            let reseller_basis_points = if level == Level::Reseller { RESELLER_BASIS_POINTS } else { 0 };
            set_terms(
                conn,
                account_id,
                AccountTerms { level, reseller_basis_points, role: StaffRole::Operator },
                &Actor::command(),
                now,
            )?;
            if is_customer {
                let mut bought = referrals::seed_friends(conn, account_id, catalogue.currency, now)?;
                bought.extend(own_purchases(account_id));
                Year { key: &key, catalogue: &catalogue, account_id, now }.seed(conn, bought)?;
                seed_traffic(conn, &key, account_id, now)?;
                referrals::settle(conn, account_id, now)?;
                seed_webhook(conn, &key, account_id, now)?;
                seed_keys(conn, &key, account_id, now)?;
                seed_static_traffic(conn, fixed.id, account_id, now)?;
            }
        }
        seed_support(conn, now)?;
        Ok(Some((residential.secret, fixed.secret)))
    })?;
    Ok(seeded.map(|(residential_secret, static_secret)| Seeded { accounts, residential_secret, static_secret }))
}

/// 10 % off, once per account.
fn welcome_coupon() -> Coupon {
    Coupon {
        code: "WELCOME10".to_owned(),
        benefit: Benefit::Percent(1_000),
        minimum: Money::from_minor(1_000),
        products: Vec::new(),
        uses_per_account: Some(1),
        total_uses: None,
        first_order_only: false,
        valid_from: None,
        valid_until: None,
    }
}

fn seed_targets(conn: &mut Conn) -> Result<(), AppError> {
    for (position, (target, name_en, name_zh, category)) in (0..).zip(TARGETS) {
        let row = (
            targets::target.eq(target),
            targets::name_en.eq(name_en),
            targets::name_zh.eq(name_zh),
            targets::category.eq(category),
            targets::position.eq(position),
        );
        diesel::insert_into(targets::table).values(row).execute(conn)?;
    }
    Ok(())
}

fn seed_nodes(conn: &mut Conn, catalogue: &Catalogue) -> Result<(), AppError> {
    let mut random = fastrand::Rng::with_seed(SEED);
    // The seller's own country is not served: China's cities are there for other sellers.
    let cities: Vec<_> = place::cities().into_iter().filter(|city| city.country != "CN").collect();
    // Stock varies by place, as in a real inventory.
    let weights: Vec<u32> =
        cities.iter().map(|city| if city.country == "US" { 6 } else { 1 + random.u32(0..5) }).collect();
    let total: u32 = weights.iter().sum();
    let mut rows = Vec::with_capacity(ROWS_PER_INSERT);
    let mut fits = Vec::with_capacity(ROWS_PER_INSERT * 3);
    for index in 0..NODES {
        let mut draw = random.u32(0..total);
        let chosen = weights.iter().position(|weight| {
            let is_here = draw < *weight;
            draw = draw.saturating_sub(*weight);
            is_here
        });
        let city = &cities[chosen.unwrap_or_default()];
        let tier = &catalogue.tiers[[0, 0, 0, 1, 1, 2][random.usize(0..6)]];
        let isp = random.usize(0..ISPS.len());
        let address = std::net::Ipv4Addr::from(u32::from(FIRST_NODE) + index * 6 + random.u32(0..5));
        let node_id = i64::from(index) + 1;
        rows.push((
            nodes::id.eq(node_id),
            nodes::ip.eq(address.to_string()),
            nodes::http_port.eq(NODE_PORTS.0),
            nodes::socks5_port.eq(NODE_PORTS.1),
            nodes::country.eq(city.country.clone()),
            nodes::city.eq(city.city.clone()),
            nodes::isp.eq(ISPS[isp]),
            nodes::asn.eq(65_536 + i64::try_from(isp).unwrap_or_default()),
            nodes::ver_str.eq(tier.ver_str.clone()),
            nodes::node_type.eq(i16::from(tier.node_type)),
        ));
        for (target, ..) in TARGETS {
            if random.u8(0..100) < 40 {
                fits.push((node_targets::target.eq(*target), node_targets::node_id.eq(node_id)));
            }
        }
        if rows.len() == ROWS_PER_INSERT || index + 1 == NODES {
            // Bulk inserts: each database has its own way to take many rows at once.
            match conn {
                Conn::Postgres(conn) => {
                    diesel::insert_into(nodes::table).values(&rows).execute(conn)?;
                    diesel::insert_into(node_targets::table).values(&fits).execute(conn)?;
                }
                Conn::Sqlite(conn) => {
                    diesel::insert_into(nodes::table).values(&rows).execute_each(conn)?;
                    diesel::insert_into(node_targets::table).values(&fits).execute_each(conn)?;
                }
            }
            rows.clear();
            fits.clear();
        }
    }
    if let Conn::Postgres(conn) = conn {
        diesel::sql_query("SELECT setval(pg_get_serial_sequence('nodes', 'id'), (SELECT max(id) FROM nodes))")
            .execute(conn)?;
    }
    Ok(())
}
