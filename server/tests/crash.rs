//! The real server, killed during 200 purchases: it leaves a consistent state, and continues after a restart.
#[allow(dead_code)]
#[path = "api/shop.rs"]
mod shop;

use chrono::TimeDelta;
use postern_core::node::NodeState;
use postern_core::order::{OrderState, PaymentState};
use postern_server::config::Config;
use postern_server::db::prelude::*;
use postern_server::schema::{
    idempotency_keys, ledger_transactions, nodes, order_lines, order_nodes, orders, payments,
};
use reqwest::Client;
use serde_json::{Value, json};
use shop::ports::reserved;
use shop::{Customer, Shop, order_for};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::sleep;

const BUYERS: usize = 200;
/// IPs per order, all in two cities.
const IPS: i64 = 3;
/// When the server is killed: while orders are created, and twice while they are paid.
const KILLS: [Kill; 3] = [Kill::AfterOrders(60), Kill::AfterPurchases(25), Kill::AfterPurchases(70)];

#[derive(Clone, Copy, Debug)]
enum Kill {
    /// When this many orders are in the database.
    AfterOrders(i64),
    /// When this many purchases of the round have been answered.
    AfterPurchases(usize),
}

/// The `postern` binary, serving the shop's database in a process of its own.
struct Server {
    process: Child,
    url: String,
}

impl Server {
    async fn start(config: &Config) -> Server {
        let free = reserved();
        let process = command(config)
            .arg("serve")
            .env("PORT", free.port().to_string())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server's binary");
        let server = Server { process, url: format!("http://{free}") };
        for _ in 0..600 {
            if reqwest::get(format!("{}/health/ready", server.url))
                .await
                .is_ok_and(|answer| answer.status().is_success())
            {
                return server;
            }
            sleep(Duration::from_millis(50)).await;
        }
        panic!("the server does not get ready");
    }

    /// Sends SIGKILL.
    fn kill(mut self) {
        self.process.kill().expect("a process to kill");
    }
}

impl Drop for Server {
    /// Also kills it when a test fails.
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn command(config: &Config) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_postern"));
    command
        .env("DATABASE_URL", &config.database_url)
        .env("POSTERN_VAR_DIR", &config.var_dir)
        .env("POSTERN_LOCALES_DIR", &config.locales_dir)
        .env("POSTERN_FONTS_DIR", &config.fonts_dir);
    command
}

/// Whether the buyer pays within the order call; the others order first and pay later.
fn buys_at_once(account_id: i64) -> bool {
    account_id % 3 == 0
}

/// Acts like a buyer's browser: orders and pays, with the same idempotency key in every attempt. `None` if the server is gone.
async fn buy(client: Client, url: String, buyer: Customer) -> Option<u64> {
    let call = async |call: &str, body: Value| {
        let request = client.post(format!("{url}/api/{call}")).json(&body);
        let request = request.header("Token", &buyer.token).header("Idempotency-Key", call.replace('/', "-"));
        request.send().await.ok()?.json::<Value>().await.ok()
    };
    let mut asked = order_for(&[("US", "new-york", 2), ("DE", "frankfurt", 1)], "15.00");
    asked["PayFromWallet"] = json!(buys_at_once(buyer.account_id));
    let order = call("Order/CreateOrder", asked).await?;
    assert_eq!(order["Code"], 1000, "{order}");
    if buys_at_once(buyer.account_id) {
        assert_eq!(order["Data"]["State"], "fulfilled", "{order}");
        return Some(1000);
    }
    let payment = json!({ "OrderId": order["Data"]["OrderId"], "PaymentMethod": "wallet" });
    call("Order/PayOrder", payment).await?["Code"].as_u64()
}

/// Lets all buyers buy concurrently, and kills the server meanwhile. Returns how many got their IPs.
async fn buy_until_killed(shop: &Shop, server: Server, buyers: &[Customer], kill: Kill) -> usize {
    let client = Client::new();
    let answered = Arc::new(AtomicUsize::new(0));
    let purchases: Vec<_> = buyers
        .iter()
        .map(|buyer| {
            let purchase = buy(client.clone(), server.url.clone(), buyer.clone());
            let answered = answered.clone();
            actix_web::rt::spawn(async move {
                let code = purchase.await;
                answered.fetch_add(usize::from(code.is_some()), Ordering::Relaxed);
                code
            })
        })
        .collect();
    let is_time = || match kill {
        Kill::AfterOrders(count) => {
            shop.app.db.read_blocking(|conn| Ok(orders::table.count().get_result::<i64>(conn)?)).expect("a number")
                >= count
        }
        Kill::AfterPurchases(count) => answered.load(Ordering::Relaxed) >= count,
    };
    while !is_time() {
        sleep(Duration::from_millis(1)).await;
    }
    server.kill();
    let mut cut_off = 0;
    for purchase in purchases {
        match purchase.await.expect("a purchase") {
            Some(code) => assert_eq!(code, 1000),
            None => cut_off += 1,
        }
    }
    assert!(cut_off > 0, "the server was killed too late to be in the middle of anything");
    BUYERS - cut_off
}

