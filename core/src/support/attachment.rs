//! Attachments of chat messages: their type is detected from the content, and the name's extension is made to match.
use crate::account::Throttle;
use crate::checks::is_invisible;
use crate::field_errors::FieldErrors;
use crate::rule::Rule;
use crate::wire_enum::wire_enum;

pub const MAX_BYTES: usize = 5 << 20;
pub const PER_MESSAGE: usize = 5;
/// The maximum size of all files of one conversation.
pub const MAX_CONVERSATION_BYTES: i64 = 300 << 20;
/// Files of one user that do not belong to a message yet.
pub const MAX_UNSENT: i64 = 10;
/// A file that does not belong to a message after this time is deleted.
pub const UNSENT_HOURS: i64 = 24;
/// Uploads per user.
pub const UPLOADS: Throttle = Throttle { hits: 40, window_minutes: 10 };
/// Concurrent uploads of one account, per server.
pub const UPLOADS_PER_ACCOUNT: usize = 3;
/// Concurrent uploads per server: each is held in memory.
pub const MAX_UPLOADS: usize = 24;
pub const NAME_MAX_LENGTH: usize = 100;

/// A picture with more pixels or longer sides would use a gigabyte of the reader's memory.
const MAX_SIDE: u32 = 16_384;
const MAX_PIXELS: u64 = 64_000_000;

wire_enum! {
    /// The type of a file.
    AttachmentKind { Png = "png", Jpeg = "jpeg", Webp = "webp", Pdf = "pdf", Text = "text" }
}

impl AttachmentKind {
    /// The valid file name extensions, the usual one first.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            AttachmentKind::Png => &["png"],
            AttachmentKind::Jpeg => &["jpg", "jpeg"],
            AttachmentKind::Webp => &["webp"],
            AttachmentKind::Pdf => &["pdf"],
            AttachmentKind::Text => &["txt", "log", "csv"],
        }
    }

    /// The `Content-Type` of downloads. Text has no charset, because it is saved and never displayed.
    pub fn content_type(self) -> &'static str {
        match self {
            AttachmentKind::Png => "image/png",
            AttachmentKind::Jpeg => "image/jpeg",
            AttachmentKind::Webp => "image/webp",
            AttachmentKind::Pdf => "application/pdf",
            AttachmentKind::Text => "text/plain",
        }
    }

    pub fn is_image(self) -> bool {
        matches!(self, AttachmentKind::Png | AttachmentKind::Jpeg | AttachmentKind::Webp)
    }
}

/// All accepted extensions, with their dots.
pub fn accepted_extensions() -> Vec<String> {
    AttachmentKind::ALL.iter().flat_map(|kind| kind.extensions()).map(|extension| format!(".{extension}")).collect()
}

/// A valid attachment.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Attachment {
    pub name: String,
    pub kind: AttachmentKind,
    /// The width and height of a picture.
    pub pixels: Option<(u32, u32)>,
}

/// Checks before the upload: the size, and the extension of the name.
pub fn validate_attachment(name: &str, bytes: usize) -> Result<(), FieldErrors> {
    check_size(bytes)?;
    let is_known = |extension: &str| kind_of_extension(extension).is_some();
    match split_name(last_part(name)) {
        (_, extension) if extension.is_empty() || is_known(extension) => Ok(()),
        _ => Err(broken(Rule::AttachmentKind)),
    }
}

