//! Invoices and credit notes: numbering, parties and content. Both are stored as issued: later changes of
//! prices, names or addresses do not affect them, and all text is stored in both languages.
use crate::field_errors::FieldErrors;
use crate::money::{Money, MoneyError};
use crate::order::{OrderKind, PaymentMethod};
use crate::profile::AccountDetails;
use crate::quote::Discount;
use crate::rule::Rule;
use crate::wire_enum::wire_enum;
use chrono::{Datelike, NaiveDateTime, TimeDelta};
use serde::{Deserialize, Serialize};

wire_enum! {
    /// An invoice records a sale; a credit note reverses part of an invoice.
    InvoiceKind { Invoice = "invoice", CreditNote = "credit_note" }
}

/// The documents of this many days, a month, fit into one file.
pub const MAX_EXPORT_DAYS: i64 = 31;

/// Checks the range (UTC) of a file of documents: it has both ends, and is a month at most.
pub fn check_export_range(from: Option<NaiveDateTime>, to: Option<NaiveDateTime>) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::default();
    for (field, end) in [("StartTime", from), ("EndTime", to)] {
        if end.is_none() {
            errors.add(field, Rule::Required, &[]);
        }
    }
    if let (Some(from), Some(to)) = (from, to) {
        if to < from {
            errors.add("EndTime", Rule::EndsBeforeItBegins, &[]);
        }
        // A month in which the clock is turned back is longer.
        if to - from > TimeDelta::days(MAX_EXPORT_DAYS) + TimeDelta::hours(2) {
            errors.add("EndTime", Rule::TooLongRange, &[("Max", MAX_EXPORT_DAYS.to_string())]);
        }
    }
    errors.into_result(())
}

/// Whether a paid order of this kind gets an invoice. A top-up is a deposit, not a sale: purchases made with the money are invoiced later.
pub fn is_invoiced(kind: OrderKind) -> bool {
    kind != OrderKind::TopUp
}

/// The series of a document issued at this time (UTC): `INV-2026` or `CN-2026`. Numbering restarts every year.
pub fn series(kind: InvoiceKind, issued_at: NaiveDateTime) -> String {
    let prefix = match kind {
        InvoiceKind::Invoice => "INV",
        InvoiceKind::CreditNote => "CN",
    };
    format!("{prefix}-{:04}", issued_at.year())
}

/// A document's number: series and sequence number from 1, with at least six digits: `INV-2026-000001`.
pub fn invoice_number(series: &str, number_in_series: u64) -> String {
    format!("{series}-{number_in_series:06}")
}

/// The number of the receipt of a transaction of a wallet: `RC-000042`.
pub fn receipt_number(transaction_id: i64) -> String {
    format!("RC-{transaction_id:06}")
}

/// Whether this is a whole number of an invoice or a credit note, in capital letters.
pub fn is_invoice_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let rest = text.strip_prefix("INV-").or_else(|| text.strip_prefix("CN-"));
    rest.and_then(|rest| rest.split_once('-'))
        .is_some_and(|(year, number)| year.len() == 4 && number.len() >= 6 && digits(year) && digits(number))
}

/// Checks the numbers of a series, which must be 1, 2, 3 … up to the counter. They must be passed in ascending order.
#[derive(Clone, Copy, Debug)]
pub struct NumberCheck {
    counter: u64,
    last: u64,
    wrong: WrongNumbers,
}

/// Missing, duplicate or excess numbers of a series: their count, and the first one.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct WrongNumbers {
    pub count: u64,
    pub first: Option<u64>,
}

impl WrongNumbers {
    fn add(&mut self, first: u64, count: u64) {
        if count > 0 {
            self.count += count;
            self.first.get_or_insert(first);
        }
    }
}

impl NumberCheck {
    pub fn up_to(counter: u64) -> NumberCheck {
        NumberCheck { counter, last: 0, wrong: WrongNumbers::default() }
    }

