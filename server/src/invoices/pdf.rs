//! An invoice or a credit note as a PDF, in the reader's language.
use super::pdf_layout::{HEIGHT, PdfLayout, Style, WIDTH};
use super::types::InvoiceDetail;
use crate::brand::fonts::Fonts;
use crate::brand::logo::Logo;
use crate::texts::Texts;
use chrono::{Datelike, Timelike};
use krilla::image::Image;
use krilla::metadata::{DateTime, Metadata};
use postern_core::invoice::{InvoiceKind, InvoiceLine, Party};
use postern_core::language::Language;
use postern_core::money::{Currency, Money, display_percent};
use postern_core::order::OrderKind;
use postern_core::place::{city_name, country_name};
use postern_core::proxy_user::format_gigabytes;
use postern_core::refund::days_and_hours;
use postern_core::time::from_wire;
use serde_json::{Value, json};

const MARGIN: f32 = 48.0;
const RIGHT: f32 = WIDTH - MARGIN;
/// The bottom edge of the content; below it there is only the footer.
const BOTTOM: f32 = HEIGHT - 60.0;
/// Right edges of the number columns: quantity, unit price, amount, net. The text column takes the rest.
const COLUMNS: [f32; 4] = [RIGHT - 238.0, RIGHT - 156.0, RIGHT - 78.0, RIGHT];
const ITEM_WIDTH: f32 = COLUMNS[0] - 40.0 - MARGIN;

/// Maximum width and height of the logo.
const LOGO: (f32, f32) = (160.0, 44.0);
/// Maximum rows of IPs: about a page.
const IP_ROWS: usize = 50;

const TITLE: Style = Style { size: 22.0, is_bold: true, is_soft: false };
const NAME: Style = Style { size: 12.0, is_bold: true, is_soft: false };
const TEXT: Style = Style { size: 9.0, is_bold: false, is_soft: false };
const STRONG: Style = Style { size: 9.0, is_bold: true, is_soft: false };
const SOFT: Style = Style { size: 9.0, is_bold: false, is_soft: true };
const TOTAL: Style = Style { size: 11.0, is_bold: true, is_soft: false };

struct Printer<'a> {
    layout: PdfLayout<'a>,
    texts: &'a Texts,
    language: Language,
    currency: Currency,
    document: &'a InvoiceDetail,
    /// Baseline of the next line.
    y: f32,
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
    let layout = PdfLayout::new(fonts)?;
    let mut printer = Printer { layout, texts, language, currency, document, y: MARGIN + 20.0 };
    printer.logo(logo);
    printer.head();
    printer.table();
    printer.sums();
    printer.ips();
    printer.finish()
}

