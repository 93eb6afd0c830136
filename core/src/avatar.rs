//! Avatars: the picture or company logo of an account. The type of a file is detected from its first bytes, never from its name.
use crate::account::Throttle;
use crate::field_errors::FieldErrors;
use crate::rule::Rule;

/// The form field of the upload.
pub const AVATAR_FIELD: &str = "File";

/// The maximum size of the file.
pub const AVATAR_MAX_BYTES: usize = 2 << 20;

/// The maximum width and height of an uploaded picture, in pixels.
pub const AVATAR_MAX_SIDE: u32 = 4_096;

/// Pictures uploaded by an account, readable or not.
pub const AVATARS_PER_ACCOUNT: Throttle = Throttle { hits: 60, window_minutes: 60 };

/// The width and height of a stored picture, in pixels.
pub const AVATAR_SIDE: u32 = 256;

/// The supported picture formats.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PictureKind {
    Png,
    Jpeg,
    Webp,
}

/// The format of a file, detected from its content.
pub fn picture_kind_of_file(file: &[u8]) -> Result<PictureKind, FieldErrors> {
    picture_kind(file, file.len())
}

/// Like `picture_kind_of_file`, from the beginning and the size of a file: a browser need not read the rest.
pub fn picture_kind(head: &[u8], bytes: usize) -> Result<PictureKind, FieldErrors> {
    if bytes == 0 {
        return Err(FieldErrors::one(AVATAR_FIELD, Rule::Required, &[]));
    }
    if bytes > AVATAR_MAX_BYTES {
        return Err(FieldErrors::one(
            AVATAR_FIELD,
            Rule::PictureBytes,
            &[("Max", (AVATAR_MAX_BYTES >> 20).to_string())],
        ));
    }
    match head {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Ok(PictureKind::Png),
        [0xff, 0xd8, 0xff, ..] => Ok(PictureKind::Jpeg),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Ok(PictureKind::Webp),
        _ => Err(unreadable_picture()),
    }
}

/// The error for a file that cannot be decoded.
pub fn unreadable_picture() -> FieldErrors {
    FieldErrors::one(AVATAR_FIELD, Rule::Picture, &[])
}

/// Checks the dimensions declared in the file, before memory is allocated for them.
pub fn check_dimensions(width: u32, height: u32) -> Result<(), FieldErrors> {
    match (width, height) {
        (0, _) | (_, 0) => Err(unreadable_picture()),
        _ if width > AVATAR_MAX_SIDE || height > AVATAR_MAX_SIDE => {
            Err(FieldErrors::one(AVATAR_FIELD, Rule::PictureSides, &[("Max", AVATAR_MAX_SIDE.to_string())]))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::rules;

    #[test]
    fn the_format_is_detected_from_the_first_bytes() {
        let kind = |file: &[u8]| picture_kind_of_file(file).map_err(rules);
        for file in
            [&b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..], b"#!/bin/sh", b"GIF89a", b"\x89PNG", b"%PDF-1.7"]
        {
            assert_eq!(kind(file), Err(vec!["File:picture".to_owned()]), "{file:?}");
        }
        assert_eq!(kind(b""), Err(vec!["File:required".to_owned()]));
        assert_eq!(kind(&vec![0xff; AVATAR_MAX_BYTES + 1]), Err(vec!["File:pictureBytes 2".to_owned()]));
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n..."), Ok(PictureKind::Png));
        assert_eq!(kind(b"\xff\xd8\xff\xe0"), Ok(PictureKind::Jpeg));
        assert_eq!(kind(b"RIFF\x10\0\0\0WEBPVP8 "), Ok(PictureKind::Webp));
    }

    #[test]
    fn dimensions_are_positive_and_within_the_maximum() {
        let sides = |width, height| check_dimensions(width, height).map_err(rules);
        assert_eq!(sides(4_096, 1), Ok(()));
        assert_eq!(sides(1, 4_097), Err(vec!["File:pictureSides 4096".to_owned()]));
        assert_eq!(sides(0, 9), Err(vec!["File:picture".to_owned()]));
    }
}
