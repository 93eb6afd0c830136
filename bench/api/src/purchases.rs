//! Purchases through the API, and their baseline.
use crate::CLIENTS;
use crate::client::Client;
use crate::report::{Bound, Report, median, median_ratio, per_second};
use crate::servers::Server;
use crate::shop::{Customer, Shop, TIER};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::pg::PgConnection;
use diesel::prelude::*;
use postern_core::event::EventKind;
use postern_core::invoice::InvoiceKind;
use postern_core::language::Language;
use postern_core::ledger::{Book, EntryKind};
use postern_core::mail::{MailState, MailTemplate};
use postern_core::money::Currency;
use postern_core::node::NodeState;
use postern_core::order::{OrderKind, OrderState, PaymentMethod, PaymentState};
use postern_server::db::Conn;
use postern_server::db::sqlite_path;
use postern_server::db::update_cached;
use postern_server::error::AppError;
use postern_server::schema::{
    events, idempotency_keys, invoices, ledger_entries, ledger_transactions, mails, nodes, order_lines, order_nodes,
    orders, payments, wallets,
};
use postern_server::security::{SecretKey, new_token};
use std::net::SocketAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const PURCHASE_ROUNDS: usize = 7;
const PURCHASE_ROUND: Duration = Duration::from_secs(2);
const FOR_SALE: u32 = 60_000;
const LEAST_OF_BARE_PURCHASE: f64 = 0.5;

/// All buyers buy in one city, which is the harder case.
pub const COUNTRY: &str = "US";
pub const CITY: &str = "denver";

/// The invoice series of the bare transactions; its counter does not change.
pub const SERIES: &str = "bare";

/// Buys one IP at a time from the wallet, for this long; returns how many.
pub fn buy(address: SocketAddr, customer: &Customer, time: Duration) -> anyhow::Result<u32> {
    let mut client = Client::new(address, &format!("Token: {}\r\n", customer.token))?;
    let order = format!(
        r#"{{"VerStr":"{TIER}","PeriodDays":30,"Lines":[{{"Country":"{COUNTRY}","City":"{CITY}","Quantity":1}}],"ExpectedTotal":"5.00","PayFromWallet":true}}"#
    );
    let (begin, mut bought) = (Instant::now(), 0);
    while begin.elapsed() < time {
        let key = format!("Idempotency-Key: {}\r\n", new_token());
        let bought_one: serde_json::Value =
            serde_json::from_slice(client.post("/api/Order/CreateOrder", &order, &key)?)?;
        anyhow::ensure!(bought_one["Data"]["State"] == "fulfilled", "{bought_one}");
        bought += 1;
    }
    Ok(bought)
}

