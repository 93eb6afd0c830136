//! Orders as rows: created, locked, and moved between states by core's table. SQL only; payment, delivery and lists build on it.
use crate::db::prelude::*;
use crate::db::{Conn, update_cached};
use crate::error::AppError;
use crate::order_rows::types::OrderLineView;
use crate::schema::{order_lines, orders, tiers};
use crate::security::random;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::account::order_number;
use postern_core::code::Code;
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::order::{OrderEvent, OrderKind, OrderState, PaymentMethod, next_order_state, top_up_hours};
use postern_core::place::{city_name, country_name};
use postern_core::quote::Discount;
use postern_core::traffic::{TRAFFIC_LABEL_EN, TRAFFIC_LABEL_ZH, TRAFFIC_PRODUCT};
use std::collections::HashMap;

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = orders)]
pub struct OrderRow {
    pub id: i64,
    pub order_number: String,
    pub account_id: i64,
    pub kind: OrderKind,
    pub state: OrderState,
    pub currency: Currency,
    pub ver_str: Option<String>,
    pub period_days: Option<i32>,
    pub subtotal_minor: i64,
    pub discount_minor: i64,
    pub total_minor: i64,
    pub refunded_minor: i64,
    pub discounts: String,
    pub coupon: Option<String>,
    pub created_at: NaiveDateTime,
    pub expires_at: NaiveDateTime,
    pub paid_at: Option<NaiveDateTime>,
    pub ended_at: Option<NaiveDateTime>,
    pub group_id: Option<i64>,
    pub auto_renew: Option<bool>,
    /// What it brought less, because its money was taken back.
    pub lost_minor: i64,
}

impl OrderRow {
    /// What of its price was refunded, or lost with the money that was taken back.
    pub fn gone(&self) -> Result<Money, AppError> {
        let gone = Money::from_minor(self.refunded_minor).checked_add(Money::from_minor(self.lost_minor))?;
        Ok(gone.min(Money::from_minor(self.total_minor)))
    }

    /// The period of the order, in days.
    pub fn period(&self) -> Result<u32, AppError> {
        let days = self.period_days.and_then(|days| u32::try_from(days).ok());
        days.ok_or_else(|| AppError::internal("an order without a period"))
    }

    /// Whether it sells residential traffic. All other purchases sell nodes.
    pub fn is_of_traffic(&self) -> bool {
        self.ver_str.as_deref() == Some(TRAFFIC_PRODUCT)
    }

    /// The tier of the order.
    pub fn tier(&self) -> Result<&str, AppError> {
        self.ver_str.as_deref().ok_or_else(|| AppError::internal("a purchase without a tier"))
    }

    pub fn seconds_left(&self, now: NaiveDateTime) -> i64 {
        if self.state == OrderState::Unpaid { (self.expires_at - now).num_seconds().max(0) } else { 0 }
    }
}

/// What the customer chose for the nodes of a purchase.
#[derive(Clone, Copy, Default)]
pub struct NodeChoices {
    pub group_id: Option<i64>,
    /// As their plan if absent.
    pub auto_renew: Option<bool>,
}

/// The data of a new order of any kind.
pub struct NewOrder<'a> {
    pub account_id: i64,
    pub kind: OrderKind,
    pub currency: Currency,
    pub ver_str: Option<&'a str>,
    pub period_days: Option<u32>,
    pub subtotal: Money,
    pub discounts: &'a [Discount],
    pub coupon: Option<&'a str>,
    pub total: Money,
    pub expires_at: NaiveDateTime,
    pub choices: NodeChoices,
}

/// A line of an order: a quantity of one tier, in one city or, for a renewal, in any; or gigabytes of traffic.
pub struct NewLine<'a> {
    pub ver_str: &'a str,
    pub place: Option<(&'a str, &'a str)>,
    pub quantity: u32,
    pub unit_price: Money,
    pub amount: Money,
    pub net: Money,
}

pub fn signed(number: u32) -> Result<i32, AppError> {
    i32::try_from(number).map_err(|_| AppError::internal("a number is too large"))
}

