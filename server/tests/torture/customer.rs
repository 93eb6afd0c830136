//! A customer whose requests may be cut off: each is repeated with the same key until it is answered.
use crate::CITIES;
use crate::gateway::Network;
use crate::servers::Servers;
use crate::shop::{Customer, REGULAR};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// A customer's record of requests, to compare with the books.
#[derive(Default)]
pub struct Journal {
    pub account_id: i64,
    pub requests: usize,
    pub repeats: usize,
    /// The order of each answered creation request.
    pub orders: Vec<i64>,
    /// The number of creation requests, answered or not.
    pub wishes: usize,
    /// The number of responses by code.
    pub codes: BTreeMap<u64, usize>,
    pub problems: Vec<String>,
}

pub struct Client {
    customer: Customer,
    servers: Arc<Servers>,
    network: Arc<Network>,
    random: fastrand::Rng,
    http: reqwest::Client,
    journal: Journal,
    keys: usize,
    end: Instant,
}

impl Client {
    pub fn new(customer: Customer, servers: Arc<Servers>, network: Arc<Network>, random: fastrand::Rng) -> Client {
        let http = reqwest::Client::builder().timeout(Duration::from_secs(20)).build().expect("a client");
        let journal = Journal { account_id: customer.account_id, ..Journal::default() };
        Client { customer, servers, network, random, http, journal, keys: 0, end: Instant::now() }
    }

    pub async fn live_until(mut self, end: Instant) -> Journal {
        self.end = end;
        while Instant::now() < end {
            match self.random.u8(..100) {
                0..=29 => self.buy().await,
                30..=44 => self.top_up().await,
                45..=56 => self.switch().await,
                57..=60 => self.pick().await,
                61..=70 => self.renew().await,
                71..=82 => self.come_back_to_an_order().await,
                83..=88 => self.set_auto_renew().await,
                89..=92 => {
                    self.send("Referrals/MoveToWallet", json!({})).await;
                }
                _ => {
                    self.send("Ips/GetUserNodeList", json!({ "PageSize": 50 })).await;
                }
            }
        }
        self.journal
    }

    /// Acts as an operator: refunds customers' orders, in full or in part.
    pub async fn give_back_until(mut self, end: Instant) -> Journal {
        self.end = end;
        while Instant::now() < end {
            let list = self.send("Operator/GetOrderList", json!({ "PageSize": 50 })).await.unwrap_or_default();
            let orders: Vec<Value> = list["Rows"].as_array().cloned().unwrap_or_default();
            let paid: Vec<_> = orders.iter().filter(|row| row["Order"]["State"] == "fulfilled").collect();
            // Half of them such whose money can go back to a gateway.
            let top_ups: Vec<_> = paid.iter().filter(|row| row["Order"]["Kind"] == "top_up").copied().collect();
            let paid = if self.random.bool() && !top_ups.is_empty() { top_ups } else { paid };
            if !paid.is_empty() {
                let order = &paid[self.random.usize(..paid.len())]["Order"];
                let mut refund = json!({ "OrderNumber": order["OrderNumber"], "Reason": "torture" });
                if self.random.bool() {
                    refund["Amount"] = format!("{}.37", self.random.u8(..3)).into();
                }
                refund["ToSource"] = (self.random.bool() || order["Kind"] == "top_up").into();
                self.send("Operator/RefundOrder", refund).await;
                self.network.wallets.work_on_refunds(&mut self.random);
            }
            sleep(Duration::from_millis(self.random.u64(100..600))).await;
        }
        self.journal
    }

    async fn once(&mut self, call: &str, body: &Value, key: &str) -> Option<Value> {
        let url = format!("{}/api/{call}", self.servers.url(&mut self.random));
        self.journal.requests += 1;
        let request = self.http.post(url).header("Token", &self.customer.token).header("Idempotency-Key", key);
        let answer: Value = request.json(body).send().await.ok()?.json().await.ok()?;
        let code = answer["Code"].as_u64().unwrap_or_default();
        *self.journal.codes.entry(code).or_default() += 1;
        if !(1_000..5_000).contains(&code) {
            self.journal.problems.push(format!("{call} answered {answer}"));
        }
        Some(answer)
    }

    /// Sends a request until it is answered; returns the data of a successful response. Gives up when the time is over.
    async fn send(&mut self, call: &str, body: Value) -> Option<Value> {
        self.keys += 1;
        let key = format!("torture-{}", self.keys);
        // The responses of top-ups, orders and renewals contain an order.
        let creates = matches!(call, "Order/CreateOrder" | "Wallet/CreateTopUp" | "Ips/IpsNoneRenew");
        self.journal.wishes += usize::from(creates);
        loop {
            if let Some(answer) = self.once(call, &body, &key).await {
                if self.random.u8(..10) == 0 {
                    self.journal.repeats += 1;
                    self.repeat(call, &body, &key, &answer).await;
                }
                let is_success = answer["Code"] == 1000;
                if is_success && creates {
                    let order = answer["Data"].get("Order").unwrap_or(&answer["Data"]);
                    self.journal.orders.push(order["OrderId"].as_i64().unwrap_or_default());
                }
                return is_success.then(|| answer["Data"].clone());
            }
            self.journal.repeats += 1;
            if Instant::now() > self.end + Duration::from_secs(20) {
                return None;
            }
            sleep(Duration::from_millis(self.random.u64(20..300))).await;
        }
    }

