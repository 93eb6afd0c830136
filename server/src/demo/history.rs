//! The demo customer's history over the last year, in order: purchases, renewals, switches, expiries, unpaid orders and refunds. It uses the same
//! functions as requests do.
use crate::accounts::queries::order_terms;
use crate::audit::Actor;
use crate::charges::payments::{NewPayment, insert};
use crate::db::prelude::*;
use crate::db::{Conn, RowLock};
use crate::demo::referrals::{MOVED_DAYS_AGO, move_commissions};
use crate::demo::traffic::{Bought, buy};
use crate::error::AppError;
use crate::fulfilment::fulfil::{end_unpaid, pay_from_wallet};
use crate::fulfilment::renewals::{insert_order, load_owned, price};
use crate::jobs::nodes::move_all;
use crate::order_rows::rows::{OrderRow, insert_top_up};
use crate::orders::purchase::{self, Purchase};
use crate::payments::settle::settle;
use crate::refunds::execute::refund_as_operator;
use crate::refunds::types::RefundOrder;
use crate::schema::{nodes, plan_groups, users};
use crate::security::SecretKey;
use crate::static_proxies::selection::NodeSelection;
use crate::static_proxies::switch_plan::Switching;
use crate::static_proxies::switching::switch;
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::language::Language;
use postern_core::money::Money;
use postern_core::node::OWNED;
use postern_core::order::{GatewayReport, OrderEvent, PaymentMethod, top_up_hours};
use postern_core::quote::{LineRequest, QuoteRequest, quote};
use postern_core::renewal::first_attempt;
use postern_core::switch::SwitchMode;
use postern_core::tier::Catalogue;

/// Country, city, and number of IPs.
type Place = (&'static str, &'static str, u32);

const REGULAR: usize = 0;
const PREMIUM: usize = 1;
const ELITE: usize = 2;

/// All demo purchases use the shortest period.
const PERIOD_DAYS: u32 = 30;

/// Minutes between two events of one day.
const MINUTES_BETWEEN: i32 = 7;

