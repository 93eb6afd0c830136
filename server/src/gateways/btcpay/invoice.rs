//! Invoices of BTCPay Server, with the fields used here, and what they report.
use crate::gateways::gateway::Polled;
use postern_core::exchange::worth;
use postern_core::money::Money;
use postern_core::order::GatewayReport;
use postern_core::payment_return::{ReturnKind, ReturnReport, ReturnState};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invoice {
    pub id: String,
    /// BTCPay Server's own page.
    pub checkout_link: String,
    /// `New`, `Processing`, `Settled`, `Expired` or `Invalid`.
    status: String,
    /// `None`, `PaidPartial`, `PaidOver`, `PaidLate`, `Marked` or `Invalid`.
    #[serde(default)]
    additional_status: String,
    #[serde(deserialize_with = "text")]
    amount: String,
    currency: String,
    /// In seconds since 1970.
    #[serde(default)]
    pub created_time: i64,
    pub expiration_time: i64,
    #[serde(default)]
    metadata: Metadata,
}

/// What an invoice of ours has with it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Metadata {
    pub shop: Option<String>,
    pub order_id: Option<String>,
}

/// A way to pay an invoice, in one crypto currency. Servers before 2.0 have other names for two fields.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Method {
    #[serde(alias = "paymentMethod")]
    pub payment_method_id: String,
    #[serde(alias = "cryptoCode", default)]
    pub currency: String,
    #[serde(default)]
    pub destination: Option<String>,
    /// For wallets, and the QR code.
    #[serde(default)]
    pub payment_link: Option<String>,
    /// Units of the invoice's currency for one of this.
    #[serde(deserialize_with = "text")]
    rate: String,
    /// What is left to pay.
    #[serde(deserialize_with = "text")]
    pub due: String,
    #[serde(default)]
    payments: Vec<Paid>,
}

#[derive(Deserialize)]
struct Paid {
    #[serde(deserialize_with = "text")]
    value: String,
    /// The share of it that is for the network, which the customer pays besides.
    #[serde(deserialize_with = "text", default)]
    fee: String,
    /// `Invalid`, `Processing` or `Settled`.
    status: String,
}

/// Decimal numbers are texts in this API, and were numbers once.
pub fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => text,
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    })
}

impl Method {
    fn arrived(&self, is_counted: impl Fn(&Paid) -> bool) -> Option<Money> {
        let worth_of = |paid: &Paid| {
            let fee = if paid.fee.is_empty() { "0" } else { &paid.fee };
            worth(&paid.value, &self.rate)?.checked_sub(worth(fee, &self.rate)?).ok()
        };
        let amounts = self.payments.iter().filter(|paid| is_counted(paid)).map(worth_of);
        Money::sum(amounts.collect::<Option<Vec<_>>>()?).ok()
    }

    /// Whether a payment has been seen that is not confirmed yet.
    pub fn is_confirming(&self) -> bool {
        self.payments.iter().any(|paid| paid.status == "Processing")
    }

    /// Whether anything is left to pay.
    pub fn is_due(&self) -> bool {
        worth(&self.due, "1000000").is_some_and(|due| !due.is_zero())
    }
}

impl Invoice {
    pub fn is_for(&self, public_id: &str) -> bool {
        self.metadata.order_id.as_deref() == Some(public_id)
    }

    /// The payment that it is for, if it is one of this shop's.
    pub fn payment_of(&self, shop: &str) -> Option<&str> {
        self.metadata.order_id.as_deref().filter(|_| self.metadata.shop.as_deref() == Some(shop))
    }

    /// Whether exactly what was due has arrived.
    pub fn is_exact(&self) -> bool {
        self.status == "Settled" && !self.may_be_over()
    }

    fn may_be_over(&self) -> bool {
        matches!(self.additional_status.as_str(), "PaidOver" | "Marked")
    }

    /// Whether it can still be paid, or a payment of all of it waits for confirmations.
    pub fn is_open(&self) -> bool {
        !matches!(self.status.as_str(), "Settled" | "Expired" | "Invalid")
    }

    /// Whether all of it has been paid, and waits for confirmations.
    pub fn is_processing(&self) -> bool {
        self.status == "Processing"
    }