pub fn insert(conn: &mut Conn, new: &NewOrder, lines: &[NewLine], now: NaiveDateTime) -> Result<OrderRow, AppError> {
    let order: OrderRow = diesel::insert_into(orders::table)
        .values((
            orders::order_number.eq(order_number(random())),
            orders::account_id.eq(new.account_id),
            orders::kind.eq(new.kind),
            orders::state.eq(OrderState::Unpaid),
            orders::currency.eq(new.currency),
            orders::ver_str.eq(new.ver_str),
            orders::period_days.eq(new.period_days.map(signed).transpose()?),
            orders::subtotal_minor.eq(new.subtotal.minor()),
            orders::discount_minor.eq(new.subtotal.checked_sub(new.total)?.minor()),
            orders::total_minor.eq(new.total.minor()),
            orders::discounts.eq(serde_json::to_string(new.discounts)?),
            orders::coupon.eq(new.coupon),
            orders::created_at.eq(now),
            orders::expires_at.eq(new.expires_at),
            orders::group_id.eq(new.choices.group_id),
            orders::auto_renew.eq(new.choices.auto_renew),
        ))
        .returning(orders::all_columns)
        .get_result(conn)?;
    for line in lines {
        diesel::insert_into(order_lines::table)
            .values((
                order_lines::order_id.eq(order.id),
                order_lines::ver_str.eq(line.ver_str),
                order_lines::country.eq(line.place.map(|place| place.0)),
                order_lines::city.eq(line.place.map(|place| place.1)),
                order_lines::quantity.eq(signed(line.quantity)?),
                order_lines::unit_price_minor.eq(line.unit_price.minor()),
                order_lines::amount_minor.eq(line.amount.minor()),
                order_lines::net_minor.eq(line.net.minor()),
            ))
            .execute(conn)?;
    }
    Ok(order)
}

/// Creates the order of a top-up, which stays payable for as long as its method needs.
pub fn insert_top_up(
    conn: &mut Conn,
    account_id: i64,
    amount: Money,
    method: PaymentMethod,
    now: NaiveDateTime,
) -> Result<OrderRow, AppError> {
    let new = NewOrder {
        account_id,
        kind: OrderKind::TopUp,
        currency: crate::catalogue::catalogue(conn)?.currency,
        ver_str: None,
        period_days: None,
        subtotal: amount,
        discounts: &[],
        coupon: None,
        total: amount,
        expires_at: now + TimeDelta::hours(top_up_hours(method)),
        choices: NodeChoices::default(),
    };
    insert(conn, &new, &[], now)
}

/// Locks an order until the transaction ends.
pub fn lock(conn: &mut Conn, order_id: i64) -> Result<OrderRow, AppError> {
    let order = orders::table.find(order_id);
    let row = order.select(OrderRow::as_select()).locked().get_result(conn).optional()?;
    row.ok_or_else(|| AppError::code(Code::NotFound))
}

/// The order with this number, of any account.
pub fn by_number(conn: &mut Conn, order_number: &str) -> Result<OrderRow, AppError> {
    let order = orders::table.filter(orders::order_number.eq(order_number.trim())).select(OrderRow::as_select());
    order.first(conn).optional()?.ok_or_else(|| AppError::code(Code::NotFound))
}

/// Locks an order of this account; other accounts' orders are not found.
pub fn lock_own(conn: &mut Conn, account_id: i64, order_id: i64) -> Result<OrderRow, AppError> {
    let row = lock(conn, order_id)?;
    if row.account_id == account_id { Ok(row) } else { Err(AppError::code(Code::NotFound)) }
}

/// The next state by core's transition table; a forbidden transition is code 4005.
pub fn next_state(order: &OrderRow, event: OrderEvent) -> Result<OrderState, AppError> {
    next_order_state(order.state, event).map_err(|refused| AppError::state_forbids(refused.state.as_str()))
}

/// Writes an order's transition.
pub fn advance(conn: &mut Conn, order: &OrderRow, event: OrderEvent) -> Result<(), AppError> {
    let next = next_state(order, event)?;
    let as_it_was = orders::table.find(order.id).filter(orders::state.eq(order.state));
    if diesel::update(as_it_was).set(orders::state.eq(next)).execute(conn)? == 1 {
        Ok(())
    } else {
        Err(AppError::concurrent_change())
    }
}

/// Changes an unpaid top-up to one of this amount.
pub fn set_top_up(conn: &mut Conn, order: &OrderRow, amount: Money) -> Result<(), AppError> {
    let unpaid = orders::table.find(order.id).filter(orders::kind.eq(OrderKind::TopUp));
    let unpaid = unpaid.filter(orders::state.eq(OrderState::Unpaid));
    let amount = (orders::subtotal_minor.eq(amount.minor()), orders::total_minor.eq(amount.minor()));
    diesel::update(unpaid).set(amount).execute(conn)?;
    Ok(())
}

/// The state between payment and fulfilment, which is never visible outside the transaction.
pub fn paid_state(order: &OrderRow, now: NaiveDateTime) -> Result<OrderRow, AppError> {
    Ok(OrderRow { state: next_state(order, OrderEvent::Pay)?, paid_at: Some(now), ..order.clone() })
}

