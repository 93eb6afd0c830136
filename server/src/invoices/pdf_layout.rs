//! Lays out A4 pages of text and lines in the one font that the server embeds. Lengths are points, y grows downwards.
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
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// Noto Sans SC with the characters of the Chinese standard table; other characters are drawn as a box. See `scripts/fonts.sh`.
static FONT: &[u8] = include_bytes!("../../fonts/NotoSansSC.ttf");

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

enum Mark {
    Text { x: f32, y: f32, text: String, style: Style },
    Line { x: f32, y: f32, width: f32, thickness: f32 },
    Picture { x: f32, y: f32, size: (f32, f32), picture: Image },
}

/// A document under construction.
pub struct PdfLayout {
    face: FontRef<'static>,
    pages: Vec<Vec<Mark>>,
}

impl PdfLayout {
    pub fn new() -> anyhow::Result<PdfLayout> {
        let face = FontRef::new(FONT).context("reading the font")?;
        Ok(PdfLayout { face, pages: vec![Vec::new()] })
    }

    pub fn begin_page(&mut self) {
        self.pages.push(Vec::new());
    }

    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// The width of a text on one line.
    pub fn width_of(&self, text: &str, style: Style) -> f32 {
        text.chars().map(|character| self.glyph(character).1).sum::<f32>() * style.size
    }

    /// A character's glyph and its width, in parts of the size. A character that the font lacks gets the `.notdef` glyph.
    fn glyph(&self, character: char) -> (GlyphId, f32) {
        let id = self.face.charmap().map(character).unwrap_or_default();
        let metrics = self.face.metrics(Size::unscaled(), LocationRef::default());
        let widths = self.face.glyph_metrics(Size::unscaled(), LocationRef::default());
        let advance = widths.advance_width(id).unwrap_or_default();
        (GlyphId::new(id.to_u32()), advance / f32::from(metrics.units_per_em))
    }

    /// Breaks a text into lines of at most this width: at spaces, between Chinese characters, and within words that are too long.
    pub fn wrapped(&self, text: &str, style: Style, width: f32) -> Vec<String> {
        let mut lines = Vec::new();
        for paragraph in text.lines() {
            let mut line = String::new();
            let mut used = 0.0;
            // The latest possible break, as a byte offset.
            let mut last_break = None;
            for character in paragraph.chars() {
                let advance = self.glyph(character).1 * style.size;
                if !line.is_empty() && may_break(line.chars().next_back(), character) {
                    last_break = Some(line.len());
                }
                if used + advance > width && !line.is_empty() {
                    let rest = line.split_off(last_break.take().unwrap_or(line.len()));
                    lines.push(line.trim_end().to_owned());
                    line = rest.trim_start().to_owned();
                    used = self.width_of(&line, style);
                    if line.is_empty() && character == ' ' {
                        continue;
                    }
                }
                line.push(character);
                used += advance;
            }
            lines.push(line.trim_end().to_owned());
        }
        lines
    }

    /// Writes left-aligned text with its baseline at `y` on the last page.
    pub fn write(&mut self, x: f32, y: f32, text: &str, style: Style) {
        self.mark(Mark::Text { x, y, text: text.to_owned(), style });
    }

    /// Writes right-aligned text that ends at `x`.
    pub fn write_to(&mut self, x: f32, y: f32, text: &str, style: Style) {
        self.write(x - self.width_of(text, style), y, text, style);
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
        let font = Font::new(Data::from(FONT), 0).context("reading the font")?;
        let style = Style { size: 8.0, is_bold: false, is_soft: true };
        for number in 1..=self.pages.len() {
            let text = footer(number);
            let x = (WIDTH - self.width_of(&text, style)) / 2.0;
            self.pages[number - 1].push(Mark::Text { x, y: HEIGHT - 28.0, text, style });
        }
        let mut document = Document::new();
        document.set_metadata(metadata);
        for marks in &self.pages {
            let settings = PageSettings::from_wh(WIDTH, HEIGHT).context("the size of a page")?;
            let mut page = document.start_page_with(settings);
            let mut surface = page.surface();
            marks.iter().for_each(|mark| self.draw(&mut surface, &font, mark));
            surface.finish();
            page.finish();
        }
        document.finish().map_err(|error| anyhow::anyhow!("writing a PDF: {error:?}"))
    }

    fn draw(&self, surface: &mut Surface, font: &Font, mark: &Mark) {
        match mark {
            Mark::Text { x, y, text, style } => {
                let colour = if style.is_soft { rgb::Color::new(92, 96, 107) } else { rgb::Color::new(22, 24, 29) };
                surface.set_fill(Some(Fill { paint: colour.into(), ..Fill::default() }));
                // The font has a single weight: bold is drawn with an outline.
                let outline = Stroke { paint: colour.into(), width: style.size * 0.035, ..Stroke::default() };
                surface.set_stroke(style.is_bold.then_some(outline));
                let glyphs: Vec<KrillaGlyph> = text
                    .char_indices()
                    .map(|(start, character)| {
                        let (id, advance) = self.glyph(character);
                        KrillaGlyph::new(id, advance, 0.0, 0.0, 0.0, start..start + character.len_utf8(), None)
                    })
                    .collect();
                surface.draw_glyphs(Point::from_xy(*x, *y), &glyphs, font.clone(), text, style.size, false);
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
                let Some(extent) = Extent::from_wh(*width, *height) else { return };
                surface.push_transform(&Transform::from_translate(*x, *y));
                surface.draw_image(picture.clone(), extent);
                surface.pop();
            }
        }
    }
}

fn is_wide(character: char) -> bool {
    character >= '\u{2e80}'
}

/// Whether a line may break between these two characters: not before closing punctuation, nor after opening punctuation.
fn may_break(before: Option<char>, after: char) -> bool {
    let Some(before) = before else { return false };
    if "，。、；：！？）」』》〉】%".contains(after) || "（「『《〈【".contains(before) {
        return false;
    }
    before == ' ' || before == '-' || is_wide(before) || is_wide(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style { size: 10.0, is_bold: false, is_soft: false };

    #[test]
    fn wrapped_lines_fit_and_keep_all_text() {
        let layout = PdfLayout::new().expect("a font");
        for text in [
            "Ann Lee and her very long company name Limited",
            "Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle",
            "深圳市南山区科技园高新技术产业园区软件大厦，一期二栋三层。",
            "Mixed 混合 text 文字, with-hyphens",
        ] {
            let lines = layout.wrapped(text, STYLE, 90.0);
            assert!(lines.len() > 1, "{text}");
            assert!(lines.iter().all(|line| layout.width_of(line, STYLE) <= 90.0), "{lines:?}");
            let bare = |text: &str| text.replace(' ', "");
            assert_eq!(bare(&lines.concat()), bare(text));
            assert!(!lines.iter().any(|line| line.starts_with(['，', '。'])), "{lines:?}");
        }
        assert_eq!(layout.wrapped("a\nb", STYLE, 90.0), ["a", "b"]);
        assert!(layout.wrapped("", STYLE, 90.0).is_empty());
    }

    #[test]
    fn missing_characters_have_a_width() {
        let layout = PdfLayout::new().expect("a font");
        assert_eq!(layout.glyph('\u{1f600}').0, GlyphId::new(0));
        assert!(layout.width_of("\u{1f600}", STYLE) > 1.0);
        for character in "aé中国红字发票，镕€$¥🜚".chars().take(12) {
            assert_ne!(layout.glyph(character).0, GlyphId::new(0), "{character}");
        }
    }
}
