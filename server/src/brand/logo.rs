//! The seller's logo, read at start-up: as a file of the site and, if it is a PNG, as a picture in mails and on invoices (mail clients do not show
//! SVG).
use crate::config::Config;
use anyhow::{Context, ensure};
use image::{DynamicImage, ImageFormat, ImageReader, Limits, RgbaImage};
use sha2::{Digest, Sha256};
use std::io::Cursor;
use std::path::Path;

/// Maximum file size: every first visit loads it.
const MAX_BYTES: usize = 200_000;
/// Maximum memory for decoding.
const MAX_DECODED_BYTES: u64 = 64 << 20;
/// Maximum size in mails, in CSS pixels; the picture has twice the resolution.
const ROOM_IN_MAILS: (u32, u32) = (240, 40);
/// Maximum size on an invoice: 300 pixels per inch.
const PIXELS_ON_PAPER: (u32, u32) = (666, 183);

/// From this ratio of width to height on, a logo is a wordmark.
const WORDMARK_RATIO: f64 = 2.0;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

pub struct Logo {
    pub extension: &'static str,
    pub bytes: Vec<u8>,
    /// The URL path, with a hash of the content.
    pub path: String,
    /// Whether it is at least twice as wide as high: such a logo has the shop's name in it, which is then not written beside it.
    pub is_wordmark: bool,
    pub in_mails: Option<Picture>,
    /// The pixels for invoices, at print resolution.
    pub on_paper: Option<RgbaImage>,
}

/// The logo for mails.
pub struct Picture {
    pub png: Vec<u8>,
    /// Displayed width and height.
    pub shown: (u32, u32),
}

impl Logo {
    /// Reads the logo, if there is one. The type is detected from the content.
    pub fn open(config: &Config) -> anyhow::Result<Option<Logo>> {
        config.logo_file.as_deref().map(read).transpose()
    }
}

fn read(path: &Path) -> anyhow::Result<Logo> {
    let bytes = std::fs::read(path).with_context(|| format!("reading POSTERN_LOGO_FILE, {}", path.display()))?;
    ensure!(bytes.len() <= MAX_BYTES, "POSTERN_LOGO_FILE has more than {MAX_BYTES} bytes");
    let extension = extension_of(&bytes).context("POSTERN_LOGO_FILE is neither SVG nor PNG")?;
    let picture = (extension == "png").then(|| decoded(&bytes)).transpose()?;
    let in_mails = picture.as_ref().map(for_mails).transpose()?;
    let size = match &picture {
        Some(picture) => Some((f64::from(picture.width()), f64::from(picture.height()))),
        None => size_of_svg(&String::from_utf8_lossy(&bytes)),
    };
    let path = format!("/brand/{}.{extension}", &hex::encode(Sha256::digest(&bytes))[..12]);
    let on_paper = picture.as_ref().map(for_paper);
    Ok(Logo { extension, bytes, path, is_wordmark: size.is_some_and(is_wordmark), in_mails, on_paper })
}

fn is_wordmark((width, height): (f64, f64)) -> bool {
    height > 0.0 && width >= WORDMARK_RATIO * height
}

/// The size of an SVG in its own units, from its `viewBox`, otherwise from its `width` and `height`.
fn size_of_svg(text: &str) -> Option<(f64, f64)> {
    let tag = &text[text.find("<svg")?..];
    let tag = tag[..tag.find('>')?].split_whitespace().collect::<Vec<_>>().join(" ");
    let attribute = |name: &str| {
        let value = tag.split_once(&format!(" {name}="))?.1;
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        value[1..].split(quote).next()
    };
    if let Some(view_box) = attribute("viewBox") {
        let numbers = view_box.split([' ', ',']).filter_map(|number| number.parse().ok()).collect::<Vec<f64>>();
        if let [_, _, width, height] = numbers[..] {
            return Some((width, height));
        }
    }
    let side = |name: &str| attribute(name)?.trim_end_matches("px").parse().ok();
    Some((side("width")?, side("height")?))
}

fn extension_of(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(PNG) {
        return Some("png");
    }
    let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}').trim_start();
    let is_svg =
        text.starts_with("<svg") || (text.starts_with("<?xml") || text.starts_with("<!")) && text.contains("<svg");
    is_svg.then_some("svg")
}

