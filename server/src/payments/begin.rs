//! Begins paying an order: at once from the wallet, or by a payment through a gateway.
use crate::charges::payments::{NewPayment, PaymentRow, fail_unstarted, insert, next_query};
use crate::config::Config;
use crate::customers::Customer;
use crate::db::Conn;
use crate::error::AppError;
use crate::events;
use crate::exchange_rates::rows as exchange_rates;
use crate::fulfilment::fulfil::{Delivered, PaidOrder, charge, deliver, end_unpaid, hand_over};
use crate::fulfilment::payment_views::view;
use crate::fulfilment::renewals;
use crate::gateways;
use crate::ledger::LockedWallet;
use crate::nodes::lifecycle::HeldNode;
use crate::order_rows::rows::{LineRow, OrderRow, lock};
use crate::order_rows::types::PaymentView;
use crate::security::SecretKey;
use chrono::NaiveDateTime;
use postern_core::event::EventKind;
use postern_core::exchange::Rate;
use postern_core::language::Language;
use postern_core::money::{Currency, Money, gateway_part};
use postern_core::order::{OrderEvent, OrderKind, PaymentMethod, PaymentState, accepts, order_actions};

/// How an order is to be paid: method, customer's language, shop, and time.
pub struct PaymentContext<'a> {
    pub method: PaymentMethod,
    /// Pays what the wallet can cover from the wallet, and the rest through the method.
    pub use_wallet: bool,
    pub language: Language,
    /// Who pays, in person.
    pub person: Option<i64>,
    pub config: &'a Config,
    pub key: &'a SecretKey,
    pub now: NaiveDateTime,
}

/// Begins a payment through a gateway: the customer continues at the payment's address.
pub fn begin(
    conn: &mut Conn,
    order: &OrderRow,
    amount: Money,
    paying: &PaymentContext,
) -> Result<PaymentView, AppError> {
    let gateway = gateways::of_method(paying.method).filter(|gateway| gateway.is_offered(paying.config));
    let gateway = gateway.ok_or_else(|| AppError::internal("this method has no gateway"))?;
    let next_query_at = if gateway.supports_polling() { next_query(paying.now, paying.now) } else { None };
    let exchange = exchange_of(conn, order.currency, gateway.currency(paying.config), paying.now)?;
    let new = NewPayment { next_query_at, exchange, ..NewPayment::pending(paying.method, paying.language) };
    let payment = insert(conn, order, amount, &new, paying.now)?;
    gateway.open_charge(conn, &payment)?;
    Ok(view(payment))
}

/// The currency that a gateway charges, if it is another one than the order's, and its rate, which is fixed on the payment. Refused with
/// `noExchangeRate` while there is none.
fn exchange_of(
    conn: &mut Conn,
    own: Currency,
    charged: Option<Currency>,
    now: NaiveDateTime,
) -> Result<Option<(Currency, Rate)>, AppError> {
    let Some(currency) = charged.filter(|charged| *charged != own) else { return Ok(None) };
    let rate = exchange_rates::usable(conn, currency, now)?;
    Ok(Some((currency, rate.ok_or_else(|| AppError::in_place("noExchangeRate"))?)))
}

/// Begins charging an order to a saved card. The gateway is called only after this is committed; from then on the
/// polling job charges the card, under the payment's id, until the outcome is known.
pub fn begin_automatic(
    conn: &mut Conn,
    order: &OrderRow,
    method: PaymentMethod,
    card_id: i64,
    language: Language,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let pending = NewPayment::pending(method, language);
    let new = NewPayment { card_id: Some(card_id), next_query_at: Some(now), ..pending };
    insert(conn, order, Money::from_minor(order.total_minor), &new, now)?;
    Ok(())
}

/// Cancels an account's automatic top-ups whose charge has not begun.
pub fn cancel_unstarted(conn: &mut Conn, account_id: i64, now: NaiveDateTime) -> Result<(), AppError> {
    let orders = fail_unstarted(conn, account_id, now)?;
    for order_id in orders {
        let order = lock(conn, order_id)?;
        end_unpaid(conn, &order, OrderEvent::Cancel, now)?;
    }
    Ok(())
}

/// Pays an order, which must be locked: from the wallet at once, after which its invoice is due; otherwise by beginning
/// a payment at a gateway.
pub fn pay(
    conn: &mut Conn,
    wallet: LockedWallet,
    order: &OrderRow,
    paying: &PaymentContext,
) -> Result<(PaymentView, Option<Delivered>), AppError> {
    if !order_actions(order.state, order.seconds_left(paying.now)).can_pay {
        return Err(AppError::state_forbids(order.state.as_str()));
    }
    if order.kind != OrderKind::TopUp {
        wallet.refuse_owing()?;
    }
    let total = Money::from_minor(order.total_minor);
    let is_shared = paying.use_wallet && accepts(order.kind, PaymentMethod::Wallet);
    let amount = if is_shared { gateway_part(wallet.balance, total)? } else { total };
    if paying.method != PaymentMethod::Wallet && !amount.is_zero() {
        return Ok((begin(conn, order, amount, paying)?, None));
    }
    let payment = insert_paid(conn, order, paying)?;
    let delivered = deliver(conn, paying.key, wallet, order, paying.now)?;
    renewals::queue_mail(conn, order, paying.now)?;
    known_to_payer(conn, order, paying)?;
    Ok((view(payment), Some(delivered)))
}

/// Who has just paid knows it.
fn known_to_payer(conn: &mut Conn, order: &OrderRow, paying: &PaymentContext) -> Result<(), AppError> {
    let Some(user_id) = paying.person else { return Ok(()) };
    events::known_to(conn, user_id, order.account_id, EventKind::OrderPaid, 1)
}

/// Pays an order from the wallet in the transaction that creates it. `hold` holds its nodes: if the transaction rolls back
/// later, concurrent orders have skipped them meanwhile, so it runs as late as possible.
pub fn buy(
    conn: &mut Conn,
    wallet: LockedWallet,
    customer: Customer,
    order: &OrderRow,
    lines: Vec<LineRow>,
    paying: &PaymentContext,
    hold: impl FnOnce(&mut Conn) -> Result<Vec<HeldNode>, AppError>,
) -> Result<Delivered, AppError> {
    wallet.refuse_owing()?;
    let mut payments = Vec::new();
    if order.total_minor > 0 {
        payments.push(view(insert_paid(conn, order, paying)?));
        charge(conn, wallet, order, paying.now)?;
    }
    let delivered = hand_over(conn, paying.key, PaidOrder { order, customer, lines, payments }, hold, paying.now)?;
    renewals::queue_mail(conn, order, paying.now)?;
    known_to_payer(conn, order, paying)?;
    Ok(delivered)
}

fn insert_paid(conn: &mut Conn, order: &OrderRow, paying: &PaymentContext) -> Result<PaymentRow, AppError> {
    let pending = NewPayment::pending(PaymentMethod::Wallet, paying.language);
    let paid = NewPayment { state: PaymentState::Succeeded, ..pending };
    insert(conn, order, Money::from_minor(order.total_minor), &paid, paying.now)
}