enum Action {
    /// In whole units of the currency. A failed payment is not retried, and its order ends.
    TopUp { amount: i64, succeeds: bool },
    /// Paid from the wallet.
    Buy { tier: usize, places: &'static [Place] },
    /// Not paid; ends with this event, or stays open.
    Order { tier: usize, places: &'static [Place], ends: Option<OrderEvent> },
    /// Renews all IPs in a city.
    Renew { city: &'static str },
    /// Switches the first IP in a city, within the free quota.
    Switch { city: &'static str, reason: &'static str },
    /// Refunds the unused time of the last purchase.
    Refund { reason: &'static str },
}

/// By age in days. Anything not renewed expires.
const ACTIONS: &[(i64, Action)] = &[
    (340, Action::TopUp { amount: 120, succeeds: true }),
    (339, Action::Buy { tier: REGULAR, places: &[("US", "chicago", 3), ("GB", "london", 2)] }),
    (311, Action::Renew { city: "chicago" }),
    (300, Action::Switch { city: "chicago", reason: "Blocked by one shop" }),
    (281, Action::Renew { city: "chicago" }),
    (260, Action::TopUp { amount: 80, succeeds: false }),
    (260, Action::TopUp { amount: 80, succeeds: true }),
    (230, Action::Buy { tier: PREMIUM, places: &[("JP", "tokyo", 3)] }),
    (200, Action::Order { tier: REGULAR, places: &[("FR", "paris", 4)], ends: Some(OrderEvent::Cancel) }),
    (150, Action::Buy { tier: REGULAR, places: &[("FR", "paris", 4)] }),
    (148, Action::Refund { reason: "The target site blocks these addresses" }),
    (100, Action::Buy { tier: ELITE, places: &[("SG", "singapore", 2)] }),
    (70, Action::Order { tier: REGULAR, places: &[("DE", "berlin", 2)], ends: Some(OrderEvent::Expire) }),
    (62, Action::TopUp { amount: 60, succeeds: true }),
    (56, Action::Buy { tier: REGULAR, places: &[("DE", "frankfurt", 3)] }),
    (40, Action::Switch { city: "frankfurt", reason: "" }),
    (31, Action::Buy { tier: REGULAR, places: &[("JP", "tokyo", 2)] }),
    (28, Action::Renew { city: "frankfurt" }),
    (12, Action::TopUp { amount: 200, succeeds: true }),
    (12, Action::Buy { tier: REGULAR, places: &[("US", "new-york", 4)] }),
    (5, Action::Buy { tier: PREMIUM, places: &[("GB", "london", 3)] }),
    (0, Action::Order { tier: REGULAR, places: &[("ES", "madrid", 2)], ends: None }),
];

struct Group {
    name: &'static str,
    colour: &'static str,
    city: &'static str,
    /// The note of the group's first IP.
    note: &'static str,
}

const GROUPS: [Group; 2] = [
    Group { name: "Checkout", colour: "#1f9ea3", city: "new-york", note: "Slow before 9:00" },
    Group { name: "Price checks", colour: "#e0832c", city: "frankfurt", note: "" },
];

/// An event of a day: an action of the customer, a purchase of traffic by the customer or a friend, or a move of commissions.
enum Event {
    Action(&'static Action),
    Traffic(Bought),
    Commissions,
}

pub struct Year<'a> {
    pub key: &'a SecretKey,
    pub catalogue: &'a Catalogue,
    pub account_id: i64,
    pub now: NaiveDateTime,
}

impl Year<'_> {
    /// Executes all events in order of time, as the ledger requires.
    pub fn seed(&self, conn: &mut Conn, bought: Vec<Bought>) -> Result<(), AppError> {
        let mut events: Vec<(i64, Event)> =
            ACTIONS.iter().map(|(days_ago, action)| (*days_ago, Event::Action(action))).collect();
        events.extend(bought.into_iter().map(|bought| (bought.days_ago, Event::Traffic(bought))));
        events.push((MOVED_DAYS_AGO, Event::Commissions));
        events.sort_by_key(|(days_ago, _)| -days_ago);
        let mut last: Option<OrderRow> = None;
        let (mut day, mut of_day) = (i64::MAX, 0);
        for (days_ago, event) in events {
            of_day = if day == days_ago { of_day + 1 } else { 0 };
            day = days_ago;
            // Events of today happen now.
            let minutes = if days_ago == 0 { 0 } else { of_day * MINUTES_BETWEEN };
            let at = self.now - TimeDelta::days(days_ago) + TimeDelta::minutes(minutes.into());
            move_all(conn, at)?;
            match event {
                Event::Traffic(bought) => buy(conn, self.key, &bought, at)?,
                Event::Commissions => move_commissions(conn, self.account_id, at)?,
                Event::Action(action) => self.execute(conn, action, &mut last, at)?,
            }
        }
        move_all(conn, self.now)?;
        self.arrange(conn)
    }

    fn execute(
        &self,
        conn: &mut Conn,
        action: &Action,
        last: &mut Option<OrderRow>,
        at: NaiveDateTime,
    ) -> Result<(), AppError> {
        match action {
            Action::TopUp { amount, succeeds } => self.top_up(conn, Money::from_minor(amount * 100), *succeeds, at),
            Action::Buy { tier, places } => {
                let order = self.order(conn, *tier, places, at)?;
                pay_from_wallet(conn, self.key, &order, at)?;
                *last = Some(order);
                Ok(())
            }
            Action::Order { tier, places, ends } => {
                let order = self.order(conn, *tier, places, at)?;
                ends.map_or(Ok(()), |event| end_unpaid(conn, &order, event, order.expires_at.min(self.now)))
            }
            Action::Renew { city } => {
                let ids = self.owned_in(conn, city)?;
                let owned = load_owned(conn, self.account_id, &ids, RowLock::ForUpdate)?;
                let quote = price(self.catalogue, &order_terms(conn, self.account_id, None)?, &owned, PERIOD_DAYS)?;
                let order = insert_order(conn, self.account_id, &owned, &quote, at)?;
                pay_from_wallet(conn, self.key, &order, at)
            }
            Action::Switch { city, reason } => {
                let user = users::table.filter(users::account_id.eq(self.account_id)).select(users::id);
                let switching = Switching {
                    account_id: self.account_id,
                    user_id: user.first(conn)?,
                    person: None,
                    mode: SwitchMode::Quota,
                    reason: (*reason).to_owned(),
                    tells_balance: true,
                    lock: RowLock::ForUpdate,
                    now: at,
                };
                let node_ids = self.owned_in(conn, city)?.into_iter().take(1).collect();
                let first = NodeSelection { node_ids, ..NodeSelection::default() };
                switch(conn, self.key, &switching, &first, None).map(|_| ())
            }
            Action::Refund { reason } => {
                let order = last.as_ref().ok_or_else(|| AppError::internal("no purchase to refund"))?;
                let refund = RefundOrder {
                    order_number: order.order_number.clone(),
                    amount: None,
                    node_ids: Vec::new(),
                    to_source: false,
                    reason: (*reason).to_owned(),
                };
                refund_as_operator(conn, &refund, &Actor::command(), at).map(|_| ())
            }
        }
    }

    fn top_up(&self, conn: &mut Conn, amount: Money, succeeded: bool, at: NaiveDateTime) -> Result<(), AppError> {
        let method = PaymentMethod::Sandbox;
        let order = insert_top_up(conn, self.account_id, amount, method, at)?;
        let payment = insert(conn, &order, amount, &NewPayment::pending(method, Language::En), at)?;
        let report = GatewayReport::of(succeeded, amount, order.currency.as_str());
        settle(conn, self.key, payment.id, &report, None, at)?;
        if succeeded {
            return Ok(());
        }
        end_unpaid(conn, &order, OrderEvent::Expire, at + TimeDelta::hours(top_up_hours(method)))
    }

    fn order(&self, conn: &mut Conn, tier: usize, places: &[Place], at: NaiveDateTime) -> Result<OrderRow, AppError> {
        let line = |(country, city, quantity): &Place| LineRequest {
            country: (*country).to_owned(),
            city: (*city).to_owned(),
            quantity: *quantity,
        };
        let request = QuoteRequest {
            ver_str: self.catalogue.tiers[tier].ver_str.clone(),
            period_days: PERIOD_DAYS,
            lines: places.iter().map(line).collect(),
            target: None,
        };
        let quote =
            quote(&request, self.catalogue).map_err(|error| AppError::internal(&format!("a demo quote: {error:?}")))?;
        let order = purchase::insert_purchase(conn, self.account_id, &quote, &Purchase::default(), at)?;
        purchase::hold(conn, order.id, &quote, &Purchase::default())?;
        Ok(order)
    }

    fn owned_in(&self, conn: &mut Conn, city: &str) -> Result<Vec<i64>, AppError> {
        let owned = nodes::table
            .filter(nodes::account_id.eq(self.account_id))
            .filter(nodes::city.eq(city))
            .filter(nodes::state.eq_any(OWNED));
        Ok(owned.order(nodes::id).select(nodes::id).load(conn)?)
    }

    /// The customer's organisation of the IPs: groups, notes, and automatic renewal of a group.
    fn arrange(&self, conn: &mut Conn) -> Result<(), AppError> {
        for Group { name, colour, city, note } in GROUPS {
            let row = (
                plan_groups::account_id.eq(self.account_id),
                plan_groups::name.eq(name),
                plan_groups::colour.eq(colour),
                plan_groups::note.eq(""),
                plan_groups::created_at.eq(self.now - TimeDelta::days(10)),
            );
            let group_id: i64 =
                diesel::insert_into(plan_groups::table).values(row).returning(plan_groups::id).get_result(conn)?;
            let members = self.owned_in(conn, city)?;
            let of_group = nodes::table.filter(nodes::id.eq_any(&members));
            diesel::update(of_group).set(nodes::group_id.eq(group_id)).execute(conn)?;
            let first = nodes::table.filter(nodes::id.eq_any(members.first()));
            diesel::update(first).set(nodes::note.eq(note)).execute(conn)?;
        }
        for node_id in self.owned_in(conn, GROUPS[0].city)? {
            let node = nodes::table.find(node_id);
            let ends: NaiveDateTime = node.select(nodes::expires_at.assume_not_null()).first(conn)?;
            let renews = (nodes::auto_renew.eq(true), nodes::next_renewal_at.eq(first_attempt(ends, self.now)));
            diesel::update(node).set(renews).execute(conn)?;
        }
        Ok(())
    }
}
