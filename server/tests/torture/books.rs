//! Invariants of the database after a torture run.
use crate::customer::Journal;
use crate::wallets::Wallets;
use postern_core::ledger::{Book, EntryKind};
use postern_core::money::Money;
use postern_core::node::NodeState;
use postern_core::order::{OrderKind, OrderState, PaymentMethod, PaymentState, Verdict};
use postern_core::payment_return::{ReturnKind, ReturnState};
use postern_core::referral::CommissionState;
use postern_core::sandbox::SandboxOutcome;
use postern_server::charges::arrivals::id_of_reference;
use postern_server::db::Conn;
use postern_server::db::prelude::*;
use postern_server::error::AppError;
use postern_server::schema::{
    commissions, gateway_callbacks, invoices, ledger_entries, ledger_transactions, node_switches, nodes, order_lines,
    order_nodes, orders, payment_returns, payments, referrals, referrers as referrers_table, refund_nodes, refunds,
    sandbox_charges, sandbox_returns, source_refunds, wallets,
};
use postern_server::totals;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

#[derive(Default)]
pub struct Found {
    pub counts: Vec<String>,
    pub problems: Vec<String>,
}

struct Order {
    account_id: i64,
    kind: &'static str,
    state: &'static str,
    total: i64,
}

pub fn check(conn: &mut Conn, journals: &[Journal], wallets: &Wallets) -> Result<Found, AppError> {
    let mut found = Found::default();
    let rows: Vec<(i64, i64, OrderKind, OrderState, i64)> = orders::table
        .select((orders::id, orders::account_id, orders::kind, orders::state, orders::total_minor))
        .load(conn)?;
    let orders: BTreeMap<i64, Order> = rows
        .into_iter()
        .map(|(id, account_id, kind, state, total)| {
            (id, Order { account_id, kind: kind.as_str(), state: state.as_str(), total })
        })
        .collect();
    found.count("orders", orders.values().map(|order| format!("{} {}", order.kind, order.state)));
    answers(&mut found, &orders, journals);
    shelves(&mut found, conn, &orders)?;
    charges(&mut found, conn, &orders)?;
    gateway(&mut found, conn, &orders, wallets)?;
    returns(&mut found, conn)?;
    commissions(&mut found, conn, &orders)?;
    found.problems.extend(totals::differences(conn)?);
    Ok(found)
}

impl Found {
    fn expect(&mut self, holds: bool, problem: impl FnOnce() -> String) {
        if !holds {
            self.problems.push(problem());
        }
    }

    fn count(&mut self, what: &str, names: impl Iterator<Item = String>) {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for name in names {
            *counts.entry(name).or_default() += 1;
        }
        let counts: Vec<_> = counts.into_iter().map(|(name, count)| format!("{count} {name}")).collect();
        self.counts.push(format!("{what}: {}", counts.join(", ")));
    }
}

/// Every order was requested once, and every successful response is in the database.
fn answers(found: &mut Found, orders: &BTreeMap<i64, Order>, journals: &[Journal]) {
    found.count(
        "answers",
        journals
            .iter()
            .flat_map(|journal| &journal.codes)
            .flat_map(|(code, count)| std::iter::repeat_n(code.to_string(), *count)),
    );
    for journal in journals {
        found.problems.extend(journal.problems.iter().cloned());
        let distinct: HashSet<i64> = journal.orders.iter().copied().collect();
        let account_id = journal.account_id;
        found.expect(distinct.len() == journal.orders.len(), || {
            format!("account {account_id}: two requests, one order")
        });
        let own = |id: &&i64| orders.get(id).is_some_and(|order| order.account_id == account_id);
        let kept = journal.orders.iter().filter(own).count();
        found.expect(kept == journal.orders.len(), || {
            format!("account {account_id}: an order that was answered is gone")
        });
        let asked_for =
            orders.values().filter(|order| order.account_id == account_id && order.kind != "switch").count();
        found.expect(asked_for <= journal.wishes, || {
            format!("account {account_id}: {asked_for} orders of {} requests", journal.wishes)
        });
    }
}

