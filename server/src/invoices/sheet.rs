//! What all documents share: the seller's logo, the parties, facts, sums, and the number on each page.
use super::pdf_layout::{HEIGHT, PdfLayout, Style, WIDTH};
use crate::brand::fonts::Fonts;
use crate::brand::logo::Logo;
use crate::texts::Texts;
use chrono::{Datelike, Timelike};
use krilla::image::Image;
use krilla::metadata::{DateTime, Metadata};
use postern_core::invoice::Party;
use postern_core::language::Language;
use postern_core::place::country_name;
use postern_core::time::from_wire;
use serde_json::{Value, json};

pub const MARGIN: f32 = 48.0;
pub const RIGHT: f32 = WIDTH - MARGIN;
/// The left edge of the sums.
pub const SUMS: f32 = RIGHT - 258.0;
/// The bottom edge of the content; below it there is only the footer.
const BOTTOM: f32 = HEIGHT - 60.0;
/// Maximum width and height of the logo.
const LOGO: (f32, f32) = (160.0, 44.0);

const TITLE: Style = Style { size: 22.0, is_bold: true, is_soft: false };
const NAME: Style = Style { size: 12.0, is_bold: true, is_soft: false };
pub const TEXT: Style = Style { size: 9.0, is_bold: false, is_soft: false };
pub const STRONG: Style = Style { size: 9.0, is_bold: true, is_soft: false };
pub const SOFT: Style = Style { size: 9.0, is_bold: false, is_soft: true };
pub const TOTAL: Style = Style { size: 11.0, is_bold: true, is_soft: false };

/// The pages of a document, written from top to bottom.
pub struct Sheet<'a> {
    pub layout: PdfLayout<'a>,
    pub language: Language,
    texts: &'a Texts,
    /// Baseline of the next line.
    pub y: f32,
}

impl<'a> Sheet<'a> {
    pub fn new(texts: &'a Texts, language: Language, fonts: &'a Fonts) -> anyhow::Result<Sheet<'a>> {
        Ok(Sheet { layout: PdfLayout::new(fonts)?, language, texts, y: MARGIN + 20.0 })
    }

    /// A text of `locales/{language}/invoices.json`.
    pub fn text(&self, key: &str) -> String {
        self.text_with(key, json!({}))
    }

    pub fn text_with(&self, key: &str, parameters: Value) -> String {
        self.texts.get(self.language, &format!("invoices:{key}"), &parameters)
    }

    /// Writes lines below each other and returns the baseline after the last.
    pub fn column(&mut self, x: f32, y: f32, width: f32, text: &str, style: Style) -> f32 {
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
    pub fn logo(&mut self, logo: Option<&Logo>) {
        let Some(pixels) = logo.and_then(|logo| logo.on_paper.as_ref()) else { return };
        let (width, height) = (pixels.width() as f32, pixels.height() as f32);
        let scale = (LOGO.0 / width).min(LOGO.1 / height).min(0.75);
        let picture = Image::from_rgba8(pixels.as_raw().clone(), pixels.width(), pixels.height());
        self.layout.draw_picture(MARGIN, MARGIN, (width * scale, height * scale), picture);
        self.y += height * scale + 8.0;
    }

    /// Seller and title, buyer and facts.
    pub fn head(&mut self, title: &str, number: &str, (seller, buyer): (&Party, &Party), facts: Vec<(String, String)>) {
        let half = (WIDTH - 2.0 * MARGIN) / 2.0 - 12.0;
        self.layout.write_to(RIGHT, self.y, title, TITLE);
        self.layout.write_to(RIGHT, self.y + 18.0, number, SOFT);
        let seller_ends = self.party(MARGIN, self.y - 6.0, half, seller);
        self.y = seller_ends.max(self.y + 34.0) + 10.0;
        self.layout.rule(MARGIN, self.y, RIGHT - MARGIN, 0.8);
        self.y += 24.0;
        let label = self.text("pdf.buyer");
        self.layout.write(MARGIN, self.y, &label, SOFT);
        let buyer_ends = self.party(MARGIN, self.y + 17.0, half, buyer);
        let (x, label_width) = (MARGIN + half + 24.0, 92.0);
        let mut y = self.y;
        for (label, value) in facts {
            self.layout.write(x, y, &label, SOFT);
            y = self.column(x + label_width, y, RIGHT - x - label_width, &value, TEXT).max(y + TEXT.line_height());
        }
        self.y = buyer_ends.max(y) + 22.0;
    }

    /// Starts a new page if this much does not fit on the current one.
    pub fn break_page_if_needed(&mut self, height: f32) -> bool {
        let is_full = self.y + height > BOTTOM;
        if is_full {
            self.layout.begin_page();
            self.y = MARGIN + 20.0;
        }
        is_full
    }

    pub fn sum(&mut self, label: &str, amount: &str, style: Style) {
        self.layout.write(SUMS, self.y, label, style);
        self.layout.write_to(RIGHT, self.y, amount, style);
        self.y += style.line_height() + 3.0;
    }

    /// The file, with the document's number and the page on each page.
    pub fn print(self, title: &str, number: &str, seller: &str, issued_at: &str) -> anyhow::Result<Vec<u8>> {
        let pages = self.layout.page_count();
        let (texts, language) = (self.texts, self.language);
        let footer = |page: usize| {
            texts.get(language, "invoices:pdf.page", &json!({ "Number": number, "Page": page, "Pages": pages }))
        };
        let mut metadata = Metadata::new()
            .title(format!("{title} {number}"))
            .authors(vec![seller.to_owned()])
            .document_id(number.to_owned())
            .language(language.as_str().to_owned());
        if let Some(at) = from_wire(issued_at) {
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
pub fn utc(time: &str) -> String {
    format!("{} UTC", time.get(..16).unwrap_or(time))
}
