//! Every event in every state, against the database: transitions in core's table succeed, all others change nothing.
use crate::shop::{REGULAR, Shop, order_for};
use chrono::TimeDelta;
use postern_core::node::{NodeEvent, NodeState, OWNED, next_node_state};
use postern_core::order::{OrderEvent, OrderState, PaymentEvent, PaymentState, next_order_state, next_payment_state};
use postern_server::charges::payments::end;
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use postern_server::error::AppError;
use postern_server::nodes::lifecycle::{self, Assignment, Replacement};
use postern_server::order_rows::rows::{advance, lock};
use postern_server::schema::{nodes, orders, payments};
use serde_json::json;

/// Executes the work and rolls it back; returns the new state, or `None` if it was refused or changed nothing.
fn attempt<T>(
    shop: &Shop,
    mut work: impl FnMut(&mut Conn) -> Result<(), AppError>,
    read: impl Fn(&mut Conn) -> Result<T, AppError>,
) -> Option<T> {
    let mut found = None;
    // An error rolls back.
    let undone = shop.app.db.write_blocking(|conn| -> Result<(), AppError> {
        found = None;
        let outcome = work(conn);
        if outcome.is_ok() {
            found = Some(read(conn)?);
        }
        Err(AppError::internal("undone"))
    });
    assert!(undone.is_err());
    found
}

#[actix_web::test]
async fn nodes_change_state_only_by_the_table() {
    let shop = Shop::open();
    let customer = shop.owner_of(1, 10_000).await;
    shop.stock("US", "new-york", 1);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    let order_id = order.data["OrderId"].as_i64().expect("an order");
    let id = shop.nodes_of(&customer).await[0]["NodeId"].as_i64().expect("a node");
    let now = shop.app.clock.now();
    let (past, later) = (now - TimeDelta::days(1), Some(now + TimeDelta::days(30)));
    let read_plan = |conn: &mut Conn| Ok(nodes::table.find(id).select(nodes::plan_id).first(conn)?);
    let plan_id: Option<i64> = shop.app.db.read_blocking(read_plan).expect("a plan");
    for state in NodeState::ALL {
        for event in NodeEvent::ALL {
            let work = |conn: &mut Conn| {
                // The order holds this node alone.
                let others = nodes::table.filter(nodes::order_id.eq(order_id));
                diesel::update(others)
                    .set((nodes::state.eq(NodeState::Retired), nodes::order_id.eq(None::<i64>)))
                    .execute(conn)?;
                let stands = (
                    nodes::state.eq(*state),
                    nodes::order_id.eq(order_id),
                    nodes::account_id.eq(OWNED.contains(state).then_some(customer.account_id)),
                    nodes::expires_at.eq(past),
                    nodes::free_at.eq(past),
                );
                diesel::update(nodes::table.find(id)).set(stands).execute(conn)?;
                let (account_id, period_days) = (Some(customer.account_id), Some(30));
                let (next_renewal_at, next_reminder_at, assigned_at) = (None, None, Some(now));
                let (user_name, password_sealed) = (Some("someone"), Some("sealed"));
                match event {
                    NodeEvent::Hold => lifecycle::hold_picked(conn, order_id, REGULAR, &[id]),
                    NodeEvent::Release => lifecycle::release_nodes(conn, order_id).map(drop),
                    NodeEvent::Assign => {
                        let assignment = Assignment {
                            account_id,
                            plan_id,
                            group_id: None,
                            user_name,
                            password_sealed,
                            auto_renew: false,
                            period_days,
                            next_renewal_at,
                            next_reminder_at,
                            assigned_at,
                            expires_at: later,
                        };
                        lifecycle::assign(conn, id, &assignment)
                    }
                    NodeEvent::Replace => {
                        let succession = Replacement {
                            account_id,
                            plan_id,
                            group_id: None,
                            user_name,
                            password_sealed,
                            old_user_name: None,
                            old_password_sealed: None,
                            old_valid_until: None,
                            note: "",
                            auto_renew: false,
                            period_days,
                            next_renewal_at,
                            next_reminder_at,
                            assigned_at,
                            expires_at: later,
                            switched_at: Some(now),
                        };
                        lifecycle::replace(conn, id, &succession)
                    }
                    NodeEvent::Renew => lifecycle::renew(conn, &[id], now, period_days, None),
                    NodeEvent::Shorten => lifecycle::shorten(conn, &[id], now, None),
                    NodeEvent::Expire => lifecycle::expire(conn, now).map(drop),
                    NodeEvent::Quarantine => lifecycle::release(conn, &[id], now),
                    NodeEvent::Free => lifecycle::free(conn, now).map(drop),
                    NodeEvent::Retire => lifecycle::retire(conn, &[id]).map(drop),
                    NodeEvent::Restore => lifecycle::restore(conn, &[id]).map(drop),
                }
            };
            let read = |conn: &mut Conn| Ok(nodes::table.find(id).select(nodes::state).first::<NodeState>(conn)?);
            let became = attempt(&shop, work, read).unwrap_or(*state);
            let expected = next_node_state(*state, *event).unwrap_or(*state);
            assert_eq!(became, expected, "{} {}", state.as_str(), event.as_str());
        }
    }
}

#[actix_web::test]
async fn orders_and_payments_change_state_only_by_their_tables() {
    let shop = Shop::open();
    let customer = shop.customer(0);
    shop.stock("US", "new-york", 1);
    let order = shop.call(&customer, "Order/CreateOrder", order_for(&[("US", "new-york", 1)], "5.00")).await;
    let order_id = order.data["OrderId"].as_i64().expect("an order");
    let paying = json!({"OrderId": order_id, "PaymentMethod": "sandbox"});
    assert_eq!(shop.call(&customer, "Order/PayOrder", paying).await.code, 1000);
    let find = |conn: &mut Conn| {
        Ok(payments::table.filter(payments::order_id.eq(order_id)).select(payments::id).first(conn)?)
    };
    let payment_id: i64 = shop.app.db.read_blocking(find).expect("a payment");
    let now = shop.app.clock.now();
    for state in OrderState::ALL {
        for event in OrderEvent::ALL {
            let work = |conn: &mut Conn| {
                diesel::update(orders::table.find(order_id)).set(orders::state.eq(*state)).execute(conn)?;
                let order = lock(conn, order_id)?;
                advance(conn, &order, *event)
            };
            let read =
                |conn: &mut Conn| Ok(orders::table.find(order_id).select(orders::state).first::<OrderState>(conn)?);
            let expected = next_order_state(*state, *event).ok();
            assert_eq!(attempt(&shop, work, read), expected, "{} {}", state.as_str(), event.as_str());
        }
    }
    for state in PaymentState::ALL {
        for event in PaymentEvent::ALL {
            let work = |conn: &mut Conn| {
                let payment = payments::table.find(payment_id);
                diesel::update(payment).set(payments::state.eq(*state)).execute(conn)?;
                end(conn, payment_id, *event, now)
            };
            let read = |conn: &mut Conn| {
                Ok(payments::table.find(payment_id).select(payments::state).first::<PaymentState>(conn)?)
            };
            let expected = next_payment_state(*state, *event).ok();
            assert_eq!(attempt(&shop, work, read), expected, "{} {}", state.as_str(), event.as_str());
        }
    }
}
