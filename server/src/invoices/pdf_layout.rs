//! Lays out A4 pages of text and lines: parley breaks, shapes and orders text, krilla writes it. Lengths are points, y grows downwards.
use crate::brand::fonts::{DocumentFonts, Fonts};
use anyhow::Context;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Size as Extent, Transform};
use krilla::image::Image;
use krilla::metadata::Metadata;
use krilla::num::NormalizedF32;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use krilla::{Data, Document};
use parley::{
    Alignment, AlignmentOptions, Glyph, GlyphRun, Layout, LayoutContext, LineHeight, OverflowWrap,
    PositionedLayoutItem, StyleProperty,
};
use std::collections::HashMap;
use std::ops::Range;

pub const WIDTH: f32 = 595.28;
pub const HEIGHT: f32 = 841.89;

/// A text style.
#[derive(Clone, Copy)]
pub struct Style {
    pub size: f32,
    pub is_bold: bool,
    pub is_soft: bool,
}

impl Style {
    /// Line height, from baseline to baseline.
    pub fn line_height(self) -> f32 {
        self.size * 1.45
    }
}

/// A text broken into lines, ready to be placed.
pub struct Lines {
    text: String,
    style: Style,
    layout: Box<Layout<()>>,
}

impl Lines {
    /// From the first baseline to that after the last line; 0 for an empty text.
    pub fn height(&self) -> f32 {
        if self.text.is_empty() { 0.0 } else { self.layout.len() as f32 * self.style.line_height() }
    }

    /// The width of the widest line.
    pub fn width(&self) -> f32 {
        self.layout.width()
    }
}

enum Mark {
    Text { x: f32, y: f32, lines: Lines },
    Line { x: f32, y: f32, width: f32, thickness: f32 },
    Picture { x: f32, y: f32, size: (f32, f32), picture: Image },
}

/// A document under construction.
pub struct PdfLayout<'a> {
    fonts: DocumentFonts<'a>,
    context: LayoutContext<()>,
    pages: Vec<Vec<Mark>>,
}

impl PdfLayout<'_> {
    pub fn new(fonts: &Fonts) -> anyhow::Result<PdfLayout<'_>> {
        Ok(PdfLayout { fonts: DocumentFonts::new(fonts)?, context: LayoutContext::new(), pages: vec![Vec::new()] })
    }

    pub fn begin_page(&mut self) {
        self.pages.push(Vec::new());
    }

    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Breaks a text into lines of at most this width, within a word if need be; each begins at the left, whatever its direction.
    pub fn wrapped(&mut self, text: &str, style: Style, width: f32) -> Lines {
        self.lines(text, style, Some(width))
    }

    fn lines(&mut self, text: &str, style: Style, width: Option<f32>) -> Lines {
        let text = text.trim_end();
        let family = self.fonts.for_text(text);
        let mut builder = self.context.ranged_builder(&mut self.fonts.context, text, 1.0, false);
        builder.push_default(StyleProperty::FontFamily(family));
        builder.push_default(StyleProperty::FontSize(style.size));
        builder.push_default(LineHeight::Absolute(style.line_height()));
        builder.push_default(StyleProperty::OverflowWrap(OverflowWrap::Anywhere));
        let mut layout = builder.build(text);
        layout.break_all_lines(width);
        layout.align(Alignment::Left, AlignmentOptions::default());
        Lines { text: text.to_owned(), style, layout: Box::new(layout) }
    }

    /// Places lines with their first baseline at `y` on the last page.
    pub fn place(&mut self, x: f32, y: f32, lines: Lines) {
        self.mark(Mark::Text { x, y, lines });
    }

    /// Writes text on one line, left-aligned.
    pub fn write(&mut self, x: f32, y: f32, text: &str, style: Style) {
        let lines = self.lines(text, style, None);
        self.place(x, y, lines);
    }

    /// Writes text on one line that ends at `x`.
    pub fn write_to(&mut self, x: f32, y: f32, text: &str, style: Style) {
        let lines = self.lines(text, style, None);
        self.place(x - lines.width(), y, lines);
    }

    /// The width of a text on one line.
    pub fn width_of(&mut self, text: &str, style: Style) -> f32 {
        self.lines(text, style, None).width()
    }

    /// Draws a line across the last page.
    pub fn rule(&mut self, x: f32, y: f32, width: f32, thickness: f32) {
        self.mark(Mark::Line { x, y, width, thickness });
    }

    /// Draws a picture with its upper left corner there.
    pub fn draw_picture(&mut self, x: f32, y: f32, size: (f32, f32), picture: Image) {
        self.mark(Mark::Picture { x, y, size, picture });
    }

    fn mark(&mut self, mark: Mark) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }

    /// Renders the file. `footer` returns the footer of each page, by its number from 1.
    pub fn print(mut self, metadata: Metadata, footer: impl Fn(usize) -> String) -> anyhow::Result<Vec<u8>> {
        let style = Style { size: 8.0, is_bold: false, is_soft: true };
        for number in 1..=self.pages.len() {
            let lines = self.lines(&footer(number), style, None);
            self.pages[number - 1].push(Mark::Text { x: (WIDTH - lines.width()) / 2.0, y: HEIGHT - 28.0, lines });
        }
        let mut document = Document::new();
        document.set_metadata(metadata);
        let mut embedded = Embedded::default();
        for marks in &self.pages {
            let settings = PageSettings::from_wh(WIDTH, HEIGHT).context("the size of a page")?;
            let mut page = document.start_page_with(settings);
            let mut surface = page.surface();
            for mark in marks {
                draw(&mut surface, &mut embedded, mark)?;
            }
            surface.finish();
            page.finish();
        }
        document.finish().map_err(|error| anyhow::anyhow!("writing a PDF: {error:?}"))
    }
}