impl Printer<'_> {
    fn text(&self, key: &str) -> String {
        self.text_with(key, json!({}))
    }

    fn text_with(&self, key: &str, parameters: Value) -> String {
        self.texts.get(self.language, &format!("invoices:{key}"), &parameters)
    }

    fn money(&self, amount: Money) -> String {
        amount.display(self.currency)
    }

    fn is_credit_note(&self) -> bool {
        self.document.invoice.kind == InvoiceKind::CreditNote
    }

    fn name_of_kind(&self) -> String {
        self.text(&format!("kind.{}", self.document.invoice.kind.as_str()))
    }

    /// Writes lines below each other and returns the baseline after the last.
    fn column(&mut self, x: f32, y: f32, width: f32, text: &str, style: Style) -> f32 {
        let lines = self.layout.wrapped(text, style, width);
        let end = y + lines.height();
        self.layout.place(x, y, lines);
        end
    }

    fn party(&mut self, x: f32, y: f32, width: f32, party: &Party) -> f32 {
        let mut y = self.column(x, y, width, &party.name, NAME) + 1.0;
        let country =
            if party.country.is_empty() { String::new() } else { country_name(&party.country, self.language) };
        let tax_number = match party.tax_number.as_str() {
            "" => String::new(),
            number => self.text_with("pdf.taxNumber", json!({ "Number": number })),
        };
        let email = if party.email == party.name { String::new() } else { party.email.clone() };
        for line in party.address.iter().chain([&country, &tax_number, &email]) {
            y = self.column(x, y, width, line, SOFT);
        }
        y
    }

    /// The seller's logo, above the name.
    fn logo(&mut self, logo: Option<&Logo>) {
        let Some(pixels) = logo.and_then(|logo| logo.on_paper.as_ref()) else { return };
        let (width, height) = (pixels.width() as f32, pixels.height() as f32);
        let scale = (LOGO.0 / width).min(LOGO.1 / height).min(0.75);
        let picture = Image::from_rgba8(pixels.as_raw().clone(), pixels.width(), pixels.height());
        self.layout.draw_picture(MARGIN, MARGIN, (width * scale, height * scale), picture);
        self.y += height * scale + 8.0;
    }

    /// Seller and title, buyer and facts.
    fn head(&mut self) {
        let document = self.document;
        let title = self.name_of_kind();
        let half = (WIDTH - 2.0 * MARGIN) / 2.0 - 12.0;
        self.layout.write_to(RIGHT, self.y, &title, TITLE);
        self.layout.write_to(RIGHT, self.y + 18.0, &document.invoice.invoice_number, SOFT);
        let seller_ends = self.party(MARGIN, self.y - 6.0, half, &document.snapshot.seller);
        self.y = seller_ends.max(self.y + 34.0) + 10.0;
        self.layout.rule(MARGIN, self.y, RIGHT - MARGIN, 0.8);
        self.y += 24.0;
        let label = self.text("pdf.buyer");
        self.layout.write(MARGIN, self.y, &label, SOFT);
        let buyer_ends = self.party(MARGIN, self.y + 17.0, half, &document.snapshot.buyer);
        let (x, label_width) = (MARGIN + half + 24.0, 92.0);
        let mut y = self.y;
        for (label, value) in self.facts() {
            self.layout.write(x, y, &label, SOFT);
            y = self.column(x + label_width, y, RIGHT - x - label_width, &value, TEXT).max(y + TEXT.line_height());
        }
        self.y = buyer_ends.max(y) + 22.0;
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
                "" => self.text("notDelivered"),
                reason => reason.to_owned(),
            };
            facts.push(("pdf.reason", reason));
        } else {
            facts.push(("pdf.paidBy", self.text(&format!("method.{}", snapshot.payment_method.as_str()))));
        }
        facts.into_iter().map(|(key, value)| (self.text(key), value)).collect()
    }

    fn table_head(&mut self) {
        self.layout.write(MARGIN, self.y, &self.text("pdf.item"), SOFT);
        for (x, key) in COLUMNS.into_iter().zip(["pdf.quantity", "pdf.unitPrice", "pdf.amount", "pdf.net"]) {
            let label = self.text(key);
            self.layout.write_to(x, self.y, &label, SOFT);
        }
        self.y += 7.0;
        self.layout.rule(MARGIN, self.y, RIGHT - MARGIN, 0.8);
        self.y += 16.0;
    }

    fn table(&mut self) {
        self.table_head();
        for line in &self.document.snapshot.lines {
            let item = self.item(line);
            let wrapped = self.layout.wrapped(&item, TEXT, ITEM_WIDTH);
            let height = wrapped.height().max(TEXT.line_height()) + 8.0;
            if self.break_page_if_needed(height) {
                self.table_head();
            }
            // Lines of a credit note that combine several nodes of a place have no common unit price.
            let has_unit = line.unit_price.times(line.quantity) == Ok(line.amount);
            let unit_price = if has_unit { self.money(line.unit_price) } else { String::new() };
            let cells = [line.quantity.to_string(), unit_price, self.money(line.amount), self.money(line.net)];
            for (x, cell) in COLUMNS.into_iter().zip(cells) {
                self.layout.write_to(x, self.y, &cell, TEXT);
            }
            self.layout.place(MARGIN, self.y, wrapped);
            self.y += height - 8.0;
            self.layout.rule(MARGIN, self.y - 5.0, RIGHT - MARGIN, 0.3);
            self.y += 8.0;
        }
    }

    /// The description of a line.
    fn item(&self, line: &InvoiceLine) -> String {
        let snapshot = &self.document.snapshot;
        let tier = if self.language == Language::Zh { &line.label_zh } else { &line.label_en };
        let place = match (&line.city, &line.country) {
            (Some(city), Some(country)) => json!({
                "City": city_name(city, self.language), "Country": country_name(country, self.language),
            }),
            _ => Value::Null,
        };
        let parameters = json!({
            "Tier": tier, "City": place["City"], "Country": place["Country"], "Days": line.period_days, "Ip": line.ip,
            "OrderNumber": snapshot.order_number, "Gigabytes": line.traffic_bytes.map(format_gigabytes),
        });
        if self.is_credit_note() {
            if line.label_en.is_empty() {
                return self.text_with("item.amount", parameters);
            }
            if line.traffic_bytes.is_some() {
                return self.text_with("item.unusedTraffic", parameters);
            }
            let (Some(ip), Some(seconds)) = (&line.ip, line.unused_seconds) else {
                return self.text_with("item.unusedOfPlace", parameters);
            };
            let unused = days_and_hours(seconds);
            let unused = json!({
                "Ip": ip, "Tier": tier, "City": place["City"], "Country": place["Country"],
                "Days": unused.days, "Hours": unused.hours,
            });
            return self.text_with("item.unused", unused);
        }
        if line.traffic_bytes.is_some() {
            let expires = line.period_days.is_some_and(|days| days > 0);
            return self.text_with(if expires { "item.traffic" } else { "item.trafficNeverExpires" }, parameters);
        }
        match snapshot.order_kind {
            OrderKind::Purchase => self.text_with("item.purchase", parameters),
            OrderKind::Renewal => self.text_with("item.renewal", parameters),
            OrderKind::Switch | OrderKind::TopUp => self.text_with("item.switch", parameters),
        }
    }

    /// Starts a new page if this much does not fit on the current one.
    fn break_page_if_needed(&mut self, height: f32) -> bool {
        let is_full = self.y + height > BOTTOM;
        if is_full {
            self.layout.begin_page();
            self.y = MARGIN + 20.0;
        }
        is_full
    }

    fn sum(&mut self, label: &str, amount: &str, style: Style) {
        self.layout.write(COLUMNS[0] - 20.0, self.y, label, style);
        self.layout.write_to(RIGHT, self.y, amount, style);
        self.y += style.line_height() + 3.0;
    }

    fn sums(&mut self) {
        let snapshot = &self.document.snapshot;
        self.break_page_if_needed(90.0 + 18.0 * snapshot.discounts.len() as f32);
        self.y += 6.0;
        if !snapshot.discounts.is_empty() {
            let (label, amount) = (self.text("pdf.subtotal"), self.money(snapshot.subtotal));
            self.sum(&label, &amount, TEXT);
        }
        for discount in &snapshot.discounts {
            let kind = serde_json::to_value(discount.kind).unwrap_or_default();
            let mut label = self.text(&format!("discount.{}", kind.as_str().unwrap_or_default()));
            if discount.basis_points > 0 {
                label = format!("{label} ({})", display_percent(discount.basis_points));
            }
            let amount = format!("-{}", self.money(discount.amount));
            self.sum(&label, &amount, TEXT);
        }
        self.layout.rule(COLUMNS[0] - 20.0, self.y - 8.0, RIGHT - COLUMNS[0] + 20.0, 0.8);
        self.y += 8.0;
        let (label, amount) = (self.text("pdf.total"), self.money(snapshot.total));
        self.sum(&label, &amount, TOTAL);
        let method = self.text(&format!("method.{}", snapshot.payment_method.as_str()));
        let key = if self.is_credit_note() { "pdf.toWallet" } else { "pdf.paidWith" };
        let label = self.text_with(key, json!({ "Method": method }));
        self.sum(&label, &amount, STRONG);
        self.y += 14.0;
        let note = self.text_with("pdf.note", json!({ "Currency": self.currency }));
        self.column(MARGIN, self.y, RIGHT - MARGIN, &note, SOFT);
    }

    /// The IPs in columns, as many as a page holds.
    fn ips(&mut self) {
        let ips = &self.document.snapshot.ips;
        if ips.is_empty() {
            return;
        }
        let widest = ips.iter().map(|ip| self.layout.width_of(ip, TEXT)).fold(0.0, f32::max);
        let columns = (((RIGHT - MARGIN) / (widest + 18.0)) as usize).max(1);
        let named = ips.len().min(columns * IP_ROWS);
        self.y += 14.0;
        self.break_page_if_needed(3.0 * TEXT.line_height());
        let label = self.text("pdf.ips");
        self.layout.write(MARGIN, self.y, &label, STRONG);
        self.y += TEXT.line_height() + 3.0;
        for row in ips[..named].chunks(columns) {
            self.break_page_if_needed(TEXT.line_height());
            for (column, ip) in row.iter().enumerate() {
                let x = MARGIN + column as f32 * (RIGHT - MARGIN) / columns as f32;
                self.layout.write(x, self.y, ip, TEXT);
            }
            self.y += TEXT.line_height();
        }
        let more = self.document.snapshot.more_ips(named);
        if more > 0 {
            self.break_page_if_needed(TEXT.line_height());
            let more = self.text_with("pdf.moreIps", json!({ "Count": more }));
            self.layout.write(MARGIN, self.y, &more, SOFT);
        }
    }

    fn finish(self) -> anyhow::Result<Vec<u8>> {
        let (title, invoice) = (self.name_of_kind(), &self.document.invoice);
        let pages = self.layout.page_count();
        let (texts, language, number) = (self.texts, self.language, invoice.invoice_number.clone());
        let footer = |page: usize| {
            texts.get(language, "invoices:pdf.page", &json!({ "Number": number, "Page": page, "Pages": pages }))
        };
        let mut metadata = Metadata::new()
            .title(format!("{title} {}", invoice.invoice_number))
            .authors(vec![self.document.snapshot.seller.name.clone()])
            .document_id(invoice.invoice_number.clone())
            .language(language.as_str().to_owned());
        if let Some(at) = from_wire(&invoice.issued_at) {
            let small = |number: u32| u8::try_from(number).unwrap_or_default();
            let date = DateTime::new(u16::try_from(at.year()).unwrap_or_default())
                .month(small(at.month()))
                .day(small(at.day()))
                .hour(small(at.hour()))
                .minute(small(at.minute()))
                .second(small(at.second()));
            metadata = metadata.creation_date(date);
        }
        self.layout.print(metadata, footer)
    }
}

/// A wire timestamp, cut to the minute.
fn utc(time: &str) -> String {
    format!("{} UTC", time.get(..16).unwrap_or(time))
}