/// Writes the rows of the same purchase with the same statements in one durable transaction without reads or checks: the idempotency key with its
/// response, the order with its line, the node held and assigned with the order's record of it, the order paid and fulfilled, the payment, the
/// posting with its two entries, the wallet, the event, the confirmation mail, and the invoice, whose number comes from no counter, so that nothing blocks.
pub fn write_rows(
    conn: &mut Conn,
    key: &SecretKey,
    customer: &Customer,
    node_id: i64,
    balance: i64,
    now: NaiveDateTime,
) -> Result<(), AppError> {
    let account_id = customer.account_id;
    let order_id: i64 = diesel::insert_into(orders::table)
        .values((
            orders::order_number.eq(new_token()),
            orders::account_id.eq(account_id),
            orders::kind.eq(OrderKind::Purchase),
            orders::state.eq(OrderState::Unpaid),
            orders::currency.eq(Currency::Usd),
            orders::ver_str.eq(TIER),
            orders::period_days.eq(30),
            orders::subtotal_minor.eq(500),
            orders::discount_minor.eq(0),
            orders::total_minor.eq(500),
            orders::discounts.eq("[]"),
            orders::created_at.eq(now),
            orders::expires_at.eq(now),
        ))
        .returning(orders::id)
        .get_result(conn)?;
    diesel::insert_into(order_lines::table)
        .values((
            order_lines::order_id.eq(order_id),
            order_lines::ver_str.eq(TIER),
            order_lines::country.eq(COUNTRY),
            order_lines::city.eq(CITY),
            order_lines::quantity.eq(1),
            order_lines::unit_price_minor.eq(500),
            order_lines::amount_minor.eq(500),
            order_lines::net_minor.eq(500),
        ))
        .execute(conn)?;
    let held = diesel::update(nodes::table.find(node_id))
        .set((nodes::state.eq(NodeState::Held), nodes::order_id.eq(order_id)));
    update_cached(conn, held.returning(nodes::id))?;
    let transaction_id: i64 = diesel::insert_into(ledger_transactions::table)
        .values((
            ledger_transactions::account_id.eq(account_id),
            ledger_transactions::kind.eq(EntryKind::Purchase),
            ledger_transactions::reference.eq(format!("order {order_id} charged")),
            ledger_transactions::order_id.eq(order_id),
            ledger_transactions::wallet_change_minor.eq(-500),
            ledger_transactions::balance_after_minor.eq(balance),
            ledger_transactions::currency.eq(Currency::Usd),
            ledger_transactions::created_at.eq(now),
        ))
        .returning(ledger_transactions::id)
        .get_result(conn)?;
    for (book, of, amount) in [(Book::Wallet, Some(account_id), -500), (Book::Revenue, None, 500)] {
        let row = (
            ledger_entries::transaction_id.eq(transaction_id),
            ledger_entries::book.eq(book),
            ledger_entries::account_id.eq(of),
            ledger_entries::amount_minor.eq(amount),
        );
        diesel::insert_into(ledger_entries::table).values(row).execute(conn)?;
    }
    let wallet =
        (wallets::balance_minor.eq(balance), wallets::total_expenses_minor.eq(wallets::total_expenses_minor + 500));
    update_cached(conn, diesel::update(wallets::table.find(account_id)).set(wallet).returning(wallets::account_id))?;
    let assigned = diesel::update(nodes::table.find(node_id)).set((
        nodes::state.eq(NodeState::Assigned),
        nodes::account_id.eq(account_id),
        nodes::user_name.eq("bench"),
        nodes::password_sealed.eq(key.seal("aVeryOrdinaryPassword").map_err(AppError::Internal)?),
        nodes::auto_renew.eq(false),
        nodes::period_days.eq(30),
        // Nothing becomes due during the rounds: the jobs have no extra work.
        nodes::next_reminder_at.eq(now + TimeDelta::days(23)),
        nodes::assigned_at.eq(now),
        nodes::expires_at.eq(now + TimeDelta::days(30)),
        nodes::order_id.eq(None::<i64>),
    ));
    update_cached(conn, assigned.returning(nodes::id))?;
    let sold = (order_nodes::order_id.eq(order_id), order_nodes::node_id.eq(node_id), order_nodes::net_minor.eq(500));
    diesel::insert_into(order_nodes::table).values(sold).execute(conn)?;
    let fulfilled = diesel::update(orders::table.find(order_id))
        .set((orders::state.eq(OrderState::Fulfilled), orders::paid_at.eq(now)));
    update_cached(conn, fulfilled.returning(orders::id))?;
    diesel::insert_into(payments::table)
        .values((
            payments::public_id.eq(new_token()),
            payments::account_id.eq(account_id),
            payments::order_id.eq(order_id),
            payments::payment_method.eq(PaymentMethod::Wallet),
            payments::state.eq(PaymentState::Succeeded),
            payments::amount_minor.eq(500),
            payments::currency.eq(Currency::Usd),
            payments::language.eq(Language::En),
            payments::created_at.eq(now),
            payments::settled_at.eq(now),
        ))
        .execute(conn)?;
    let event = (
        events::account_id.eq(account_id),
        events::kind.eq(EventKind::OrderPaid),
        events::data.eq("x".repeat(120)),
        events::created_at.eq(now),
        // The jobs of the server have no extra work.
        events::is_dispatched.eq(true),
    );
    diesel::insert_into(events::table).values(event).execute(conn)?;
    diesel::insert_into(mails::table)
        .values((
            mails::recipient.eq(format!("buyer-{account_id}@example.com")),
            mails::language.eq(Language::En),
            mails::template.eq(MailTemplate::Purchased),
            mails::parameters.eq("x".repeat(300)),
            mails::state.eq(MailState::Sent),
            mails::next_attempt_at.eq(now),
            mails::created_at.eq(now),
            mails::event_kind.eq(EventKind::OrderPaid),
        ))
        .execute(conn)?;
    diesel::insert_into(invoices::table)
        .values((
            invoices::kind.eq(InvoiceKind::Invoice),
            invoices::invoice_number.eq(new_token()),
            invoices::series.eq(SERIES),
            invoices::number_in_series.eq(order_id),
            invoices::account_id.eq(account_id),
            invoices::order_id.eq(order_id),
            invoices::currency.eq(Currency::Usd),
            invoices::total_minor.eq(500),
            invoices::snapshot.eq("x".repeat(900)),
            invoices::issued_at.eq(now),
        ))
        .execute(conn)?;
    diesel::insert_into(idempotency_keys::table)
        .values((
            idempotency_keys::account_id.eq(account_id),
            idempotency_keys::idempotency_key.eq(new_token()),
            idempotency_keys::body_sha256.eq("0".repeat(64)),
            idempotency_keys::answer.eq("x".repeat(1_800)),
            idempotency_keys::created_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// The exclusive resources of one writer of bare transactions.
pub struct Share {
    /// Nodes in stock, used by no other writer.
    pub node_ids: Vec<i64>,
    /// On PostgreSQL only; on SQLite all share one writer.
    conn: Option<Conn>,
}

impl Share {
    pub fn new(shop: &Shop) -> anyhow::Result<Share> {
        let conn = match sqlite_path(shop.database_url()) {
            None => Some(Conn::Postgres(PgConnection::establish(shop.database_url())?)),
            Some(_) => None,
        };
        Ok(Share { node_ids: Vec::new(), conn })
    }
}

/// Writes such transactions one after the other for this long; returns how many.
pub fn write(
    shop: &Shop,
    customer: &Customer,
    share: &mut Share,
    now: NaiveDateTime,
    time: Duration,
) -> anyhow::Result<u32> {
    let (database, key) = (&shop.app.db, &shop.app.key);
    let (begin, mut written) = (Instant::now(), 0);
    while begin.elapsed() < time {
        let node_id = share.node_ids.pop().ok_or_else(|| anyhow::anyhow!("the shelf is empty: stock more"))?;
        let balance = i64::from(written);
        let mut rows = |conn: &mut Conn| write_rows(conn, key, customer, node_id, balance, now);
        let done = match &mut share.conn {
            Some(conn) => conn.transaction(rows),
            None => database.write_blocking(&mut rows),
        };
        done.map_err(|error| anyhow::anyhow!("{error}"))?;
        written += 1;
    }
    Ok(written)
}

/// Purchases through the API against such transactions, in alternation.
pub fn measure(shop: &Shop, server: &Server, report: &mut Report) -> anyhow::Result<()> {
    let node_ids = shop.stock(COUNTRY, CITY, FOR_SALE)?;
    let customers: Vec<Customer> =
        (1..=2 * CLIENTS).map(|number| shop.customer(number, 100_000_000)).collect::<Result<_, _>>()?;
    shop.open_series(SERIES)?;
    // Bare transactions set wallets to arbitrary balances.
    let (customers, bare_customers) = customers.split_at(CLIENTS);
    // The API takes nodes from the front of the stock, the bare transactions from its end.
    let mut shares: Vec<Share> = (0..CLIENTS).map(|_| Share::new(shop)).collect::<Result<_, _>>()?;
    for (index, node_id) in node_ids.into_iter().enumerate().skip(FOR_SALE as usize / 2) {
        shares[index % CLIENTS].node_ids.push(node_id);
    }
    let shares: Vec<Mutex<Share>> = shares.into_iter().map(Mutex::new).collect();
    let now = shop.app.clock.now();
    let (mut rates, mut bare_rates) = (Vec::new(), Vec::new());
    for round in 0..=PURCHASE_ROUNDS {
        let rate = per_second(CLIENTS, &|number| buy(server.address, &customers[number], PURCHASE_ROUND))?;
        let bare_rate = per_second(CLIENTS, &|number| {
            let mut share = shares[number].lock().map_err(|_| anyhow::anyhow!("a buyer broke off"))?;
            write(shop, &bare_customers[number], &mut share, now, PURCHASE_ROUND)
        })?;
        if round == 0 {
            // The first round is a warm-up: a shop's tables are not empty for long, and databases analyse them.
            shop.analyze()?;
        } else {
            rates.push(rate);
            bare_rates.push(bare_rate);
        }
    }
    let ratio = median_ratio(&rates, &bare_rates);
    let numbers = format!("{:.0} of {:.0} bare transactions/s = {ratio:.2}", median(rates), median(bare_rates));
    report.line("durable purchases", &numbers, ratio, &Bound::AtLeast(LEAST_OF_BARE_PURCHASE));
    Ok(())
}