/// Each node has one owner at a time, and it is the buyer.
fn shelves(found: &mut Found, conn: &mut Conn, orders: &BTreeMap<i64, Order>) -> Result<(), AppError> {
    let lines: Vec<(i64, i32)> =
        order_lines::table.select((order_lines::order_id, order_lines::quantity)).load(conn)?;
    let sold: Vec<(i64, i64)> = order_nodes::table
        .select((order_nodes::order_id, order_nodes::node_id))
        .order(order_nodes::node_id)
        .load(conn)?;
    type Row = (i64, NodeState, Option<i64>, Option<i64>);
    let all: Vec<Row> =
        nodes::table.select((nodes::id, nodes::state, nodes::account_id, nodes::order_id)).load(conn)?;
    found.count("nodes", all.iter().map(|(_, state, ..)| state.as_str().to_owned()));

    let mut asked: HashMap<i64, usize> = HashMap::new();
    for (order_id, quantity) in lines {
        *asked.entry(order_id).or_default() += quantity as usize;
    }
    let mut given: HashMap<i64, usize> = HashMap::new();
    let mut owners: HashMap<i64, i64> = HashMap::new();
    for (order_id, node_id) in sold {
        *given.entry(order_id).or_default() += 1;
        let order = &orders[&order_id];
        if order.kind == "purchase" {
            let before = owners.insert(node_id, order.account_id);
            // A node is in quarantine for a day before it is sold again.
            found.expect(before.is_none(), || format!("node {node_id} was sold twice, by order {order_id} last"));
        }
    }
    let switches: Vec<(i64, i64, i64)> = node_switches::table
        .order(node_switches::id)
        .select((node_switches::account_id, node_switches::old_node_id, node_switches::new_node_id))
        .load(conn)?;
    found.counts.push(format!("{} switches", switches.len()));
    for (account_id, old, new) in switches {
        let owner = owners.remove(&old);
        found.expect(owner == Some(account_id), || format!("node {old} of {owner:?} was switched by {account_id}"));
        let before = owners.insert(new, account_id);
        found.expect(before.is_none(), || format!("node {new} of {before:?} was given to {account_id}"));
    }
    let ended: Vec<(i64, i64, i64)> = refund_nodes::table
        .inner_join(refunds::table.on(refunds::id.eq(refund_nodes::refund_id)))
        .select((refunds::order_id, refunds::account_id, refund_nodes::ended_node_id))
        .load(conn)?;
    for (_, account_id, node_id) in ended.iter().filter(|(order_id, ..)| orders[order_id].kind == "purchase") {
        let owner = owners.remove(node_id);
        found.expect(owner == Some(*account_id), || {
            format!("node {node_id} of {owner:?} was given back by {account_id}")
        });
    }
    let assigned: HashMap<i64, i64> = all
        .iter()
        .filter(|(_, state, ..)| *state == NodeState::Assigned)
        .filter_map(|(id, _, account_id, _)| Some((*id, (*account_id)?)))
        .collect();
    found.expect(assigned == owners, || "nodes are not with those who bought or switched to them".to_owned());

    let mut held: HashMap<i64, usize> = HashMap::new();
    for order_id in all.iter().filter(|(_, state, ..)| *state == NodeState::Held).filter_map(|(.., order_id)| *order_id)
    {
        *held.entry(order_id).or_default() += 1;
    }
    for (id, order) in orders.iter().filter(|(_, order)| order.kind == "purchase") {
        let asked = asked.get(id).copied().unwrap_or_default();
        let has = (held.get(id).copied().unwrap_or_default(), given.get(id).copied().unwrap_or_default());
        let expected = match order.state {
            "unpaid" => (asked, 0),
            "fulfilled" | "refunded" => (0, asked),
            "cancelled" | "expired" => (0, 0),
            other => {
                found.problems.push(format!("order {id} was left {other}"));
                continue;
            }
        };
        found.expect(has == expected, || {
            format!("order {id}, {}, holds and gave {has:?}, not {expected:?}", order.state)
        });
    }
    Ok(())
}

