//! Coupons: created and ended by the operator, used by customers on the order form.
pub mod queries;
pub mod routes;

use crate::catalogue::catalogue;
pub use crate::coupons::routes::counting_guesses;
use crate::error::AppError;
use crate::state::App;
use chrono::NaiveDateTime;
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
    let is_new = app.db.write_blocking(|conn| queries::insert(conn, &coupon, now)).map_err(wrong)?;
    anyhow::ensure!(is_new, "coupon {} already exists", coupon.code);
    Ok(coupon)
}

/// Ends a coupon now. Orders that already use it keep it.
pub fn end(app: &App, code: &str) -> anyhow::Result<()> {
    let now = app.clock.now();
    let code = code.trim().to_ascii_uppercase();
    let ended = app.db.write_blocking(|conn| queries::end(conn, &code, now));
    let ended = ended.map_err(|error| anyhow::anyhow!("{error}"))?;
    anyhow::ensure!(ended, "there is no usable coupon {code}");
    Ok(())
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
    let state = if coupon.valid_until.is_some_and(|until| now >= until) { "ended" } else { "usable" };
    format!(
        "{:<20} {benefit:>10} off, from {}; per account: {limit}; products: {products}; {} to {}; {orders} orders; {state}",
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