fn decoded(png: &[u8]) -> anyhow::Result<DynamicImage> {
    let mut reader = ImageReader::with_format(Cursor::new(png), ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    reader.limits(limits);
    reader.decode().context("POSTERN_LOGO_FILE is a PNG that cannot be read")
}

fn for_mails(picture: &DynamicImage) -> anyhow::Result<Picture> {
    let shown = fitted((picture.width(), picture.height()), ROOM_IN_MAILS);
    let (width, height) = (2 * shown.0, 2 * shown.1);
    let is_larger = picture.width() > width;
    let picture = if is_larger { &picture.thumbnail_exact(width, height) } else { picture };
    let mut png = Vec::new();
    picture.write_to(&mut Cursor::new(&mut png), ImageFormat::Png)?;
    Ok(Picture { png, shown })
}

fn for_paper(picture: &DynamicImage) -> RgbaImage {
    let size = (picture.width(), picture.height());
    let (width, height) = fitted(size, PIXELS_ON_PAPER);
    if (width, height) == size { picture.to_rgba8() } else { picture.thumbnail_exact(width, height).to_rgba8() }
}

/// Scales a size down to fit, to at least one pixel.
fn fitted(size: (u32, u32), room: (u32, u32)) -> (u32, u32) {
    let of = |side: u32, room: u32| f64::from(room) / f64::from(side.max(1));
    let scale = of(size.0, room.0).min(of(size.1, room.1)).min(1.0);
    let side = |side: u32| ((f64::from(side) * scale).round() as u32).max(1);
    (side(size.0), side(size.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_a_logo_is_detected_from_its_content() {
        assert_eq!(extension_of(b"\x89PNG\r\n\x1a\n...."), Some("png"));
        assert_eq!(extension_of(b"<?xml version=\"1.0\"?>\n<svg/>"), Some("svg"));
        assert_eq!(extension_of(b"\xef\xbb\xbf <svg xmlns=\"x\"/>"), Some("svg"));
        for bytes in [&b"<html><svg/></html>"[..], b"GIF89a", b"\xff\xd8\xff", b""] {
            assert_eq!(extension_of(bytes), None);
        }
        let wrong = decoded(b"\x89PNG\r\n\x1a\n....").expect_err("no picture");
        assert!(wrong.to_string().contains("POSTERN_LOGO_FILE"), "{wrong}");
    }

    #[test]
    fn a_wide_logo_is_a_wordmark() {
        for (svg, size, is_wide) in [
            (
                "<?xml version=\"1.0\"?><svg xmlns=\"x\" viewBox=\"0 0 240 60\" width=\"1em\">",
                Some((240.0, 60.0)),
                true,
            ),
            ("<svg viewBox='-5,-5, 32,32'><rect width=\"900\" height=\"9\"/>", Some((32.0, 32.0)), false),
            ("<svg width=\"199px\" height=\"100px\" />", Some((199.0, 100.0)), false),
            ("<svg\n width=\"100%\" height=\"40\">", None, false),
            ("<svg viewBox=\"0 0 1\" width=\"5\">", None, false),
            ("<svg viewBox=\"0 0 9 0\">", Some((9.0, 0.0)), false),
            ("<svg viewBox=", None, false),
        ] {
            assert_eq!(size_of_svg(svg), size, "{svg}");
            assert_eq!(size.is_some_and(is_wordmark), is_wide, "{svg}");
        }
    }

    #[test]
    fn a_large_logo_is_scaled_down_for_mails() {
        for (size, shown, side) in [((1_200, 400), (120, 40), (240, 80)), ((30, 20), (30, 20), (30, 20))] {
            let picture = for_mails(&DynamicImage::new_rgba8(size.0, size.1)).expect("a picture");
            assert_eq!(picture.shown, shown);
            let written = decoded(&picture.png).expect("a PNG");
            assert_eq!((written.width(), written.height()), side);
            let printed = for_paper(&DynamicImage::new_rgba8(size.0, size.1));
            assert!(printed.width() <= 666 && printed.height() <= 183);
        }
        assert_eq!(fitted((10_000, 1), ROOM_IN_MAILS), (240, 1));
    }
}