/// An order is charged once when paid, and otherwise never.
fn charges(found: &mut Found, conn: &mut Conn, orders: &BTreeMap<i64, Order>) -> Result<(), AppError> {
    let rows: Vec<(Option<i64>, EntryKind, i64)> = ledger_transactions::table
        .select((ledger_transactions::order_id, ledger_transactions::kind, ledger_transactions::wallet_change_minor))
        .load(conn)?;
    found.count("movements of money", rows.iter().map(|(_, kind, _)| kind.as_str().to_owned()));
    let refunded: Vec<(i64, i64)> = refunds::table.select((refunds::order_id, refunds::amount_minor)).load(conn)?;
    let given_back: i64 = refunded.iter().map(|(_, amount)| amount).sum();
    found.counts.push(format!("{} refunds of {given_back} cents", refunded.len()));
    let mut sums: HashMap<i64, i64> = HashMap::new();
    for (order_id, amount) in refunded {
        *sums.entry(order_id).or_default() += amount;
    }
    for (order_id, sum) in sums {
        found.expect(sum <= orders[&order_id].total, || format!("order {order_id} gave back {sum}, more than it cost"));
    }
    let numbers: Vec<(String, i64)> =
        invoices::table.select((invoices::series, invoices::number_in_series)).order(invoices::id).load(conn)?;
    found.count("documents", numbers.iter().map(|(series, _)| series.clone()));
    let mut series: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (name, number) in numbers {
        series.entry(name).or_default().push(number);
    }
    for (name, mut numbers) in series {
        numbers.sort_unstable();
        let all: Vec<i64> = (1..=numbers.len() as i64).collect();
        found.expect(numbers == all, || format!("the numbers of {name} have a gap, or one twice"));
    }
    let mut charged: HashMap<i64, Vec<i64>> = HashMap::new();
    for (order_id, kind, change) in rows {
        if let (Some(order_id), "purchase" | "renewal" | "switch") = (order_id, kind.as_str()) {
            charged.entry(order_id).or_default().push(change);
        }
    }
    for (id, order) in orders.iter().filter(|(_, order)| order.kind != "top_up") {
        let charged = charged.remove(id).unwrap_or_default();
        let is_paid = matches!(order.state, "fulfilled" | "partly_fulfilled" | "refunded");
        let expected = if is_paid && order.total > 0 { vec![-order.total] } else { vec![] };
        found.expect(charged == expected, || {
            format!("order {id}, {} {}, was charged {charged:?}, not {expected:?}", order.kind, order.state)
        });
    }
    Ok(())
}

/// Each paid order of a referred account earned one commission, and no other order did; the remaining, owed and moved amounts add up.
fn commissions(found: &mut Found, conn: &mut Conn, orders: &BTreeMap<i64, Order>) -> Result<(), AppError> {
    let referrers: HashMap<i64, i64> =
        referrals::table.select((referrals::account_id, referrals::referrer_id)).load(conn)?.into_iter().collect();
    type Row = (i64, i64, i64, i64, i64, CommissionState, Option<i64>);
    let rows: Vec<Row> = commissions::table
        .select((
            commissions::order_id,
            commissions::account_id,
            commissions::referrer_id,
            commissions::earned_minor,
            commissions::amount_minor,
            commissions::state,
            commissions::moved_minor,
        ))
        .load(conn)?;
    found.count("commissions", rows.iter().map(|row| row.5.as_str().to_owned()));
    let mut earned: HashMap<i64, i64> = HashMap::new();
    for (order_id, account_id, referrer_id, amount, left, ..) in &rows {
        let order = &orders[order_id];
        found.expect(order.account_id == *account_id && referrers.get(account_id) == Some(referrer_id), || {
            format!("the commission of order {order_id} is not its customer's or not their referrer's")
        });
        found.expect(left <= amount, || format!("the commission of order {order_id} grew from {amount} to {left}"));
        found.expect(earned.insert(*order_id, *amount).is_none(), || format!("order {order_id} earned twice"));
    }
    for (id, order) in orders {
        let is_paid = matches!(order.state, "fulfilled" | "partly_fulfilled" | "refunded") && order.kind != "top_up";
        // 10 %, rounded half up.
        let share = (order.total * 10 + 50) / 100;
        let due = Some(share).filter(|share| is_paid && *share > 0 && referrers.contains_key(&order.account_id));
        let has = earned.get(id).copied();
        found.expect(has == due, || format!("order {id}, {}, earned {has:?}, not {due:?}", order.state));
    }
    let movements: Vec<(EntryKind, i64)> = ledger_transactions::table
        .filter(ledger_transactions::kind.eq_any([EntryKind::Commission, EntryKind::CommissionTakenBack]))
        .select((ledger_transactions::kind, ledger_transactions::wallet_change_minor))
        .load(conn)?;
    let in_wallets: i64 = movements.iter().map(|movement| movement.1).sum();
    let owed: Vec<i64> = referrers_table::table.select(referrers_table::owed_minor).load(conn)?;
    let owed: i64 = owed.iter().sum();
    let kept: i64 = rows.iter().filter(|row| row.6.is_some()).map(|row| row.4).sum();
    found.counts.push(format!("{in_wallets} cents of commissions in wallets, {owed} owed"));
    found.expect(in_wallets - owed == kept, || {
        format!(
            "{in_wallets} cents of commissions are in wallets and {owed} owed, but {kept} are left of what was moved"
        )
    });
    Ok(())
}