/// Detects a file's type from its content. If a picture has the extension of another picture type, it is corrected; any other mismatch is
/// rejected.
pub fn check_attachment(name: &str, content: &[u8]) -> Result<Attachment, FieldErrors> {
    validate_attachment(name, content.len())?;
    let kind = attachment_kind(content).ok_or_else(|| broken(Rule::AttachmentKind))?;
    let (stem, extension) = split_name(last_part(name));
    let named = kind_of_extension(extension);
    if named.is_some_and(|named| named != kind && !(named.is_image() && kind.is_image())) {
        return Err(broken(Rule::AttachmentContent));
    }
    let pixels = if kind.is_image() {
        let pixels = pixels_of(kind, content).ok_or_else(|| broken(Rule::AttachmentContent))?;
        let (width, height) = pixels;
        if width > MAX_SIDE || height > MAX_SIDE || u64::from(width) * u64::from(height) > MAX_PIXELS {
            return Err(broken(Rule::AttachmentPixels));
        }
        Some(pixels)
    } else {
        None
    };
    let extension = extension.to_ascii_lowercase();
    let extension = kind.extensions().iter().find(|known| **known == extension).unwrap_or(&kind.extensions()[0]);
    Ok(Attachment { name: format!("{}.{extension}", clean(stem)), kind, pixels })
}

fn check_size(bytes: usize) -> Result<(), FieldErrors> {
    if bytes == 0 {
        return Err(broken(Rule::AttachmentEmpty));
    }
    if bytes > MAX_BYTES {
        let max = [("Max", (MAX_BYTES >> 20).to_string())];
        return Err(FieldErrors::one("File", Rule::AttachmentSize, &max));
    }
    Ok(())
}

fn broken(rule: Rule) -> FieldErrors {
    FieldErrors::one("File", rule, &[])
}

fn kind_of_extension(extension: &str) -> Option<AttachmentKind> {
    let extension = extension.to_ascii_lowercase();
    AttachmentKind::ALL.iter().copied().find(|kind| kind.extensions().contains(&extension.as_str()))
}

/// A name without the directories that some browsers and programs include.
fn last_part(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or_default()
}

/// The stem and the extension of a name; the extension is empty if there is none, or for a name like `.log`.
fn split_name(name: &str) -> (&str, &str) {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, extension),
        _ => (name, ""),
    }
}

/// Removes characters that are invisible or have a special meaning in file names.
fn clean(stem: &str) -> String {
    let kept = |character: &char| !is_invisible(*character) && !"\"<>|:*?%;".contains(*character);
    let name: String = stem.chars().filter(kept).take(NAME_MAX_LENGTH).collect();
    let name = name.trim_matches(|character: char| character == '.' || character.is_whitespace());
    if name.is_empty() { "file".to_owned() } else { name.to_owned() }
}

fn attachment_kind(content: &[u8]) -> Option<AttachmentKind> {
    if content.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(AttachmentKind::Png)
    } else if content.starts_with(b"\xff\xd8\xff") {
        Some(AttachmentKind::Jpeg)
    } else if content.starts_with(b"RIFF") && content.get(8..12) == Some(b"WEBP") {
        Some(AttachmentKind::Webp)
    } else if content.starts_with(b"%PDF-") {
        Some(AttachmentKind::Pdf)
    } else {
        is_text(content).then_some(AttachmentKind::Text)
    }
}

/// Whether this is text in any encoding, without control characters: UTF-8, or a legacy encoding such as GBK, which Chinese programs use
/// for logs. Escape sequences are allowed, because logs may be coloured.
fn is_text(content: &[u8]) -> bool {
    let is_allowed = |byte: &u8| *byte >= 0x20 && *byte != 0x7f || b"\t\n\r\x0c\x1b".contains(byte);
    content.iter().all(is_allowed)
}

fn pixels_of(kind: AttachmentKind, content: &[u8]) -> Option<(u32, u32)> {
    let pixels = match kind {
        AttachmentKind::Png => {
            (content.get(12..16)? == b"IHDR").then_some(())?;
            (big(content.get(16..20)?), big(content.get(20..24)?))
        }
        AttachmentKind::Jpeg => jpeg_pixels(content)?,
        AttachmentKind::Webp => webp_pixels(content)?,
        AttachmentKind::Pdf | AttachmentKind::Text => return None,
    };
    (pixels.0 > 0 && pixels.1 > 0).then_some(pixels)
}

