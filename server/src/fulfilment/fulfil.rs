//! Charges the wallet for an order and fulfils it, in the caller's transaction.
use crate::charges::payments::end_with_order;
use crate::customers::{Customer, Parties, PlanRow, customer, insert_plan};
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::events;
use crate::fulfilment::delivery;
use crate::fulfilment::payment_views;
use crate::fulfilment::renewals;
use crate::fulfilment::types::OrderView;
use crate::fulfilment::views::{OrderRelations, find, view};
use crate::invoices::issue::issue_invoice;
use crate::ledger::{LockedWallet, Movement, lock_wallet, move_money_of};
use crate::mails;
use crate::nodes::groups::lock_existing;
use crate::nodes::lifecycle::{Assignment, HeldNode, assign, held_nodes, release_nodes};
use crate::order_rows::rows::{LineRow, OrderRow, advance, lines_of_order, paid_state, record_fulfilment};
use crate::order_rows::types::PaymentView;
use crate::referrals::commissions;
use crate::refunds::execute as refunds;
use crate::schema::{order_nodes, orders};
use crate::security::{SecretKey, random};
use chrono::NaiveDateTime;
use postern_core::account::{node_password, node_user_name};
use postern_core::event::EventKind;
use postern_core::language::Language;
use postern_core::ledger::{Book, EntryKind};
use postern_core::mail::MailTemplate;
use postern_core::money::Money;
use postern_core::node::{first_expiry, next_reminder};
use postern_core::order::{OrderEvent, OrderKind, PaymentMethod, PaymentState};
use postern_core::place::{city_name, country_name};
use postern_core::renewal::first_attempt;
use postern_core::time::to_wire;
use serde_json::{Value, json};
use std::collections::HashMap;

/// A paid order that has no invoice yet. Issuing blocks all other issuing until the transaction ends, so everything else runs before it.
#[must_use = "a paid order has an invoice"]
pub struct Delivered {
    order: OrderRow,
    lines: Vec<LineRow>,
    payments: Vec<PaymentView>,
    parties: Parties,
    undelivered: Vec<i64>,
}

impl Delivered {
    /// Issues the invoice, refunds what could not be delivered, and returns the order's final state.
    pub fn issue(self, conn: &mut Conn, now: NaiveDateTime) -> Result<OrderView, AppError> {
        let Delivered { order, lines, payments, parties, undelivered } = self;
        let invoice = issue_invoice(conn, &order, &lines, parties, paid_by(&payments), now)?;
        if !undelivered.is_empty() {
            refunds::refund_undelivered(conn, &order, &undelivered, now)?;
            return find(conn, order.account_id, order.id, now);
        }
        // An order paid in this very transaction has no refunds yet.
        let belongings =
            OrderRelations { payments, invoices: invoice.into_iter().collect(), ..OrderRelations::default() };
        view(order, &lines, belongings, now)
    }
}

/// An order whose total has been charged to the wallet, with its payments, newest first.
pub struct PaidOrder<'a> {
    pub order: &'a OrderRow,
    pub customer: Customer,
    pub lines: Vec<LineRow>,
    pub payments: Vec<PaymentView>,
}

/// The payment method of an order: the wallet, unless a gateway paid.
fn paid_by(payments: &[PaymentView]) -> PaymentMethod {
    let latest = payments.iter().find(|payment| payment.state == PaymentState::Succeeded);
    latest.map_or(PaymentMethod::Wallet, |payment| payment.payment_method)
}

/// Charges the order's total to the wallet, marks it paid, fulfils it and issues its invoice. The order must be locked.
pub fn pay_from_wallet(conn: &mut Conn, key: &SecretKey, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    let wallet = lock_wallet(conn, order.account_id)?;
    deliver(conn, key, wallet, order, now)?.issue(conn, now)?;
    Ok(())
}

/// Charges the total to the locked wallet, marks the order paid and fulfils it, without an invoice.
pub fn deliver(
    conn: &mut Conn,
    key: &SecretKey,
    wallet: LockedWallet,
    order: &OrderRow,
    now: NaiveDateTime,
) -> Result<Delivered, AppError> {
    charge(conn, wallet, order, now)?;
    let customer = customer(conn, order.account_id, order.ver_str.as_deref())?;
    let (lines, payments) = (lines_of_order(conn, order.id)?, payment_views::of_order(conn, order.id)?);
    hand_over(conn, key, PaidOrder { order, customer, lines, payments }, |conn| held_nodes(conn, order.id), now)
}