/// Returns of the sandbox that the shop has in another state, or not at all.
pub fn returns_that_differ(conn: &mut Conn) -> Result<Vec<String>, AppError> {
    let known: HashMap<String, ReturnState> = payment_returns::table
        .select((payment_returns::reference, payment_returns::state))
        .load::<(String, ReturnState)>(conn)?
        .into_iter()
        .collect();
    let held: Vec<(String, ReturnState)> =
        sandbox_returns::table.select((sandbox_returns::reference, sandbox_returns::state)).load(conn)?;
    Ok(held.into_iter().filter(|(id, state)| known.get(id) != Some(state)).map(|(id, _)| id).collect())
}

/// Refunds of the shop that their gateway, if it knows nothing of them, has not been asked for, or that it has made or ended without the shop's knowing.
pub fn refunds_under_way(conn: &mut Conn, wallets: &Wallets) -> Result<i64, AppError> {
    let open: Vec<(String, PaymentMethod, i64, Option<String>)> = source_refunds::table
        .inner_join(payment_returns::table.on(payment_returns::id.eq(source_refunds::return_id)))
        .inner_join(payments::table.on(payments::id.eq(payment_returns::payment_id)))
        .filter(payment_returns::state.eq(ReturnState::Open))
        .select((
            payment_returns::reference,
            payments::payment_method,
            payment_returns::claimed_minor,
            source_refunds::gateway_reference,
        ))
        .load(conn)?;
    let is_under_way = |(reference, method, claimed, known): &&(String, PaymentMethod, i64, Option<String>)| {
        known.is_none()
            || match method {
                PaymentMethod::Epay => wallets.epay.has_refunded(reference),
                PaymentMethod::Btcpay => {
                    let btcpay = &wallets.btcpay;
                    btcpay.is_over(reference) || btcpay.given_up(reference).minor() != *claimed
                }
                _ => false,
            }
    };
    Ok(open.iter().filter(is_under_way).count() as i64)
}

