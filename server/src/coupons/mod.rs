//! Coupons: created and ended by the operator, used by customers on the order form.
pub mod operator;
pub mod queries;
pub mod routes;
mod types;

use crate::audit::{self, Actor, Entry};
use crate::catalogue::catalogue;
pub use crate::coupons::routes::counting_guesses;
use crate::db::Conn;
use crate::error::AppError;
use crate::state::App;
use chrono::NaiveDateTime;
use postern_core::audit::{AuditAction, AuditChange, AuditField};
use postern_core::coupon::{Benefit, Coupon};
use postern_core::field_errors::FieldErrors;
use postern_core::language::Language;
use postern_core::operator_forms::{CouponForm, validate_coupon};
use postern_core::time::to_wire;

/// Stores a coupon as the operator typed it; errors are reported as text.
pub fn add(app: &App, form: &CouponForm) -> anyhow::Result<Coupon> {
    let wrong = |error: AppError| anyhow::anyhow!("{error}");
    let shop = app.db.read_blocking(catalogue).map_err(wrong)?;
    let coupon = validate_coupon(form, &shop).map_err(|errors| anyhow::anyhow!(in_words(app, &errors)))?;
    let now = app.clock.now();
    let is_new = app.db.write_blocking(|conn| store(conn, &coupon, &Actor::command(), now)).map_err(wrong)?;
    anyhow::ensure!(is_new, "coupon {} already exists", coupon.code);
    Ok(coupon)
}

/// Stores a coupon; false if its code is taken.
fn store(conn: &mut Conn, coupon: &Coupon, actor: &Actor, now: NaiveDateTime) -> Result<bool, AppError> {
    let is_new = queries::insert(conn, coupon, now)?;
    if is_new {
        audit::record(conn, actor, added(coupon), now)?;
    }
    Ok(is_new)
}

fn added(coupon: &Coupon) -> Entry<'static> {
    let benefit = match coupon.benefit {
        Benefit::Percent(basis_points) => AuditChange::new(AuditField::Discount, basis_points),
        Benefit::Amount(amount) => AuditChange::new(AuditField::Amount, amount),
    };
    let some = |field, value: Option<String>| value.map(|value| AuditChange::new(field, value));
    let products = Some(coupon.products.join(", ")).filter(|products| !products.is_empty());
    let others = [
        some(AuditField::Minimum, (!coupon.minimum.is_zero()).then(|| coupon.minimum.to_string())),
        some(AuditField::Products, products),
        some(AuditField::UsesPerAccount, coupon.uses_per_account.map(|uses| uses.to_string())),
        some(AuditField::TotalUses, coupon.total_uses.map(|uses| uses.to_string())),
        some(AuditField::FirstOrderOnly, coupon.first_order_only.then(|| "true".to_owned())),
        some(AuditField::ValidFrom, coupon.valid_from.map(to_wire)),
        some(AuditField::ValidUntil, coupon.valid_until.map(to_wire)),
    ];
    let entry = Entry::new(AuditAction::CouponAdded).subject(&coupon.code);
    entry.changes([benefit]).changes(others.into_iter().flatten())
}

/// Ends a coupon now. Orders that already use it keep it.
pub fn end(app: &App, code: &str) -> anyhow::Result<()> {
    let now = app.clock.now();
    let code = code.trim().to_ascii_uppercase();
    let ended = app.db.write_blocking(|conn| end_as(conn, &code, &Actor::command(), now));
    let ended = ended.map_err(|error| anyhow::anyhow!("{error}"))?;
    anyhow::ensure!(ended, "there is no usable coupon {code}");
    Ok(())
}

/// Ends a coupon; false if no coupon with this code can be used, now or later.
fn end_as(conn: &mut Conn, code: &str, actor: &Actor, now: NaiveDateTime) -> Result<bool, AppError> {
    let ended = queries::end(conn, code, now)?;
    if ended {
        audit::record(conn, actor, Entry::new(AuditAction::CouponEnded).subject(code), now)?;
    }
    Ok(ended)
}

/// One line per coupon, newest first.
pub fn list(app: &App) -> anyhow::Result<Vec<String>> {
    let now = app.clock.now();
    let coupons = app.db.read_blocking(queries::all).map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(coupons.iter().map(|(coupon, orders)| line(coupon, *orders, now)).collect())
}

fn line(coupon: &Coupon, orders: i64, now: NaiveDateTime) -> String {
    let benefit = match coupon.benefit {
        Benefit::Percent(basis_points) => format!("{}.{:02} %", basis_points / 100, basis_points % 100),
        Benefit::Amount(amount) => amount.to_string(),
    };
    let limit = coupon.uses_per_account.map_or_else(|| "any number".to_owned(), |limit| limit.to_string());
    let products = if coupon.products.is_empty() { "all".to_owned() } else { coupon.products.join(", ") };
    let time = |time: Option<NaiveDateTime>| time.map_or_else(|| "-".to_owned(), to_wire);
    let total = coupon.total_uses.map_or_else(|| "any number".to_owned(), |total| total.to_string());
    let first = if coupon.first_order_only { "; first order only" } else { "" };
    let state = coupon.state(now).as_str();
    format!(
        "{:<20} {benefit:>10} off, from {}; per account: {limit}; in all: {total}{first}; products: {products}; {} to {}; {orders} orders; {state}",
        coupon.code,
        coupon.minimum,
        time(coupon.valid_from),
        time(coupon.valid_until),
    )
}

fn in_words(app: &App, errors: &FieldErrors) -> String {
    let broken = errors.0.iter().flat_map(|(field, broken)| broken.iter().map(move |one| (field, one)));
    let texts = broken.map(|(field, one)| {
        let parameters = serde_json::to_value(&one.params).unwrap_or_default();
        format!("{field}: {}", app.texts.get(Language::En, &format!("validation:{}", one.rule), &parameters))
    });
    texts.collect::<Vec<_>>().join("; ")
}