    /// A repeated request gets the same response, if there is time.
    async fn repeat(&mut self, call: &str, body: &Value, key: &str, first: &Value) {
        let is_write = !call.contains("Get") && call != "Ips/IpsNoneRenewByPrice";
        let is_put_off = |answer: &Value| answer["Code"] == 4290 || answer["Code"] == 4291;
        if let Some(again) = self.once(call, body, key).await
            && is_write
            && first["Code"] == 1000
            && !is_put_off(&again)
            && again["Data"] != first["Data"]
        {
            self.journal.problems.push(format!("{call} with the same key answered {first}, then {again}"));
        }
    }

    async fn buy(&mut self) {
        let (country, city) = CITIES[self.random.usize(..CITIES.len())];
        let quantity = self.random.u32(1..4);
        let order = json!({
            "VerStr": REGULAR, "PeriodDays": 30, "ExpectedTotal": format!("{}.00", quantity * 5),
            "Lines": [{ "Country": country, "City": city, "Quantity": quantity }],
            "PayFromWallet": self.random.u8(..3) == 0,
        });
        if let Some(order) = self.send("Order/CreateOrder", order).await
            && order["State"] == "unpaid"
        {
            self.pay(order["OrderId"].clone()).await;
        }
    }

    async fn pay(&mut self, order_id: Value) {
        let method = match self.random.u8(..10) {
            0..=4 => "wallet",
            5 | 6 => "sandbox",
            7 => "btcpay",
            8 => "epay",
            _ => return,
        };
        let pay = json!({ "OrderId": order_id, "PaymentMethod": method, "UseWallet": self.random.bool() });
        let paid = self.send("Order/PayOrder", pay).await;
        if let Some(paid) = paid.filter(|_| method != "wallet") {
            self.go_to_the_gateway(&paid["Payment"]).await;
        }
    }

    async fn go_to_the_gateway(&mut self, payment: &Value) {
        let network = self.network.clone();
        network.decide(payment, &mut self.random).await;
        if self.random.bool() {
            self.send("Order/GetPayment", json!({ "PaymentId": payment["PaymentId"] })).await;
        }
    }

    async fn top_up(&mut self) {
        let amount = format!("{}.00", self.random.u32(5..60));
        let method = ["sandbox", "sandbox", "btcpay", "epay"][self.random.usize(..4)];
        let top_up = json!({ "Amount": amount, "PaymentMethod": method });
        if let Some(started) = self.send("Wallet/CreateTopUp", top_up).await {
            self.go_to_the_gateway(&started["Payment"]).await;
        }
    }

    async fn own_nodes(&mut self) -> Vec<i64> {
        let list = self.send("Ips/GetUserNodeList", json!({ "PageSize": 200 })).await.unwrap_or_default();
        list["Rows"].as_array().into_iter().flatten().filter_map(|row| row["NodeId"].as_i64()).collect()
    }

    async fn some_nodes(&mut self) -> Vec<i64> {
        let mut nodes = self.own_nodes().await;
        self.random.shuffle(&mut nodes);
        nodes.truncate(self.random.usize(1..4));
        nodes
    }

    async fn switch(&mut self) {
        let nodes = self.some_nodes().await;
        let call = if self.random.bool() { "Ips/SwitchNode" } else { "Ips/SwitchNodeByUnitPrice" };
        if !nodes.is_empty() {
            self.send(call, json!({ "NodeIds": nodes, "Reason": "slow" })).await;
        }
    }

    async fn pick(&mut self) {
        let nodes = self.some_nodes().await;
        let list = json!({ "PageSize": 50, "Filters": { "VerStr": REGULAR } });
        let list = self.send("Ips/GetMyPurchasableNodeList", list).await.unwrap_or_default();
        let free: Vec<_> = list["Rows"].as_array().cloned().unwrap_or_default();
        if let (Some(node), false) = (nodes.first(), free.is_empty()) {
            let new_node = &free[self.random.usize(..free.len())]["NodeId"];
            self.send("Ips/MySpecifySwitchNode", json!({ "NodeId": node, "NewNodeId": new_node })).await;
        }
    }

    async fn renew(&mut self) {
        let nodes = self.some_nodes().await;
        if nodes.is_empty() {
            return;
        }
        let mut renewal = json!({ "NodeIds": nodes, "PeriodDays": 30 });
        let Some(price) = self.send("Ips/IpsNoneRenewByPrice", renewal.clone()).await else { return };
        renewal["ExpectedTotal"] = price["Quote"]["Total"].clone();
        if let Some(order) = self.send("Ips/IpsNoneRenew", renewal).await {
            self.pay(order["OrderId"].clone()).await;
        }
    }

    /// Pays an unpaid order, even one with a payment in flight, or cancels it.
    async fn come_back_to_an_order(&mut self) {
        let unpaid = self.send("Order/GetUnpaidOrderList", json!({})).await.unwrap_or_default();
        let Some(order) = unpaid.as_array().and_then(|orders| orders.first()).cloned() else { return };
        if self.random.bool() {
            self.send("Order/CancelOrder", json!({ "OrderId": order["OrderId"] })).await;
        } else if order["Kind"] != "top_up" {
            self.pay(order["OrderId"].clone()).await;
        }
    }

    async fn set_auto_renew(&mut self) {
        let nodes = self.some_nodes().await;
        let is_on = self.random.bool();
        if !nodes.is_empty() {
            self.send("Ips/SetAutoRenew", json!({ "NodeIds": nodes, "AutoRenew": is_on })).await;
        }
    }
}