/// What the gateway took back left the wallets, is owed, or came back; and the gateway's book has what the gateway holds.
fn returns(found: &mut Found, conn: &mut Conn) -> Result<(), AppError> {
    let rows: Vec<(ReturnKind, ReturnState, i64, i64)> = payment_returns::table
        .select((
            payment_returns::kind,
            payment_returns::state,
            payment_returns::claimed_minor,
            payment_returns::taken_minor,
        ))
        .load(conn)?;
    found.count("returns", rows.iter().map(|row| format!("{} {}", row.0.as_str(), row.1.as_str())));
    for id in returns_that_differ(conn)? {
        let here: Option<(i64, ReturnState)> = payment_returns::table
            .filter(payment_returns::reference.eq(&id))
            .select((payment_returns::payment_id, payment_returns::state))
            .first(conn)
            .optional()?;
        let there: (String, ReturnState) = sandbox_returns::table
            .find(&id)
            .select((sandbox_returns::public_id, sandbox_returns::state))
            .first(conn)?;
        let payment: (PaymentState, Option<i64>) = payments::table
            .filter(payments::public_id.eq(&there.0))
            .select((payments::state, payments::card_id))
            .first(conn)?;
        found.problems.push(format!("return {id} is {:?} at the gateway, {here:?} here, of {payment:?}", there.1));
    }
    // The gateways take back no more than was credited. What becomes invalid after the shop refunded a part takes the rest.
    for (kind, state, claimed, taken) in &rows {
        let expected = if *state == ReturnState::Undone { 0 } else { *claimed };
        let is_right = if *kind == ReturnKind::Invalid { *taken <= expected } else { *taken == expected };
        found.expect(is_right, || format!("a {} {} of {claimed} took {taken}", kind.as_str(), state.as_str()));
    }
    let unsent: i64 =
        source_refunds::table.filter(source_refunds::gateway_reference.is_null()).count().get_result(conn)?;
    let refused = rows.iter().filter(|row| row.0 == ReturnKind::ByShop && row.1 == ReturnState::Undone).count() as i64;
    found.expect(unsent <= refused, || format!("{unsent} refunds are not known to their gateways, {refused} refused"));
    let taken: i64 = rows.iter().map(|row| row.3).sum();
    let moved: Vec<(EntryKind, i64)> = ledger_transactions::table
        .select((ledger_transactions::kind, ledger_transactions::wallet_change_minor))
        .load(conn)?;
    let sum = |kinds: &[EntryKind]| -> i64 {
        moved.iter().filter(|(kind, _)| kinds.contains(kind)).map(|(_, change)| change).sum()
    };
    let back = -sum(&[EntryKind::TakenBack, EntryKind::SentBack, EntryKind::GivenBack]);
    found.expect(back == taken, || format!("{back} cents were taken from wallets, {taken} by returns"));
    let owed: Vec<i64> = wallets::table.select(wallets::owed_minor).load(conn)?;
    let owed: i64 = owed.iter().sum();
    let made = sum(&[EntryKind::Owed, EntryKind::OwedPaid]);
    found.expect(made == owed, || format!("{owed} cents are owed, but {made} in the ledger"));
    found.counts.push(format!("{taken} cents taken back, {owed} owed"));
    let booked: Vec<i64> = ledger_entries::table
        .filter(ledger_entries::book.eq(Book::Gateway))
        .select(ledger_entries::amount_minor)
        .load(conn)?;
    let held = sum(&EntryKind::OF_PAYMENTS) - taken + sum(&[EntryKind::Credit, EntryKind::PaidBack]);
    found.expect(-booked.iter().sum::<i64>() == held, || format!("the gateway's book does not have {held} cents"));
    Ok(())
}

/// The most that the gateway reported as arrived for each payment, in genuine callbacks.
fn reported(conn: &mut Conn) -> Result<HashMap<i64, i64>, AppError> {
    let counted = [Verdict::Settle, Verdict::CreditWallet, Verdict::Duplicate];
    let callbacks: Vec<(Option<i64>, Option<Vec<u8>>)> = gateway_callbacks::table
        .filter(gateway_callbacks::verdict.eq_any(counted))
        .select((gateway_callbacks::payment_id, gateway_callbacks::body))
        .load(conn)?;
    let mut most: HashMap<i64, i64> = HashMap::new();
    for (payment_id, body) in callbacks {
        let report: Value = serde_json::from_slice(&body.unwrap_or_default()).unwrap_or_default();
        if report["Outcome"] != "approved" {
            continue;
        }
        let amount = Money::parse(report["Amount"].as_str().unwrap_or_default()).map_or(0, Money::minor);
        let most = most.entry(payment_id.unwrap_or_default()).or_default();
        *most = amount.max(*most);
    }
    Ok(most)
}

