//! An invoice or a credit note as a PDF, in the reader's language.
use super::sheet::{MARGIN, RIGHT, SOFT, STRONG, SUMS, Sheet, TEXT, TOTAL, utc};
use super::types::InvoiceDetail;
use crate::brand::fonts::Fonts;
use crate::brand::logo::Logo;
use crate::texts::Texts;
use postern_core::invoice::{InvoiceKind, InvoiceLine};
use postern_core::language::Language;
use postern_core::money::{Currency, Money, display_percent};
use postern_core::order::OrderKind;
use postern_core::place::{city_name, country_name};
use postern_core::proxy_user::format_gigabytes;
use postern_core::refund::days_and_hours;
use serde_json::{Value, json};

/// Right edges of the number columns: quantity, unit price, amount, net. The text column takes the rest.
const COLUMNS: [f32; 4] = [SUMS + 20.0, RIGHT - 156.0, RIGHT - 78.0, RIGHT];
const ITEM_WIDTH: f32 = COLUMNS[0] - 40.0 - MARGIN;

/// Maximum rows of IPs: about a page.
const IP_ROWS: usize = 50;

struct Printer<'a> {
    sheet: Sheet<'a>,
    currency: Currency,
    document: &'a InvoiceDetail,
}

/// Renders a document as issued, with the seller's current logo.
pub fn print(
    document: &InvoiceDetail,
    texts: &Texts,
    language: Language,
    logo: Option<&Logo>,
    fonts: &Fonts,
) -> anyhow::Result<Vec<u8>> {
    let currency = document.invoice.currency;
    let mut printer = Printer { sheet: Sheet::new(texts, language, fonts)?, currency, document };
    printer.sheet.logo(logo);
    printer.head();
    printer.table();
    printer.sums();
    printer.ips();
    printer.finish()
}