/// Records how a paid order was fulfilled.
pub fn record_fulfilment(conn: &mut Conn, paid: &OrderRow, event: OrderEvent) -> Result<OrderRow, AppError> {
    let fulfilled = OrderRow { state: next_state(paid, event)?, ..paid.clone() };
    let changed = (orders::state.eq(fulfilled.state), orders::paid_at.eq(fulfilled.paid_at));
    // The row is still unpaid: both transitions happen in one transaction.
    let unpaid = orders::table.find(paid.id).filter(orders::state.eq(OrderState::Unpaid));
    if update_cached(conn, diesel::update(unpaid).set(changed).returning(orders::id))?.len() != 1 {
        return Err(AppError::concurrent_change());
    }
    Ok(fulfilled)
}

/// A line of an order, with the names of its product.
pub struct LineRow {
    pub order_id: i64,
    pub ver_str: String,
    pub label_en: String,
    pub label_zh: String,
    pub country: Option<String>,
    pub city: Option<String>,
    pub quantity: i32,
    pub unit_price_minor: i64,
    pub amount_minor: i64,
    pub net_minor: i64,
}

impl LineRow {
    pub fn quantity(&self) -> Result<u32, AppError> {
        u32::try_from(self.quantity).map_err(|_| AppError::internal("a quantity is negative"))
    }

    pub fn view(&self) -> OrderLineView {
        let country_in = |language| self.country.as_deref().map(|country| country_name(country, language));
        let city_in = |language| self.city.as_deref().map(|city| city_name(city, language));
        OrderLineView {
            country_name_en: country_in(Language::En),
            country_name_zh: country_in(Language::Zh),
            city_name_en: city_in(Language::En),
            city_name_zh: city_in(Language::Zh),
            ver_str: self.ver_str.clone(),
            label_en: self.label_en.clone(),
            label_zh: self.label_zh.clone(),
            country: self.country.clone(),
            city: self.city.clone(),
            quantity: self.quantity,
            unit_price: Money::from_minor(self.unit_price_minor),
            amount: Money::from_minor(self.amount_minor),
        }
    }
}

type Names = (Option<String>, Option<String>);
type Loaded = (i64, String, Names, (Option<String>, Option<String>), i32, (i64, i64, i64));

/// Names the product of a line. Traffic is not a tier: its names are in core.
fn line((order_id, ver_str, names, (country, city), quantity, prices): Loaded) -> Result<LineRow, AppError> {
    let (label_en, label_zh) = match names {
        (Some(label_en), Some(label_zh)) => (label_en, label_zh),
        _ if ver_str == TRAFFIC_PRODUCT => (TRAFFIC_LABEL_EN.to_owned(), TRAFFIC_LABEL_ZH.to_owned()),
        _ => return Err(AppError::internal("a line of an unknown product")),
    };
    let (unit_price_minor, amount_minor, net_minor) = prices;
    Ok(LineRow {
        order_id,
        ver_str,
        label_en,
        label_zh,
        country,
        city,
        quantity,
        unit_price_minor,
        amount_minor,
        net_minor,
    })
}

macro_rules! lines {
    ($of:expr) => {
        order_lines::table
            .left_join(tiers::table.on(tiers::ver_str.eq(order_lines::ver_str)))
            .filter($of)
            .order(order_lines::id)
            .select((
                order_lines::order_id,
                order_lines::ver_str,
                (tiers::label_en.nullable(), tiers::label_zh.nullable()),
                (order_lines::country, order_lines::city),
                order_lines::quantity,
                (order_lines::unit_price_minor, order_lines::amount_minor, order_lines::net_minor),
            ))
    };
}

/// The lines of an order, in order. (PostgreSQL caches the plan of this query; a query for several orders would be planned each time.)
pub fn lines_of_order(conn: &mut Conn, order_id: i64) -> Result<Vec<LineRow>, AppError> {
    let rows: Vec<Loaded> = lines!(order_lines::order_id.eq(order_id)).load(conn)?;
    rows.into_iter().map(line).collect()
}

pub fn lines_of_orders(conn: &mut Conn, order_ids: &[i64]) -> Result<HashMap<i64, Vec<LineRow>>, AppError> {
    let mut by_order: HashMap<i64, Vec<LineRow>> = HashMap::new();
    for row in lines!(order_lines::order_id.eq_any(order_ids)).load::<Loaded>(conn)? {
        let line = line(row)?;
        by_order.entry(line.order_id).or_default().push(line);
    }
    Ok(by_order)
}