/// Of every approved payment the most that was reported was received, once, and nothing else was received.
fn gateway(
    found: &mut Found,
    conn: &mut Conn,
    orders: &BTreeMap<i64, Order>,
    wallets: &Wallets,
) -> Result<(), AppError> {
    let charges: HashMap<String, SandboxOutcome> = sandbox_charges::table
        .select((sandbox_charges::public_id, sandbox_charges::outcome))
        .load::<(String, SandboxOutcome)>(conn)?
        .into_iter()
        .collect();
    let received: Vec<(String, i64)> = ledger_transactions::table
        .filter(ledger_transactions::kind.eq_any(EntryKind::OF_PAYMENTS))
        .select((ledger_transactions::reference, ledger_transactions::wallet_change_minor))
        .load(conn)?;
    // A payment can bring several amounts: less than was due, and the rest later.
    let mut of_payments: HashMap<i64, i64> = HashMap::new();
    for (reference, amount) in received {
        let id = id_of_reference(&reference).unwrap_or_default();
        *of_payments.entry(id).or_default() += amount;
    }
    let mut received = of_payments;
    let mut taken: HashMap<i64, i64> = HashMap::new();
    let returned: Vec<(i64, i64, ReturnKind, ReturnState)> = payment_returns::table
        .select((
            payment_returns::payment_id,
            payment_returns::taken_minor,
            payment_returns::kind,
            payment_returns::state,
        ))
        .load(conn)?;
    for (id, amount, ..) in &returned {
        *taken.entry(*id).or_default() += amount;
    }
    let sent: Vec<(i64, String, i64)> = payment_returns::table
        .filter(payment_returns::kind.eq(ReturnKind::ByShop))
        .select((payment_returns::payment_id, payment_returns::reference, payment_returns::claimed_minor))
        .load(conn)?;
    let most = reported(conn)?;
    let payments: Vec<(i64, String, i64, PaymentMethod, PaymentState, i64)> = payments::table
        .select((
            payments::id,
            payments::public_id,
            payments::order_id,
            payments::payment_method,
            payments::state,
            payments::amount_minor,
        ))
        .load(conn)?;
    let names = payments.iter().map(|(_, _, _, method, state, _)| format!("{} {}", method.as_str(), state.as_str()));
    found.count("payments", names);
    let mut succeeded: HashSet<i64> = HashSet::new();
    for (id, public_id, order_id, method, state, amount) in payments {
        if method == PaymentMethod::Wallet {
            continue;
        }
        let state = state.as_str();
        if state == "succeeded" {
            succeeded.insert(order_id);
        }
        if method != PaymentMethod::Sandbox {
            let own = sent.iter().filter(|one| one.0 == id);
            let held = match method {
                PaymentMethod::Btcpay => {
                    let invoice = wallets.btcpay.invoice_of(&public_id);
                    let held = invoice.map_or(0, |id| wallets.btcpay.holds(&id).minor());
                    // What was refunded of an invoice that became invalid later is the seller's loss.
                    (held - own.map(|one| wallets.btcpay.given_up(&one.1).minor()).sum::<i64>()).max(0)
                }
                _ => {
                    let made = own.filter(|one| wallets.epay.has_refunded(&one.1)).map(|one| one.2);
                    amount * wallets.epay.paid_orders(&public_id) as i64 - made.sum::<i64>()
                }
            };
            let net = received.remove(&id).unwrap_or_default() - taken.get(&id).copied().unwrap_or_default();
            found.expect(net == held, || {
                let returns: Vec<_> = returned.iter().filter(|one| one.0 == id).collect();
                let gateway = method.as_str();
                format!("payment {id}, {gateway} {state}, brought {net}, but its gateway holds {held}; {returns:?}")
            });
            continue;
        }
        let outcome = charges.get(&public_id).map_or("unknown", |outcome| outcome.as_str());
        let came_in = received.remove(&id);
        found.expect((outcome == "approved") == (state == "succeeded"), || {
            format!("payment {id} is {state}, but {outcome} at the gateway")
        });
        let expected = (state == "succeeded").then_some(amount.max(most.get(&id).copied().unwrap_or_default()));
        found.expect(came_in == expected, || format!("payment {id}, {state}, brought {came_in:?}, not {expected:?}"));
    }
    found.expect(received.is_empty(), || format!("money came in for no payment: {received:?}"));
    for (id, order) in orders.iter().filter(|(_, order)| order.kind == "top_up") {
        let is_done = order.state == "fulfilled";
        found.expect(!is_done || succeeded.contains(id), || format!("top-up {id} was never paid"));
    }
    let verdicts: Vec<Option<Verdict>> = gateway_callbacks::table.select(gateway_callbacks::verdict).load(conn)?;
    found.expect(!verdicts.contains(&None), || "a callback was never processed".to_owned());
    found.count("callbacks", verdicts.into_iter().flatten().map(|verdict| verdict.as_str().to_owned()));
    Ok(())
}