/// The fonts of the file, by the blob that holds them.
#[derive(Default)]
struct Embedded(HashMap<u64, Font>);

impl Embedded {
    fn font(&mut self, data: &parley::FontData) -> anyhow::Result<Font> {
        let (bytes, id) = data.data.clone().into_raw_parts();
        if let Some(font) = self.0.get(&id) {
            return Ok(font.clone());
        }
        let font = Font::new(Data::from(bytes), data.index).context("reading a font")?;
        self.0.insert(id, font.clone());
        Ok(font)
    }
}

fn draw(surface: &mut Surface, embedded: &mut Embedded, mark: &Mark) -> anyhow::Result<()> {
    match mark {
        Mark::Text { x, y, lines } => {
            let style = lines.style;
            let colour = if style.is_soft { rgb::Color::new(92, 96, 107) } else { rgb::Color::new(22, 24, 29) };
            surface.set_fill(Some(Fill { paint: colour.into(), ..Fill::default() }));
            // The fonts have a single weight: bold is drawn with an outline.
            let outline = Stroke { paint: colour.into(), width: style.size * 0.035, ..Stroke::default() };
            surface.set_stroke(style.is_bold.then_some(outline));
            for (index, line) in lines.layout.lines().enumerate() {
                let y = y + index as f32 * style.line_height();
                for item in line.items() {
                    let PositionedLayoutItem::GlyphRun(run) = item else { continue };
                    let font = embedded.font(run.run().font())?;
                    let start = Point::from_xy(x + run.offset(), y);
                    surface.draw_glyphs(start, &glyphs(&run, style.size), font, &lines.text, style.size, false);
                }
            }
        }
        Mark::Line { x, y, width, thickness } => {
            let mut path = PathBuilder::new();
            path.move_to(*x, *y);
            path.line_to(x + width, *y);
            surface.set_fill(None);
            surface.set_stroke(Some(Stroke {
                paint: rgb::Color::new(200, 203, 210).into(),
                width: *thickness,
                opacity: NormalizedF32::ONE,
                ..Stroke::default()
            }));
            if let Some(path) = path.finish() {
                surface.draw_path(&path);
            }
        }
        Mark::Picture { x, y, size: (width, height), picture } => {
            let Some(extent) = Extent::from_wh(*width, *height) else { return Ok(()) };
            surface.push_transform(&Transform::from_translate(*x, *y));
            surface.draw_image(picture.clone(), extent);
            surface.pop();
        }
    }
    Ok(())
}

/// The glyphs of a run from left to right, each with the text that it stands for, from which readers copy and search.
fn glyphs(run: &GlyphRun<'_, ()>, size: f32) -> Vec<KrillaGlyph> {
    let mut clusters: Vec<(Range<usize>, Vec<Glyph>)> = Vec::new();
    for cluster in run.run().clusters() {
        let text = cluster.text_range();
        match clusters.last_mut() {
            // The glyphs of a ligature are those of its first letter.
            Some((whole, _)) if cluster.is_ligature_continuation() => whole.end = text.end,
            _ => clusters.push((text, cluster.glyphs().collect())),
        }
    }
    if run.run().is_rtl() {
        clusters.reverse();
    }
    let placed = |glyph: Glyph, text: &Range<usize>| {
        let (advance, x, y) = (glyph.advance / size, glyph.x / size, -glyph.y / size);
        KrillaGlyph::new(GlyphId::new(glyph.id), advance, x, y, 0.0, text.clone(), None)
    };
    clusters.into_iter().flat_map(|(text, glyphs)| glyphs.into_iter().map(move |glyph| placed(glyph, &text))).collect()
}
