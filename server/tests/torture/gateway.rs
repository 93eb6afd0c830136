//! The channel between the gateways and the shop: it loses, repeats, delays and reorders callbacks, and sometimes sends false ones.
use crate::servers::Servers;
use crate::wallets::Wallets;
use postern_server::gateways::merchant;
use postern_server::security::SecretKey;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::sleep;

pub struct Network {
    pub servers: Arc<Servers>,
    key: SecretKey,
    pub http: reqwest::Client,
    pub random: Mutex<fastrand::Rng>,
    pub wallets: Wallets,
    under_way: Mutex<Vec<JoinHandle<()>>>,
    /// Whether callbacks are sent until they are answered.
    pub is_patient: AtomicBool,
}

impl Network {
    pub fn new(servers: Arc<Servers>, key: SecretKey, wallets: Wallets, random: fastrand::Rng) -> Network {
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(20))
            .build()
            .expect("a client");
        Network {
            servers,
            key,
            http,
            random: Mutex::new(random),
            wallets,
            under_way: Mutex::default(),
            is_patient: AtomicBool::default(),
        }
    }

    /// A customer decides on the pay page, and the gateway reports it unreliably.
    pub async fn decide(&self, payment: &Value, random: &mut fastrand::Rng) {
        match payment["PaymentMethod"].as_str() {
            Some("btcpay") => self.pay_in_crypto(payment, random).await,
            Some("epay") => self.pay_with_alipay(payment, random).await,
            _ => self.decide_in_sandbox(payment, random).await,
        }
    }

    async fn decide_in_sandbox(&self, payment: &Value, random: &mut fastrand::Rng) {
        let Some(path) = payment["PayUrl"].as_str() else { return };
        // Either the page sends no callback, or the shop's own sandbox does what the button says.
        let (action, reports) = match random.u8(..100) {
            0..=9 => return,
            10..=59 => ("lost", true),
            60..=69 => ("lost", false),
            70..=79 => ("decline", false),
            80..=89 => ("approve", false),
            _ => ("twice", false),
        };
        let path = path.split('?').next().unwrap_or(path);
        for _ in 0..40 {
            let url = format!("{}{path}", self.servers.url(random));
            let form = self.http.post(url).header("Content-Type", "application/x-www-form-urlencoded");
            if form.body(format!("action={action}")).send().await.is_ok_and(|answer| answer.status().is_redirection()) {
                if reports {
                    self.report(payment, random);
                }
                break;
            }
            sleep(Duration::from_millis(random.u64(50..400))).await;
        }
        if reports || action != "decline" {
            self.take_back(path, random);
            // What the shop refunds arrives, or fails.
            let presses = [["arrive", "arrive"], ["arrive", "fail"], ["fail", "arrive"]][random.usize(..3)];
            self.press(path, &presses, 12_000, random);
        }
    }

    /// The gateway takes some payments back, later: by a refund, or by a dispute, which is decided or stays open.
    fn take_back(&self, path: &str, random: &mut fastrand::Rng) {
        let presses: &[&'static str] = match random.u8(..20) {
            0 | 1 => &["refund"],
            2 => &["dispute", "win"],
            3 => &["dispute", "lose"],
            4 => &["dispute"],
            5 => &["dispute", "dispute", "lose", "win"],
            _ => return,
        };
        self.press(path, presses, 3_000, random);
    }

    /// Presses buttons of the page, one after another, each after at most this long.
    fn press(&self, path: &str, presses: &[&'static str], longest: u64, random: &mut fastrand::Rng) {
        let presses = presses.to_vec();
        let waits: Vec<u64> = presses.iter().map(|_| random.u64(..longest)).collect();
        let urls: Vec<String> = presses.iter().map(|_| format!("{}{path}", self.servers.url(random))).collect();
        let http = self.http.clone();
        let delivery = actix_web::rt::spawn(async move {
            for ((action, wait), url) in presses.iter().zip(waits).zip(urls) {
                sleep(Duration::from_millis(wait)).await;
                let form = http.post(url).header("Content-Type", "application/x-www-form-urlencoded");
                // A press that a killed server does not get is lost.
                let _ = form.body(format!("action={action}")).send().await;
            }
        });
        self.under_way.lock().expect("deliveries").push(delivery);
    }

    /// Sends the report of an approved payment, and some false ones, in any order.
    fn report(&self, payment: &Value, random: &mut fastrand::Rng) {
        let genuine = json!({
            "Merchant": merchant(&self.key), "PaymentId": payment["PaymentId"], "Outcome": "approved", "Amount": payment["Amount"], "Currency": payment["Currency"],
        });
        let with = |field: &str, value: &str| {
            let mut report = genuine.clone();
            report[field] = value.into();
            report
        };
        let mut bodies = vec![genuine.clone(); random.usize(1..4)];
        match random.u8(..10) {
            0 => bodies.push(with("Amount", "0.01")),
            1 => bodies.push(with("Amount", "9999.00")),
            2 => bodies.push(with("Currency", "EUR")),
            // A card that was declined before another one was accepted.
            3 | 4 => bodies.push(with("Outcome", "declined")),
            5 => bodies.push(with("PaymentId", "nobody-has-this-one")),
            6 => bodies.push(with("Merchant", "another shop")),
            _ => {}
        }
        for body in bodies {
            let body = body.to_string();
            // A sender without the key.
            let signature =
                if random.u8(..20) == 0 { "0".repeat(64) } else { self.key.sign("sandbox callbacks", body.as_bytes()) };
            self.send_late("sandbox", ("Sandbox-Signature", signature), body, random);
        }
    }

    /// Sends a callback later. One to a killed server is lost.
    pub fn send_late(
        &self,
        gateway: &str,
        (header, signature): (&'static str, String),
        body: String,
        random: &mut fastrand::Rng,
    ) {
        let url = format!("{}/gateway/callback/{gateway}", self.servers.url(random));
        let request = self.http.post(url).body(body).header(header, signature);
        self.deliver(request, random);
    }

    /// The same for a gateway whose callbacks are queries.
    pub fn send_query(&self, query: String, random: &mut fastrand::Rng) {
        let request = self.http.get(format!("{}/gateway/callback/epay?{query}", self.servers.url(random)));
        self.deliver(request, random);
    }

    fn deliver(&self, request: reqwest::RequestBuilder, random: &mut fastrand::Rng) {
        let late = random.u64(..6_000);
        let tries = if self.is_patient.load(Ordering::Relaxed) { 60 } else { 1 };
        let delivery = actix_web::rt::spawn(async move {
            sleep(Duration::from_millis(late)).await;
            for _ in 0..tries {
                let Some(again) = request.try_clone() else { return };
                if again.send().await.is_ok_and(|answer| answer.status().is_success()) {
                    return;
                }
                sleep(Duration::from_millis(500)).await;
            }
        });
        self.under_way.lock().expect("deliveries").push(delivery);
    }

    pub async fn deliver_what_is_left(&self) {
        let deliveries = std::mem::take(&mut *self.under_way.lock().expect("deliveries"));
        for delivery in deliveries {
            let _ = delivery.await;
        }
        let random = self.random.lock().expect("random numbers").u64(..500);
        sleep(Duration::from_millis(random)).await;
    }
}