fn big(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn little(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// Walks the segments to the frame header.
fn jpeg_pixels(content: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        if *content.get(at)? != 0xff {
            return None;
        }
        let marker = *content.get(at + 1)?;
        match marker {
            // A fill byte.
            0xff => at += 1,
            0xc0..=0xcf if ![0xc4, 0xc8, 0xcc].contains(&marker) => {
                return Some((big(content.get(at + 7..at + 9)?), big(content.get(at + 5..at + 7)?)));
            }
            // The image data begins, or the picture ends, before a frame header.
            0xd9 | 0xda => return None,
            // Markers without a length field.
            0x01 | 0xd0..=0xd8 => at += 2,
            _ => at += 2 + big(content.get(at + 2..at + 4)?).max(2) as usize,
        }
    }
}

fn webp_pixels(content: &[u8]) -> Option<(u32, u32)> {
    match content.get(12..16)? {
        b"VP8X" => Some((little(content.get(24..27)?) + 1, little(content.get(27..30)?) + 1)),
        b"VP8L" => {
            let bits = little(content.get(21..25)?);
            (*content.get(20)? == 0x2f).then_some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8 " => {
            let (width, height) = (little(content.get(26..28)?), little(content.get(28..30)?));
            (content.get(23..26)? == b"\x9d\x01\x2a").then_some((width & 0x3fff, height & 0x3fff))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    fn png(width: u32, height: u32) -> Vec<u8> {
        [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(), &width.to_be_bytes(), &height.to_be_bytes(), b"\x08\x02\0\0\0"]
            .concat()
    }

    const JPEG: &[u8] = b"\xff\xd8\xff\xe0\0\x04JF\xff\xc2\0\x11\x08\0\x20\0\x40\x03";

    fn judged(name: &str, content: &[u8]) -> Result<(String, AttachmentKind), Vec<String>> {
        check_attachment(name, content).map(|file| (file.name, file.kind)).map_err(rules)
    }

    fn refused(rule: &str) -> Result<(String, AttachmentKind), Vec<String>> {
        Err(vec![format!("File:{rule}")])
    }

    #[test]
    fn a_file_whose_content_does_not_match_its_name_is_rejected() {
        let html = b"<html><script>alert(1)</script></html>";
        for name in ["picture.png", "picture.PNG", "a.jpg", "a.webp", "a.pdf"] {
            assert_eq!(judged(name, html), refused("attachmentContent"), "{name}");
        }
        for name in ["a.html", "a.svg", "a.exe", "a.png.html", "a.js", "a.xml"] {
            assert_eq!(judged(name, html), refused("attachmentKind"), "{name}");
            assert_eq!(judged(name, &png(1, 1)), refused("attachmentKind"), "{name}");
        }
        assert_eq!(judged("a.txt", &png(1, 1)), refused("attachmentContent"));
        assert_eq!(judged("a.pdf", &png(1, 1)), refused("attachmentContent"));
        assert_eq!(judged("a.txt", b"MZ\x90\0\x03\0"), refused("attachmentKind"));
        assert_eq!(judged("a.zip", b"PK\x03\x04"), refused("attachmentKind"));
        assert_eq!(judged("a", b"PK\x03\x04"), refused("attachmentKind"));
        assert_eq!(judged("a.png", b"\x89PNG\r\n\x1a\n"), refused("attachmentContent"), "no size");
        assert_eq!(judged("a.jpg", b"\xff\xd8\xff\xd9"), refused("attachmentContent"), "no picture");
        assert_eq!(judged("a.webp", b"RIFF\0\0\0\0WEBPVP8 "), refused("attachmentContent"));
    }

    #[test]
    fn empty_and_oversized_files_are_rejected_before_the_upload() {
        assert_eq!(judged("a.txt", b""), refused("attachmentEmpty"));
        let too_large = vec![b'a'; MAX_BYTES + 1];
        assert_eq!(judged("a.txt", &too_large), refused("attachmentSize 5"));
        assert_eq!(judged("a.txt", &too_large[1..]), Ok(("a.txt".into(), AttachmentKind::Text)));
        assert_eq!(
            validate_attachment("a.txt", MAX_BYTES + 1).map_err(rules),
            Err(vec!["File:attachmentSize 5".into()])
        );
        assert_eq!(validate_attachment("a.exe", 1).map_err(rules), Err(vec!["File:attachmentKind".into()]));
        assert_eq!(validate_attachment("image", 1), Ok(()), "a pasted file has no name");
        for (width, height) in [(16_385, 1), (1, 16_385), (8_001, 8_000)] {
            assert_eq!(judged("a.png", &png(width, height)), refused("attachmentPixels"), "{width} x {height}");
        }
        assert_eq!(judged("a.png", &png(0, 5)), refused("attachmentContent"));
    }

    #[test]
    fn a_picture_gets_the_extension_of_its_type() {
        for (name, content, expected) in [
            ("a.png", png(3, 2), "a.png"),
            ("photo.JPEG", JPEG.to_vec(), "photo.jpeg"),
            ("photo.jpg", png(3, 2), "photo.png"),
            ("image", png(3, 2), "image.png"),
            (".png", png(3, 2), "png.png"),
        ] {
            assert_eq!(judged(name, &content).map(|file| file.0), Ok(expected.to_owned()), "{name}");
        }
        for (name, expected) in [("errors.LOG", "errors.log"), ("list.csv", "list.csv"), ("notes", "notes.txt")] {
            assert_eq!(
                judged(name, "密码,错误\r\n\u{1b}[31mred".as_bytes()).map(|file| file.0),
                Ok(expected.to_owned())
            );
        }
        assert_eq!(judged("gbk.csv", b"\xc4\xe3\xba\xc3,1\n").map(|file| file.1), Ok(AttachmentKind::Text));
        assert_eq!(judged("a.pdf", b"%PDF-1.7\n\0").map(|file| file.1), Ok(AttachmentKind::Pdf));
    }

    #[test]
    fn names_are_reduced_to_a_plain_file_name() {
        for (name, expected) in [
            ("../../etc/passwd.txt", "passwd.txt"),
            ("C:\\Users\\ann\\log.txt", "log.txt"),
            ("a\0b\r\nc.txt", "abc.txt"),
            ("re\u{202e}txt.log", "retxt.log"),
            ("\"><img src=x>.txt", "img src=x.txt"),
            ("...txt", "file.txt"),
            ("屏幕 截图.txt", "屏幕 截图.txt"),
        ] {
            assert_eq!(judged(name, b"text").map(|file| file.0), Ok(expected.to_owned()), "{name:?}");
        }
        let long = judged(&format!("{}.txt", "长".repeat(500)), b"text").map(|file| file.0);
        assert_eq!(long.map(|name| name.chars().count()), Ok(NAME_MAX_LENGTH + 4));
    }

    #[test]
    fn the_size_of_a_picture_is_read_from_its_header() {
        let vp8l = |width: u32, height: u32| {
            let bits = (width - 1) | (height - 1) << 14;
            [b"RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f".as_slice(), &bits.to_le_bytes()].concat()
        };
        let vp8 = b"RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x40\0\x20\0".to_vec();
        let vp8x = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x3f\0\0\x1f\0\0".to_vec();
        for (name, content) in [
            ("a.png", png(64, 32)),
            ("a.jpg", JPEG.to_vec()),
            ("a.webp", vp8l(64, 32)),
            ("a.webp", vp8),
            ("a.webp", vp8x),
        ] {
            let file = check_attachment(name, &content).map_err(rules);
            assert_eq!(file.map(|file| file.pixels), Ok(Some((64, 32))), "{content:?}");
        }
        assert_eq!(check_attachment("a.txt", b"x").map(|file| file.pixels), Ok(None));
    }

    #[test]
    fn any_picture_header_is_handled() {
        for start in [&b"\xff\xd8\xff"[..], b"RIFF\0\0\0\0WEBPVP8X", b"RIFF\0\0\0\0WEBPVP8L", b"\x89PNG\r\n\x1a\n"] {
            for byte in 0..=255 {
                for length in 0..40 {
                    let content = [start, &vec![byte; length]].concat();
                    let _ = check_attachment("a", &content);
                }
            }
        }
    }
}