    /// What has arrived for certain, and what the store still has of it; `None` while more may arrive.
    pub fn polled(&self, methods: &[Method]) -> Option<Polled> {
        let report = self.report(methods)?;
        // A payment that was credited can turn out to be invalid: when it is spent twice, or when the seller says so. An amount that cannot be read
        // takes nothing back.
        let is_readable = self.is_exact() || Self::settled(methods).is_some();
        let is_marked = self.status == "Invalid" && self.additional_status == "Marked";
        let left = ReturnReport {
            reference: "invalid".to_owned(),
            kind: ReturnKind::Invalid,
            state: ReturnState::Final,
            amount: if is_marked { Money::ZERO } else { report.amount },
            currency: report.currency.clone(),
            reason: String::new(),
            due_at: None,
        };
        Some(Polled { report, returns: if is_readable { vec![left] } else { Vec::new() } })
    }

    /// What has settled; `None` if an amount cannot be read.
    fn settled(methods: &[Method]) -> Option<Money> {
        let settled = methods.iter().map(|method| method.arrived(|paid| paid.status == "Settled"));
        Money::sum(settled.collect::<Option<Vec<_>>>()?).ok()
    }

    fn report(&self, methods: &[Method]) -> Option<GatewayReport> {
        if self.is_open() {
            return None;
        }
        // An amount that cannot be read must not pass for another.
        let settled = Self::settled(methods).unwrap_or_default();
        let amount = Money::parse(&self.amount).unwrap_or_default();
        let arrived = match self.status.as_str() {
            "Settled" if self.may_be_over() => settled.max(amount),
            // Also if the seller accepts a bit less.
            "Settled" => amount,
            _ => settled,
        };
        let is_confirming = methods.iter().any(Method::is_confirming);
        if arrived.is_zero() && is_confirming {
            return None;
        }
        Some(GatewayReport::of(!arrived.is_zero(), arrived, self.currency.to_ascii_uppercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn report(status: &str, additional: &str, payments: Value) -> Option<(bool, i64)> {
        let invoice = json!({
            "id": "a", "checkoutLink": "https://pay.example/i/a", "status": status, "additionalStatus": additional,
            "amount": "10.00", "currency": "usd", "expirationTime": 1_700_000_000,
        });
        let method = json!({
            "paymentMethodId": "BTC-CHAIN", "currency": "BTC", "destination": "bc1q", "rate": "64392.23", "due": "0",
            "payments": payments,
        });
        let invoice: Invoice = serde_json::from_value(invoice).expect("an invoice");
        let report = invoice.report(&[serde_json::from_value(method).expect("a method")])?;
        assert_eq!((report.currency.as_str(), report.charge.as_str()), ("USD", ""));
        Some((report.succeeded, report.amount.minor()))
    }

    #[test]
    fn an_invoice_reports_what_has_settled() {
        let paid = |value: &str, status: &str| json!({ "value": value, "fee": "0.0", "status": status });
        let (exact, half) = ("0.00015530", "0.0000776500");
        for (status, additional, payments, expected) in [
            ("New", "None", json!([]), None),
            ("New", "PaidPartial", json!([paid(half, "Settled")]), None),
            ("Processing", "None", json!([paid(exact, "Processing")]), None),
            ("Settled", "None", json!([paid(exact, "Settled")]), Some((true, 1_000))),
            ("Settled", "None", json!([paid("0.00015000", "Settled")]), Some((true, 1_000))),
            ("Settled", "Marked", json!([]), Some((true, 1_000))),
            ("Settled", "PaidOver", json!([paid(exact, "Settled"), paid(half, "Settled")]), Some((true, 1_500))),
            ("Expired", "None", json!([]), Some((false, 0))),
            ("Expired", "PaidPartial", json!([paid(half, "Settled")]), Some((true, 500))),
            ("Expired", "PaidPartial", json!([paid(half, "Processing")]), None),
            ("Expired", "PaidPartial", json!([paid(half, "Settled"), paid(half, "Processing")]), Some((true, 500))),
            ("Expired", "PaidLate", json!([paid(half, "Settled"), paid(half, "Settled")]), Some((true, 1_000))),
            ("Invalid", "None", json!([paid(exact, "Invalid")]), Some((false, 0))),
            ("Expired", "PaidPartial", json!([paid("much", "Settled")]), Some((false, 0))),
            ("Expired", "PaidPartial", json!([{ "value": 0.00007765, "status": "Settled" }]), Some((true, 500))),
        ] {
            let found = report(status, additional, payments.clone());
            assert_eq!(found, expected, "{status} {additional} {payments}");
        }
        let with_fee = json!([{ "value": "0.00015630", "fee": "0.00000100", "status": "Settled" }]);
        assert_eq!(report("Expired", "PaidLate", with_fee), Some((true, 1_000)));
    }
}