/// Asserts that every order is consistent with its nodes, payment and ledger entries. Returns the numbers of unpaid, fulfilled and expired orders.
fn whole_orders(shop: &Shop) -> [usize; 3] {
    let read = |conn: &mut postern_server::db::Conn| {
        let (mut counts, mut paid_for) = ([0; 3], 0);
        let all: Vec<(i64, i64, OrderState, i64)> =
            orders::table.select((orders::id, orders::account_id, orders::state, orders::total_minor)).load(conn)?;
        for (id, account_id, state, total) in all {
            let lines = order_lines::table.filter(order_lines::order_id.eq(id)).select(order_lines::quantity);
            assert_eq!(lines.load::<i32>(conn)?.iter().sum::<i32>(), 3, "order {id} has all its lines");
            let held = nodes::table.filter(nodes::order_id.eq(id)).filter(nodes::state.eq(NodeState::Held));
            let held: i64 = held.count().get_result(conn)?;
            let sold: Vec<i64> =
                order_nodes::table.filter(order_nodes::order_id.eq(id)).select(order_nodes::node_id).load(conn)?;
            let owned = nodes::table.filter(nodes::id.eq_any(&sold)).filter(nodes::account_id.eq(account_id));
            let owned: i64 = owned.filter(nodes::state.eq(NodeState::Assigned)).count().get_result(conn)?;
            let charged = ledger_transactions::table.filter(ledger_transactions::order_id.eq(id));
            let charged: Vec<i64> = charged.select(ledger_transactions::wallet_change_minor).load(conn)?;
            let paid: i64 = payments::table
                .filter(payments::order_id.eq(id))
                .filter(payments::state.eq(PaymentState::Succeeded))
                .count()
                .get_result(conn)?;
            let (place, expected) = match state.as_str() {
                "unpaid" => (0, (IPS, 0, 0, vec![], 0)),
                "fulfilled" => (1, (0, IPS as usize, IPS, vec![-total], 1)),
                "expired" => (2, (0, 0, 0, vec![], 0)),
                other => panic!("order {id} was left {other}"),
            };
            assert_eq!((held, sold.len(), owned, charged, paid), expected, "order {id}, {state:?}, is whole");
            assert!(place == 1 || !buys_at_once(account_id), "order {id} is bought, or nothing has happened");
            counts[place] += 1;
            paid_for += usize::from(place == 1 && !buys_at_once(account_id));
        }
        for (key, done) in [("Order-CreateOrder", counts.iter().sum()), ("Order-PayOrder", paid_for)] {
            let kept = idempotency_keys::table.filter(idempotency_keys::idempotency_key.eq(key));
            let kept: i64 = kept.count().get_result(conn)?;
            assert_eq!(kept, done as i64, "{key} is kept exactly when its work was done");
        }
        Ok(counts)
    };
    let counts = shop.app.db.read_blocking(read).expect("the orders");
    assert_eq!(shop.nodes_in_state("held"), counts[0] as i64 * IPS, "nothing else is held");
    assert_eq!(shop.nodes_in_state("assigned"), counts[1] as i64 * IPS, "nothing else is sold");
    counts
}

fn ledger_verifies(config: &Config) {
    let output = command(config).args(["ledger", "verify"]).output().expect("the binary");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[actix_web::test]
async fn a_server_killed_in_the_middle_of_200_purchases_leaves_every_order_whole_or_absent() {
    let shop = Shop::open();
    let config = shop.app.config.clone();
    shop.stock("US", "new-york", 2 * BUYERS as u32);
    shop.stock("DE", "frankfurt", BUYERS as u32);
    let buyers: Vec<Customer> = (0..BUYERS).map(|_| shop.customer(2_000)).collect();

    for kill in KILLS {
        let server = Server::start(&config).await;
        let bought = buy_until_killed(&shop, server, &buyers, kill).await;
        let [unpaid, fulfilled, _] = whole_orders(&shop);
        println!("{kill:?}: {bought} purchases were answered, {unpaid} orders wait, {fulfilled} are fulfilled");
        assert!(fulfilled >= bought, "what was answered is kept");
        assert!(unpaid + fulfilled <= BUYERS, "nobody has two orders");
        ledger_verifies(&config);
    }

    // A buyer who does not return only loses the hold.
    let before = whole_orders(&shop);
    let past = shop.app.clock.now() - TimeDelta::minutes(1);
    let age = |conn: &mut postern_server::db::Conn| {
        let unpaid = orders::table.filter(orders::state.eq(OrderState::Unpaid));
        Ok(diesel::update(unpaid).set(orders::expires_at.eq(past)).execute(conn)?)
    };
    assert_eq!(shop.app.db.write_blocking(age).expect("older orders"), before[0]);
    let server = Server::start(&config).await;
    for _ in 0..300 {
        if shop.nodes_in_state("held") == 0 {
            break;
        }
        sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(whole_orders(&shop), [0, before[1], before[0]]);

    // All others retry with the same keys, and end up with exactly one order each.
    let client = Client::new();
    for purchase in buyers.iter().map(|buyer| buy(client.clone(), server.url.clone(), buyer.clone())) {
        let code = purchase.await.expect("an answer");
        assert!(code == 1000 || code == 4005, "paid, or too late: {code}");
    }
    assert_eq!(whole_orders(&shop), [0, BUYERS - before[0], before[0]]);
    ledger_verifies(&config);
    server.kill();
}