    /// Checks the next number.
    pub fn next(&mut self, number: u64) {
        if number <= self.last {
            self.wrong.add(number, 1);
            return;
        }
        self.wrong.add(self.last + 1, (number - 1).min(self.counter).saturating_sub(self.last));
        self.wrong.add(number, u64::from(number > self.counter));
        self.last = number;
    }

    /// The errors found, after all numbers have been checked.
    pub fn finish(mut self) -> WrongNumbers {
        let next = self.last.saturating_add(1);
        self.wrong.add(next, self.counter.saturating_sub(self.last));
        self.wrong
    }
}

/// A party to an invoice. Empty fields are omitted.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct Party {
    pub name: String,
    /// The lines of the address, without the country.
    pub address: Vec<String>,
    /// The two-letter country code, displayed as the country's name in the reader's language. A seller's is part of the address.
    pub country: String,
    pub tax_number: String,
    pub email: String,
}

impl Party {
    /// The buyer, from the account's details: the company, with the person as the first line of its address; without a company, the person;
    /// without either, the e-mail address, which always exists.
    pub fn buyer(details: &AccountDetails, email: &str) -> Party {
        let place = [details.postal_code.as_str(), &details.city].join(" ").trim().to_owned();
        let name = Some(details.display_name()).filter(|name| !name.is_empty()).unwrap_or_else(|| email.to_owned());
        let contact = if details.company_name.is_empty() { String::new() } else { details.full_name() };
        let address = [contact, details.address.clone(), place].into_iter().filter(|line| !line.is_empty()).collect();
        Party {
            name,
            address,
            country: details.country.clone(),
            tax_number: details.tax_number.clone(),
            email: email.to_owned(),
        }
    }
}

/// One line of an invoice or a credit note.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", default)]
pub struct InvoiceLine {
    /// The tier; empty on a credit note of a fixed amount.
    pub label_en: String,
    pub label_zh: String,
    pub country: Option<String>,
    pub city: Option<String>,
    /// The period in days; absent for a switch, 0 for traffic without expiry.
    pub period_days: Option<u32>,
    /// Residential traffic: the bytes bought or, on a credit note, unused and taken back.
    pub traffic_bytes: Option<u64>,
    /// On a credit note: the node that ended, and its unused time.
    pub ip: Option<String>,
    pub unused_seconds: Option<u32>,
    pub quantity: u32,
    pub unit_price: Money,
    /// Quantity times unit price, before discounts.
    pub amount: Money,
    /// This line's share of the total, after discounts.
    pub net: Money,
}

/// The maximum number of IPs listed on an invoice; an order can have thousands.
pub const NAMED_IPS: usize = 200;

/// The complete content of an invoice or a credit note, so that printing needs no look-ups. Times are UTC, `YYYY-MM-DD HH:mm:ss`.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct InvoiceSnapshot {
    pub seller: Party,
    pub buyer: Party,
    pub order_number: String,
    pub order_kind: OrderKind,
    pub ordered_at: String,
    pub paid_at: String,
    /// The payment method; on a credit note, where the money went.
    pub payment_method: PaymentMethod,
    /// On a credit note whose money went back to where it came from: the shop's id of that refund, which the gateway has as well.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub refund_reference: String,
    /// On a credit note: the number of the invoice that it corrects, and the reason.
    pub corrects: Option<String>,
    pub reason: String,
    pub lines: Vec<InvoiceLine>,
    /// On an invoice: the IPs that were bought, renewed or switched to, at most 200. Empty in older documents.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub ips: Vec<String>,
    pub subtotal: Money,
    pub discounts: Vec<Discount>,
    pub total: Money,
}

/// Why a document must not be issued: its sums are inconsistent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum InvoiceError {
    /// The lines' amounts do not add up to the subtotal, or their nets to the total.
    LinesDoNotAddUp,
    /// The subtotal minus the discounts is not the total.
    DiscountsDoNotAddUp,
    Overflow,
}

