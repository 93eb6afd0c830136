//! Prices traffic and creates its orders.
use crate::coupons;
use crate::db::{Conn, RowLock};
use crate::error::AppError;
use crate::order_rows::rows::{LineRow, NewLine, NewOrder, NodeChoices, OrderRow, insert, signed};
use crate::traffic::prices::traffic_for_sale;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::order::{HOLD_MINUTES, OrderKind};
use postern_core::quote::Terms;
use postern_core::reseller::AccountTerms;
use postern_core::traffic::{
    TRAFFIC_LABEL_EN, TRAFFIC_LABEL_ZH, TRAFFIC_PRODUCT, TrafficQuote, TrafficRequest, quote_traffic,
    traffic_error_fields,
};

/// Prices a request with the account's terms and the coupon, if one is given and usable; also returns the coupon's code.
pub fn priced(
    conn: &mut Conn,
    account_id: i64,
    granted: AccountTerms,
    request: &TrafficRequest,
    (coupon, lock): (Option<&str>, RowLock),
    now: NaiveDateTime,
) -> Result<(TrafficQuote, Option<String>), AppError> {
    let coupon = coupon.map(|typed| coupons::queries::usable(conn, account_id, typed, lock, now)).transpose()?;
    let terms = Terms { reseller_basis_points: granted.discount_in_force(), coupon };
    let quote = quote_traffic(request, &traffic_for_sale(conn)?, &terms).map_err(traffic_error_fields)?;
    Ok((quote, terms.coupon.map(|coupon| coupon.code)))
}

/// Creates the order of a quote, with its only line. The wallet must be locked.
pub fn insert_order(
    conn: &mut Conn,
    account_id: i64,
    quote: &TrafficQuote,
    coupon: Option<&str>,
    now: NaiveDateTime,
) -> Result<OrderRow, AppError> {
    let new = NewOrder {
        account_id,
        kind: OrderKind::Purchase,
        currency: quote.currency,
        ver_str: Some(TRAFFIC_PRODUCT),
        period_days: Some(quote.period_days),
        subtotal: quote.subtotal,
        discounts: &quote.discounts,
        coupon,
        total: quote.total,
        expires_at: now + TimeDelta::minutes(HOLD_MINUTES),
        choices: NodeChoices::default(),
    };
    let line = NewLine {
        ver_str: TRAFFIC_PRODUCT,
        place: None,
        quantity: quote.gigabytes,
        unit_price: quote.unit_price,
        amount: quote.subtotal,
        net: quote.total,
    };
    insert(conn, &new, &[line], now)
}

/// The line of a newly created order.
pub fn line_of_quote(order: &OrderRow, quote: &TrafficQuote) -> Result<LineRow, AppError> {
    Ok(LineRow {
        order_id: order.id,
        ver_str: TRAFFIC_PRODUCT.to_owned(),
        label_en: TRAFFIC_LABEL_EN.to_owned(),
        label_zh: TRAFFIC_LABEL_ZH.to_owned(),
        country: None,
        city: None,
        quantity: signed(quote.gigabytes)?,
        unit_price_minor: quote.unit_price.minor(),
        amount_minor: quote.subtotal.minor(),
        net_minor: quote.total.minor(),
    })
}