impl Printer<'_> {
    fn money(&self, amount: Money) -> String {
        amount.display(self.currency)
    }

    fn is_credit_note(&self) -> bool {
        self.document.invoice.kind == InvoiceKind::CreditNote
    }

    fn head(&mut self) {
        let InvoiceDetail { invoice, snapshot } = self.document;
        let title = self.sheet.text(&format!("kind.{}", invoice.kind.as_str()));
        self.sheet.head(&title, &invoice.invoice_number, (&snapshot.seller, &snapshot.buyer), self.facts());
    }

    fn facts(&self) -> Vec<(String, String)> {
        let (invoice, snapshot) = (&self.document.invoice, &self.document.snapshot);
        let mut facts = vec![("pdf.number", invoice.invoice_number.clone()), ("pdf.issuedAt", utc(&invoice.issued_at))];
        if let Some(corrects) = &snapshot.corrects {
            facts.push(("pdf.corrects", corrects.clone()));
        }
        facts.push(("pdf.order", snapshot.order_number.clone()));
        facts.push(("pdf.orderedAt", utc(&snapshot.ordered_at)));
        facts.push(("pdf.paidAt", utc(&snapshot.paid_at)));
        if self.is_credit_note() {
            let reason = match snapshot.reason.as_str() {
                "" => self.sheet.text("notDelivered"),
                reason => reason.to_owned(),
            };
            facts.push(("pdf.reason", reason));
            facts.push(("pdf.refundedTo", self.sheet.text(&format!("method.{}", snapshot.payment_method.as_str()))));
            if !snapshot.refund_reference.is_empty() {
                facts.push(("pdf.refundReference", snapshot.refund_reference.clone()));
            }
        } else {
            facts.push(("pdf.paidBy", self.sheet.text(&format!("method.{}", snapshot.payment_method.as_str()))));
        }
        facts.into_iter().map(|(key, value)| (self.sheet.text(key), value)).collect()
    }

    fn table_head(&mut self) {
        self.sheet.layout.write(MARGIN, self.sheet.y, &self.sheet.text("pdf.item"), SOFT);
        for (x, key) in COLUMNS.into_iter().zip(["pdf.quantity", "pdf.unitPrice", "pdf.amount", "pdf.net"]) {
            let label = self.sheet.text(key);
            self.sheet.layout.write_to(x, self.sheet.y, &label, SOFT);
        }
        self.sheet.y += 7.0;
        self.sheet.layout.rule(MARGIN, self.sheet.y, RIGHT - MARGIN, 0.8);
        self.sheet.y += 16.0;
    }

    fn table(&mut self) {
        self.table_head();
        for line in &self.document.snapshot.lines {
            let item = self.item(line);
            let wrapped = self.sheet.layout.wrapped(&item, TEXT, ITEM_WIDTH);
            let height = wrapped.height().max(TEXT.line_height()) + 8.0;
            if self.sheet.break_page_if_needed(height) {
                self.table_head();
            }
            // Lines of a credit note that combine several nodes of a place have no common unit price.
            let has_unit = line.unit_price.times(line.quantity) == Ok(line.amount);
            let unit_price = if has_unit { self.money(line.unit_price) } else { String::new() };
            let cells = [line.quantity.to_string(), unit_price, self.money(line.amount), self.money(line.net)];
            for (x, cell) in COLUMNS.into_iter().zip(cells) {
                self.sheet.layout.write_to(x, self.sheet.y, &cell, TEXT);
            }
            self.sheet.layout.place(MARGIN, self.sheet.y, wrapped);
            self.sheet.y += height - 8.0;
            self.sheet.layout.rule(MARGIN, self.sheet.y - 5.0, RIGHT - MARGIN, 0.3);
            self.sheet.y += 8.0;
        }
    }

    /// The description of a line.
    fn item(&self, line: &InvoiceLine) -> String {
        let snapshot = &self.document.snapshot;
        let tier = if self.sheet.language == Language::Zh { &line.label_zh } else { &line.label_en };
        let place = match (&line.city, &line.country) {
            (Some(city), Some(country)) => json!({
                "City": city_name(city, self.sheet.language), "Country": country_name(country, self.sheet.language),
            }),
            _ => Value::Null,
        };
        let parameters = json!({
            "Tier": tier, "City": place["City"], "Country": place["Country"], "Days": line.period_days, "Ip": line.ip,
            "OrderNumber": snapshot.order_number, "Gigabytes": line.traffic_bytes.map(format_gigabytes),
        });
        if self.is_credit_note() {
            if line.label_en.is_empty() {
                return self.sheet.text_with("item.amount", parameters);
            }
            if line.traffic_bytes.is_some() {
                return self.sheet.text_with("item.unusedTraffic", parameters);
            }
            let (Some(ip), Some(seconds)) = (&line.ip, line.unused_seconds) else {
                return self.sheet.text_with("item.unusedOfPlace", parameters);
            };
            let unused = days_and_hours(seconds);
            let unused = json!({
                "Ip": ip, "Tier": tier, "City": place["City"], "Country": place["Country"],
                "Days": unused.days, "Hours": unused.hours,
            });
            return self.sheet.text_with("item.unused", unused);
        }
        if line.traffic_bytes.is_some() {
            let expires = line.period_days.is_some_and(|days| days > 0);
            return self.sheet.text_with(if expires { "item.traffic" } else { "item.trafficNeverExpires" }, parameters);
        }
        match snapshot.order_kind {
            OrderKind::Purchase => self.sheet.text_with("item.purchase", parameters),
            OrderKind::Renewal => self.sheet.text_with("item.renewal", parameters),
            OrderKind::Switch | OrderKind::TopUp => self.sheet.text_with("item.switch", parameters),
        }
    }

    fn sums(&mut self) {
        let snapshot = &self.document.snapshot;
        self.sheet.break_page_if_needed(90.0 + 18.0 * snapshot.discounts.len() as f32);
        self.sheet.y += 6.0;
        if !snapshot.discounts.is_empty() {
            let (label, amount) = (self.sheet.text("pdf.subtotal"), self.money(snapshot.subtotal));
            self.sheet.sum(&label, &amount, TEXT);
        }
        for discount in &snapshot.discounts {
            let kind = serde_json::to_value(discount.kind).unwrap_or_default();
            let mut label = self.sheet.text(&format!("discount.{}", kind.as_str().unwrap_or_default()));
            if discount.basis_points > 0 {
                label = format!("{label} ({})", display_percent(discount.basis_points));
            }
            let amount = format!("-{}", self.money(discount.amount));
            self.sheet.sum(&label, &amount, TEXT);
        }
        self.sheet.layout.rule(SUMS, self.sheet.y - 8.0, RIGHT - SUMS, 0.8);
        self.sheet.y += 8.0;
        let (label, amount) = (self.sheet.text("pdf.total"), self.money(snapshot.total));
        self.sheet.sum(&label, &amount, TOTAL);
        let method = self.sheet.text(&format!("method.{}", snapshot.payment_method.as_str()));
        let key = if self.is_credit_note() { "pdf.toWallet" } else { "pdf.paidWith" };
        let label = self.sheet.text_with(key, json!({ "Method": method }));
        self.sheet.sum(&label, &amount, STRONG);
        self.sheet.y += 14.0;
        let note = self.sheet.text_with("pdf.note", json!({ "Currency": self.currency }));
        self.sheet.column(MARGIN, self.sheet.y, RIGHT - MARGIN, &note, SOFT);
    }

    /// The IPs in columns, as many as a page holds.
    fn ips(&mut self) {
        let ips = &self.document.snapshot.ips;
        if ips.is_empty() {
            return;
        }
        let widest = ips.iter().map(|ip| self.sheet.layout.width_of(ip, TEXT)).fold(0.0, f32::max);
        let columns = (((RIGHT - MARGIN) / (widest + 18.0)) as usize).max(1);
        let named = ips.len().min(columns * IP_ROWS);
        self.sheet.y += 14.0;
        self.sheet.break_page_if_needed(3.0 * TEXT.line_height());
        let label = self.sheet.text("pdf.ips");
        self.sheet.layout.write(MARGIN, self.sheet.y, &label, STRONG);
        self.sheet.y += TEXT.line_height() + 3.0;
        for row in ips[..named].chunks(columns) {
            self.sheet.break_page_if_needed(TEXT.line_height());
            for (column, ip) in row.iter().enumerate() {
                let x = MARGIN + column as f32 * (RIGHT - MARGIN) / columns as f32;
                self.sheet.layout.write(x, self.sheet.y, ip, TEXT);
            }
            self.sheet.y += TEXT.line_height();
        }
        let more = self.document.snapshot.more_ips(named);
        if more > 0 {
            self.sheet.break_page_if_needed(TEXT.line_height());
            let more = self.sheet.text_with("pdf.moreIps", json!({ "Count": more }));
            self.sheet.layout.write(MARGIN, self.sheet.y, &more, SOFT);
        }
    }

    fn finish(self) -> anyhow::Result<Vec<u8>> {
        let InvoiceDetail { invoice, snapshot } = self.document;
        let title = self.sheet.text(&format!("kind.{}", invoice.kind.as_str()));
        self.sheet.print(&title, &invoice.invoice_number, &snapshot.seller.name, &invoice.issued_at)
    }
}