impl From<MoneyError> for InvoiceError {
    fn from(_: MoneyError) -> InvoiceError {
        InvoiceError::Overflow
    }
}

impl InvoiceSnapshot {
    /// The number of IPs of the order that are not listed; 0 if the document lists none at all.
    pub fn more_ips(&self, named: usize) -> usize {
        let all: usize = self.lines.iter().map(|line| line.quantity as usize).sum();
        if self.ips.is_empty() { 0 } else { all.saturating_sub(named) }
    }

    /// Checks that all sums agree, to the cent.
    pub fn check(&self) -> Result<(), InvoiceError> {
        let amounts = Money::sum(self.lines.iter().map(|line| line.amount))?;
        let nets = Money::sum(self.lines.iter().map(|line| line.net))?;
        if amounts != self.subtotal || nets != self.total {
            return Err(InvoiceError::LinesDoNotAddUp);
        }
        let discounts = Money::sum(self.discounts.iter().map(|discount| discount.amount))?;
        if self.subtotal.checked_sub(discounts)? != self.total {
            return Err(InvoiceError::DiscountsDoNotAddUp);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quote::DiscountKind;
    use crate::time::from_wire;

    #[test]
    fn a_file_of_documents_has_both_ends_and_is_a_month_at_most() {
        let broken = |from: &str, to: &str| -> Vec<String> {
            let told = check_export_range(from_wire(from), from_wire(to)).err().unwrap_or_default().0;
            told.into_iter()
                .flat_map(|(field, rules)| rules.into_iter().map(move |one| format!("{field} {}", one.rule)))
                .collect()
        };
        assert_eq!(broken("2026-01-01 00:00:00", "2026-01-31 23:59:59"), Vec::<String>::new());
        assert_eq!(
            broken("2026-10-01 00:00:00", "2026-11-01 01:59:59"),
            Vec::<String>::new(),
            "clocks are turned back"
        );
        assert_eq!(broken("2026-01-01 00:00:00", "2026-02-01 02:00:01"), ["EndTime tooLongRange"]);
        assert_eq!(broken("2026-01-02 00:00:00", "2026-01-01 00:00:00"), ["EndTime endsBeforeItBegins"]);
        assert_eq!(broken("", ""), ["EndTime required", "StartTime required"]);
    }

    fn snapshot() -> InvoiceSnapshot {
        let line = |amount, net| InvoiceLine {
            amount: Money::from_minor(amount),
            net: Money::from_minor(net),
            ..InvoiceLine::default()
        };
        InvoiceSnapshot {
            seller: Party::default(),
            buyer: Party::default(),
            order_number: String::new(),
            order_kind: OrderKind::Purchase,
            ordered_at: String::new(),
            paid_at: String::new(),
            payment_method: PaymentMethod::Wallet,
            refund_reference: String::new(),
            corrects: None,
            reason: String::new(),
            lines: vec![line(1_000, 950), line(500, 475)],
            ips: Vec::new(),
            subtotal: Money::from_minor(1_500),
            discounts: vec![Discount { kind: DiscountKind::Period, basis_points: 500, amount: Money::from_minor(75) }],
            total: Money::from_minor(1_425),
        }
    }

    #[test]
    fn inconsistent_sums_are_rejected() {
        let with = |change: fn(&mut InvoiceSnapshot)| {
            let mut changed = snapshot();
            change(&mut changed);
            changed.check()
        };
        assert_eq!(with(|_| {}), Ok(()));
        assert_eq!(with(|one| one.lines[0].net = Money::from_minor(951)), Err(InvoiceError::LinesDoNotAddUp));
        assert_eq!(with(|one| one.lines[1].amount = Money::from_minor(1)), Err(InvoiceError::LinesDoNotAddUp));
        assert_eq!(with(|one| one.total = Money::from_minor(1_424)), Err(InvoiceError::LinesDoNotAddUp));
        assert_eq!(with(|one| one.discounts.clear()), Err(InvoiceError::DiscountsDoNotAddUp));
        assert_eq!(with(|one| one.lines[0].net = Money::from_minor(i64::MAX)), Err(InvoiceError::Overflow));
    }

    #[test]
    fn unlisted_ips_are_counted_if_any_are_listed() {
        let mut document = snapshot();
        document.lines.iter_mut().for_each(|line| line.quantity = 150);
        assert_eq!(document.more_ips(0), 0, "an older document, or one for traffic");
        document.ips = vec!["198.18.0.1".into(); NAMED_IPS];
        assert_eq!((document.more_ips(NAMED_IPS), document.more_ips(100)), (100, 200));
        assert_eq!(document.more_ips(301), 0);
    }

    #[test]
    fn gaps_duplicates_and_excess_numbers_are_found() {
        let wrong = |numbers: &[u64], counter| {
            let mut check = NumberCheck::up_to(counter);
            numbers.iter().for_each(|number| check.next(*number));
            let WrongNumbers { count, first } = check.finish();
            (count, first)
        };
        assert_eq!(wrong(&[1, 2, 3], 3), (0, None));
        assert_eq!(wrong(&[], 0), (0, None));
        assert_eq!(wrong(&[1, 3], 3), (1, Some(2)));
        assert_eq!(wrong(&[2, 2, 3], 3), (2, Some(1)));
        assert_eq!(wrong(&[1, 2], 4), (2, Some(3)));
        assert_eq!(wrong(&[1, 2], 1), (1, Some(2)));
        assert_eq!(wrong(&[1, 5], 3), (3, Some(2)));
        assert_eq!(wrong(&[1, u64::MAX], u64::MAX), (u64::MAX - 2, Some(2)));
    }

    #[test]
    fn numbers_contain_series_and_year_and_sort_in_order_of_issue() {
        let new_year = from_wire("2027-01-01 00:00:00").expect("a time");
        let eve = from_wire("2026-12-31 23:59:59").expect("a time");
        assert_eq!(invoice_number(&series(InvoiceKind::Invoice, eve), 1), "INV-2026-000001");
        assert_eq!(invoice_number(&series(InvoiceKind::CreditNote, new_year), 42), "CN-2027-000042");
        assert_eq!(invoice_number("INV-2026", 1_234_567), "INV-2026-1234567");
        for (text, is_whole) in [
            ("INV-2026-000001", true),
            ("CN-2026-1234567", true),
            ("INV-2026-0001", false),
            ("2026-000001", false),
            ("INV-2026-00000x", false),
            ("PO23456789AB", false),
        ] {
            assert_eq!(is_invoice_number(text), is_whole, "{text}");
        }
        assert!(!is_invoiced(OrderKind::TopUp) && is_invoiced(OrderKind::Switch));
    }

    #[test]
    fn a_buyer_is_the_company_the_person_or_the_email_address() {
        let details = AccountDetails {
            first_name: "Ann".into(),
            last_name: "Lee".into(),
            company_name: "Lee Ltd".into(),
            address: "1 High Street".into(),
            city: "Leeds".into(),
            country: "GB".into(),
            postal_code: "LS1 1AA".into(),
            ..AccountDetails::default()
        };
        let buyer = Party::buyer(&details, "ann@example.com");
        assert_eq!(
            (buyer.name.as_str(), buyer.address.join("|").as_str()),
            ("Lee Ltd", "Ann Lee|1 High Street|LS1 1AA Leeds")
        );
        let person = AccountDetails { company_name: String::new(), ..details };
        assert_eq!(Party::buyer(&person, "ann@example.com").name, "Ann Lee");
        let nobody = Party::buyer(&AccountDetails::default(), "ann@example.com");
        assert_eq!((nobody.name.as_str(), nobody.address.len()), ("ann@example.com", 0));
    }
}
