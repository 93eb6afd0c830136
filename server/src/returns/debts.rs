//! What a customer who owes has bought, and who loses by it.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::ledger::lock_wallet;
use crate::order_rows::rows::{OrderRow, lock};
use crate::referrals::commissions::{self, Cause};
use crate::returns::rows::ReturnRow;
use crate::schema::{orders, payment_returns, payments, wallets};
use chrono::NaiveDateTime;
use postern_core::money::Money;
use postern_core::order::{OrderKind, OrderState};
use postern_core::payment_return::{ReturnKind, ReturnState, shared_in_turn};

/// Orders that one debt may concern.
const ORDERS: i64 = 200;

/// Notes that what was bought may have to end. The wallet must be locked.
pub fn mark(conn: &mut Conn, account_id: i64) -> Result<(), AppError> {
    diesel::update(wallets::table.find(account_id)).set(wallets::is_to_end.eq(true)).execute(conn)?;
    Ok(())
}

/// What an account bought with money that gateways took back: orders that were paid by such payments, then the latest ones.
pub fn bought(conn: &mut Conn, account_id: i64) -> Result<Vec<OrderRow>, AppError> {
    let paid = [OrderState::Paid, OrderState::Fulfilled, OrderState::PartlyFulfilled];
    let sales = || {
        orders::table
            .filter(orders::account_id.eq(account_id))
            .filter(orders::kind.ne(OrderKind::TopUp))
            .filter(orders::state.eq_any(paid))
            .order(orders::id.desc())
            .limit(ORDERS)
            .select(OrderRow::as_select())
    };
    let returned = payment_returns::table
        .inner_join(payments::table.on(payments::id.eq(payment_returns::payment_id)))
        .filter(payment_returns::account_id.eq(account_id))
        .filter(payment_returns::kind.ne(ReturnKind::ByShop))
        .filter(payment_returns::state.ne(ReturnState::Undone));
    let returned: Vec<i64> = returned.select(payments::order_id).load(conn)?;
    let mut bought: Vec<OrderRow> = sales().filter(orders::id.eq_any(&returned)).load(conn)?;
    let latest: Vec<OrderRow> = sales().load(conn)?;
    bought.extend(latest.into_iter().filter(|order| !returned.contains(&order.id)));
    Ok(bought)
}

/// Has the sales lose what a return that is final has left owed beyond what they have lost by it already, and takes back their commissions. The wallet
/// and the payment's order are locked, and no invoice has been issued.
pub fn lose_sales(
    conn: &mut Conn,
    return_id: i64,
    lost_before: i64,
    paid: &OrderRow,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let row: ReturnRow = payment_returns::table.find(return_id).select(ReturnRow::as_select()).first(conn)?;
    let uncovered = Money::from_minor(row.uncovered_minor - lost_before);
    if uncovered.minor() <= 0 {
        return Ok(());
    }
    let owed = lock_wallet(conn, row.account_id)?.owed.min(uncovered);
    if owed.is_zero() {
        return Ok(());
    }
    let mut sales = bought(conn, row.account_id)?;
    sales.sort_by_key(|order| order.id != paid.id);
    let left = |order: &OrderRow| Ok(Money::from_minor(order.total_minor).checked_sub(order.gone()?)?);
    let left = sales.iter().map(left).collect::<Result<Vec<Money>, AppError>>()?;
    for (sale, lost) in sales.into_iter().zip(shared_in_turn(owed, left)?) {
        if lost.is_zero() {
            continue;
        }
        let mut sale = lock(conn, sale.id)?;
        sale.lost_minor += lost.minor();
        diesel::update(orders::table.find(sale.id)).set(orders::lost_minor.eq(sale.lost_minor)).execute(conn)?;
        commissions::take_back_of(conn, &sale, Cause::Return(return_id), sale.gone()?, now)?;
    }
    Ok(())
}