/// Charges the order's total to the wallet, or refuses if the balance is too low.
pub fn charge(conn: &mut Conn, wallet: LockedWallet, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    let total = Money::from_minor(order.total_minor);
    if total.is_zero() {
        return Ok(());
    }
    let movement = Movement {
        account_id: order.account_id,
        kind: EntryKind::of_charge(order.kind)
            .ok_or_else(|| AppError::internal("a top-up is not paid from the wallet"))?,
        source: Book::Wallet,
        amount: total,
        reference: format!("order {} charged", order.id),
        order_id: Some(order.id),
    };
    move_money_of(conn, wallet, &movement, now)?;
    Ok(())
}

/// Delivers what was charged; a purchase of nodes delivers those that are `held`.
pub fn hand_over(
    conn: &mut Conn,
    key: &SecretKey,
    paid: PaidOrder,
    held: impl FnOnce(&mut Conn) -> Result<Vec<HeldNode>, AppError>,
    now: NaiveDateTime,
) -> Result<Delivered, AppError> {
    let PaidOrder { order, customer: Customer { parties, plan, is_referred, .. }, lines, payments } = paid;
    let order = paid_state(order, now)?;
    let undelivered = match order.kind {
        OrderKind::Purchase if order.is_of_traffic() => {
            delivery::deliver(conn, &order, &lines, now)?;
            Vec::new()
        }
        OrderKind::Purchase => {
            let plan = match plan {
                Some(plan) => plan,
                None => insert_plan(conn, order.account_id, order.tier()?, now)?,
            };
            let held = held(conn)?;
            assign_nodes(conn, key, &order, &plan, held, &lines, now)?;
            queue_purchase_mail(conn, &order, &lines, now)?;
            Vec::new()
        }
        OrderKind::Renewal => renewals::extend_nodes(conn, &order, now)?,
        // A switch is executed together with its payment.
        OrderKind::Switch | OrderKind::TopUp => Vec::new(),
    };
    events::record(conn, order.account_id, EventKind::OrderPaid, &about(&order), now)?;
    if is_referred {
        commissions::earn(conn, &order, now)?;
    }
    let event = if undelivered.is_empty() { OrderEvent::Fulfil } else { OrderEvent::FulfilPartly };
    Ok(Delivered { order: record_fulfilment(conn, &order, event)?, lines, payments, parties, undelivered })
}

/// Queues the confirmation mail of a purchase of nodes.
fn queue_purchase_mail(
    conn: &mut Conn,
    order: &OrderRow,
    lines: &[LineRow],
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let (mut count, mut places) = (0, [String::new(), String::new()]);
    for line in lines {
        count += line.quantity()?;
        let (Some(country), Some(city)) = (&line.country, &line.city) else { continue };
        for (text, language) in places.iter_mut().zip([Language::En, Language::Zh]) {
            let (city, country) = (city_name(city, language), country_name(country, language));
            let place = match language {
                Language::En => format!("{city}, {country}"),
                Language::Zh => format!("{country}·{city}"),
            };
            text.push_str(&format!("{place} × {}\n", line.quantity()?));
        }
    }
    let tier = lines.first().ok_or_else(|| AppError::internal("a purchase without lines"))?;
    let period_days = order.period()?;
    let parameters = json!({
        "OrderId": order.id,
        "OrderNumber": order.order_number,
        "Count": count,
        "Tier": { "en": tier.label_en, "zh": tier.label_zh },
        "Places": { "en": places[0].trim_end(), "zh": places[1].trim_end() },
        "Days": period_days,
        "EndsAt": first_expiry(now, period_days).map(to_wire),
        "Total": Money::from_minor(order.total_minor).display(order.currency),
    });
    mails::queue_for_account(conn, order.account_id, EventKind::OrderPaid, MailTemplate::Purchased, &parameters, now)
}

/// Marks a top-up as paid and fulfilled, after its money has been credited: the credit is the delivery.
pub fn finish_top_up(conn: &mut Conn, order: &OrderRow, now: NaiveDateTime) -> Result<(), AppError> {
    record_fulfilment(conn, &paid_state(order, now)?, OrderEvent::Fulfil)?;
    events::record(conn, order.account_id, EventKind::WalletToppedUp, &about(order), now)
}

/// Queues the mail that confirms a top-up, after its money has been credited.
pub fn queue_top_up_mail(conn: &mut Conn, order: &OrderRow, amount: Money, now: NaiveDateTime) -> Result<(), AppError> {
    let balance = lock_wallet(conn, order.account_id)?.balance;
    let parameters = json!({
        "OrderNumber": order.order_number,
        "Amount": amount.display(order.currency),
        "Balance": balance.display(order.currency),
    });
    mails::queue_for_account(
        conn,
        order.account_id,
        EventKind::WalletToppedUp,
        MailTemplate::ToppedUp,
        &parameters,
        now,
    )
}

