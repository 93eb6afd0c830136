//! BTCPay Server and EPay in the torture: their webhooks are lost, repeated, late and out of order, amounts are others than was due, and what was paid
//! becomes invalid, and valid again.
use crate::btcpay_double::{API_KEY, Btcpay, STORE, WEBHOOK_SECRET};
use crate::epay_double::{Epay, Lie, Version};
use crate::gateway::Network;
use serde_json::Value;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::time::sleep;

/// The gateways besides the sandbox.
pub struct Wallets {
    pub btcpay: Btcpay,
    pub epay: Epay,
}

impl Wallets {
    pub fn open() -> Wallets {
        Wallets { btcpay: Btcpay::open(0, None), epay: Epay::open(0, Version::Rsa) }
    }

    /// Customers claim crypto, the seller pays it out or ends it, and some answers about refunds are lost or slow.
    pub fn work_on_refunds(&self, random: &mut fastrand::Rng) {
        let count = self.btcpay.pulls().len();
        if count > 0 {
            let index = random.usize(..count);
            match random.u8(..8) {
                0 => self.btcpay.claims(index, "0.10"),
                1 => self.btcpay.claims_rest(index),
                2 => self.btcpay.payouts_become(index, "InProgress"),
                3 | 4 => self.btcpay.payouts_become(index, "Completed"),
                5 => self.btcpay.archives(index),
                _ => {}
            }
        }
        match random.u8(..8) {
            0 => self.btcpay.fails_with(&[504]),
            1 => self.epay.lies(&[Lie::AnswerLost]),
            2 => self.epay.lies(&[Lie::Deaf, Lie::Slow]),
            3 => self.epay.makes_refunds(),
            _ => {}
        }
    }

    /// The settings of a shop that uses them.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let mut settings = self.epay.settings();
        settings.extend([
            ("POSTERN_BTCPAY_URL", self.btcpay.url.clone()),
            ("POSTERN_BTCPAY_STORE", STORE.to_owned()),
            ("POSTERN_BTCPAY_API_KEY", API_KEY.to_owned()),
            ("POSTERN_BTCPAY_WEBHOOK_SECRET", WEBHOOK_SECRET.to_owned()),
        ]);
        settings
    }
}

impl Network {
    /// The page of a payment, from a server that may be killed meanwhile.
    async fn page(&self, path: &str, random: &mut fastrand::Rng) -> Option<String> {
        for _ in 0..40 {
            if let Ok(answer) = self.http.get(format!("{}{path}", self.servers.url(random))).send().await
                && answer.status().is_success()
            {
                return answer.text().await.ok();
            }
            sleep(Duration::from_millis(random.u64(50..400))).await;
        }
        None
    }

    /// A customer pays in crypto: what was due, less, more, or in two parts; some of it becomes invalid later.
    pub async fn pay_in_crypto(&self, payment: &Value, random: &mut fastrand::Rng) {
        let (Some(path), Some(id)) = (payment["PayUrl"].as_str(), payment["PaymentId"].as_str()) else { return };
        if self.page(path, random).await.is_none() {
            return;
        }
        let btcpay = &self.wallets.btcpay;
        let Some(invoice) = btcpay.invoice_of(id) else { return };
        let minor =
            postern_core::money::Money::parse(payment["Amount"].as_str().unwrap_or_default()).expect("an amount");
        let share = |percent: i64| minor.proportion(percent, 100).expect("a share").to_string();
        let (parts, expires): (&[i64], bool) = match random.u8(..20) {
            0 | 1 => return,
            2 => (&[50], true),
            3 => (&[60, 60], true),
            4 | 5 => (&[130], false),
            6 => (&[50, 50], false),
            _ => (&[100], false),
        };
        for part in parts {
            btcpay.receives(&invoice, 1, &share(*part));
            btcpay.confirms(&invoice);
            self.tell(&invoice, "InvoicePaymentSettled", random);
        }
        if expires {
            btcpay.expires(&invoice);
        }
        self.tell(&invoice, if expires { "InvoiceExpired" } else { "InvoiceSettled" }, random);
        if random.u8(..8) == 0 {
            btcpay.marks(&invoice, "Invalid");
            self.tell(&invoice, "InvoiceInvalid", random);
            if random.bool() {
                btcpay.marks(&invoice, "Settled");
                self.tell(&invoice, "InvoiceSettled", random);
            }
        }
    }

    /// Sends an event about an invoice up to three times, later; some have a wrong signature.
    fn tell(&self, invoice: &str, kind: &str, random: &mut fastrand::Rng) {
        for _ in 0..random.u8(..4) {
            let (body, signature) = self.wallets.btcpay.event(kind, invoice);
            let signature = if random.u8(..20) == 0 { "sha256=00".to_owned() } else { signature };
            self.send_late("btcpay", ("BTCPay-Sig", signature), body, random);
        }
    }

    /// Where the shop leads a customer, from a server that may be killed meanwhile.
    async fn lead(&self, path: &str, random: &mut fastrand::Rng) -> Option<String> {
        for _ in 0..40 {
            if let Ok(answer) = self.http.get(format!("{}{path}", self.servers.url(random))).send().await {
                let place = answer.headers().get("location").and_then(|place| place.to_str().ok());
                return place.map(str::to_owned);
            }
            sleep(Duration::from_millis(random.u64(50..400))).await;
        }
        None
    }

    /// A customer pays with Alipay, perhaps twice; the gateway may say less at first.
    pub async fn pay_with_alipay(&self, payment: &Value, random: &mut fastrand::Rng) {
        let (Some(path), Some(id)) = (payment["PayUrl"].as_str(), payment["PaymentId"].as_str()) else { return };
        let Some(place) = self.lead(&format!("{path}/alipay"), random).await else { return };
        let epay = &self.wallets.epay;
        for _ in 0..random.u8(1..3) {
            let _ = self.http.get(&place).send().await;
        }
        let mut orders = epay.orders();
        orders.retain(|one| epay.asked(one)["out_trade_no"] == id);
        // Most pay once, whatever they opened.
        orders.truncate(if random.u8(..8) == 0 { 2 } else { 1 });
        orders.retain(|_| random.u8(..8) > 0);
        for trade_no in orders {
            epay.is_paid(&trade_no);
            for _ in 0..random.u8(..4) {
                let less: &[(&str, &str)] = if random.u8(..6) == 0 { &[("money", "1.00")] } else { &[] };
                self.send_query(epay.callback(&trade_no, less), random);
            }
        }
    }

    /// Gateways send again until they have an answer, also of a shop that has much to do.
    pub async fn send_what_was_lost(&self) {
        self.is_patient.store(true, Ordering::Relaxed);
        let mut random = { self.random.lock().expect("random numbers").fork() };
        for invoice in self.wallets.btcpay.ids() {
            let (body, signature) = self.wallets.btcpay.event("InvoicePaymentSettled", &invoice);
            self.send_late("btcpay", ("BTCPay-Sig", signature), body, &mut random);
        }
        for trade_no in self.wallets.epay.paid() {
            self.send_query(self.wallets.epay.callback(&trade_no, &[]), &mut random);
        }
        self.deliver_what_is_left().await;
    }
}