/// The data of events about an order.
fn about(order: &OrderRow) -> Value {
    json!({
        "OrderId": order.id,
        "OrderNumber": order.order_number,
        "Kind": order.kind,
        "Total": Money::from_minor(order.total_minor),
        "Currency": order.currency,
    })
}

fn assign_nodes(
    conn: &mut Conn,
    key: &SecretKey,
    order: &OrderRow,
    plan: &PlanRow,
    held: Vec<HeldNode>,
    lines: &[LineRow],
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let period_days = order.period()?;
    let expires_at = first_expiry(now, period_days).ok_or_else(|| AppError::internal("a period is too long"))?;
    let nets = nets_of(&held, lines)?;
    let group_id =
        order.group_id.map(|group_id| lock_existing(conn, order.account_id, group_id)).transpose()?.flatten();
    let auto_renew = order.auto_renew.unwrap_or(plan.auto_renew);
    for (HeldNode { node_id, .. }, net) in held.into_iter().zip(nets) {
        let (user_name, password_sealed) = match (&plan.user_name, &plan.password_sealed) {
            (Some(user_name), Some(sealed)) => (user_name.clone(), sealed.clone()),
            _ => (node_user_name(random()), key.seal(&node_password(random())).map_err(AppError::Internal)?),
        };
        let assignment = Assignment {
            account_id: Some(order.account_id),
            plan_id: Some(plan.id),
            group_id,
            user_name: Some(&user_name),
            password_sealed: Some(&password_sealed),
            auto_renew,
            period_days: order.period_days,
            next_renewal_at: auto_renew.then(|| first_attempt(expires_at, now)),
            next_reminder_at: next_reminder(expires_at, now),
            assigned_at: Some(now),
            expires_at: Some(expires_at),
        };
        assign(conn, node_id, &assignment)?;
        let sold = (
            order_nodes::order_id.eq(order.id),
            order_nodes::node_id.eq(node_id),
            order_nodes::net_minor.eq(net.minor()),
            order_nodes::starts_at.eq(now),
            order_nodes::ends_at.eq(expires_at),
        );
        diesel::insert_into(order_nodes::table).values(sold).execute(conn)?;
    }
    Ok(())
}

type Place = (Option<String>, Option<String>);

/// The price of each held node: that of its place. An operator may have corrected a node's place since it was ordered: such nodes get what is left.
fn nets_of(held: &[HeldNode], lines: &[LineRow]) -> Result<Vec<Money>, AppError> {
    let mut nets = nets_by_city(lines)?;
    let mut of_place =
        |node: &HeldNode| nets.get_mut(&(Some(node.country.clone()), Some(node.city.clone()))).and_then(Vec::pop);
    let found: Vec<Option<Money>> = held.iter().map(&mut of_place).collect();
    let mut left = nets.into_values().flatten();
    let all = found.into_iter().map(|net| net.or_else(|| left.next()));
    all.map(|net| net.ok_or_else(|| AppError::internal("more nodes are held than an order has"))).collect()
}

/// The price of each node of an order, by country and city: the lines' shares of the total, split to the cent.
fn nets_by_city(lines: &[LineRow]) -> Result<HashMap<Place, Vec<Money>>, AppError> {
    let mut nets = HashMap::new();
    for line in lines {
        let shares = Money::from_minor(line.net_minor).split(line.quantity()?)?;
        nets.insert((line.country.clone(), line.city.clone()), shares);
    }
    Ok(nets)
}

/// Ends an unpaid order and returns its nodes to stock. The order must be locked.
pub fn end_unpaid(conn: &mut Conn, order: &OrderRow, event: OrderEvent, now: NaiveDateTime) -> Result<(), AppError> {
    advance(conn, order, event)?;
    diesel::update(orders::table.find(order.id)).set(orders::ended_at.eq(now)).execute(conn)?;
    release_nodes(conn, order.id)?;
    if event == OrderEvent::Expire {
        let data = json!({
            "OrderId": order.id,
            "OrderNumber": order.order_number,
            "Total": Money::from_minor(order.total_minor),
            "Currency": order.currency,
        });
        events::record(conn, order.account_id, EventKind::OrderExpired, &data, now)?;
    }
    end_with_order(conn, order.id, now)
}
